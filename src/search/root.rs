//! The root: iterations, aspiration windows, the best lines, and when to be content with them.

use super::mate_line;
use super::negamax::Pv;
use super::report::{Bound, Line, Report, SearchInfo};
use super::tables;
use super::thread::Thread;
use crate::types::score::{DRAW, INFINITE, MAX_PLY, NO_SCORE, is_decisive, is_mate, mate_moves};
use crate::types::{Depth, Move, Score};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration; minus infinity if it did not raise alpha.
    pub score: Score,
    /// Its score in the iteration before.
    pub previous: Score,
    pub bound: Bound,
    pub sel_depth: usize,
    pub pv: Vec<Move>,
    /// Nodes spent on it in this search.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Upper,
            sel_depth: 0,
            pv: vec![mv],
            nodes: 0,
        }
    }
}

/// Who is told of the search's progress.
pub(super) type Listener<'a> = &'a (dyn Fn(Report) + Sync);

/// The greatest depth of an iteration.
pub(super) const MAX_DEPTH: Depth = MAX_PLY as Depth - 1;

/// Root moves are announced one by one only after a search has lasted this long.
const CURRENT_MOVE_DELAY: std::time::Duration = std::time::Duration::from_secs(1);

/// How the best move has fared over the iterations: what the time management looks at.
#[derive(Default)]
struct Course {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable: u32,
    /// The best score of the iteration before.
    score: Option<Score>,
}

