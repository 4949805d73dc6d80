//! The session: it takes one line at a time and never waits for the search.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::command::{self, Command, GoCommand, PositionCommand};
use super::lines::{self, Style};
use super::options::{self, OPTIONS, OptionId, Value};
use super::output::Output;
use super::wording::quoted;
use super::{limits, position};
use crate::engine::{BookChoice, Engine, Sink, bench};
use crate::types::Depth;

/// How long the end of a session waits for the engine: clients wait a second.
const LAST_WAIT: Duration = Duration::from_millis(900);

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The next line can be taken.
    Continue,
    /// `quit` was sent.
    Quit,
}

/// One conversation with a client.
pub struct Session {
    output: Arc<Output>,
    engine: Engine,
    style: Style,
    /// Why there is no position to search.
    invalid: Option<String>,
    debug: bool,
}

/// What the reading thread passes on.
enum Input {
    Line(Vec<u8>),
    End,
    OutputBroken,
}

/// Holds a session over these two ends until `quit`, the end of the input, or a closed output.
///
/// A search that runs at the end of the input still sends its best move.
///
/// # Panics
/// If the system gives no thread.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) {
    let (sender, queue) = mpsc::sync_channel(256);
    let wake = sender.clone();
    // When the queue is full the loop below is awake anyway.
    let on_broken = move || drop(wake.try_send(Input::OutputBroken));
    let output = Arc::new(Output::new(output, on_broken));
    thread::Builder::new()
        .name("input".into())
        .spawn(move || read_lines(input, &sender))
        .expect("the system gives a thread");
    let mut session = Session::new(Arc::clone(&output));
    let mut at_end = false;
    while let Ok(item) = queue.recv() {
        match item {
            Input::Line(line) if session.handle(&line) == Flow::Continue => {}
            Input::Line(_) | Input::OutputBroken => break,
            Input::End => {
                at_end = true;
                break;
            }
        }
        if output.is_broken() {
            break;
        }
    }
    let end = Instant::now() + LAST_WAIT;
    if at_end {
        // Whoever pipes a perft wants its result.
        session.engine.wait_for_counting(LAST_WAIT / 2);
    }
    session.engine.close(end.saturating_duration_since(Instant::now()));
}

