//! From the trained network to the file the engine reads, and what the rounding costs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ferz::board::{InvalidPosition, Position, Setup};
use ferz::nnue::arch::{INPUTS, QA, QB};
use ferz::nnue::format::{self, Header};
use ferz::nnue::{AccumulatorStack, Network, NetworkError};

use super::checkpoint::Checkpoint;
use super::data::Sample;
use super::gradient::{Model, lanes, predict};

/// Why a network cannot be exported or checked.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The exported network is refused.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// Why.
        source: NetworkError,
    },
    /// The engine has one plane of inputs.
    #[error("the engine reads networks with one king bucket, not {0}")]
    KingBuckets(usize),
    /// A position to check with is not legal.
    #[error("position {index} of the data: {source}")]
    Position {
        /// Which, counted from 1.
        index: usize,
        /// Why.
        source: InvalidPosition,
    },
}

/// The quantised network as the engine's file.
pub fn quantise(checkpoint: &Checkpoint) -> Result<Vec<u8>, ExportError> {
    let shape = checkpoint.settings.shape;
    if shape.king_buckets != 1 {
        return Err(ExportError::KingBuckets(shape.king_buckets));
    }
    let parameters = &checkpoint.parameters;
    let mut numbers = Vec::new();
    let rounded = |weight: f32, quantum: i32| (weight * quantum as f32).round();
    for range in [shape.input(), shape.hidden_bias()] {
        for &weight in &parameters[range] {
            numbers.extend((rounded(weight, QA) as i16).to_le_bytes());
        }
    }
    for &weight in &parameters[shape.output()] {
        numbers.extend((rounded(weight, QB) as i16).to_le_bytes());
    }
    for &bias in &parameters[shape.output_bias()] {
        numbers.extend((rounded(bias, QA * QB) as i32).to_le_bytes());
    }
    let header = Header {
        inputs: INPUTS as u32,
        hidden: shape.hidden as u32,
        output_buckets: shape.output_buckets as u32,
        scale: checkpoint.settings.scale.round() as u32,
        hash: format::hash(&numbers),
    };
    Ok([&header.to_bytes(), numbers.as_slice()].concat())
}

/// Writes the quantised network.
pub fn export(checkpoint: &Checkpoint, path: &Path) -> Result<(), ExportError> {
    let bytes = quantise(checkpoint)?;
    fs::write(path, bytes).map_err(|source| ExportError::Io { path: path.to_owned(), source })
}

/// How far the quantised network is from the trained one, in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    /// Mean absolute difference.
    pub mean: f64,
    /// Largest difference.
    pub worst: f64,
}

/// Compares the network in a file with the trained one on these positions.
pub fn compare(
    checkpoint: &Checkpoint,
    path: &Path,
    samples: &[Sample],
) -> Result<Rounding, ExportError> {
    let network = Network::load(path)
        .map_err(|source| ExportError::Network { path: path.to_owned(), source })?;
    let mut stack = AccumulatorStack::new(&network);
    let exact = trained_scores(checkpoint, samples);
    let mut rounding = Rounding { mean: 0.0, worst: 0.0 };
    for (index, (sample, exact)) in samples.iter().zip(exact).enumerate() {
        let position = position_of(sample)
            .map_err(|source| ExportError::Position { index: index + 1, source })?;
        stack.reset(&position);
        let error = (f64::from(stack.evaluate(&position, &network)) - exact).abs();
        rounding.mean += error / samples.len() as f64;
        rounding.worst = rounding.worst.max(error);
    }
    Ok(rounding)
}

fn trained_scores(checkpoint: &Checkpoint, samples: &[Sample]) -> Vec<f64> {
    let packed = lanes(&checkpoint.parameters);
    let outputs =
        predict(Model { shape: &checkpoint.settings.shape, parameters: &packed }, samples);
    outputs.into_iter().map(|output| f64::from(output * checkpoint.settings.scale)).collect()
}

/// The position of a sample, White to move, without rights.
fn position_of(sample: &Sample) -> Result<Position, InvalidPosition> {
    let mut setup = Setup::empty();
    for (square, piece) in sample.men() {
        setup.pieces[square.index()] = Some(piece);
    }
    Position::from_setup(&setup)
}

#[cfg(test)]
mod tests {
    use ferz::nnue::arch::{HIDDEN, OUTPUT_BUCKETS};

    use super::super::run;
    use super::super::settings::tests::settings;
    use super::super::shape::Shape;
    use super::*;

    fn checkpoint(king_buckets: usize) -> Checkpoint {
        let shape = Shape::new(HIDDEN, OUTPUT_BUCKETS, king_buckets).expect("a sound shape");
        run::start(settings(shape))
    }

    #[test]
    fn the_engine_reads_what_is_exported() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("network");
        let checkpoint = checkpoint(1);
        export(&checkpoint, &path).expect("a file");
        let mut position = Position::startpos();
        let samples: Vec<Sample> = (0..60)
            .map_while(|ply| {
                let moves = position.legal_moves();
                position.play(*moves.get(ply * 7 % moves.len().max(1))?);
                Some(Sample::new(&position, 0, Some(1)))
            })
            .filter(|sample| position_of(sample).is_ok())
            .collect();
        assert!(samples.len() > 20, "{}", samples.len());
        let rounding = compare(&checkpoint, &path, &samples).expect("a sound network");
        assert!(rounding.mean < 1.0 && rounding.worst < 3.0, "{rounding:?}");
        assert!(rounding.mean > 0.0);
    }

    #[test]
    fn king_buckets_are_refused() {
        assert!(matches!(quantise(&checkpoint(4)), Err(ExportError::KingBuckets(4))));
    }
}
