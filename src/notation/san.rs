//! Moves in standard algebraic notation: exact writing, tolerant reading.
//!
//! Source: PGN standard 8.2.3; FIDE Laws of Chess, appendix C.

use std::fmt::Write;

use super::uci::{UciMoveError, king_lands, parse_uci, to_uci};
use crate::board::Position;
use crate::types::{CastlingSide, File, Move, MoveKind, MoveList, PieceKind, Rank, Square};

/// Why a text is not a move in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("{0:?} is not a move")]
    Syntax(String),
    /// The null move, which no rule allows.
    #[error("{0:?} is the null move")]
    Null(String),
    /// A pawn would reach its last rank and become nothing.
    #[error("{0:?} names no piece to promote to")]
    MissingPromotion(String),
    /// No legal move of the position.
    #[error("{0:?} is not a legal move here")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("{text:?} may mean {moves}")]
    Ambiguous {
        /// The text that was found.
        text: String,
        /// The moves that fit, as UCI writes them.
        moves: String,
    },
}

/// Writes a legal move with exactly the letters it needs, and with `+` or `#` where it checks or
/// mates.
pub fn to_san(position: &Position, mv: Move) -> String {
    let mut text = match mv.kind() {
        MoveKind::CastleShort => "O-O".to_string(),
        MoveKind::CastleLong => "O-O-O".to_string(),
        _ => body(position, mv),
    };
    let after = position.after(mv);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// The text of a move that is not castling, without its check sign.
fn body(position: &Position, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    let kind = position.piece_at(mv.from()).map_or(PieceKind::Pawn, |piece| piece.kind());
    if kind == PieceKind::Pawn {
        if mv.is_capture() {
            text.push(mv.from().file().letter());
        }
    } else {
        text.push(kind.letter().to_ascii_uppercase());
        push_origin(&mut text, position, mv, kind);
    }
    if mv.is_capture() {
        text.push('x');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", mv.to());
    if let Some(promotion) = mv.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// Writes file, rank or both, whatever tells the moving piece from its legal rivals.
fn push_origin(text: &mut String, position: &Position, mv: Move, kind: PieceKind) {
    let from = mv.from();
    let is_rival = |other: &Move| {
        other.to() == mv.to()
            && other.from() != from
            && !other.is_castling()
            && position.piece_at(other.from()).is_some_and(|piece| piece.kind() == kind)
    };
    // One piece attacks a square once: without a second piece of its kind no list is needed.
    if position.of(position.side_to_move(), kind).count() < 2 {
        return;
    }
    let rivals: MoveList = position.legal_moves().into_iter().filter(is_rival).collect();
    if rivals.is_empty() {
        return;
    }
    let shares_file = rivals.iter().any(|rival| rival.from().file() == from.file());
    let shares_rank = rivals.iter().any(|rival| rival.from().rank() == from.rank());
    if !shares_file || shares_rank {
        text.push(from.file().letter());
    }
    if shares_file {
        text.push(from.rank().digit());
    }
}

/// Reads a move as people and programs write it; what comes back is legal.
///
/// Beside exact SAN it takes missing and surplus check signs, `!` and `?`, `e.p.`, zeros for
/// castling, promotions without `=`, missing `x`, surplus origins, long algebraic and UCI text, and
/// lower-case piece letters where no pawn move fits.
///
/// # Errors
/// If the text is no move, the null move, not legal, or fits several legal moves.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let bare = strip_suffixes(text.trim_ascii());
    // A hostile token may be megabytes long; the message need not be.
    let shown = || text.trim_ascii().chars().take(20).collect::<String>();
    if is_null(bare) {
        return Err(SanError::Null(shown()));
    }
    if let Some(side) = castling_side(bare) {
        let kind = match side {
            CastlingSide::Short => MoveKind::CastleShort,
            CastlingSide::Long => MoveKind::CastleLong,
        };
        let castles = |mv: &Move| mv.kind() == kind;
        return position
            .legal_moves()
            .into_iter()
            .find(castles)
            .ok_or_else(|| SanError::Illegal(shown()));
    }

    let mut readings = readings(bare).peekable();
    if readings.peek().is_none() {
        return Err(SanError::Syntax(shown()));
    }
    let mut error = SanError::Illegal(shown());
    for reading in readings {
        match reading.find(position) {
            Found::One(mv) => return Ok(mv),
            Found::None => {}
            Found::Many(moves) => return Err(SanError::Ambiguous { text: shown(), moves }),
            Found::Unpromoted => error = SanError::MissingPromotion(shown()),
        }
    }
    // Castling as UCI writes it.
    match parse_uci(position, bare) {
        Ok(mv) if king_lands(mv).is_some() => Ok(mv),
        Err(UciMoveError::MissingPromotion(_)) => Err(SanError::MissingPromotion(shown())),
        _ => Err(error),
    }
}

/// Whether a text is one of the null moves that programs write.
fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "null" | "pass" | "@@@@")
}

