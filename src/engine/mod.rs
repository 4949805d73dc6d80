//! The engine behind every front: it owns the searcher with its table and threads, the options, the
//! position, the book and the tablebase, and answers with events. It knows no text protocol.
//!
//! No call here waits for a search: heavy work is queued for a driver thread, in the order of the
//! calls, so what is set during a search holds for the next one.

pub mod bench;
mod driver;
mod report;
mod run;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::board::Board;
use crate::book::Choice;
use crate::nnue::{Network, NetworkError};
use crate::search::{Limits, Options, Params, SearchInfo, Weakness};
use crate::types::{Depth, Move};

use driver::{Driver, Job, SearchJob};
use run::{Kind, Run};

/// The table size until another is set, in MB.
pub const DEFAULT_HASH_MB: usize = 16;
/// The largest table that may be asked for, in MB.
pub const MAX_HASH_MB: usize = 33_554_432;
/// The largest number of search threads.
pub const MAX_THREADS: usize = 1024;
/// The largest number of lines.
pub const MAX_MULTI_PV: usize = 256;
/// The skill level that plays at full strength.
pub const FULL_SKILL: u32 = 20;
/// The strengths that can be asked for.
pub const ELO_RANGE: RangeInclusive<u32> = Weakness::MIN_ELO..=Weakness::MAX_ELO;

/// What a search, a perft or a bench tells while it runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of the search.
    Info(SearchInfo),
    /// The root move that is being searched.
    CurrentMove {
        /// Depth of the iteration, in plies.
        depth: Depth,
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
    /// Something for people to read.
    Message(String),
    /// The last event of a search.
    BestMove {
        /// The move to play; `None` when there is no legal one.
        best: Option<Move>,
        /// The answer that is expected, legal after it.
        ponder: Option<Move>,
    },
    /// One root move of a perft with its count.
    PerftMove(Move, u64),
    /// The sum of a perft, or what ended it early.
    PerftTotal(Option<u64>),
    /// One position of a bench.
    BenchPosition {
        /// Its place in the list, from 1.
        number: usize,
        /// Its FEN.
        fen: &'static str,
        /// The nodes searched.
        nodes: u64,
    },
    /// The sum of a bench; `None` when it was stopped.
    BenchTotal(Option<bench::Summary>),
}

/// Where the events of one search go. It is called from several threads.
pub type Sink = Arc<dyn Fn(Event) + Send + Sync>;

/// How a move of the book is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BookChoice {
    /// At random, by weight.
    #[default]
    Variety,
    /// Always the heaviest.
    Best,
}

/// The options that cost nothing to change.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lines to search and report.
    pub multi_pv: usize,
    /// Search threads.
    pub threads: usize,
    /// Time kept back at each move.
    pub move_overhead: Duration,
    /// Nodes that count as one ms; `None` for real time.
    pub nodes_per_ms: Option<u64>,
    /// Analysis: full strength, no book.
    pub analyse: bool,
    /// Whether `elo` holds.
    pub limit_strength: bool,
    /// Strength to play at.
    pub elo: u32,
    /// Strength from 0 to [`FULL_SKILL`].
    pub skill_level: u32,
    /// Seed of weaker play; 0 for a new one in each game.
    pub skill_seed: u64,
    /// Whether to play from the book.
    pub own_book: bool,
    /// How to choose from the book.
    pub book_choice: BookChoice,
    /// Least depth to probe the largest tables at, in plies.
    pub probe_depth: Depth,
    /// Whether the fifty-move rule spoils table wins.
    pub fifty_move_rule: bool,
    /// The numbers of the search.
    pub params: Params,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            threads: 1,
            move_overhead: Duration::from_millis(10),
            nodes_per_ms: None,
            analyse: false,
            limit_strength: false,
            elo: 1500,
            skill_level: FULL_SKILL,
            skill_seed: 0,
            own_book: false,
            book_choice: BookChoice::Variety,
            probe_depth: 1,
            fifty_move_rule: true,
            params: Params::default(),
        }
    }
}

impl Settings {
    /// The strength in Elo that these ask for; `None` for full strength.
    fn limited_elo(&self) -> Option<u32> {
        let (min, max) = (*ELO_RANGE.start(), *ELO_RANGE.end());
        if self.analyse {
            None
        } else if self.limit_strength {
            Some(self.elo.clamp(min, max))
        } else if self.skill_level < FULL_SKILL {
            Some(min + (max - min) * self.skill_level / FULL_SKILL)
        } else {
            None
        }
    }
}

/// The engine. Dropping it ends its thread.
pub struct Engine {
    settings: Settings,
    /// `None` after a position that could not be set up: it is not searched.
    board: Option<Board>,
    network: Arc<Network>,
    game_seed: u64,
    jobs: Sender<Job>,
    finished: Receiver<()>,
    driver: Option<JoinHandle<()>>,
    current: Option<Arc<Run>>,
}

impl Engine {
    /// An engine at the initial position with default options. `notify` gets the messages that
    /// belong to no search, from the driver's thread.
    ///
    /// # Panics
    /// If the system gives no thread.
    pub fn new(notify: impl Fn(String) + Send + 'static) -> Engine {
        let (jobs, queue) = mpsc::channel();
        let (done, finished) = mpsc::channel();
        let driver = thread::Builder::new()
            .name("driver".into())
            .spawn(move || {
                Driver::new(Box::new(notify)).run(&queue);
                let _ = done.send(());
            })
            .expect("the system gives a thread");
        Engine {
            settings: Settings::default(),
            board: Some(Board::startpos()),
            network: Network::built_in(),
            game_seed: fresh_seed(),
            jobs,
            finished,
            driver: Some(driver),
            current: None,
        }
    }

