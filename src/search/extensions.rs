//! Deeper search for a move that alone holds the score: step 11.

use super::negamax::{All, Cut, Facts, Node};
use super::pruning;
use super::report::Bound;
use super::thread::Thread;
use crate::types::score::is_decisive;
use crate::types::{Depth, Move, Score};

/// What a singular search says.
pub(super) enum Singular {
    /// Search this many plies deeper (or less deep, below zero).
    Extend(Depth),
    /// The node is cut off with this score.
    Cut(Score),
}

impl Thread<'_> {
    /// Is the table's move the only one that holds its score?
    pub(super) fn try_singular<N: Node>(
        &mut self,
        facts: &Facts,
        mv: Move,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Singular {
        let Some(entry) = facts.entry else { return Singular::Extend(0) };
        if depth < self.params().singular_depth() + Depth::from(facts.table_pv)
            || entry.depth < depth - 3
            || !matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            || is_decisive(entry.score)
        {
            return Singular::Extend(0);
        }
        let bar = pruning::singular_beta(self.params(), entry.score, depth);
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = match N::CUT {
            true => self.negamax::<Cut>(bar - 1, bar, (depth - 1) / 2, ply),
            false => self.negamax::<All>(bar - 1, bar, (depth - 1) / 2, ply),
        };
        self.stack.at_mut(ply).excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < bar {
            let double = !N::PV && score < bar - self.params().double_margin();
            let triple = !N::PV && mv.is_quiet() && score < bar - self.params().triple_margin();
            return Singular::Extend(1 + Depth::from(double) + Depth::from(double && triple));
        }
        if score >= beta && !is_decisive(score) {
            // Several moves reach beta.
            return Singular::Cut(score);
        }
        Singular::Extend(match (entry.score >= beta, N::CUT) {
            (true, _) => -2 - Depth::from(!N::PV),
            (false, true) => -2,
            (false, false) => 0,
        })
    }
}
