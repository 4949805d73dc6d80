//! The option table: every option with its type, range and default, as `uci` lists it.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::command::number;
use super::wording::quoted;
use crate::engine::{self, ELO_RANGE};

/// Which option a value is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of the table")]
pub enum OptionId {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    NodesTime,
    Chess960,
    ShowWdl,
    AnalyseMode,
    LimitStrength,
    Elo,
    SkillLevel,
    SkillSeed,
    OwnBook,
    BookFile,
    BookChoice,
    EvalFile,
    SyzygyPath,
    SyzygyProbeDepth,
    Syzygy50MoveRule,
    EngineAbout,
    DebugLogFile,
}

/// The type of an option, with its default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Check(bool),
    /// A whole number.
    Spin {
        /// What holds until it is set.
        default: i64,
        /// What may be set.
        range: RangeInclusive<i64>,
    },
    /// One of a few words, the first of them the default.
    Combo(&'static [&'static str]),
    /// Something to press.
    Button,
    /// Any text.
    Text(&'static str),
}

/// One option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Which it is.
    pub id: OptionId,
    /// Its name, compared without regard to case.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// What it does, for the README.
    pub meaning: &'static str,
}

/// A value that an option may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a check.
    Check(bool),
    /// Of a spin, inside its range.
    Spin(i64),
    /// Of a combo: the number of the word.
    Choice(usize),
    /// Of a button.
    Pressed,
    /// Of a text; empty for `<empty>`.
    Text(String),
}

