//! Files of training games that survive a sudden end.
//!
//! Games are written in segments; a log beside the file has a line for each, with the length of the
//! file and all counts up to it. What was written after the last line is cut off on resuming. An
//! `.xz` file is a row of streams, one for each segment.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use liblzma::read::XzDecoder;
use liblzma::write::XzEncoder;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::format::Record;
use super::summary::{Counted, Summary};

/// The ending of a file of fans.
pub const FANS: &str = "fan";
/// The compression level of `.xz` files.
const LEVEL: u32 = 6;

/// Why a file cannot be written or gone on with.
#[derive(Debug, Error)]
pub enum OutputError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file of an earlier run would be overwritten.
    #[error("{0} exists: resume, or remove it first")]
    Exists(PathBuf),
    /// The log is broken.
    #[error("{path}, line {line}: {reason}")]
    Log {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The run was begun with other settings.
    #[error("{0} was begun with other settings")]
    Settings(PathBuf),
}

/// The first line of a log: what the games depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    settings: String,
}

/// A later line: what is in the file up to it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Segment {
    bytes: u64,
    /// Games asked of the generator, which its next random numbers depend on.
    asked: u64,
    summary: Summary,
}

/// A file of games being written.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    file: File,
    log_path: PathBuf,
    log: File,
    pending: Vec<u8>,
    state: Segment,
}

impl Output {
    /// Begins a file, or goes on with it. Files named `*.xz` are compressed.
    ///
    /// # Errors
    /// If it exists and is not to be resumed, was begun with other settings, or cannot be written.
    pub fn open(path: &Path, settings: &str, resume: bool) -> Result<Output, OutputError> {
        let log_path = path.with_added_extension("log");
        let state = match resume && log_path.exists() {
            true => read_log(&log_path, settings)?,
            false => None,
        };
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source: io::Error| match source.kind() {
                io::ErrorKind::AlreadyExists => OutputError::Exists(path),
                _ => OutputError::File { path, source },
            }
        };
        if let Some((state, log_bytes)) = state {
            let file = reopen(path, state.bytes).map_err(fail(path))?;
            let log = reopen(&log_path, log_bytes).map_err(fail(&log_path))?;
            let path = path.to_owned();
            return Ok(Output { path, file, log_path, log, pending: Vec::new(), state });
        }
        let file = File::create_new(path).map_err(fail(path))?;
        let log = File::create_new(&log_path).map_err(fail(&log_path))?;
        let state = Segment::default();
        let path = path.to_owned();
        let mut output = Output { path, file, log_path, log, pending: Vec::new(), state };
        output.log_line(&Head { settings: settings.to_owned() })?;
        Ok(output)
    }

    /// Games asked of the generator so far.
    pub fn asked(&self) -> u64 {
        self.state.asked
    }

    /// What is in the file, pending games included.
    pub fn summary(&self) -> &Summary {
        &self.state.summary
    }

    /// Adds what was made at the generator's last asking, a game or the fans of one; it is in the
    /// file only after the next [`Output::commit`].
    ///
    /// # Errors
    /// If it cannot be packed.
    pub fn add<T: Record + Counted>(&mut self, records: &[T]) -> Result<(), OutputError> {
        for record in records {
            let fail = |source| OutputError::File { path: self.path.clone(), source };
            record.write(&mut self.pending).map_err(fail)?;
            self.state.summary.add(record);
        }
        self.state.asked += 1;
        Ok(())
    }

    /// Writes the pending games as a segment.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn commit(&mut self) -> Result<(), OutputError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let games = std::mem::take(&mut self.pending);
        let write = || -> io::Result<u64> {
            let bytes = match is_compressed(&self.path) {
                true => {
                    let mut encoder = XzEncoder::new(Vec::new(), LEVEL);
                    encoder.write_all(&games)?;
                    encoder.finish()?
                }
                false => games,
            };
            (&self.file).write_all(&bytes)?;
            Ok(bytes.len() as u64)
        };
        let written =
            write().map_err(|source| OutputError::File { path: self.path.clone(), source })?;
        self.state.bytes += written;
        let line = serde_json::to_string(&self.state);
        self.log_text(line)
    }

    fn log_line(&mut self, line: &impl Serialize) -> Result<(), OutputError> {
        self.log_text(serde_json::to_string(line))
    }

    fn log_text(&mut self, line: serde_json::Result<String>) -> Result<(), OutputError> {
        let fail = |source| OutputError::File { path: self.log_path.clone(), source };
        let mut line = line.map_err(|error| fail(error.into()))?;
        line.push('\n');
        self.log.write_all(line.as_bytes()).map_err(fail)
    }
}

