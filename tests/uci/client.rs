//! A client that drives the real binary through pipes and checks every line it prints.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use ferz::board::{Board, Position};
use ferz::notation::{parse_uci, to_uci};
use ferz::types::Move;

/// How long any answer may take on a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The score of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Cp(i64),
    /// Full moves to mate.
    Mate(i64),
}

/// One `info` line with a score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    pub depth: i64,
    pub seldepth: Option<i64>,
    pub multipv: i64,
    pub score: Score,
    pub exact: bool,
    pub wdl: Option<[i64; 3]>,
    pub nodes: i64,
    pub hashfull: i64,
    pub tbhits: i64,
    pub pv: Vec<String>,
}

/// What one search said.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its lines with scores.
    pub infos: Vec<Info>,
    /// All its lines.
    pub lines: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
    /// From the sending of `go` or `stop` to `bestmove`.
    pub time: Duration,
}

impl Answer {
    /// The last exact line of this number.
    pub fn last(&self, multipv: i64) -> &Info {
        self.infos
            .iter()
            .rfind(|info| info.exact && info.multipv == multipv)
            .unwrap_or_else(|| panic!("no exact line {multipv} in {:#?}", self.lines))
    }

    pub fn score(&self) -> Score {
        self.last(1).score
    }

    pub fn strings(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
    }
}

/// A running engine.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    history: Vec<String>,
    /// The lines of the running search, and of the last one that ended.
    running: Vec<String>,
    ended: Vec<String>,
    /// The board after the last valid `position`, by our own rules.
    board: Board,
    chess960: bool,
    sent: Instant,
}

impl Client {
    /// Starts the engine as a GUI does: no argument, pipes, another working directory.
    pub fn start() -> Client {
        Client::start_command(Command::new(env!("CARGO_BIN_EXE_ferz")))
    }

    pub fn start_command(mut command: Command) -> Client {
        let mut child = command
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            for line in out.split(b'\n') {
                let Ok(line) = line else { return };
                let line = String::from_utf8(line).expect("the engine writes UTF-8");
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Client {
            child,
            stdin,
            lines,
            history: Vec::new(),
            running: Vec::new(),
            ended: Vec::new(),
            board: Board::startpos(),
            chess960: false,
            sent: Instant::now(),
        }
    }

    pub fn send(&mut self, line: &str) {
        self.history.push(format!("> {line}"));
        if line.starts_with("go") && !self.is_running() {
            self.running.clear();
        }
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Whether lines with scores have come that no best move has ended.
    fn is_running(&self) -> bool {
        self.running.iter().any(|line| line.contains(" score "))
    }

    /// Sends all of this in one write.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.sent = Instant::now();
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    pub fn set(&mut self, name: &str, value: impl std::fmt::Display) {
        if name == "UCI_Chess960" {
            self.chess960 = value.to_string() == "true";
        }
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Sends `position` with this text, and sets up the same position here.
    pub fn position(&mut self, text: &str) {
        self.board = board_of(text);
        self.send(&format!("position {text}"));
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The next line, checked for its form; `None` when none comes in time.
    pub fn next_line(&mut self, patience: Duration) -> Option<(Instant, String)> {
        let (when, line) = self.lines.recv_timeout(patience).ok()?;
        self.history.push(line.clone());
        check_form(&line);
        if line.starts_with("info ") || line.starts_with("bestmove") {
            self.running.push(line.clone());
        }
        if line.starts_with("bestmove") {
            self.ended = std::mem::take(&mut self.running);
        }
        Some((when, line))
    }

    /// All lines up to the first that begins like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some((_, line)) = self.next_line(left) else {
                let tail = self.history.len().saturating_sub(60);
                panic!("no {start:?} came:\n{}", self.history[tail..].join("\n"));
            };
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends `isready` and waits for the answer; returns what came before it and how long it took.
    pub fn ready(&mut self) -> (Vec<String>, Duration) {
        self.send("isready");
        let sent = self.sent;
        let mut lines = self.until("readyok");
        assert_eq!(lines.pop().as_deref(), Some("readyok"), "alone on its line");
        (lines, sent.elapsed())
    }

    /// Whatever comes in this time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.next_line(left) {
                Some((_, line)) => lines.push(line),
                None => break,
            }
        }
        lines
    }

    /// Sends this `go` and takes the whole answer, checked against the rules of output.
    pub fn go(&mut self, go: &str) -> Answer {
        self.send(go);
        self.answer()
    }

