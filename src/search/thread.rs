//! The whole state of one searching thread, and the small steps that its search is made of.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::correction::Corrections;
use super::evaluation::evaluate_with;
use super::history::{Histories, PieceTo};
use super::limits::{Control, Limits, Options};
use super::params::Params;
use super::pv::PvTable;
use super::root::RootMove;
use super::stack::Stack;
use super::table::Table;
use super::time::TimeManager;
use super::weakness::{Misjudgement, Weakness};
use crate::board::Board;
use crate::nnue::{AccumulatorStack, Network};
use crate::types::score::{DRAW, MAX_PLY, TABLEBASE_BOUND};
use crate::types::{Bitboard, Color, Depth, Move, MoveList, Piece, PieceKind, Score};

/// A counter that one thread writes and all read, alone in its cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Counter(AtomicU64);

impl Counter {
    /// A counter that stands at this number.
    pub fn at(count: u64) -> Counter {
        Counter(AtomicU64::new(count))
    }

    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Adds one; only the owner may.
    #[inline]
    pub fn increment(&self) -> u64 {
        let count = self.0.load(Relaxed) + 1;
        self.0.store(count, Relaxed);
        count
    }
}

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub network: &'a Network,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub options: &'a Options,
    /// What the endgame tables say of the root: 1 win, 0 draw, -1 loss.
    pub verdict: Option<i32>,
    /// How the user wants positions misjudged.
    pub misjudgement: Option<Misjudgement>,
    /// Ends the search of every thread.
    pub halt: AtomicBool,
    /// Nodes by thread.
    pub nodes: Vec<Counter>,
    /// Answers from the endgame tables by thread.
    pub table_hits: Vec<Counter>,
}

impl Shared<'_> {
    pub fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(Counter::get).sum()
    }

    pub fn all_table_hits(&self) -> u64 {
        self.table_hits.iter().map(Counter::get).sum()
    }
}

/// What a thread learns and keeps from one search to the next.
pub(super) struct Memory {
    pub histories: Histories,
    pub corrections: Corrections,
    /// The network's first layer along the line being searched.
    pub accumulators: AccumulatorStack,
}

impl Memory {
    pub fn new(network: &Network) -> Memory {
        Memory {
            histories: Histories::new(),
            corrections: Corrections::new(),
            accumulators: AccumulatorStack::new(network),
        }
    }

    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// Moves made one after the other at a node before one cut it off.
pub(super) type Tried = MoveList;

/// One thread at work.
pub(super) struct Thread<'a> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory,
    /// 0 for the main thread, which watches the clock and reports.
    pub index: usize,
    pub board: Board,
    pub stack: Stack,
    pub pv: PvTable,
    pub root_moves: Vec<RootMove>,
    /// The line of `MultiPV` that is searched: earlier root moves are settled.
    pub settled: usize,
    pub root_depth: Depth,
    pub completed_depth: Depth,
    /// The deepest ply of the present iteration.
    pub sel_depth: usize,
    pub time: TimeManager,
    /// Whether the clock waits for the opponent's move.
    pub pondering: bool,
    /// The nodes that this thread may visit of those that the user allows.
    node_share: u64,
    /// Below this ply no null move is tried: the search verifies one.
    pub null_move_from: usize,
    /// Whether a side has only its king at the root.
    pub faces_bare_king: bool,
    pub stopped: bool,
}

/// An equal part of the node limit for each thread, so that none uses up what others need.
fn node_share(shared: &Shared, index: usize) -> u64 {
    let threads = shared.nodes.len() as u64;
    let share = |nodes: u64| nodes / threads + u64::from((index as u64) < nodes % threads);
    shared.limits.nodes.map_or(u64::MAX, share)
}

/// Nodes that nothing but a node limit takes from the first iteration.
const FIRST_NODES: u64 = 4096;

/// Every so many nodes the main thread looks at the clock.
const CLOCK_INTERVAL: u64 = 512;

