//! The one way out: whole lines through one lock, flushed one by one.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::wording;

/// Writes lines for all threads, and copies them to a log when one is open.
pub struct Output {
    sink: Mutex<Sink>,
    broken: AtomicBool,
    on_broken: Box<dyn Fn() + Send + Sync>,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
}

impl Output {
    /// An output that calls `on_broken` once when nobody reads it any more.
    pub fn new(
        writer: impl Write + Send + 'static,
        on_broken: impl Fn() + Send + Sync + 'static,
    ) -> Output {
        Output {
            sink: Mutex::new(Sink { writer: Box::new(writer), log: None }),
            broken: AtomicBool::new(false),
            on_broken: Box::new(on_broken),
        }
    }

    /// Writes one line, or several that belong together; the last line feed is added here.
    pub fn line(&self, text: &str) {
        if self.is_broken() {
            return;
        }
        let result = {
            let mut sink = self.lock();
            sink.log("<<", text);
            let whole = format!("{text}\n");
            sink.writer.write_all(whole.as_bytes()).and_then(|()| sink.writer.flush())
        };
        if result.is_err() && !self.broken.swap(true, Ordering::Relaxed) {
            (self.on_broken)();
        }
    }

    /// Writes a message that is for people, as `info string`.
    pub fn message(&self, text: &str) {
        self.line(&format!("info string {}", wording::message(text)));
    }

    /// Whether the reader has gone.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Copies a line of input to the log.
    pub fn log_input(&self, line: &[u8]) {
        let mut sink = self.lock();
        if sink.log.is_some() {
            sink.log(">>", String::from_utf8_lossy(line).trim_end());
        }
    }

    /// Opens another log, or none for an empty path.
    pub fn set_log(&self, path: &str) -> io::Result<()> {
        let log = if path.is_empty() {
            None
        } else {
            Some(File::options().create(true).append(true).open(Path::new(path))?)
        };
        self.lock().log = log;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        // A panic elsewhere leaves whole lines behind: there is nothing half done to fear.
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    /// A log that cannot be written is given up: it must not disturb the game.
    fn log(&mut self, mark: &str, text: &str) {
        if let Some(file) = &mut self.log
            && writeln!(file, "{mark} {text}").is_err()
        {
            self.log = None;
        }
    }
}
