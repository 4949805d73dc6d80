//! The runner's side of UCI: start-up, new games, searches, pondering.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::config::EngineConfig;
use super::fault::{Fault, FaultClass};
use super::info::Info;
use super::process::{EngineProcess, Event};

/// Lines of one search beyond which an engine is no longer listened to.
const FLOOD_LINES: u64 = 500_000;
/// Bytes of one search beyond which an engine is no longer listened to.
const FLOOD_BYTES: u64 = 64 << 20;
/// How often a waiting thread looks whether the run is to end.
const GLANCE: Duration = Duration::from_millis(50);
/// What a process that has closed its pipes may take to end before the evidence is written.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// Why an engine gave no answer.
#[derive(Debug)]
pub enum Failure {
    /// The engine is at fault.
    Fault(Box<Fault>),
    /// The run is to end.
    Stopped,
}

/// The answer to a `go`.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move as the engine wrote it; empty if it wrote none.
    pub best: String,
    /// The reply it wants to think about.
    pub ponder: Option<String>,
    /// When the command went out and when the answer came in; `None` before both have happened.
    pub span: Option<(Instant, Instant)>,
    /// Time from the command going out to the answer coming in.
    pub used: Duration,
    /// How much of it this process's own threads were kept off the processor.
    pub late: Duration,
    /// The last line with a score.
    pub info: Option<Info>,
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Start-up and getting ready.
    pub ready: Duration,
    /// Silence beyond a search's time.
    pub stall: Duration,
}

/// An engine that speaks UCI.
#[derive(Debug)]
pub struct Client<'a> {
    process: EngineProcess,
    stop: &'a AtomicBool,
    patience: Patience,
    command: String,
    setup: Vec<String>,
    search: Vec<String>,
    pondering: Option<String>,
    /// What the engine calls itself.
    pub id_name: String,
    /// Names of the options it offers.
    pub options: Vec<String>,
    /// Answers that nobody had asked for.
    pub strays: u32,
    /// Options that were asked for but are not offered.
    pub unknown_options: Vec<String>,
}

