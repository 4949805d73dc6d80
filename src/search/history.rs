//! What earlier cut-offs teach about the order of moves.

use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// The greatest history value; a history lies within ± this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// One value that moves towards what it is told, the more slowly the further it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct Gravity<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gravity<LIMIT> {
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Adds a bonus, damped so that the value stays within ±`LIMIT`.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

type History = Gravity<HISTORY_LIMIT>;

/// A large array that is made on the heap at once.
pub(super) fn boxed<T: Clone + Default, const N: usize>() -> Box<[T; N]> {
    match vec![T::default(); N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice was made with this length"),
    }
}

/// A man and the square it goes to: what continuations are remembered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;
    /// Stands for a null move and for the time before the root.
    pub const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    #[inline]
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

const PAWN_ROWS: usize = 1024;

/// All histories of one thread.
pub(super) struct Histories {
    /// By side, whether the enemy attacks the two squares, from and to.
    quiet: Box<[History; 2 * 2 * 2 * 64 * 64]>,
    /// By man, square and what is taken.
    noisy: Box<[History; Piece::COUNT * 64 * 6]>,
    /// By an earlier man and square, then the present ones.
    continuation: Box<[History; (PieceTo::COUNT + 1) * PieceTo::COUNT]>,
    /// By pawn structure, then man and square.
    pawn: Box<[History; PAWN_ROWS * PieceTo::COUNT]>,
}

impl Histories {
    pub fn new() -> Histories {
        Histories { quiet: boxed(), noisy: boxed(), continuation: boxed(), pawn: boxed() }
    }

    pub fn clear(&mut self) {
        self.quiet.fill(History::default());
        self.noisy.fill(History::default());
        self.continuation.fill(History::default());
        self.pawn.fill(History::default());
    }

    /// The history of a quiet move by its squares.
    #[inline]
    pub fn quiet(&mut self, color: Color, threats: Bitboard, mv: Move) -> &mut History {
        let (from, to) = (mv.from(), mv.to());
        let attacked = usize::from(threats.has(from)) * 2 + usize::from(threats.has(to));
        &mut self.quiet[((color.index() * 4 + attacked) * 64 + from.index()) * 64 + to.index()]
    }

    /// The history of a capture or promotion; `captured` is the pawn for a plain promotion.
    #[inline]
    pub fn noisy(&mut self, moved: PieceTo, captured: PieceKind) -> &mut History {
        &mut self.noisy[moved.index() * 6 + captured.index()]
    }

    /// The history of a move that comes some plies after an earlier one.
    #[inline]
    pub fn continuation(&mut self, earlier: PieceTo, moved: PieceTo) -> &mut History {
        &mut self.continuation[earlier.index() * PieceTo::COUNT + moved.index()]
    }

    /// The history of a move with this pawn structure.
    #[inline]
    pub fn pawn(&mut self, pawn_key: u64, moved: PieceTo) -> &mut History {
        &mut self.pawn[pawn_key as usize % PAWN_ROWS * PieceTo::COUNT + moved.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut history = History::default();
        for _ in 0..100 {
            history.update(3000);
        }
        assert!(history.get() > 14_000 && history.get() <= HISTORY_LIMIT);
        for _ in 0..100 {
            history.update(i32::MIN / 2);
        }
        assert!(history.get() >= -HISTORY_LIMIT);
    }
}
