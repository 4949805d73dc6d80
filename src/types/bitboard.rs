//! Sets of squares as 64-bit words.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub,
};

use super::{Color, File, Square};

/// A set of squares: bit `i` stands for the square with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);
    /// The light squares, h1 among them.
    pub const LIGHT: Bitboard = Bitboard(!0xAA55_AA55_AA55_AA55);

    const NOT_FILE_A: u64 = !File::A.bitboard().0;
    const NOT_FILE_H: u64 = !File::H.bitboard().0;

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares it has.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has this square.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// The set with this square added.
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u8)
    }

    /// The set with this square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square as u8))
    }

    /// Its square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        // A non-zero word lets the compiler use TZCNT's encoding on plain x86-64 too.
        match NonZeroU64::new(self.0) {
            Some(word) => Some(Square::from_low_bits(word.trailing_zeros())),
            None => None,
        }
    }

    /// Its square with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        match NonZeroU64::new(self.0) {
            Some(word) => Some(Square::from_low_bits(63 - word.leading_zeros())),
            None => None,
        }
    }

    /// Takes out and returns the square with the lowest index.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    /// The set moved one rank towards this side's opponent; what leaves the board is lost.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The set moved one file towards a; what leaves the board is lost.
    #[inline]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & Self::NOT_FILE_A) >> 1)
    }

    /// The set moved one file towards h; what leaves the board is lost.
    #[inline]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & Self::NOT_FILE_H) << 1)
    }

    /// Every square that a pawn of this side on a square of the set attacks.
    #[inline]
    pub const fn pawn_attacks(self, color: Color) -> Bitboard {
        let ahead = self.forward(color);
        Bitboard(ahead.west().0 | ahead.east().0)
    }

    /// The set with ranks mirrored (1 ↔ 8).
    #[inline]
    pub const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Whether all of its squares are in the other set.
    #[inline]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }
}

macro_rules! set_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard($operator::$method(self.0, other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                $assign::$assign_method(&mut self.0, other.0);
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;

    /// The squares of the first set that are not in the second.
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl fmt::Debug for Bitboard {
    /// Eight lines of `1` and `.`, the eighth rank first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let set = self.0 >> (rank * 8 + file) & 1 != 0;
                f.write_str(if set { "1" } else { "." })?;
            }
        }
        Ok(())
    }
}
