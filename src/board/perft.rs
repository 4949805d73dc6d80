//! Perft: counting the leaves of the legal move tree, the classic test of a move generator.

use rayon::prelude::*;

use super::Position;
use super::generate::{All, Count, Visitor, generate, origin};
use super::placement::{Placement, Side};
use super::position::for_side;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, PieceKind, Square};

/// The number of leaves `depth` plies below a position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => for_side!(position.side_to_move(), S => count_leaves::<S>(&position.men, depth)),
    }
}

/// The leaves below each legal move, in the generator's order, with the moves shared among
/// `threads` threads (0: one per processor core).
pub fn perft_divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let leaves = |mv: &Move| (*mv, perft(&position.after(*mv), depth.saturating_sub(1)));
    let moves = position.legal_moves();
    if threads == 1 {
        return moves.iter().map(leaves).collect();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| moves.par_iter().map(leaves).collect()),
        // No threads to be had: the count is the same on this one.
        Err(_) => moves.iter().map(leaves).collect(),
    }
}

fn count_leaves<S: Side>(men: &Placement, depth: u32) -> u64 {
    let (checkers, pinned) = men.checkers_and_pinned::<S>();
    if depth == 1 {
        let mut count = Count::default();
        generate::<S, All, _>(men, checkers, pinned, &mut count);
        return count.0 as u64;
    }
    let mut walk = Walk::<S> { men, depth: depth - 1, leaves: 0, side: std::marker::PhantomData };
    generate::<S, All, _>(men, checkers, pinned, &mut walk);
    walk.leaves
}

/// Makes each move it is named on a copy of the men alone and counts below it.
struct Walk<'a, S: Side> {
    men: &'a Placement,
    depth: u32,
    leaves: u64,
    side: std::marker::PhantomData<S>,
}

impl<S: Side> Walk<'_, S> {
    #[inline]
    fn descend(&mut self, kind: PieceKind, from: Square, to: Square, becomes: PieceKind) {
        let mut men = self.passed();
        let (origin, target) = (from.bitboard(), to.bitboard());
        men.end_castling(origin | target);
        if (men.color(S::Enemy::COLOR) & target).any() {
            men.clear(to);
        }
        men.toggle(S::COLOR, kind, origin);
        men.toggle(S::COLOR, becomes, target);
        self.leaves += count_leaves::<S::Enemy>(&men, self.depth);
    }

    /// The men with the other side to move.
    #[inline]
    fn passed(&self) -> Placement {
        Placement { double_push: None, side_to_move: S::Enemy::COLOR, ..*self.men }
    }
}

impl<S: Side> Visitor for Walk<'_, S> {
    #[inline]
    fn piece(&mut self, kind: PieceKind, from: Square, to: Bitboard) {
        for square in to {
            self.descend(kind, from, square, kind);
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, by: i8, kind: MoveKind) {
        for square in to {
            let from = origin(square, by);
            if kind == MoveKind::DoublePush {
                let mut men = self.passed();
                men.toggle(S::COLOR, PieceKind::Pawn, from.bitboard() | square.bitboard());
                men.double_push = square.forward(S::Enemy::COLOR);
                self.leaves += count_leaves::<S::Enemy>(&men, self.depth);
            } else {
                self.descend(PieceKind::Pawn, from, square, PieceKind::Pawn);
            }
        }
    }

    fn promotions(&mut self, to: Bitboard, by: i8, _: bool, kinds: &[PieceKind]) {
        for square in to {
            for &kind in kinds {
                self.descend(PieceKind::Pawn, origin(square, by), square, kind);
            }
        }
    }

    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        let mut men = self.passed();
        match kind {
            MoveKind::EnPassant => {
                men.toggle(S::COLOR, PieceKind::Pawn, from.bitboard() | to.bitboard());
                if let Some(captured) = to.forward(S::Enemy::COLOR) {
                    men.toggle(S::Enemy::COLOR, PieceKind::Pawn, captured.bitboard());
                }
            }
            _ => {
                let side = match kind {
                    MoveKind::CastleShort => CastlingSide::Short,
                    _ => CastlingSide::Long,
                };
                men.castling.revoke_all(S::COLOR);
                men.toggle(S::COLOR, PieceKind::King, from.bitboard());
                men.toggle(S::COLOR, PieceKind::Rook, to.bitboard());
                men.toggle(S::COLOR, PieceKind::King, side.king_to(S::COLOR).bitboard());
                men.toggle(S::COLOR, PieceKind::Rook, side.rook_to(S::COLOR).bitboard());
            }
        }
        self.leaves += count_leaves::<S::Enemy>(&men, self.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_counts() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
        ];
        for (fen, depth, leaves) in cases {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(perft(&position, depth), leaves, "{fen}");
            let divided = perft_divide(&position, depth - 1, 2);
            assert_eq!(divided.iter().map(|(_, n)| n).sum::<u64>(), perft(&position, depth - 1));
        }
    }
}
