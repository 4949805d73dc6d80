//! King safety: shelter, storm, and the danger that the enemy's pieces make together.

use super::survey::{Survey, rank_of};
use super::weights as w;
use crate::attacks;
use crate::types::{Bitboard, Color, File, PieceKind, Square};

/// The files a king's safety is judged on, by the king's file.
const fn flank(file: File) -> Bitboard {
    match file {
        File::A | File::B | File::C => Bitboard(0x0F0F_0F0F_0F0F_0F0F),
        File::D | File::E => Bitboard(0x3C3C_3C3C_3C3C_3C3C),
        File::F | File::G | File::H => Bitboard(0xF0F0_F0F0_F0F0_F0F0),
    }
}

/// The lower half of the board and one rank more, as this side sees it.
const fn camp(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_00FF_FFFF_FFFF),
        Color::Black => Bitboard(0xFFFF_FFFF_FF00_0000),
    }
}

impl Survey<'_> {
    /// Scores the place of this side's king and fills its danger. Needs complete attack maps.
    pub fn king_safety(&mut self, us: Color) {
        let king = self.position.king(us);
        self.add(us, w::SQUARE[5][king.relative_to(us).index()]);
        self.shelter(us, king);
        self.checks(us, king);
        self.surroundings(us, king);
    }

    /// Own pawns before the king and the enemy's that come at it, on three files.
    fn shelter(&mut self, us: Color, king: Square) {
        let middle = king.file().index().clamp(1, 6);
        let home = rank_of(king, us);
        for file in middle - 1..=middle + 1 {
            let edge = file.min(7 - file);
            let own = self.nearest(us, us, file, home);
            let enemy = self.nearest(us, !us, file, home);
            self.add(us, w::SHELTER[edge][own]);
            self.endanger(us, w::SHELTER_DANGER[edge][own]);
            if own > 0 && enemy == own + 1 {
                self.add(us, w::STORM_BLOCKED[enemy]);
                self.endanger(us, w::STORM_BLOCKED_DANGER[enemy]);
            } else {
                self.add(us, w::STORM[edge][enemy]);
                self.endanger(us, w::STORM_DANGER[edge][enemy]);
            }
        }
    }

    /// The rank, as `us` counts, of the first pawn of `whose` on a file from the king's rank on;
    /// 0 for none.
    fn nearest(&self, us: Color, whose: Color, file: usize, home: usize) -> usize {
        let pawns = self.pawns[whose.index()] & File::ALL[file].bitboard();
        let seen = if us == Color::White { pawns } else { pawns.flipped() };
        let ahead = Bitboard(seen.0 >> (home * 8) << (home * 8));
        ahead.first().map_or(0, |square| square.rank().index())
    }

    /// Squares from which the enemy could check, safe for it or not.
    fn checks(&mut self, us: Color, king: Square) {
        let them = !us;
        let (i, t) = (us.index(), them.index());
        let queen_hits = self.attacked(us, PieceKind::Queen);
        // Squares we hold so weakly that a check there cannot simply be taken.
        let weak = self.all[t]
            & !self.twice[i]
            & (!self.all[i] | queen_hits | self.attacked(us, PieceKind::King));
        let open = !self.position.by_color(them);
        let safe = open & (!self.all[i] | (weak & self.twice[t]));

        let transparent = self.occupied ^ self.position.of(us, PieceKind::Queen);
        let straight = attacks::rook(king, transparent);
        let diagonal = attacks::bishop(king, transparent);
        let from = [
            (PieceKind::Knight, attacks::knight(king)),
            (PieceKind::Bishop, diagonal),
            (PieceKind::Rook, straight),
            (PieceKind::Queen, straight | diagonal),
        ];
        for (kind, lines) in from {
            let checks = self.attacked(them, kind) & lines & open;
            let mut good = checks & safe;
            if kind == PieceKind::Queen {
                good = good - queen_hits;
            }
            if good.any() {
                self.endanger(us, w::SAFE_CHECK[kind.index()][good.many() as usize]);
            }
            self.endanger(us, w::CHECK[kind.index()] * (checks - good).count() as i32);
        }
        let ring = self.zone[i];
        self.endanger(us, w::WEAK_RING * (ring & weak).count() as i32);
    }

    /// Pins, defenders, the enemy queen, and the weight of both sides on the king's flank.
    fn surroundings(&mut self, us: Color, king: Square) {
        let them = !us;
        let (i, t) = (us.index(), them.index());
        if self.position.of(them, PieceKind::Queen).is_empty() {
            self.endanger(us, w::NO_QUEEN);
        }
        let knights = self.attacked(us, PieceKind::Knight);
        if (knights & attacks::king(king)).any() {
            self.endanger(us, w::KNIGHT_DEFENDS);
        }
        self.endanger(us, w::PINNED * self.pinned(us, king));

        let flank = flank(king.file());
        let attacked = self.all[t] & flank & camp(us);
        let pressure = attacked.count() + (attacked & self.twice[t]).count();
        let held = (self.all[i] & flank & camp(us)).count();
        self.endanger(us, w::FLANK_ATTACK * pressure as i32);
        self.endanger(us, w::FLANK_DEFENCE * held as i32);
        self.add(us, w::FLANK_PRESSURE * pressure as i32);
        if (flank & self.position.by_kind(PieceKind::Pawn)).is_empty() {
            self.add(us, w::PAWNLESS_FLANK);
        }
    }

    /// How many men of either side stand alone between this king and an enemy slider.
    fn pinned(&self, us: Color, king: Square) -> i32 {
        let of = |kind| self.position.of(!us, kind);
        let queens = of(PieceKind::Queen);
        let snipers = (attacks::rook(king, Bitboard::EMPTY) & (of(PieceKind::Rook) | queens))
            | (attacks::bishop(king, Bitboard::EMPTY) & (of(PieceKind::Bishop) | queens));
        snipers
            .into_iter()
            .filter(|&sniper| (attacks::between(king, sniper) & self.occupied).count() == 1)
            .count() as i32
    }
}