/// Whether a file of this name holds fans: `*.fan` or `*.fan.xz`.
pub fn holds_fans(path: &Path) -> bool {
    let inner = if is_compressed(path) { path.file_stem().map(Path::new) } else { Some(path) };
    inner.and_then(Path::extension).is_some_and(|extension| extension == FANS)
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xz")
}

fn reopen(path: &Path, length: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() < length {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "shorter than its log says"));
    }
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// The last whole line of a log and the length up to it; `None` if not even the first is whole.
fn read_log(path: &Path, settings: &str) -> Result<Option<(Segment, u64)>, OutputError> {
    let fail = |source| OutputError::File { path: path.to_owned(), source };
    let mut reader = BufReader::new(File::open(path).map_err(fail)?);
    let (mut state, mut length, mut line) = (None, 0, 0);
    let mut text = String::new();
    loop {
        text.clear();
        let read = reader.read_line(&mut text).map_err(fail)?;
        if !text.ends_with('\n') {
            return Ok(state.map(|state| (state, length)));
        }
        line += 1;
        length += read as u64;
        let broken = |error: serde_json::Error| OutputError::Log {
            path: path.to_owned(),
            line,
            reason: error.to_string(),
        };
        if line == 1 {
            let head: Head = serde_json::from_str(&text).map_err(broken)?;
            if head.settings != settings {
                return Err(OutputError::Settings(path.to_owned()));
            }
            state = Some(Segment::default());
        } else {
            state = Some(serde_json::from_str(&text).map_err(broken)?);
        }
    }
}

/// A reader of a file of games, decompressed if its name ends in `.xz`.
///
/// # Errors
/// If the file cannot be opened.
pub fn open_games(path: &Path) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    let file = File::open(path)?;
    let inner: Box<dyn Read + Send> = match is_compressed(path) {
        true => Box::new(XzDecoder::new_multi_decoder(BufReader::new(file))),
        false => Box::new(file),
    };
    Ok(BufReader::new(inner))
}

#[cfg(test)]
mod tests {
    use ferz::board::Position;

    use super::super::format::ScoredGame;
    use super::*;
    use crate::arena::referee::GameResult;

    fn game(plies: usize) -> ScoredGame {
        let start = Position::startpos();
        let mut position = start;
        let moves = (0..plies).map(|ply| {
            let mv = position.legal_moves()[0];
            position.play(mv);
            (mv, ply as i16)
        });
        ScoredGame { start, result: GameResult::Draw, moves: moves.collect() }
    }

    fn read_all(path: &Path) -> Vec<ScoredGame> {
        let mut reader = open_games(path).unwrap();
        std::iter::from_fn(|| ScoredGame::read(&mut reader).unwrap()).collect()
    }

    #[test]
    fn a_cut_file_goes_on_where_its_log_ends() {
        for name in ["a.vf", "a.vf.xz"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            let mut output = Output::open(&path, "s", true).unwrap();
            output.add(&[game(3)]).unwrap();
            output.add(&[game(4)]).unwrap();
            output.commit().unwrap();
            output.add(&[game(9)]).unwrap();
            drop(output);
            for (file, text) in [(path.clone(), "half"), (path.with_added_extension("log"), "{\"b")]
            {
                let mut file = OpenOptions::new().append(true).open(file).unwrap();
                file.write_all(text.as_bytes()).unwrap();
            }
            let mut output = Output::open(&path, "s", true).unwrap();
            assert_eq!((output.asked(), output.summary().plies), (2, 7));
            output.add(&[game(5)]).unwrap();
            output.commit().unwrap();
            assert_eq!(read_all(&path), [game(3), game(4), game(5)], "{name}");
            assert!(matches!(Output::open(&path, "s", false), Err(OutputError::Exists(_))));
            assert!(matches!(Output::open(&path, "t", true), Err(OutputError::Settings(_))));
        }
    }
}
