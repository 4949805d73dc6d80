//! Moves, positions and games as text: UCI, SAN, PGN, EPD.

pub mod epd;
pub mod pgn;
mod san;
mod uci;

pub use san::{SanError, parse_san, to_san};
pub use uci::{UciMoveError, parse_uci, to_uci};
