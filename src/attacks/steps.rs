//! Tables of single steps, and of the lines that two squares span.

use super::rays::{bishop_rays, rook_rays};
use crate::types::{Bitboard, Color, Square};

const fn steps<const N: usize>(offsets: [(i32, i32); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            let file = square as i32 % 8 + offsets[step].0;
            let rank = square as i32 / 8 + offsets[step].1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square] = Bitboard(table[square].0 | 1 << (rank * 8 + file));
            }
            step += 1;
        }
        square += 1;
    }
    table
}

static PAWN: [[Bitboard; 64]; 2] = [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];
static KNIGHT: [Bitboard; 64] =
    steps([(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
static KING: [Bitboard; 64] =
    steps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);

static ROOK_LINES: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = rook_rays(Square::ALL[square], Bitboard::EMPTY);
        square += 1;
    }
    table
};

static BISHOP_LINES: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = bishop_rays(Square::ALL[square], Bitboard::EMPTY);
        square += 1;
    }
    table
};

/// For each pair of squares the squares between them, and the whole line through them.
struct Spans {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

static SPANS: Spans = {
    let mut spans =
        Spans { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
    let mut from = 0;
    while from < 64 {
        let a = Square::ALL[from];
        let straight = rook_rays(a, Bitboard::EMPTY);
        let slanted = bishop_rays(a, Bitboard::EMPTY);
        let mut to = 0;
        while to < 64 {
            let b = Square::ALL[to];
            let ends = a.bitboard().0 | b.bitboard().0;
            if straight.has(b) {
                let other = rook_rays(b, Bitboard::EMPTY);
                spans.line[from][to] = Bitboard(straight.0 & other.0 | ends);
                spans.between[from][to] =
                    Bitboard(rook_rays(a, b.bitboard()).0 & rook_rays(b, a.bitboard()).0);
            } else if slanted.has(b) {
                let other = bishop_rays(b, Bitboard::EMPTY);
                spans.line[from][to] = Bitboard(slanted.0 & other.0 | ends);
                spans.between[from][to] =
                    Bitboard(bishop_rays(a, b.bitboard()).0 & bishop_rays(b, a.bitboard()).0);
            }
            to += 1;
        }
        from += 1;
    }
    spans
};

/// The squares a pawn of this side attacks.
#[inline]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}

/// The squares a knight attacks.
#[inline]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// The squares a king attacks.
#[inline]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// The squares a rook attacks on an empty board.
#[inline]
pub fn rook_lines(from: Square) -> Bitboard {
    ROOK_LINES[from.index()]
}

/// The squares a bishop attacks on an empty board.
#[inline]
pub fn bishop_lines(from: Square) -> Bitboard {
    BISHOP_LINES[from.index()]
}

/// The squares strictly between two squares on one line; none if they are on no common line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    SPANS.between[a.index()][b.index()]
}

/// The whole line, from edge to edge, through two squares; none if they are on no common line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    SPANS.line[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn steps_stay_on_the_board() {
        assert_eq!(knight(A1), set(&[B3, C2]));
        assert_eq!(king(H8), set(&[G8, G7, H7]));
        assert_eq!(pawn(Color::White, A2), set(&[B3]));
        assert_eq!(pawn(Color::Black, E5), set(&[D4, F4]));
        assert_eq!(pawn(Color::Black, E1), Bitboard::EMPTY);
    }

    #[test]
    fn spans_join_squares_on_one_line_only() {
        assert_eq!(between(A1, D4), set(&[B2, C3]));
        assert_eq!(between(E1, H1), set(&[F1, G1]));
        assert_eq!(between(E4, E5), Bitboard::EMPTY);
        assert_eq!(between(A1, B3), Bitboard::EMPTY);
        assert_eq!(line(C3, D4), set(&[A1, B2, C3, D4, E5, F6, G7, H8]));
        assert_eq!(line(H2, H5), crate::types::File::H.bitboard());
        assert_eq!(line(A1, B3), Bitboard::EMPTY);
    }
}
