//! What a search is asked for, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::params::Params;
use super::weakness::Weakness;
use crate::tablebase::Tablebase;
use crate::types::{Depth, Move};

/// Own time and what comes to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What is left on the own clock.
    pub time: Duration,
    /// What every move adds.
    pub increment: Duration,
    /// Moves until more time comes; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. Of several limits the first one reached counts; without any it goes on
/// until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Iterations to finish, at least one.
    pub depth: Option<Depth>,
    /// Nodes to visit, at least one.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins: for making training games.
    pub soft_nodes: Option<u64>,
    /// A mate in at most this many moves, given or suffered, ends the search.
    pub mate: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The game's clock.
    pub clock: Option<Clock>,
    /// Whether nothing but the depth, if given, ends the search.
    pub infinite: bool,
    /// Whether the clock starts only when the opponent plays the expected move.
    pub ponder: bool,
    /// The root moves to look at; all if empty.
    pub search_moves: Vec<Move>,
}

/// What the user has set for every search.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Time that is lost between the engine and the clock on every move.
    pub move_overhead: Duration,
    /// Nodes that stand for a millisecond, so that games repeat; `None` for the real clock.
    pub nodes_per_ms: Option<u64>,
    /// The endgame tables.
    pub tablebase: Option<Arc<Tablebase>>,
    /// The least depth at which positions with as many men as the largest tables are looked up.
    pub probe_depth: Depth,
    /// Whether the fifty-move rule counts in the tables' verdicts.
    pub fifty_move_rule: bool,
    /// How much weaker than possible to play.
    pub weakness: Option<Weakness>,
    /// The search's margins.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            multi_pv: 1,
            threads: 1,
            move_overhead: Duration::from_millis(10),
            nodes_per_ms: None,
            tablebase: None,
            probe_depth: 1,
            fifty_move_rule: true,
            weakness: None,
            params: Params::default(),
        }
    }
}

/// Stops a running search from another thread, or tells it that the opponent has played the move
/// it ponders on.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Control {
    /// Neither stopped nor hit.
    pub fn new() -> Arc<Control> {
        Arc::new(Control::default())
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Starts the clock of a pondering search.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Release);
    }

    /// Whether [`stop`](Control::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether [`ponder_hit`](Control::ponder_hit) was called.
    #[inline]
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}
