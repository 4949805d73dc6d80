//! From the bytes of one line to a [`Command`].
//!
//! Reading is tolerant as the protocol asks: unknown words before a known one are skipped, any run
//! of blanks separates, broken UTF-8 never panics. What is malformed is named, never guessed at.

use thiserror::Error;

use super::wording::quoted;

/// What one line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: name, options, `uciok`.
    Uci,
    /// `isready`.
    IsReady,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `setoption`: the name with single blanks, the value as it was sent.
    SetOption {
        /// The option's name, in the sender's case.
        name: String,
        /// The text after `value`; `None` when that word is missing.
        value: Option<String>,
    },
    /// `ucinewgame`.
    NewGame,
    /// `position`.
    Position(PositionCommand),
    /// `go`, except `go perft`.
    Go(GoCommand),
    /// `go perft N`, in plies.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `bench`, with a depth if one was given.
    Bench(Option<i32>),
    /// Known words that need no answer: `register`, and what other protocols begin with.
    Ignored,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// The ordinary initial position.
    Start,
    /// A FEN, its fields separated by single blanks.
    Fen(String),
}

/// The text of a `position` command, not yet checked against the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// Where it begins.
    pub root: Root,
    /// The moves made from there.
    pub moves: Vec<String>,
}

/// The parameters of `go`: what was not given, or not as a number, is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoCommand {
    /// The moves after `searchmoves`; `None` when that word is missing.
    pub search_moves: Option<Vec<String>>,
    /// Whether `ponder` was given.
    pub ponder: bool,
    /// Whether `infinite` was given.
    pub infinite: bool,
    /// White's clock, in ms.
    pub white_time: Option<i64>,
    /// Black's clock, in ms.
    pub black_time: Option<i64>,
    /// White's increment, in ms.
    pub white_increment: Option<i64>,
    /// Black's increment, in ms.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Depth limit, in plies.
    pub depth: Option<i64>,
    /// Node limit.
    pub nodes: Option<i64>,
    /// Mate to look for, in full moves.
    pub mate: Option<i64>,
    /// Time for this move, in ms.
    pub move_time: Option<i64>,
    /// What could not be used, one phrase each.
    pub faults: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("unknown command {0}")]
    Unknown(String),
    /// `setoption` without the word `name` and a name.
    #[error("setoption: no name given")]
    OptionName,
    /// `debug` without `on` or `off`.
    #[error("debug: neither on nor off")]
    Debug,
    /// `position` without `startpos` or `fen`.
    #[error("position: neither startpos nor fen")]
    PositionRoot,
    /// `go perft` without a usable depth.
    #[error("go perft: no depth given")]
    PerftDepth,
    /// `bench` with something that is no depth.
    #[error("bench: {0} is no depth")]
    BenchDepth(String),
}

/// Reads one line; `None` for an empty one.
pub fn parse(line: &[u8]) -> Result<Option<Command>, CommandError> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}');
    let Some(first) = text.split_ascii_whitespace().next() else { return Ok(None) };
    let mut own_word = true;
    for word in text.split_ascii_whitespace() {
        let rest = text.get(end_of(text, word)..).unwrap_or_default();
        // The engine's own words are too short to be looked for behind others.
        let found = if own_word { own_command(word, rest) } else { None };
        if let Some(result) = found.or_else(|| protocol_command(word, rest)) {
            return result.map(Some);
        }
        own_word = false;
    }
    Err(CommandError::Unknown(quoted(first)))
}

/// The commands of the protocol itself.
fn protocol_command(word: &str, rest: &str) -> Option<Result<Command, CommandError>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "uci" => Ok(Command::Uci),
        "isready" => Ok(Command::IsReady),
        "ucinewgame" => Ok(Command::NewGame),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" => Ok(Command::Quit),
        "register" => Ok(Command::Ignored),
        "debug" => debug(rest),
        "setoption" => set_option(rest),
        "position" => position(rest),
        "go" => go(rest),
        _ => return None,
    })
}

