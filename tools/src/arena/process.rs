//! One engine process: its pipes, its threads, its end.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::config::EngineConfig;
use super::late::RunQueue;

/// Lines of output that may wait to be read; an engine that writes more has to wait itself.
const PENDING_LINES: usize = 4096;
/// The longest line that is taken for text.
const MAX_LINE: usize = 1 << 20;
/// Lines of dialogue and of error output kept as evidence.
const KEPT_LINES: usize = 200;

/// What the threads of a process tell.
#[derive(Debug)]
pub enum Event {
    /// A line of commands went out.
    Sent {
        /// The mark given to [`EngineProcess::send_marked`].
        mark: u64,
        /// When the write began.
        at: Instant,
        /// How long the writing thread was kept off the processor since then.
        late: Duration,
    },
    /// A line came in.
    Line {
        /// The line without its end.
        text: String,
        /// When it was read.
        at: Instant,
        /// How long the reading thread was kept off the processor before that.
        late: Duration,
    },
    /// A line was too long to be text.
    Overlong,
    /// The output was closed.
    Closed,
}

/// The last lines of a stream.
#[derive(Debug, Default)]
struct Tail(VecDeque<String>);

impl Tail {
    fn push(&mut self, line: String) {
        if self.0.len() == KEPT_LINES {
            self.0.pop_front();
        }
        self.0.push_back(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }
}

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    commands: Option<Sender<(Vec<u8>, Option<u64>)>>,
    events: Receiver<Event>,
    dialogue: Tail,
    stderr: Arc<Mutex<Tail>>,
    started: Instant,
    next_mark: u64,
    closed: bool,
}

impl EngineProcess {
    /// Starts the program of `config`; its error output is copied to `log`.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn start(config: &EngineConfig, log: Option<File>) -> io::Result<EngineProcess> {
        let mut command = Command::new(config.program());
        command.args(&config.args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &config.dir {
            command.current_dir(folder);
        }
        own_group(&mut command);
        let mut child = command.spawn()?;
        let (commands, lines) = mpsc::channel();
        let (sender, events) = mpsc::sync_channel(PENDING_LINES);
        let stderr = Arc::new(Mutex::new(Tail::default()));
        if let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            let marks = sender.clone();
            thread::spawn(move || write_lines(input, &lines, &marks));
            thread::spawn(move || read_lines(BufReader::new(output), &sender));
            let tail = Arc::clone(&stderr);
            thread::spawn(move || read_errors(BufReader::new(errors), &tail, log));
        }
        Ok(EngineProcess {
            child,
            commands: Some(commands),
            events,
            dialogue: Tail::default(),
            stderr,
            started: Instant::now(),
            next_mark: 0,
            closed: false,
        })
    }

    /// Sends a line of commands. A dead process shows itself as [`Event::Closed`].
    pub fn send(&mut self, line: &str) {
        self.queue(line, None);
    }

    /// Sends a line of any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note('>', &String::from_utf8_lossy(bytes));
        let mut line = bytes.to_vec();
        line.push(b'\n');
        self.hand_over(line, None);
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.commands = None;
    }

    /// Sends a line; an [`Event::Sent`] with the mark that is returned tells when it went out.
    pub fn send_marked(&mut self, line: &str) -> u64 {
        self.next_mark += 1;
        self.queue(line, Some(self.next_mark));
        self.next_mark
    }

    fn queue(&mut self, line: &str, mark: Option<u64>) {
        self.note('>', line);
        self.hand_over(format!("{line}\n").into_bytes(), mark);
    }

    fn hand_over(&mut self, line: Vec<u8>, mark: Option<u64>) {
        if let Some(commands) = &self.commands {
            // The writing thread is gone only when the pipe is: the reader tells that.
            let _ = commands.send((line, mark));
        }
    }

    fn note(&mut self, direction: char, line: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.dialogue.push(format!("{seconds:10.4} {direction} {}", shorten(line)));
    }

    /// The next event within `patience`; `None` when there was none.
    pub fn next(&mut self, patience: Duration) -> Option<Event> {
        if self.closed {
            return Some(Event::Closed);
        }
        let event = match self.events.recv_timeout(patience) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Event::Closed,
        };
        match &event {
            Event::Line { text, .. } => self.note('<', text),
            Event::Closed => self.closed = true,
            Event::Sent { .. } | Event::Overlong => {}
        }
        Some(event)
    }

    /// Drops what has come in but was not asked for; whether a `bestmove` was among it.
    pub fn drain(&mut self) -> bool {
        let mut stray = false;
        for _ in 0..2 * PENDING_LINES {
            match self.events.try_recv() {
                Ok(Event::Line { text, .. }) => {
                    stray |= text.trim_start().starts_with("bestmove");
                    self.note('<', &text);
                }
                Ok(Event::Closed) => self.closed = true,
                Ok(_) => {}
                Err(_) => break,
            }
        }
        stray
    }

    /// The last lines of the dialogue.
    pub fn dialogue(&self) -> Vec<String> {
        self.dialogue.lines()
    }

    /// The last lines of the error output; of an ended process all of it is waited for, up to
    /// `patience`.
    pub fn stderr(&self, patience: Duration) -> Vec<String> {
        let until = Instant::now() + patience;
        // The reading thread lets go of its share at the end of the stream.
        while Arc::strong_count(&self.stderr) > 1 && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        self.stderr.lock().map_or_else(|_| Vec::new(), |tail| tail.lines())
    }

    /// How the process ended, waiting up to `patience` for it; `None` while it runs.
    pub fn exit_status(&mut self, patience: Duration) -> Option<String> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Asks the process to quit, and ends it when it has not gone within `patience`.
    pub fn quit(&mut self, patience: Duration) {
        self.send("quit");
        self.commands = None;
        let until = Instant::now() + patience;
        while self.exit_status(Duration::from_millis(5)).is_none() && Instant::now() < until {
            // An engine that still writes must not hang in a full pipe.
            while self.events.try_recv().is_ok() {}
        }
        self.kill();
    }

    /// Ends the process and what it has started, at once.
    pub fn kill(&mut self) {
        self.commands = None;
        end_group(&mut self.child);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Puts the child into a group of its own: Ctrl-C stays ours, and the group can be ended as one.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// Ends the child and waits for it; where it was a script, its own children go with it.
fn end_group(child: &mut Child) {
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    let id = child.id();
    let mut helper = match cfg!(windows) {
        true => {
            let mut command = Command::new("taskkill");
            command.args(["/T", "/F", "/PID", &id.to_string()]);
            command
        }
        false => {
            let mut command = Command::new("kill");
            command.args(["-KILL", "--", &format!("-{id}")]);
            command
        }
    };
    let quiet = helper.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Both are best effort: `kill` below ends the child itself in any case.
    let _ = quiet.status();
    let _ = child.kill();
    let _ = child.wait();
}

/// Keeps one line of evidence readable.
fn shorten(line: &str) -> String {
    const LIMIT: usize = 2000;
    match line.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}… ({} bytes)", &line[..end], line.len()),
        None => line.to_owned(),
    }
}

