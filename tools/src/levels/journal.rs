//! The results of matches, one JSON line each, so that measuring can go on another day.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use ferz::search::Level;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::stats::Pentanomial;

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// What is in it makes no sense.
    #[error("{path}, line {line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
}

/// Whom a level met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// This engine at another strength of the same scale.
    Level(u32),
    /// The anchor engine at this `UCI_Elo`.
    Anchor(u32),
}

/// A match, from the view of the level at `elo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The level's strength on the scale measured.
    pub elo: u32,
    /// Whom it met.
    pub opponent: Opponent,
    /// Pairs of games.
    pub pairs: Pentanomial,
}

/// Appends a match.
///
/// # Errors
/// If the file cannot be written.
pub fn append(path: &Path, record: &Record) -> Result<(), JournalError> {
    let file = |source| JournalError::File { path: path.into(), source };
    let mut line = serde_json::to_string(record).map_err(|error| file(error.into()))?;
    line.push('\n');
    let mut journal = OpenOptions::new().append(true).create(true).open(path).map_err(file)?;
    journal.write_all(line.as_bytes()).map_err(file)
}

/// Reads all matches.
///
/// # Errors
/// If the file cannot be read or a line is none that [`append`] writes.
pub fn read(path: &Path) -> Result<Vec<Record>, JournalError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| JournalError::File { path: path.into(), source })?;
    let bad = |line, error: serde_json::Error| {
        let reason = error.to_string();
        JournalError::Line { path: path.into(), line, reason }
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| serde_json::from_str(line).map_err(|error| bad(index + 1, error)))
        .collect()
}

/// Reads a scale: a JSON list of levels, weakest first.
///
/// # Errors
/// If the file cannot be read or the levels do not ascend.
pub fn read_scale(path: &Path) -> Result<Vec<Level>, JournalError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| JournalError::File { path: path.into(), source })?;
    let bad = |line, reason| JournalError::Line { path: path.into(), line, reason };
    let scale: Vec<Level> =
        serde_json::from_str(&text).map_err(|error| bad(error.line(), error.to_string()))?;
    if scale.len() < 2 || scale.windows(2).any(|pair| pair[0].elo >= pair[1].elo) {
        return Err(bad(1, "a scale needs two levels or more that ascend in elo".to_owned()));
    }
    match scale.iter().find(|level| level.nodes == 0 || level.horizon < 100) {
        Some(level) => {
            Err(bad(1, format!("level {} needs nodes and a horizon of a ply (100)", level.elo)))
        }
        None => Ok(scale),
    }
}

/// Writes a scale.
///
/// # Errors
/// If the file cannot be written.
pub fn write_scale(path: &Path, scale: &[Level]) -> Result<(), JournalError> {
    let file = |source| JournalError::File { path: path.into(), source };
    let text = serde_json::to_string_pretty(scale).map_err(|error| file(error.into()))?;
    std::fs::write(path, text + "\n").map_err(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_and_scales_come_back_and_nonsense_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let records = [
            Record {
                elo: 900,
                opponent: Opponent::Level(800),
                pairs: Pentanomial([1, 2, 3, 4, 5]),
            },
            Record { elo: 1350, opponent: Opponent::Anchor(1350), pairs: Pentanomial([0; 5]) },
        ];
        records.iter().for_each(|record| append(&path, record).unwrap());
        assert_eq!(read(&path).unwrap(), records);
        write_scale(&path, Level::scale()).unwrap();
        assert_eq!(read_scale(&path).unwrap(), Level::scale());
        assert!(read(&path).unwrap_err().to_string().contains("line 1"));
        let descending: Vec<_> = Level::scale().iter().copied().rev().collect();
        write_scale(&path, &descending).unwrap();
        assert!(read_scale(&path).unwrap_err().to_string().contains("ascend"));
    }
}
