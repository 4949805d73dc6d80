//! The sequential probability ratio test on pairs of games.
//!
//! The generalised test of Van den Bergh ("Comments on normalized Elo", 2020): both hypotheses are
//! taken at their most likely distribution over the five pair scores, and the log of the ratio of
//! the two likelihoods is followed until it leaves Wald's bounds.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{NORMALISED_UNIT, Pentanomial, expected_score, value};

/// What stands in for a pair score never seen yet, so that every likelihood is finite.
const UNSEEN: f64 = 1e-3;

/// The scale in which the bounds of a test are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The usual Elo: a fixed expected score.
    #[default]
    Logistic,
    /// Normalised Elo: a fixed expected score in standard deviations of one game.
    Normalised,
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative, above `elo0`.
    pub elo1: f64,
    /// The probability to accept `elo1` when `elo0` is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability to accept `elo0` when `elo1` is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The scale of both differences.
    #[serde(default)]
    pub model: EloModel,
}

fn five_percent() -> f64 {
    0.05
}

/// Why a test cannot be run.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("sprt: elo0 ({0}) must be less than elo1 ({1})")]
    Order(f64, f64),
    /// An error probability is out of range.
    #[error("sprt: {0} ({1}) must lie between 0 and 0.5")]
    Probability(&'static str, f64),
    /// A difference is not a number that a match can show.
    #[error("sprt: {0} ({1}) must lie between -1000 and 1000")]
    Range(&'static str, f64),
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Not decided.
    Open,
    /// The null hypothesis, `elo0`, is accepted.
    H0,
    /// The alternative, `elo1`, is accepted.
    H1,
}

/// The log-likelihood ratio with the bounds it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below it `elo0` is accepted.
    pub lower: f64,
    /// At or above it `elo1` is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
}

impl Sprt {
    /// A logistic test with both error probabilities at 5 %.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }

    /// Checks the values.
    ///
    /// # Errors
    /// If the hypotheses are not in order or a value is out of range.
    pub fn validate(&self) -> Result<(), SprtError> {
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if !(-1000.0..=1000.0).contains(&elo) {
                return Err(SprtError::Range(name, elo));
            }
        }
        for (name, p) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(p > 0.0 && p < 0.5) {
                return Err(SprtError::Probability(name, p));
            }
        }
        match self.elo0 < self.elo1 {
            true => Ok(()),
            false => Err(SprtError::Order(self.elo0, self.elo1)),
        }
    }

    /// Wald's bounds on the log-likelihood ratio: lower, upper.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Where the test stands after these pairs.
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let llr = self.llr(&pairs.0, 2);
        let (lower, upper) = self.bounds();
        let verdict = match llr {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Open,
        };
        SprtState { llr, lower, upper, verdict }
    }

    /// The log-likelihood ratio of items of `games_per_item` games each; 0 without items.
    fn llr<const N: usize>(&self, counts: &[u64; N], games_per_item: u32) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let weights = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weights.iter().sum();
        let seen = weights.map(|weight| weight / total);
        let likely = |elo: f64| match self.model {
            EloModel::Logistic => most_likely_with_mean(&seen, expected_score(elo)),
            EloModel::Normalised => {
                let per_item = f64::from(games_per_item).sqrt() * elo / NORMALISED_UNIT;
                most_likely_with_ratio(&seen, per_item)
            }
        };
        let (null, alternative) = (likely(self.elo0), likely(self.elo1));
        total * (0..N).map(|i| seen[i] * (alternative[i] / null[i]).ln()).sum::<f64>()
    }
}

/// The distribution with mean score `mean` under which `seen` is most likely.
fn most_likely_with_mean<const N: usize>(seen: &[f64; N], mean: f64) -> [f64; N] {
    most_likely(seen, &std::array::from_fn(|i| value::<N>(i) - mean))
}