impl Thread<'_> {
    /// Searches deeper and deeper until something ends it. The root moves end up sorted, best
    /// first; what has been reported last is returned.
    pub(super) fn iterate(&mut self, listener: Listener) -> Option<SearchInfo> {
        let limits = self.shared.limits;
        let horizon = match self.shared.options.weakness {
            Some(weakness) if !self.faces_bare_king => weakness.plies(self.board.key()),
            _ => MAX_DEPTH,
        };
        let last_depth = limits.depth.map_or(horizon, |depth| depth.min(horizon));
        let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let mut course = Course::default();
        let mut reported = None;
        for depth in 1..=last_depth {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            let safe = self.root_moves.clone();
            for settled in 0..lines {
                self.settled = settled;
                self.sel_depth = 0;
                self.search_window(depth, listener);
                if self.stopped {
                    break;
                }
                self.root_moves[..=settled].sort_by_key(|root_move| -root_move.score);
            }
            if self.stopped {
                self.settle_unfinished(safe);
                break;
            }
            self.completed_depth = depth;
            if self.index == 0 {
                let best = self.info(0, depth);
                listener(Report::Info(best.clone()));
                for rank in 1..lines {
                    listener(Report::Info(self.info(rank, depth)));
                }
                let content = self.is_content(&best.line, &mut course);
                reported = Some(best);
                if content {
                    break;
                }
            }
        }
        reported
    }

    /// An iteration was cut short: keeps its best move if that has a score, else goes back to the
    /// iteration before.
    fn settle_unfinished(&mut self, before: Vec<RootMove>) {
        let first = &self.root_moves[0];
        let usable = self.settled == 0
            && self.completed_depth > 0
            && first.score > -INFINITE
            && first.bound != Bound::Upper
            && !is_decisive(first.score);
        if !usable {
            self.root_moves = before;
        }
    }

    /// Searches the root with windows around the score expected until one holds it.
    fn search_window(&mut self, depth: Depth, listener: Listener) {
        let params = *self.params();
        let expected = self.root_moves[self.settled].previous;
        let mut width = params.aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && expected > -INFINITE && !is_decisive(expected) {
            width += expected * expected / 16_384;
            (alpha, beta) = ((expected - width).max(-INFINITE), (expected + width).min(INFINITE));
        }
        let mut failed_high = 0;
        loop {
            for root_move in &mut self.root_moves[self.settled..] {
                root_move.score = -INFINITE;
            }
            let searched = (depth - failed_high).max(1);
            let score = self.negamax::<Pv>(alpha, beta, searched, 0);
            // Equal scores keep their order, so moves not looked at stay behind.
            self.root_moves[self.settled..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                failed_high = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                failed_high = (failed_high + 1).min(3);
                Bound::Lower
            } else {
                self.root_moves[self.settled].bound = Bound::Exact;
                return;
            };
            width += width * params.aspiration_growth() / 100;
            if is_decisive(score) || width > 600 {
                (alpha, beta) = match bound {
                    Bound::Upper => (-INFINITE, beta),
                    _ => (alpha, INFINITE),
                };
            }
            self.root_moves[self.settled].bound = bound;
            if self.index == 0 && self.settled == 0 && self.time.elapsed() >= CURRENT_MOVE_DELAY {
                let mut info = self.info(0, depth);
                info.line.bound = bound;
                info.line.score = score;
                listener(Report::Info(info));
            }
        }
    }

    /// Whether a root move is searched now: it was asked for and belongs to no settled line.
    pub(super) fn is_open_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.settled..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Keeps what the search of a root move found.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        number: usize,
        score: Score,
        alpha: Score,
        nodes_before: u64,
    ) {
        let nodes = self.nodes() - nodes_before;
        let Some(index) = self.root_moves.iter().position(|root_move| root_move.mv == mv) else {
            return;
        };
        let root_move = &mut self.root_moves[index];
        root_move.nodes += nodes;
        if number == 1 || score > alpha {
            root_move.score = score;
            root_move.bound = if score > alpha { Bound::Exact } else { Bound::Upper };
            root_move.sel_depth = self.sel_depth;
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend_from_slice(self.pv.line(1));
        } else {
            root_move.score = -INFINITE;
        }
    }

    /// What to tell of the line of this rank.
    pub(super) fn info(&self, rank: usize, depth: Depth) -> SearchInfo {
        let root_move = &self.root_moves[rank];
        let score = match root_move.score {
            score if score > -INFINITE => score,
            _ => root_move.previous,
        };
        let score = match self.shared.verdict {
            Some(verdict) => tables::agreed(score, verdict),
            None => score,
        };
        let mut pv = root_move.pv.clone();
        let bound = match is_mate(score)
            && !mate_line::complete(&self.board, self.shared.table, score, &mut pv)
        {
            // A mate whose line is not known to the end is a bound.
            true if score > DRAW => Bound::Lower,
            true => Bound::Upper,
            false => Bound::Exact,
        };
        SearchInfo {
            depth,
            sel_depth: root_move.sel_depth.max(1),
            nodes: self.shared.all_nodes(),
            table_hits: self.shared.all_table_hits(),
            time: self.time.elapsed(),
            hashfull: self.shared.table.hashfull(),
            line: Line {
                multi_pv: rank + 1,
                score: if score == -INFINITE { DRAW } else { score },
                bound,
                pv,
            },
        }
    }

    /// Whether an iteration's result, of which this line was told, is good enough to stop.
    fn is_content(&mut self, told: &Line, course: &mut Course) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        let (score, nodes) = (best.score, self.shared.all_nodes());
        // A mate found twice as deep as it is long will not be bettered.
        let settled_mate =
            mate_moves(score).is_some_and(|moves| self.root_depth >= 2 * (2 * moves.abs() + 1));
        if let (Some(wanted), Some(moves)) = (limits.mate, mate_moves(score))
            && moves.unsigned_abs() <= wanted
            && (told.bound == Bound::Exact || settled_mate)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| nodes >= soft) {
            return true;
        }
        let changed = course.best != Some(best.mv);
        course.stable = if changed { 0 } else { course.stable + 1 };
        let fall = course.score.map_or(0, |before| before - score).clamp(-50, 100);
        (course.best, course.score) = (Some(best.mv), Some(score));
        if self.pondering || !self.time.has_soft_limit() {
            return false;
        }
        if self.root_moves.len() == 1 {
            return true;
        }
        if settled_mate {
            return true;
        }
        let share = (best.nodes * 100 / self.nodes().max(1)) as i32;
        let scale = time_scale(course.stable as i32, fall, share);
        self.time.is_enough(nodes, scale)
    }
}

/// How much of the soft limit to use, in percent: more while the best move is new, its score falls
/// or other moves take most of the nodes (`share`, in percent, is the best move's).
fn time_scale(stable: i32, fall: Score, share: i32) -> u32 {
    let by_stability = 140 - 10 * stable.min(7);
    let by_score = 100 + fall.max(-30);
    let by_nodes = 210 - 140 * share / 100;
    (by_stability * by_score / 100 * by_nodes / 100).clamp(25, 300) as u32
}

/// The score to tell when no iteration could be finished.
pub(super) fn unsearched_score(eval: Score) -> Score {
    if eval == NO_SCORE { DRAW } else { eval }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_takes_time() {
        assert!(time_scale(0, 0, 50) > time_scale(6, 0, 50));
        assert!(time_scale(3, 60, 50) > time_scale(3, 0, 50));
        assert!(time_scale(3, 0, 20) > time_scale(3, 0, 90));
    }
}
