//! Every size and constant of the network's architecture.
//!
//! `(768 → HIDDEN) × 2 → 1`: one input per kind, colour and square of a man, seen from each side
//! with the board mirrored so that the own king stands on the files a to d; SCReLU; one output row
//! per [`OUTPUT_BUCKETS`] class of men left on the board.

/// Inputs of one perspective: two colours × six kinds × 64 squares.
pub const INPUTS: usize = 768;

/// Neurons of one perspective.
pub const HIDDEN: usize = 256;

/// Output rows; the number of men on the board chooses one.
pub const OUTPUT_BUCKETS: usize = 1;

/// Quantum of the accumulator: 1.0 is stored as 255, so that its square fits 16 bits.
pub const QA: i32 = 255;

/// Low bits dropped from the square of an activation, to leave room for the sum in 32 bits.
pub const SQUARE_SHIFT: i32 = 3;

/// The largest shifted square.
pub const MAX_SQUARE: i32 = (QA * QA) >> SQUARE_SHIFT;

/// Quantum of the output weights: 1.0 is stored as 1024.
pub const QB: i32 = 1024;

/// The most men that stand on a board.
pub const MAX_MEN: usize = 32;

/// The output row for this many men (2 to 32).
#[inline]
pub const fn output_bucket(men: usize, buckets: usize) -> usize {
    men.saturating_sub(2) * buckets / MAX_MEN
}
