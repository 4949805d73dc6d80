//! What a run plays: engines, time controls, rules of thumb, files. One value for flags and TOML.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::time_control::TimeControl;
use crate::stats::{Sprt, SprtError};

/// Why a run cannot be set up.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A configuration file is not TOML or has an unknown or wrong field.
    #[error("{path}: {source}")]
    Toml {
        /// The file.
        path: PathBuf,
        /// The place and the reason.
        source: Box<toml::de::Error>,
    },
    /// A value does not make sense.
    #[error("{field}: {reason}")]
    Value {
        /// The field or flag.
        field: String,
        /// The reason.
        reason: String,
    },
    /// The bounds of the test do not make sense.
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

impl ConfigError {
    /// A wrong value of a field.
    pub fn value(field: impl Into<String>, reason: impl Into<String>) -> ConfigError {
        ConfigError::Value { field: field.into(), reason: reason.into() }
    }
}

/// One engine of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The name in tables and files; unique in a run.
    pub name: String,
    /// The program.
    pub cmd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its working directory; that of the runner if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// UCI options, sent in the order of their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// Its own time control; that of the run if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
}

/// The value of a UCI option: TOML may write it as text, number or truth value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Check(bool),
    /// A whole number.
    Spin(i64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(value) => write!(f, "{value}"),
            OptionValue::Spin(value) => write!(f, "{value}"),
            OptionValue::Text(value) => f.write_str(value),
        }
    }
}

impl EngineConfig {
    /// The program to run: a path is taken from the runner's own folder, whatever `dir` is.
    pub fn program(&self) -> PathBuf {
        let path = Path::new(&self.cmd);
        let bare = path.components().count() == 1;
        match self.dir.is_some() && !bare && path.is_relative() {
            true => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
            false => path.to_path_buf(),
        }
    }

    /// The command line, for people.
    pub fn command_line(&self) -> String {
        let mut text = self.cmd.clone();
        for argument in &self.args {
            text.push(' ');
            text.push_str(argument);
        }
        text
    }
}

impl FromStr for EngineConfig {
    type Err = ConfigError;

    /// Reads `name=A,cmd=./engine,arg=--x,dir=D,tc=1+0.01,nodes=N,depth=D,option.Hash=16`. A comma
    /// inside a value is written `\,`.
    fn from_str(text: &str) -> Result<EngineConfig, ConfigError> {
        let mut engine = EngineConfig::default();
        let mut limits = Vec::new();
        for part in split_commas(text) {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                ConfigError::value("engine", format!("{part:?} is not of the form key=value"))
            })?;
            let value = value.to_owned();
            match key.trim() {
                "name" => engine.name = value,
                "cmd" => engine.cmd = value,
                "arg" => engine.args.push(value),
                "dir" => engine.dir = Some(value.into()),
                "tc" => limits.push(value),
                "movetime" | "st" | "nodes" | "depth" => limits.push(part.trim().to_owned()),
                key => match key.strip_prefix("option.") {
                    Some(option) if !option.is_empty() => {
                        engine.options.insert(option.to_owned(), OptionValue::Text(value));
                    }
                    _ => return Err(ConfigError::value("engine", format!("unknown key {key:?}"))),
                },
            }
        }
        if !limits.is_empty() {
            engine.tc = Some(limits.join(" ").parse()?);
        }
        if engine.name.is_empty() {
            let file = Path::new(&engine.cmd).file_stem();
            engine.name = file.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        }
        Ok(engine)
    }
}

fn split_commas(text: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&',') => {
                part.push(',');
                characters.next();
            }
            ',' => parts.push(std::mem::take(&mut part)),
            other => part.push(other),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines.
    #[default]
    Match,
    /// The first engine against each of the others.
    Gauntlet,
    /// Each against each.
    RoundRobin,
}

/// In which order openings are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// Shuffled by the seed.
    #[default]
    Random,
    /// As the file has them.
    Sequential,
}

/// Where games begin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Openings {
    /// An EPD, FEN or PGN file; the usual start position if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The order in which they are taken.
    pub order: OpeningOrder,
    /// The first opening to take, from 0.
    pub start: usize,
    /// Plies of each PGN game to play; all of them if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
}