impl<'a> Client<'a> {
    /// Starts an engine and gets it ready.
    ///
    /// # Errors
    /// A fault of class `Start` if it cannot be run or does not get ready.
    pub fn start(
        config: &EngineConfig,
        extra: &[(&str, &str)],
        log: Option<File>,
        patience: Patience,
        stop: &'a AtomicBool,
    ) -> Result<Client<'a>, Failure> {
        let command = config.command_line();
        let process = EngineProcess::start(config, log).map_err(|error| {
            Failure::Fault(Box::new(Fault {
                class: FaultClass::Start,
                detail: format!("the program cannot be run: {error}"),
                dialogue: Vec::new(),
                stderr: Vec::new(),
                exit: None,
                command: command.clone(),
                replay: Vec::new(),
            }))
        })?;
        let mut client = Client {
            process,
            stop,
            patience,
            command,
            setup: Vec::new(),
            search: Vec::new(),
            pondering: None,
            id_name: String::new(),
            options: Vec::new(),
            strays: 0,
            unknown_options: Vec::new(),
        };
        client.hand_shake(config, extra)?;
        Ok(client)
    }

    fn hand_shake(&mut self, config: &EngineConfig, extra: &[(&str, &str)]) -> Result<(), Failure> {
        self.set_up("uci".to_owned());
        let mut lines = Vec::new();
        self.await_word("uciok", FaultClass::Start, |line| lines.push(line.to_owned()))?;
        for line in lines {
            if let Some(name) = line.trim_start().strip_prefix("id name ") {
                self.id_name = name.trim().to_owned();
            }
            self.options.extend(option_name(&line));
        }
        for (name, value) in config.options.iter().map(|(name, value)| (&**name, value.to_string()))
        {
            match self.offers(name) {
                true => self.set_up(set_option(name, &value)),
                false => self.unknown_options.push(name.to_owned()),
            }
        }
        for &(name, value) in extra {
            if !self.offers(name) {
                let detail = format!("the option {name} is needed but not offered");
                return Err(self.fault(FaultClass::Start, detail));
            }
            self.set_up(set_option(name, value));
        }
        self.make_ready(FaultClass::Start)
    }

    /// Whether an option of this name is offered; case does not matter.
    pub fn offers(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Sends a command that belongs to the engine's set-up: a replay of a fault begins with it.
    pub fn set_up(&mut self, line: String) {
        self.process.send(&line);
        self.setup.push(line);
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    ///
    /// # Errors
    /// A fault if it is not ready in time or gone.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.stop_pondering()?;
        self.search.clear();
        self.process.send("ucinewgame");
        self.make_ready(FaultClass::Stall)
    }

    fn make_ready(&mut self, class: FaultClass) -> Result<(), Failure> {
        self.process.send("isready");
        self.await_word("readyok", class, |_| {})
    }

    /// Waits for a line that is just `word`; a silent engine is at fault by `class`.
    fn await_word(
        &mut self,
        word: &str,
        class: FaultClass,
        mut other: impl FnMut(&str),
    ) -> Result<(), Failure> {
        let until = Instant::now() + self.patience.ready;
        let mut flood = Flood::default();
        loop {
            match self.next_event(until)? {
                None => {
                    let waited = self.patience.ready.as_secs_f64();
                    return Err(self.fault(class, format!("no {word} within {waited} s")));
                }
                Some(Event::Line { text, .. }) if text.trim() == word => return Ok(()),
                Some(Event::Line { text, .. }) => {
                    if flood.counts(&text) {
                        return Err(self.fault(FaultClass::BadOutput, flood.detail()));
                    }
                    other(&text);
                }
                Some(Event::Sent { .. }) => {}
                Some(Event::Overlong) => return Err(self.overlong()),
                Some(Event::Closed) => return Err(self.gone(class)),
            }
        }
    }

    /// The next event; `None` when `until` has passed.
    fn next_event(&mut self, until: Instant) -> Result<Option<Event>, Failure> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if let Some(event) = self.process.next(left.min(GLANCE)) {
                return match left.is_zero() && !matches!(event, Event::Closed) {
                    true => Ok(None),
                    false => Ok(Some(event)),
                };
            }
            if left.is_zero() {
                return Ok(None);
            }
        }
    }

    /// Lets the engine search: `position` and `go` are whole lines, `time` is what it may take.
    ///
    /// `expected` is the move just played by the opponent: if the engine is thinking about it
    /// already, the search goes on.
    ///
    /// # Errors
    /// A fault if no answer came within `time` and the patience for silence, or a wrong one.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        expected: Option<&str>,
        time: Duration,
    ) -> Result<Answer, Failure> {
        let hit = self.pondering.is_some() && self.pondering.as_deref() == expected;
        let mark = if hit {
            self.pondering = None;
            self.search.push("ponderhit".to_owned());
            self.process.send_marked("ponderhit")
        } else {
            self.begin(position, go)?
        };
        self.await_best_move(Some(mark), time, &mut |_| {})
    }

    /// Lets the engine search and hands over each of its `info` lines.
    ///
    /// # Errors
    /// As [`Client::think`].
    pub fn think_aloud(
        &mut self,
        position: &str,
        go: &str,
        time: Duration,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Answer, Failure> {
        let mark = self.begin(position, go)?;
        self.await_best_move(Some(mark), time, hear)
    }

    /// Sends the commands of a search; the mark of its `go`.
    fn begin(&mut self, position: &str, go: &str) -> Result<u64, Failure> {
        self.stop_pondering()?;
        self.strays += u32::from(self.process.drain());
        self.search = vec![position.to_owned(), go.to_owned()];
        self.process.send(position);
        Ok(self.process.send_marked(go))
    }

    /// Lets the engine think on the opponent's time about `reply`.
    pub fn ponder(&mut self, reply: &str, position: &str, go: &str) {
        self.search = vec![position.to_owned(), go.to_owned()];
        self.pondering = Some(reply.to_owned());
        self.process.send(position);
        self.process.send(go);
    }

    fn stop_pondering(&mut self) -> Result<(), Failure> {
        if self.pondering.take().is_some() {
            self.search.push("stop".to_owned());
            self.process.send("stop");
            self.await_best_move(None, Duration::ZERO, &mut |_| {})?;
        }
        Ok(())
    }

    fn await_best_move(
        &mut self,
        mark: Option<u64>,
        time: Duration,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Answer, Failure> {
        let asked = Instant::now();
        let mut sent = mark.is_none().then_some((asked, Duration::ZERO));
        let (mut last, mut flood, mut best) = (None, Flood::default(), None);
        loop {
            // The answer can overtake the news that the question went out.
            if let Some((start, sent_late)) = sent
                && let Some((line, at, late)) = best.take()
            {
                if at >= start || mark.is_none() {
                    return Ok(answer_of(line, (start, at), sent_late + late, last));
                }
                if self.search.last().is_some_and(|line| line == "ponderhit") {
                    let detail = "a bestmove before ponderhit".to_owned();
                    return Err(self.fault(FaultClass::BadOutput, detail));
                }
                self.strays += 1;
            }
            let until = sent.map_or(asked, |(at, _)| at) + time + self.patience.stall;
            match self.next_event(until)? {
                None => {
                    let waited = asked.elapsed().as_secs_f64();
                    let detail = format!("no bestmove in {waited:.3} s");
                    return Err(self.fault(FaultClass::Stall, detail));
                }
                Some(Event::Sent { mark: which, at, late }) if Some(which) == mark => {
                    sent = Some((at, late));
                }
                Some(Event::Sent { .. }) => {}
                Some(Event::Line { text, at, late }) => {
                    let line = text.trim_start();
                    if let Some(rest) = word_after(line, "bestmove") {
                        best = Some((rest.to_owned(), at, late));
                        continue;
                    }
                    if flood.counts(line) {
                        return Err(self.fault(FaultClass::BadOutput, flood.detail()));
                    }
                    if line.starts_with("info") {
                        hear(line);
                        if Info::is_last_word(line) {
                            last = Some(text);
                        }
                    }
                }
                Some(Event::Overlong) => return Err(self.overlong()),
                Some(Event::Closed) => return Err(self.gone(FaultClass::Crash)),
            }
        }
    }

    fn overlong(&mut self) -> Failure {
        self.fault(FaultClass::BadOutput, "a line without end".to_owned())
    }

    fn gone(&mut self, class: FaultClass) -> Failure {
        let class = if class == FaultClass::Start { class } else { FaultClass::Crash };
        self.fault(class, "the process ended or closed its output".to_owned())
    }

    /// A fault of this engine, with the evidence of this moment.
    pub fn fault(&mut self, class: FaultClass, detail: String) -> Failure {
        let ends = matches!(class, FaultClass::Crash | FaultClass::Start);
        let exit = self.process.exit_status(if ends { LAST_BREATH } else { Duration::ZERO });
        let rest = if exit.is_some() { LAST_BREATH } else { Duration::ZERO };
        let stderr = self.process.stderr(rest);
        let mut replay = self.setup.clone();
        replay.extend(self.search.iter().cloned());
        Failure::Fault(Box::new(Fault {
            class,
            detail,
            dialogue: self.process.dialogue(),
            stderr,
            exit,
            command: self.command.clone(),
            replay,
        }))
    }

    /// Ends the engine: politely first.
    pub fn quit(mut self) {
        if self.pondering.is_some() {
            self.process.send("stop");
        }
        self.process.quit(Duration::from_secs(1));
    }
}

/// Counts what an engine writes between two commands.
#[derive(Debug, Default)]
struct Flood {
    lines: u64,
    bytes: u64,
}

impl Flood {
    /// Counts a line; whether it is too much.
    fn counts(&mut self, line: &str) -> bool {
        self.lines += 1;
        self.bytes += line.len() as u64;
        self.lines > FLOOD_LINES || self.bytes > FLOOD_BYTES
    }

    fn detail(&self) -> String {
        format!("a flood: {} lines, {} bytes without an answer", self.lines, self.bytes)
    }
}

/// The command that gives an option a value; an empty one for a button.
pub fn set_option(name: &str, value: &str) -> String {
    match value.is_empty() {
        true => format!("setoption name {name}"),
        false => format!("setoption name {name} value {value}"),
    }
}

/// What follows `word` at the start of a line.
fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest)
}

