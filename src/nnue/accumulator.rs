//! The first layer, kept up to date move by move.
//!
//! A move only notes which men it placed and removed. The sums are worked out when a position is
//! evaluated: from the nearest earlier position whose sums are known, or, when the own king has
//! crossed the middle of the board since, from a cached board with the same view.

use arrayvec::ArrayVec;

use super::arch::MAX_MEN;
use super::features::View;
use super::network::Network;
use super::simd::{Neurons, Rows};
use crate::board::{Observer, Position};
use crate::types::score::MAX_PLY;
use crate::types::{Bitboard, Color, Piece, PieceKind, Score, Square};

/// The most men one move places or removes: castling moves two.
const MAX_CHANGES: usize = 2;

type Changes = ArrayVec<(Piece, Square), MAX_CHANGES>;

/// One position on the way from the root.
#[derive(Clone, Debug)]
struct Entry {
    sums: [Neurons; 2],
    /// Whether `sums` are worked out.
    known: [bool; 2],
    views: [View; 2],
    placed: Changes,
    removed: Changes,
    /// Whether the changes did not fit, so that only the position tells what stands where.
    lost: bool,
}

/// A board and its sums, to refresh another board with the same view from.
#[derive(Clone, Debug)]
struct CachedBoard {
    sums: Neurons,
    men: [Bitboard; Piece::COUNT],
}

/// The sums along the line a search thread follows.
///
/// A stack belongs to the network it was made for. Each move is `push` then
/// [`Board::make_move`](crate::board::Board::make_move) with the stack as observer; each move
/// taken back is `pop`. A null move needs neither.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    entries: Vec<Entry>,
    top: usize,
    /// By colour and whether the view is mirrored.
    cache: [[CachedBoard; 2]; 2],
}

impl AccumulatorStack {
    /// A stack for this network; `reset` it before use.
    pub fn new(network: &Network) -> AccumulatorStack {
        let board = CachedBoard { sums: *network.hidden_bias(), men: [Bitboard(0); Piece::COUNT] };
        let entry = Entry {
            sums: [*network.hidden_bias(); 2],
            known: [false; 2],
            views: Color::ALL.map(|color| View::new(color, Square::E1.relative_to(color))),
            placed: Changes::new(),
            removed: Changes::new(),
            lost: true,
        };
        let cache = std::array::from_fn(|_| [board.clone(), board.clone()]);
        AccumulatorStack { entries: vec![entry; MAX_PLY + 2], top: 0, cache }
    }

    /// Starts again from this position.
    pub fn reset(&mut self, position: &Position) {
        self.top = 0;
        let entry = &mut self.entries[0];
        entry.known = [false; 2];
        entry.views = Color::ALL.map(|color| View::new(color, position.king(color)));
    }

    /// Opens an entry for the move about to be made.
    #[inline]
    pub fn push(&mut self) {
        let views = self.entries[self.top].views;
        self.top += 1;
        if self.top == self.entries.len() {
            let last = self.entries[self.top - 1].clone();
            self.entries.push(last);
        }
        let entry = &mut self.entries[self.top];
        entry.known = [false; 2];
        entry.views = views;
        entry.placed.clear();
        entry.removed.clear();
        entry.lost = false;
    }

    /// Goes back to the position before the last move; at the first position, stays there.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "a move taken back that was never made");
        self.top = self.top.saturating_sub(1);
    }

    /// The network's score of the position the stack stands at, in centipawns for the side to
    /// move.
    pub fn evaluate(&mut self, position: &Position, network: &Network) -> Score {
        for color in Color::ALL {
            self.bring_up_to_date(color, position, network);
        }
        let own = position.side_to_move();
        let sums = &self.entries[self.top].sums;
        let men = position.occupied().0.count_ones() as usize;
        network.output(&sums[own.index()], &sums[(!own).index()], men)
    }

    fn bring_up_to_date(&mut self, color: Color, position: &Position, network: &Network) {
        let side = color.index();
        let mut base = self.top;
        while !self.entries[base].known[side] {
            let entry = &self.entries[base];
            if base == 0 || entry.lost || entry.views[side] != self.entries[base - 1].views[side] {
                return self.refresh(color, position, network);
            }
            base -= 1;
        }
        for index in base + 1..=self.top {
            let (earlier, later) = self.entries.split_at_mut(index);
            let (from, to) = (&earlier[index - 1], &mut later[0]);
            let view = to.views[side];
            let row = |&(piece, square): &(Piece, Square)| view.input(piece, square) as u16;
            let added: ArrayVec<u16, MAX_CHANGES> = to.placed.iter().map(row).collect();
            let removed: ArrayVec<u16, MAX_CHANGES> = to.removed.iter().map(row).collect();
            let rows = Rows { added: &added, removed: &removed };
            let sums = &mut to.sums[side];
            network.kernels().update(network.input(), &from.sums[side], sums, rows);
            to.known[side] = true;
        }
    }

    /// Works the sums out from the cached board, which then becomes this one.
    fn refresh(&mut self, color: Color, position: &Position, network: &Network) {
        let entry = &mut self.entries[self.top];
        let view = entry.views[color.index()];
        let board = &mut self.cache[color.index()][usize::from(view.is_mirrored())];
        let mut added = ArrayVec::<u16, MAX_MEN>::new();
        let mut removed = ArrayVec::<u16, MAX_MEN>::new();
        for piece in Piece::ALL {
            let old = board.men[piece.index()];
            let new = position.of(piece.color(), piece.kind());
            let row = |square| view.input(piece, square) as u16;
            added.extend((new & !old).into_iter().map(row));
            removed.extend((old & !new).into_iter().map(row));
            board.men[piece.index()] = new;
        }
        let rows = Rows { added: &added, removed: &removed };
        network.kernels().refresh(network.input(), &mut board.sums, rows);
        entry.sums[color.index()] = board.sums;
        entry.known[color.index()] = true;
    }
}

impl Observer for AccumulatorStack {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let entry = &mut self.entries[self.top];
        entry.lost |= entry.removed.try_push((piece, square)).is_err();
    }

    #[inline]
    fn placed(&mut self, piece: Piece, square: Square) {
        let entry = &mut self.entries[self.top];
        entry.lost |= entry.placed.try_push((piece, square)).is_err();
        if piece.kind() == PieceKind::King {
            entry.views[piece.color().index()] = View::new(piece.color(), square);
        }
    }
}
