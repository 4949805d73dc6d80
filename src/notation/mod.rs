//! Moves, positions and games as text: UCI, SAN, PGN, EPD.

mod uci;

pub use uci::{UciMoveError, parse_uci, to_uci};
