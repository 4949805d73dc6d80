//! Ferz: a UCI chess engine that knows the Laws of Chess to the letter.
//!
//! A room imports only from the rooms above it:
//! [`types`], [`attacks`], [`board`], [`notation`], [`laws`], [`tablebase`], [`eval`], [`nnue`],
//! [`search`], [`book`], [`engine`], [`uci`], [`cli`].

pub mod attacks;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod laws;
pub mod nnue;
pub mod notation;
pub mod search;
pub mod tablebase;
pub mod types;
pub mod uci;
