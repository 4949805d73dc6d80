//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019).

use rayon::prelude::*;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The largest absolute weight: 32 of them and a bias fit the engine's 16-bit sums.
pub const MAX_WEIGHT: f32 = 1.98;

/// Parameters changed together.
const BLOCK: usize = 4096;

/// Moments of the gradient, one pair per parameter.
#[derive(Clone, Debug)]
pub struct AdamW {
    /// Running mean.
    pub first: Vec<f32>,
    /// Running mean of the square.
    pub second: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
    /// Share of a weight lost per step and unit of learning rate.
    pub decay: f32,
}

impl AdamW {
    /// A fresh optimiser.
    pub fn new(parameters: usize, decay: f32) -> AdamW {
        AdamW { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0, decay }
    }

    /// Takes one step along the sum of `gradients`, times `factor`, and clears them.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        gradients: &mut [Vec<f32>],
        factor: f32,
        rate: f32,
    ) {
        self.steps += 1;
        let correction_1 = 1.0 - f64::from(BETA_1).powf(self.steps as f64);
        let correction_2 = 1.0 - f64::from(BETA_2).powf(self.steps as f64);
        let rate_1 = (f64::from(rate) / correction_1) as f32;
        let correction_2 = (1.0 / correction_2) as f32;
        let keep = 1.0 - rate * self.decay;
        if let [sum, others @ ..] = gradients {
            for other in others {
                sum.par_chunks_mut(BLOCK).zip(other.par_chunks_mut(BLOCK)).for_each(|(a, b)| {
                    for (a, b) in a.iter_mut().zip(b) {
                        *a += *b;
                        *b = 0.0;
                    }
                });
            }
            parameters
                .par_chunks_mut(BLOCK)
                .zip(sum.par_chunks_mut(BLOCK))
                .zip(self.first.par_chunks_mut(BLOCK).zip(self.second.par_chunks_mut(BLOCK)))
                .for_each(|((weights, gradient), (first, second))| {
                    for (((w, g), m), v) in weights.iter_mut().zip(gradient).zip(first).zip(second)
                    {
                        let slope = *g * factor;
                        *g = 0.0;
                        *m = BETA_1 * *m + (1.0 - BETA_1) * slope;
                        *v = BETA_2 * *v + (1.0 - BETA_2) * slope * slope;
                        let step = rate_1 * *m / ((*v * correction_2).sqrt() + EPSILON);
                        *w = (*w * keep - step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                    }
                });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_bottom_of_a_bowl() {
        let mut optimiser = AdamW::new(2, 0.0);
        let mut at = [1.5, -1.0];
        for _ in 0..2000 {
            let mut gradients = [vec![2.0 * (at[0] - 0.25), 0.0], vec![0.0, 8.0 * (at[1] - 0.75)]];
            optimiser.step(&mut at, &mut gradients, 1.0, 0.01);
            assert_eq!(gradients, [vec![0.0; 2], vec![0.0; 2]]);
        }
        assert!((at[0] - 0.25).abs() < 1e-3 && (at[1] - 0.75).abs() < 1e-3, "{at:?}");
    }

    #[test]
    fn weights_stay_where_the_quantised_network_can_hold_them() {
        let mut optimiser = AdamW::new(1, 0.01);
        let mut at = [0.0];
        for _ in 0..1000 {
            optimiser.step(&mut at, &mut [vec![-1.0]], 1.0, 0.1);
        }
        assert_eq!(at, [MAX_WEIGHT]);
    }
}
