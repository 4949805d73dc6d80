//! What the men are worth by number.

use super::survey::Survey;
use super::weights as w;
use crate::board::Position;
use crate::types::{Color, PieceKind};

/// The weight of a man in the count of pieces on the board; pawns and kings have none.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase of a board with all its pieces.
pub(super) const FULL_PHASE: i32 = 24;

/// How many pieces are on the board: [`FULL_PHASE`] for all of them, 0 for none.
pub(super) fn phase(position: &Position) -> i32 {
    let weight = |kind: PieceKind| PHASE[kind.index()] * position.by_kind(kind).count() as i32;
    PieceKind::ALL.into_iter().map(weight).sum::<i32>().min(FULL_PHASE)
}

impl Survey<'_> {
    /// Scores this side's men by kind, and pairs and pieces by the number of pawns.
    pub fn material(&mut self, us: Color) {
        let count = |kind| self.position.of(us, kind).count() as i32;
        let pawns = count(PieceKind::Pawn);
        let (knights, bishops) = (count(PieceKind::Knight), count(PieceKind::Bishop));
        let (rooks, queens) = (count(PieceKind::Rook), count(PieceKind::Queen));
        for (kind, men) in [pawns, knights, bishops, rooks, queens].into_iter().enumerate() {
            self.add(us, w::MATERIAL[kind] * men);
        }
        self.add(us, w::KNIGHT_PER_PAWN * (knights * (pawns - 5)));
        self.add(us, w::ROOK_PER_PAWN * (rooks * (pawns - 5)));
        if bishops >= 2 {
            self.add(us, w::BISHOP_PAIR);
        }
        if knights >= 2 {
            self.add(us, w::KNIGHT_PAIR);
        }
        if rooks >= 2 {
            self.add(us, w::ROOK_PAIR);
        }
    }
}
