//! What a search tells while it runs and when it ends.

use std::time::Duration;

use crate::types::{Depth, Move, Score};

/// What a score says of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

/// One line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its rank among the best lines, from 1.
    pub multi_pv: usize,
    /// From the view of the side to move; see `types::score`.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The moves, best play for both; empty when the root has none.
    pub pv: Vec<Move>,
}

/// How far a search has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The longest line looked at, in plies.
    pub sel_depth: usize,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Answers from the endgame tables.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// The line.
    pub line: Line,
}

/// A message from a running search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Report {
    /// A line with its score.
    Info(SearchInfo),
    /// The root move that is looked at now.
    CurrentMove {
        /// The iteration.
        depth: Depth,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; `None` if there is no legal one, or none of those asked for.
    pub best: Option<Move>,
    /// The reply to expect, legal after the move to play.
    pub ponder: Option<Move>,
    /// The last line reported, whose first move is the best move.
    pub info: SearchInfo,
}
