//! Reading: first the borders between games, then one game at a time.

use super::lexer::{Lexer, Token, count_lines, decode, location};
use super::{Fault, FaultKind, Game, GameResult, Ply, after_ply, on_one_line};
use crate::board::Position;
use crate::notation::{SanError, parse_san};

/// How many faults of one game are kept: a game of garbage needs no more.
const MAX_FAULTS: usize = 20;

/// Reads all games of a file, one after the other.
///
/// Nothing in a file ends the reading: each game carries its own faults.
pub fn read(text: &[u8]) -> impl Iterator<Item = Game> + '_ {
    Games::new(text).map(|raw| raw.parse())
}

/// The texts of a file's games, not yet read: they can be parsed in parallel.
///
/// A game ends at its result, or where the tags of the next one start.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
    /// Lines before `at`.
    lines: usize,
    number: usize,
}

/// The text of one game and its place in the file.
#[derive(Clone, Copy, Debug)]
pub struct RawGame<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
    /// Lines before `start`.
    lines: usize,
    /// The game's number in its file, from 1.
    pub number: usize,
}

impl<'a> Games<'a> {
    /// Looks for games in the bytes of a file.
    pub fn new(text: &'a [u8]) -> Games<'a> {
        Games { text, at: 0, lines: 0, number: 0 }
    }

    /// Where the game that starts at the lexer's place ends; `None` if no game is left.
    fn end_of_game(&self, lexer: &mut Lexer<'a>) -> Option<usize> {
        let (mut any, mut moves, mut depth) = (false, false, 0_usize);
        while let Some((at, token)) = lexer.next() {
            match token {
                Token::Tag(..) | Token::BadTag if moves => return Some(at),
                Token::Comment(_) => continue,
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ if depth == 0 && result_of(token).is_some() => {
                    while lexer.comment_on_this_line().is_some() {}
                    return Some(lexer.offset());
                }
                _ => {}
            }
            any = true;
            moves |= !matches!(token, Token::Tag(..) | Token::BadTag);
        }
        any.then(|| lexer.offset())
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = RawGame<'a>;

    fn next(&mut self) -> Option<RawGame<'a>> {
        let mut lexer = Lexer::new(self.text, self.at);
        let end = self.end_of_game(&mut lexer)?;
        self.number += 1;
        let game = RawGame {
            text: self.text,
            start: self.at,
            end,
            lines: self.lines,
            number: self.number,
        };
        self.lines += count_lines(&self.text[self.at..end]);
        // A CRLF that is cut in two by the border counts once.
        if end > 0 && self.text[end - 1] == b'\r' && self.text.get(end) == Some(&b'\n') {
            self.lines -= 1;
        }
        self.at = end;
        Some(game)
    }
}

impl RawGame<'_> {
    /// Reads the game: never fails, names what is wrong in [`Game::faults`].
    pub fn parse(&self) -> Game {
        // The text behind the game is cut off, the text before it stays: columns count from it.
        let mut reading = Reading::new(&self.text[..self.end], self);
        let mut lexer = Lexer::new(reading.text, self.start);
        let mut first = None;
        while let Some((at, token)) = lexer.next() {
            first.get_or_insert(at);
            reading.take(at, token);
        }
        let before = &self.text[self.start..first.unwrap_or(self.start)];
        reading.game.line = self.lines + count_lines(before) + 1;
        reading.finish()
    }
}

/// What a token says of the game's result, if it is one.
fn result_of(token: Token<'_>) -> Option<GameResult> {
    match token {
        Token::Star => Some(GameResult::Unknown),
        // No result is longer than that of a draw with typographic dashes.
        Token::Word(word) if word.len() <= 10 => {
            GameResult::from_text(std::str::from_utf8(word).ok()?)
        }
        _ => None,
    }
}

/// A game in the making.
struct Reading<'a> {
    text: &'a [u8],
    start: usize,
    lines: usize,
    game: Game,
    /// The position reached; `None` before the first move and once the main line is broken.
    position: Option<Position>,
    in_moves: bool,
    /// Where the FEN tag stands.
    fen_at: usize,
    /// Where the open variations start.
    variations: Vec<usize>,
}

