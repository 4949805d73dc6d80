//! Our positions as boards of the solver's crate, and its moves as ours.

use chess::{CastleRights, Piece as TheirPiece, Square as TheirSquare};

use crate::board::Position;
use crate::laws::WrittenMove;
use crate::types::{CastlingSide, Color, File, Move, PieceKind, Square};

fn square(square: Square) -> TheirSquare {
    TheirSquare::make_square(
        chess::Rank::from_index(square.rank().index()),
        chess::File::from_index(square.file().index()),
    )
}

fn kind(kind: PieceKind) -> TheirPiece {
    match kind {
        PieceKind::Pawn => TheirPiece::Pawn,
        PieceKind::Knight => TheirPiece::Knight,
        PieceKind::Bishop => TheirPiece::Bishop,
        PieceKind::Rook => TheirPiece::Rook,
        PieceKind::Queen => TheirPiece::Queen,
        PieceKind::King => TheirPiece::King,
    }
}

/// Our side as theirs.
pub(super) fn color(color: Color) -> chess::Color {
    match color {
        Color::White => chess::Color::White,
        Color::Black => chess::Color::Black,
    }
}

/// Whether the crate knows this right: king on the e-file, rook on the file of ordinary chess.
pub(super) fn is_standard_right(position: &Position, side: Color, castling: CastlingSide) -> bool {
    let file = match castling {
        CastlingSide::Short => File::H,
        CastlingSide::Long => File::A,
    };
    position.king(side).file() == File::E
        && position.castling().rook_file(side, castling) == Some(file)
}

/// Whether a right is left that the crate does not know.
pub(super) fn has_foreign_right(position: &Position) -> bool {
    Color::ALL.into_iter().any(|side| {
        CastlingSide::ALL.into_iter().any(|castling| {
            position.castling().rook(side, castling).is_some()
                && !is_standard_right(position, side, castling)
        })
    })
}

/// The position as the crate sees it, without the castling rights that it does not know; `None` if
/// the crate thinks it impossible.
pub(super) fn board(position: &Position) -> Option<chess::Board> {
    let mut builder = chess::BoardBuilder::new();
    for from in position.occupied() {
        if let Some(piece) = position.piece_at(from) {
            builder.piece(square(from), kind(piece.kind()), color(piece.color()));
        }
    }
    builder.side_to_move(color(position.side_to_move()));
    for side in Color::ALL {
        let has = |castling| is_standard_right(position, side, castling);
        let rights = match (has(CastlingSide::Short), has(CastlingSide::Long)) {
            (true, true) => CastleRights::Both,
            (true, false) => CastleRights::KingSide,
            (false, true) => CastleRights::QueenSide,
            (false, false) => CastleRights::NoRights,
        };
        builder.castle_rights(color(side), rights);
    }
    let file = position.en_passant().map(|target| chess::File::from_index(target.file().index()));
    builder.en_passant(file);
    chess::Board::try_from(builder).ok()
}

/// Their line as legal moves of ours that end in checkmate by this side; `None` if it is not one.
pub(super) fn replay(
    position: &Position,
    winner: Color,
    line: &[chess::ChessMove],
) -> Option<Vec<Move>> {
    let mut now = *position;
    let mut moves = Vec::with_capacity(line.len());
    for theirs in line {
        let promotion = match theirs.get_promotion() {
            None => None,
            Some(TheirPiece::Queen) => Some(PieceKind::Queen),
            Some(TheirPiece::Rook) => Some(PieceKind::Rook),
            Some(TheirPiece::Bishop) => Some(PieceKind::Bishop),
            Some(TheirPiece::Knight) => Some(PieceKind::Knight),
            Some(_) => return None,
        };
        let from = Square::from_index(theirs.get_source().to_index())?;
        let to = Square::from_index(theirs.get_dest().to_index())?;
        let mv = WrittenMove { from, to, promotion }.resolve(&now)?;
        now.play(mv);
        moves.push(mv);
    }
    (now.side_to_move() != winner && now.is_checkmate()).then_some(moves)
}
