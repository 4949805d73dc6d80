//! Extended position description: a position with operations, as test suites use it.
//!
//! Source: PGN standard 16.2.

use std::fmt;

use super::{SanError, parse_san, to_san};
use crate::board::{FenError, Position};
use crate::types::Move;

/// Why a line is no EPD record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position cannot be read.
    #[error("{0}")]
    Position(#[from] FenError),
    /// An operation starts with something that is no name.
    #[error("EPD: {0:?} is no name of an operation")]
    Opcode(String),
    /// An operand's quotation mark is not closed.
    #[error("EPD: the text of operation {0} has no closing quotation mark")]
    Quote(String),
    /// An operand is not what its operation needs.
    #[error("EPD: operation {opcode}: {operand:?} is not a number")]
    Number {
        /// The operation's name.
        opcode: String,
        /// The operand.
        operand: String,
    },
    /// An operand is not a move of the position.
    #[error("EPD: operation {opcode}: {error}")]
    Move {
        /// The operation's name.
        opcode: String,
        /// Why it is no move.
        error: SanError,
    },
}

/// An operation of a record: a name with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name, such as `bm`.
    pub opcode: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
}

/// A position with operations.
#[derive(Clone, Debug)]
pub struct Record {
    /// The position; clock and move number come from fields five and six or from the operations
    /// `hmvc` and `fmvn`.
    pub position: Position,
    /// The operations in their order.
    pub operations: Vec<Operation>,
}

/// Reads a record as suites really write it: with or without counters, with the last semicolon
/// missing, with empty operations, with texts outside of quotation marks.
///
/// # Errors
/// If the position cannot be read, an operation has no name, or a text is not closed. What the
/// operands mean is only asked when they are used.
pub fn parse(line: &str) -> Result<Record, EpdError> {
    let (fen, rest) = split_fen(line);
    let operations = parse_operations(rest)?;
    let mut record = Record { position: Position::from_fen(fen)?, operations };
    let (clock, number) = (record.number("hmvc")?, record.number("fmvn")?);
    if clock.is_some() || number.is_some() {
        let fields: Vec<&str> = fen.split_ascii_whitespace().take(4).collect();
        let (clock, number) = (
            clock.unwrap_or(record.position.halfmove_clock().into()),
            number.unwrap_or(record.position.fullmove_number().into()),
        );
        record.position = Position::from_fen(&format!("{} {clock} {number}", fields.join(" ")))?;
    }
    Ok(record)
}

/// Reads the records of a file, each with its line number from 1; empty lines and lines that start
/// with `#` are passed over.
pub fn parse_lines(text: &str) -> impl Iterator<Item = (usize, Result<Record, EpdError>)> + '_ {
    let filled = |line: &str| !line.trim_ascii().is_empty() && !line.starts_with('#');
    (1..)
        .zip(text.trim_start_matches('\u{feff}').lines())
        .filter(move |(_, line)| filled(line))
        .map(|(number, line)| (number, parse(line)))
}

impl Record {
    /// The operation of this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The operands of an operation as one text, such as that of `id` or `c0`.
    pub fn text(&self, opcode: &str) -> Option<String> {
        self.operation(opcode).map(|operation| operation.operands.join(" "))
    }

    /// The operand of an operation that counts something, such as `dm` (mate in so many moves;
    /// some suites write a negative number where the side to move is mated).
    ///
    /// # Errors
    /// If the operand is no number.
    pub fn number(&self, opcode: &str) -> Result<Option<i64>, EpdError> {
        let Some(operation) = self.operation(opcode) else { return Ok(None) };
        let operand = operation.operands.join(" ");
        let number = operand.parse().ok();
        number.map(Some).ok_or(EpdError::Number { opcode: opcode.to_string(), operand })
    }

    /// The moves of an operation: `bm` for the best ones, `am` for those to avoid, `pv` is not of
    /// this kind. None if there is no such operation.
    ///
    /// # Errors
    /// If an operand is no legal move.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        let Some(operation) = self.operation(opcode) else { return Ok(Vec::new()) };
        let words = operation.operands.iter().flat_map(|operand| operand.split([',', ' ']));
        words
            .filter(|word| !word.is_empty())
            .map(|word| {
                parse_san(&self.position, word)
                    .map_err(|error| EpdError::Move { opcode: opcode.to_string(), error })
            })
            .collect()
    }

    /// Adds an operation that lists moves.
    pub fn add_moves(&mut self, opcode: &str, moves: &[Move]) {
        let operands = moves.iter().map(|&mv| to_san(&self.position, mv)).collect();
        self.operations.push(Operation { opcode: opcode.to_string(), operands });
    }

    /// Adds an operation with a text or a number.
    pub fn add(&mut self, opcode: &str, operand: impl ToString) {
        let operands = vec![operand.to_string()];
        self.operations.push(Operation { opcode: opcode.to_string(), operands });
    }
}