/// The commands beyond the protocol, and the first words of another one.
fn own_command(word: &str, rest: &str) -> Option<Result<Command, CommandError>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "bench" => bench(rest),
        // Arena tries the other protocol first.
        "xboard" | "protover" => Ok(Command::Ignored),
        _ => return None,
    })
}

fn debug(rest: &str) -> Result<Command, CommandError> {
    rest.split_ascii_whitespace()
        .find_map(|word| match word.to_ascii_lowercase().as_str() {
            "on" => Some(Command::Debug(true)),
            "off" => Some(Command::Debug(false)),
            _ => None,
        })
        .ok_or(CommandError::Debug)
}

fn set_option(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_ascii_whitespace();
    if !words.any(|word| word.eq_ignore_ascii_case("name")) {
        return Err(CommandError::OptionName);
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    for word in words {
        if word.eq_ignore_ascii_case("value") {
            value = Some(rest.get(end_of(rest, word)..).unwrap_or_default().trim().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::OptionName);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_ascii_whitespace();
    let root = words
        .by_ref()
        .find_map(|word| match word.to_ascii_lowercase().as_str() {
            "startpos" => Some(Root::Start),
            "fen" => Some(Root::Fen(String::new())),
            _ => None,
        })
        .ok_or(CommandError::PositionRoot)?;
    let before_moves: Vec<&str> =
        words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("moves")).collect();
    let root = match root {
        Root::Start => Root::Start,
        Root::Fen(_) => Root::Fen(before_moves.join(" ")),
    };
    Ok(Command::Position(PositionCommand { root, moves: words.map(str::to_owned).collect() }))
}

fn bench(rest: &str) -> Result<Command, CommandError> {
    let Some(word) = rest.split_ascii_whitespace().next() else {
        return Ok(Command::Bench(None));
    };
    match word.parse::<i32>() {
        Ok(depth) if depth > 0 => Ok(Command::Bench(Some(depth))),
        _ => Err(CommandError::BenchDepth(quoted(word))),
    }
}

/// Whether a word of `go` begins a parameter.
fn is_go_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 13] = [
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "perft",
    ];
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

fn go(rest: &str) -> Result<Command, CommandError> {
    let mut command = GoCommand::default();
    let mut perft = None;
    let mut words = rest.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let keyword = word.to_ascii_lowercase();
        let target = match keyword.as_str() {
            "ponder" => {
                command.ponder = true;
                continue;
            }
            "infinite" => {
                command.infinite = true;
                continue;
            }
            "searchmoves" => {
                let moves = command.search_moves.get_or_insert_default();
                while let Some(text) = words.next_if(|word| !is_go_keyword(word)) {
                    moves.push(text.to_owned());
                }
                continue;
            }
            "wtime" => &mut command.white_time,
            "btime" => &mut command.black_time,
            "winc" => &mut command.white_increment,
            "binc" => &mut command.black_increment,
            "movestogo" => &mut command.moves_to_go,
            "depth" => &mut command.depth,
            "nodes" => &mut command.nodes,
            "mate" => &mut command.mate,
            "movetime" => &mut command.move_time,
            "perft" => &mut perft,
            _ => {
                command.faults.push(format!("{} is not known", quoted(word)));
                continue;
            }
        };
        match words.next_if(|word| !is_go_keyword(word)) {
            None => command.faults.push(format!("{keyword} has no number")),
            Some(text) => match number(text) {
                Some(value) => *target = Some(value),
                None => command.faults.push(format!("{keyword} {} is no number", quoted(text))),
            },
        }
    }
    match perft {
        Some(depth) => Ok(Command::Perft(depth.clamp(0, i64::from(u32::MAX)) as u32)),
        None if command.faults.iter().any(|fault| fault.starts_with("perft")) => {
            Err(CommandError::PerftDepth)
        }
        None => Ok(Command::Go(command)),
    }
}

/// A whole number with an optional sign; what does not fit is the nearest value that does.
pub fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.bytes().fold(0i64, |value, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
    });
    Some(if negative { -magnitude } else { magnitude })
}