/// The distribution whose mean lies `ratio` standard deviations above one half under which `seen`
/// is most likely: the condition is made linear around the last solution until it stands still.
fn most_likely_with_ratio<const N: usize>(seen: &[f64; N], ratio: f64) -> [f64; N] {
    let mut likely = [1.0 / N as f64; N];
    for _ in 0..50 {
        let mean: f64 = (0..N).map(|i| likely[i] * value::<N>(i)).sum();
        let variance: f64 = (0..N).map(|i| likely[i] * (value::<N>(i) - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let scores = std::array::from_fn(|i| {
            let distance = (value::<N>(i) - mean) / deviation;
            value::<N>(i) - 0.5 - ratio * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = most_likely(seen, &scores);
        let moved = (0..N).map(|i| (next[i] - likely[i]).abs()).fold(0.0, f64::max);
        likely = next;
        if moved < 1e-9 {
            break;
        }
    }
    likely
}

/// The distribution that gives `scores` the mean 0 under which `seen` is most likely
/// (Owen 2001, "Empirical Likelihood": `p = seen / (1 + λ score)`, with λ found by bisection).
fn most_likely<const N: usize>(seen: &[f64; N], scores: &[f64; N]) -> [f64; N] {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mean_at = |lambda: f64| -> f64 {
        seen.iter().zip(scores).map(|(p, a)| p * a / (1.0 + lambda * a)).sum()
    };
    while high - low > 1e-12 * (1.0 + high.abs().max(low.abs())) {
        let middle = (low + high) / 2.0;
        match mean_at(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let lambda = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + lambda * scores[i]))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rayon::prelude::*;

    use super::*;

    fn close(measured: f64, expected: f64) {
        let slack = 0.01 * (1.0 + expected.abs());
        assert!((measured - expected).abs() <= slack, "{measured} for {expected}");
    }

    fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { model, ..Sprt::new(elo0, elo1) }
    }

    /// Counts and ratios that fastchess's own tests publish.
    #[test]
    fn pairs_agree_with_published_ratios() {
        let (logistic, normalised) = (EloModel::Logistic, EloModel::Normalised);
        let cases = [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, normalised, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, normalised, 3.01),
            ([0, 0, 0, 0, 5550], 0.0, 5.0, normalised, 111.82),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, logistic, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, logistic, -4.98),
        ];
        for (counts, elo0, elo1, model, llr) in cases {
            close(test(elo0, elo1, model).state(&Pentanomial(counts)).llr, llr);
        }
    }

    /// The same for single games: losses, draws, wins.
    #[test]
    fn single_games_agree_with_published_ratios() {
        let (logistic, normalised) = (EloModel::Logistic, EloModel::Normalised);
        let cases = [
            ([36027, 68692, 36433], 0.0, 2.0, normalised, 0.92),
            ([10650, 20431, 10871], -1.75, 0.25, normalised, 2.30),
            ([0, 0, 4250], 0.0, 10.0, normalised, 120.56),
            ([21184, 40708, 21404], 0.5, 2.5, logistic, -1.57),
            ([57030, 106_593, 57433], 0.0, 2.0, logistic, -2.59),
        ];
        for (counts, elo0, elo1, model, llr) in cases {
            close(test(elo0, elo1, model).llr(&counts, 1), llr);
        }
    }

    #[test]
    fn bounds_and_errors_are_told() {
        let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
        close(lower, -2.944);
        close(upper, 2.944);
        assert_eq!(Sprt::new(5.0, 5.0).validate(), Err(SprtError::Order(5.0, 5.0)));
        let certain = Sprt { alpha: 0.0, ..Sprt::new(0.0, 5.0) };
        assert_eq!(certain.validate(), Err(SprtError::Probability("alpha", 0.0)));
        let wild = Sprt { elo1: f64::NAN, ..Sprt::new(0.0, 5.0) };
        assert!(matches!(wild.validate(), Err(SprtError::Range("elo1", _))));
        assert_eq!(Sprt::new(0.0, 5.0).state(&Pentanomial::default()).verdict, Verdict::Open);
    }

    /// Pair probabilities with the ratio or the mean that `elo` asks for, near a typical shape.
    fn shape(elo: f64, model: EloModel) -> [f64; 5] {
        let typical = [0.03, 0.20, 0.50, 0.23, 0.04];
        match model {
            EloModel::Logistic => most_likely_with_mean(&typical, expected_score(elo)),
            EloModel::Normalised => {
                most_likely_with_ratio(&typical, 2f64.sqrt() * elo / NORMALISED_UNIT)
            }
        }
    }

    /// The share of 2,000 tests, played on pairs of the true difference `elo`, that end in `wrong`.
    fn share(sprt: Sprt, elo: f64, wrong: Verdict) -> f64 {
        let odds = shape(elo, sprt.model);
        let failures = (0..2000u64)
            .into_par_iter()
            .filter(|&seed| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let mut pairs = Pentanomial::default();
                loop {
                    let mut draw: f64 = rng.random();
                    let mut place = 0;
                    while place < 4 && draw >= odds[place] {
                        draw -= odds[place];
                        place += 1;
                    }
                    pairs.add(place as u8);
                    match sprt.state(&pairs).verdict {
                        Verdict::Open => {}
                        verdict => return verdict == wrong,
                    }
                }
            })
            .count();
        failures as f64 / 2000.0
    }

    /// Both error probabilities stay within 5 % and the three standard deviations that 2,000
    /// tests leave open.
    #[test]
    fn two_thousand_tests_keep_their_error_bounds() {
        let slack = 3.0 * (0.05f64 * 0.95 / 2000.0).sqrt();
        for (elo1, model) in [(30.0, EloModel::Logistic), (50.0, EloModel::Normalised)] {
            let sprt = test(0.0, elo1, model);
            let first = share(sprt, sprt.elo0, Verdict::H1);
            let second = share(sprt, sprt.elo1, Verdict::H0);
            println!("{model:?}: type I {first}, type II {second}");
            for error in [first, second] {
                assert!(error <= 0.05 + slack, "{model:?}: {error}");
                assert!(error > 0.01, "{model:?}: {error} says that the test is not sharp");
            }
        }
    }
}