impl fmt::Display for Record {
    /// The four fields and the operations; texts stand in quotation marks where they need them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        for operation in &self.operations {
            write!(f, " {}", operation.opcode)?;
            for operand in &operation.operands {
                write_operand(f, &operation.opcode, operand)?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// Writes `id` and comments in quotation marks, and whatever would fall apart without them.
fn write_operand(f: &mut fmt::Formatter<'_>, opcode: &str, operand: &str) -> fmt::Result {
    let is_comment = opcode.starts_with('c') && opcode[1..].bytes().all(|b| b.is_ascii_digit());
    let is_text = opcode == "id" || is_comment && opcode.len() > 1;
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ';' | '"');
    if is_text || operand.is_empty() || operand.contains(odd) {
        // EPD knows no escape for a quotation mark.
        let text: String = operand
            .chars()
            .map(|c| match c {
                '"' => '\'',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        write!(f, " \"{text}\"")
    } else {
        write!(f, " {operand}")
    }
}

/// Splits a line behind its fourth field, or behind counters that follow.
fn split_fen(line: &str) -> (&str, &str) {
    let mut end = 0;
    for number in 0..6 {
        let rest = &line[end..];
        let start = end + rest.len() - rest.trim_ascii_start().len();
        let length = line[start..].find(|c: char| c.is_ascii_whitespace() || c == ';');
        let field = &line[start..length.map_or(line.len(), |length| start + length)];
        let is_counter = field == "-" || field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (number >= 4 && !is_counter) {
            break;
        }
        end = start + field.len();
    }
    line.split_at(end)
}

fn parse_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        if let Some(next) = rest.strip_prefix(';') {
            rest = next.trim_ascii_start();
            continue;
        }
        let (opcode, mut operands_text) = split_word(rest);
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            || !opcode.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Err(EpdError::Opcode(opcode.chars().take(20).collect()));
        }
        let mut operands = Vec::new();
        loop {
            operands_text = operands_text.trim_ascii_start();
            if operands_text.is_empty() || operands_text.starts_with(';') {
                break;
            }
            let (operand, after) = match operands_text.strip_prefix('"') {
                Some(quoted) => {
                    quoted.split_once('"').ok_or_else(|| EpdError::Quote(opcode.to_string()))?
                }
                None => split_word(operands_text),
            };
            operands.push(operand.to_string());
            operands_text = after;
        }
        operations.push(Operation { opcode: opcode.to_string(), operands });
        rest = operands_text;
    }
    Ok(operations)
}

/// The text up to a blank or a semicolon, and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::notation::to_uci;

    const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn record(operations: &str) -> Record {
        parse(&format!("{KINGS} {operations}")).unwrap()
    }

    #[test]
    fn operations_are_read_as_suites_write_them() {
        for text in ["bm e4; id \"a; b\";", "bm e4 ; id \"a; b\"", "0 1 ;bm e2e4;;id \"a; b\";"] {
            let record = record(text);
            let moves = record.moves("bm").unwrap();
            assert_eq!(moves.iter().map(|&mv| to_uci(mv, false)).collect::<String>(), "e2e4");
            assert_eq!(record.text("id").as_deref(), Some("a; b"));
            assert_eq!(record.moves("am"), Ok(Vec::new()));
        }
        let free = record("id free text; am Kd1, Kf1; dm 7; D1 20 ;");
        assert_eq!(free.text("id").as_deref(), Some("free text"));
        assert_eq!(free.moves("am").unwrap().len(), 2);
        assert_eq!((free.number("dm"), free.number("D1")), (Ok(Some(7)), Ok(Some(20))));
        assert_eq!(record("").operations, Vec::new());
    }

    #[test]
    fn counters_come_from_fields_or_operations() {
        for text in ["7 30", "hmvc 7; fmvn 30;", "7 30 bm e4;", "0 1 hmvc 7; fmvn 30; bm e4;"] {
            let position = record(text).position;
            assert_eq!((position.halfmove_clock(), position.fullmove_number()), (7, 30), "{text}");
        }
    }

    #[test]
    fn writing_and_reading_agree() {
        let mut record = record("bm e4 Kd1; id \"x\"; acd 12; c0 \"two words\"; pv e4 Kd7;");
        record.add("c1", "with \"marks\"; and more");
        let text = record.to_string();
        assert_eq!(
            text,
            format!(
                "{KINGS} bm e4 Kd1; id \"x\"; acd 12; c0 \"two words\"; pv e4 Kd7; \
                 c1 \"with 'marks'; and more\";"
            )
        );
        assert_eq!(parse(&text).unwrap().to_string(), text);
    }

    #[test]
    fn faults_are_named() {
        let error = |operations: &str| {
            parse(&format!("{KINGS} {operations}")).map(|record| record.operations).unwrap_err()
        };
        assert_eq!(error("bm e4; 7up 1;"), EpdError::Opcode("7up".to_string()));
        assert_eq!(error("id \"open"), EpdError::Quote("id".to_string()));
        assert!(matches!(error("hmvc x;"), EpdError::Number { .. }));
        assert!(matches!(parse("8/8 w - - bm e4;"), Err(EpdError::Position(_))));
        assert!(matches!(record("bm e5;").moves("bm"), Err(EpdError::Move { .. })));
    }
}
