//! What stands where before it is known to be a position, and the checks that make it one.

use super::Position;
use super::placement::Placement;
use super::{FenError, chess960, fen};
use crate::types::{Bitboard, Castling, CastlingSide, Color, Piece, PieceKind, Rank, Square};

/// Facts that may or may not make a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The man on each square, by square index.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// Castling rights, each with its rook's file.
    pub castling: Castling,
    /// The square behind a pawn that has just moved two squares.
    pub double_push: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move to be made; 0 is read as 1.
    pub fullmove_number: u32,
}

/// Why a set-up is no position of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidPosition {
    /// A side has no king, or several.
    #[error("{color} has {count} kings, not one")]
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        count: u32,
    },
    /// A pawn stands where no pawn can.
    #[error("a pawn stands on {square}")]
    PawnOnBackRank {
        /// Where.
        square: Square,
    },
    /// More than sixteen men or eight pawns of one side.
    #[error("{color} has {men} men and {pawns} pawns; at most 16 and 8 are possible")]
    TooManyMen {
        /// The side.
        color: Color,
        /// Its men.
        men: u32,
        /// Its pawns.
        pawns: u32,
    },
    /// The side to move could take the king.
    #[error("{color} is in check and it is not its move")]
    OpponentInCheck {
        /// The side that is not to move.
        color: Color,
    },
    /// A castling right without its king or rook.
    #[error("{color} cannot castle with a rook on the {file}-file")]
    Castling {
        /// The side.
        color: Color,
        /// The rook's file, as a letter.
        file: char,
    },
    /// No pawn can just have passed this square.
    #[error("no pawn can just have passed {square}")]
    EnPassant {
        /// The square.
        square: Square,
    },
}

impl Setup {
    /// An empty board with White to move.
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling: Castling::NONE,
            double_push: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Drops castling rights that have no king or rook, and an en passant square that no pawn can
    /// just have passed.
    pub fn drop_impossible(&mut self) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if !self.castling_is_possible(color, side) {
                    self.castling.revoke(color, side);
                }
            }
        }
        if self.double_push.is_some_and(|square| !self.double_push_is_possible(square)) {
            self.double_push = None;
        }
    }

    fn castling_is_possible(&self, color: Color, side: CastlingSide) -> bool {
        let Some(rook) = self.castling.rook(color, side) else { return true };
        let back_rank = Rank::First.relative_to(color);
        let king = Piece::new(color, PieceKind::King);
        let king_file = Square::ALL
            .into_iter()
            .find(|&square| self.pieces[square.index()] == Some(king) && square.rank() == back_rank)
            .map(Square::file);
        let on_its_side = king_file.is_some_and(|king| match side {
            CastlingSide::Short => king < rook.file(),
            CastlingSide::Long => rook.file() < king,
        });
        on_its_side && self.pieces[rook.index()] == Some(Piece::new(color, PieceKind::Rook))
    }

    fn double_push_is_possible(&self, square: Square) -> bool {
        let mover = !self.side_to_move;
        let (Some(from), Some(to)) = (square.forward(!mover), square.forward(mover)) else {
            return false;
        };
        square.rank() == Rank::Third.relative_to(mover)
            && self.pieces[to.index()] == Some(Piece::new(mover, PieceKind::Pawn))
            && self.pieces[square.index()].is_none()
            && self.pieces[from.index()].is_none()
    }

    fn placement(&self) -> Placement {
        let mut men = Placement::EMPTY;
        for square in Square::ALL {
            if let Some(piece) = self.pieces[square.index()] {
                men.toggle(piece.color(), piece.kind(), square.bitboard());
            }
        }
        men.side_to_move = self.side_to_move;
        men.castling = self.castling;
        men.double_push = self.double_push;
        men
    }

    fn check(&self, men: &Placement) -> Result<(), InvalidPosition> {
        for color in Color::ALL {
            let count = men.of(color, PieceKind::King).count();
            if count != 1 {
                return Err(InvalidPosition::Kings { color, count });
            }
            let pawns = men.of(color, PieceKind::Pawn).count();
            let total = men.color(color).count();
            if total > 16 || pawns > 8 {
                return Err(InvalidPosition::TooManyMen { color, men: total, pawns });
            }
            for side in CastlingSide::ALL {
                if !self.castling_is_possible(color, side) {
                    let file = self.castling.rook_file(color, side).map_or('-', |f| f.letter());
                    return Err(InvalidPosition::Castling { color, file });
                }
            }
        }
        let back_ranks: Bitboard = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (men.kind(PieceKind::Pawn) & back_ranks).first() {
            return Err(InvalidPosition::PawnOnBackRank { square });
        }
        let waiting = !self.side_to_move;
        if men.is_attacked(men.king(waiting), self.side_to_move, men.occupied()) {
            return Err(InvalidPosition::OpponentInCheck { color: waiting });
        }
        match self.double_push {
            Some(square) if !self.double_push_is_possible(square) => {
                Err(InvalidPosition::EnPassant { square })
            }
            _ => Ok(()),
        }
    }
}