/// Where a word ends in the text it was split from, in bytes.
fn end_of(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize + word.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line.as_bytes()).unwrap().unwrap()
    }

    fn read_go(line: &str) -> GoCommand {
        match read(line) {
            Command::Go(command) => command,
            other => panic!("{line:?} gives {other:?}"),
        }
    }

    #[test]
    fn blanks_and_line_ends_do_not_matter() {
        assert_eq!(parse(b"").unwrap(), None);
        assert_eq!(parse(b" \t \r\n").unwrap(), None);
        assert_eq!(read("\t uci \r\n"), Command::Uci);
        assert_eq!(read("\u{feff}uci"), Command::Uci);
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(read("joho isready"), Command::IsReady);
        assert_eq!(
            parse(b"\xff\xfe\x80"),
            Err(CommandError::Unknown("'\u{fffd}\u{fffd}\u{fffd}'".into()))
        );
        assert!(parse(b"joho d").is_err(), "the engine's own words stand first or not at all");
    }

    #[test]
    fn options_keep_blanks_and_the_word_value() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(str::to_owned),
        };
        assert_eq!(
            read("setoption   name   move overhead   value 77"),
            set("move overhead", Some("77"))
        );
        assert_eq!(
            read("setoption name SyzygyPath value /data/my  value dir \r"),
            set("SyzygyPath", Some("/data/my  value dir"))
        );
        assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(read("setoption name SyzygyPath value"), set("SyzygyPath", Some("")));
        assert_eq!(parse(b"setoption Hash value 5"), Err(CommandError::OptionName));
        assert_eq!(parse(b"setoption name"), Err(CommandError::OptionName));
        assert_eq!(parse(b"setoption name value 3"), Err(CommandError::OptionName));
    }

    #[test]
    fn positions_are_cut_at_moves() {
        let Command::Position(command) = read("position \t fen  a b   - -  moves e2e4  e7e5")
        else {
            panic!("no position")
        };
        assert_eq!(command.root, Root::Fen("a b - -".into()));
        assert_eq!(command.moves, ["e2e4", "e7e5"]);
        let Command::Position(command) = read("position startpos moves") else {
            panic!("no position")
        };
        assert_eq!(command, PositionCommand { root: Root::Start, moves: Vec::new() });
        assert_eq!(parse(b"position"), Err(CommandError::PositionRoot));
    }

    #[test]
    fn go_takes_its_parameters_in_any_order() {
        let command = read_go("go searchmoves e2e4 d2d4 ponder nodes 18446744073709551615 winc -1");
        assert_eq!(command.search_moves, Some(vec!["e2e4".into(), "d2d4".into()]));
        assert!(command.ponder && !command.infinite);
        assert_eq!((command.nodes, command.white_increment), (Some(i64::MAX), Some(-1)));
        assert!(command.faults.is_empty());
    }

    #[test]
    fn unknown_words_of_go_swallow_no_parameter() {
        let command = read_go("go banana 7 depth 2");
        assert_eq!((command.depth, command.faults.len()), (Some(2), 2));
        let command = read_go("go depth movetime 100 wtime x1 btime 5");
        assert_eq!((command.depth, command.move_time), (None, Some(100)));
        assert_eq!((command.white_time, command.black_time), (None, Some(5)));
        assert_eq!(command.faults.len(), 2);
    }

    #[test]
    fn perft_and_bench_have_their_depth() {
        assert_eq!(read("go perft 3"), Command::Perft(3));
        assert_eq!(read("go perft -3"), Command::Perft(0));
        assert_eq!(parse(b"go perft x"), Err(CommandError::PerftDepth));
        assert_eq!(read("bench"), Command::Bench(None));
        assert_eq!(read("bench 4"), Command::Bench(Some(4)));
        assert!(parse(b"bench x").is_err());
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(-i64::MAX));
        assert_eq!(number("+5"), Some(5));
        for bad in ["", "-", "1.5", "1e3", "0x10", "٣"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }
}
