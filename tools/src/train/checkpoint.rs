//! A training under way, as a file: one line of JSON, then the numbers as little-endian `f32`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::optimiser::AdamW;
use super::settings::Settings;

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The first line is not a checkpoint's.
    #[error("{}: first line: {source}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The numbers do not fit the header.
    #[error("{}: {found} bytes of numbers where the header asks for {expected}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
}

/// The losses after one pass over the data.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochLoss {
    /// Mean squared error over the positions learned from, while they were learned from.
    pub train: f64,
    /// Mean squared error over the positions held out, after the pass.
    pub held_out: f64,
}

/// Everything a training needs to go on.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// How it is trained.
    pub settings: Settings,
    /// One entry per finished pass.
    pub losses: Vec<EpochLoss>,
    /// The network.
    pub parameters: Vec<f32>,
    /// The optimiser's memory.
    pub optimiser: AdamW,
}

#[derive(Serialize, Deserialize)]
struct Header {
    settings: Settings,
    losses: Vec<EpochLoss>,
    steps: u64,
}

impl Checkpoint {
    /// Writes the checkpoint; an earlier file is replaced only by a complete one.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let partial = path.with_extension("partial");
        self.write(&partial)
            .and_then(|()| fs::rename(&partial, path))
            .map_err(|source| CheckpointError::Io { path: path.to_owned(), source })
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let header = Header {
            settings: self.settings.clone(),
            losses: self.losses.clone(),
            steps: self.optimiser.steps,
        };
        serde_json::to_writer(&mut file, &header)?;
        file.write_all(b"\n")?;
        for numbers in [&self.parameters, &self.optimiser.first, &self.optimiser.second] {
            for number in numbers {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        file.flush()
    }

    /// Reads a checkpoint.
    pub fn load(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let io_error = |source| CheckpointError::Io { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(io_error)?);
        let mut line = Vec::new();
        file.read_until(b'\n', &mut line).map_err(io_error)?;
        let header: Header = serde_json::from_slice(&line)
            .map_err(|source| CheckpointError::Header { path: path.to_owned(), source })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io_error)?;
        let count = header.settings.shape.parameters();
        let expected = count * 3 * size_of::<f32>();
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(CheckpointError::Length { path: path.to_owned(), found, expected });
        }
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let mut take = || numbers.by_ref().take(count).collect::<Vec<f32>>();
        let (parameters, first, second) = (take(), take(), take());
        let decay = header.settings.decay;
        Ok(Checkpoint {
            settings: header.settings,
            losses: header.losses,
            parameters,
            optimiser: AdamW { first, second, steps: header.steps, decay },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::run;
    use super::super::settings::tests::settings;
    use super::super::shape::Shape;
    use super::*;

    #[test]
    fn checkpoints_survive_a_round_trip_and_damage_is_reported() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("checkpoint.ferz");
        let mut checkpoint = run::start(settings(Shape::new(16, 1, 1).expect("a sound shape")));
        checkpoint.losses.push(EpochLoss { train: 0.5, held_out: 0.25 });
        checkpoint.optimiser.steps = 7;
        checkpoint.optimiser.second[3] = 0.125;
        checkpoint.save(&path).expect("a file");
        let read = Checkpoint::load(&path).expect("a checkpoint");
        assert_eq!(read.settings, checkpoint.settings);
        assert_eq!(read.losses, checkpoint.losses);
        assert_eq!(read.parameters, checkpoint.parameters);
        assert_eq!(read.optimiser.first, checkpoint.optimiser.first);
        assert_eq!(read.optimiser.second, checkpoint.optimiser.second);
        assert_eq!(read.optimiser.steps, 7);

        let bytes = fs::read(&path).expect("a file");
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("a file");
        let error = Checkpoint::load(&path).map(|_| ()).unwrap_err();
        assert!(matches!(error, CheckpointError::Length { .. }), "{error}");
        fs::write(&path, b"{}\n").expect("a file");
        let error = Checkpoint::load(&path).map(|_| ()).unwrap_err();
        assert!(matches!(error, CheckpointError::Header { .. }), "{error}");
        let error = Checkpoint::load(directory.path().join("none").as_path()).map(|_| ());
        assert!(matches!(error, Err(CheckpointError::Io { .. })));
    }
}