    /// The options, to read.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The options, to change: they hold from the next search on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Asks for another table size in MB. When there is no memory for it, the old table stays and
    /// a message says so.
    pub fn set_hash(&mut self, megabytes: usize) {
        self.send(Job::Hash(megabytes.clamp(1, MAX_HASH_MB)));
    }

    /// The network that the next search evaluates with.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Evaluates with the network of this file from the next search on, or with the built-in one
    /// for an empty text.
    ///
    /// # Errors
    /// If the file is no intact network of this program; the old one then stays.
    pub fn load_network(&mut self, path: &str) -> Result<(), NetworkError> {
        self.network = match path {
            "" => Network::built_in(),
            _ => Network::load(Path::new(path))?,
        };
        self.send(Job::Network(Arc::clone(&self.network)));
        Ok(())
    }

    /// Opens the tables in these folders, or none for an empty text.
    pub fn set_tablebase_path(&mut self, path: &str) {
        self.send(Job::TablebasePath(path.to_owned()));
    }

    /// Opens another book, or none for an empty text.
    pub fn set_book_file(&mut self, path: &str) {
        self.send(Job::BookFile(path.to_owned()));
    }

    /// Forgets what searches have learned.
    pub fn clear(&mut self) {
        self.send(Job::Clear);
    }

    /// Ends a running search and begins another game.
    pub fn new_game(&mut self) {
        self.stop();
        self.game_seed = fresh_seed();
        self.send(Job::Clear);
    }

    /// Sets the position for the next search; `None` when there is none that could be searched.
    pub fn set_board(&mut self, board: Option<Board>) {
        self.board = board;
    }

    /// The position for the next search.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Starts a search and returns at once; a running one is stopped first and sends its best move.
    pub fn go(&mut self, limits: Limits, sink: Sink) {
        let run = self.begin(match (limits.infinite, limits.ponder) {
            (true, _) => Kind::Infinite,
            (false, true) => Kind::Ponder,
            (false, false) => Kind::Bounded,
        });
        let options = self.search_options();
        let board = self.board.clone();
        let received = Instant::now();
        let job = SearchJob { board, limits, options, book: self.book_use(), received, run, sink };
        self.send(Job::Search(Box::new(job)));
    }

    /// Counts the leaves below each legal move, as a search that `stop` ends.
    pub fn perft(&mut self, depth: u32, sink: Sink) {
        let run = self.begin(Kind::Counting);
        let board = self.board.clone().map(Box::new);
        self.send(Job::Perft { board, depth, run, sink });
    }

    /// Runs the bench with a searcher of its own, as a search that `stop` ends.
    pub fn bench(&mut self, depth: Depth, sink: Sink) {
        let run = self.begin(Kind::Counting);
        self.send(Job::Bench { depth, run, sink });
    }

    /// Ends the running search; its best move follows. Without one nothing happens.
    pub fn stop(&mut self) {
        if let Some(run) = &self.current {
            run.stop();
        }
    }

    /// The opponent played the expected move. Without a search in his time nothing happens.
    pub fn ponder_hit(&mut self) {
        if let Some(run) = &self.current {
            run.ponder_hit();
        }
    }

    /// Whether a search runs that nobody has stopped.
    pub fn is_searching(&self) -> bool {
        self.current.as_ref().is_some_and(|run| run.is_active())
    }

    /// Calls back when all that was asked before is done, or at once while a search runs.
    pub fn when_ready(&mut self, answer: impl FnOnce() + Send + 'static) {
        if self.is_searching() {
            answer();
        } else {
            self.send(Job::Ready(Box::new(answer)));
        }
    }

    /// Ends the running search and waits until the queue is empty or the time is over; returns
    /// whether all was done. Nothing can be asked of the engine after that.
    pub fn close(&mut self, patience: Duration) -> bool {
        if let Some(run) = &self.current {
            run.stop();
        }
        self.send(Job::Quit);
        let Some(driver) = self.driver.take() else { return true };
        if self.finished.recv_timeout(patience).is_err() && !driver.is_finished() {
            return false;
        }
        driver.join().is_ok()
    }

    /// Waits for a running perft or bench, at most this long; not for a search.
    pub fn wait_for_counting(&self, patience: Duration) {
        if let Some(run) = &self.current
            && run.kind() == Kind::Counting
        {
            run.wait_done(patience);
        }
    }

    fn begin(&mut self, kind: Kind) -> Arc<Run> {
        self.stop();
        let run = Arc::new(Run::new(kind));
        self.current = Some(Arc::clone(&run));
        run
    }

    fn book_use(&self) -> Option<Choice> {
        let settings = &self.settings;
        (settings.own_book && !settings.analyse).then_some(match settings.book_choice {
            BookChoice::Best => Choice::Best,
            BookChoice::Variety => Choice::Varied { seed: self.game_seed },
        })
    }

    fn search_options(&self) -> Options {
        let settings = &self.settings;
        let seed = if settings.skill_seed == 0 { self.game_seed } else { settings.skill_seed };
        Options {
            multi_pv: settings.multi_pv,
            move_overhead: settings.move_overhead,
            probe_depth: settings.probe_depth,
            fifty_move_rule: settings.fifty_move_rule,
            params: settings.params,
            weakness: settings.limited_elo().and_then(|elo| Weakness::new(elo, seed)),
            nodes_per_ms: settings.nodes_per_ms,
            threads: settings.threads.clamp(1, MAX_THREADS),
            ..Options::default()
        }
    }

    /// The driver lives as long as the engine; if a bug has killed it, the session must not die.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close(Duration::from_secs(5));
    }
}

/// A seed that differs from call to call and from process to process.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let mut hasher = RandomState::new().build_hasher();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    hasher.write_u128(now.as_nanos());
    hasher.finish() | 1
}
