//! The searcher: table and threads, and one search over all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::limits::{Control, Limits, Options};
use super::report::{Outcome, Report, SearchInfo};
use super::root::{Listener, RootMove, unsearched_score};
use super::table::{Table, TableError};
use super::tables;
use super::thread::{Counter, Memory, Shared, Thread};
use super::time::TimeManager;
use super::weakness::{Misjudgement, Weakness};
use crate::board::Board;
use crate::nnue::Network;
use crate::types::score::{DRAW, INFINITE, NO_SCORE, is_decisive, mated_in};
use crate::types::{Depth, Move, Score};

/// Deep lines need deep stacks, whatever the thread that asks has.
const STACK_BYTES: usize = 16 << 20;

/// The transposition table and what the threads have learnt; searches one position at a time.
pub struct Searcher {
    table: Table,
    network: Arc<Network>,
    memories: Vec<Memory>,
    /// How positions were misjudged in what has been learnt; `None` if nothing has.
    judged: Option<Option<Weakness>>,
}

impl Searcher {
    /// A searcher with a transposition table of this many megabytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Searcher, TableError> {
        let (table, network) = (Table::new(megabytes)?, Network::built_in());
        let memories = vec![Memory::new(&network)];
        Ok(Searcher { table, network, memories, judged: None })
    }

    /// Evaluates with another network from now on, and forgets what the old one taught.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.memories = vec![Memory::new(&network)];
        self.network = network;
        self.clear_table();
    }

    /// The size of the transposition table, in megabytes.
    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Replaces the transposition table by an empty one of this many megabytes.
    ///
    /// # Errors
    /// If there is no memory for it; the old table then stays as it was.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), TableError> {
        if megabytes != self.table.megabytes() {
            self.table = Table::new(megabytes)?;
        }
        Ok(())
    }

    /// Empties the transposition table.
    pub fn clear_table(&mut self) {
        self.table.clear(self.memories.len());
    }

    /// Forgets everything that searches have learnt.
    pub fn clear(&mut self) {
        self.clear_table();
        self.memories.iter_mut().for_each(Memory::clear);
        self.judged = None;
    }

    /// How full the transposition table is, in permille.
    pub fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }

    /// Searches a position. Blocks until the limits or `control` end the search; for `infinite`
    /// and `ponder` it also returns when there is nothing left to search.
    ///
    /// Every search reports at least one line if the root has a legal move that was asked for, and
    /// the last line reported starts with the best move.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        options: &Options,
        control: &Control,
        listener: &(dyn Fn(Report) + Sync),
    ) -> Outcome {
        // What one strength has learnt misleads another.
        if self.judged.is_some_and(|weakness| weakness != options.weakness) {
            self.clear();
        }
        self.judged = Some(options.weakness);
        self.table.age();
        // Weak play must repeat itself, and needs no second thread.
        let threads = if options.weakness.is_some() { 1 } else { options.threads.max(1) };
        self.memories.resize_with(threads, || Memory::new(&self.network));
        let mut root_moves = root_moves(board, limits);
        let asked_for = root_moves.len() as u64;
        let verdict = match options.multi_pv {
            1 => tables::keep_best(board, options, &mut root_moves),
            // Who asks for several lines wants the others too.
            _ => None,
        };
        let root_hits = if verdict.is_some() { asked_for } else { 0 };
        let shared = Shared {
            table: &self.table,
            network: &self.network,
            control,
            limits,
            options,
            verdict,
            misjudgement: options.weakness.map(Misjudgement::new),
            halt: AtomicBool::new(false),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            table_hits: (0..threads)
                .map(|thread| Counter::at(if thread == 0 { root_hits } else { 0 }))
                .collect(),
        };
        let time = TimeManager::new(limits, options);
        if root_moves.is_empty() {
            return nothing_to_search(board, listener);
        }
        let results = std::thread::scope(|scope| {
            let mut running = Vec::new();
            for (index, memory) in self.memories.iter_mut().enumerate() {
                let (shared, root_moves) = (&shared, root_moves.clone());
                let work = move || {
                    let mut thread = Thread::new(shared, memory, index, board, root_moves, time);
                    let reported = thread.iterate(listener);
                    if index == 0 {
                        shared.halt.store(true, Relaxed);
                    }
                    ThreadResult::new(thread, reported)
                };
                let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                match builder.spawn_scoped(scope, work) {
                    Ok(handle) => running.push(handle),
                    // Fewer threads than asked for search as well, but there must be one.
                    Err(error) if index == 0 => panic!("no thread to search with: {error}"),
                    Err(_) => break,
                }
            }
            running.into_iter().filter_map(|handle| handle.join().ok()).collect::<Vec<_>>()
        });
        conclude(board, &shared, results, listener)
    }
}

