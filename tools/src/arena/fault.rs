//! What an engine can do wrong, and the evidence kept of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The class of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultClass {
    /// The program could not be run, or never answered `uci` and `isready`.
    Start,
    /// The process ended or closed its output during a game.
    Crash,
    /// No answer long after the time was up.
    Stall,
    /// A move that the position does not allow.
    IllegalMove,
    /// An answer that is no UCI, or a flood of output.
    BadOutput,
    /// A legal answer after the time was up.
    Flag,
}

impl FaultClass {
    /// Every class, in the order of the tables.
    pub const ALL: [FaultClass; 6] = [
        FaultClass::Start,
        FaultClass::Crash,
        FaultClass::Stall,
        FaultClass::IllegalMove,
        FaultClass::BadOutput,
        FaultClass::Flag,
    ];

    /// The name used in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            FaultClass::Start => "start",
            FaultClass::Crash => "crash",
            FaultClass::Stall => "stall",
            FaultClass::IllegalMove => "illegal-move",
            FaultClass::BadOutput => "bad-output",
            FaultClass::Flag => "flag",
        }
    }
}

/// A fault with what is known of it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its class.
    pub class: FaultClass,
    /// What happened, in words.
    pub detail: String,
    /// The last lines of the dialogue, stamped, oldest first.
    pub dialogue: Vec<String>,
    /// The last lines the engine wrote to its error output.
    pub stderr: Vec<String>,
    /// How the process ended, if it did.
    pub exit: Option<String>,
    /// The command line of the engine.
    pub command: String,
    /// The lines that bring a fresh process to the same point.
    pub replay: Vec<String>,
}

impl Fault {
    /// Writes the evidence to a file in `folder`, which is made when missing; the file's path.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub fn write(&self, folder: &Path, engine: &str, game: u32) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let safe: String =
            engine.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut number = 0;
        let (path, file) = loop {
            let name = format!("game{game}-{safe}-{}-{number}.txt", self.class.name());
            let path = folder.join(name);
            match fs::File::create_new(&path) {
                Ok(file) => break (path, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        };
        io::Write::write_all(&mut &file, self.text(engine, game).as_bytes())?;
        Ok(path)
    }

    fn text(&self, engine: &str, game: u32) -> String {
        let exit = self.exit.as_deref().unwrap_or("still running when it was given up");
        let list = |lines: &[String]| match lines.is_empty() {
            true => "(nothing)\n".to_owned(),
            false => lines.iter().map(|line| format!("{line}\n")).collect(),
        };
        format!(
            "engine: {engine}\nfault: {}\ngame: {game}\nwhat: {}\nprocess: {exit}\n\n\
             # How to replay it: run this program and send it these lines\n{}\n{}\n\
             # Last lines of the dialogue (> to the engine, < from it; seconds since its start)\n{}\n\
             # Last lines of its error output\n{}",
            self.class.name(),
            self.detail,
            self.command,
            list(&self.replay),
            list(&self.dialogue),
            list(&self.stderr),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_written_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let fault = Fault {
            class: FaultClass::Crash,
            detail: "the process ended".to_owned(),
            dialogue: vec!["> go depth 1".to_owned()],
            stderr: vec![],
            exit: Some("exit code 3".to_owned()),
            command: "./engine --flag".to_owned(),
            replay: vec!["position startpos".to_owned(), "go depth 1".to_owned()],
        };
        let inner = folder.path().join("faults");
        let first = fault.write(&inner, "My / Engine", 7).unwrap();
        let second = fault.write(&inner, "My / Engine", 7).unwrap();
        assert_ne!(first, second);
        let text = fs::read_to_string(first).unwrap();
        for part in ["fault: crash", "exit code 3", "./engine --flag", "go depth 1", "(nothing)"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
