//! Running the arena and reading what it wrote.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The arena.
pub const ARENA: &str = env!("CARGO_BIN_EXE_arena");
/// The engine that misbehaves on purpose.
pub const FAKE: &str = env!("CARGO_BIN_EXE_fake_engine");

/// A folder with the files of one run.
pub struct Run {
    /// The folder, removed at the end.
    pub folder: tempfile::TempDir,
}

impl Run {
    /// An empty folder.
    pub fn new() -> Run {
        Run { folder: tempfile::tempdir().unwrap() }
    }

    /// A file of the run.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The flags that name the files of a run.
    pub fn command(&self, format: &str, engines: &[&str], flags: &[&str]) -> Command {
        let mut command = Command::new(ARENA);
        command.arg(format).current_dir(self.folder.path());
        for engine in engines {
            command.args(["--engine", engine]);
        }
        command.args(["--out", "run", "--report-every", "1"]).args(flags);
        command
    }

    /// Plays a run with these engines and flags.
    pub fn play(&self, format: &str, engines: &[&str], flags: &[&str]) -> Output {
        self.command(format, engines, flags).output().unwrap()
    }

    /// A file of openings.
    pub fn openings(&self, fens: &str) -> String {
        let path = self.path("openings.epd");
        std::fs::write(&path, fens).unwrap();
        path.display().to_string()
    }

    /// The games of the journal, in the order in which they ended.
    pub fn games(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("run.journal")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["entry"] == "game").map(|line| line["record"].clone()).collect()
    }

    /// The PGN.
    pub fn pgn(&self) -> String {
        std::fs::read_to_string(self.path("run.pgn")).unwrap()
    }

    /// The summary.
    pub fn summary(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path("run.json")).unwrap()).unwrap()
    }

    /// The tables of a recount.
    pub fn recount(&self, file: &str, flags: &[&str]) -> String {
        let output =
            Command::new(ARENA).arg("recount").arg(self.path(file)).args(flags).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// What a program wrote, for messages.
pub fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}\n{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}

/// An engine flag: the fake engine with this script.
pub fn fake(name: &str, script: &[&str]) -> String {
    fake_at(FAKE, name, script)
}

/// The same for a copy of the fake engine.
pub fn fake_at(program: impl AsRef<Path>, name: &str, script: &[&str]) -> String {
    let mut flag = format!("name={name},cmd={}", program.as_ref().display());
    for trick in script {
        flag.push_str(&format!(",arg={trick}"));
    }
    flag
}
