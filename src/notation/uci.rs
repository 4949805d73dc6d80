//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling as `e1g1` or `e1h1`.
//!
//! Source: the UCI protocol, 2006, with its Chess960 appendix.

use crate::board::Position;
use crate::types::{CastlingSide, Color, Move, MoveKind, PieceKind, Rank, Square};

/// Why a text is not a move in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciMoveError {
    /// Not two squares and a promotion letter.
    #[error("{0:?} is not a move: two squares are expected, as in e2e4 or e7e8q")]
    Syntax(String),
    /// The null move, which no rule allows.
    #[error("0000 is the null move")]
    Null,
    /// A pawn would reach its last rank and become nothing.
    #[error("{0:?} names no piece to promote to")]
    MissingPromotion(String),
    /// No legal move of the position.
    #[error("{0:?} is not a legal move here")]
    Illegal(String),
}

/// Writes a move; castling as the king's step in ordinary chess, as "king takes own rook" in
/// Chess960.
pub fn to_uci(mv: Move, chess960: bool) -> String {
    let to = if chess960 { mv.to() } else { king_lands(mv).unwrap_or(mv.to()) };
    let mut text = format!("{}{}", mv.from(), to);
    if let Some(kind) = mv.promotion() {
        text.push(kind.letter());
    }
    text
}

/// Where the king arrives, if the move is castling.
pub(super) fn king_lands(mv: Move) -> Option<Square> {
    let side = match mv.kind() {
        MoveKind::CastleShort => CastlingSide::Short,
        MoveKind::CastleLong => CastlingSide::Long,
        _ => return None,
    };
    let color = if mv.from().rank() == Rank::First { Color::White } else { Color::Black };
    Some(side.king_to(color))
}

/// Reads a move in either case and with either spelling of castling; what comes back is legal.
///
/// Where a text fits a king's step as well as castling, it is the step.
///
/// # Errors
/// If the text is no move, the null move, or not legal in the position.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, UciMoveError> {
    let text = text.trim_ascii();
    // A hostile token may be megabytes long; the message need not be.
    let shown = || text.chars().take(20).collect::<String>();
    if text == "0000" {
        return Err(UciMoveError::Null);
    }
    let Some((from, to, promotion)) = split(text) else {
        return Err(UciMoveError::Syntax(shown()));
    };

    let moves = position.legal_moves();
    let exact = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion() == promotion;
    let king_step =
        |mv: &&Move| mv.from() == from && promotion.is_none() && king_lands(**mv) == Some(to);
    if let Some(&mv) = moves.iter().find(exact).or_else(|| moves.iter().find(king_step)) {
        return Ok(mv);
    }
    let promotes = |mv: &Move| mv.from() == from && mv.to() == to && mv.is_promotion();
    if promotion.is_none() && moves.iter().any(promotes) {
        return Err(UciMoveError::MissingPromotion(shown()));
    }
    Err(UciMoveError::Illegal(shown()))
}

fn split(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
        return None;
    }
    let promotion = match text[4..].chars().next() {
        Some(letter) => {
            Some(PieceKind::from_letter(letter).filter(|k| PieceKind::PROMOTIONS.contains(k))?)
        }
        None => None,
    };
    Some((text[..2].parse().ok()?, text[2..4].parse().ok()?, promotion))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn read(fen: &str, text: &str) -> Result<String, UciMoveError> {
        let position = Position::from_fen(fen).unwrap();
        parse_uci(&position, text).map(|mv| to_uci(mv, true))
    }

    #[test]
    fn both_spellings_of_castling() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, exact) in [("e1g1", "e1h1"), ("e1h1", "e1h1"), ("E1C1", "e1a1")] {
            assert_eq!(read(fen, text).as_deref(), Ok(exact));
        }
        let position = Position::from_fen(fen).unwrap();
        let castling = parse_uci(&position, "e1h1").unwrap();
        assert_eq!(to_uci(castling, false), "e1g1");
    }

    #[test]
    fn a_step_of_the_king_comes_before_castling() {
        let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        let position = Position::from_fen(fen).unwrap();
        assert!(!parse_uci(&position, "f1g1").unwrap().is_castling());
        assert!(parse_uci(&position, "f1h1").unwrap().is_castling());
    }

    #[test]
    fn what_is_no_move_says_why() {
        let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(read(fen, "a7a8N").as_deref(), Ok("a7a8n"));
        assert_eq!(read(fen, "0000"), Err(UciMoveError::Null));
        assert_eq!(read(fen, "a7a8"), Err(UciMoveError::MissingPromotion("a7a8".into())));
        assert_eq!(read(fen, "a1a3"), Err(UciMoveError::Illegal("a1a3".into())));
        for text in ["", "a1", "a1a2k", "a1a2p", "i1a2", "a1a22", "ä1a", "a7a8qq"] {
            assert_eq!(read(fen, text), Err(UciMoveError::Syntax(text.into())));
        }
    }
}