impl<'a> Thread<'a> {
    /// A thread about to search a position.
    pub fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        index: usize,
        board: &Board,
        root_moves: Vec<RootMove>,
        time: TimeManager,
    ) -> Thread<'a> {
        let mut board = board.clone();
        // The search makes a move for each ply and passes at most as often.
        board.reserve(2 * MAX_PLY);
        memory.accumulators.reset(board.position());
        let faces_bare_king = Color::ALL.iter().any(|&color| !board.by_color(color).many());
        Thread {
            shared,
            memory,
            index,
            board,
            stack: Stack::new(),
            pv: PvTable::new(),
            root_moves,
            settled: 0,
            root_depth: 0,
            completed_depth: 0,
            sel_depth: 0,
            time,
            pondering: shared.limits.ponder,
            node_share: node_share(shared, index),
            null_move_from: 0,
            faces_bare_king,
            stopped: false,
        }
    }

    #[inline]
    pub fn params(&self) -> &Params {
        &self.shared.options.params
    }

    #[inline]
    pub fn nodes(&self) -> u64 {
        self.shared.nodes[self.index].get()
    }

    /// Counts a node and sees whether the search must end before it is visited.
    #[inline]
    pub fn enter_node(&mut self) -> bool {
        if self.shared.halt.load(Relaxed) {
            self.stopped = true;
            return false;
        }
        let nodes = self.shared.nodes[self.index].get();
        if nodes >= self.node_share {
            // A helper that is through with its share leaves the others to theirs.
            self.stopped = true;
            return self.index == 0 && self.halt();
        }
        if let Some(weakness) = self.shared.options.weakness
            && self.completed_depth > 0
            && nodes >= self.weak_nodes(weakness)
        {
            return self.halt();
        }
        if self.index == 0 && nodes.is_multiple_of(CLOCK_INTERVAL) && self.must_end() {
            return self.halt();
        }
        self.shared.nodes[self.index].increment();
        true
    }

    /// The nodes that a weak player looks at. Against a bare king it takes its time.
    fn weak_nodes(&self, weakness: Weakness) -> u64 {
        const AGAINST_BARE_KING: u64 = 6_000;
        match self.faces_bare_king {
            true => weakness.level.nodes.max(AGAINST_BARE_KING),
            false => weakness.level.nodes,
        }
    }

    fn halt(&mut self) -> bool {
        self.shared.halt.store(true, Relaxed);
        self.stopped = true;
        false
    }

    /// Whether the user or the clock ends the search.
    pub fn must_end(&mut self) -> bool {
        // The first iteration, which makes the move a sensible one, takes a few milliseconds at
        // most.
        if self.completed_depth == 0 && self.nodes() < FIRST_NODES {
            return false;
        }
        if self.shared.control.is_stopped() {
            return true;
        }
        if self.pondering {
            if !self.shared.control.is_ponder_hit() {
                return false;
            }
            self.pondering = false;
            self.time.ponder_hit();
        }
        self.time.is_over(self.shared.all_nodes())
    }

    /// The static evaluation of the present position, before correction.
    pub fn raw_eval(&mut self) -> Score {
        let eval = evaluate_with(
            self.board.position(),
            self.shared.network,
            &mut self.memory.accumulators,
            &self.shared.options.params,
        )
        .score;
        match &self.shared.misjudgement {
            None => eval,
            Some(misjudgement) => (eval + misjudgement.error(self.board.position()))
                .clamp(1 - TABLEBASE_BOUND, TABLEBASE_BOUND - 1),
        }
    }

    /// The evaluation brought nearer to a draw as the fifty-move limit comes nearer, and corrected
    /// by what the search has learnt.
    pub fn corrected_eval(&self, raw: Score, correction: Score) -> Score {
        const CLOCK_SCALE: Score = 220;
        let clock = self.board.halfmove_clock().min(100) as Score;
        let scaled = raw * (CLOCK_SCALE - clock) / CLOCK_SCALE;
        (scaled + correction).clamp(1 - TABLEBASE_BOUND, TABLEBASE_BOUND - 1)
    }

    /// What the corrections say here.
    pub fn correction(&mut self, ply: usize) -> Score {
        let (earlier, last) = (self.stack.before(ply, 2).moved, self.stack.before(ply, 1).moved);
        let params = &self.shared.options.params;
        self.memory.corrections.get(self.board.position(), params, earlier, last)
    }

    /// Whether the position is drawn for the search: fifty moves without mate, repetition, or too
    /// few men to mate.
    pub fn is_draw(&self, ply: usize) -> bool {
        let board = &self.board;
        if board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_move()) {
            return true;
        }
        board.is_repetition(ply) || self.is_bare()
    }

    /// Whether there is too little to mate with: kings and one minor piece, or kings and bishops
    /// that all stand on one colour.
    fn is_bare(&self) -> bool {
        let board = &self.board;
        let (knights, bishops) =
            (board.by_kind(PieceKind::Knight), board.by_kind(PieceKind::Bishop));
        if board.occupied() != (knights | bishops | board.by_kind(PieceKind::King)) {
            return false;
        }
        let one_colour = [Bitboard::DARK, Bitboard::LIGHT].iter().any(|&c| bishops.is_subset(c));
        !(knights | bishops).many() || knights.is_empty() && one_colour
    }

    /// Makes a move and notes it on the stack.
    pub fn make_move(&mut self, mv: Move, ply: usize) {
        let moved = self.moved(mv);
        let frame = self.stack.at_mut(ply);
        frame.mv = Some(mv);
        frame.moved = moved;
        self.shared.table.prefetch(self.board.key_after(mv));
        self.memory.accumulators.push();
        self.board.make_move(mv, &mut self.memory.accumulators);
    }

    /// Passes and notes it on the stack.
    pub fn make_null(&mut self, ply: usize) {
        let frame = self.stack.at_mut(ply);
        frame.mv = None;
        frame.moved = PieceTo::NONE;
        self.board.make_null();
        self.shared.table.prefetch(self.board.key());
    }

    /// Takes the last move back.
    pub fn unmake(&mut self) {
        self.memory.accumulators.pop();
        self.board.unmake();
    }

    /// Takes a null move back.
    pub fn unmake_null(&mut self) {
        self.board.unmake();
    }

    /// The man that moves and where it goes.
    #[inline]
    pub fn moved(&self, mv: Move) -> PieceTo {
        let piece = self.board.piece_at(mv.from()).unwrap_or(Piece::WhitePawn);
        PieceTo::new(piece, mv.to())
    }

    fn captured(&self, mv: Move) -> PieceKind {
        match mv.is_en_passant() {
            true => PieceKind::Pawn,
            false => self.board.piece_at(mv.to()).map_or(PieceKind::Pawn, Piece::kind),
        }
    }

    /// The history of a capture or promotion.
    pub fn noisy_history(&mut self, mv: Move) -> i32 {
        let (moved, captured) = (self.moved(mv), self.captured(mv));
        self.memory.histories.noisy(moved, captured).get()
    }

    /// The history of a quiet move, for pruning and reductions.
    pub fn quiet_history(&mut self, mv: Move, ply: usize) -> i32 {
        let (color, threats) = (self.board.side_to_move(), self.stack.at(ply).threats);
        let moved = self.moved(mv);
        let histories = &mut self.memory.histories;
        let mut sum = histories.quiet(color, threats, mv).get();
        for plies in [1, 2] {
            sum += histories.continuation(self.stack.before(ply, plies).moved, moved).get();
        }
        sum
    }

    /// The order of a quiet move among its like.
    pub fn quiet_order(&mut self, mv: Move, ply: usize) -> i32 {
        let (color, threats) = (self.board.side_to_move(), self.stack.at(ply).threats);
        let moved = self.moved(mv);
        let pawn_key = self.board.pawn_key();
        let histories = &mut self.memory.histories;
        let mut sum = histories.quiet(color, threats, mv).get();
        sum += histories.pawn(pawn_key, moved).get();
        for (plies, weight) in [(1, 2), (2, 2), (4, 1), (6, 1)] {
            let earlier = self.stack.before(ply, plies).moved;
            sum += histories.continuation(earlier, moved).get() * weight / 2;
        }
        sum
    }

    /// Teaches the histories that a move cut off and that those tried before it did not.
    pub fn update_histories(
        &mut self,
        ply: usize,
        depth: Depth,
        best: Move,
        quiets: &Tried,
        noisies: &Tried,
    ) {
        let params = self.params();
        let bonus = (params.history_bonus() * depth - params.history_bonus_base())
            .min(params.history_bonus_max());
        let malus = (params.history_malus() * depth - params.history_malus_base())
            .min(params.history_malus_max());
        if best.is_quiet() {
            self.update_quiet(best, ply, bonus);
            for &mv in quiets.iter().filter(|&&mv| mv != best) {
                self.update_quiet(mv, ply, -malus);
            }
        } else {
            self.update_noisy(best, bonus);
        }
        for &mv in noisies.iter().filter(|&&mv| mv != best) {
            self.update_noisy(mv, -malus);
        }
    }

    /// Teaches all histories of a quiet move.
    pub fn update_quiet(&mut self, mv: Move, ply: usize, bonus: i32) {
        let (color, threats) = (self.board.side_to_move(), self.stack.at(ply).threats);
        let pawn_key = self.board.pawn_key();
        let moved = self.moved(mv);
        self.memory.histories.quiet(color, threats, mv).update(bonus);
        self.memory.histories.pawn(pawn_key, moved).update(bonus);
        self.update_continuations(ply, moved, bonus);
    }

    /// Teaches the continuations that a man's going to a square follows.
    pub fn update_continuations(&mut self, ply: usize, moved: PieceTo, bonus: i32) {
        for (plies, share) in [(1, 1), (2, 1), (4, 2), (6, 4)] {
            let earlier = self.stack.before(ply, plies).moved;
            if earlier != PieceTo::NONE {
                self.memory.histories.continuation(earlier, moved).update(bonus / share);
            }
        }
    }

    fn update_noisy(&mut self, mv: Move, bonus: i32) {
        let (moved, captured) = (self.moved(mv), self.captured(mv));
        self.memory.histories.noisy(moved, captured).update(bonus);
    }

    /// Whether the side to move may pass without much danger of zugzwang.
    pub fn may_pass(&self) -> bool {
        self.board.has_pieces(self.board.side_to_move())
    }

    /// Whether the line may not get longer.
    #[inline]
    pub fn is_too_deep(&self, ply: usize) -> bool {
        ply >= MAX_PLY - 1
    }

    /// The score of a position at which the search cannot go on.
    pub fn leaf_score(&mut self) -> Score {
        if self.board.in_check() { DRAW } else { self.raw_eval() }
    }
}
