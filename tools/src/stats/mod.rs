//! What match results say of strength: Elo, its error, and the sequential test.
//!
//! Games are counted in pairs (one opening, both colours), so that the opening's bias and the
//! correlation of the two games stay out of the error.

mod sprt;

pub use sprt::{EloModel, Sprt, SprtError, SprtState, Verdict};

use serde::{Deserialize, Serialize};

/// `800 / ln 10`: the Elo of one standard deviation of a single game, of normalised Elo.
const NORMALISED_UNIT: f64 = 347.435_585_522_601_47;

/// The two-sided 95 % point of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of single games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points in half points, exact.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points per game; one half without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        self.half_points() as f64 / (2 * self.games()) as f64
    }

    /// Counts one game by its half points: 0, 1 or 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The single games as a distribution.
    pub fn distribution(&self) -> Distribution<3> {
        Distribution::new([self.losses, self.draws, self.wins], 1)
    }
}

/// Pairs of games by their half points: `[0, 1, 2, 3, 4]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts one pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }

    /// Adds the pairs of another count.
    pub fn merge(&mut self, other: &Pentanomial) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// The same pairs seen by the opponent.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// The pairs as a distribution.
    pub fn distribution(&self) -> Distribution<5> {
        Distribution::new(self.0, 2)
    }
}

/// How often each of `N` evenly spaced scores from 0 to 1 was seen.
#[derive(Clone, Copy, Debug)]
pub struct Distribution<const N: usize> {
    counts: [u64; N],
    games_per_item: u32,
}

impl<const N: usize> Distribution<N> {
    /// A distribution whose items hold `games_per_item` games each.
    pub fn new(counts: [u64; N], games_per_item: u32) -> Distribution<N> {
        Distribution { counts, games_per_item }
    }

    /// Items counted (games or pairs).
    pub fn items(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score and the variance of one item; `None` without items.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let items = self.items();
        if items == 0 {
            return None;
        }
        let total = items as f64;
        let mean =
            self.counts.iter().enumerate().map(|(i, &c)| value::<N>(i) * c as f64).sum::<f64>()
                / total;
        let variance = self
            .counts
            .iter()
            .enumerate()
            .map(|(i, &c)| (value::<N>(i) - mean).powi(2) * c as f64)
            .sum::<f64>()
            / total;
        Some((mean, variance))
    }

    /// What the counts say of strength; `None` without items.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let items = self.items() as f64;
        let error = (variance / items).sqrt();
        let elo_error = (elo(mean + Z95 * error) - elo(mean - Z95 * error)) / 2.0;
        let per_game = (f64::from(self.games_per_item) * variance).sqrt();
        let games = items * f64::from(self.games_per_item);
        let normalised = match per_game > 0.0 {
            true => Some((mean - 0.5) / per_game * NORMALISED_UNIT),
            false => None,
        };
        let superiority = match error > 0.0 {
            true => normal_cdf((mean - 0.5) / error),
            false if mean == 0.5 => 0.5,
            false => f64::from(u8::from(mean > 0.5)),
        };
        Some(Estimate {
            score: mean,
            elo: elo(mean),
            elo_error,
            normalised_elo: normalised,
            normalised_error: Z95 * NORMALISED_UNIT / games.sqrt(),
            superiority,
        })
    }
}

/// The score of place `index` of `N`, from 0 to 1.
fn value<const N: usize>(index: usize) -> f64 {
    index as f64 / (N - 1) as f64
}

/// Strength as seen in a match, from the first engine's view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Points per game, 0 to 1.
    pub score: f64,
    /// Logistic Elo; infinite at 0 or 100 %.
    pub elo: f64,
    /// Half the width of its 95 % interval; infinite or NaN near 0 or 100 %.
    pub elo_error: f64,
    /// Normalised Elo (Van den Bergh): independent of the share of draws. `None` without variance.
    pub normalised_elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub normalised_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub superiority: f64,
}

/// The logistic Elo of an expected score; infinite outside of (0, 1).
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if score >= 1.0 {
        return f64::INFINITY;
    }
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score of a logistic Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function, by the series of Marsaglia (2004), "Evaluating the Normal
/// Distribution": exact to double precision.
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x.abs() > 8.0 {
        return f64::from(u8::from(x > 0.0));
    }
    let (mut sum, mut term, mut n) = (x, x, 1.0);
    while term.abs() > 1e-17 {
        n += 2.0;
        term *= x * x / n;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(measured: f64, expected: f64) {
        assert!((measured - expected).abs() <= 0.01 * expected.abs(), "{measured} for {expected}");
    }

    /// Win, draw and loss counts with the figures that fastchess's own tests publish for them.
    #[test]
    fn single_games_agree_with_published_figures() {
        let few = Wdl { wins: 76, losses: 89, draws: 123 }.distribution().estimate().unwrap();
        close(few.normalised_elo.unwrap(), -20.76);
        close(few.normalised_error, 40.13);
        close(few.superiority, 0.1553);
        let more = Wdl { wins: 136, losses: 96, draws: 111 }.distribution().estimate().unwrap();
        close(more.elo, 40.70);
        close(more.elo_error, 30.43);
        close(more.normalised_elo.unwrap(), 49.77);
        close(more.superiority, 0.9960);
    }

    /// Pair counts with the figures that fastchess's own tests publish for them.
    #[test]
    fn pairs_agree_with_published_figures() {
        let cases = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ];
        for (counts, elo, error, normalised, normalised_error) in cases {
            let estimate = Pentanomial(counts).distribution().estimate().unwrap();
            close(estimate.elo, elo);
            close(estimate.elo_error, error);
            close(estimate.normalised_elo.unwrap(), normalised);
            close(estimate.normalised_error, normalised_error);
        }
    }

    #[test]
    fn a_match_without_games_or_variance_says_nothing_wild() {
        assert_eq!(Pentanomial::default().distribution().estimate(), None);
        let level = Pentanomial([0, 0, 9, 0, 0]).distribution().estimate().unwrap();
        assert_eq!((level.elo, level.elo_error, level.superiority), (0.0, 0.0, 0.5));
        assert_eq!(level.normalised_elo, None);
        let swept = Pentanomial([0, 0, 0, 0, 9]).distribution().estimate().unwrap();
        assert_eq!((swept.elo, swept.superiority), (f64::INFINITY, 1.0));
    }

    #[test]
    fn elo_and_expected_score_are_inverse() {
        for difference in [-700.0, -35.0, 0.0, 1.5, 400.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9);
        }
        close(expected_score(400.0), 10.0 / 11.0);
    }

    #[test]
    fn the_normal_distribution_has_its_known_points() {
        for (x, p) in [(0.0, 0.5), (Z95, 0.975), (-1.0, 0.158_655_253_931_457), (20.0, 1.0)] {
            assert!((normal_cdf(x) - p).abs() < 1e-12, "{x}");
        }
    }
}
