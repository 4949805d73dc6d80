//! Positions as text: FEN, X-FEN and Shredder-FEN.
//!
//! The tolerant reader takes what programs really send and drops what cannot be (a castling right
//! without its rook, an en passant square without its pawn); what has no sensible reading is an
//! error. The strict reader takes only text that needs no repair.
//! Source: PGN standard 16.1; X-FEN and Shredder-FEN as the Chess960 programs use them.

use std::cmp::Ordering;
use std::fmt;

use super::{InvalidPosition, Position, Setup};
use crate::types::{Castling, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

/// The largest halfmove clock or move number that is read: no game can count past `u32` from here.
const MAX_COUNTER: u32 = i32::MAX as u32;

/// The six fields of a FEN, and what may stand behind them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// Which man stands where.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// The castling rights.
    Castling,
    /// The square behind a pawn that has just moved two squares.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the next full move.
    FullmoveNumber,
    /// Anything behind the sixth field.
    Tail,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "piece placement",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en passant square",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "move number",
            FenField::Tail => "text after the last field",
        })
    }
}

/// What is wrong with a field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenFault {
    /// The field is not there.
    #[error("missing")]
    Missing,
    /// A character that has no meaning in this field.
    #[error("unexpected character {0:?}")]
    Character(char),
    /// The placement has not eight ranks.
    #[error("{0} ranks instead of 8")]
    RankCount(usize),
    /// A rank has not eight squares.
    #[error("rank {} has {squares} squares instead of 8", rank.digit())]
    RankWidth {
        /// The rank.
        rank: Rank,
        /// How many squares its text describes.
        squares: usize,
    },
    /// Two digits stand side by side.
    #[error("rank {} has two digits side by side", .0.digit())]
    AdjacentDigits(Rank),
    /// The text is none of those that may stand here.
    #[error("{text:?} is not {expected}")]
    Text {
        /// The text that was found, cut after a few characters.
        text: String,
        /// What may stand here.
        expected: &'static str,
    },
    /// A counter beyond every game.
    #[error("the number is too large")]
    TooLarge,
    /// Only for the strict reader: the text is readable, but not in its exact form.
    #[error("not in its exact form, which is {0:?}")]
    NotExact(String),
}

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// One field cannot be read.
    #[error("FEN: {field}: {fault}")]
    Field {
        /// The field.
        field: FenField,
        /// What is wrong with it.
        fault: FenFault,
    },
    /// Every field can be read, but together they are no position of chess.
    #[error("FEN: {0}")]
    Position(#[from] InvalidPosition),
}

impl FenError {
    /// The field at fault; `None` if the fields do not fit together.
    pub fn field(&self) -> Option<FenField> {
        match self {
            FenError::Field { field, .. } => Some(*field),
            FenError::Position(_) => None,
        }
    }
}

fn fault(field: FenField, fault: FenFault) -> FenError {
    FenError::Field { field, fault }
}

fn unexpected(field: FenField, text: &str, expected: &'static str) -> FenError {
    // A hostile line may be megabytes long; the message need not be.
    let text = text.chars().take(20).collect();
    fault(field, FenFault::Text { text, expected })
}

/// Reads what stands where from a text with one to six fields.
///
/// Missing fields mean White to move, no castling, no en passant, clock 0, move 1. EPD operations
/// behind the fields are passed over.
///
/// # Errors
/// If a field has no sensible reading.
pub(crate) fn read(text: &str) -> Result<Setup, FenError> {
    let mut fields = Fields { rest: text };
    let placement = fields.next().ok_or_else(|| fault(FenField::Placement, FenFault::Missing))?;
    let pieces = read_placement(placement)?;
    let side_to_move = fields.next().map_or(Ok(Color::White), read_side)?;
    let castling = fields.next().map_or(Ok(Castling::NONE), |text| read_castling(text, &pieces))?;
    let double_push = fields.next().map_or(Ok(None), read_en_passant)?;
    let halfmove_clock = fields.counter(FenField::HalfmoveClock)?.unwrap_or(0);
    let fullmove_number = fields.counter(FenField::FullmoveNumber)?.unwrap_or(1).max(1);
    fields.end()?;

    let mut setup =
        Setup { pieces, side_to_move, castling, double_push, halfmove_clock, fullmove_number };
    setup.drop_impossible();
    Ok(setup)
}

