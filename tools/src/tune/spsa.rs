//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1998), with the gains that chess
//! engines are tuned with: two versions, each number moved up in one and down in the other, play a
//! few games, and every number goes some way towards the winner.

use ferz::search::Parameter;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Spall's exponent of the gain.
const ALPHA: f64 = 0.602;

/// Spall's exponent of the perturbation.
const GAMMA: f64 = 0.101;

/// The share of the iterations by which the first gains are held back.
const STABILITY: f64 = 0.1;

/// How far and how fast a tuning goes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gains {
    /// Iterations in all.
    pub iterations: u32,
    /// How far, in steps, a number goes for one game won more than lost, at the end.
    pub rate: f64,
}

impl Gains {
    /// The perturbation of an iteration, from 1, in steps: 1 at the end, more before.
    fn perturbation(&self, iteration: u32) -> f64 {
        (f64::from(self.iterations) / f64::from(iteration)).powf(GAMMA)
    }

    /// How far, in steps, a number goes in an iteration for one game won more than lost.
    fn gain(&self, iteration: u32) -> f64 {
        let hold = STABILITY * f64::from(self.iterations);
        let ratio = (hold + f64::from(self.iterations)) / (hold + f64::from(iteration));
        self.rate * ratio.powf(ALPHA) / self.perturbation(iteration)
    }
}

/// The two versions of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// +1 where the first version has the number raised, -1 where it has it lowered.
    flips: Vec<i8>,
    /// The first version's numbers.
    pub first: Vec<i32>,
    /// The second version's.
    pub second: Vec<i32>,
}

/// Draws the versions of an iteration, counted from 1: the same seed, the same versions.
pub fn trial(
    knobs: &[Parameter],
    values: &[f64],
    gains: &Gains,
    seed: u64,
    iteration: u32,
) -> Trial {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(iteration));
    let width = gains.perturbation(iteration);
    let mut trial = Trial { flips: Vec::new(), first: Vec::new(), second: Vec::new() };
    for (knob, &value) in knobs.iter().zip(values) {
        let flip: i8 = if random.random::<bool>() { 1 } else { -1 };
        let away = f64::from(flip) * width * f64::from(knob.step);
        // One draw for both, so that rounding does not add to the distance.
        let rounding = random.random::<f64>();
        let whole = |value: f64| ((value + rounding).floor() as i32).clamp(knob.min, knob.max);
        trial.flips.push(flip);
        trial.first.push(whole(value + away));
        trial.second.push(whole(value - away));
    }
    trial
}

/// The numbers after an iteration in which the first version won so many games more than it lost.
pub fn update(
    knobs: &[Parameter],
    values: &mut [f64],
    trial: &Trial,
    gains: &Gains,
    iteration: u32,
    balance: i64,
) {
    let gain = gains.gain(iteration) * balance as f64;
    for ((knob, value), &flip) in knobs.iter().zip(values).zip(&trial.flips) {
        let moved = *value + f64::from(flip) * gain * f64::from(knob.step);
        *value = moved.clamp(f64::from(knob.min), f64::from(knob.max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(default: i32, step: i32) -> Parameter {
        Parameter { name: "x", default, min: 0, max: 200, step }
    }

    #[test]
    fn versions_lie_on_both_sides_and_follow_from_the_seed() {
        let knobs = [knob(100, 10), knob(50, 4)];
        let gains = Gains { iterations: 100, rate: 0.002 };
        let drawn = trial(&knobs, &[100.0, 50.0], &gains, 7, 100);
        assert_eq!(drawn, trial(&knobs, &[100.0, 50.0], &gains, 7, 100));
        for (index, knob) in knobs.iter().enumerate() {
            let apart = (drawn.first[index] - drawn.second[index]).abs();
            assert_eq!(apart, 2 * knob.step, "one step each way at the end");
        }
        let differs = |iteration| trial(&knobs, &[100.0, 50.0], &gains, 7, iteration).flips;
        assert!((1..20).any(|iteration| differs(iteration) != differs(iteration + 1)));
        let edge = trial(&knobs, &[200.0, 0.0], &gains, 7, 1);
        assert!(edge.first[0].max(edge.second[0]) == 200 && edge.first[1].min(edge.second[1]) == 0);
    }

    #[test]
    fn the_last_gain_is_the_rate() {
        let gains = Gains { iterations: 50, rate: 0.01 };
        assert!((gains.gain(50) - 0.01).abs() < 1e-12);
        assert!(gains.gain(1) > gains.gain(2));
    }

    /// Games whose result depends on the distance from an optimum lead to it.
    #[test]
    fn numbers_go_to_where_games_are_won() {
        let knobs = [knob(60, 8), knob(140, 8)];
        let best = [110.0, 90.0];
        let gains = Gains { iterations: 3000, rate: 0.05 };
        let mut values = [60.0, 140.0];
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for iteration in 1..=gains.iterations {
            let drawn = trial(&knobs, &values, &gains, 3, iteration);
            let loss = |version: &[i32]| -> f64 {
                version.iter().zip(best).map(|(&v, best)| (f64::from(v) - best).powi(2)).sum()
            };
            let edge = (loss(&drawn.second) - loss(&drawn.first)) / 4000.0;
            let balance = (0..8)
                .map(|_| if random.random::<f64>() < 0.5 + edge.clamp(-0.4, 0.4) { 1 } else { -1 })
                .sum();
            update(&knobs, &mut values, &drawn, &gains, iteration, balance);
        }
        for (value, best) in values.iter().zip(best) {
            assert!((value - best).abs() < 12.0, "{values:?}");
        }
    }
}
