//! The state of a run: what was played, what is left, what is written.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::time::Duration;

use super::journal::Journal;
use super::picture::Point;
use super::runner::RunError;
use super::standings::Standings;

/// What all workers write in, one at a time.
pub(super) struct Book {
    /// What the games add up to.
    pub(super) standings: Standings,
    /// The journal.
    pub(super) journal: Journal,
    /// The file of games.
    pub(super) pgn: Option<File>,
    /// Its length in whole games.
    pub(super) pgn_bytes: u64,
    /// The file of events.
    pub(super) events: Option<File>,
    /// Where the match stood after each game.
    pub(super) history: Vec<Point>,
    /// The first game not given out yet.
    pub(super) next: u32,
    /// Games to be played again.
    pub(super) again: VecDeque<u32>,
    /// Games that are counted.
    pub(super) done: HashSet<u32>,
    /// How often games were void.
    pub(super) voids: HashMap<u32, u32>,
    /// Why engines play no more.
    pub(super) set_aside: Vec<Option<String>>,
    /// Time between answers and questions, summed up.
    pub(super) overhead: Duration,
    /// How often that was.
    pub(super) gaps: u32,
    /// What ended the run early.
    pub(super) error: Option<RunError>,
    /// Whether the test is decided.
    pub(super) decided: bool,
}

impl Book {
    /// An empty book that writes into this journal.
    pub(super) fn new(journal: Journal, engines: usize) -> Book {
        Book {
            standings: Standings::new(engines),
            journal,
            pgn: None,
            pgn_bytes: 0,
            events: None,
            history: Vec::new(),
            next: 0,
            again: VecDeque::new(),
            done: HashSet::new(),
            voids: HashMap::new(),
            set_aside: vec![None; engines],
            overhead: Duration::ZERO,
            gaps: 0,
            error: None,
            decided: false,
        }
    }
}
