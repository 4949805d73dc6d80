//! A UCI engine that misbehaves on purpose: the other side of the match runner's tests.
//!
//! Its arguments are a script: `WHAT@N` does `WHAT` at its `N`-th search since its start (from 1),
//! `WHAT` alone at every search. Otherwise it plays the first legal move in the order of the texts
//! at once. See [`Trick`] for what it can do.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use ferz::board::{Board, Position};
use ferz::notation::{parse_uci, to_uci};

/// What the engine can do wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trick {
    /// Never answers `uci`.
    Mute,
    /// Does not offer `UCI_Chess960`.
    Plain,
    /// Ends with code 3 and a word on its error output.
    Crash,
    /// Closes its output and lives on.
    Close,
    /// Never answers.
    Hang,
    /// Answers after three seconds.
    Slow,
    /// Answers after a fifth of a second.
    Pause,
    /// Plays a move that the position does not allow.
    Illegal,
    /// Answers `(none)`.
    Nonsense,
    /// Announces a mate in one with every move.
    LieMate,
    /// Says with every move that it is winning.
    Boast,
    /// Says with every move that it has lost.
    Despair,
    /// Writes without end and never answers.
    Flood,
    /// Writes a line without end.
    Endless,
    /// Shows a line that cannot be played.
    BadLine,
    /// Answers twice.
    Twice,
    /// Proposes an illegal move for pondering.
    BadPonder,
    /// Answers a `go ponder` before it is asked to.
    Hasty,
    /// Ignores `quit`.
    Stay,
    /// Writes to its error output.
    Mutter,
}

const TRICKS: [(&str, Trick); 20] = [
    ("mute", Trick::Mute),
    ("plain", Trick::Plain),
    ("crash", Trick::Crash),
    ("close", Trick::Close),
    ("hang", Trick::Hang),
    ("slow", Trick::Slow),
    ("pause", Trick::Pause),
    ("illegal", Trick::Illegal),
    ("nonsense", Trick::Nonsense),
    ("lie-mate", Trick::LieMate),
    ("boast", Trick::Boast),
    ("despair", Trick::Despair),
    ("flood", Trick::Flood),
    ("endless", Trick::Endless),
    ("bad-line", Trick::BadLine),
    ("twice", Trick::Twice),
    ("bad-ponder", Trick::BadPonder),
    ("hasty", Trick::Hasty),
    ("stay", Trick::Stay),
    ("mutter", Trick::Mutter),
];

/// The script: what to do, and at which search.
struct Script(Vec<(Trick, Option<u32>)>);

impl Script {
    fn from_arguments() -> Script {
        let mut script = Vec::new();
        for argument in std::env::args().skip(1) {
            let (name, at) = match argument.split_once('@') {
                Some((name, at)) => (name.to_owned(), at.parse().ok()),
                None => (argument, None),
            };
            match TRICKS.iter().find(|(known, _)| *known == name) {
                Some(&(_, trick)) => script.push((trick, at)),
                None => {
                    eprintln!("fake_engine: no trick {name:?}");
                    exit(2);
                }
            }
        }
        Script(script)
    }

    /// Whether this is to be done at all.
    fn has(&self, trick: Trick) -> bool {
        self.0.iter().any(|&(other, _)| other == trick)
    }

    /// Whether this is to be done at this search.
    fn at(&self, trick: Trick, search: u32) -> bool {
        self.0.iter().any(|&(other, at)| other == trick && at.is_none_or(|at| at == search))
    }
}