fn read_lines(input: impl Read, sender: &mpsc::SyncSender<Input>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => {
                let _ = sender.send(Input::End);
                return;
            }
            Ok(_) => {
                if sender.send(Input::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}

impl Session {
    /// A session that answers to this output.
    pub fn new(output: Arc<Output>) -> Session {
        let messages = Arc::clone(&output);
        Session {
            output,
            engine: Engine::new(move |text| messages.message(&text)),
            style: Style::default(),
            invalid: None,
            debug: false,
        }
    }

    /// Takes one line, with or without its line end.
    pub fn handle(&mut self, line: &[u8]) -> Flow {
        self.output.log_input(line);
        catch_unwind(AssertUnwindSafe(|| self.answer(line))).unwrap_or_else(|_| {
            let text = String::from_utf8_lossy(line);
            self.output.message(&format!("internal error at {}", quoted(&text)));
            Flow::Continue
        })
    }

    fn answer(&mut self, line: &[u8]) -> Flow {
        let command = match command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Flow::Continue,
            Err(error) => {
                if matches!(error, command::CommandError::PositionRoot) {
                    self.reject(error.to_string());
                } else {
                    self.output.message(&error.to_string());
                }
                return Flow::Continue;
            }
        };
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                let output = Arc::clone(&self.output);
                self.engine.when_ready(move || output.line("readyok"));
            }
            Command::Debug(on) => self.debug = on,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.engine.new_game(),
            Command::Position(command) => self.set_position(&command),
            Command::Go(command) => self.go(&command),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => {
                self.note_idle("stop");
                self.engine.stop();
            }
            Command::PonderHit => {
                self.note_idle("ponderhit");
                self.engine.ponder_hit();
            }
            Command::Quit => return Flow::Quit,
            Command::Display => match self.engine.board() {
                Some(board) => self.output.line(&lines::diagram(board)),
                None => self.complain_of_position(),
            },
            Command::Eval => match self.engine.board() {
                Some(board) => {
                    self.output.line(&lines::evaluation(board, self.engine.network()));
                }
                None => self.complain_of_position(),
            },
            Command::Bench(depth) => {
                self.engine.bench(depth.unwrap_or(bench::DEFAULT_DEPTH), self.sink());
            }
            Command::Ignored => {}
        }
        Flow::Continue
    }

    fn introduce(&self) {
        let mut text = format!("id name Ferz {}\n", env!("CARGO_PKG_VERSION"));
        text.push_str("id author the Ferz developers\n");
        for option in &OPTIONS {
            text.push_str(&option.line());
            text.push('\n');
        }
        #[cfg(feature = "tune")]
        for parameter in crate::search::PARAMETERS {
            text.push_str(&options::parameter_line(parameter));
            text.push('\n');
        }
        let network = self.engine.network();
        let kernels = network.level();
        let _ = writeln!(text, "info string network {:016x}, {kernels} kernels", network.hash());
        text.push_str("uciok");
        self.output.line(&text);
    }

    fn note_idle(&self, word: &str) {
        if self.debug && !self.engine.is_searching() {
            self.output.message(&format!("{word} ignored, nothing runs"));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if let Some(number) = value.and_then(|value| value.trim().parse().ok())
            && self.engine.settings_mut().params.set(name, number)
        {
            return;
        }
        match options::read(name, value) {
            Ok(Some((id, value))) => self.apply(id, value),
            Ok(None) => {}
            Err(error) => self.output.message(&error.to_string()),
        }
    }

    fn apply(&mut self, id: OptionId, value: Value) {
        let engine = &mut self.engine;
        match (id, value) {
            (OptionId::Hash, Value::Spin(megabytes)) => engine.set_hash(megabytes as usize),
            (OptionId::ClearHash, _) => engine.clear(),
            (OptionId::EvalFile, Value::Text(path)) => {
                if let Err(error) = engine.load_network(&path) {
                    self.output.message(&format!("EvalFile: {error}; the old network stays"));
                }
            }
            (OptionId::SyzygyPath, Value::Text(path)) => engine.set_tablebase_path(&path),
            (OptionId::BookFile, Value::Text(path)) => engine.set_book_file(&path),
            (OptionId::BookChoice, Value::Choice(word)) => {
                let choices = [BookChoice::Variety, BookChoice::Best];
                engine.settings_mut().book_choice = choices[word.min(1)];
            }
            (OptionId::Chess960, Value::Check(on)) => self.style.chess960 = on,
            (OptionId::ShowWdl, Value::Check(on)) => self.style.show_wdl = on,
            (OptionId::DebugLogFile, Value::Text(path)) => {
                if let Err(error) = self.output.set_log(&path) {
                    self.output.message(&format!("Debug Log File {}: {error}", quoted(&path)));
                }
            }
            (id, Value::Check(on)) => self.apply_check(id, on),
            (id, Value::Spin(number)) => self.apply_spin(id, number),
            // What is left is there to be read: UCI_EngineAbout.
            _ => {}
        }
    }

    fn apply_check(&mut self, id: OptionId, on: bool) {
        let settings = self.engine.settings_mut();
        match id {
            OptionId::AnalyseMode => settings.analyse = on,
            OptionId::LimitStrength => settings.limit_strength = on,
            OptionId::OwnBook => settings.own_book = on,
            OptionId::Syzygy50MoveRule => settings.fifty_move_rule = on,
            // Ponder only announces what the GUI may do.
            _ => {}
        }
    }

    /// The numbers are inside the ranges of the option table.
    fn apply_spin(&mut self, id: OptionId, number: i64) {
        let settings = self.engine.settings_mut();
        match id {
            OptionId::Threads => settings.threads = number as usize,
            OptionId::MultiPv => settings.multi_pv = number as usize,
            OptionId::MoveOverhead => settings.move_overhead = Duration::from_millis(number as u64),
            OptionId::NodesTime => {
                settings.nodes_per_ms = (number > 0).then_some(number as u64);
            }
            OptionId::Elo => settings.elo = number as u32,
            OptionId::SkillLevel => settings.skill_level = number as u32,
            OptionId::SyzygyProbeDepth => settings.probe_depth = number as Depth,
            OptionId::SkillSeed => settings.skill_seed = number as u64,
            _ => {}
        }
    }

    fn set_position(&mut self, command: &PositionCommand) {
        match position::build(command, self.style.chess960) {
            Ok((board, note)) => {
                if let Some(note) = note {
                    self.output.message(&note);
                }
                self.invalid = None;
                self.engine.set_board(Some(board));
            }
            Err(reason) => self.reject(format!("position: {reason}")),
        }
    }

    /// A position that cannot be set up is not replaced by an older one.
    fn reject(&mut self, reason: String) {
        self.output.message(&reason);
        self.engine.set_board(None);
        self.invalid = Some(reason);
    }

    fn complain_of_position(&self) {
        let reason = self.invalid.as_deref().unwrap_or("none");
        self.output.message(&format!("no valid position: {reason}"));
    }

    fn go(&mut self, command: &GoCommand) {
        let (limits, faults) = limits::limits(command, self.engine.board());
        if !faults.is_empty() {
            self.output.message(&format!("go: {}", faults.join(", ")));
        }
        if self.engine.board().is_none() {
            self.complain_of_position();
        }
        self.engine.go(limits, self.sink());
    }

    fn perft(&mut self, depth: u32) {
        if self.engine.board().is_none() {
            self.complain_of_position();
            return;
        }
        self.engine.perft(depth, self.sink());
    }

    /// Where the events of the next search go; what is set later does not change its lines.
    fn sink(&self) -> Sink {
        let output = Arc::clone(&self.output);
        let style = self.style;
        Arc::new(move |event| output.line(&lines::line(&event, style)))
    }
}
