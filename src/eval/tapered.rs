//! A middlegame and an endgame value in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A pair of centipawn values, one for a board full of men and one for an empty one; both are added
/// and scaled in one operation. The low sixteen bits hold the middlegame, the rest the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tapered(i32);

impl Tapered {
    /// The pair of a middlegame and an endgame value.
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        // A negative low half borrows from the high one; `endgame` gives it back by rounding.
        Tapered((endgame << 16) + middlegame)
    }

    /// The value for a full board.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value for an empty board.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::Tapered;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (middlegame, endgame) in [(0, 0), (-1, 0), (1, -1), (-700, 900), (12_000, -12_000)] {
            let pair = Tapered::new(middlegame, endgame);
            assert_eq!((pair.middlegame(), pair.endgame()), (middlegame, endgame));
            let doubled = pair + pair;
            assert_eq!(doubled, pair * 2);
            assert_eq!((doubled.middlegame(), doubled.endgame()), (2 * middlegame, 2 * endgame));
            assert_eq!(pair - doubled, -pair);
        }
    }
}
