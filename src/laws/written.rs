//! A move as it is written down or seen on the board: where from, where to, what the pawn becomes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::types::{CastlingSide, Move, MoveKind, PieceKind, Square};

/// A move by its squares alone, legal or not: `e2e4`, `e7e8q`, `e1g1`, `e1h1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WrittenMove {
    /// The square the man leaves.
    pub from: Square,
    /// The square it is put on; for castling the king's or the rook's square.
    pub to: Square,
    /// What a pawn becomes; `None` also for a pawn left on the last rank as it is.
    pub promotion: Option<PieceKind>,
}

impl WrittenMove {
    /// A move without promotion.
    pub const fn new(from: Square, to: Square) -> WrittenMove {
        WrittenMove { from, to, promotion: None }
    }

    /// The legal move that these squares mean in this position, if there is one.
    ///
    /// Where a step of the king and castling share their squares (Chess960), the step is meant.
    pub fn resolve(self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let ordinary = moves.iter().find(|mv| {
            !mv.is_castling()
                && mv.from() == self.from
                && mv.to() == self.to
                && mv.promotion() == self.promotion
        });
        let castling = || {
            moves.iter().find(|mv| {
                mv.is_castling()
                    && mv.from() == self.from
                    && self.promotion.is_none()
                    && (mv.to() == self.to || king_arrives(**mv, position) == self.to)
            })
        };
        ordinary.or_else(castling).copied()
    }

    /// Whether these squares are a pawn's legal advance to the last rank with its new piece still
    /// open.
    pub fn leaves_promotion_open(self, position: &Position) -> bool {
        self.promotion.is_none()
            && position
                .legal_moves()
                .iter()
                .any(|mv| mv.is_promotion() && mv.from() == self.from && mv.to() == self.to)
    }
}

/// Where the king stands after castling.
pub(super) fn king_arrives(mv: Move, position: &Position) -> Square {
    castling_side(mv).king_to(position.side_to_move())
}

/// The direction of a castling move.
pub(super) fn castling_side(mv: Move) -> CastlingSide {
    if mv.kind() == MoveKind::CastleShort { CastlingSide::Short } else { CastlingSide::Long }
}

impl From<Move> for WrittenMove {
    /// Castling is written from the king's square to the rook's, which no other move shares.
    fn from(mv: Move) -> WrittenMove {
        WrittenMove { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
    }
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

/// The text is not two squares with an optional promotion letter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a move such as e2e4 or e7e8q")]
pub struct WrittenMoveError(String);

impl FromStr for WrittenMove {
    type Err = WrittenMoveError;

    fn from_str(text: &str) -> Result<WrittenMove, WrittenMoveError> {
        let wrong = || WrittenMoveError(text.to_owned());
        let square = |range| text.get(range).and_then(|s: &str| s.parse().ok()).ok_or_else(wrong);
        let promotion = match text.get(4..).ok_or_else(wrong)? {
            "" => None,
            letter if letter.len() == 1 => {
                let kind = letter.chars().next().and_then(PieceKind::from_letter);
                Some(kind.ok_or_else(wrong)?)
            }
            _ => return Err(wrong()),
        };
        Ok(WrittenMove { from: square(0..2)?, to: square(2..4)?, promotion })
    }
}

impl TryFrom<String> for WrittenMove {
    type Error = WrittenMoveError;

    fn try_from(text: String) -> Result<WrittenMove, WrittenMoveError> {
        text.parse()
    }
}

impl From<WrittenMove> for String {
    fn from(mv: WrittenMove) -> String {
        mv.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_and_nonsense_is_refused() {
        for text in ["e2e4", "e7e8q", "a1h8", "b7a8n"] {
            assert_eq!(text.parse::<WrittenMove>().unwrap().to_string(), text);
        }
        for text in ["", "e2", "e2e", "e2e9", "e7e8x", "e7e8qq", "é2e4", "e2e4é"] {
            assert!(text.parse::<WrittenMove>().is_err(), "{text}");
        }
    }

    #[test]
    fn both_spellings_of_castling_resolve_to_the_same_move() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for (king, rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let a = king.parse::<WrittenMove>().unwrap().resolve(&position).unwrap();
            let b = rook.parse::<WrittenMove>().unwrap().resolve(&position).unwrap();
            assert!(a.is_castling());
            assert_eq!(a, b);
        }
    }
}
