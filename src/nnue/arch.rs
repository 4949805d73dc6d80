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

/// Quantum of the accumulator: 1.0 is stored as 255.
pub const QA: i32 = 255;

/// Quantum of the output weights: 1.0 is stored as 64.
pub const QB: i32 = 64;

/// The largest absolute output weight: `QA * MAX_OUTPUT_WEIGHT` must fit an `i16`.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;

/// The most men that stand on a board.
pub const MAX_MEN: usize = 32;

/// The output row for this many men (2 to 32).
#[inline]
pub const fn output_bucket(men: usize, buckets: usize) -> usize {
    men.saturating_sub(2) * buckets / MAX_MEN
}
