//! Who chooses moves and scores in training games.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ferz::board::{Board, Position};
use ferz::notation::{parse_uci, to_uci};
use ferz::search::{Bound, Control, Limits, Options, Report, SearchInfo, Searcher, TableError};
use ferz::types::score::is_decisive;
use ferz::types::{Move, Score};
use thiserror::Error;

use crate::arena::client::{Client, Failure, Patience, set_option};
use crate::arena::config::EngineConfig;
use crate::arena::info::{EngineScore, Info};

/// The score written for a mate or a tablebase result, in centipawns.
pub const DECIDED: i16 = 20_000;

/// Lines asked for where every move is wanted; engines take no more.
const LINES: usize = 256;

/// Why there is no move.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The teacher is at fault.
    #[error("teacher: {0}")]
    Teacher(String),
    /// The user has ended the run.
    #[error("ended by the user")]
    Stopped,
}

/// A move with the score of the position from the view of the side to move, in centipawns.
pub type Choice = (Move, i16);

/// Chooses moves.
pub trait Player {
    /// Begins a new game from a position.
    ///
    /// # Errors
    /// If the player cannot go on.
    fn new_game(&mut self, start: &Position) -> Result<(), PlayerError>;

    /// Chooses a move in the position on the board, the last of `moves` having been played.
    ///
    /// # Errors
    /// If the player cannot go on.
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Result<Choice, PlayerError>;

    /// Every legal move with the score that a search of one ply gives it, from the view of the side
    /// to move.
    ///
    /// # Errors
    /// If the player cannot go on.
    fn fan(&mut self, position: &Position) -> Result<Vec<Choice>, PlayerError>;
}

/// How much to think about a move.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nodes after which no iteration begins; for a teacher, nodes to search.
    pub soft_nodes: u64,
    /// Nodes after which the search ends anyway.
    pub hard_nodes: u64,
    /// Size of the transposition table in megabytes.
    pub hash: usize,
}

/// The search of the library, in this process.
pub struct InProcess {
    searcher: Searcher,
    limits: Limits,
    options: Options,
    control: std::sync::Arc<Control>,
}

impl InProcess {
    /// A searcher of its own.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn new(effort: Effort) -> Result<InProcess, PlayerError> {
        Ok(InProcess {
            searcher: Searcher::new(effort.hash)?,
            limits: Limits {
                soft_nodes: Some(effort.soft_nodes),
                nodes: Some(effort.hard_nodes),
                ..Limits::default()
            },
            options: Options::default(),
            control: Control::new(),
        })
    }
}

impl Player for InProcess {
    fn new_game(&mut self, _: &Position) -> Result<(), PlayerError> {
        self.searcher.clear();
        Ok(())
    }

    fn choose(&mut self, board: &Board, _: &[Move]) -> Result<Choice, PlayerError> {
        let outcome =
            self.searcher.search(board, &self.limits, &self.options, &self.control, &|_| {});
        match outcome.best {
            Some(mv) => Ok((mv, clamp(outcome.info.line.score))),
            None => Err(PlayerError::Teacher("no move in a position that has some".to_owned())),
        }
    }

