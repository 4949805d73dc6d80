//! Who plays: a level of this engine in the same process, or a UCI engine at some strength.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use ferz::board::Board;
use ferz::notation::{parse_uci, to_uci};
use ferz::search::{Control, Level, Limits, Options, Searcher, TableError, Weakness};
use ferz::types::{Move, Score};
use thiserror::Error;

/// Megabytes of every player's transposition table: enough for the nodes of a weak level.
const TABLE_MEGABYTES: usize = 4;

/// Why a player cannot play on.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No memory for a transposition table.
    #[error("no transposition table: {0}")]
    Table(#[from] TableError),
    /// The engine cannot be started or its pipes broke.
    #[error("engine {engine}: {source}")]
    Pipe {
        /// The program.
        engine: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The engine closed its output.
    #[error("engine {0} ended")]
    Ended(String),
    /// The engine's move cannot be played.
    #[error("engine {engine} answered {answer:?} in {fen}")]
    BadMove {
        /// The program.
        engine: String,
        /// What it wrote after `bestmove`.
        answer: String,
        /// The position.
        fen: String,
    },
    /// There is no move to play.
    #[error("no move found in {0}")]
    NoMove(String),
}

/// A move and what its player thinks of it, in centipawns, if known.
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The score from the player's own view.
    pub score: Option<Score>,
}

/// Somebody who plays games.
pub trait Player {
    /// Forgets the game before; equal seeds err alike.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError>;
    /// The move to play; the position must have one.
    fn choose(&mut self, board: &Board) -> Result<Choice, PlayerError>;
}

/// This engine at a level, or at full strength within a number of nodes.
pub struct Own {
    searcher: Searcher,
    level: Option<Level>,
    limits: Limits,
    options: Options,
    control: Arc<Control>,
}

impl Own {
    /// A weak player.
    ///
    /// # Errors
    /// Without memory for the table.
    pub fn weak(level: Level) -> Result<Own, PlayerError> {
        Own::new(Some(level), Limits::default())
    }

    /// A player that looks at so many nodes and misjudges nothing.
    ///
    /// # Errors
    /// Without memory for the table.
    pub fn strong(nodes: u64) -> Result<Own, PlayerError> {
        Own::new(None, Limits { nodes: Some(nodes), ..Limits::default() })
    }

    fn new(level: Option<Level>, limits: Limits) -> Result<Own, PlayerError> {
        let searcher = Searcher::new(TABLE_MEGABYTES)?;
        let options = Options::default();
        Ok(Own { searcher, level, limits, options, control: Control::new() })
    }
}

impl Player for Own {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.searcher.clear();
        self.options.weakness = self.level.map(|level| Weakness { level, seed });
        Ok(())
    }

    fn choose(&mut self, board: &Board) -> Result<Choice, PlayerError> {
        let (limits, options) = (&self.limits, &self.options);
        let outcome = self.searcher.search(board, limits, options, &self.control, &|_| {});
        let mv = outcome.best.ok_or_else(|| PlayerError::NoMove(board.fen()))?;
        Ok(Choice { mv, score: Some(outcome.info.line.score) })
    }
}

/// A UCI engine that limits its own strength.
pub struct Foreign {
    name: String,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    go: String,
}

impl Foreign {
    /// Starts an engine at a value of `UCI_Elo`; `go` is what asks it for a move.
    ///
    /// # Errors
    /// If it cannot be run or does not answer.
    pub fn start(program: &Path, elo: u32, go: &str) -> Result<Foreign, PlayerError> {
        let name = program.display().to_string();
        let pipe = |source| PlayerError::Pipe { engine: name.clone(), source };
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(pipe)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(PlayerError::Ended(name));
        };
        let output = BufReader::new(output);
        let mut engine = Foreign { name, process, input, output, go: go.to_owned() };
        engine.send("uci")?;
        engine.await_word("uciok")?;
        engine.send(&format!("setoption name Hash value {TABLE_MEGABYTES}"))?;
        engine.send("setoption name UCI_LimitStrength value true")?;
        engine.send(&format!("setoption name UCI_Elo value {elo}"))?;
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|source| PlayerError::Pipe { engine: self.name.clone(), source })
    }

    /// The rest of the next line that begins with this word.
    fn await_word(&mut self, word: &str) -> Result<String, PlayerError> {
        loop {
            let mut line = String::new();
            let read = self
                .output
                .read_line(&mut line)
                .map_err(|source| PlayerError::Pipe { engine: self.name.clone(), source })?;
            if read == 0 {
                return Err(PlayerError::Ended(self.name.clone()));
            }
            if let Some(rest) = line.trim().strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
    }
}

impl Player for Foreign {
    fn new_game(&mut self, _seed: u64) -> Result<(), PlayerError> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.await_word("readyok").map(|_| ())
    }

    fn choose(&mut self, board: &Board) -> Result<Choice, PlayerError> {
        self.send(&position_line(board))?;
        let go = self.go.clone();
        self.send(&go)?;
        let answer = self.await_word("bestmove")?;
        let word = answer.split_whitespace().next().unwrap_or_default();
        let mv = parse_uci(board.position(), word).map_err(|_| PlayerError::BadMove {
            engine: self.name.clone(),
            answer: answer.clone(),
            fen: board.fen(),
        })?;
        Ok(Choice { mv, score: None })
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        // An engine that has gone already needs no farewell.
        let _ = self.send("quit");
        let _ = self.process.wait();
    }
}

/// The `position` command for a board with its past, which repetition needs.
fn position_line(board: &Board) -> String {
    let mut past = board.clone();
    let mut positions = vec![*past.position()];
    while past.plies() > 0 {
        past.unmake();
        positions.push(*past.position());
    }
    positions.reverse();
    let mut line = format!("position fen {}", positions[0].fen());
    for (index, pair) in positions.windows(2).enumerate() {
        let played = pair[0].legal_moves().into_iter().find(|&mv| pair[0].after(mv) == pair[1]);
        if let Some(mv) = played {
            line.push_str(if index == 0 { " moves " } else { " " });
            line.push_str(&to_uci(mv, false));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_told_with_its_moves() {
        let mut board = Board::startpos();
        assert!(!position_line(&board).contains("moves"));
        for text in ["g1f3", "g8f6", "f3g1"] {
            board.play(parse_uci(board.position(), text).unwrap());
        }
        assert!(position_line(&board).ends_with("w KQkq - 0 1 moves g1f3 g8f6 f3g1"));
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let play = |seed| {
            let mut player = Own::weak(Level::of(Weakness::MIN_ELO)).unwrap();
            player.new_game(seed).unwrap();
            let mut board = Board::startpos();
            for _ in 0..20 {
                let mv = player.choose(&board).unwrap().mv;
                board.play(mv);
            }
            board.fen()
        };
        assert_eq!(play(5), play(5));
        assert_ne!(play(5), play(6));
    }
}
