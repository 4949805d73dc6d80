//! The journal of a run: one JSON line for everything that must outlive a sudden end.
//!
//! A line is written after the game's PGN, and says how long the PGN file is with it. What a killed
//! run had begun to write after its last whole line is cut off when it is resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::config::Settings;
use super::standings::GameRecord;

/// The form of journals that this program writes.
const VERSION: u32 = 1;

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum Entry {
    /// The first line: what is played.
    Run {
        /// The form of the journal.
        version: u32,
        /// Everything the run was asked to do.
        settings: Box<Settings>,
    },
    /// A game that counts.
    Game {
        /// The game.
        record: GameRecord,
        /// Bytes of the PGN file up to and with it.
        pgn_bytes: u64,
    },
    /// A game that was void and is played again.
    Void {
        /// Its number.
        game: u32,
        /// The engine to move.
        engine: usize,
        /// How late this process's threads were, in ms.
        late_ms: f64,
    },
    /// An engine plays no more.
    SetAside {
        /// The engine.
        engine: usize,
        /// Why.
        reason: String,
    },
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The journal of an earlier run would be overwritten.
    #[error("{0} exists: resume it, or remove it first")]
    Exists(PathBuf),
    /// A line is broken that is not the last.
    #[error("{path}, line {line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, settings: &Settings) -> Result<Journal, JournalError> {
        let file = File::create_new(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(path.to_owned()),
            _ => JournalError::File { path: path.to_owned(), source },
        })?;
        let mut journal = Journal { path: path.to_owned(), file };
        journal.write(&Entry::Run { version: VERSION, settings: Box::new(settings.clone()) })?;
        Ok(journal)
    }

    /// Opens a journal to go on with it; its entries after the first come back with it.
    ///
    /// # Errors
    /// If it cannot be read or written, or is broken before its last line.
    pub fn resume(path: &Path) -> Result<(Journal, Settings, Vec<Entry>), JournalError> {
        let (settings, entries, good) = read(path)?;
        let fail = |source| JournalError::File { path: path.to_owned(), source };
        let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        file.set_len(good).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok((Journal { path: path.to_owned(), file }, settings, entries))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let fail = |source| JournalError::File { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(entry).map_err(|error| fail(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(fail)
    }
}

/// Reads a journal: its settings, its further entries, and the length of its good part. A last line
/// without an end is left out.
///
/// # Errors
/// If it cannot be read or is broken before its last line.
pub fn read(path: &Path) -> Result<(Settings, Vec<Entry>, u64), JournalError> {
    let fail = |source| JournalError::File { path: path.to_owned(), source };
    let broken =
        |line: usize, reason: String| JournalError::Line { path: path.to_owned(), line, reason };
    let mut reader = BufReader::new(File::open(path).map_err(fail)?);
    let (mut settings, mut entries, mut good) = (None, Vec::new(), 0);
    let (mut buffer, mut number) = (Vec::new(), 0);
    loop {
        buffer.clear();
        let read = reader.read_until(b'\n', &mut buffer).map_err(fail)?;
        if buffer.last() != Some(&b'\n') {
            break;
        }
        number += 1;
        let entry = serde_json::from_slice(&buffer).map_err(|e| broken(number, e.to_string()))?;
        match entry {
            Entry::Run { version: VERSION, settings: found } if number == 1 => {
                settings = Some(*found);
            }
            Entry::Run { version, .. } => {
                let reason = format!("a run of version {version} is not expected here");
                return Err(broken(number, reason));
            }
            entry => entries.push(entry),
        }
        good += read as u64;
    }
    match settings {
        Some(settings) => Ok((settings, entries, good)),
        None => Err(broken(1, "it does not begin with a run".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::Oddities;
    use super::super::referee::{Ending, GameResult};
    use super::*;

    fn game(number: u32) -> Entry {
        let record = GameRecord {
            game: number,
            pair: number / 2,
            white: 0,
            black: 1,
            opening: 0,
            result: GameResult::Draw,
            ending: Some(Ending::Repetition),
            plies: 30,
            fault: None,
            oddities: [Oddities::default(); 2],
        };
        Entry::Game { record, pgn_bytes: u64::from(number) * 100 }
    }

    #[test]
    fn a_cut_line_is_forgotten_and_a_broken_one_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        let mut journal = Journal::create(&path, &Settings::default()).unwrap();
        journal.write(&game(1)).unwrap();
        assert!(matches!(
            Journal::create(&path, &Settings::default()),
            Err(JournalError::Exists(_))
        ));
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..40 {
            let mut bytes = whole.clone();
            let more = serde_json::to_vec(&game(2)).unwrap();
            bytes.extend_from_slice(&more[..cut]);
            std::fs::write(&path, &bytes).unwrap();
            let (mut journal, settings, entries) = Journal::resume(&path).unwrap();
            assert_eq!((settings, entries.len()), (Settings::default(), 1));
            journal.write(&game(3)).unwrap();
            assert_eq!(read(&path).unwrap().1.len(), 2);
        }
        let mut bytes = whole.clone();
        bytes.extend_from_slice(b"{\"entry\":\"game\"}\n");
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(read(&path), Err(JournalError::Line { line: 3, .. })));
        std::fs::write(&path, b"").unwrap();
        assert!(matches!(read(&path), Err(JournalError::Line { line: 1, .. })));
    }
}
