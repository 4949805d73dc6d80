//! What a test position asks for, and whether an answer meets it.

use crate::notation::epd::{EpdError, Record};
use crate::notation::parse_san;
use crate::search::{Bound, SearchInfo};
use crate::types::Move;
use crate::types::score::mate_moves;

/// What a record asks for.
#[derive(Clone, Default, Debug)]
pub struct Goal {
    best: Vec<Move>,
    avoid: Vec<Move>,
    /// Mate in so many moves; negative where the side to move is mated.
    mate: Option<i64>,
    /// Moves with points, of suites that give some.
    points: Vec<(Move, u32)>,
}

/// How an answer meets a goal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Verdict {
    /// The move is right; for mates, a mate for the right side was announced.
    pub solved: bool,
    /// The points of the move, and the most that were to be had; 0 without points.
    pub points: u32,
    /// The most points of any move.
    pub points_possible: u32,
    /// A mate of the length asked for, or a shorter one, was announced.
    pub best_mate: bool,
    /// A mate was announced with a line that does not end in mate after so many moves.
    pub false_mate: bool,
}

/// Why a record is of no use as a test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoalError {
    /// An operation cannot be read.
    #[error(transparent)]
    Operation(#[from] EpdError),
    /// Neither `bm` nor `am` nor `dm` is there.
    #[error("EPD: the record has neither bm nor am nor dm")]
    Missing,
    /// The game is over in the position.
    #[error("EPD: the position has no legal move")]
    NoMove,
}

impl Goal {
    /// The goal of a record.
    ///
    /// # Errors
    /// If the record has none, or one that cannot be read.
    pub fn of(record: &Record) -> Result<Goal, GoalError> {
        let goal = Goal {
            best: record.moves("bm")?,
            avoid: record.moves("am")?,
            mate: record.number("dm")?,
            points: points(record),
        };
        if goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none() {
            return Err(GoalError::Missing);
        }
        if !record.position.has_legal_move() {
            return Err(GoalError::NoMove);
        }
        Ok(goal)
    }

    /// Judges the move played and the last line of the search.
    pub fn judge(&self, record: &Record, best: Option<Move>, info: &SearchInfo) -> Verdict {
        let announced = mate_moves(info.line.score).map(i64::from);
        let exact = announced.filter(|_| info.line.bound == Bound::Exact);
        let right = best.is_some_and(|mv| {
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
        });
        let (found, fastest) = match (self.mate, announced) {
            (None, _) => (true, false),
            (Some(_), None) => (false, false),
            (Some(wanted), Some(moves)) => {
                let same_side = (wanted > 0) == (moves > 0);
                (same_side, same_side && moves.abs() <= wanted.abs())
            }
        };
        Verdict {
            solved: right && found,
            points: best.map_or(0, |mv| {
                self.points.iter().find(|(other, _)| *other == mv).map_or(0, |(_, points)| *points)
            }),
            points_possible: self.points.iter().map(|(_, points)| *points).max().unwrap_or(0),
            best_mate: fastest,
            false_mate: exact.is_some_and(|moves| !mates(record, info, moves)),
        }
    }

    /// Whether the goal is a mate.
    pub fn is_mate(&self) -> bool {
        self.mate.is_some()
    }
}

/// The moves with points in a comment `c0`, written `Nf3=10, d4=3`; nothing if it is anything else.
fn points(record: &Record) -> Vec<(Move, u32)> {
    let Some(comment) = record.text("c0") else { return Vec::new() };
    let entry = |text: &str| {
        // A promotion has an equals sign of its own.
        let (mv, points) = text.trim().rsplit_once('=')?;
        Some((parse_san(&record.position, mv).ok()?, points.parse().ok()?))
    };
    comment.split(',').map(entry).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Whether the line is as long as the mate it announces and ends in mate.
fn mates(record: &Record, info: &SearchInfo, moves: i64) -> bool {
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let mut position = record.position;
    for &mv in &info.line.pv {
        if !position.is_legal(mv) {
            return false;
        }
        position.play(mv);
    }
    info.line.pv.len() as i64 == plies && position.is_checkmate()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::notation::epd::parse;
    use crate::search::Line;
    use crate::types::Score;
    use crate::types::score::{mate_in, mated_in};
    use pretty_assertions::assert_eq;

    fn info(score: Score, pv: Vec<Move>) -> SearchInfo {
        SearchInfo {
            depth: 1,
            sel_depth: 1,
            nodes: 1,
            table_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            line: Line { multi_pv: 1, score, bound: Bound::Exact, pv },
        }
    }

    fn judge(line: &str, score: Score, pv: &[&str]) -> Verdict {
        let record = parse(line).expect(line);
        let mut position = record.position;
        let mut moves = Vec::new();
        for text in pv {
            moves.push(parse_san(&position, text).expect(text));
            position.play(moves[moves.len() - 1]);
        }
        let best = moves.first().copied();
        Goal::of(&record).expect(line).judge(&record, best, &info(score, moves))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn best_and_avoided_moves() {
        let solved = |goal: &str, mv: &str| judge(&format!("{START} {goal};"), 0, &[mv]).solved;
        assert!(solved("bm e4 d4", "d4"));
        assert!(!solved("bm e4 d4", "c4"));
        assert!(solved("am e4", "c4"));
        assert!(!solved("am e4", "e4"));
        assert!(!solved("bm e4; am e4", "e4"));
    }

    #[test]
    fn points_of_scored_suites() {
        let line = format!("{START} bm e4; c0 \"e4=10, Nf3=7\";");
        let verdict = judge(&line, 0, &["Nf3"]);
        assert_eq!((verdict.solved, verdict.points, verdict.points_possible), (false, 7, 10));
        assert_eq!(judge(&line, 0, &["a3"]).points, 0);
        let free = judge(&format!("{START} bm e4; c0 \"best = by test, surely\";"), 0, &["e4"]);
        assert_eq!((free.solved, free.points_possible), (true, 0));
    }

    #[test]
    fn mates_by_length_and_line() {
        let mate = |dm: &str, score, pv: &[&str]| {
            judge(&format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm {dm};"), score, pv)
        };
        let found = mate("1", mate_in(1), &["Ra8"]);
        assert!(found.solved && found.best_mate && !found.false_mate);
        let slow = mate("1", mate_in(3), &["Ra7", "h6", "Ra8"]);
        assert!(slow.solved && !slow.best_mate && slow.false_mate);
        assert!(!mate("1", 900, &["Ra7"]).solved);
        assert!(!mate("-1", mate_in(1), &["Ra8"]).solved);
        let suffered = "7k/5Q2/6K1/8/8/8/8/8 b - - dm -1;";
        assert_eq!(Goal::of(&parse(suffered).expect(suffered)).err(), Some(GoalError::NoMove));
        let suffered = "7k/8/5QK1/8/8/8/8/8 b - - dm -1;";
        let verdict = judge(suffered, mated_in(2), &["Kg8", "Qd8"]);
        assert!(verdict.solved && verdict.best_mate && !verdict.false_mate);
    }

    #[test]
    fn records_without_a_goal_are_named() {
        let error = |line: &str| Goal::of(&parse(line).expect(line)).expect_err(line);
        assert_eq!(error(&format!("{START} id \"x\";")), GoalError::Missing);
        assert!(matches!(error(&format!("{START} bm Ke4;")), GoalError::Operation(_)));
        assert!(matches!(error(&format!("{START} dm soon;")), GoalError::Operation(_)));
    }
}
