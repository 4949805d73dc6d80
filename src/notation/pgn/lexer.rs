//! The tokens of PGN and where they stand.

/// A piece of PGN text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A tag pair; the value still has its backslashes.
    Tag(&'a [u8], &'a [u8]),
    /// A line that starts like a tag and is none.
    BadTag,
    /// A comment, without braces or semicolon.
    Comment(&'a [u8]),
    /// A comment that runs into the end of the text or into the tags of the next game.
    UnclosedComment(&'a [u8]),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$` with the digits behind it.
    Nag(&'a [u8]),
    /// `*`
    Star,
    /// A move, a move number, a result, a mark.
    Word(&'a [u8]),
    /// A character with no meaning.
    Stray(char),
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Starts somewhere in a text.
    pub(super) fn new(text: &'a [u8], at: usize) -> Lexer<'a> {
        Lexer { text, at }
    }

    /// Where the next token is looked for.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// The next token and the offset at which it starts.
    pub(super) fn next(&mut self) -> Option<(usize, Token<'a>)> {
        self.skip_blank();
        let start = self.at;
        let token = match *self.text.get(start)? {
            b'[' => self.tag(),
            b'{' => self.brace_comment(),
            b';' => {
                self.at = self.line_end(start);
                Token::Comment(&self.text[start + 1..self.at])
            }
            b'(' => self.single(Token::Open),
            b')' => self.single(Token::Close),
            b'*' => self.single(Token::Star),
            b'$' => {
                self.at = self.end_of(start + 1, |byte| byte.is_ascii_digit());
                Token::Nag(&self.text[start + 1..self.at])
            }
            byte @ (b']' | b'}' | b'<' | b'>') => self.single(Token::Stray(byte as char)),
            _ => self.word(),
        };
        Some((start, token))
    }

    /// The next token if it is a comment that starts on the present line.
    pub(super) fn comment_on_this_line(&mut self) -> Option<(usize, Token<'a>)> {
        let start = self.end_of(self.at, |byte| matches!(byte, b' ' | b'\t'));
        if !matches!(self.text.get(start), Some(b'{' | b';')) {
            return None;
        }
        self.at = start;
        self.next()
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// The first offset from `start` on whose byte does not fit.
    fn end_of(&self, start: usize, fits: impl Fn(u8) -> bool) -> usize {
        let length = self.text[start..].iter().position(|&byte| !fits(byte));
        length.map_or(self.text.len(), |length| start + length)
    }

    fn line_end(&self, start: usize) -> usize {
        self.end_of(start, |byte| byte != b'\n' && byte != b'\r')
    }

    fn at_line_start(&self, at: usize) -> bool {
        at == 0 || matches!(self.text[at - 1], b'\n' | b'\r')
    }

    /// Skips blanks, byte order marks and `%` lines.
    fn skip_blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            match rest.first() {
                Some(byte) if is_blank(*byte) => self.at += 1,
                Some(b'%') if self.at_line_start(self.at) => self.at = self.line_end(self.at),
                Some(0xEF) if rest.starts_with(b"\xEF\xBB\xBF") => self.at += 3,
                _ => return,
            }
        }
    }

    fn brace_comment(&mut self) -> Token<'a> {
        let start = self.at + 1;
        let mut at = start;
        while let Some(&byte) = self.text.get(at) {
            if byte == b'}' {
                self.at = at + 1;
                return Token::Comment(&self.text[start..at]);
            }
            if byte == b'[' && self.starts_tag_section(at) {
                break;
            }
            at += 1;
        }
        self.at = at;
        Token::UnclosedComment(&self.text[start..at])
    }

    /// Whether a whole tag line starts here, after an empty line: even a comment that somebody
    /// forgot to close should not swallow the next game.
    fn starts_tag_section(&self, at: usize) -> bool {
        let before = self.text[..at].trim_ascii_end().len();
        let breaks = self.text[before..at].iter().filter(|&&byte| byte == b'\n').count();
        let returns = self.text[before..at].iter().filter(|&&byte| byte == b'\r').count();
        if !self.at_line_start(at) || breaks.max(returns) < 2 {
            return false;
        }
        let line = self.text[at..self.line_end(at)].trim_ascii_end();
        line.ends_with(b"\"]") && self.split_tag(at).is_some()
    }

    fn tag(&mut self) -> Token<'a> {
        let start = self.at;
        if let Some((name, value, end)) = self.split_tag(start) {
            self.at = end;
            return Token::Tag(name, value);
        }
        let line = &self.text[..start];
        let indent = line.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if self.at_line_start(start - indent) {
            self.at = self.line_end(start);
            return Token::BadTag;
        }
        self.single(Token::Stray('['))
    }

    /// Name, raw value and end of the tag that starts here, if it is one.
    fn split_tag(&self, start: usize) -> Option<(&'a [u8], &'a [u8], usize)> {
        let is_space = |byte| matches!(byte, b' ' | b'\t');
        let name_start = self.end_of(start + 1, is_space);
        let name_end = self.end_of(name_start, is_name);
        let quote = self.end_of(name_end, is_space);
        if name_start == name_end || self.text.get(quote) != Some(&b'"') {
            return None;
        }
        let line_end = self.line_end(quote);
        let mut at = quote + 1;
        while at < line_end {
            match self.text[at] {
                b'\\' => at += 1,
                // A quote that no bracket follows belongs to the value.
                b'"' => {
                    let bracket = self.end_of(at + 1, is_space);
                    if self.text.get(bracket) == Some(&b']') {
                        let name = &self.text[name_start..name_end];
                        return Some((name, &self.text[quote + 1..at], bracket + 1));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        // A path such as `C:\` may seem to protect the quotation mark that ends it.
        let value = self.text[quote + 1..line_end].trim_ascii_end().strip_suffix(b"\"]")?;
        value.ends_with(b"\\").then(|| {
            let name = &self.text[name_start..name_end];
            (name, value, line_end)
        })
    }

    fn word(&mut self) -> Token<'a> {
        let start = self.at;
        let mut end = self.end_of(start, |byte| {
            !is_blank(byte)
                && !matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';')
                && !matches!(byte, b'$' | b'<' | b'>' | b'*')
        });
        // A promotion in brackets, as in "e8(Q)", is no variation.
        if let [b'(', letter, b')', ..] = self.text[end..]
            && b"QRBNqrbn".contains(&letter)
        {
            end += 3;
        }
        self.at = end;
        Token::Word(&self.text[start..end])
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0x0B | 0)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

/// Line and column of an offset, both counted from 0; columns are characters.
///
/// LF, CRLF and CR end a line.
pub(super) fn location(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let lines = count_lines(before);
    let start =
        before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let line = &before[start..];
    (lines, std::str::from_utf8(line).map_or(line.len(), |line| line.chars().count()))
}

/// How many line ends a text has.
pub(super) fn count_lines(text: &[u8]) -> usize {
    let mut lines = 0;
    let mut last = 0;
    for &byte in text {
        lines += usize::from(byte == b'\r' || (byte == b'\n' && last != b'\r'));
        last = byte;
    }
    lines
}

/// UTF-8, or Latin-1 where it is not: older files have that.
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| byte as char).collect(),
    }
}