/// Cuts check signs, marks of praise and blame, and `e.p.` off the end.
fn strip_suffixes(text: &str) -> &str {
    let mut text = text;
    loop {
        let cut = text.trim_end_matches(['+', '#', '!', '?']).trim_ascii_end();
        let cut = ["e.p.", "e.p", "ep.", "ep"]
            .iter()
            .find_map(|suffix| cut.strip_suffix(suffix))
            .unwrap_or(cut);
        if cut.len() == text.len() {
            return text;
        }
        text = cut;
    }
}

fn castling_side(text: &str) -> Option<CastlingSide> {
    let zeros: String = text
        .chars()
        .take(6)
        .map(|c| match c {
            'O' | 'o' => '0',
            '\u{2010}'..='\u{2014}' => '-',
            c => c,
        })
        .collect();
    match zeros.as_str() {
        "0-0" | "00" => Some(CastlingSide::Short),
        "0-0-0" | "000" => Some(CastlingSide::Long),
        _ => None,
    }
}

/// One way to understand a text: what it says of the move.
#[derive(Clone, Copy)]
struct Reading {
    /// `None` for any piece, if the origin is a whole square.
    kind: Option<PieceKind>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceKind>,
}

enum Found {
    None,
    One(Move),
    /// The moves that fit, as UCI writes them.
    Many(String),
    Unpromoted,
}

impl Reading {
    fn find(&self, position: &Position) -> Found {
        let mut moves: MoveList =
            position.legal_moves().into_iter().filter(|&mv| self.fits(position, mv)).collect();
        let unpromoted = self.promotion.is_none() && moves.iter().any(|mv| mv.is_promotion());
        moves.retain(|mv| mv.promotion() == self.promotion);
        match moves.as_slice() {
            [] if unpromoted => Found::Unpromoted,
            [] => Found::None,
            [mv] => Found::One(*mv),
            several => {
                let texts: Vec<String> = several.iter().map(|&mv| to_uci(mv, true)).collect();
                Found::Many(texts.join(", "))
            }
        }
    }

    /// Whether the move is as described, the promotion left aside.
    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        let Some(kind) = position.piece_at(from).map(|piece| piece.kind()) else { return false };
        // Without a file a pawn moves straight ahead.
        let straight = self.file.is_some() || from.file() == mv.to().file();
        mv.to() == self.to
            && !mv.is_castling()
            && self.kind.is_none_or(|wanted| wanted == kind)
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (kind != PieceKind::Pawn || straight)
    }
}

/// The ways to understand a text, the most likely first.
fn readings(text: &str) -> impl Iterator<Item = Reading> {
    // What is longer than "Qa1xb2=(Q)" is no move.
    let text = if text.is_ascii() && text.len() <= 12 { text } else { "" };
    let first = text.chars().next();
    let named = first.filter(char::is_ascii_uppercase).and_then(PieceKind::from_letter);
    // A lower-case letter is a file first: "bxc3" is a pawn's move if it can be one.
    let guessed = first.filter(char::is_ascii_lowercase).and_then(PieceKind::from_letter);
    let with_letter = named.or(guessed).and_then(|kind| reading(Some(kind), &text[1..]));
    let without_letter = if named.is_some() { None } else { reading(None, text) };
    without_letter.into_iter().chain(with_letter)
}

