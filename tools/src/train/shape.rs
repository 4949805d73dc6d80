//! The shape of a network in training and where its parameters lie.

use std::ops::Range;

use ferz::nnue::arch;
use serde::{Deserialize, Serialize};

/// Numbers that the kernels take together: every part but the last starts at a multiple of it.
pub const LANE: usize = 16;

/// A shape the trainer cannot build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// The kernels work on blocks of 16 neurons.
    #[error("hidden: {0} is not a multiple of 16 from 16 to 2048")]
    Hidden(usize),
    /// Men are counted from 2 to 32.
    #[error("output buckets: {0} is not from 1 to 32")]
    OutputBuckets(usize),
    /// Only some divisions of the board are known.
    #[error("king buckets: {0} is not one of 1, 2, 4, 8")]
    KingBuckets(usize),
}

/// The sizes of a network in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Neurons of one perspective.
    pub hidden: usize,
    /// Output rows, chosen by the number of men.
    pub output_buckets: usize,
    /// Input planes, chosen by the square of the own king.
    pub king_buckets: usize,
}

impl Shape {
    /// Checks the sizes.
    pub fn new(
        hidden: usize,
        output_buckets: usize,
        king_buckets: usize,
    ) -> Result<Shape, ShapeError> {
        if !(16..=2048).contains(&hidden) || !hidden.is_multiple_of(LANE) {
            return Err(ShapeError::Hidden(hidden));
        }
        if !(1..=arch::MAX_MEN).contains(&output_buckets) {
            return Err(ShapeError::OutputBuckets(output_buckets));
        }
        if ![1, 2, 4, 8].contains(&king_buckets) {
            return Err(ShapeError::KingBuckets(king_buckets));
        }
        Ok(Shape { hidden, output_buckets, king_buckets })
    }

    /// Rows of input weights: one plane per king bucket and, when there are several, a shared plane
    /// that every bucket learns together.
    pub fn rows(&self) -> usize {
        let planes = if self.king_buckets > 1 { self.king_buckets + 1 } else { 1 };
        planes * arch::INPUTS
    }

    /// The plane for an own king on this square, files already mirrored to a–d.
    pub fn king_bucket(&self, king: usize) -> usize {
        let (file, rank) = (king % 8, king / 8);
        match self.king_buckets {
            1 => 0,
            2 => (rank >= 2) as usize,
            4 => match rank {
                0 => (file >= 2) as usize,
                1 => 2,
                _ => 3,
            },
            _ => match rank {
                0 => file,
                1 => 4 + (file >= 2) as usize,
                2 | 3 => 6,
                _ => 7,
            },
        }
    }

    /// Input weights, row by row.
    pub fn input(&self) -> Range<usize> {
        0..self.rows() * self.hidden
    }

    /// Biases of the neurons.
    pub fn hidden_bias(&self) -> Range<usize> {
        let start = self.input().end;
        start..start + self.hidden
    }

    /// Output weights: per bucket the side to move's neurons, then the other side's.
    pub fn output(&self) -> Range<usize> {
        let start = self.hidden_bias().end;
        start..start + self.output_buckets * 2 * self.hidden
    }

    /// The output weights of a bucket and side (0 the side to move's), counted in rows of neurons
    /// from the first parameter.
    pub fn output_row(&self, bucket: usize, side: usize) -> usize {
        self.rows() + 1 + 2 * bucket + side
    }

    /// Output biases, one per bucket.
    pub fn output_bias(&self) -> Range<usize> {
        let start = self.output().end;
        start..start + self.output_buckets
    }

    /// How many parameters there are, filled up to whole lanes.
    pub fn parameters(&self) -> usize {
        self.output_bias().end.next_multiple_of(LANE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_checked() {
        assert_eq!(Shape::new(100, 1, 1), Err(ShapeError::Hidden(100)));
        assert_eq!(Shape::new(64, 0, 1), Err(ShapeError::OutputBuckets(0)));
        assert_eq!(Shape::new(64, 1, 3), Err(ShapeError::KingBuckets(3)));
        assert_eq!(Shape::new(256, 1, 1).map(|s| s.parameters()), Ok(768 * 256 + 256 + 512 + 16));
    }

    #[test]
    fn every_king_square_has_a_bucket() {
        for buckets in [1, 2, 4, 8] {
            let shape = Shape::new(16, 1, buckets).expect("a known division");
            let mut used = vec![false; buckets];
            for king in (0..64).filter(|square| square % 8 < 4) {
                used[shape.king_bucket(king)] = true;
            }
            assert!(used.iter().all(|&bucket| bucket), "{buckets}");
        }
    }
}
