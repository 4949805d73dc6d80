//! Reasons to believe in a node's fail high or low without searching its moves: step 7.

use super::move_picker::MovePicker;
use super::negamax::{All, Facts, Node};
use super::pruning;
use super::report::Bound;
use super::table::Entry;
use super::thread::Thread;
use crate::types::score::{DRAW, TABLEBASE_BOUND, is_decisive};
use crate::types::{Depth, Score};

impl Thread<'_> {
    /// The score of a node that need not be searched.
    pub(super) fn prune_node<N: Node>(
        &mut self,
        facts: &Facts,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let estimate = facts.estimate;

        // 7a. Reverse futility: so good that the opponent would not have gone here.
        if depth <= self.params().reverse_futility_depth()
            && !facts.table_pv
            && !is_decisive(beta)
            && estimate.abs() < TABLEBASE_BOUND
            && estimate - pruning::reverse_futility_margin(self.params(), depth, facts.improving)
                >= beta
            && facts.table_move.is_none_or(|mv| mv.is_noisy())
        {
            return Some((estimate + beta) / 2);
        }

        // 7b. Razoring: so bad that only captures can help.
        if depth <= self.params().razoring_depth()
            && alpha.abs() < TABLEBASE_BOUND
            && estimate + pruning::razoring_margin(self.params(), depth) <= alpha
        {
            let score = self.quiescence::<All>(alpha, alpha + 1, ply);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }

        // 7c. Null move: so good that even passing keeps it.
        if ply >= self.null_move_from
            && N::CUT
            && self.stack.before(ply, 1).mv.is_some()
            && estimate >= beta
            && facts.eval >= pruning::null_move_threshold(self.params(), beta, depth)
            && !is_decisive(beta)
            && self.may_pass()
            && let Some(score) = self.try_null_move(estimate, beta, depth, ply)
        {
            return Some(score);
        }

        // 7d. ProbCut: a capture that wins by far at a lower depth will at this one.
        let margin = beta + self.params().probcut_margin();
        if depth >= self.params().probcut_depth()
            && !is_decisive(beta)
            && facts.entry.is_none_or(|entry| {
                entry.bound.is_none() || entry.depth < depth - 3 || entry.score >= margin
            })
        {
            return self.try_probcut(facts, margin, depth, ply);
        }
        None
    }

    fn try_null_move(
        &mut self,
        estimate: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let reduced = depth - pruning::null_move_reduction(self.params(), depth, estimate - beta);
        self.make_null(ply);
        let score = -self.negamax::<All>(-beta, -beta + 1, reduced, ply + 1);
        self.unmake_null();
        if self.stopped {
            return Some(DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate found after passing is not one that was proved.
        let score = if is_decisive(score) { beta } else { score };
        if self.null_move_from > 0 || depth < self.params().null_move_verify_depth() {
            return Some(score);
        }
        self.null_move_from = ply + (reduced.max(1) * 3 / 4) as usize + 1;
        let verified = self.negamax::<All>(beta - 1, beta, reduced, ply);
        self.null_move_from = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    fn try_probcut(
        &mut self,
        facts: &Facts,
        margin: Score,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let reduced = depth - self.params().probcut_reduction();
        let table_move =
            facts.table_move.filter(|&mv| mv.is_noisy() && self.board.see(mv, margin - facts.eval));
        let mut picker = MovePicker::winning(ply, table_move, margin - facts.eval);
        while let Some(mv) = picker.next(self) {
            self.make_move(mv, ply);
            let mut score = -self.quiescence::<All>(-margin, -margin + 1, ply + 1);
            if score >= margin && reduced > 1 && !self.stopped {
                score = -self.negamax::<All>(-margin, -margin + 1, reduced - 1, ply + 1);
            }
            self.unmake();
            if self.stopped {
                return Some(DRAW);
            }
            if score >= margin {
                self.shared.table.store(
                    self.board.key(),
                    ply,
                    Entry {
                        mv: Some(mv),
                        score,
                        bound: Some(Bound::Lower),
                        eval: facts.raw,
                        depth: reduced,
                        pv: facts.table_pv,
                    },
                );
                return Some(score);
            }
        }
        None
    }
}