/// The answer of a `bestmove` line that came over `span`, `last` being the last line with a score.
fn answer_of(
    line: String,
    span: (Instant, Instant),
    late: Duration,
    last: Option<String>,
) -> Answer {
    let (best, ponder) = best_and_ponder(&line);
    let used = span.1.saturating_duration_since(span.0);
    let info = last.map(|line| Info::parse(&line));
    Answer { best, ponder, span: Some(span), used, late: late.min(used), info }
}

fn best_and_ponder(rest: &str) -> (String, Option<String>) {
    let mut words = rest.split_ascii_whitespace();
    let best = words.next().unwrap_or_default().to_owned();
    let ponder = match words.next() {
        Some("ponder") => words.next().map(str::to_owned),
        _ => None,
    };
    (best, ponder)
}

/// The name in an `option` line.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.first() != Some(&"option") || words.get(1) != Some(&"name") {
        return None;
    }
    let end = words.iter().position(|&word| word == "type")?;
    (end > 2).then(|| words[2..end].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_protocol_are_taken_apart() {
        assert_eq!(
            option_name("option name Move Overhead type spin default 10").as_deref(),
            Some("Move Overhead")
        );
        assert_eq!(option_name("option name type spin"), None);
        assert_eq!(option_name("info option name A type check"), None);
        assert_eq!(word_after("bestmove", "bestmove"), Some(""));
        assert_eq!(word_after("bestmoves e2e4", "bestmove"), None);
        let expected = ("e2e4".to_owned(), Some("e7e5".to_owned()));
        assert_eq!(best_and_ponder(" e2e4 ponder e7e5"), expected);
        assert_eq!(best_and_ponder(""), (String::new(), None));
    }
}
