//! Squares, files and ranks. a1 is 0, b1 is 1, … h8 is 63.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A file, `a` to `h`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum File { A, B, C, D, E, F, G, H }

impl File {
    /// All eight, from a to h.
    #[rustfmt::skip]
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// 0 for a to 7 for h.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with this index, 0 to 7.
    #[inline]
    pub const fn from_index(index: usize) -> Option<File> {
        if index < 8 { Some(File::from_low_bits(index as u32)) } else { None }
    }

    /// The file of the low three bits of a number. A match, unlike a table, costs nothing.
    #[inline]
    pub const fn from_low_bits(bits: u32) -> File {
        match bits & 7 {
            0 => File::A,
            1 => File::B,
            2 => File::C,
            3 => File::D,
            4 => File::E,
            5 => File::F,
            6 => File::G,
            _ => File::H,
        }
    }

    /// The lower-case letter.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter in either case.
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            c @ 'a'..='h' => Some(File::ALL[(c as u8 - b'a') as usize]),
            _ => None,
        }
    }

    /// Its eight squares.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

/// A rank, 1 to 8 as White counts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }

impl Rank {
    /// All eight, from the first to the eighth.
    #[rustfmt::skip]
    pub const ALL: [Rank; 8] = [
        Rank::First, Rank::Second, Rank::Third, Rank::Fourth,
        Rank::Fifth, Rank::Sixth, Rank::Seventh, Rank::Eighth,
    ];

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with this index, 0 to 7.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 8 { Some(Rank::from_low_bits(index as u32)) } else { None }
    }

    /// The rank of the low three bits of a number. A match, unlike a table, costs nothing.
    #[inline]
    pub const fn from_low_bits(bits: u32) -> Rank {
        match bits & 7 {
            0 => Rank::First,
            1 => Rank::Second,
            2 => Rank::Third,
            3 => Rank::Fourth,
            4 => Rank::Fifth,
            5 => Rank::Sixth,
            6 => Rank::Seventh,
            _ => Rank::Eighth,
        }
    }

    /// The digit, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit.
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            c @ '1'..='8' => Some(Rank::ALL[(c as u8 - b'1') as usize]),
            _ => None,
        }
    }

    /// The same rank counted from this side: Black's first is the eighth.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::from_low_bits(self as u32 ^ (color as u32 * 7))
    }

    /// Its eight squares.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xFF << (self as u8 * 8))
    }
}

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// All squares, a1 first, rank by rank.
    #[rustfmt::skip]
    pub const ALL: [Square; Square::COUNT] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// The square where a file and a rank cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_low_bits(rank as u32 * 8 + file as u32)
    }

    /// 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with this index, 0 to 63.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square::from_low_bits(index as u32)) } else { None }
    }

    /// The square of the low six bits of a number. A match, unlike a table, costs nothing.
    #[inline]
    #[rustfmt::skip]
    pub const fn from_low_bits(bits: u32) -> Square {
        use Square::*;
        match bits & 63 {
            0 => A1, 1 => B1, 2 => C1, 3 => D1, 4 => E1, 5 => F1, 6 => G1, 7 => H1,
            8 => A2, 9 => B2, 10 => C2, 11 => D2, 12 => E2, 13 => F2, 14 => G2, 15 => H2,
            16 => A3, 17 => B3, 18 => C3, 19 => D3, 20 => E3, 21 => F3, 22 => G3, 23 => H3,
            24 => A4, 25 => B4, 26 => C4, 27 => D4, 28 => E4, 29 => F4, 30 => G4, 31 => H4,
            32 => A5, 33 => B5, 34 => C5, 35 => D5, 36 => E5, 37 => F5, 38 => G5, 39 => H5,
            40 => A6, 41 => B6, 42 => C6, 43 => D6, 44 => E6, 45 => F6, 46 => G6, 47 => H6,
            48 => A7, 49 => B7, 50 => C7, 51 => D7, 52 => E7, 53 => F7, 54 => G7, 55 => H7,
            56 => A8, 57 => B8, 58 => C8, 59 => D8, 60 => E8, 61 => F8, 62 => G8, _ => H8,
        }
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::from_low_bits(self as u32)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_low_bits(self as u32 >> 3)
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square with files mirrored (a ↔ h).
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square::from_low_bits(self as u32 ^ 7)
    }

    /// The square with ranks mirrored (1 ↔ 8).
    #[inline]
    pub const fn flipped(self) -> Square {
        Square::from_low_bits(self as u32 ^ 56)
    }

    /// The square as this side sees it: unchanged for White, ranks mirrored for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::from_low_bits(self as u32 ^ (color as u32 * 56))
    }

    /// Whether it is a dark square; a1 is.
    #[inline]
    pub const fn is_dark(self) -> bool {
        (self as usize + (self as usize >> 3)).is_multiple_of(2)
    }

    /// The number of king steps between two squares on an empty board.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks { files } else { ranks }
    }

    /// The square one rank ahead as this side moves, if there is one.
    #[inline]
    pub const fn forward(self, color: Color) -> Option<Square> {
        let ahead = match color {
            Color::White => self as i32 + 8,
            Color::Black => self as i32 - 8,
        };
        if ahead >= 0 && ahead < 64 { Some(Square::from_low_bits(ahead as u32)) } else { None }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square from `a1` to `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a square in lower or upper case, such as `e4`.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter).ok_or(ParseSquareError)?;
        let rank = letters.next().and_then(Rank::from_digit).ok_or(ParseSquareError)?;
        if letters.next().is_some() {
            return Err(ParseSquareError);
        }
        Ok(Square::new(file, rank))
    }
}
