//! Between the search and its listener: lines are cut where the game would be over, and the best
//! move always heads the last exact line.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Event, Sink};
use crate::board::Board;
use crate::search::{Bound, Line, Outcome, Report, SearchInfo};
use crate::types::score::{DRAW, mated_in};
use crate::types::{Depth, Move, Score};

/// Iterations up to this depth are always passed on.
const SPARSE_FROM: Depth = 20;

/// The least time between two later ones: a mate in one has hundreds within a few ms.
const LEAST_INTERVAL: Duration = Duration::from_millis(20);

/// Passes on what one search reports and remembers its first line.
pub(super) struct Reporter<'a> {
    board: &'a Board,
    sink: &'a Sink,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    last: Option<SearchInfo>,
    exact: Option<SearchInfo>,
    /// When an iteration was last passed on.
    passed: Option<Instant>,
    /// Whether the present iteration is kept back.
    keeping: bool,
    /// The lines of the last iteration that was kept back, unless a later one was passed on.
    held: Vec<SearchInfo>,
}

impl Reporter<'_> {
    pub(super) fn new<'a>(board: &'a Board, sink: &'a Sink) -> Reporter<'a> {
        Reporter { board, sink, seen: Mutex::default() }
    }

    /// Takes one report of the search.
    pub(super) fn take(&self, report: Report) {
        match report {
            Report::Info(mut info) => {
                info.line.pv = playable(self.board, &info.line.pv);
                if self.passes(&info) {
                    (self.sink)(Event::Info(info));
                }
            }
            Report::CurrentMove { depth, mv, number } => {
                (self.sink)(Event::CurrentMove { depth, mv, number });
            }
        }
    }

    /// A best move that comes from elsewhere than a search, and no answer to it.
    pub(super) fn finish_with(&self, best: Move) -> (Option<Move>, Option<Move>) {
        self.take(Report::Info(single_move(best)));
        (Some(best), None)
    }

    /// The best move and the answer to it, after a line that it heads.
    /// After a search that failed there is no outcome: what it told so far must serve.
    pub(super) fn finish(&self, outcome: Option<&Outcome>) -> (Option<Move>, Option<Move>) {
        self.flush();
        let best = outcome.and_then(|outcome| outcome.best).filter(|&mv| self.board.is_legal(mv));
        let best = best.or_else(|| self.head());
        let best = best.or_else(|| self.board.legal_moves().first().copied());
        let Some(best) = best else { return (None, None) };
        if self.head() != Some(best) {
            self.take(Report::Info(single_move(best)));
            self.flush();
        }
        let next = self.board.after(best);
        let answer = self.second().or_else(|| outcome?.ponder).filter(|&mv| next.is_legal(mv));
        (Some(best), answer)
    }

    /// Remembers a line and says whether it is to be passed on now or kept for the end.
    fn passes(&self, info: &SearchInfo) -> bool {
        let mut seen = self.lock();
        let exact = info.line.bound == Bound::Exact;
        if info.line.multi_pv == 1 {
            if exact {
                seen.exact = Some(info.clone());
            }
            seen.last = Some(info.clone());
        }
        if info.depth <= SPARSE_FROM {
            return true;
        }
        // The later lines of an iteration go the way of its first one.
        if info.line.multi_pv == 1 {
            seen.keeping = seen.passed.is_some_and(|passed| passed.elapsed() < LEAST_INTERVAL);
            if !seen.keeping {
                seen.passed = Some(Instant::now());
            }
            if exact {
                seen.held.clear();
            }
        }
        if seen.keeping && exact {
            seen.held.push(info.clone());
        }
        !seen.keeping
    }

    /// Passes on what was kept back.
    fn flush(&self) {
        let held = std::mem::take(&mut self.lock().held);
        held.into_iter().for_each(|info| (self.sink)(Event::Info(info)));
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A move of the line that counts: the last exact one, or the last.
    fn of_line(&self, index: usize) -> Option<Move> {
        let seen = self.lock();
        seen.exact.as_ref().or(seen.last.as_ref())?.line.pv.get(index).copied()
    }

    fn head(&self) -> Option<Move> {
        self.of_line(0)
    }

    fn second(&self) -> Option<Move> {
        self.of_line(1)
    }
}

/// A line of nothing but this move, for a search that ended before it had one.
fn single_move(best: Move) -> SearchInfo {
    line_of(1, DRAW, vec![best])
}

/// What is said of a position without a legal move: mate or stalemate.
pub(super) fn terminal_info(board: &Board) -> SearchInfo {
    line_of(0, if board.in_check() { mated_in(0) } else { DRAW }, Vec::new())
}

fn line_of(depth: Depth, score: Score, pv: Vec<Move>) -> SearchInfo {
    SearchInfo {
        depth,
        sel_depth: pv.len(),
        nodes: pv.len() as u64,
        table_hits: 0,
        time: Duration::ZERO,
        hashfull: 0,
        line: Line { multi_pv: 1, score, bound: Bound::Exact, pv },
    }
}

/// The part of a line that can be played: to the first move that is not legal, to mate, stalemate,
/// the third occurrence of a position, or the fifty-move limit.
fn playable(board: &Board, line: &[Move]) -> Vec<Move> {
    let mut board = board.clone();
    let mut played = Vec::with_capacity(line.len());
    for &mv in line {
        if !board.is_legal(mv) {
            break;
        }
        board.play(mv);
        played.push(mv);
        if board.repetitions() >= 2 || board.halfmove_clock() >= 100 {
            break;
        }
    }
    played
}
