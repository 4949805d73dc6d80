//! Positions and how moves change them: legal moves, keys, FEN, exchanges, repetition, perft.

mod chess960;
mod cuckoo;
mod fen;
mod generate;
mod history;
mod keys;
mod perft;
mod placement;
mod position;
mod see;
mod setup;

pub use chess960::CHESS960_COUNT;
pub use fen::{FenError, FenFault, FenField};
pub use history::Board;
pub use perft::{perft, perft_divide};
pub use position::{NoObserver, Observer, Position};
pub use setup::{InvalidPosition, Setup};