    /// Takes lines up to `bestmove`, which belong to the position sent last.
    pub fn answer(&mut self) -> Answer {
        let board = self.board.clone();
        self.answer_for(&board)
    }

    pub fn answer_for(&mut self, board: &Board) -> Answer {
        let sent = self.sent;
        self.until("bestmove");
        let time = sent.elapsed();
        let lines = std::mem::take(&mut self.ended);
        let infos: Vec<Info> = lines.iter().filter_map(|line| read_info(line)).collect();
        let words: Vec<&str> = lines.last().expect("bestmove").split(' ').collect();
        let answer = Answer {
            infos,
            best: words[1].to_owned(),
            ponder: words.get(3).map(|&word| word.to_owned()),
            lines: lines.clone(),
            time,
        };
        self.check_answer(&answer, board);
        answer
    }

    fn check_answer(&self, answer: &Answer, board: &Board) {
        let context = || format!("in {}:\n{}", board.fen(), self.history.join("\n"));
        if answer.best == "(none)" {
            assert!(answer.ponder.is_none(), "nothing to ponder on {}", context());
            return;
        }
        assert!(board.has_legal_move(), "a move without a legal one {}", context());
        let best = legal(board.position(), &answer.best, self.chess960)
            .unwrap_or_else(|| panic!("illegal {} {}", answer.best, context()));
        let main: Vec<&Info> = answer.infos.iter().filter(|info| info.multipv == 1).collect();
        let Some(&last) = main.iter().rfind(|info| info.exact).or(main.last()) else {
            panic!("no line with a score before bestmove {}", context());
        };
        assert_eq!(last.pv.first(), Some(&answer.best), "head of the last line {}", context());
        if let Some(ponder) = &answer.ponder {
            let next = board.after(best);
            assert!(legal(&next, ponder, self.chess960).is_some(), "illegal ponder {}", context());
            if let Some(second) = last.pv.get(1) {
                assert_eq!(second, ponder, "the move to ponder on {}", context());
            }
        }
        for info in &answer.infos {
            check_pv(board, info, self.chess960, &context);
        }
    }

