//! A conversation with the engine under test.

use std::time::{Duration, Instant};

use ferz::board::Board;
use ferz::notation::parse_uci;
use ferz::types::Move;

use super::super::config::EngineConfig;
use super::super::info::Info;
use super::super::process::{EngineProcess, Event};
use super::{Result, Trouble};

/// What an engine may take to start.
const START: Duration = Duration::from_secs(10);
/// How long nothing must come where nothing is to come.
const QUIET: Duration = Duration::from_millis(250);

/// What one search said.
#[derive(Debug)]
pub struct Search {
    /// The `info` lines, oldest first.
    pub infos: Vec<String>,
    /// The words after `bestmove`.
    pub best: Vec<String>,
    /// Time until the answer.
    pub took: Duration,
}

/// A started engine and what it said to `uci`.
pub struct Session {
    process: EngineProcess,
    /// Everything up to and with `uciok`.
    pub greeting: Vec<String>,
    /// What a sound engine may take for an answer at once.
    pub patience: Duration,
    /// What the machine may add to a time that is asked for.
    pub slack: Duration,
    board: Board,
    chess960: bool,
}

impl Session {
    /// Starts an engine, sends `uci` and `isready` and waits for both answers.
    pub fn open(config: &EngineConfig, patience: Duration, slack: Duration) -> Result<Session> {
        let process = EngineProcess::start(config, None)
            .map_err(|error| format!("the program cannot be run: {error}"))?;
        let board = Board::startpos();
        let mut session =
            Session { process, greeting: Vec::new(), patience, slack, board, chess960: false };
        session.send("uci");
        session.greeting = session.until("uciok", START)?;
        session.send("isready");
        session.until("readyok", START)?;
        Ok(session)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// Sends a line of any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.process.send_bytes(bytes);
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.process.close_input();
    }

    /// The next line, or why there is none.
    fn line(&mut self, until: Instant) -> std::result::Result<String, &'static str> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.process.next(left) {
                Some(Event::Line { text, .. }) => return Ok(text),
                Some(Event::Sent { .. }) => {}
                Some(Event::Overlong) => return Err("a line without end"),
                Some(Event::Closed) => return Err("the engine is gone"),
                None => return Err("no answer"),
            }
        }
    }

    /// Lines up to one that is just `word` or begins with it.
    pub fn until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>> {
        let until = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let line = self.line(until).map_err(|why| {
                format!("{why} while waiting for {word} ({:.1} s)", patience.as_secs_f64())
            })?;
            let found = line.split_ascii_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }

    /// Waits for `readyok`; the lines before it.
    pub fn ready(&mut self) -> Result<Vec<String>> {
        self.send("isready");
        self.until("readyok", self.patience)
    }

    /// Whether the engine still answers.
    pub fn is_alive(&mut self) -> Result {
        match self.process.exit_status(Duration::ZERO) {
            Some(status) if status.ends_with(" 0") => Ok(()),
            Some(status) => Err(format!("the process ended: {status}").into()),
            None => self.ready().map(drop),
        }
    }

    /// How the process ends within `patience`.
    pub fn ends(&mut self, patience: Duration) -> Result {
        match self.process.exit_status(patience) {
            None => Err(format!("still running after {:.1} s", patience.as_secs_f64()).into()),
            Some(status) if status.ends_with(" 0") => Ok(()),
            Some(status) => Err(format!("the process ended with {status}").into()),
        }
    }

    /// Nothing that begins with `word` must come for a while.
    pub fn quiet(&mut self, word: &str) -> Result {
        let until = Instant::now() + QUIET;
        while let Ok(line) = self.line(until) {
            if line.split_ascii_whitespace().next() == Some(word) {
                return Err(format!("{line:?} that nobody asked for").into());
            }
        }
        Ok(())
    }

    /// Whether an option of this name is offered.
    pub fn offers(&self, name: &str) -> bool {
        self.options().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// The names of the options.
    pub fn options(&self) -> impl Iterator<Item = String> + '_ {
        self.greeting.iter().filter_map(|line| {
            let rest = line.strip_prefix("option name ")?;
            Some(rest.split(" type ").next()?.trim().to_owned())
        })
    }

    /// An error if an option is not offered.
    pub fn need(&self, name: &'static str) -> Result {
        match self.offers(name) {
            true => Ok(()),
            false => Err(Trouble::NotOffered(name)),
        }
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) {
        self.chess960 |= name == "UCI_Chess960" && value == "true";
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Sends a position and remembers it: `startpos` or `fen ...`, with or without ` moves ...`.
    pub fn position(&mut self, text: &str) -> Result {
        let (place, moves) = text.split_once(" moves").unwrap_or((text, ""));
        let mut board = match place.strip_prefix("fen ") {
            None => Board::startpos(),
            Some(fen) => Board::from_fen(fen).map_err(|error| format!("{fen}: {error}"))?,
        };
        for text in moves.split_ascii_whitespace() {
            let mv = parse_uci(board.position(), text).map_err(|error| error.to_string())?;
            board.play(mv);
        }
        self.board = board;
        self.send(&format!("position {text}"));
        Ok(())
    }

    /// Sends a `go` and waits for the answer.
    pub fn go(&mut self, limits: &str, patience: Duration) -> Result<Search> {
        self.send(&format!("go {limits}"));
        self.answer(patience).map_err(|trouble| match trouble {
            Trouble::Fault(text) => Trouble::Fault(format!("go {limits}: {text}")),
            other => other,
        })
    }

    /// Waits for the answer to a `go`.
    pub fn answer(&mut self, patience: Duration) -> Result<Search> {
        let start = Instant::now();
        let mut lines = self.until("bestmove", patience)?;
        let best = lines.pop().unwrap_or_default();
        let best = best.split_ascii_whitespace().skip(1).map(str::to_owned).collect();
        let infos = lines.into_iter().filter(|line| line.starts_with("info")).collect();
        Ok(Search { infos, best, took: start.elapsed() })
    }

    /// The move of an answer, which must be legal and written as the protocol has it.
    pub fn legal(&self, search: &Search) -> Result<Move> {
        let text = search.best.first().map_or("", String::as_str);
        let position = self.board.position();
        let mv =
            parse_uci(position, text).map_err(|error| format!("bestmove {text:?}: {error}"))?;
        let exact = ferz::notation::to_uci(mv, self.chess960);
        match exact == text {
            true => Ok(mv),
            false => Err(format!("bestmove {text:?} should be written {exact:?}").into()),
        }
    }

    /// Searches and demands a legal move within the patience.
    pub fn plays(&mut self, limits: &str) -> Result<Search> {
        let search = self.go(limits, self.patience)?;
        self.legal(&search).map_err(|trouble| match trouble {
            Trouble::Fault(text) => Trouble::Fault(format!("go {limits}: {text}")),
            other => other,
        })?;
        Ok(search)
    }

    /// The position that was sent last.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Search {
    /// The lines with a score, read.
    pub fn scored(&self) -> Vec<Info> {
        let infos = self.infos.iter().map(|line| Info::parse(line));
        infos.filter(|info| info.score.is_some()).collect()
    }

    /// The last line with a score for the best move.
    pub fn last(&self) -> Result<Info> {
        let mut scored = self.scored();
        scored.retain(|info| info.multi_pv.unwrap_or(1) == 1);
        scored.pop().ok_or_else(|| "no info line with a score before bestmove".into())
    }
}