/// Why a value is not taken; the old one stays.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the messages say what the fields hold")]
pub enum OptionError {
    #[error("no such setting: {0}")]
    Unknown(String),
    #[error("{name}: {text} is neither true nor false")]
    Check { name: &'static str, text: String },
    #[error("{name}: {text} is no whole number")]
    Number { name: &'static str, text: String },
    #[error("{name}: {value} is outside {min} to {max}")]
    Range { name: &'static str, value: i64, min: i64, max: i64 },
    #[error("{name}: {text} is none of {choices}")]
    Choice { name: &'static str, text: String, choices: String },
}

/// Options of other engines and of the protocol that clients set unasked; taken without a word.
const TOLERATED: [&str; 6] = [
    "UCI_Opponent",
    "UCI_Variant",
    "UCI_SetPositionValue",
    "UCI_ShowCurrLine",
    "UCI_ShowRefutations",
    "UCI_ShredderbasesPath",
];

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, range: min..=max }
}

const fn option(id: OptionId, name: &'static str, kind: Kind, meaning: &'static str) -> OptionSpec {
    OptionSpec { id, name, kind, meaning }
}

/// All options, in the order `uci` lists them.
pub static OPTIONS: [OptionSpec; 23] = [
    option(
        OptionId::Hash,
        "Hash",
        spin(engine::DEFAULT_HASH_MB as i64, 1, engine::MAX_HASH_MB as i64),
        "Size of the transposition table in MB. When the memory is not there, the old table stays.",
    ),
    option(
        OptionId::ClearHash,
        "Clear Hash",
        Kind::Button,
        "Forgets everything the search has learned.",
    ),
    option(OptionId::Threads, "Threads", spin(1, 1, engine::MAX_THREADS as i64), "Search threads."),
    option(
        OptionId::MultiPv,
        "MultiPV",
        spin(1, 1, engine::MAX_MULTI_PV as i64),
        "How many best lines are searched and shown.",
    ),
    option(
        OptionId::Ponder,
        "Ponder",
        Kind::Check(false),
        "Tells the engine that the GUI may let it think in the opponent's time. It never starts on its own.",
    ),
    option(
        OptionId::MoveOverhead,
        "Move Overhead",
        spin(10, 0, 5000),
        "Time in ms kept back at each move for the GUI and the network.",
    ),
    option(
        OptionId::NodesTime,
        "nodestime",
        spin(0, 0, 10_000),
        "Nodes that count as one ms of the clock, for matches that do not depend on the machine; 0 uses real time.",
    ),
    option(
        OptionId::Chess960,
        "UCI_Chess960",
        Kind::Check(false),
        "Chess960: castling is written king takes own rook, and rooks may start on any file.",
    ),
    option(
        OptionId::ShowWdl,
        "UCI_ShowWDL",
        Kind::Check(false),
        "Adds the chances to win, draw and lose, in permille, to each line.",
    ),
    option(
        OptionId::AnalyseMode,
        "UCI_AnalyseMode",
        Kind::Check(false),
        "Analysis: full strength and no book, whatever the other options say.",
    ),
    option(
        OptionId::LimitStrength,
        "UCI_LimitStrength",
        Kind::Check(false),
        "Plays as strong as UCI_Elo says.",
    ),
    option(
        OptionId::Elo,
        "UCI_Elo",
        spin(1500, *ELO_RANGE.start() as i64, *ELO_RANGE.end() as i64),
        "Strength to play at when UCI_LimitStrength is on.",
    ),
    option(
        OptionId::SkillLevel,
        "Skill Level",
        spin(engine::FULL_SKILL as i64, 0, engine::FULL_SKILL as i64),
        "The same scale in 21 steps, 20 being full strength; UCI_LimitStrength goes before it.",
    ),
    option(
        OptionId::SkillSeed,
        "Skill Seed",
        spin(0, 0, i32::MAX as i64),
        "Seed of the weaker play: the same seed errs the same way; 0 takes a new one for each game.",
    ),
    option(OptionId::OwnBook, "OwnBook", Kind::Check(false), "Plays from the book in BookFile."),
    option(OptionId::BookFile, "BookFile", Kind::Text(""), "A Polyglot opening book (`.bin`)."),
    option(
        OptionId::BookChoice,
        "BookChoice",
        Kind::Combo(&["variety", "best"]),
        "`variety` draws a book move by its weight, `best` always takes the heaviest.",
    ),
    option(
        OptionId::EvalFile,
        "EvalFile",
        Kind::Text(""),
        "A network file to evaluate with; empty for the built-in network.",
    ),
    option(
        OptionId::SyzygyPath,
        "SyzygyPath",
        Kind::Text(""),
        "Folders with Syzygy tables, separated by `:` (on Windows by `;`).",
    ),
    option(
        OptionId::SyzygyProbeDepth,
        "SyzygyProbeDepth",
        spin(1, 1, 100),
        "Least depth in plies at which the search probes the largest tables.",
    ),
    option(
        OptionId::Syzygy50MoveRule,
        "Syzygy50MoveRule",
        Kind::Check(true),
        "Counts table wins that the fifty-move rule spoils as draws.",
    ),
    option(
        OptionId::EngineAbout,
        "UCI_EngineAbout",
        Kind::Text(concat!(
            "Ferz ",
            env!("CARGO_PKG_VERSION"),
            ", free software under the GNU GPL version 3 or later"
        )),
        "Who the engine is; cannot be changed.",
    ),
    option(
        OptionId::DebugLogFile,
        "Debug Log File",
        Kind::Text(""),
        "Writes all input and output to this file; empty ends it.",
    ),
];

impl OptionSpec {
    /// The line that announces it.
    pub fn line(&self) -> String {
        let name = self.name;
        match &self.kind {
            Kind::Check(default) => format!("option name {name} type check default {default}"),
            Kind::Spin { default, range } => format!(
                "option name {name} type spin default {default} min {} max {}",
                range.start(),
                range.end()
            ),
            Kind::Combo(words) => {
                let mut line = format!("option name {name} type combo default {}", words[0]);
                for word in *words {
                    let _ = write!(line, " var {word}");
                }
                line
            }
            Kind::Button => format!("option name {name} type button"),
            Kind::Text("") => format!("option name {name} type string default <empty>"),
            Kind::Text(default) => format!("option name {name} type string default {default}"),
        }
    }

    /// Its row in the README's table: name, type, default, range, meaning.
    pub fn readme_row(&self) -> String {
        let (kind, default, range) = match &self.kind {
            Kind::Check(default) => ("check", default.to_string(), "true, false".to_owned()),
            Kind::Spin { default, range } => {
                ("spin", default.to_string(), format!("{}–{}", range.start(), range.end()))
            }
            Kind::Combo(words) => ("combo", words[0].to_owned(), words.join(", ")),
            Kind::Button => ("button", String::new(), String::new()),
            Kind::Text("") => ("string", "empty".to_owned(), String::new()),
            Kind::Text(_) => ("string", "this engine's name".to_owned(), String::new()),
        };
        format!("| {} | {kind} | {default} | {range} | {} |", self.name, self.meaning)
    }

    /// Reads a value for it; `None` when `setoption` had no `value`.
    pub fn read(&self, text: Option<&str>) -> Result<Value, OptionError> {
        let name = self.name;
        let text = text.unwrap_or_default();
        match &self.kind {
            Kind::Check(_) if text.eq_ignore_ascii_case("true") => Ok(Value::Check(true)),
            Kind::Check(_) if text.eq_ignore_ascii_case("false") => Ok(Value::Check(false)),
            Kind::Check(_) => Err(OptionError::Check { name, text: quoted(text) }),
            Kind::Spin { range, .. } => match number(text) {
                Some(value) if range.contains(&value) => Ok(Value::Spin(value)),
                Some(value) => {
                    let (min, max) = (*range.start(), *range.end());
                    Err(OptionError::Range { name, value, min, max })
                }
                None => Err(OptionError::Number { name, text: quoted(text) }),
            },
            Kind::Combo(words) => words
                .iter()
                .position(|word| word.eq_ignore_ascii_case(text))
                .map(Value::Choice)
                .ok_or_else(|| OptionError::Choice {
                    name,
                    text: quoted(text),
                    choices: words.join(", "),
                }),
            Kind::Button => Ok(Value::Pressed),
            Kind::Text(_) if text.eq_ignore_ascii_case("<empty>") => Ok(Value::Text(String::new())),
            Kind::Text(_) => Ok(Value::Text(text.to_owned())),
        }
    }
}

/// The option of this name and the value that the text means for it; `None` for the options that
/// clients set unasked and that mean nothing here.
pub fn read(name: &str, text: Option<&str>) -> Result<Option<(OptionId, Value)>, OptionError> {
    match OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name)) {
        Some(option) => option.read(text).map(|value| Some((option.id, value))),
        None if TOLERATED.iter().any(|known| known.eq_ignore_ascii_case(name)) => Ok(None),
        None => Err(OptionError::Unknown(quoted(name))),
    }
}

