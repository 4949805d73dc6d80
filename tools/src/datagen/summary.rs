//! What a file of training games holds.

use std::fmt;
use std::path::Path;

use ferz::board::Position;
use ferz::types::Move;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::format::{Fan, ScoredGame};
use crate::arena::referee::GameResult;
use crate::stats::Wdl;

/// Scores beyond this are not learnt from, in centipawns.
pub const FILTER_SCORE: u16 = 2000;
/// The width of a bar of the histogram, in centipawns.
const BAR: i16 = 50;
/// Bars on each side of zero.
const BARS: usize = 40;

/// Counts over games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games or fans.
    pub games: u64,
    /// Scored positions.
    pub plies: u64,
    /// Those to learn from: quiet ([`is_quiet_before`], [`is_settled`]), the score within ±2000.
    pub kept: u64,
    /// Results from White's view.
    pub white: Wdl,
    /// Scores within ±2000 from White's view, in bars of 50 centipawns from the lowest.
    pub histogram: Vec<u64>,
}

/// What a summary can count.
pub trait Counted {
    /// Counts it.
    fn count(&self, summary: &mut Summary);
}

impl Counted for ScoredGame {
    fn count(&self, summary: &mut Summary) {
        summary.add_result(self.result);
        let mut position = self.start;
        for &(mv, score) in &self.moves {
            summary.add_score(score, is_quiet_before(&position, mv));
            position.play(mv);
        }
    }
}

impl Counted for Fan {
    fn count(&self, summary: &mut Summary) {
        summary.add_result(self.result);
        for &(mv, score) in &self.moves {
            let mut position = self.root;
            position.play(mv);
            summary.add_score(score, is_settled(&position));
        }
    }
}

/// The usual filter for a position of a game: not in check, the move played neither capture nor
/// promotion.
pub fn is_quiet_before(position: &Position, mv: Move) -> bool {
    !mv.is_capture() && !mv.is_promotion() && !position.in_check()
}

/// The filter for a position whose best move nobody has looked for: not in check, and the side to
/// move has no capture or promotion that wins material.
pub fn is_settled(position: &Position) -> bool {
    let wins = |mv: &Move| mv.is_promotion() || mv.is_capture() && position.see(*mv, 1);
    !position.in_check() && !position.legal_moves().iter().any(wins)
}

impl Summary {
    /// Counts a game, or a fan as one.
    pub fn add(&mut self, record: &impl Counted) {
        record.count(self);
    }

    fn add_result(&mut self, result: GameResult) {
        self.histogram.resize(2 * BARS, 0);
        self.games += 1;
        self.white.add(result.white_half_points());
    }

    fn add_score(&mut self, score: i16, quiet: bool) {
        self.plies += 1;
        let small = score.unsigned_abs() <= FILTER_SCORE;
        self.kept += u64::from(small && quiet);
        if small {
            let bar = (i32::from(score) + i32::from(BAR) * BARS as i32) / i32::from(BAR);
            self.histogram[(bar as usize).min(2 * BARS - 1)] += 1;
        }
    }

    /// Adds the counts of another summary.
    pub fn merge(&mut self, other: &Summary) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
        self.white.wins += other.white.wins;
        self.white.draws += other.white.draws;
        self.white.losses += other.white.losses;
        self.histogram.resize(2 * BARS, 0);
        for (mine, theirs) in self.histogram.iter_mut().zip(&other.histogram) {
            *mine += theirs;
        }
    }

    /// Draws the histogram of scores.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (900, 400)).into_drawing_area();
        root.fill(&WHITE)?;
        let most = self.histogram.iter().copied().max().unwrap_or(0).max(1) as f64;
        let edge = f64::from(FILTER_SCORE);
        let mut chart = ChartBuilder::on(&root)
            .caption("scores from White's view, centipawns", ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(28)
            .y_label_area_size(64)
            .build_cartesian_2d(-edge..edge, 0.0..1.05 * most)?;
        chart.configure_mesh().light_line_style(WHITE).y_desc("plies").draw()?;
        chart.draw_series(self.histogram.iter().enumerate().map(|(bar, &count)| {
            let left = f64::from(BAR) * bar as f64 - edge;
            Rectangle::new([(left, 0.0), (left + f64::from(BAR), count as f64)], BLUE.filled())
        }))?;
        root.present()?;
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        write!(
            f,
            "{} games, {} plies, {} kept by the usual filter ({:.1} %), White wins {:.1} %, \
             draws {:.1} %, losses {:.1} %",
            self.games,
            self.plies,
            self.kept,
            share(self.kept, self.plies),
            share(self.white.wins, self.games),
            share(self.white.draws, self.games),
            share(self.white.losses, self.games),
        )
    }
}

#[cfg(test)]
mod tests {
    use ferz::board::Position;
    use ferz::notation::parse_uci;

    use super::*;
    use crate::arena::referee::GameResult;

    #[test]
    fn plies_are_counted_and_filtered() {
        let start = Position::startpos();
        let mut position = start;
        let moves = ["e2e4", "f7f5", "d1h5", "g7g6", "h5g6", "h7g6", "f1d3"];
        let scores = [30, 2001, -2000, 0, 50, -51, 1999];
        let moves = moves.iter().zip(scores).map(|(text, score)| {
            let mv = parse_uci(&position, text).unwrap();
            position.play(mv);
            (mv, score)
        });
        let game = ScoredGame { start, result: GameResult::White, moves: moves.collect() };
        let mut summary = Summary::default();
        summary.add(&game);
        // Left out: a score beyond the limit, a reply to check, two captures.
        assert_eq!((summary.plies, summary.kept), (7, 3));
        assert_eq!(summary.histogram.iter().sum::<u64>(), 6);
        assert_eq!((summary.histogram[0], summary.histogram[2 * BARS - 1]), (1, 1));
        let mut twice = summary.clone();
        twice.merge(&summary);
        assert_eq!((twice.games, twice.plies, twice.white.wins), (2, 14, 2));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.svg");
        twice.draw(&path).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().contains("scores from White"));
    }

    #[test]
    fn settled_means_nothing_to_win_and_no_check() {
        for (fen, settled) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false),
            ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", false),
            ("5k2/8/2p5/3p4/4R3/8/8/4K3 w - - 0 1", true),
            ("5k2/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", true),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", false),
        ] {
            assert_eq!(is_settled(&Position::from_fen(fen).expect(fen)), settled, "{fen}");
        }
    }

    #[test]
    fn every_move_of_a_fan_is_a_position() {
        let root = Position::from_fen("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1").unwrap();
        let moves = ["c3d5", "c3e4", "c3b1", "c3a2"];
        let moves = moves.iter().map(|text| (parse_uci(&root, text).unwrap(), 300)).collect();
        let mut summary = Summary::default();
        summary.add(&Fan { root, result: GameResult::White, moves });
        // Left out: the knight on e4, which the pawn takes.
        assert_eq!((summary.games, summary.plies, summary.kept), (1, 4, 3));
    }
}