impl Position {
    /// Checks a set-up and makes it a position.
    ///
    /// # Errors
    /// Names the first fault found; [`Setup::drop_impossible`] mends those that can be mended.
    pub fn from_setup(setup: &Setup) -> Result<Position, InvalidPosition> {
        let men = setup.placement();
        setup.check(&men)?;
        Ok(Position::assemble(men, setup.halfmove_clock, setup.fullmove_number.max(1)))
    }

    /// The facts of the position.
    pub fn to_setup(&self) -> Setup {
        Setup {
            pieces: Square::ALL.map(|square| self.piece_at(square)),
            side_to_move: self.side_to_move(),
            castling: self.castling(),
            double_push: self.double_push(),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number(),
        }
    }

    /// The same position with colours and ranks exchanged: what is White's becomes Black's.
    pub fn color_flipped(&self) -> Position {
        let mut men = Placement::EMPTY;
        for (flipped, kind) in men.kinds.iter_mut().zip(self.men.kinds) {
            *flipped = kind.flipped();
        }
        men.colors = [self.men.colors[1].flipped(), self.men.colors[0].flipped()];
        men.side_to_move = !self.side_to_move();
        men.double_push = self.double_push().map(Square::flipped);
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(file) = self.castling().rook_file(color, side) {
                    men.castling.grant(!color, side, file);
                }
            }
        }
        Position::assemble(men, self.halfmove_clock(), self.fullmove_number())
    }

    /// The ordinary first position.
    pub fn startpos() -> Position {
        const ORDINARY: u16 = 518;
        Position::chess960(ORDINARY).expect("518 is one of the 960 first positions")
    }

    /// The Chess960 first position with this number (R. Scharnagl), 0 to 959.
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_chess960(number, number)
    }

    /// A first position with a number of its own for each side; each 0 to 959.
    pub fn double_chess960(white: u16, black: u16) -> Option<Position> {
        Position::from_setup(&chess960::setup(white, black)?).ok()
    }

    /// Reads FEN, X-FEN or Shredder-FEN, repairing what can be repaired; missing fields mean White
    /// to move, no rights, clock 0, move 1.
    ///
    /// # Errors
    /// Names the field and the reason.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_setup(&fen::read(text)?)?)
    }

    /// Reads a FEN of six exact fields.
    ///
    /// # Errors
    /// Names the field that is faulty or not in its exact form.
    pub fn from_fen_strict(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_setup(&fen::read_strict(text)?)?)
    }

    /// The FEN, with X-FEN castling letters and an en passant square only where one can be taken.
    pub fn fen(&self) -> String {
        fen::write(self)
    }

    /// The FEN with the files of the castling rooks as letters.
    pub fn shredder_fen(&self) -> String {
        fen::write_shredder(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kings() -> Setup {
        let mut setup = Setup::empty();
        setup.pieces[Square::E1.index()] = Some(Piece::WhiteKing);
        setup.pieces[Square::E8.index()] = Some(Piece::BlackKing);
        setup
    }

    #[test]
    fn faults_are_named() {
        let mut setup = Setup::empty();
        let kings_missing = InvalidPosition::Kings { color: Color::White, count: 0 };
        assert_eq!(Position::from_setup(&setup), Err(kings_missing));
        setup = kings();
        assert!(Position::from_setup(&setup).is_ok());
        setup.pieces[Square::E2.index()] = Some(Piece::WhiteRook);
        let check = InvalidPosition::OpponentInCheck { color: Color::Black };
        assert_eq!(Position::from_setup(&setup), Err(check));
        setup.side_to_move = Color::Black;
        assert!(Position::from_setup(&setup).is_ok_and(|position| position.in_check()));
        setup.pieces[Square::A8.index()] = Some(Piece::WhitePawn);
        let pawn = InvalidPosition::PawnOnBackRank { square: Square::A8 };
        assert_eq!(Position::from_setup(&setup), Err(pawn));
    }

    #[test]
    fn impossible_rights_are_dropped() {
        let mut setup = kings();
        setup.pieces[Square::H1.index()] = Some(Piece::WhiteRook);
        setup.castling.grant(Color::White, CastlingSide::Short, crate::types::File::H);
        setup.castling.grant(Color::White, CastlingSide::Long, crate::types::File::A);
        setup.double_push = Some(Square::D6);
        setup.drop_impossible();
        assert!(setup.castling.rook(Color::White, CastlingSide::Short).is_some());
        assert!(setup.castling.rook(Color::White, CastlingSide::Long).is_none());
        assert_eq!(setup.double_push, None);
    }
}