fn main() {
    let script = Script::from_arguments();
    let mut output = io::stdout();
    let mut board = Board::startpos();
    let (mut search, mut held, mut chess960) = (0, None, false);
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.first().copied() {
            Some("uci") if !script.has(Trick::Mute) => {
                say(&mut output, "id name Fake");
                say(&mut output, "option name Hash type spin default 1 min 1 max 1024");
                if !script.has(Trick::Plain) {
                    say(&mut output, "option name UCI_Chess960 type check default false");
                    say(&mut output, "option name Ponder type check default false");
                }
                say(&mut output, "uciok");
            }
            Some("setoption") if words.contains(&"UCI_Chess960") => {
                chess960 = words.last() == Some(&"true");
            }
            Some("isready") => say(&mut output, "readyok"),
            Some("position") => {
                if let Some(read) = read_position(&words) {
                    board = read;
                }
            }
            Some("go") => {
                search += 1;
                let pondering = words.contains(&"ponder");
                let answer = answer(&script, search, &board, chess960, &mut output);
                match pondering && !script.at(Trick::Hasty, search) {
                    true => held = Some(answer),
                    false => say(&mut output, &answer),
                }
            }
            Some("stop" | "ponderhit") => {
                if let Some(answer) = held.take() {
                    say(&mut output, &answer);
                }
            }
            Some("quit") if !script.has(Trick::Stay) => return,
            _ => {}
        }
    }
    if script.has(Trick::Stay) {
        sleep(Duration::from_secs(60));
    }
}

fn say(output: &mut io::Stdout, line: &str) {
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        exit(1);
    }
}

fn read_position(words: &[&str]) -> Option<Board> {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut board = match words.get(1) {
        Some(&"startpos") => Board::startpos(),
        Some(&"fen") => Board::from_fen(&words[2..moves].join(" ")).ok()?,
        _ => return None,
    };
    for text in words.iter().skip(moves + 1) {
        let mv = parse_uci(board.position(), text).ok()?;
        board.play(mv);
    }
    Some(board)
}

/// The first legal move in the order of the texts.
fn first_move(position: &Position, chess960: bool) -> Option<String> {
    position.legal_moves().iter().map(|&mv| to_uci(mv, chess960)).min()
}

/// Does what the script asks for at this search, and gives the last line of the answer.
fn answer(
    script: &Script,
    search: u32,
    board: &Board,
    chess960: bool,
    output: &mut io::Stdout,
) -> String {
    let does = |trick| script.at(trick, search);
    let position = board.position();
    let best = first_move(position, chess960).unwrap_or_else(|| "(none)".to_owned());
    if does(Trick::Mutter) {
        eprintln!("search {search}");
    }
    if does(Trick::Crash) {
        eprintln!("out of luck");
        exit(3);
    }
    if does(Trick::Close) {
        close_output();
    }
    if does(Trick::Hang) {
        sleep(Duration::from_secs(600));
    }
    if does(Trick::Slow) {
        sleep(Duration::from_secs(3));
    }
    if does(Trick::Pause) {
        sleep(Duration::from_millis(200));
    }
    while does(Trick::Flood) {
        say(output, "info depth 1 string the water rises");
    }
    while does(Trick::Endless) {
        if output.write_all(&[b'x'; 4096]).is_err() {
            exit(1);
        }
    }
    let score = match () {
        () if does(Trick::LieMate) => "mate 1",
        () if does(Trick::Boast) => "cp 5000",
        () if does(Trick::Despair) => "cp -5000",
        () => "cp 0",
    };
    let line = if does(Trick::BadLine) { format!("{best} a1a1") } else { best.clone() };
    say(output, &format!("info depth 1 score {score} nodes 1 time 1 pv {line}"));
    if does(Trick::Illegal) {
        return "bestmove a1a1".to_owned();
    }
    if does(Trick::Nonsense) {
        return "bestmove (none)".to_owned();
    }
    if does(Trick::Twice) {
        return format!("bestmove {best}\nbestmove {best}");
    }
    if does(Trick::BadPonder) {
        return format!("bestmove {best} ponder a1a1");
    }
    let reply =
        parse_uci(position, &best).ok().and_then(|mv| first_move(&position.after(mv), chess960));
    match reply {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// Closes the standard output while the process lives on.
fn close_output() -> ! {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Another program in this process's place, without its output.
        let error = std::process::Command::new("sleep")
            .arg("60")
            .stdout(std::process::Stdio::null())
            .exec();
        eprintln!("fake_engine: {error}");
    }
    exit(0);
}
