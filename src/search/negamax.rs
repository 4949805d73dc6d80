//! The alpha-beta search: principal variation search in numbered steps.

use super::extensions::Singular;
use super::move_picker::MovePicker;
use super::pruning;
use super::reductions::{self, LateMove, PLY};
use super::report::Bound;
use super::table::Entry;
use super::thread::{Thread, Tried};
use crate::types::score::{
    DRAW, INFINITE, NO_SCORE, TABLEBASE_BOUND, is_decisive, is_mate, mate_in, mated_in,
};
use crate::types::{Depth, Move, Score};

/// What a node is expected to be.
pub(super) trait Node {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// Expected to be cut off by its first moves.
    const CUT: bool;
    /// What a null-window search of the first move expects of the next node.
    type Next: Node;
}

/// A node of the principal variation.
pub(super) struct Pv;
/// A node that some move is expected to cut off.
pub(super) struct Cut;
/// A node at which no move is expected to reach alpha.
pub(super) struct All;

impl Node for Pv {
    const PV: bool = true;
    const CUT: bool = false;
    type Next = Cut;
}

impl Node for Cut {
    const PV: bool = false;
    const CUT: bool = true;
    type Next = All;
}

impl Node for All {
    const PV: bool = false;
    const CUT: bool = false;
    type Next = Cut;
}

/// What is known of a node before its moves are searched.
pub(super) struct Facts {
    pub entry: Option<Entry>,
    pub table_move: Option<Move>,
    pub table_pv: bool,
    pub in_check: bool,
    /// The static evaluation as computed, to be stored.
    pub raw: Score,
    /// The same, corrected; [`NO_SCORE`] in check.
    pub eval: Score,
    /// The evaluation refined by the table's score, for pruning.
    pub estimate: Score,
    pub correction: Score,
    pub improving: bool,
}