/// What a thread has come to.
struct ThreadResult {
    depth: Depth,
    root_moves: Vec<RootMove>,
    info: SearchInfo,
    reported: Option<SearchInfo>,
}

impl ThreadResult {
    fn new(mut thread: Thread, reported: Option<SearchInfo>) -> ThreadResult {
        if thread.completed_depth == 0 && thread.root_moves[0].score == -INFINITE {
            let eval = match thread.board.in_check() {
                true => NO_SCORE,
                false => thread.raw_eval(),
            };
            thread.root_moves[0].score = unsearched_score(eval);
        }
        let depth = thread.completed_depth;
        let info = thread.info(0, thread.root_depth.max(1));
        ThreadResult { depth, root_moves: thread.root_moves, info, reported }
    }

    fn score(&self) -> Score {
        self.info.line.score
    }
}

/// The root moves to search, in the generator's order.
fn root_moves(board: &Board, limits: &Limits) -> Vec<RootMove> {
    board
        .legal_moves()
        .into_iter()
        .filter(|mv| limits.search_moves.is_empty() || limits.search_moves.contains(mv))
        .map(RootMove::new)
        .collect()
}

/// Mate, stalemate, or none of the moves asked for is legal.
fn nothing_to_search(board: &Board, listener: Listener) -> Outcome {
    use super::report::{Bound, Line};
    let score = if board.is_checkmate() { mated_in(0) } else { DRAW };
    let info = SearchInfo {
        depth: 0,
        sel_depth: 0,
        nodes: 0,
        table_hits: 0,
        time: std::time::Duration::ZERO,
        hashfull: 0,
        line: Line { multi_pv: 1, score, bound: Bound::Exact, pv: Vec::new() },
    };
    listener(Report::Info(info.clone()));
    Outcome { best: None, ponder: None, info }
}

/// Chooses among the threads' results and reports the line chosen unless it was the last one told.
fn conclude(
    board: &Board,
    shared: &Shared,
    results: Vec<ThreadResult>,
    listener: Listener,
) -> Outcome {
    let alone = shared.options.multi_pv > 1 || shared.limits.depth.is_some();
    let chosen = if alone { 0 } else { vote(&results) };
    let reported = results[0].reported.clone();
    let mut info = results[chosen].info.clone();
    info.nodes = shared.all_nodes();
    info.table_hits = shared.all_table_hits();
    let told = reported.is_some_and(|reported| reported.line == info.line);
    if !told {
        listener(Report::Info(info.clone()));
    }
    let best = info.line.pv.first().copied();
    let ponder = best.and_then(|best| ponder_move(board, shared.table, best, &info.line.pv));
    Outcome { best, ponder, info }
}

/// The reply to expect: from the line, else from the table.
fn ponder_move(board: &Board, table: &Table, best: Move, pv: &[Move]) -> Option<Move> {
    let after = board.after(best);
    let from_table = || table.probe(after.key(), 1, after.halfmove_clock())?.mv;
    pv.get(1).copied().or_else(from_table).filter(|&mv| after.is_legal(mv))
}

/// The thread whose move most threads stand behind, weighted by depth and score.
fn vote(results: &[ThreadResult]) -> usize {
    let least = results.iter().map(ThreadResult::score).min().unwrap_or(0);
    let weight =
        |result: &ThreadResult| i64::from(result.score() - least + 10) * i64::from(result.depth);
    let votes = |mv: Move| -> i64 {
        results.iter().filter(|result| result.root_moves[0].mv == mv).map(weight).sum()
    };
    let mut best = 0;
    for (index, result) in results.iter().enumerate().skip(1) {
        let (mine, theirs) = (result, &results[best]);
        let better = if is_decisive(theirs.score()) || is_decisive(mine.score()) {
            mine.depth > 0 && mine.score() > theirs.score()
        } else {
            let (a, b) = (votes(mine.root_moves[0].mv), votes(theirs.root_moves[0].mv));
            a > b || a == b && weight(mine) > weight(theirs)
        };
        if better {
            best = index;
        }
    }
    best
}
