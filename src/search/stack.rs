//! What the search remembers of each ply of the line it is on.

use super::history::PieceTo;
use crate::types::score::{MAX_PLY, NO_SCORE};
use crate::types::{Bitboard, Depth, Move, Score};

/// One ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The move made from here; `None` for a null move.
    pub mv: Option<Move>,
    /// The man of that move and where it goes.
    pub moved: PieceTo,
    /// The corrected static evaluation, or [`NO_SCORE`] in check.
    pub eval: Score,
    /// Squares that the side not to move attacks.
    pub threats: Bitboard,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// Plies by which the search of the move made from here is reduced.
    pub reduction: Depth,
    /// Beta cut-offs among this ply's nodes since its grandparent was entered.
    pub cutoffs: u32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        mv: None,
        moved: PieceTo::NONE,
        eval: NO_SCORE,
        threats: Bitboard::EMPTY,
        excluded: None,
        reduction: 0,
        cutoffs: 0,
    };
}

/// Frames before the root, so that looking back needs no test.
const BEFORE: usize = 6;
/// Frames after the last ply, so that clearing ahead needs no test.
const AFTER: usize = 4;

/// All plies of a line, and a few before its root.
pub(super) struct Stack(Box<[Frame; BEFORE + MAX_PLY + AFTER]>);

impl Stack {
    pub fn new() -> Stack {
        Stack(Box::new([Frame::EMPTY; BEFORE + MAX_PLY + AFTER]))
    }

    /// The frame of a ply.
    #[inline]
    pub fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE]
    }

    /// The frame of a ply.
    #[inline]
    pub fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame some plies before a ply.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        debug_assert!(plies <= BEFORE);
        &self.0[ply + BEFORE - plies]
    }
}
