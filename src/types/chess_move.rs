//! Moves in sixteen bits.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// What a move does beside going from one square to another: the top four bits of a [`Move`].
///
/// Bit 2 is set for captures, bit 3 for promotions. The values 6 and 7 mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Neither capture nor promotion nor any of the special moves.
    Quiet = 0,
    /// A pawn's two-square advance.
    DoublePush = 1,
    /// Castling towards the h-file.
    CastleShort = 2,
    /// Castling towards the a-file.
    CastleLong = 3,
    /// An ordinary capture.
    Capture = 4,
    /// A pawn takes a pawn that has just passed it.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// Promotion to a knight with a capture.
    CapturePromoteKnight = 12,
    /// Promotion to a bishop with a capture.
    CapturePromoteBishop = 13,
    /// Promotion to a rook with a capture.
    CapturePromoteRook = 14,
    /// Promotion to a queen with a capture.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The kind of a four-bit number.
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<MoveKind> {
        Some(match bits {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::CastleShort,
            3 => MoveKind::CastleLong,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8 => MoveKind::PromoteKnight,
            9 => MoveKind::PromoteBishop,
            10 => MoveKind::PromoteRook,
            11 => MoveKind::PromoteQueen,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            15 => MoveKind::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The kind that promotes to this piece.
    ///
    /// # Panics
    /// If a pawn or a king is asked for.
    #[inline]
    pub const fn promotion(to: PieceKind, captures: bool) -> MoveKind {
        match (to, captures) {
            (PieceKind::Knight, false) => MoveKind::PromoteKnight,
            (PieceKind::Bishop, false) => MoveKind::PromoteBishop,
            (PieceKind::Rook, false) => MoveKind::PromoteRook,
            (PieceKind::Queen, false) => MoveKind::PromoteQueen,
            (PieceKind::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceKind::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceKind::Rook, true) => MoveKind::CapturePromoteRook,
            (PieceKind::Queen, true) => MoveKind::CapturePromoteQueen,
            (PieceKind::Pawn | PieceKind::King, _) => panic!("a pawn becomes no pawn and no king"),
        }
    }
}

/// A move: from (bits 0–5), to (bits 6–11), kind (bits 12–15).
///
/// Castling goes from the king's square to the square of its own rook, in ordinary chess too.
/// A value says nothing of legality: see `Position::is_legal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of this kind.
    ///
    /// # Panics
    /// If it is a quiet move from a1 to a1, whose sixteen bits are zero and mean "no move".
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move goes somewhere"),
        }
    }

    /// The move of a sixteen-bit pattern; `None` for zero and for the two kinds that mean nothing.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match (NonZeroU16::new(bits), MoveKind::from_bits((bits >> 12) as u8)) {
            (Some(bits), Some(_)) => Some(Move(bits)),
            _ => None,
        }
    }

    /// The sixteen bits, never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square it starts from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// The square it goes to; for castling, that of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u32)
    }

    /// What kind of move it is.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits((self.0.get() >> 12) as u8) {
            Some(kind) => kind,
            None => unreachable!(),
        }
    }

    /// Whether it takes a man, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() & 0x4000 != 0
    }

    /// Whether a pawn is promoted.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & 0x8000 != 0
    }

    /// Whether it takes a man or promotes to a queen: what quiescence looks at.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() || self.0.get() >> 12 == MoveKind::PromoteQueen as u16
    }

    /// Whether it is not noisy: under-promotions without capture are quiet.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// Whether it is castling, to either side.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.0.get() >> 12, 2 | 3)
    }

    /// Whether it takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveKind::EnPassant as u16
    }

    /// The kind that the pawn becomes, if it is promoted.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.0.get() >> 12 & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

/// More moves than any position has that `Position::validate` lets pass: fifteen queens, each with
/// at most 27 moves, and a king.
pub const MAX_MOVES: usize = 15 * 27 + 8;

/// A list of moves that needs no allocation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