/// The line of one number of the search, in builds for tuning.
#[cfg(feature = "tune")]
pub(super) fn parameter_line(parameter: &crate::search::Parameter) -> String {
    let crate::search::Parameter { name, default, min, max, .. } = parameter;
    format!("option name {name} type spin default {default} min {min} max {max}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_are_found_in_any_case() {
        assert_eq!(read("mUlTiPv", Some("2")), Ok(Some((OptionId::MultiPv, Value::Spin(2)))));
        assert_eq!(read("ponder", Some("TRUE")), Ok(Some((OptionId::Ponder, Value::Check(true)))));
        assert_eq!(
            read("bookchoice", Some("BEST")),
            Ok(Some((OptionId::BookChoice, Value::Choice(1))))
        );
        assert_eq!(read("UCI_Opponent", Some("none none human x")), Ok(None));
        assert!(matches!(read("Contempt", Some("1")), Err(OptionError::Unknown(_))));
    }

    #[test]
    fn bad_values_are_named() {
        for (name, text, message) in [
            ("Hash", "abc", "Hash: 'abc' is no whole number"),
            ("Hash", "", "Hash: '' is no whole number"),
            ("Hash", "0", "Hash: 0 is outside 1 to 33554432"),
            ("Ponder", "maybe", "Ponder: 'maybe' is neither true nor false"),
            ("BookChoice", "worst", "BookChoice: 'worst' is none of variety, best"),
        ] {
            assert_eq!(read(name, Some(text)).unwrap_err().to_string(), message);
        }
        assert!(read("Threads", None).is_err());
    }

    #[test]
    fn texts_keep_their_case_and_may_be_empty() {
        let path = |text: &str| Ok(Some((OptionId::SyzygyPath, Value::Text(text.to_owned()))));
        assert_eq!(read("SyzygyPath", Some("/Data/My value")), path("/Data/My value"));
        for empty in [None, Some(""), Some("<empty>")] {
            assert_eq!(read("SyzygyPath", empty), path(""));
        }
    }

    #[test]
    fn the_table_obeys_the_protocol() {
        const RESERVED: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
        for (index, option) in OPTIONS.iter().enumerate() {
            let twin = OPTIONS[..index]
                .iter()
                .any(|other| other.id == option.id || other.name.eq_ignore_ascii_case(option.name));
            assert!(!twin, "{} stands there twice", option.name);
            assert!(option.name.split(' ').all(|word| !RESERVED.contains(&word)));
            match &option.kind {
                Kind::Spin { default, range } => {
                    assert!(range.contains(default) && *range.end() <= i64::from(i32::MAX));
                }
                Kind::Combo(words) => assert!(words.iter().all(|word| !word.contains(' '))),
                _ => {}
            }
        }
    }
}
