//! Castling: sides, rights, and the squares that Chess960 leaves open.

use super::{Color, File, Rank, Square};

/// A direction to castle in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: the king goes to g, the rook to f.
    Short,
    /// Towards the a-file: the king goes to c, the rook to d.
    Long,
}

impl CastlingSide {
    /// Both, the short one first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::Short, CastlingSide::Long];

    /// 0 for short, 1 for long.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where the king arrives.
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::G,
            CastlingSide::Long => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook arrives.
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::F,
            CastlingSide::Long => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// The rights that are left, each with the file its rook stands on.
///
/// A right held here is real: king and rook stand on their squares of the back rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Castling {
    rooks: [[Option<File>; 2]; 2],
}

impl Castling {
    /// No right at all.
    pub const NONE: Castling = Castling { rooks: [[None; 2]; 2] };

    /// The file of the rook with which this side may still castle there.
    #[inline]
    pub const fn rook_file(self, color: Color, side: CastlingSide) -> Option<File> {
        self.rooks[color.index()][side.index()]
    }

    /// The square of the rook with which this side may still castle there.
    #[inline]
    pub const fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rook_file(color, side) {
            Some(file) => Some(Square::new(file, Rank::First.relative_to(color))),
            None => None,
        }
    }

    /// Gives this side the right to castle there with the rook on that file.
    pub const fn grant(&mut self, color: Color, side: CastlingSide, rook: File) {
        self.rooks[color.index()][side.index()] = Some(rook);
    }

    /// Takes one right away.
    pub const fn revoke(&mut self, color: Color, side: CastlingSide) {
        self.rooks[color.index()][side.index()] = None;
    }

    /// Takes both rights of this side away.
    pub const fn revoke_all(&mut self, color: Color) {
        self.rooks[color.index()] = [None; 2];
    }

    /// Whether this side has a right left.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        let [short, long] = self.rooks[color.index()];
        short.is_some() || long.is_some()
    }

    /// Whether neither side has a right left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        !self.any(Color::White) && !self.any(Color::Black)
    }

    /// The rights as four bits, White short first: the index into the key table.
    #[inline]
    pub const fn index(self) -> usize {
        let [[a, b], [c, d]] = self.rooks;
        a.is_some() as usize
            | (b.is_some() as usize) << 1
            | (c.is_some() as usize) << 2
            | (d.is_some() as usize) << 3
    }
}
