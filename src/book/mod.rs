//! Opening books in the Polyglot format: sorted records of sixteen bytes, each a position's key, a
//! move, a weight and four bytes that learning programs use.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use crate::board::Position;
use crate::tablebase::to_shakmaty;
use crate::types::{CastlingSide, File, Move, PieceKind, Rank, Square};

const RECORD: usize = 16;

/// A book, held in memory.
#[derive(Debug)]
pub struct Book {
    records: Vec<Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    key: u64,
    bits: u16,
    weight: u16,
}

/// A book's move for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, legal in the position.
    pub mv: Move,
    /// How often it should be chosen, relative to the position's other moves; 0 for never.
    pub weight: u16,
}

/// How a move is chosen among those of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The one of the greatest weight.
    Best,
    /// Any, by weight; the same seed chooses the same move in the same position.
    Varied {
        /// What the choice is drawn from, together with the position.
        seed: u64,
    },
}

/// A file is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read.
    #[error("cannot read the book {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// It has no record.
    #[error("the book is empty")]
    Empty,
    /// It is not made of whole records.
    #[error("the size of the book, {bytes} bytes, is not a multiple of {RECORD}: it is truncated")]
    Size {
        /// Its size in bytes.
        bytes: usize,
    },
    /// Its records are not in the order of their keys, so that none can be found.
    #[error("record {record} of the book is not in the order of keys: it is damaged or no book")]
    Unsorted {
        /// The first record out of order, counted from 1.
        record: usize,
    },
}

impl Book {
    /// Reads a book file.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, BookError> {
        let path = path.as_ref();
        let bytes =
            fs::read(path).map_err(|reason| BookError::Io { path: path.to_path_buf(), reason })?;
        Book::from_bytes(&bytes)
    }

    /// Reads a book from the bytes of its file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let (chunks, rest) = bytes.as_chunks::<RECORD>();
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if !rest.is_empty() {
            return Err(BookError::Size { bytes: bytes.len() });
        }
        let records: Vec<Record> = chunks.iter().map(Record::from_bytes).collect();
        if let Some(at) = records.windows(2).position(|pair| pair[0].key > pair[1].key) {
            return Err(BookError::Unsorted { record: at + 2 });
        }
        Ok(Book { records })
    }

    /// How many records it has.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no record; a book that was opened has one at least.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The book's moves for a position, the heaviest first. Records whose move is not legal there
    /// are left out: they belong to another position with the same key.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let Some(key) = key(position) else { return Vec::new() };
        let start = self.records.partition_point(|record| record.key < key);
        let mut moves: Vec<BookMove> = self.records[start..]
            .iter()
            .take_while(|record| record.key == key)
            .filter_map(|record| {
                Some(BookMove { mv: decode(position, record.bits)?, weight: record.weight })
            })
            .collect();
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        moves
    }

    /// A move of the book; `None` if it knows none or gives all a weight of 0.
    pub fn choose(&self, position: &Position, choice: Choice) -> Option<Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
        if total == 0 {
            return None;
        }
        let Choice::Varied { seed } = choice else { return Some(moves[0].mv) };
        let mut left = mix(seed ^ position.key()) % total;
        for entry in &moves {
            match left.checked_sub(u64::from(entry.weight)) {
                Some(rest) => left = rest,
                None => return Some(entry.mv),
            }
        }
        None
    }
}

impl Record {
    fn from_bytes(bytes: &[u8; RECORD]) -> Record {
        let [key @ .., b8, b9, b10, b11, _, _, _, _] = *bytes;
        Record {
            key: u64::from_be_bytes(key),
            bits: u16::from_be_bytes([b8, b9]),
            weight: u16::from_be_bytes([b10, b11]),
        }
    }
}

/// The position's Polyglot key. The file behind a double step counts if a pawn of the side to move
/// stands beside the pawn that made it, whether or not the capture is legal.
pub fn key(position: &Position) -> Option<u64> {
    let Zobrist64(key) = to_shakmaty(position)?.zobrist_hash(EnPassantMode::PseudoLegal);
    Some(key)
}

/// The legal move that a record's sixteen bits mean: three bits each, from the lowest, for the
/// file and rank of the target, the file and rank of the origin, and the promotion.
///
/// The format writes castling as king takes own rook; books that write the king's two-square step
/// are understood where no other move is meant.
fn decode(position: &Position, bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_low_bits(u32::from(bits));
    let (to, from) = (square(bits), square(bits >> 6));
    let promotion = match bits >> 12 {
        0 => None,
        1 => Some(PieceKind::Knight),
        2 => Some(PieceKind::Bishop),
        3 => Some(PieceKind::Rook),
        4 => Some(PieceKind::Queen),
        _ => return None,
    };
    let legal = position.legal_moves();
    let same = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion() == promotion;
    if let Some(&mv) = legal.iter().find(same) {
        return Some(mv);
    }
    let us = position.side_to_move();
    let home = Square::new(File::E, Rank::First.relative_to(us));
    let side = CastlingSide::ALL.into_iter().find(|side| side.king_to(us) == to)?;
    let rook = position.castling().rook(us, side)?;
    let castles = from == home && promotion.is_none() && position.king(us) == home;
    legal.iter().copied().find(|mv| castles && mv.from() == home && mv.to() == rook)
}

