//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019).

use rayon::prelude::*;

use super::gradient::Lane;
use super::shape::LANE;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The largest absolute weight: 32 of them and a bias fit the engine's 16-bit sums.
pub const MAX_WEIGHT: f32 = 1.98;

/// Lanes changed together.
const BLOCK: usize = 256;

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
        gradients: &mut [Vec<Lane>],
        factor: f32,
        rate: f32,
    ) {
        self.steps += 1;
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(self.steps as f64))) as f32;
        let (correction_1, correction_2) = (correction(BETA_1), correction(BETA_2));
        let keep = 1.0 - rate * self.decay;
        let [sum, others @ ..] = gradients else { return };
        for other in others {
            sum.par_chunks_mut(BLOCK).zip(other.par_chunks_mut(BLOCK)).for_each(add_and_clear);
        }
        parameters
            .par_chunks_mut(BLOCK * LANE)
            .zip(sum.par_chunks_mut(BLOCK))
            .zip(self.first.par_chunks_mut(BLOCK * LANE))
            .zip(self.second.par_chunks_mut(BLOCK * LANE))
            .for_each(|(((weights, gradient), first), second)| {
                let slopes = gradient.iter_mut().flat_map(|lane| &mut lane.0);
                for (((w, g), m), v) in weights.iter_mut().zip(slopes).zip(first).zip(second) {
                    let slope = std::mem::take(g) * factor;
                    *m = BETA_1 * *m + (1.0 - BETA_1) * slope;
                    *v = BETA_2 * *v + (1.0 - BETA_2) * slope * slope;
                    let step = rate * correction_1 * *m / ((*v * correction_2).sqrt() + EPSILON);
                    *w = (*w * keep - step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            });
    }
}

fn add_and_clear((into, from): (&mut [Lane], &mut [Lane])) {
    for (into, from) in into.iter_mut().zip(from) {
        for (into, from) in into.0.iter_mut().zip(&mut from.0) {
            *into += std::mem::take(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(first: f32, second: f32) -> Vec<Lane> {
        let mut lane = Lane::default();
        lane.0[..2].copy_from_slice(&[first, second]);
        vec![lane]
    }

    #[test]
    fn finds_the_bottom_of_a_bowl() {
        let mut optimiser = AdamW::new(LANE, 0.0);
        let mut at = [0.0; LANE];
        at[..2].copy_from_slice(&[1.5, -1.0]);
        for _ in 0..2000 {
            let mut gradients = [lane(2.0 * (at[0] - 0.25), 0.0), lane(0.0, 8.0 * (at[1] - 0.75))];
            optimiser.step(&mut at, &mut gradients, 1.0, 0.01);
            assert_eq!(gradients, [lane(0.0, 0.0), lane(0.0, 0.0)]);
        }
        assert!((at[0] - 0.25).abs() < 1e-3 && (at[1] - 0.75).abs() < 1e-3, "{at:?}");
    }

    #[test]
    fn weights_stay_where_the_quantised_network_can_hold_them() {
        let mut optimiser = AdamW::new(LANE, 0.01);
        let mut at = [0.0; LANE];
        for _ in 0..1000 {
            optimiser.step(&mut at, &mut [lane(-1.0, 1.0)], 1.0, 0.1);
        }
        assert_eq!(at[..3], [MAX_WEIGHT, -MAX_WEIGHT, 0.0]);
    }
}
