//! What the endgame tables say inside the search and at its root.

use super::limits::Options;
use super::report::Bound;
use super::root::RootMove;
use super::thread::Thread;
use crate::board::Board;
use crate::types::score::{DRAW, MAX_PLY, TABLEBASE_WIN, is_mate};
use crate::types::{Depth, Score};

impl Thread<'_> {
    /// The tables' verdict on the present position: only after a capture or pawn move, when the
    /// fifty-move count stands at zero as the tables assume.
    pub(super) fn probe_tablebase(&mut self, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let options = self.shared.options;
        let tablebase = options.tablebase.as_deref()?;
        let position = self.board.position();
        if position.halfmove_clock() != 0 || !tablebase.covers(position) {
            return None;
        }
        if position.occupied().count() == tablebase.max_men() && depth < options.probe_depth {
            return None;
        }
        let wdl = tablebase.probe_wdl(position)?;
        self.shared.table_hits[self.index].increment();
        Some(match wdl.sign(options.fifty_move_rule) {
            1 => (TABLEBASE_WIN - ply as Score, Bound::Lower),
            0 => (DRAW, Bound::Exact),
            _ => (ply as Score - TABLEBASE_WIN, Bound::Upper),
        })
    }
}

/// Keeps only the root moves that hold the best result the tables promise, and of winning ones
/// those that come nearer to it inside fifty moves.
///
/// Returns the result, 1 for a win, 0 for a draw, -1 for a loss; `None` and no change if the tables
/// do not know every move.
pub(super) fn keep_best(
    board: &Board,
    options: &Options,
    moves: &mut Vec<RootMove>,
) -> Option<i32> {
    let tablebase = options.tablebase.as_deref()?;
    let listed: Vec<_> = moves.iter().map(|root_move| root_move.mv).collect();
    let repeated = board.has_repeated();
    let ranked = tablebase.rank_root(board, &listed, options.fifty_move_rule, repeated)?;
    let best = ranked.first()?;
    let kept = |mv| ranked.iter().any(|it| it.mv == mv && it.rank == best.rank);
    moves.retain(|root_move| kept(root_move.mv));
    Some(best.wdl.sign(options.fifty_move_rule))
}

/// A root score in agreement with the tables' verdict; mates that were found stay.
pub(super) fn agreed(score: Score, verdict: i32) -> Score {
    match verdict {
        _ if is_mate(score) && score.signum() == verdict => score,
        0 => DRAW,
        sign => sign * score.abs().max(TABLEBASE_WIN - MAX_PLY as Score).min(TABLEBASE_WIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::mate_in;

    #[test]
    fn a_verdict_overrules_all_but_a_mate_it_agrees_with() {
        assert_eq!(agreed(312, 0), DRAW);
        assert_eq!(agreed(mate_in(5), 1), mate_in(5));
        assert_eq!(agreed(mate_in(5), 0), DRAW);
        assert_eq!(agreed(50, 1), TABLEBASE_WIN - MAX_PLY as Score);
        assert_eq!(agreed(50, -1), MAX_PLY as Score - TABLEBASE_WIN);
    }
}