/// A well-mixed number for a number (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// A record as a book file holds it; the move is `from to promotion`.
    fn record(fen: &str, from: Square, to: Square, promotion: u16, weight: u16) -> [u8; RECORD] {
        let position = Position::from_fen(fen).expect(fen);
        let bits = to as u16 | (from as u16) << 6 | promotion << 12;
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&key(&position).expect(fen).to_be_bytes());
        bytes[8..10].copy_from_slice(&bits.to_be_bytes());
        bytes[10..12].copy_from_slice(&weight.to_be_bytes());
        bytes
    }

    fn moves(fen: &str, records: &[[u8; RECORD]]) -> Vec<(String, u16)> {
        let book = Book::from_bytes(&records.concat()).expect("a sound book");
        let position = Position::from_fen(fen).expect(fen);
        let text = |entry: &BookMove| (format!("{:?}", entry.mv), entry.weight);
        book.moves(&position).iter().map(text).collect()
    }

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn castling_is_understood_in_both_spellings() {
        use Square::*;
        for (to, named) in [
            (H1, "e1h1:CastleShort"),
            (G1, "e1h1:CastleShort"),
            (A1, "e1a1:CastleLong"),
            (C1, "e1a1:CastleLong"),
        ] {
            let found = moves(CASTLING, &[record(CASTLING, E1, to, 0, 7)]);
            assert_eq!(found, [(named.to_string(), 7)]);
        }
        // King b1 and rook c1: the step to c1 is castling, the step to a1 is a step.
        let fen = "1k6/8/8/8/8/8/8/1KR5 w C - 0 1";
        assert_eq!(moves(fen, &[record(fen, B1, C1, 0, 1)]), [("b1c1:CastleShort".to_string(), 1)]);
        assert_eq!(moves(fen, &[record(fen, B1, A1, 0, 1)]), [("b1a1:Quiet".to_string(), 1)]);
    }

    #[test]
    fn promotions_need_their_code() {
        use Square::*;
        let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        let of = |code| moves(fen, &[record(fen, A7, A8, code, 1)]);
        assert_eq!(of(1), [("a7a8:PromoteKnight".to_string(), 1)]);
        assert_eq!(of(4), [("a7a8:PromoteQueen".to_string(), 1)]);
        for code in [0, 5, 6, 7] {
            assert_eq!(of(code), []);
        }
    }

    #[test]
    fn illegal_and_weightless_moves_are_not_chosen() {
        use Square::*;
        let start = Position::startpos();
        let fen = start.fen();
        let illegal = record(&fen, E2, E5, 0, 900);
        let never = record(&fen, D2, D4, 0, 0);
        let book = Book::from_bytes(&[illegal, never].concat()).expect("a sound book");
        assert_eq!(book.moves(&start).len(), 1);
        assert_eq!(book.choose(&start, Choice::Best), None);
        assert_eq!(book.choose(&start, Choice::Varied { seed: 1 }), None);
    }

    #[test]
    fn variety_follows_the_weights_and_the_seed() {
        use Square::*;
        let start = Position::startpos();
        let fen = start.fen();
        let records = [record(&fen, D2, D4, 0, 100), record(&fen, E2, E4, 0, 300)];
        let book = Book::from_bytes(&records.concat()).expect("a sound book");
        let king_pawn = Move::new(E2, E4, crate::types::MoveKind::DoublePush);
        assert_eq!(book.choose(&start, Choice::Best), Some(king_pawn));
        let chosen = |seed| book.choose(&start, Choice::Varied { seed });
        let often = (0..4_000).filter(|&seed| chosen(seed) == Some(king_pawn)).count();
        assert!((2_850..3_150).contains(&often), "{often} of 4000");
        assert!((0..100).all(|seed| chosen(seed) == chosen(seed)));
    }

    #[test]
    fn damaged_files_are_named() {
        use Square::*;
        let good = record(CASTLING, E1, H1, 0, 1);
        assert!(matches!(Book::from_bytes(&[]), Err(BookError::Empty)));
        let cut = Book::from_bytes(&good[..15]);
        assert!(matches!(cut, Err(BookError::Size { bytes: 15 })));
        let (mut low, mut high) = (good, good);
        low[0] = 0;
        high[0] = 0xFF;
        let unsorted = Book::from_bytes(&[low, high, low].concat());
        assert!(matches!(unsorted, Err(BookError::Unsorted { record: 3 })));
        let missing = Book::open("no/such/book.bin");
        assert!(matches!(&missing, Err(BookError::Io { path, .. }) if path.ends_with("book.bin")));
    }
}
