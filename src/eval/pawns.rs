//! Pawn structure and passed pawns.

use super::survey::{Survey, fill, rank_of};
use super::weights as w;
use crate::attacks;
use crate::types::{Bitboard, Color, PieceKind, Square};

impl Survey<'_> {
    /// Scores this side's pawns but for what makes a passed pawn run; returns the passed ones.
    pub fn pawn_structure(&mut self, us: Color) -> Bitboard {
        let them = !us;
        let (own, enemy) = (self.pawns[us.index()], self.pawns[them.index()]);
        let defended = own.pawn_attacks(us);
        let beside = own.west() | own.east();
        let opposed = fill(enemy.forward(them), them);
        let doubled = own & fill(own.forward(them), them);
        let passed = own - self.pawn_span[them.index()] - opposed - doubled;

        let neighbours = fill(beside, us) | fill(beside, them);
        let isolated = own - neighbours;
        let lagging = own - fill(beside, us) - isolated;
        let stopped = (enemy.pawn_attacks(them) | enemy).forward(them);
        let backward = lagging & stopped;
        let unsupported_doubled = doubled - defended;

        let count = |set: Bitboard| set.count() as i32;
        self.add(us, w::DOUBLED * count(unsupported_doubled));
        self.add(us, w::ISOLATED[0] * count(isolated & opposed));
        self.add(us, w::ISOLATED[1] * count(isolated - opposed));
        self.add(us, w::BACKWARD[0] * count(backward & opposed));
        self.add(us, w::BACKWARD[1] * count(backward - opposed));

        for square in own {
            let rank = rank_of(square, us);
            self.add(us, w::SQUARE[0][square.relative_to(us).index()]);
            if beside.has(square) {
                self.add(us, w::PHALANX[rank]);
            }
            if defended.has(square) {
                self.add(us, w::DEFENDED_PAWN[rank]);
            }
            let candidate = !passed.has(square) && !opposed.has(square) && !doubled.has(square);
            if candidate && (beside | defended).has(square) {
                self.add(us, w::CANDIDATE[rank]);
            }
        }
        passed
    }

    /// Scores the way to promotion of this side's passed pawns. Needs complete attack maps.
    pub fn passed_pawns(&mut self, us: Color, passed: Bitboard) {
        let them = !us;
        let (own_king, enemy_king) = (self.position.king(us), self.position.king(them));
        let heavy =
            self.position.by_kind(PieceKind::Rook) | self.position.by_kind(PieceKind::Queen);
        for square in passed {
            let rank = rank_of(square, us);
            let Some(stop) = square.forward(us) else { continue };
            self.add(us, w::PASSED[rank]);
            self.add(us, w::PASSED_OWN_KING[rank] * stop.distance(own_king).min(5) as i32);
            self.add(us, w::PASSED_ENEMY_KING[rank] * stop.distance(enemy_king).min(5) as i32);

            let path = fill(stop.bitboard(), us);
            let behind = fill(square.bitboard(), them).without(square);
            // A rook or queen behind the pawn bears on its whole path.
            let followers = attacks::rook(square, self.occupied) & behind & heavy;
            let guarded = if (followers & self.position.by_color(them)).any() {
                path
            } else {
                path & (self.all[them.index()] | self.position.by_color(them))
            };
            if self.occupied.has(stop) {
                let blocked_by_enemy = self.position.by_color(them).has(stop);
                self.add(us, w::PASSED_BLOCKED[blocked_by_enemy as usize][rank]);
            } else if guarded.is_empty() {
                self.add(us, w::PASSED_FREE[rank]);
            } else if !guarded.has(stop) {
                self.add(us, w::PASSED_CAN_STEP[rank]);
            }
            let helped = (followers & self.position.by_color(us)).any();
            if helped || self.all[us.index()].has(stop) {
                self.add(us, w::PASSED_HELPED[rank]);
            }
            if self.runs_free(us, square, stop) {
                self.add(us, w::PASSED_UNSTOPPABLE);
            }
        }
    }

    /// Whether the pawn outruns a lone enemy king: the rule of the square.
    fn runs_free(&self, us: Color, square: Square, stop: Square) -> bool {
        let them = !us;
        let men = self.pawns[them.index()].with(self.position.king(them));
        if self.position.by_color(them) != men {
            return false;
        }
        let path = fill(stop.bitboard(), us);
        if (path & self.occupied).any() {
            return false;
        }
        let Some(goal) = (if us == Color::White { path.last() } else { path.first() }) else {
            return false;
        };
        let double_step = (rank_of(square, us) == 1) as usize;
        let steps = 7 - rank_of(square, us) - double_step;
        let late = (self.position.side_to_move() == them) as usize;
        goal.distance(self.position.king(them)) as usize > steps + late
    }
}