fn write_lines(
    mut input: ChildStdin,
    lines: &Receiver<(Vec<u8>, Option<u64>)>,
    marks: &SyncSender<Event>,
) {
    let queue = RunQueue::of_this_thread();
    while let Ok((line, mark)) = lines.recv() {
        let waited = queue.waited();
        let at = Instant::now();
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
        if let Some(mark) = mark {
            let late = queue.waited().saturating_sub(waited);
            if marks.send(Event::Sent { mark, at, late }).is_err() {
                return;
            }
        }
    }
}

fn read_lines(mut output: BufReader<impl Read>, sender: &SyncSender<Event>) {
    let queue = RunQueue::of_this_thread();
    let mut waited = queue.waited();
    let (mut at, mut late) = (Instant::now(), Duration::ZERO);
    let mut line = Vec::new();
    loop {
        // Every line of a chunk came as late as the chunk did.
        if output.buffer().is_empty() {
            let read = output.fill_buf().map_or(0, <[u8]>::len);
            at = Instant::now();
            let now = queue.waited();
            (late, waited) = (now.saturating_sub(waited), now);
            if read == 0 {
                break;
            }
        }
        let chunk = output.buffer();
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(chunk.len(), |end| end + 1);
        line.extend_from_slice(&chunk[..taken]);
        output.consume(taken);
        let event = match end {
            Some(_) => {
                while matches!(line.last(), Some(b'\n' | b'\r')) {
                    line.pop();
                }
                Event::Line { text: String::from_utf8_lossy(&line).into_owned(), at, late }
            }
            None if line.len() > MAX_LINE => Event::Overlong,
            None => continue,
        };
        line.clear();
        if sender.send(event).is_err() {
            return;
        }
    }
    let _ = sender.send(Event::Closed);
}

fn read_errors(mut errors: impl BufRead, tail: &Mutex<Tail>, mut log: Option<File>) {
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match (&mut errors).take(MAX_LINE as u64).read_until(b'\n', &mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        // A full disk must not stop the match: the tail still has the line.
        if log.as_mut().is_some_and(|log| log.write_all(&buffer).is_err()) {
            log = None;
        }
        let line = String::from_utf8_lossy(&buffer).trim_end().to_owned();
        if let Ok(mut tail) = tail.lock() {
            tail.push(shorten(&line));
        }
    }
}
