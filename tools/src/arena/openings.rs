//! Start positions of games, from EPD, FEN or PGN files.

use std::path::{Path, PathBuf};

use ferz::board::Position;
use ferz::notation::{pgn, to_uci};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::config::{OpeningOrder, Openings};

/// A start position with the moves that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The start position.
    pub start: Position,
    /// UCI moves to play from there.
    pub moves: Vec<String>,
    /// The position after them.
    pub position: Position,
}

/// Why openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("openings {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A line or game cannot be used.
    #[error("openings {path}, line {line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// There is nothing in the file.
    #[error("openings {0}: no opening in it")]
    Empty(PathBuf),
}

/// Reads the openings in the order in which they are to be played.
///
/// # Errors
/// If the file cannot be read, or an opening is no position to play from: broken, over already, or
/// Chess960 without `chess960`.
pub fn load(config: &Openings, seed: u64, chess960: bool) -> Result<Vec<Opening>, OpeningError> {
    let Some(path) = &config.file else {
        let start = Position::startpos();
        return Ok(vec![Opening { start, moves: Vec::new(), position: start }]);
    };
    let bytes =
        std::fs::read(path).map_err(|source| OpeningError::File { path: path.clone(), source })?;
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let mut openings = match is_pgn {
        true => read_pgn(path, &bytes, config.plies, chess960)?,
        false => read_epd(path, &bytes, chess960)?,
    };
    if openings.is_empty() {
        return Err(OpeningError::Empty(path.clone()));
    }
    if config.order == OpeningOrder::Random {
        openings.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }
    let start = config.start % openings.len();
    openings.rotate_left(start);
    Ok(openings)
}

fn playable(position: &Position, chess960: bool) -> Result<(), String> {
    if !position.has_legal_move() {
        return Err("the game is over in it".to_owned());
    }
    match position.needs_chess960() && !chess960 {
        true => Err("castling as in Chess960, but the run is not set to it".to_owned()),
        false => Ok(()),
    }
}

fn read_epd(path: &Path, bytes: &[u8], chess960: bool) -> Result<Vec<Opening>, OpeningError> {
    let text = String::from_utf8_lossy(bytes);
    let mut openings = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let start = Position::from_fen(&fen_of(line))
            .map_err(|error| error.to_string())
            .and_then(|start| playable(&start, chess960).map(|()| start))
            .map_err(|reason| OpeningError::Line { path: path.into(), line: number + 1, reason })?;
        openings.push(Opening { start, moves: Vec::new(), position: start });
    }
    Ok(openings)
}

/// The FEN part of a line: four fields, counters when they are numbers, EPD operations left out.
fn fen_of(line: &str) -> String {
    let plain = line.split(';').next().unwrap_or_default();
    let words: Vec<&str> = plain.split_ascii_whitespace().collect();
    let counters =
        words.iter().skip(4).take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
    let mut fen = words[..words.len().min(4 + counters)].join(" ");
    if counters == 0 {
        let operation = |name: &str| {
            line.split(';').find_map(|part| {
                let words: Vec<&str> = part.split_ascii_whitespace().collect();
                let place = words.iter().position(|&word| word == name)?;
                words.get(place + 1)?.parse::<u32>().ok()
            })
        };
        let half = operation("hmvc").unwrap_or(0);
        let full = operation("fmvn").unwrap_or(1);
        fen.push_str(&format!(" {half} {full}"));
    }
    fen
}

fn read_pgn(
    path: &Path,
    bytes: &[u8],
    plies: Option<usize>,
    chess960: bool,
) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for game in pgn::read(bytes) {
        let bad =
            |reason: String| OpeningError::Line { path: path.into(), line: game.line, reason };
        let Some(start) = game.start else {
            return Err(bad("its start position cannot be read".to_owned()));
        };
        let mut position = start;
        let mut moves = Vec::new();
        for ply in game.plies.iter().take(plies.unwrap_or(usize::MAX)) {
            let Some(mv) = ply.mv else {
                return Err(bad(format!("move {} cannot be played", moves.len() + 1)));
            };
            moves.push(to_uci(mv, chess960));
            position.play(mv);
        }
        if let Some(fault) = game.faults.first() {
            return Err(bad(format!("line {}: {:?}", fault.line, fault.kind)));
        }
        playable(&position, chess960).map_err(bad)?;
        openings.push(Opening { start, moves, position });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (tempfile::TempDir, Openings) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let config = Openings { file: Some(path), ..Openings::default() };
        (folder, config)
    }

    const LINES: &str = "# a comment\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 \"x; y\"; fmvn 7; hmvc 3;\n\
        \n\
        8/8/8/4k3/8/8/4P3/4K3 w - - 12 60\n";

    #[test]
    fn lines_are_read_in_both_orders() {
        let (_folder, mut config) = file("a.epd", LINES);
        config.order = OpeningOrder::Sequential;
        let plain = load(&config, 1, false).unwrap();
        assert_eq!(plain.len(), 3);
        assert_eq!(plain[1].position.fullmove_number(), 7);
        assert_eq!(plain[1].position.halfmove_clock(), 3);
        assert_eq!(plain[2].position.halfmove_clock(), 12);
        config.start = 4;
        assert_eq!(load(&config, 1, false).unwrap()[0], plain[1]);
        config.start = 0;
        config.order = OpeningOrder::Random;
        let shuffled = load(&config, 5, false).unwrap();
        assert_eq!(shuffled, load(&config, 5, false).unwrap());
        assert!((0..20).any(|seed| load(&config, seed, false).unwrap() != shuffled));
    }

    #[test]
    fn games_are_read_up_to_a_ply() {
        let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"y\"]\n\n1. d4 *\n";
        let (_folder, mut config) = file("a.pgn", text);
        config.order = OpeningOrder::Sequential;
        config.plies = Some(2);
        let openings = load(&config, 1, false).unwrap();
        assert_eq!(openings[0].moves, ["e2e4", "e7e5"]);
        assert_eq!(openings[1].moves, ["d2d4"]);
    }

    #[test]
    fn useless_openings_are_named_by_line() {
        let cases = [
            ("\nnonsense w - - 0 1\n", "line 2"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "over"),
            ("nrkbbnrq/pppppppp/8/8/8/8/PPPPPPPP/NRKBBNRQ w KQkq - 0 1\n", "Chess960"),
            ("# nothing\n", "no opening"),
        ];
        for (text, word) in cases {
            let (_folder, config) = file("a.epd", text);
            let message = load(&config, 1, false).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
        let (_folder, config) = file("a.epd", cases[2].0);
        assert!(load(&config, 1, true).is_ok());
    }
}
