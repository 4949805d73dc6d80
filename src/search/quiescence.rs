//! Quiescence: captures until the position is quiet, and every evasion of a check.

use super::move_picker::MovePicker;
use super::negamax::Node;
use super::report::Bound;
use super::table::Entry;
use super::thread::Thread;
use crate::types::score::{DRAW, INFINITE, NO_SCORE, TABLEBASE_BOUND, is_decisive, mated_in};
use crate::types::{Move, Score};

impl Thread<'_> {
    /// The score of the present position when only forcing moves are looked at.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
    ) -> Score {
        // 1. Abort, draws, upcoming repetition.
        self.pv.clear(ply);
        if !self.enter_node() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        if self.is_draw(ply) {
            return DRAW;
        }
        if self.is_too_deep(ply) {
            return self.leaf_score();
        }
        if alpha < DRAW && self.board.has_upcoming_repetition(ply) {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. Transposition table.
        let (key, clock) = (self.board.key(), self.board.halfmove_clock());
        let entry = self.shared.table.probe(key, ply, clock);
        if let Some(entry) = entry
            && !N::PV
            && entry.cuts_off(alpha, beta)
        {
            return entry.score;
        }
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| self.board.is_legal(mv));

        // 3. Stand pat.
        let in_check = self.board.in_check();
        let mut best = mated_in(ply);
        let mut raw = NO_SCORE;
        let mut futility = -INFINITE;
        if !in_check {
            raw = match entry {
                Some(entry) if entry.eval != NO_SCORE => entry.eval,
                _ => self.raw_eval(),
            };
            let correction = self.correction(ply);
            best = self.corrected_eval(raw, correction);
            if let Some(entry) = entry.filter(|entry| entry.refines(best)) {
                best = entry.score;
            }
            if best >= beta {
                if entry.is_none() {
                    self.store(ply, None, best, Bound::Lower, raw, table_pv);
                }
                return if is_decisive(best) { best } else { (best + beta) / 2 };
            }
            alpha = alpha.max(best);
            futility = best + self.params().quiescence_futility();
        }

        // 4. Moves.
        let mut picker = match in_check {
            true => MovePicker::all(ply, table_move),
            false => MovePicker::noisy(ply, table_move),
        };
        self.stack.at_mut(ply).threats =
            if in_check { self.board.threats() } else { Default::default() };
        let mut best_move: Option<Move> = None;
        let mut bound = Bound::Upper;
        let see_margin = self.params().quiescence_see();
        while let Some(mv) = picker.next(self) {
            // 5. Captures that cannot reach alpha or lose material are left out.
            if best > -TABLEBASE_BOUND {
                if in_check {
                    picker.skip_quiets();
                    if mv.is_quiet() {
                        continue;
                    }
                } else {
                    let hopeful = futility + self.board.exchange_gain(mv);
                    if !mv.is_promotion() && hopeful <= alpha && !self.board.see(mv, 1) {
                        best = best.max(hopeful.min(alpha));
                        continue;
                    }
                }
                if !self.board.see(mv, see_margin) {
                    continue;
                }
            }
            self.make_move(mv, ply);
            let score = -self.quiescence::<N>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return DRAW;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                best_move = Some(mv);
                if N::PV {
                    self.pv.update(ply, mv);
                }
                if score >= beta {
                    bound = Bound::Lower;
                    break;
                }
                bound = Bound::Exact;
                alpha = score;
            }
        }

        // 6. What was found.
        if best >= beta && !is_decisive(best) && !is_decisive(beta) {
            best = (best + beta) / 2;
            beta = best;
        }
        let bound = match bound {
            Bound::Exact if !N::PV => Bound::Upper,
            _ if best >= beta => Bound::Lower,
            bound => bound,
        };
        self.store(ply, best_move, best, bound, raw, table_pv);
        best
    }

    fn store(
        &self,
        ply: usize,
        mv: Option<Move>,
        score: Score,
        bound: Bound,
        eval: Score,
        pv: bool,
    ) {
        let entry = Entry { mv, score, bound: Some(bound), eval, depth: 0, pv };
        self.shared.table.store(self.board.key(), ply, entry);
    }
}

impl Entry {
    /// Whether the score decides a window.
    #[inline]
    pub(super) fn cuts_off(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score <= alpha,
            None => false,
        }
    }

    /// Whether the score says more of the position than this evaluation.
    #[inline]
    pub(super) fn refines(&self, eval: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score > eval,
            Some(Bound::Upper) => self.score < eval,
            None => false,
        }
    }
}
