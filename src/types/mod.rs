//! The words that every other room speaks: sides, men, squares, moves, scores.

mod bitboard;
mod castling;
mod chess_move;
mod color;
mod piece;
pub mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{Castling, CastlingSide};
pub use chess_move::{MAX_MOVES, Move, MoveKind, MoveList};
pub use color::Color;
pub use piece::{Piece, PieceKind};
pub use score::{Depth, Score};
pub use square::{File, ParseSquareError, Rank, Square};