/// Reads what stands where from an exact FEN: six fields with one blank between them, castling
/// rights in order as X-FEN or Shredder-FEN with king and rooks in place, an en passant square
/// only behind a pawn that can just have moved two squares, plain counters.
///
/// # Errors
/// If a field has no sensible reading, or one that is not its exact form.
pub(crate) fn read_strict(text: &str) -> Result<Setup, FenError> {
    let setup = read(text)?;
    let piece_at = |square: Square| setup.pieces[square.index()];
    let en_passant = setup.double_push.map_or("-".to_string(), |square| square.to_string());
    let exact = [
        (FenField::Placement, placement_text(piece_at)),
        (FenField::SideToMove, setup.side_to_move.letter().to_string()),
        (FenField::Castling, castling_text(setup.castling, piece_at, false)),
        (FenField::EnPassant, en_passant),
        (FenField::HalfmoveClock, setup.halfmove_clock.to_string()),
        (FenField::FullmoveNumber, setup.fullmove_number.to_string()),
    ];
    let mut fields = text.split(' ');
    for (field, exact) in exact {
        let found = fields.next().ok_or_else(|| fault(field, FenFault::Missing))?;
        let shredder =
            field == FenField::Castling && found == castling_text(setup.castling, piece_at, true);
        if found != exact && !shredder {
            return Err(fault(field, FenFault::NotExact(exact)));
        }
    }
    match fields.next() {
        None => Ok(setup),
        Some(_) => Err(fault(FenField::Tail, FenFault::NotExact(String::new()))),
    }
}

/// The FEN of a position: X-FEN castling letters, which are `KQkq` whenever the outermost rook is
/// meant, and the en passant square only where a capture is legal.
pub(crate) fn write(position: &Position) -> String {
    write_with(position, false)
}

/// The same with the files of the castling rooks as letters (Shredder-FEN).
pub(crate) fn write_shredder(position: &Position) -> String {
    write_with(position, true)
}

fn write_with(position: &Position, shredder: bool) -> String {
    let piece_at = |square| position.piece_at(square);
    format!(
        "{} {} {} {} {} {}",
        placement_text(piece_at),
        position.side_to_move().letter(),
        castling_text(position.castling(), piece_at, shredder),
        position.en_passant().map_or("-".to_string(), |square| square.to_string()),
        position.halfmove_clock(),
        position.fullmove_number()
    )
}

/// The fields of a text, one after the other.
struct Fields<'a> {
    rest: &'a str,
}

impl<'a> Fields<'a> {
    /// The next field, and moves past it.
    fn next(&mut self) -> Option<&'a str> {
        let (field, rest) = self.split()?;
        self.rest = rest;
        Some(field)
    }

    /// The next field and what follows it.
    fn split(&self) -> Option<(&'a str, &'a str)> {
        let text = self.rest.trim_ascii_start();
        if text.is_empty() {
            return None;
        }
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        Some(text.split_at(end))
    }

    /// The next field as a counter; `None` for `-`, at the end, and before EPD operations.
    fn counter(&mut self, field: FenField) -> Result<Option<u32>, FenError> {
        let Some((text, rest)) = self.split() else { return Ok(None) };
        if self.at_operations() {
            return Ok(None);
        }
        self.rest = rest;
        if text == "-" {
            return Ok(None);
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(unexpected(field, text, "a number"));
        }
        // Only digits stand here: the one way to fail is to be too long.
        let number = text.parse::<u32>().ok().filter(|&number| number <= MAX_COUNTER);
        number.map(Some).ok_or_else(|| fault(field, FenFault::TooLarge))
    }

    /// Whether EPD operations follow: a word first, a semicolon last.
    fn at_operations(&self) -> bool {
        let text = self.rest.trim_ascii();
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.ends_with(';')
    }

    /// Checks that nothing follows but EPD operations.
    fn end(&self) -> Result<(), FenError> {
        match self.split() {
            Some((text, _)) if !self.at_operations() => {
                Err(unexpected(FenField::Tail, text, "part of a FEN"))
            }
            _ => Ok(()),
        }
    }
}

