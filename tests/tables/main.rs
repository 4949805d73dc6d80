//! Endgame tables and opening books against their reference data.

mod polyglot;
mod syzygy;
