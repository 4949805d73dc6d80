//! The thread that does what may take long: searching, allocating, opening tables.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::report::{Reporter, terminal_info};
use super::run::Run;
use super::{Event, Sink, bench};
use crate::board::{Board, Position, perft};
use crate::book::{Book, Choice};
use crate::nnue::Network;
use crate::search::{Limits, Options, Searcher};
use crate::tablebase::{Opened, Tablebase};
use crate::types::{Depth, Move};

/// What the driver can be asked to do, in order.
pub(super) enum Job {
    Search(Box<SearchJob>),
    Perft { board: Option<Box<Board>>, depth: u32, run: Arc<Run>, sink: Sink },
    Bench { depth: Depth, run: Arc<Run>, sink: Sink },
    Hash(usize),
    Network(Arc<Network>),
    TablebasePath(String),
    BookFile(String),
    Clear,
    Ready(Box<dyn FnOnce() + Send>),
    Quit,
}

/// One `go`.
pub(super) struct SearchJob {
    pub(super) board: Option<Board>,
    pub(super) limits: Limits,
    pub(super) options: Options,
    /// How to use the book, if at all.
    pub(super) book: Option<Choice>,
    pub(super) received: Instant,
    pub(super) run: Arc<Run>,
    pub(super) sink: Sink,
}

/// The state that only this thread touches.
pub(super) struct Driver {
    notify: Box<dyn Fn(String) + Send>,
    searcher: Searcher,
    network: Arc<Network>,
    /// A table size asked for and not yet made: clients send several in a row.
    wanted_hash: Option<usize>,
    tablebase: Option<Arc<Tablebase>>,
    /// Whether a broken table file has been told of.
    fault_told: bool,
    book: Option<Book>,
}

impl Driver {
    pub(super) fn new(notify: Box<dyn Fn(String) + Send>) -> Driver {
        Driver {
            notify,
            searcher: new_searcher(),
            network: Network::built_in(),
            wanted_hash: None,
            tablebase: None,
            fault_told: false,
            book: None,
        }
    }

    /// Works until told to quit. A panic costs one job, never the thread.
    pub(super) fn run(mut self, queue: &Receiver<Job>) {
        while let Ok(job) = queue.recv() {
            match job {
                Job::Quit => return,
                Job::Ready(answer) => {
                    self.guarded("setting up", Driver::settle);
                    answer();
                }
                Job::Search(job) => self.answer(&job),
                Job::Perft { board, depth, run, sink } => {
                    let total = board.and_then(|board| count(&board, depth, &run, &sink));
                    run.finish();
                    sink(Event::PerftTotal(total));
                }
                Job::Bench { depth, run, sink } => {
                    let summary = bench::run(depth, run.control(), &|number, fen, nodes| {
                        sink(Event::BenchPosition { number, fen, nodes });
                    });
                    run.finish();
                    sink(Event::BenchTotal(summary));
                }
                Job::Hash(megabytes) => self.wanted_hash = Some(megabytes),
                Job::Network(network) => self.guarded("changing the network", |driver| {
                    driver.network = Arc::clone(&network);
                    driver.searcher.set_network(network);
                }),
                Job::TablebasePath(path) => {
                    self.guarded("opening tables", |driver| driver.open_tables(&path));
                }
                Job::BookFile(path) => {
                    self.guarded("opening the book", |driver| driver.open_book(&path));
                }
                Job::Clear => self.guarded("clearing", |driver| {
                    driver.settle();
                    driver.searcher.clear();
                }),
            }
        }
    }