fn read_placement(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let field = FenField::Placement;
    let known = |c: char| c == '/' || matches!(c, '1'..='8') || Piece::from_letter(c).is_some();
    if let Some(odd) = text.chars().find(|&c| !known(c)) {
        return Err(fault(field, FenFault::Character(odd)));
    }
    let count = text.split('/').count();
    if count != 8 {
        return Err(fault(field, FenFault::RankCount(count)));
    }
    let mut pieces = [None; 64];
    for (&rank, row) in Rank::ALL.iter().rev().zip(text.split('/')) {
        let mut squares = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                if after_digit {
                    return Err(fault(field, FenFault::AdjacentDigits(rank)));
                }
                squares += empty as usize;
            } else {
                if let Some(file) = File::from_index(squares) {
                    pieces[Square::new(file, rank).index()] = Piece::from_letter(letter);
                }
                squares += 1;
            }
            after_digit = letter.is_ascii_digit();
        }
        if squares != 8 {
            return Err(fault(field, FenFault::RankWidth { rank, squares }));
        }
    }
    Ok(pieces)
}

fn read_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(unexpected(FenField::SideToMove, text, "w or b")),
    }
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| unexpected(FenField::EnPassant, text, "a square or -"))
}

/// Reads `KQkq` and file letters in any order and mixture; rights without king and rook are
/// dropped. Of two rooks named on one side of the king, the outer one counts.
fn read_castling(text: &str, pieces: &[Option<Piece>; 64]) -> Result<Castling, FenError> {
    let mut castling = Castling::NONE;
    if text == "-" {
        return Ok(castling);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let ours = BackRank::of(color, |square| pieces[square.index()]);
        let (side, rook) = match letter.to_ascii_lowercase() {
            'k' => (Some(CastlingSide::Short), ours.outer_rook(CastlingSide::Short)),
            'q' => (Some(CastlingSide::Long), ours.outer_rook(CastlingSide::Long)),
            _ => {
                let file = File::from_letter(letter)
                    .ok_or_else(|| fault(FenField::Castling, FenFault::Character(letter)))?;
                (ours.side_of(file), ours.rooks[file.index()].then_some(file))
            }
        };
        if let (Some(side), Some(rook)) = (side, rook) {
            let outer = match (side, castling.rook_file(color, side)) {
                (_, None) => rook,
                (CastlingSide::Short, Some(other)) => rook.max(other),
                (CastlingSide::Long, Some(other)) => rook.min(other),
            };
            castling.grant(color, side, outer);
        }
    }
    Ok(castling)
}

/// King and rooks of one side on its back rank.
struct BackRank {
    king: Option<File>,
    rooks: [bool; 8],
}

impl BackRank {
    fn of(color: Color, piece_at: impl Fn(Square) -> Option<Piece>) -> BackRank {
        let mut found = BackRank { king: None, rooks: [false; 8] };
        for file in File::ALL {
            let man = piece_at(Square::new(file, Rank::First.relative_to(color)));
            if man == Some(Piece::new(color, PieceKind::King)) {
                found.king = Some(file);
            }
            found.rooks[file.index()] = man == Some(Piece::new(color, PieceKind::Rook));
        }
        found
    }

    /// The side of the king on which a file lies.
    fn side_of(&self, file: File) -> Option<CastlingSide> {
        let king = self.king?;
        match file.cmp(&king) {
            Ordering::Greater => Some(CastlingSide::Short),
            Ordering::Less => Some(CastlingSide::Long),
            Ordering::Equal => None,
        }
    }

    /// The rook furthest from the king on that side.
    fn outer_rook(&self, side: CastlingSide) -> Option<File> {
        let fits = |&file: &File| self.rooks[file.index()] && self.side_of(file) == Some(side);
        match side {
            CastlingSide::Short => File::ALL.into_iter().rev().find(fits),
            CastlingSide::Long => File::ALL.into_iter().find(fits),
        }
    }
}

fn placement_text(piece_at: impl Fn(Square) -> Option<Piece>) -> String {
    let mut text = String::with_capacity(72);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    push_count(&mut text, empty);
                    text.push(piece.letter());
                    empty = 0;
                }
                None => empty += 1,
            }
        }
        push_count(&mut text, empty);
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