/// A loss by both sides' own scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Moves running.
    pub moves: u32,
    /// The score that is as good as lost, in centipawns, positive.
    pub score: i32,
    /// Whether the winner's score must agree.
    #[serde(default)]
    pub two_sided: bool,
}

/// A draw by both sides' scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawByScore {
    /// The move number from which it counts.
    pub from_move: u32,
    /// Moves running, of both sides.
    pub moves: u32,
    /// The largest score that is level, in centipawns.
    pub score: i32,
}

/// When a game is ended before the rules end it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Lost games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Level games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawByScore>,
    /// Folder of Syzygy tables; positions in them are decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
    /// The length in full moves after which a game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// Files a run writes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Outputs {
    /// The games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PathBuf>,
    /// The journal, from which a run is resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<PathBuf>,
    /// One JSON line for each event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<PathBuf>,
    /// The summary at the end, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json: Option<PathBuf>,
    /// Score and log-likelihood ratio over the games, as a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<PathBuf>,
    /// Folder for the engines' error output and the evidence of faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<PathBuf>,
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Who meets whom.
    pub format: Format,
    /// Games of each pairing; even, since each opening is played with both colours.
    pub games: u32,
    /// Games at once.
    pub concurrency: usize,
    /// What the order of openings is drawn from.
    pub seed: u64,
    /// The time control of engines without one of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// What a move may take beyond its time before the flag falls, in ms.
    pub margin_ms: u64,
    /// What a silent engine is waited for beyond that, in ms, before it is ended.
    pub stall_ms: u64,
    /// The longest search without a clock, in ms.
    pub untimed_ms: u64,
    /// What an engine may take to start, or to get ready for a game, in ms.
    pub start_ms: u64,
    /// Whether engines think on the opponent's time.
    pub ponder: bool,
    /// Whether `UCI_Chess960` is set.
    pub chess960: bool,
    /// Whether each game gets fresh processes.
    pub restart: bool,
    /// The faults after which an engine is set aside; 0 for never.
    pub max_faults: u32,
    /// Games between two lines of the live report.
    pub report_every: u32,
    /// The event's name in the PGN.
    pub event: String,
    /// The sequential test of a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Where games begin.
    pub openings: Openings,
    /// When games end early.
    pub adjudication: Adjudication,
    /// What is written.
    pub output: Outputs,
    /// Who plays.
    pub engines: Vec<EngineConfig>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            format: Format::Match,
            games: 100,
            concurrency: 1,
            seed: 1,
            tc: None,
            margin_ms: 0,
            stall_ms: 5_000,
            untimed_ms: 120_000,
            start_ms: 15_000,
            ponder: false,
            chess960: false,
            restart: false,
            max_faults: 10,
            report_every: 10,
            event: "Ferz arena".to_owned(),
            sprt: None,
            openings: Openings::default(),
            adjudication: Adjudication::default(),
            output: Outputs::default(),
            engines: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// If it cannot be read, is no TOML, or has an unknown or wrong field.
    pub fn from_toml(path: &Path) -> Result<Settings, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::File { path: path.to_owned(), source })?;
        toml::from_str(&text)
            .map_err(|source| ConfigError::Toml { path: path.to_owned(), source: Box::new(source) })
    }

    /// The time control of an engine.
    pub fn control(&self, engine: usize) -> TimeControl {
        self.engines[engine].tc.or(self.tc).unwrap_or_default()
    }

    /// Checks everything that can be checked without starting an engine.
    ///
    /// # Errors
    /// Names the first field that is wrong.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let engines = self.engines.len();
        match self.format {
            Format::Match if engines != 2 => {
                let reason = format!("a match needs two, not {engines} (see format)");
                return Err(ConfigError::value("engines", reason));
            }
            _ if engines < 2 => {
                return Err(ConfigError::value("engines", "at least two are needed"));
            }
            _ => {}
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if engine.cmd.is_empty() {
                return Err(ConfigError::value(format!("engine {:?}", engine.name), "no cmd"));
            }
            if engine.name.is_empty() || engine.name.contains(['"', '\n', '\r', '\\']) {
                return Err(ConfigError::value("engine name", format!("{:?}", engine.name)));
            }
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                return Err(ConfigError::value("engine name", format!("{:?} twice", engine.name)));
            }
            if self.control(index).is_unlimited() {
                let field = format!("engine {:?}", engine.name);
                return Err(ConfigError::value(field, "no time control, nodes or depth"));
            }
        }
        if self.games == 0 || self.games % 2 == 1 {
            return Err(ConfigError::value("games", "an even number of 2 or more is needed"));
        }
        if self.concurrency == 0 || self.concurrency > 1024 {
            return Err(ConfigError::value("concurrency", "must be 1 to 1024"));
        }
        if let Some(sprt) = &self.sprt {
            sprt.validate()?;
            if self.format != Format::Match {
                return Err(ConfigError::value("sprt", "only a match of two can be tested"));
            }
        }
        let adjudication = &self.adjudication;
        if adjudication.resign.is_some_and(|rule| rule.moves == 0 || rule.score <= 0) {
            return Err(ConfigError::value("resign", "moves and score must be positive"));
        }
        if adjudication.draw.is_some_and(|rule| rule.moves == 0 || rule.score < 0) {
            return Err(ConfigError::value("draw", "moves must be positive, score not negative"));
        }
        if adjudication.max_moves == Some(0) {
            return Err(ConfigError::value("max_moves", "must be positive"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read_from_flags() {
        let engine: EngineConfig =
            r"name=A,cmd=./ferz,arg=--a\,b,option.Hash=16,option.Move Overhead=20,nodes=10,tc=1+0"
                .parse()
                .unwrap();
        assert_eq!(engine.args, ["--a,b"]);
        assert_eq!(engine.options["Move Overhead"], OptionValue::Text("20".to_owned()));
        assert_eq!(engine.tc.unwrap().to_string(), "1+0 nodes=10");
        let named: EngineConfig = "cmd=/opt/x/engine.exe".parse().unwrap();
        assert_eq!(named.name, "engine");
        for text in ["cmd", "speed=3", "cmd=a,option.=1", "cmd=a,tc=x"] {
            assert!(text.parse::<EngineConfig>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_toml_file_holds_a_whole_run() {
        let text = r#"
            format = "round-robin"
            games = 4
            tc = "1+0.01"
            [adjudication]
            resign = { moves = 3, score = 600 }
            [[engines]]
            name = "A"
            cmd = "a"
            options = { Hash = 16, Ponder = false, EvalFile = "x.nnue" }
            [[engines]]
            name = "B"
            cmd = "b"
            tc = "nodes=100"
        "#;
        let settings: Settings = toml::from_str(text).unwrap();
        settings.validate().unwrap();
        assert_eq!(settings.control(1).nodes, Some(100));
        assert_eq!(settings.engines[0].options["Hash"].to_string(), "16");
        let again = serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
        assert_eq!(settings, again);
        assert!(toml::from_str::<Settings>("gamse = 3").is_err());
    }

    #[test]
    fn nonsense_is_named() {
        let engine = |name: &str| EngineConfig {
            name: name.to_owned(),
            cmd: "x".to_owned(),
            ..Default::default()
        };
        let good = Settings {
            engines: vec![engine("A"), engine("B")],
            tc: Some("1+0".parse().unwrap()),
            ..Default::default()
        };
        good.validate().unwrap();
        let cases: [(&str, Settings); 6] = [
            ("games", Settings { games: 3, ..good.clone() }),
            ("engines", Settings { engines: vec![engine("A")], ..good.clone() }),
            ("twice", Settings { engines: vec![engine("A"), engine("A")], ..good.clone() }),
            ("no time control", Settings { tc: None, ..good.clone() }),
            ("sprt", Settings { sprt: Some(Sprt::new(3.0, 1.0)), ..good.clone() }),
            ("concurrency", Settings { concurrency: 0, ..good.clone() }),
        ];
        for (word, settings) in cases {
            let message = settings.validate().unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}
