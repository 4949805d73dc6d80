//! Games in portable game notation: a tolerant reader and an exact writer.
//!
//! The reader is our own. The field's library, `pgn-reader`, passes over what it cannot read and
//! does not tell where it stands in a file; here a broken game keeps its good moves and names each
//! fault by line and column. Source: PGN standard, 1994.

mod lexer;
mod reader;
mod writer;

use std::fmt;

pub use reader::{Games, RawGame, read};

use super::SanError;
use crate::board::{FenError, Position};
use crate::types::{Color, Move};

/// The end of a game as PGN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, abandoned, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// The four texts of the standard.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads one of the four texts, `1/2`, and their spellings with typographic dashes.
    pub fn from_text(text: &str) -> Option<GameResult> {
        let plain: String =
            text.chars().map(|c| if matches!(c, '‐'..='—') { '-' } else { c }).collect();
        Some(match plain.as_str() {
            "1-0" => GameResult::WhiteWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" | "½" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A half-move of the main line with what was noted behind it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ply {
    /// The move; `None` for a null move, which annotators write as `--`.
    pub mv: Option<Move>,
    /// Numeric annotation glyphs: 1 = good move, 2 = mistake, …
    pub nags: Vec<u8>,
    /// Comments behind the move, without their braces.
    pub comments: Vec<String>,
}

/// Something in a game's text that cannot be what it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct Fault {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in the line in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong at a place in a game's text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultKind {
    /// A move that cannot be read or made; the main line ends before it.
    #[error("move {number} of {side}: {error}")]
    Move {
        /// The move's number, counted on from the start position.
        number: u32,
        /// Who should have moved.
        side: Color,
        /// Why the text is no move.
        error: SanError,
    },
    /// A null move of a side in check; the main line ends before it.
    #[error("move {number} of {side}: a null move in check")]
    NullMoveInCheck {
        /// The move's number, counted on from the start position.
        number: u32,
        /// Who should have moved.
        side: Color,
    },
    /// The `FEN` tag is no position; no move is read.
    #[error("{0}")]
    Fen(FenError),
    /// A line that starts like a tag and is none.
    #[error("an unreadable tag")]
    Tag,
    /// A comment without its closing brace.
    #[error("a comment that is not closed")]
    UnclosedComment,
    /// A variation without its closing bracket.
    #[error("a variation that is not closed")]
    UnclosedVariation,
    /// A character that means nothing here.
    #[error("unexpected character {0:?}")]
    Character(char),
    /// A `$` without a number from 0 to 255.
    #[error("an unreadable annotation glyph")]
    Nag,
    /// The `Result` tag and the end of the moves name different results.
    #[error("the tag says {tag}, the end of the moves {token}")]
    ResultsDiffer {
        /// The result of the tag.
        tag: GameResult,
        /// The result behind the moves.
        token: GameResult,
    },
}

/// One game: tags, start position, main line.
///
/// Variations are read over: what they hold is not checked and not kept.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Tag names and values in their order; [`Game::set_tag`] keeps names apart.
    pub tags: Vec<(String, String)>,
    /// Where the game starts; `None` if its `FEN` tag cannot be read.
    pub start: Option<Position>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves as far as they can be read.
    pub plies: Vec<Ply>,
    /// The result behind the moves, if there is one.
    pub result: Option<GameResult>,
    /// What is wrong with the text; only the first few of a game are kept.
    pub faults: Vec<Fault>,
    /// The line of the file on which the game starts; 0 if it comes from no file.
    pub line: usize,
}

impl Game {
    /// A game without tags and moves.
    pub fn new(start: Position) -> Game {
        Game { start: Some(start), ..Game::default() }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in place of an older value. A name has letters, digits and underscores only.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        debug_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }

    /// Adds a move to the main line.
    pub fn push(&mut self, mv: Move) {
        self.plies.push(Ply { mv: Some(mv), ..Ply::default() });
    }

    /// Adds a comment behind the last move, or before the first.
    pub fn comment(&mut self, text: impl Into<String>) {
        match self.plies.last_mut() {
            Some(ply) => ply.comments.push(text.into()),
            None => self.comments.push(text.into()),
        }
    }

    /// The recorded result: that of the tag if it names a winner or a draw, else the one behind the
    /// moves.
    pub fn result(&self) -> GameResult {
        let tag = self.tag("Result").and_then(GameResult::from_text).unwrap_or_default();
        if tag == GameResult::Unknown { self.result.unwrap_or_default() } else { tag }
    }

    /// Sets the result, in the tag and behind the moves.
    pub fn set_result(&mut self, result: GameResult) {
        self.set_tag("Result", result.text());
        self.result = Some(result);
    }

    /// The position after the last ply; `None` if the start position is not known.
    pub fn final_position(&self) -> Option<Position> {
        let start = self.start?;
        self.plies.iter().try_fold(start, |position, ply| after_ply(&position, ply.mv))
    }
}

/// A tag's value: a tag is one line, so control characters become spaces.
fn on_one_line(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The position after a move or a null move; `None` for a null move in check.
fn after_ply(position: &Position, mv: Option<Move>) -> Option<Position> {
    if let Some(mv) = mv {
        return Some(position.after(mv));
    }
    if position.in_check() {
        return None;
    }
    let mut setup = position.to_setup();
    setup.fullmove_number += u32::from(setup.side_to_move == Color::Black);
    setup.side_to_move = !setup.side_to_move;
    setup.double_push = None;
    setup.halfmove_clock += 1;
    Position::from_setup(&setup).ok()
}
