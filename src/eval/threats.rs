//! Threats against the enemy's men, and room behind the own pawns.

use super::survey::Survey;
use super::weights as w;
use crate::attacks;
use crate::types::{Bitboard, Color, PieceKind, Rank};

/// The four middle files.
const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

impl Survey<'_> {
    /// Scores what this side attacks. Needs complete attack maps.
    pub fn threats(&mut self, us: Color) {
        let them = !us;
        let (i, t) = (us.index(), them.index());
        let enemies = self.position.by_color(them);
        let pieces = enemies - self.pawns[t];
        let by_enemy_pawns = self.attacked(them, PieceKind::Pawn);
        // Defended by a pawn, or by two men against at most one attacker.
        let solid = by_enemy_pawns | (self.twice[t] - self.twice[i]);
        let weak = (enemies - solid) & self.all[i];
        let safe = !self.all[t] | self.all[i];

        let minors = self.attacked(us, PieceKind::Knight) | self.attacked(us, PieceKind::Bishop);
        let rooks = self.attacked(us, PieceKind::Rook);
        let safe_pawns = (self.pawns[i] & safe).pawn_attacks(us);
        for kind in PieceKind::ALL {
            let targets = self.position.of(them, kind);
            let count = |set: Bitboard| (set & targets).count() as i32;
            self.add(us, w::THREAT_BY_PAWN[kind.index()] * count(safe_pawns));
            self.add(us, w::THREAT_BY_MINOR[kind.index()] * count(minors & (weak | pieces)));
            self.add(us, w::THREAT_BY_ROOK[kind.index()] * count(rooks & weak));
        }
        if (self.attacked(us, PieceKind::King) & weak).any() {
            self.add(us, w::THREAT_BY_KING);
        }
        let hanging = weak & (!self.all[t] | (pieces & self.twice[i]));
        self.add(us, w::HANGING * hanging.count() as i32);
        let restricted = self.all[t] & self.all[i] & !solid;
        self.add(us, w::RESTRICTED * restricted.count() as i32);

        let steps = self.pawn_steps(us) & safe & !by_enemy_pawns;
        self.add(us, w::THREAT_BY_PUSH * (steps.pawn_attacks(us) & pieces).count() as i32);
        self.queen_hunt(us, solid);
    }

    /// Squares this side's pawns can advance to.
    fn pawn_steps(&self, us: Color) -> Bitboard {
        let single = self.pawns[us.index()].forward(us) - self.occupied;
        let third = Rank::Third.relative_to(us).bitboard();
        single | ((single & third).forward(us) - self.occupied)
    }

    /// Squares from which the enemy's only queen can be attacked next.
    fn queen_hunt(&mut self, us: Color, solid: Bitboard) {
        let queens = self.position.of(!us, PieceKind::Queen);
        let (Some(queen), false) = (queens.first(), queens.many()) else { return };
        let safe = self.area[us.index()] - solid;
        let leaps = self.attacked(us, PieceKind::Knight) & attacks::knight(queen) & safe;
        let diagonal = attacks::bishop(queen, self.occupied);
        let straight = attacks::rook(queen, self.occupied);
        let slides = ((self.attacked(us, PieceKind::Bishop) & diagonal)
            | (self.attacked(us, PieceKind::Rook) & straight))
            & safe
            & self.twice[us.index()];
        self.add(us, w::KNIGHT_HUNTS_QUEEN * leaps.count() as i32);
        self.add(us, w::SLIDER_HUNTS_QUEEN * slides.count() as i32);
    }

    /// Scores the safe squares behind and between this side's centre pawns, by the number of
    /// pieces that can use them.
    pub fn space(&mut self, us: Color) {
        let (i, t) = (us.index(), (!us).index());
        let ranks = [Rank::Second, Rank::Third, Rank::Fourth]
            .map(|rank| rank.relative_to(us).bitboard())
            .into_iter()
            .fold(Bitboard::EMPTY, |set, rank| set | rank);
        let room = (CENTRE_FILES & ranks) - self.pawns[i] - self.by[t][PieceKind::Pawn.index()];
        let pieces = (self.position.by_color(us) - self.pawns[i]).count() as i32;
        let fixed = (self.pawns[i] & self.pawns[t].forward(!us)).count() as i32;
        self.add(us, w::SPACE * (room.count() as i32 * (pieces + fixed) / 4));
    }
}
