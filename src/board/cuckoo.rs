//! All reversible moves by the key difference they make, in a cuckoo hash table.

use super::keys::KEYS;
use crate::attacks::rays::{bishop_rays, rook_rays};
use crate::types::{Bitboard, Piece, PieceKind, Square};

const SIZE: usize = 8192;

/// The two places where a key may lie.
const fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

struct Cuckoo {
    keys: [u64; SIZE],
    moves: [(Square, Square); SIZE],
}

/// Whether a man of this kind can go from one square to the other and back on an empty board.
const fn is_reversible(kind: PieceKind, from: Square, to: Square) -> bool {
    let files = (from.index() % 8).abs_diff(to.index() % 8);
    let ranks = (from.index() / 8).abs_diff(to.index() / 8);
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => bishop_rays(from, Bitboard::EMPTY).has(to),
        PieceKind::Rook => rook_rays(from, Bitboard::EMPTY).has(to),
        PieceKind::Queen => {
            bishop_rays(from, Bitboard::EMPTY).has(to) || rook_rays(from, Bitboard::EMPTY).has(to)
        }
        PieceKind::King => from.distance(to) == 1,
    }
}

#[allow(long_running_const_eval)]
static CUCKOO: Cuckoo = {
    let mut table = Cuckoo { keys: [0; SIZE], moves: [(Square::A1, Square::A1); SIZE] };
    let mut index = 0;
    while index < Piece::COUNT * 64 * 64 {
        let piece = Piece::ALL[index / 4096];
        let (from, to) = (Square::ALL[index / 64 % 64], Square::ALL[index % 64]);
        index += 1;
        if from.index() >= to.index() || !is_reversible(piece.kind(), from, to) {
            continue;
        }
        let mut key = KEYS.piece(piece, from) ^ KEYS.piece(piece, to) ^ KEYS.side;
        let mut squares = (from, to);
        let mut place = places(key)[0];
        // Each newcomer pushes the one before it to that one's other place.
        loop {
            (table.keys[place], key) = (key, table.keys[place]);
            (table.moves[place], squares) = (squares, table.moves[place]);
            if key == 0 {
                break;
            }
            let [first, second] = places(key);
            place = if place == first { second } else { first };
        }
    }
    table
};

/// The move whose two squares differ by this key, if it is a reversible move's key.
pub(super) fn reversible_move(difference: u64) -> Option<(Square, Square)> {
    places(difference)
        .into_iter()
        .find(|&place| CUCKOO.keys[place] == difference)
        .map(|place| CUCKOO.moves[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found() {
        // 3668 is the number of unordered square pairs over all men, known from the literature.
        assert_eq!(CUCKOO.keys.iter().filter(|&&key| key != 0).count(), 3668);
        for piece in Piece::ALL {
            for from in Square::ALL {
                for to in Square::ALL {
                    if from < to && is_reversible(piece.kind(), from, to) {
                        let key = KEYS.piece(piece, from) ^ KEYS.piece(piece, to) ^ KEYS.side;
                        assert_eq!(reversible_move(key), Some((from, to)));
                    }
                }
            }
        }
        assert_eq!(reversible_move(1), None);
    }
}