impl<'a> Reading<'a> {
    fn new(text: &'a [u8], raw: &RawGame<'a>) -> Reading<'a> {
        Reading {
            text,
            start: raw.start,
            lines: raw.lines,
            game: Game::default(),
            position: None,
            in_moves: false,
            fen_at: raw.start,
            variations: Vec::new(),
        }
    }

    /// Line and column in the file, from 1.
    fn place(&self, at: usize) -> (usize, usize) {
        let line_start = self.text[..self.start]
            .iter()
            .rposition(|byte| matches!(byte, b'\n' | b'\r'))
            .map_or(0, |at| at + 1);
        let (lines, column) = location(&self.text[line_start..], at - line_start);
        (self.lines + lines + 1, column + 1)
    }

    fn fault(&mut self, at: usize, kind: FaultKind) {
        if self.game.faults.len() < MAX_FAULTS {
            let (line, column) = self.place(at);
            self.game.faults.push(Fault { line, column, kind });
        }
    }

    fn take(&mut self, at: usize, token: Token<'a>) {
        match token {
            Token::Tag(name, value) => self.tag(at, name, value),
            Token::BadTag => self.fault(at, FaultKind::Tag),
            Token::Comment(text) => self.comment(text),
            Token::UnclosedComment(text) => {
                self.comment(text);
                self.fault(at, FaultKind::UnclosedComment);
            }
            Token::Open => self.variations.push(at),
            Token::Close => {
                if self.variations.pop().is_none() {
                    self.fault(at, FaultKind::Character(')'));
                }
            }
            Token::Stray(character) => self.fault(at, FaultKind::Character(character)),
            _ if !self.variations.is_empty() => {}
            Token::Nag(digits) => match decode(digits).parse() {
                Ok(nag) => self.nag(nag),
                Err(_) => self.fault(at, FaultKind::Nag),
            },
            Token::Star => self.result(at, GameResult::Unknown),
            Token::Word(word) => match result_of(token) {
                Some(result) => self.result(at, result),
                None => self.word(at, word),
            },
        }
    }

    fn tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        let name = decode(name);
        if name == "FEN" {
            self.fen_at = at;
        }
        self.game.set_tag_as_read(name, on_one_line(&unescape(value)));
    }

    fn comment(&mut self, text: &[u8]) {
        if self.variations.is_empty() {
            // Line ends in a comment only wrap it.
            let words: Vec<String> = text.split(u8::is_ascii_whitespace).map(decode).collect();
            let words: Vec<&str> =
                words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
            self.game.comment(words.join(" "));
        }
    }

    fn nag(&mut self, nag: u8) {
        if let Some(ply) = self.game.plies.last_mut() {
            ply.nags.push(nag);
        }
    }

    fn result(&mut self, at: usize, token: GameResult) {
        self.begin_moves();
        self.game.result = Some(token);
        let tag = self.game.tag("Result").and_then(GameResult::from_text).unwrap_or_default();
        let decided = |result| result != GameResult::Unknown;
        if tag != token && decided(tag) && decided(token) {
            self.fault(at, FaultKind::ResultsDiffer { tag, token });
        }
    }

    /// Sets the start position up once the tags are known.
    fn begin_moves(&mut self) {
        if std::mem::replace(&mut self.in_moves, true) {
            return;
        }
        match self.game.tag("FEN").map(Position::from_fen) {
            None => self.game.start = Some(Position::startpos()),
            Some(Ok(position)) => self.game.start = Some(position),
            Some(Err(error)) => self.fault(self.fen_at, FaultKind::Fen(error)),
        }
        self.position = self.game.start;
    }

    fn word(&mut self, at: usize, word: &[u8]) {
        self.begin_moves();
        let number = move_number_length(word);
        let (at, word) = (at + number, decode(&word[number..]));
        if let Some(result) = result_of(Token::Word(word.as_bytes())) {
            self.result(at, result);
        } else if let Some(nag) = mark(&word) {
            nag.into_iter().for_each(|nag| self.nag(nag));
        } else if let Some(position) = self.position {
            self.ply(at, &word, &position);
        }
    }

    /// Adds the half-move that a word means; the first that cannot be made breaks the main line.
    fn ply(&mut self, at: usize, word: &str, position: &Position) {
        let (number, side) = (position.fullmove_number(), position.side_to_move());
        let mv = match parse_san(position, word) {
            Ok(mv) => Some(mv),
            Err(SanError::Null(_)) => None,
            Err(error) => {
                self.position = None;
                return self.fault(at, FaultKind::Move { number, side, error });
            }
        };
        self.position = after_ply(position, mv);
        if self.position.is_none() {
            return self.fault(at, FaultKind::NullMoveInCheck { number, side });
        }
        let praise = &word[word.trim_end_matches(['!', '?']).len()..];
        let nags = mark(praise).flatten().into_iter().collect();
        self.game.plies.push(Ply { mv, nags, comments: Vec::new() });
    }

    fn finish(mut self) -> Game {
        self.begin_moves();
        if let Some(&at) = self.variations.first() {
            self.fault(at, FaultKind::UnclosedVariation);
        }
        self.game
    }
}

impl Game {
    /// Keeps the first of two tags with one name, as most programs do.
    fn set_tag_as_read(&mut self, name: String, value: String) {
        if self.tag(&name).is_none() {
            self.tags.push((name, value));
        }
    }
}

/// How many bytes at the start of a word are a move number with its dots, or dots alone.
fn move_number_length(word: &[u8]) -> usize {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|&&byte| byte == b'.').count();
    // "0-0" starts with a digit and is no number.
    if dots > 0 || digits == word.len() { digits + dots } else { 0 }
}

/// Words that are no moves: `Some` with the glyph they stand for, if they stand for one.
fn mark(word: &str) -> Option<Option<u8>> {
    Some(match word {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        "=" => Some(10),
        "+/=" | "+=" => Some(14),
        "=/+" | "=+" => Some(15),
        "+/-" => Some(16),
        "-/+" => Some(17),
        "+-" => Some(18),
        "-+" => Some(19),
        "" | "e.p." | "e.p" | "ep" | "ep." | "+" | "++" | "#" => None,
        _ => return None,
    })
}

/// Takes the backslashes that protect quotation marks and backslashes out of a tag's value.
fn unescape(value: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut protected = false;
    for &byte in value {
        if protected && !matches!(byte, b'"' | b'\\') {
            bytes.push(b'\\');
        }
        protected = byte == b'\\' && !protected;
        if !protected {
            bytes.push(byte);
        }
    }
    if protected {
        bytes.push(b'\\');
    }
    decode(&bytes)
}