/// Writes a run of empty squares, if there is one.
fn push_count(text: &mut String, empty: u8) {
    if empty > 0 {
        text.push((b'0' + empty) as char);
    }
}

fn castling_text(
    castling: Castling,
    piece_at: impl Fn(Square) -> Option<Piece>,
    shredder: bool,
) -> String {
    let mut text = String::with_capacity(4);
    for color in Color::ALL {
        let ours = BackRank::of(color, &piece_at);
        for side in CastlingSide::ALL {
            let Some(rook) = castling.rook_file(color, side) else { continue };
            let letter = match side {
                _ if shredder || ours.outer_rook(side) != Some(rook) => rook.letter(),
                CastlingSide::Short => 'k',
                CastlingSide::Long => 'q',
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn error_of(text: &str) -> String {
        Position::from_fen(text).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_field_and_reason() {
        let cases = [
            ("", "FEN: piece placement: missing"),
            ("8/8", "FEN: piece placement: 2 ranks instead of 8"),
            ("8/8/8/8/8/8/8/k2K3", "FEN: piece placement: rank 1 has 7 squares instead of 8"),
            ("8/8/8/8/8/8/8/k2K22", "FEN: piece placement: rank 1 has two digits side by side"),
            ("8/8/8/8/8/8/8/k2x4", "FEN: piece placement: unexpected character 'x'"),
            ("k7/8/K7/8/8/8/8/8 W", "FEN: side to move: \"W\" is not w or b"),
            ("k7/8/K7/8/8/8/8/8 w KX", "FEN: castling rights: unexpected character 'X'"),
            ("k7/8/K7/8/8/8/8/8 w - e9", "FEN: en passant square: \"e9\" is not a square or -"),
            ("k7/8/K7/8/8/8/8/8 w - - -1", "FEN: halfmove clock: \"-1\" is not a number"),
            ("k7/8/K7/8/8/8/8/8 w - - 0 4294967296", "FEN: move number: the number is too large"),
            (
                "k7/8/K7/8/8/8/8/8 w - - 0 1 2",
                "FEN: text after the last field: \"2\" is not part of a FEN",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(error_of(text), message);
        }
        assert!(matches!(Position::from_fen("8/8/8/8/8/8/8/8 w"), Err(FenError::Position(_))));
    }

    #[test]
    fn x_fen_letters_mean_the_outermost_rook() {
        let cases = [
            ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "K", "H"),
            ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "G", "G"),
            ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "K", "H"),
            ("rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9", "Kkq", "Eea"),
            (
                "r1bqkb1r/ppp3p1/2n2p2/3p1n1p/3P4/2P2N1P/PP1NBPP1/R1BQK2R w HAha - 2 9",
                "KQkq",
                "HAha",
            ),
            ("2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQkq - 0 14", "KQ", "HA"),
        ];
        for (text, letters, files) in cases {
            let position = Position::from_fen(text).unwrap();
            assert_eq!(position.fen().split(' ').nth(2), Some(letters), "{text}");
            assert_eq!(position.shredder_fen().split(' ').nth(2), Some(files), "{text}");
        }
    }

    #[test]
    fn the_strict_reader_takes_the_exact_form_only() {
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert!(Position::from_fen_strict(start).is_ok());
        assert!(Position::from_fen_strict(&start.replace("KQkq", "HAha")).is_ok());
        for (part, odd, field) in [
            ("KQkq", "HQha", FenField::Castling),
            ("KQkq", "QKkq", FenField::Castling),
            ("e3", "e6", FenField::EnPassant),
            (" 0 1", "  0 1", FenField::HalfmoveClock),
            (" 0 1", " 00 1", FenField::HalfmoveClock),
            (" 0 1", " 0 0", FenField::FullmoveNumber),
            (" 0 1", " 0", FenField::FullmoveNumber),
            (" 0 1", " 0 1 ", FenField::Tail),
        ] {
            let error = Position::from_fen_strict(&start.replacen(part, odd, 1)).unwrap_err();
            assert_eq!(error.field(), Some(field), "{odd:?}");
        }
    }
}
