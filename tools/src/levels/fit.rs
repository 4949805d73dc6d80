//! From match results to ratings, and from ratings to a scale that keeps its word.

use std::collections::BTreeMap;
use std::fmt::Write;

use ferz::search::Level;
use thiserror::Error;

use super::journal::{Opponent, Record};
use crate::stats::{Pentanomial, elo};

/// Why results say nothing of the scale.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FitError {
    /// Nothing ties the levels to the anchor engine.
    #[error("no match against the anchor engine")]
    NoAnchor,
    /// Two levels next to each other have never met.
    #[error("no match between the levels {0} and {1}")]
    Gap(u32, u32),
    /// There are fewer than two levels.
    #[error("no matches between levels")]
    NoLevels,
}

/// How strong a level is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// What the scale calls it.
    pub elo: u32,
    /// What the matches say, in Elo of the anchor engine.
    pub rating: f64,
}

/// The Elo difference of a match, with half a pair more to each side so that it is never infinite.
fn difference(pairs: &Pentanomial) -> f64 {
    let points: f64 = (0u8..5).zip(pairs.0).map(|(points, n)| f64::from(points) * n as f64).sum();
    elo((points / 4.0 + 0.5) / (pairs.pairs() as f64 + 1.0))
}

/// All matches of the same two players in one.
fn merged(records: &[Record]) -> Vec<Record> {
    let mut sums: Vec<Record> = Vec::new();
    for record in records {
        let same = |sum: &&mut Record| (sum.elo, sum.opponent) == (record.elo, record.opponent);
        match sums.iter_mut().find(same) {
            Some(sum) => sum.pairs.merge(&record.pairs),
            None => sums.push(*record),
        }
    }
    sums
}

/// A broken line through points that ascend, level beyond its ends.
fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let above = points.partition_point(|point| point.0 < x);
    let (low, high) = (points[above.saturating_sub(1)], points[above.min(points.len() - 1)]);
    match high.0 > low.0 {
        true => low.1 + (high.1 - low.1) * (x - low.0) / (high.0 - low.0),
        false => low.1,
    }
}

/// The rating of every level that has played: the chain of matches between neighbours gives the
/// distances, the matches against the anchor engine bend it to where it belongs.
///
/// # Errors
/// If the chain has a gap or no anchor.
pub fn rate(records: &[Record]) -> Result<Vec<Rating>, FitError> {
    let records = merged(records);
    let mut links = BTreeMap::new();
    for record in &records {
        if let Opponent::Level(other) = record.opponent {
            links.insert((other, record.elo), difference(&record.pairs));
        }
    }
    let mut levels: Vec<u32> = links.keys().flat_map(|&(low, high)| [low, high]).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut chain = vec![(f64::from(*levels.first().ok_or(FitError::NoLevels)?), 0.0)];
    for pair in levels.windows(2) {
        let step = links.get(&(pair[0], pair[1])).ok_or(FitError::Gap(pair[0], pair[1]))?;
        let before = chain[chain.len() - 1].1;
        // A step down is noise: the scale must ascend.
        chain.push((f64::from(pair[1]), before + step.max(1.0)));
    }
    let mut shifts: Vec<(f64, f64)> = records
        .iter()
        .filter_map(|record| match record.opponent {
            Opponent::Anchor(anchor) => {
                let rating = f64::from(anchor) + difference(&record.pairs);
                let level = f64::from(record.elo);
                Some((level, rating - interpolate(&chain, level)))
            }
            Opponent::Level(_) => None,
        })
        .collect();
    if shifts.is_empty() {
        return Err(FitError::NoAnchor);
    }
    shifts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rated = |(level, height)| height + interpolate(&shifts, level);
    Ok(chain.iter().map(|&point| Rating { elo: point.0 as u32, rating: rated(point) }).collect())
}

/// The scale with every level moved to where it was measured. Beyond the levels measured it keeps
/// the distance of the last one; the top stays, since it is full strength.
pub fn place(scale: &[Level], ratings: &[Rating]) -> Vec<Level> {
    let points: Vec<(f64, f64)> =
        ratings.iter().map(|rating| (rating.rating, f64::from(rating.elo))).collect();
    let (first, last) = (points[0], points[points.len() - 1]);
    let settings_of = |wanted: f64| {
        let beyond = (wanted - first.0).min(0.0) + (wanted - last.0).max(0.0);
        (interpolate(&points, wanted) + beyond).round().max(0.0) as u32
    };
    let top = scale.len() - 1;
    let moved = |(index, row): (usize, &Level)| match index == top {
        true => *row,
        false => {
            let settings = Level::on(scale, settings_of(f64::from(row.elo)));
            Level { elo: row.elo, ..settings }
        }
    };
    scale.iter().enumerate().map(moved).collect()
}

/// The rows of a scale as the engine's source has them.
pub fn rows(scale: &[Level]) -> String {
    let mut text = String::new();
    for level in scale {
        let Level { elo, nodes, horizon, man_error, position_error } = level;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "    level({elo:>4}, {nodes:>9}, {horizon:>4}, {man_error:>3}, {position_error:>3}),"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(elo: u32, opponent: Opponent, pairs: [u64; 5]) -> Record {
        Record { elo, opponent, pairs: Pentanomial(pairs) }
    }

    /// 1000 and 1100 differ by about 100, and 1100 is about as strong as the anchor's 1300.
    fn records() -> Vec<Record> {
        vec![
            record(1100, Opponent::Level(1000), [0, 0, 56, 0, 44]),
            record(1200, Opponent::Level(1100), [0, 0, 56, 0, 44]),
            record(1100, Opponent::Anchor(1300), [0, 20, 60, 20, 0]),
        ]
    }

    #[test]
    fn a_chain_hangs_on_its_anchor() {
        let ratings = rate(&records()).unwrap();
        let wanted = [(1000, 1165.0), (1100, 1300.0), (1200, 1435.0)];
        for (rating, (elo, wanted)) in ratings.iter().zip(wanted) {
            assert_eq!(rating.elo, elo);
            assert!((rating.rating - wanted).abs() < 30.0, "{rating:?}");
        }
    }

    #[test]
    fn split_matches_count_as_one() {
        let mut split = records();
        split[0].pairs = Pentanomial([0, 0, 56, 0, 0]);
        split.push(record(1100, Opponent::Level(1000), [0, 0, 0, 0, 44]));
        assert_eq!(rate(&split), rate(&records()));
    }

    #[test]
    fn results_that_say_nothing_are_refused() {
        let all = records();
        assert_eq!(rate(&all[..2]), Err(FitError::NoAnchor));
        assert_eq!(rate(&all[2..]), Err(FitError::NoLevels));
        let gap = [record(1000, Opponent::Level(900), [1; 5]), all[1], all[2]];
        assert_eq!(rate(&gap), Err(FitError::Gap(1000, 1100)));
    }

    #[test]
    fn a_scale_that_was_too_strong_becomes_weaker() {
        let scale = Level::scale();
        let rating = |elo, rating| Rating { elo, rating };
        let placed = place(scale, &[rating(1100, 1250.0), rating(1400, 1500.0)]);
        assert_eq!(placed[0].elo, scale[0].elo);
        assert_eq!(placed[placed.len() - 1], scale[scale.len() - 1]);
        for (old, new) in scale.iter().zip(&placed).take(3) {
            assert!(new.nodes <= old.nodes && new.position_error >= old.position_error);
        }
        assert_eq!(rows(&placed).lines().count(), scale.len());
    }
}
