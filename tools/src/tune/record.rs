//! What a tuning has done so far: a file of JSON lines, the settings first, then one line for each
//! iteration. It is only ever added to, so a tuning goes on after any end.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ferz::search::{PARAMETERS, Parameter};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::spsa::Gains;
use crate::arena::config::Settings as Match;

/// Everything that decides what a tuning does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The numbers tuned, by their names in `ferz::search::PARAMETERS`.
    pub names: Vec<String>,
    /// How far and how fast.
    pub gains: Gains,
    /// What everything random is drawn from.
    pub seed: u64,
    /// The match of each iteration: two copies of one engine.
    pub games: Match,
}

/// One iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub iteration: u32,
    /// Games won less games lost by the first version.
    pub balance: i64,
    /// The numbers after it.
    pub values: Vec<f64>,
}

/// Why a record cannot be used.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such number.
    #[error("no number of the search is called {0:?}")]
    Name(String),
}

/// A tuning: its settings, its steps, and the file that both are in.
#[derive(Debug)]
pub struct Record {
    /// What it does.
    pub settings: Settings,
    /// What it has done.
    pub steps: Vec<Step>,
    path: PathBuf,
    file: File,
}

impl Settings {
    /// The numbers tuned.
    ///
    /// # Errors
    /// If there is none of a name.
    pub fn knobs(&self) -> Result<Vec<Parameter>, RecordError> {
        self.names
            .iter()
            .map(|name| {
                let knob = PARAMETERS.iter().find(|knob| knob.name == name);
                knob.copied().ok_or_else(|| RecordError::Name(name.clone()))
            })
            .collect()
    }
}

impl Record {
    /// Begins a tuning in a new file.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, settings: Settings) -> Result<Record, RecordError> {
        let file = File::create_new(path).map_err(|source| file_error(path, source))?;
        let mut record = Record { settings, steps: Vec::new(), path: path.to_owned(), file };
        let line = serde_json::to_string(&record.settings);
        record.write(line)?;
        Ok(record)
    }

    /// Reads a tuning to go on with it. A last line that was cut short is taken off.
    ///
    /// # Errors
    /// If the file cannot be read or is broken before its last line.
    pub fn open(path: &Path) -> Result<Record, RecordError> {
        let text = std::fs::read_to_string(path).map_err(|source| file_error(path, source))?;
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let broken =
            |line: usize, reason: String| RecordError::Line { path: path.to_owned(), line, reason };
        let mut lines = whole.lines();
        let first = lines.next().ok_or_else(|| broken(1, "there are no settings".to_owned()))?;
        let settings: Settings =
            serde_json::from_str(first).map_err(|error| broken(1, error.to_string()))?;
        let mut steps: Vec<Step> = Vec::new();
        for (index, line) in lines.enumerate() {
            let number = index + 2;
            let step: Step =
                serde_json::from_str(line).map_err(|error| broken(number, error.to_string()))?;
            let fits = step.iteration as usize == steps.len() + 1
                && step.values.len() == settings.names.len();
            if !fits {
                return Err(broken(number, "not the step that follows".to_owned()));
            }
            steps.push(step);
        }
        let file =
            OpenOptions::new().write(true).open(path).map_err(|source| file_error(path, source))?;
        file.set_len(whole.len() as u64).map_err(|source| file_error(path, source))?;
        drop(file);
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(|source| file_error(path, source))?;
        Ok(Record { settings, steps, path: path.to_owned(), file })
    }

    /// The numbers as they are now.
    ///
    /// # Errors
    /// If one is unknown.
    pub fn values(&self) -> Result<Vec<f64>, RecordError> {
        match self.steps.last() {
            Some(step) => Ok(step.values.clone()),
            None => Ok(self.settings.knobs()?.iter().map(|knob| knob.default.into()).collect()),
        }
    }

    /// Adds a step.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, step: Step) -> Result<(), RecordError> {
        let line = serde_json::to_string(&step);
        self.write(line)?;
        self.steps.push(step);
        Ok(())
    }

    fn write(&mut self, line: Result<String, serde_json::Error>) -> Result<(), RecordError> {
        let line = line.map_err(|error| file_error(&self.path, error.into()))?;
        self.file
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|source| file_error(&self.path, source))
    }
}

fn file_error(path: &Path, source: io::Error) -> RecordError {
    RecordError::File { path: path.to_owned(), source }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The tuning of two numbers.
    pub fn settings() -> Settings {
        Settings {
            names: PARAMETERS.iter().take(2).map(|knob| knob.name.to_owned()).collect(),
            gains: Gains { iterations: 10, rate: 0.002 },
            seed: 1,
            games: Match::default(),
        }
    }

    fn step(iteration: u32) -> Step {
        Step { iteration, balance: 2, values: vec![1.5, f64::from(iteration)] }
    }

    #[test]
    fn a_record_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let mut record = Record::create(&path, settings()).unwrap();
        let defaults: Vec<f64> = PARAMETERS.iter().take(2).map(|k| k.default.into()).collect();
        assert_eq!(record.values().unwrap(), defaults);
        record.add(step(1)).unwrap();
        record.add(step(2)).unwrap();
        drop(record);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}{{\"iteration\":3,\"bal")).unwrap();
        let mut record = Record::open(&path).unwrap();
        assert_eq!(record.settings, settings());
        assert_eq!(record.steps, [step(1), step(2)]);
        record.add(step(3)).unwrap();
        assert_eq!(Record::open(&path).unwrap().values().unwrap(), [1.5, 3.0]);
        assert!(Record::create(&path, settings()).is_err(), "nothing is written over");
    }

    #[test]
    fn broken_records_are_refused_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        drop(Record::create(&path, settings()).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let error = |text: String| {
            std::fs::write(&path, text).unwrap();
            Record::open(&path).unwrap_err().to_string()
        };
        assert!(error(String::new()).contains(":1: there are no settings"));
        assert!(error(format!("{text}x\n{{}}\n")).contains(":2: "));
        let late = serde_json::to_string(&step(2)).unwrap();
        assert!(error(format!("{text}{late}\n")).contains(":2: not the step that follows"));
        let unknown = Settings { names: vec!["nothing".to_owned()], ..settings() };
        assert!(unknown.knobs().is_err());
    }
}
