//! Ferz: a UCI chess engine that knows the Laws of Chess to the letter.
//!
//! A room imports only from the rooms above it:
//! [`types`], [`attacks`], [`board`], [`notation`], [`eval`], [`search`], [`engine`], [`uci`],
//! [`cli`].

pub mod attacks;
pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod search;
pub mod types;
pub mod uci;
