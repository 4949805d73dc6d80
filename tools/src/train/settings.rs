//! How a network is trained.

use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::gradient::Objective;
use super::shape::Shape;

/// How a network is trained; the same settings on the same data give the same network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Files of scored games and of fans.
    pub data: Vec<PathBuf>,
    /// Sizes of the network.
    pub shape: Shape,
    /// Passes over the data.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// Learning rate of the first step; a cosine leads to the last.
    pub rate: f32,
    /// Learning rate of the last step.
    pub final_rate: f32,
    /// AdamW's weight decay.
    pub decay: f32,
    /// Centipawns per unit of the logistic curve.
    pub scale: f32,
    /// Weight of the result against the score.
    pub result_weight: f32,
    /// Plies skipped at the start of each game.
    pub skip_plies: usize,
    /// Seed of the first weights and of every shuffle.
    pub seed: u64,
    /// Threads; each sums its own part of a batch, so the last bits depend on their number.
    pub threads: usize,
}

impl Settings {
    /// What the network is to predict.
    pub fn objective(&self) -> Objective {
        Objective { scale: self.scale, result_weight: self.result_weight }
    }

    /// The learning rate after this share of all steps, 0 to 1.
    pub fn rate_at(&self, progress: f64) -> f32 {
        let share = (1.0 + (std::f64::consts::PI * progress).cos()) / 2.0;
        self.final_rate + (self.rate - self.final_rate) * share as f32
    }

    /// The network before the first step: uniform weights, as wide as the number of inputs asks for.
    pub fn first_parameters(&self) -> Vec<f32> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let shape = &self.shape;
        let mut parameters = vec![0.0; shape.parameters()];
        let inputs = ferz::nnue::arch::INPUTS as f32;
        for (range, fan_in) in
            [(shape.input(), inputs), (shape.output(), 2.0 * shape.hidden as f32)]
        {
            let width = fan_in.sqrt().recip();
            parameters[range].fill_with(|| random.random_range(-width..width));
        }
        if shape.king_buckets > 1 {
            parameters[ferz::nnue::arch::INPUTS * shape.hidden..shape.input().end].fill(0.0);
        }
        parameters
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Settings of a small training for tests.
    pub fn settings(shape: Shape) -> Settings {
        Settings {
            data: vec![PathBuf::from("games.vf")],
            shape,
            epochs: 2,
            batch: 64,
            rate: 1e-3,
            final_rate: 1e-5,
            decay: 0.01,
            scale: 240.0,
            result_weight: 0.1,
            skip_plies: 0,
            seed: 1,
            threads: 1,
        }
    }

    #[test]
    fn the_rate_falls_from_first_to_last() {
        let settings = settings(Shape::new(16, 1, 1).expect("a sound shape"));
        assert_eq!(settings.rate_at(0.0), settings.rate);
        assert!((settings.rate_at(0.5) - 5.05e-4).abs() < 1e-7);
        assert!((settings.rate_at(1.0) - settings.final_rate).abs() < 1e-9);
    }

    #[test]
    fn a_seed_means_one_network() {
        let mut settings = settings(Shape::new(16, 2, 2).expect("a sound shape"));
        let first = settings.first_parameters();
        assert_eq!(first, settings.first_parameters());
        assert!(first[settings.shape.hidden_bias()].iter().all(|&bias| bias == 0.0));
        settings.seed = 2;
        assert_ne!(first, settings.first_parameters());
    }
}