    pub fn stop(&mut self) -> Answer {
        self.send("stop");
        self.answer()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return Some(status);
            }
            if Instant::now() >= end {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends `quit` and checks that the engine ends well.
    pub fn quit(mut self) {
        self.send("quit");
        let status = self.wait(Duration::from_secs(10)).expect("quit ends the engine");
        assert_eq!(status.code(), Some(0));
        assert_eq!(self.errors(), "", "nothing on stderr");
    }

    /// What the engine wrote to stderr; it must have ended.
    pub fn errors(&mut self) -> String {
        let mut text = String::new();
        let mut stderr = self.child.stderr.take().expect("a pipe");
        std::io::Read::read_to_string(&mut stderr, &mut text).expect("text");
        text
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The position that `position` with this text means.
pub fn board_of(text: &str) -> Board {
    let (root, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let mut board = match root.strip_prefix("fen ") {
        Some(fen) => Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")),
        None => Board::startpos(),
    };
    for text in moves.split_whitespace() {
        let mv = parse_uci(board.position(), text).unwrap_or_else(|e| panic!("{text}: {e}"));
        board.play(mv);
    }
    board
}

/// The legal move whose exact text this is.
pub fn legal(position: &Position, text: &str, chess960: bool) -> Option<Move> {
    position.legal_moves().into_iter().find(|&mv| to_uci(mv, chess960) == text)
}

/// Every move legal, and none after the game could be over.
fn check_pv(board: &Board, info: &Info, chess960: bool, context: &dyn Fn() -> String) {
    let mut board = board.clone();
    for (index, text) in info.pv.iter().enumerate() {
        let over = index > 0 && (board.repetitions() >= 2 || board.halfmove_clock() >= 100);
        assert!(!over, "{:?} goes on after a draw {}", info.pv, context());
        let mv = legal(board.position(), text, chess960)
            .unwrap_or_else(|| panic!("{text} in {:?} is illegal {}", info.pv, context()));
        board.play(mv);
    }
}

/// Whether a mate score has a line of exactly its length that ends in mate.
pub fn proves_mate(board: &Board, info: &Info, chess960: bool) -> bool {
    let Score::Mate(moves) = info.score else { return false };
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let mut board = board.clone();
    for text in &info.pv {
        match legal(board.position(), text, chess960) {
            Some(mv) => board.play(mv),
            None => return false,
        }
    }
    info.pv.len() as i64 == plies && board.is_checkmate()
}

/// The form that every line of a session has, whatever was sent.
pub fn check_form(line: &str) {
    assert!(!line.starts_with([' ', '\t']), "a blank in column 0: {line:?}");
    assert!(!line.contains(['\r', '\0', '\u{1b}']), "control characters: {line:?}");
    assert!(!line.contains("internal error"), "{line}");
    if let Some(text) = line.strip_prefix("info string ") {
        for word in text.split(' ') {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            assert!(!["score", "pv", "bestmove"].contains(&&*bare), "a telling word: {line:?}");
        }
    } else if line.starts_with("info ") {
        assert!(!line.contains("  ") && line.trim() == line, "single blanks: {line:?}");
        assert!(read_info(line).is_some() || line.contains(" currmove "), "what is this: {line:?}");
    } else if let Some(moves) = line.strip_prefix("bestmove ") {
        let words: Vec<&str> = moves.split(' ').collect();
        let good = match words[..] {
            ["(none)"] => true,
            [best] => is_move(best),
            [best, "ponder", ponder] => is_move(best) && is_move(ponder),
            _ => false,
        };
        assert!(good, "{line:?}");
    }
}

fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square =
        |at: usize| (b'a'..=b'h').contains(&bytes[at]) && (b'1'..=b'8').contains(&bytes[at + 1]);
    (bytes.len() == 4 || (bytes.len() == 5 && b"qrbn".contains(&bytes[4])))
        && square(0)
        && square(2)
}

/// Reads a line with a score, strictly: known fields, whole numbers, the line of moves last.
pub fn read_info(line: &str) -> Option<Info> {
    let text = line.strip_prefix("info ")?;
    if text.starts_with("string ") || !text.contains(" score ") {
        return None;
    }
    let (head, pv) = text.split_once(" pv ").unwrap_or((text, ""));
    let mut words = head.split(' ').peekable();
    let mut seen = HashSet::new();
    let mut info = Info {
        depth: -1,
        seldepth: None,
        multipv: 1,
        score: Score::Cp(0),
        exact: true,
        wdl: None,
        nodes: -1,
        hashfull: -1,
        tbhits: -1,
        pv: pv.split_whitespace().map(str::to_owned).collect(),
    };
    assert!(info.pv.iter().all(|text| is_move(text)), "{line:?}");
    while let Some(field) = words.next() {
        assert!(seen.insert(field), "{field} twice: {line:?}");
        let mut number = || -> i64 {
            let word = words.next().unwrap_or_else(|| panic!("{field} has no number: {line:?}"));
            word.parse().unwrap_or_else(|_| panic!("{field} {word} is no number: {line:?}"))
        };
        match field {
            "depth" => info.depth = number(),
            "seldepth" => info.seldepth = Some(number()),
            "multipv" => info.multipv = number(),
            "nodes" => info.nodes = number(),
            "nps" | "time" => assert!(number() >= 0, "{line:?}"),
            "hashfull" => info.hashfull = number(),
            "tbhits" => info.tbhits = number(),
            "wdl" => info.wdl = Some([number(), number(), number()]),
            "score" => {
                info.score = match words.next() {
                    Some("cp") => Score::Cp(words.next().and_then(|w| w.parse().ok()).expect(line)),
                    Some("mate") => {
                        Score::Mate(words.next().and_then(|w| w.parse().ok()).expect(line))
                    }
                    other => panic!("score {other:?}: {line:?}"),
                };
                let bound = words.next_if(|&word| word == "lowerbound" || word == "upperbound");
                info.exact = bound.is_none();
            }
            other => panic!("field {other}: {line:?}"),
        }
    }
    assert!(info.depth >= 0 && info.nodes >= 0, "{line:?}");
    assert!((0..=1000).contains(&info.hashfull) && info.tbhits >= 0, "{line:?}");
    assert!(info.seldepth.is_none_or(|depth| depth <= 256), "{line:?}");
    if let Score::Cp(value) = info.score {
        assert!(value.abs() < 30_000, "{line:?}");
    }
    if let Some([win, draw, loss]) = info.wdl {
        assert!(win.min(draw).min(loss) >= 0 && win + draw + loss == 1000, "{line:?}");
    }
    Some(info)
}
