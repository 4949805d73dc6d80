//! Where men attack: step tables for pawn, knight and king, magic bitboards for the sliders, and
//! the squares between and along two squares.
//!
//! All tables are made by the compiler, so there is nothing to initialise and nothing to test on
//! the way to an attack.

mod magics;
pub mod rays;
mod steps;

pub use magics::{bishop, queen, rook};
pub use steps::{between, bishop_lines, king, knight, line, pawn, rook_lines};

use crate::types::{Bitboard, Color, PieceKind, Square};

/// What a man of this kind attacks from a square over these blockers. Colour matters to pawns only.
#[inline]
pub fn attacks(kind: PieceKind, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, from),
        PieceKind::Knight => knight(from),
        PieceKind::Bishop => bishop(from, occupied),
        PieceKind::Rook => rook(from, occupied),
        PieceKind::Queen => queen(from, occupied),
        PieceKind::King => king(from),
    }
}