impl Thread<'_> {
    /// The score of the present position within (alpha, beta), searched to a depth in plies.
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
    ) -> Score {
        // 1. At the horizon: quiescence.
        if depth <= 0 {
            return match N::PV {
                true => self.quiescence::<Pv>(alpha, beta, ply),
                false => self.quiescence::<All>(alpha, beta, ply),
            };
        }
        let root = N::PV && ply == 0;
        let excluded = self.stack.at(ply).excluded;

        // 2. Abort, draws, the longest line, mates that come sooner.
        if !root {
            self.pv.clear(ply);
            if excluded.is_none() {
                if !self.enter_node() {
                    return DRAW;
                }
                self.sel_depth = self.sel_depth.max(ply);
                if self.is_draw(ply) {
                    return DRAW;
                }
            }
            if self.is_too_deep(ply) {
                return self.leaf_score();
            }
            if alpha < DRAW && self.board.has_upcoming_repetition(ply) {
                alpha = DRAW;
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. Transposition table.
        let (key, clock) = (self.board.key(), self.board.halfmove_clock());
        let entry = match excluded {
            None => self.shared.table.probe(key, ply, clock),
            Some(_) => None,
        };
        if let Some(entry) = entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth + Depth::from(entry.score >= beta)
            && entry.cuts_off(alpha, beta)
            && clock < 90
        {
            if let Some(mv) = entry.mv.filter(|mv| mv.is_quiet() && entry.score >= beta)
                && self.board.is_legal(mv)
            {
                self.stack.at_mut(ply).threats = self.board.threats();
                let bonus = (self.params().history_bonus() * depth).min(1000);
                self.update_quiet(mv, ply, bonus);
            }
            return entry.score;
        }

        // 4. Endgame tables.
        if !root
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tablebase(depth, ply)
        {
            let known = Entry {
                mv: None,
                score,
                bound: Some(bound),
                eval: NO_SCORE,
                depth: depth + 6,
                pv: N::PV,
            };
            if known.cuts_off(alpha, beta) {
                self.shared.table.store(key, ply, known);
                return score;
            }
        }

        // 5. Static evaluation.
        let facts = self.assess::<N>(entry, excluded, root, ply);
        self.stack.at_mut(ply + 2).cutoffs = 0;

        // 6. In hindsight the reduction of the move before may have been too much or too little.
        let prior_reduction = std::mem::take(&mut self.stack.at_mut(ply.max(1) - 1).reduction);
        if ply > 0 && !facts.in_check && excluded.is_none() {
            let before = self.stack.before(ply, 1).eval;
            if prior_reduction >= self.params().hindsight_deeper_reduction()
                && before != NO_SCORE
                && facts.eval + before < 0
            {
                depth += 1;
            }
            if prior_reduction >= 2
                && depth >= 2
                && before != NO_SCORE
                && facts.eval + before > self.params().hindsight_shallower_margin()
            {
                depth -= 1;
            }
        }

        // 7. Prune the whole node.
        if !N::PV
            && !facts.in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node::<N>(&facts, alpha, beta, depth, ply)
        {
            return score;
        }

        // 8. Without a move from the table a shallower search finds one more cheaply.
        if depth >= self.params().iir_depth()
            && excluded.is_none()
            && (N::PV || N::CUT)
            && (facts.table_move.is_none()
                || entry.is_some_and(|entry| entry.depth + 4 < depth && !N::PV))
        {
            depth -= 1;
        }

        // 9. The moves.
        self.search_moves::<N>(&facts, alpha, beta, depth, ply)
    }

    /// Step 5: what the position is worth at a glance, and how that changes.
    fn assess<N: Node>(
        &mut self,
        entry: Option<Entry>,
        excluded: Option<Move>,
        root: bool,
        ply: usize,
    ) -> Facts {
        let in_check = self.board.in_check();
        let table_move = match root {
            true => Some(self.root_moves[self.settled].mv),
            false => entry.and_then(|entry| entry.mv).filter(|&mv| self.board.is_legal(mv)),
        };
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let mut facts = Facts {
            entry,
            table_move,
            table_pv,
            in_check,
            raw: NO_SCORE,
            eval: NO_SCORE,
            estimate: NO_SCORE,
            correction: 0,
            improving: false,
        };
        let threats = self.board.threats();
        self.stack.at_mut(ply).threats = threats;
        if in_check {
            self.stack.at_mut(ply).eval = NO_SCORE;
            return facts;
        }
        if excluded.is_some() {
            // The same position has just been assessed.
            facts.eval = self.stack.at(ply).eval;
            facts.raw = facts.eval;
            facts.estimate = facts.eval;
        } else {
            facts.raw = match entry {
                Some(entry) if entry.eval != NO_SCORE => entry.eval,
                _ => self.raw_eval(),
            };
            facts.correction = self.correction(ply);
            facts.eval = self.corrected_eval(facts.raw, facts.correction);
            facts.estimate = match entry {
                Some(entry) if entry.refines(facts.eval) && !is_decisive(entry.score) => {
                    entry.score
                }
                _ => facts.eval,
            };
            if entry.is_none() {
                let fresh = Entry {
                    mv: None,
                    score: NO_SCORE,
                    bound: None,
                    eval: facts.raw,
                    depth: -1,
                    pv: table_pv,
                };
                self.shared.table.store(self.board.key(), ply, fresh);
            }
        }
        self.stack.at_mut(ply).eval = facts.eval;
        let before = match (self.stack.before(ply, 2).eval, self.stack.before(ply, 4).eval) {
            (NO_SCORE, earlier) => earlier,
            (before, _) => before,
        };
        facts.improving = before != NO_SCORE && ply >= 2 && facts.eval > before;
        facts
    }

    /// Step 9: searches the moves one after the other and keeps what they teach.
    fn search_moves<N: Node>(
        &mut self,
        facts: &Facts,
        mut alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score {
        let root = N::PV && ply == 0;
        let excluded = self.stack.at(ply).excluded;
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        let mut picker = MovePicker::all(ply, facts.table_move);
        let noisy_table_move = facts.table_move.is_some_and(|mv| mv.is_noisy());

        while let Some(mv) = picker.next(self) {
            if Some(mv) == excluded || (root && !self.is_open_root_move(mv)) {
                continue;
            }
            number += 1;
            let quiet = mv.is_quiet();
            let history = match quiet {
                true => self.quiet_history(mv, ply),
                false => self.noisy_history(mv),
            };
            let base = reductions::base(self.params(), depth, number, quiet);

            // 10. Leave out moves that will hardly matter.
            if !root
                && best > -TABLEBASE_BOUND
                && self.prune_move(
                    facts,
                    &mut picker,
                    mv,
                    LateFacts {
                        alpha,
                        depth,
                        number,
                        history,
                        reduced: (depth - base / PLY).max(0),
                    },
                )
            {
                continue;
            }

            // 11. Extend a move that alone holds the score.
            let mut extension = 0;
            if !root
                && Some(mv) == facts.table_move
                && excluded.is_none()
                && ply < 2 * self.root_depth as usize
            {
                match self.try_singular::<N>(facts, mv, beta, depth, ply) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
                if self.stopped {
                    return DRAW;
                }
            }

            // 12. Make the move and search what comes of it.
            let nodes = self.nodes();
            self.make_move(mv, ply);
            let new_depth = depth - 1 + extension;
            let late = LateMove {
                quiet,
                pv: N::PV,
                table_pv: facts.table_pv,
                cut_node: N::CUT,
                improving: facts.improving,
                noisy_table_move,
                gives_check: self.board.in_check(),
                cutoffs: self.stack.at(ply + 1).cutoffs,
                history,
                correction: facts.correction.abs(),
            };
            let mut score = -INFINITE;
            if depth >= 2 && number > 1 + usize::from(root) {
                let reduction = reductions::late_move(self.params(), base, late);
                score = self.search_reduced::<N>(alpha, new_depth, reduction, best, ply);
            } else if !N::PV || number > 1 {
                score = -self.negamax::<N::Next>(-alpha - 1, -alpha, new_depth, ply + 1);
            }
            if N::PV && (number == 1 || score > alpha) && !self.stopped {
                score = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1);
            }
            self.unmake();
            if self.stopped {
                return DRAW;
            }
            if root {
                self.note_root_move(mv, number, score, alpha, nodes);
            }

            // 13. A new best move, a better line, a cut-off.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.stack.at_mut(ply).cutoffs += 1 + u32::from(facts.table_move.is_none());
                        break;
                    }
                    alpha = score;
                }
            }
            match quiet {
                true => quiets.push(mv),
                false => noisies.push(mv),
            }
        }

        // 14. No legal move: mate or stalemate.
        if number == 0 {
            return match (excluded, facts.in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in(ply),
                (None, false) => DRAW,
            };
        }

        // 15. Teach histories, table and corrections.
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            let bonus_depth = depth + Depth::from(best > beta + 100);
            self.update_histories(ply, bonus_depth, mv, &quiets, &noisies);
        } else if best_move.is_none() {
            self.reward_refutation(depth, ply);
        }
        if best >= beta && !is_decisive(best) && !is_decisive(beta) && !is_decisive(alpha) {
            best = (best * depth + beta) / (depth + 1);
        }
        if excluded.is_none() {
            self.keep(facts, best, best_move, (old_alpha, beta), depth, ply);
        }
        best
    }

    /// Step 12 for a late move: a reduced null-window search, and a full one if that surprises.
    fn search_reduced<N: Node>(
        &mut self,
        alpha: Score,
        mut new_depth: Depth,
        reduction: Depth,
        best: Score,
        ply: usize,
    ) -> Score {
        let reduced = (new_depth - reduction).clamp(1, new_depth.max(1) + 1);
        self.stack.at_mut(ply).reduction = (new_depth - reduced).max(0);
        let mut score = -self.negamax::<Cut>(-alpha - 1, -alpha, reduced, ply + 1);
        self.stack.at_mut(ply).reduction = 0;
        if score > alpha && reduced < new_depth && !self.stopped {
            let params = self.params();
            let deeper =
                score > best + params.lmr_deeper_base() + params.lmr_deeper_margin() * new_depth;
            let shallower = score < best + new_depth;
            new_depth += Depth::from(deeper) - Depth::from(shallower);
            if reduced < new_depth {
                score = -self.negamax::<N::Next>(-alpha - 1, -alpha, new_depth, ply + 1);
            }
            // The move that the opponent just answered has shown its worth.
            if let Some(mv) = self.stack.at(ply).mv.filter(|mv| mv.is_quiet()) {
                let bonus = match score > alpha {
                    true => self.params().history_bonus() * new_depth.min(8),
                    false => -self.params().history_malus() * new_depth.min(8) / 2,
                };
                let moved = self.stack.at(ply).moved;
                debug_assert!(moved.index() % 64 == mv.to().index());
                self.update_continuations(ply, moved, bonus);
            }
        }
        score
    }

    /// Step 10: whether a move is not worth searching.
    fn prune_move(
        &mut self,
        facts: &Facts,
        picker: &mut MovePicker,
        mv: Move,
        late: LateFacts,
    ) -> bool {
        let params = &self.shared.options.params;
        let quiet = mv.is_quiet();
        if late.number > pruning::late_move_count(params, late.depth, facts.improving) {
            picker.skip_quiets();
        }
        if quiet {
            if late.reduced <= params.history_pruning_depth()
                && late.history < pruning::history_margin(params, late.reduced.max(1))
            {
                return true;
            }
            if !facts.in_check
                && late.reduced <= params.futility_depth()
                && facts.eval + pruning::futility_margin(params, late.reduced, late.history)
                    <= late.alpha
            {
                picker.skip_quiets();
                return true;
            }
        }
        let depth = if quiet { late.reduced } else { late.depth };
        let margin = pruning::see_margin(params, depth, quiet, late.history);
        !self.board.see(mv, margin.min(0))
    }

    /// Step 15 at a node that failed low: the quiet move before it was good.
    fn reward_refutation(&mut self, depth: Depth, ply: usize) {
        if ply == 0 {
            return;
        }
        let before = *self.stack.before(ply, 1);
        if before.mv.is_some_and(|mv| mv.is_quiet()) {
            let bonus = (self.params().history_bonus() * depth / 2).min(900);
            self.update_continuations(ply - 1, before.moved, bonus);
        }
    }

    /// Step 15: what the table and the corrections should know of this node.
    fn keep(
        &mut self,
        facts: &Facts,
        best: Score,
        best_move: Option<Move>,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: usize,
    ) {
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !(ply == 0 && self.settled > 0) {
            self.shared.table.store(
                self.board.key(),
                ply,
                Entry {
                    mv: best_move,
                    score: best,
                    bound: Some(bound),
                    eval: facts.raw,
                    depth,
                    pv: facts.table_pv,
                },
            );
        }
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best > facts.eval,
            Bound::Upper => best < facts.eval,
        };
        if !facts.in_check
            && informative
            && !is_mate(best)
            && best_move.is_none_or(|mv| mv.is_quiet())
        {
            let (earlier, last) =
                (self.stack.before(ply, 2).moved, self.stack.before(ply, 1).moved);
            let error = best - facts.eval;
            self.memory.corrections.update(self.board.position(), depth, error, earlier, last);
        }
    }
}

/// What pruning a move looks at beside the node.
#[derive(Clone, Copy)]
struct LateFacts {
    alpha: Score,
    depth: Depth,
    number: usize,
    history: i32,
    /// The depth that reductions would leave.
    reduced: Depth,
}
