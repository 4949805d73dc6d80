//! Zobrist keys: a random word for each fact of a position, joined by exclusive or.

use crate::types::{Castling, CastlingSide, Color, File, Piece, Square};

/// The random words.
pub(super) struct Keys {
    pieces: [[u64; 64]; Piece::COUNT],
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    pub side: u64,
}

/// SplitMix64, which the compiler can run.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut word = *state;
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

pub(super) static KEYS: Keys = {
    let mut state = 0x4665_727A_u64;
    let mut keys =
        Keys { pieces: [[0; 64]; 12], castling: [[0; 8]; 2], en_passant: [0; 8], side: 0 };
    let mut i = 0;
    while i < 12 * 64 {
        keys.pieces[i / 64][i % 64] = next(&mut state);
        i += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.castling[0][file] = next(&mut state);
        keys.castling[1][file] = next(&mut state);
        keys.en_passant[file] = next(&mut state);
        file += 1;
    }
    keys.side = next(&mut state);
    keys
};

impl Keys {
    /// A man on a square.
    #[inline]
    pub const fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.index()][square.index()]
    }

    /// The rights that are left. A right is named by the file of its rook, as in Shredder-FEN.
    #[inline]
    pub fn castling(&self, castling: Castling) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(file) = castling.rook_file(color, side) {
                    key ^= self.castling[color.index()][file.index()];
                }
            }
        }
        key
    }

    /// A legal en passant capture on this file.
    #[inline]
    pub const fn en_passant(&self, file: File) -> u64 {
        self.en_passant[file.index()]
    }
}
