//! Sliding attacks worked out from scratch: slow, but usable while compiling. The magic tables and
//! the finder of magics are filled from here.

use crate::types::{Bitboard, Square};

/// The squares on the four lines through a square, itself left out.
#[derive(Clone, Copy)]
struct Lines {
    rank: u64,
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

const LINES: [Lines; 64] = {
    let mut lines = [Lines { rank: 0, file: 0, diagonal: 0, antidiagonal: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (f, r) = (other % 8, other / 8);
            if other != square {
                let bit = 1 << other;
                if r == rank {
                    lines[square].rank |= bit;
                }
                if f == file {
                    lines[square].file |= bit;
                }
                if r + file == f + rank {
                    lines[square].diagonal |= bit;
                }
                if r + f == rank + file {
                    lines[square].antidiagonal |= bit;
                }
            }
            other += 1;
        }
        square += 1;
    }
    lines
};

/// Attacks along one line: subtracting the slider from the blockers flips every bit up to the
/// first blocker, and doing the same on the mirrored board gives the other direction.
const fn line_attacks(square: Square, occupied: u64, line: u64) -> u64 {
    let slider = square.bitboard().0;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down =
        blockers.reverse_bits().wrapping_sub(slider.reverse_bits().wrapping_shl(1)).reverse_bits();
    (up ^ down) & line
}

/// Rook attacks from a square over these blockers.
pub const fn rook_rays(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = LINES[square.index()];
    Bitboard(
        line_attacks(square, occupied.0, lines.rank) | line_attacks(square, occupied.0, lines.file),
    )
}

/// Bishop attacks from a square over these blockers.
pub const fn bishop_rays(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = LINES[square.index()];
    Bitboard(
        line_attacks(square, occupied.0, lines.diagonal)
            | line_attacks(square, occupied.0, lines.antidiagonal),
    )
}

/// The squares whose occupation changes a rook's attacks: its lines without their last squares.
pub const fn rook_mask(square: Square) -> Bitboard {
    const INNER_RANKS: u64 = 0x00FF_FFFF_FFFF_FF00;
    const INNER_FILES: u64 = 0x7E7E_7E7E_7E7E_7E7E;
    let lines = LINES[square.index()];
    Bitboard(lines.rank & INNER_FILES | lines.file & INNER_RANKS)
}

/// The squares whose occupation changes a bishop's attacks.
pub const fn bishop_mask(square: Square) -> Bitboard {
    const INNER: u64 = 0x007E_7E7E_7E7E_7E00;
    let lines = LINES[square.index()];
    Bitboard((lines.diagonal | lines.antidiagonal) & INNER)
}

/// The diagonal through a square that rises towards h, the square included.
pub const fn diagonal(square: Square) -> Bitboard {
    Bitboard(LINES[square.index()].diagonal | square.bitboard().0)
}

/// The diagonal through a square that falls towards h, the square included.
pub const fn antidiagonal(square: Square) -> Bitboard {
    Bitboard(LINES[square.index()].antidiagonal | square.bitboard().0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{File, Rank};

    fn walk(square: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i32 + df, square.rank() as i32 + dr);
            while let (Some(f), Some(r)) = (
                usize::try_from(file).ok().and_then(File::from_index),
                usize::try_from(rank).ok().and_then(Rank::from_index),
            ) {
                let target = Square::new(f, r);
                attacks = attacks.with(target);
                if occupied.has(target) {
                    break;
                }
                file += df;
                rank += dr;
            }
        }
        attacks
    }

    #[test]
    fn rays_stop_at_the_first_man() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..2000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = Bitboard(seed & seed.rotate_left(round % 64));
            for square in Square::ALL {
                let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let slanted = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
                assert_eq!(rook_rays(square, occupied), walk(square, occupied, straight));
                assert_eq!(bishop_rays(square, occupied), walk(square, occupied, slanted));
            }
        }
    }
}
