//! The principal variation of every ply.

use arrayvec::ArrayVec;

use crate::types::Move;
use crate::types::score::MAX_PLY;

/// A line of moves.
pub(super) type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The best line found so far from each ply of the line being searched.
pub(super) struct PvTable(Vec<Variation>);

impl PvTable {
    pub fn new() -> PvTable {
        PvTable(vec![Variation::new(); MAX_PLY + 2])
    }

    /// The line from a ply.
    pub fn line(&self, ply: usize) -> &Variation {
        &self.0[ply]
    }

    /// Forgets the line from a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line from a ply is now this move and the line from the next ply.
    pub fn update(&mut self, ply: usize, mv: Move) {
        let [line, rest] = &mut self.0[ply..=ply + 1] else { return };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PLY));
    }
}
