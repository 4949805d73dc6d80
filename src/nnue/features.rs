//! From men on squares to input indices.

use crate::types::{Color, File, Piece, Square};

/// How one side looks at the board: ranks flipped for Black, files mirrored when its king stands on
/// the files e to h.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    flip: u8,
}

impl View {
    /// The view of the side `color` whose king stands on `king`.
    #[inline]
    pub const fn new(color: Color, king: Square) -> View {
        let ranks = color.index() as u8 * 56;
        let files = if king.file() as u8 > File::D as u8 { 7 } else { 0 };
        View { color, flip: ranks | files }
    }

    /// Whether the files are mirrored.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// The input, 0 to 767, that stands for `piece` on `square`: own men first, by kind, by square.
    #[inline]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let theirs = piece.color() as usize ^ self.color.index();
        theirs * 384 + piece.kind().index() * 64 + (square as u8 ^ self.flip) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_a_mirrored_game_alike() {
        for king in Square::ALL {
            let white = View::new(Color::White, king);
            let black = View::new(Color::Black, king.flipped());
            for square in Square::ALL {
                for kind in crate::types::PieceKind::ALL {
                    assert_eq!(
                        white.input(Piece::new(Color::White, kind), square),
                        black.input(Piece::new(Color::Black, kind), square.flipped()),
                    );
                }
            }
        }
    }

    #[test]
    fn the_own_king_is_seen_on_the_files_a_to_d() {
        for color in Color::ALL {
            for king in Square::ALL {
                let own = Piece::new(color, crate::types::PieceKind::King);
                let input = View::new(color, king).input(own, king);
                assert!((320..384).contains(&input) && input % 8 < 4, "{color} {king}: {input}");
            }
        }
    }

    #[test]
    fn no_two_men_share_an_input() {
        for king in [Square::A1, Square::H8] {
            for color in Color::ALL {
                let view = View::new(color, king);
                let mut seen = [false; crate::nnue::arch::INPUTS];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        assert!(!std::mem::replace(&mut seen[view.input(piece, square)], true));
                    }
                }
                assert!(seen.iter().all(|&used| used));
            }
        }
    }
}