    fn guarded(&mut self, what: &str, work: impl FnOnce(&mut Driver)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            (self.notify)(format!("internal error while {what}"));
            self.replace_searcher();
        }
    }

    /// After a panic the old searcher may wait for threads that are gone: it is left alone.
    fn replace_searcher(&mut self) {
        self.wanted_hash.get_or_insert(self.searcher.table_megabytes());
        std::mem::forget(std::mem::replace(&mut self.searcher, new_searcher()));
        self.searcher.set_network(Arc::clone(&self.network));
    }

    /// Makes the table as it was asked for last.
    fn settle(&mut self) {
        if let Some(megabytes) = self.wanted_hash.take()
            && let Err(error) = self.searcher.resize_table(megabytes)
        {
            let kept = self.searcher.table_megabytes();
            (self.notify)(format!("Hash stays at {kept} MB: {error}"));
        }
    }

    fn open_tables(&mut self, path: &str) {
        self.tablebase = None;
        self.fault_told = false;
        if path.is_empty() {
            return;
        }
        let opened = Tablebase::open(path);
        (self.notify)(what_was_found(&opened));
        self.tablebase = (opened.files > 0).then(|| Arc::new(opened.tablebase));
    }

    fn open_book(&mut self, path: &str) {
        self.book = None;
        if path.is_empty() {
            return;
        }
        match Book::open(path) {
            Ok(book) => self.book = Some(book),
            Err(error) => (self.notify)(format!("BookFile: {error}")),
        }
    }

    fn answer(&mut self, job: &SearchJob) {
        let SearchJob { board, run, sink, .. } = job;
        self.guarded("setting up", Driver::settle);
        let (best, ponder) = match board {
            None => (None, None),
            Some(board) if !board.has_legal_move() => {
                sink(Event::Info(terminal_info(board)));
                (None, None)
            }
            Some(board) => self.search(board, job),
        };
        run.wait_until_wanted();
        run.finish();
        sink(Event::BestMove { best, ponder });
    }

    fn search(&mut self, board: &Board, job: &SearchJob) -> (Option<Move>, Option<Move>) {
        let reporter = Reporter::new(board, &job.sink);
        if let Some(mv) = self.book_move(board, job) {
            return reporter.finish_with(mv);
        }
        let mut options = job.options.clone();
        // A weak player does not know the endgame tables by heart.
        if options.weakness.is_none() {
            options.tablebase.clone_from(&self.tablebase);
        }
        let limits = match job.options.nodes_per_ms {
            None => less_waiting(&job.limits, job.received.elapsed()),
            Some(_) => job.limits.clone(),
        };
        let work = AssertUnwindSafe(|| {
            let report = |report| reporter.take(report);
            self.searcher.search(board, &limits, &options, job.run.control(), &report)
        });
        let outcome = catch_unwind(work);
        if outcome.is_err() {
            (job.sink)(Event::Message("internal error in the search".into()));
            self.replace_searcher();
        }
        self.tell_fault(&job.sink);
        reporter.finish(outcome.ok().as_ref())
    }

    /// Files are read when they are first asked: only then a broken one is found.
    fn tell_fault(&mut self, sink: &Sink) {
        if let Some(fault) = self.tablebase.as_ref().and_then(|tablebase| tablebase.fault())
            && !self.fault_told
        {
            sink(Event::Message(format!("SyzygyPath: {fault}")));
            self.fault_told = true;
        }
    }

    /// The book serves games, not analysis.
    fn book_move(&self, board: &Board, job: &SearchJob) -> Option<Move> {
        let limits = &job.limits;
        let analysis = limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || job.options.multi_pv > 1
            || !limits.search_moves.is_empty();
        if analysis {
            return None;
        }
        self.book.as_ref()?.choose(board.position(), job.book?)
    }
}

/// One line on what a path list gave.
fn what_was_found(opened: &Opened) -> String {
    let men = opened.tablebase.max_men();
    let mut text = match opened.files {
        0 => "SyzygyPath: no table found".to_owned(),
        files => format!("SyzygyPath: found {files} files of tables with up to {men} men"),
    };
    if let Some(first) = opened.warnings.first() {
        text.push_str(&format!("; {first}"));
    }
    if opened.warnings.len() > 1 {
        text.push_str(&format!("; and {} faults more", opened.warnings.len() - 1));
    }
    text
}

/// A searcher with the default table, or with the smallest one where memory is short.
fn new_searcher() -> Searcher {
    Searcher::new(super::DEFAULT_HASH_MB)
        .or_else(|_| Searcher::new(1))
        .expect("there is memory for a megabyte")
}

/// The limits without the time that went by before the search could begin.
fn less_waiting(limits: &Limits, waited: Duration) -> Limits {
    let mut limits = limits.clone();
    if !limits.ponder {
        if let Some(clock) = &mut limits.clock {
            clock.time = clock.time.saturating_sub(waited);
        }
        if let Some(time) = &mut limits.move_time {
            *time = time.saturating_sub(waited).max(Duration::from_millis(1));
        }
    }
    limits
}

/// The divide; `None` when it was stopped.
fn count(board: &Board, depth: u32, run: &Run, sink: &Sink) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in board.legal_moves() {
        let nodes = count_below(&board.after(mv), depth - 1, run)?;
        sink(Event::PerftMove(mv, nodes));
        total += nodes;
    }
    Some(total)
}

/// A perft that looks for `stop` above its last few plies.
fn count_below(position: &Position, depth: u32, run: &Run) -> Option<u64> {
    const UNWATCHED: u32 = 3;
    if run.is_stopped() {
        return None;
    }
    if depth <= UNWATCHED {
        return Some(perft(position, depth));
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        nodes += count_below(&position.after(mv), depth - 1, run)?;
    }
    Some(nodes)
}