    fn fan(&mut self, position: &Position) -> Result<Vec<Choice>, PlayerError> {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let options = Options { multi_pv: LINES, ..self.options.clone() };
        let lines = Mutex::new(Vec::new());
        self.searcher.search(&Board::new(*position), &limits, &options, &self.control, &|report| {
            let Report::Info(SearchInfo { line, .. }) = report else { return };
            if let (Some(&mv), Bound::Exact) = (line.pv.first(), line.bound) {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                keep(&mut lines, (mv, clamp(line.score)));
            }
        });
        Ok(lines.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Takes a score in, in place of an older one of the same move.
fn keep(choices: &mut Vec<Choice>, choice: Choice) {
    match choices.iter_mut().find(|known| known.0 == choice.0) {
        Some(known) => *known = choice,
        None => choices.push(choice),
    }
}

fn clamp(score: Score) -> i16 {
    match is_decisive(score) {
        true => DECIDED * score.signum() as i16,
        false => score.clamp(1 - i32::from(DECIDED), i32::from(DECIDED) - 1) as i16,
    }
}

/// A UCI engine.
pub struct Teacher<'a> {
    client: Client<'a>,
    go: String,
    start: String,
    /// Whether the engine has been asked for the score of every move.
    fans: bool,
}

impl<'a> Teacher<'a> {
    /// Starts an engine for ordinary chess and Chess960.
    ///
    /// # Errors
    /// If it does not start.
    pub fn new(
        config: &EngineConfig,
        effort: Effort,
        stop: &'a AtomicBool,
    ) -> Result<Teacher<'a>, PlayerError> {
        let patience = Patience { ready: Duration::from_secs(30), stall: Duration::from_secs(30) };
        let hash = effort.hash.to_string();
        let extra = [("UCI_Chess960", "true"), ("Hash", hash.as_str())];
        let client = Client::start(config, &extra, None, patience, stop).map_err(trouble)?;
        let go = format!("go nodes {}", effort.soft_nodes);
        Ok(Teacher { client, go, start: String::new(), fans: false })
    }
}

impl Player for Teacher<'_> {
    fn new_game(&mut self, start: &Position) -> Result<(), PlayerError> {
        self.start = format!("position fen {}", start.shredder_fen());
        self.client.new_game().map_err(trouble)
    }

    fn choose(&mut self, board: &Board, moves: &[Move]) -> Result<Choice, PlayerError> {
        let mut line = self.start.clone();
        if !moves.is_empty() {
            line.push_str(" moves");
        }
        for &mv in moves {
            line.push(' ');
            line.push_str(&to_uci(mv, true));
        }
        let answer =
            self.client.think(&line, &self.go, None, Duration::from_secs(60)).map_err(trouble)?;
        let mv = parse_uci(board.position(), &answer.best).map_err(|error| {
            PlayerError::Teacher(format!("{:?} after {line:?}: {error}", answer.best))
        })?;
        match answer.info.and_then(|info| info.score) {
            Some(score) => Ok((mv, written(score))),
            None => Err(PlayerError::Teacher(format!("no score after {line:?}"))),
        }
    }

    fn fan(&mut self, position: &Position) -> Result<Vec<Choice>, PlayerError> {
        if !self.fans {
            self.client.set_up(set_option("MultiPV", &LINES.to_string()));
            self.fans = true;
        }
        let line = format!("position fen {}", position.shredder_fen());
        let mut choices = Vec::new();
        let mut broken = None;
        let mut hear = |line: &str| {
            let info = Info::parse(line);
            let (Some(score), Some(text)) = (info.score, info.pv.first()) else { return };
            match parse_uci(position, text) {
                Ok(_) if info.bound => {}
                Ok(mv) => keep(&mut choices, (mv, written(score))),
                Err(error) => broken = Some(format!("{text:?} after {line:?}: {error}")),
            }
        };
        self.client
            .think_aloud(&line, "go depth 1", Duration::from_secs(60), &mut hear)
            .map_err(trouble)?;
        match broken {
            Some(fault) => Err(PlayerError::Teacher(fault)),
            None => Ok(choices),
        }
    }
}

fn written(score: EngineScore) -> i16 {
    match score {
        EngineScore::Centipawns(value) => {
            value.clamp(1 - i32::from(DECIDED), i32::from(DECIDED) - 1) as i16
        }
        EngineScore::Mate(moves) if moves > 0 => DECIDED,
        EngineScore::Mate(_) => -DECIDED,
    }
}

fn trouble(failure: Failure) -> PlayerError {
    match failure {
        Failure::Stopped => PlayerError::Stopped,
        Failure::Fault(fault) => {
            PlayerError::Teacher(format!("{}: {}", fault.class.name(), fault.detail))
        }
    }
}
