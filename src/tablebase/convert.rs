//! A position in the form that the `shakmaty` crates read.

use std::num::NonZeroU32;

use shakmaty::{ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};

use crate::board::Position;
use crate::types::{CastlingSide, Color, PieceKind, Square};

/// The position as `shakmaty` holds it, with the square behind the last double step as en passant
/// square; `None` for the few that it refuses and we do not.
pub(crate) fn to_shakmaty(position: &Position) -> Option<Chess> {
    let kind = |kind| shakmaty::Bitboard(position.by_kind(kind).0);
    let roles = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let colors = ByColor {
        black: shakmaty::Bitboard(position.by_color(Color::Black).0),
        white: shakmaty::Bitboard(position.by_color(Color::White).0),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
    setup.turn = match position.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling().rook(color, side) {
                setup.castling_rights.add(square(rook));
            }
        }
    }
    setup.ep_square = position.double_push().map(square);
    setup.halfmoves = position.halfmove_clock();
    setup.fullmoves = NonZeroU32::new(position.fullmove_number()).unwrap_or(NonZeroU32::MIN);
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}

fn square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}
