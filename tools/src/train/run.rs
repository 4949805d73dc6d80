//! The training loop.

use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::checkpoint::{Checkpoint, CheckpointError, EpochLoss};
use super::data::{DataError, Dataset, Sample};
use super::gradient::{Lane, Model, Objective, accumulate_gradient, lanes, predict, sigmoid};
use super::optimiser::AdamW;
use super::settings::Settings;
use super::shape::LANE;

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The threads.
    #[error("threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A loss that is no number.
    #[error("the loss is not finite after epoch {0}: try a lower learning rate")]
    Diverged(usize),
}

/// Where a training keeps its checkpoint.
pub fn checkpoint_path(directory: &Path) -> PathBuf {
    directory.join("checkpoint.ferz")
}

/// A fresh training.
pub fn start(settings: Settings) -> Checkpoint {
    let parameters = settings.first_parameters();
    let optimiser = AdamW::new(parameters.len(), settings.decay);
    Checkpoint { settings, losses: Vec::new(), parameters, optimiser }
}

/// Trains until the last epoch, saving a checkpoint into `directory` after each.
pub fn train(checkpoint: &mut Checkpoint, directory: &Path) -> Result<(), TrainError> {
    let settings = checkpoint.settings.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
    pool.install(|| {
        let data = Dataset::read(&settings.data, settings.skip_plies)?;
        println!(
            "{} games, {} fans: {} positions to learn from, {} held out",
            data.games,
            data.fans,
            data.train.len(),
            data.held_out.len()
        );
        while checkpoint.losses.len() < settings.epochs {
            let loss = epoch(checkpoint, &data);
            checkpoint.losses.push(loss);
            let number = checkpoint.losses.len();
            println!("epoch {number}: train {:.6}, held out {:.6}", loss.train, loss.held_out);
            if !(loss.train.is_finite() && loss.held_out.is_finite()) {
                return Err(TrainError::Diverged(number));
            }
            checkpoint.save(&checkpoint_path(directory))?;
        }
        Ok(())
    })
}

/// One pass over the data in a fresh order.
fn epoch(checkpoint: &mut Checkpoint, data: &Dataset) -> EpochLoss {
    let settings = &checkpoint.settings;
    let done = checkpoint.losses.len();
    let mut order: Vec<u32> = (0..data.train.len() as u32).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(settings.seed ^ (done as u64 + 1) << 32));
    let steps = order.len().div_ceil(settings.batch);
    let bar = progress_bar(done + 1, settings.epochs, steps);
    let objective = settings.objective();
    let lane_count = settings.shape.parameters() / LANE;
    let mut gradients = vec![vec![Lane::default(); lane_count]; settings.threads];
    let mut total = 0.0;
    for (step, batch) in order.chunks(settings.batch).enumerate() {
        let all_steps = (steps * settings.epochs) as f64;
        let rate = settings.rate_at((done * steps + step) as f64 / all_steps);
        let samples: Vec<Sample> = batch.iter().map(|&index| data.train[index as usize]).collect();
        let packed = lanes(&checkpoint.parameters);
        let model = Model { shape: &settings.shape, parameters: &packed };
        total += batch_gradient(model, &samples, objective, &mut gradients);
        let factor = 1.0 / samples.len() as f32;
        checkpoint.optimiser.step(&mut checkpoint.parameters, &mut gradients, factor, rate);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let train = total / order.len() as f64;
    let packed = lanes(&checkpoint.parameters);
    let model = Model { shape: &settings.shape, parameters: &packed };
    let held_out = loss(model, &data.held_out, objective);
    EpochLoss { train, held_out }
}

/// Each gradient buffer takes an equal part of the batch, in order, whichever thread fills it.
fn batch_gradient(
    model: Model,
    samples: &[Sample],
    objective: Objective,
    gradients: &mut [Vec<Lane>],
) -> f64 {
    let part = samples.len().div_ceil(gradients.len());
    let sums: Vec<f64> = samples
        .par_chunks(part)
        .zip(gradients)
        .map(|(part, into)| accumulate_gradient(model, part, objective, into))
        .collect();
    sums.iter().sum()
}

/// The mean squared error of a network over some positions.
pub fn loss(model: Model, samples: &[Sample], objective: Objective) -> f64 {
    let sums: Vec<f64> = samples
        .par_chunks(4096)
        .map(|samples| {
            let error = |(output, sample): (f32, &Sample)| {
                f64::from(sigmoid(output) - objective.target(sample)).powi(2)
            };
            predict(model, samples).into_iter().zip(samples).map(error).sum()
        })
        .collect();
    sums.iter().sum::<f64>() / samples.len() as f64
}

fn progress_bar(epoch: usize, epochs: usize, steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.with_prefix(format!("epoch {epoch}/{epochs}"))
}
