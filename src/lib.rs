//! Ferz: a UCI chess engine that knows the Laws of Chess to the letter.
//!
//! A room imports only from the rooms above it:
//! [`types`], [`attacks`], [`board`],
//! [`nnue`].

pub mod attacks;
pub mod board;
pub mod nnue;
pub mod types;
