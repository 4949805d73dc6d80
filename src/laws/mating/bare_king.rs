//! One man against a bare king, decided by a look at the moves.
//!
//! Lemma. With a queen, a rook or a pawn against a bare king, the stronger side can mate if the bare
//! king is to move and has a legal move that takes nothing, or if the stronger side is to move and
//! has a queen or a rook, or at least two legal moves. The tests compare every such position with
//! an exhaustive retrograde solver.

use crate::board::Position;
use crate::types::{Color, PieceKind};

/// Whether the lemma proves that this side can mate.
pub(super) fn proves_mate(position: &Position, winner: Color) -> bool {
    let own = position.by_color(winner);
    if own.count() != 2 || position.by_color(!winner).count() != 1 {
        return false;
    }
    let straight = position.by_kind(PieceKind::Queen) | position.by_kind(PieceKind::Rook);
    if (straight | position.by_kind(PieceKind::Pawn)).is_empty() {
        return false;
    }
    if position.side_to_move() == winner {
        return straight.any() || position.count_legal() >= 2;
    }
    position.legal_moves().iter().any(|mv| !mv.is_capture())
}