/// Reads origin, capture sign, target and promotion.
fn reading(kind: Option<PieceKind>, text: &str) -> Option<Reading> {
    let (text, promotion) = split_promotion(text)?;
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = to.parse().ok().filter(|_| !to.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let origin = origin.strip_suffix(['x', ':', '-', 'X']).unwrap_or(origin);
    let mut letters = origin.chars().peekable();
    let file = letters.peek().and_then(|&c| File::from_letter(c).filter(|_| c.is_lowercase()));
    if file.is_some() {
        letters.next();
    }
    let rank = letters.peek().and_then(|&c| Rank::from_digit(c));
    if rank.is_some() {
        letters.next();
    }
    if letters.next().is_some() {
        return None;
    }
    let whole_square = file.is_some() && rank.is_some();
    let kind = kind.or(if whole_square { None } else { Some(PieceKind::Pawn) });
    Some(Reading { kind, file, rank, to, promotion })
}

/// Cuts `=Q`, `Q`, `(Q)` or `/Q` off the end; `None` if what stands there is no promotion.
fn split_promotion(text: &str) -> Option<(&str, Option<PieceKind>)> {
    let (rest, bracketed) = match text.strip_suffix(')') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let Some(letter) = rest.chars().last().filter(char::is_ascii_alphabetic) else {
        return if bracketed { None } else { Some((text, None)) };
    };
    let kind = PieceKind::from_letter(letter).filter(|k| PieceKind::PROMOTIONS.contains(k))?;
    let rest = &rest[..rest.len() - 1];
    let rest = if bracketed { rest.strip_suffix('(')? } else { rest };
    Some((rest.strip_suffix(['=', '/']).unwrap_or(rest), Some(kind)))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn read(fen: &str, text: &str) -> Result<String, SanError> {
        let position = Position::from_fen(fen).unwrap();
        parse_san(&position, text).map(|mv| to_uci(mv, false))
    }

    #[test]
    fn letters_are_written_only_against_legal_rivals() {
        let cases = [
            ("rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1", "g1e2", "Ne2"),
            ("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "e2c3", "Ne2c3"),
            ("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "e4c3", "N4c3"),
            ("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "a2c3", "Nac3"),
            ("8/1k5p/4P3/1q3b2/6PP/7K/5QR1/1q1q4 b - - 0 53", "b5d3", "Q5d3+"),
        ];
        for (fen, uci, san) in cases {
            let position = Position::from_fen(fen).unwrap();
            let mv = parse_uci(&position, uci).unwrap();
            assert_eq!(to_san(&position, mv), san);
            assert_eq!(parse_san(&position, san), Ok(mv));
        }
    }

    #[test]
    fn many_spellings_are_read() {
        let promotion = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for text in ["axb8=Q+", "axb8Q", "axb8(Q)", "ab8=q", "a7xb8/Q", "a7b8q", "axb8=Q+!?"] {
            assert_eq!(read(promotion, text).as_deref(), Ok("a7b8q"), "{text}");
        }
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "0-0", "o-o", "OO", "e1g1", "e1h1", "0-0+", "O-O!"] {
            assert_eq!(read(castling, text).as_deref(), Ok("e1g1"), "{text}");
        }
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        for text in ["exd6", "exd6 e.p.", "exd6e.p.", "ed6", "e5d6", "e5xd6ep"] {
            assert_eq!(read(passing, text).as_deref(), Ok("e5d6"), "{text}");
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for text in ["Nf3", "nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "Nf3+?"] {
            assert_eq!(read(start, text).as_deref(), Ok("g1f3"), "{text}");
        }
        for text in ["e4", "e2e4", "e2-e4", "Pe4", "pe4"] {
            assert_eq!(read(start, text).as_deref(), Ok("e2e4"), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_says_why() {
        let rivals = "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82";
        let moves = "e2c3, e4c3".to_string();
        assert_eq!(
            read(rivals, "Nec3"),
            Err(SanError::Ambiguous { text: "Nec3".to_string(), moves })
        );
        for text in ["Ke4", "O-O", "Nxh8", "exd5", "e3"] {
            assert_eq!(read(rivals, text), Err(SanError::Illegal(text.to_string())));
        }
        for text in ["", "e", "hello", "Nf", "N", "Nf9", "=Q", "()", "Ni3", "♘f3", "e4e5e6", "EE4"]
        {
            assert_eq!(read(rivals, text), Err(SanError::Syntax(text.to_string())));
        }
        for text in ["--", "Z0", "0000"] {
            assert_eq!(read(rivals, text), Err(SanError::Null(text.to_string())));
        }
        let promotion = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8", "a7a8"] {
            assert_eq!(read(promotion, text), Err(SanError::MissingPromotion(text.to_string())));
        }
    }
}
