//! What decides which moves are legal, and nothing more: who stands where, whose move it is,
//! castling rights, the pawn that may be taken en passant. Small, so that copying it is cheap.

use crate::attacks::{between, bishop, bishop_lines, king, knight, pawn, rook, rook_lines};
use crate::types::{Bitboard, Castling, CastlingSide, Color, File, PieceKind, Square};

/// A side as a type, so that the compiler makes one generator for each.
pub(super) trait Side {
    /// The other side.
    type Enemy: Side;
    /// The side as a value.
    const COLOR: Color;
}

/// White, as a type.
pub(super) struct White;
/// Black, as a type.
pub(super) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
}

/// The men on the board and the rights that go with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// The squares of each kind of man, of both sides.
    pub kinds: [Bitboard; 6],
    /// The squares of each side's men.
    pub colors: [Bitboard; 2],
    /// The castling rights that are left.
    pub castling: Castling,
    /// The square behind a pawn that has just moved two squares.
    pub double_push: Option<Square>,
    /// The side to move.
    pub side_to_move: Color,
}

impl Placement {
    pub const EMPTY: Placement = Placement {
        kinds: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        castling: Castling::NONE,
        double_push: None,
        side_to_move: Color::White,
    };

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The square of this side's king. A board under construction may have none: a1 stands in.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = self.of(color, PieceKind::King);
        debug_assert!(king.count() == 1);
        Square::from_low_bits(king.0.trailing_zeros())
    }

    /// Bishops and queens of this side.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen))
    }

    /// Rooks and queens of this side.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen))
    }

    /// The men of both sides that attack a square over these blockers.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen);
        let straight = self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        pawn(Color::Black, square) & self.of(Color::White, PieceKind::Pawn)
            | pawn(Color::White, square) & self.of(Color::Black, PieceKind::Pawn)
            | knight(square) & self.kind(PieceKind::Knight)
            | bishop(square, occupied) & diagonal
            | rook(square, occupied) & straight
            | king(square) & self.kind(PieceKind::King)
    }

    /// Whether a man of this side attacks a square over these blockers.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let steps = pawn(!by, square) & self.kind(PieceKind::Pawn)
            | knight(square) & self.kind(PieceKind::Knight)
            | king(square) & self.kind(PieceKind::King);
        (steps & self.color(by)).any()
            || (rook(square, occupied) & self.straight_sliders(by)).any()
            || (bishop(square, occupied) & self.diagonal_sliders(by)).any()
    }

    /// The men that give check to the side to move, and its own men that are pinned to its king.
    #[inline]
    pub fn checkers_and_pinned<S: Side>(&self) -> (Bitboard, Bitboard) {
        let king = self.king(S::COLOR);
        let enemy = S::Enemy::COLOR;
        let own = self.color(S::COLOR);
        let steps = pawn(S::COLOR, king) & self.kind(PieceKind::Pawn)
            | knight(king) & self.kind(PieceKind::Knight);
        let mut checkers = steps & self.color(enemy);
        let mut pinned = Bitboard::EMPTY;
        let snipers = rook_lines(king) & self.straight_sliders(enemy)
            | bishop_lines(king) & self.diagonal_sliders(enemy);
        for sniper in snipers {
            let blockers = between(king, sniper) & self.occupied();
            if blockers.is_empty() {
                checkers = checkers.with(sniper);
            } else if !blockers.many() {
                pinned |= blockers & own;
            }
        }
        (checkers, pinned)
    }

    /// Takes whatever stands there off the board.
    #[inline]
    pub fn clear(&mut self, square: Square) {
        let rest = !square.bitboard();
        for set in self.kinds.iter_mut().chain(&mut self.colors) {
            *set &= rest;
        }
    }

    /// Puts a man on an empty square, or takes it off its own.
    #[inline]
    pub fn toggle(&mut self, color: Color, kind: PieceKind, squares: Bitboard) {
        self.kinds[kind.index()] ^= squares;
        self.colors[color.index()] ^= squares;
    }

    /// Drops the rights that a man leaving or reaching these squares ends.
    #[inline]
    pub fn end_castling(&mut self, touched: Bitboard) {
        const BACK_RANKS: Bitboard = Bitboard(0xFF00_0000_0000_00FF);
        if (touched & BACK_RANKS).is_empty() || self.castling.is_empty() {
            return;
        }
        for color in Color::ALL {
            if self.castling.any(color) && (touched & self.of(color, PieceKind::King)).any() {
                self.castling.revoke_all(color);
            }
            for side in CastlingSide::ALL {
                if self.castling.rook(color, side).is_some_and(|rook| touched.has(rook)) {
                    self.castling.revoke(color, side);
                }
            }
        }
    }

    /// The squares that the king crosses and reaches by castling there, if right and empty squares
    /// allow it; none otherwise. The side to move must not be in check.
    #[inline]
    pub fn castling_path<S: Side>(&self, side: CastlingSide) -> Bitboard {
        let Some(rook_from) = self.castling.rook(S::COLOR, side) else { return Bitboard::EMPTY };
        let king_from = self.king(S::COLOR);
        let (king_to, rook_to) = (side.king_to(S::COLOR), side.rook_to(S::COLOR));
        let king_path = between(king_from, king_to).with(king_to);
        let rook_path = between(rook_from, rook_to).with(rook_to);
        let others = self.occupied().without(king_from).without(rook_from);
        if ((king_path | rook_path) & others).any() { Bitboard::EMPTY } else { king_path }
    }

    /// Whether the rook that castles there shields the square that its king reaches: possible in
    /// Chess960, where the rook may come from inside the board.
    #[inline]
    pub fn castling_rook_shields<S: Side>(&self, side: CastlingSide) -> bool {
        let Some(rook) = self.castling.rook(S::COLOR, side) else { return false };
        if matches!(rook.file(), File::A | File::H) {
            return false;
        }
        let king = self.king(S::COLOR);
        let after = self.occupied().without(king).without(rook).with(side.rook_to(S::COLOR));
        self.is_attacked(side.king_to(S::COLOR), S::Enemy::COLOR, after)
    }

    /// Whether the side to move may castle there now. It must not be in check.
    pub fn can_castle<S: Side>(&self, side: CastlingSide) -> bool {
        let path = self.castling_path::<S>(side);
        path.any()
            && self.attacked_among::<S>(path).is_empty()
            && !self.castling_rook_shields::<S>(side)
    }

    /// Those of some squares that the enemy of side `S` attacks once its king has left its place,
    /// behind which it cannot hide from a slider.
    #[inline]
    pub fn attacked_among<S: Side>(&self, squares: Bitboard) -> Bitboard {
        let occupied = self.occupied().without(self.king(S::COLOR));
        // For a few squares it is cheaper to look from each than to gather all attacks.
        const FEW: u32 = 2;
        if squares.count() <= FEW {
            let mut attacked = Bitboard::EMPTY;
            for square in squares {
                if self.is_attacked(square, S::Enemy::COLOR, occupied) {
                    attacked = attacked.with(square);
                }
            }
            return attacked;
        }
        self.attacks::<S::Enemy>(occupied) & squares
    }

    /// Every square that side `S` attacks over these blockers.
    pub fn attacks<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        let mut attacks = self.of(S::COLOR, PieceKind::Pawn).pawn_attacks(S::COLOR);
        attacks |= king(self.king(S::COLOR));
        for from in self.of(S::COLOR, PieceKind::Knight) {
            attacks |= knight(from);
        }
        for from in self.diagonal_sliders(S::COLOR) {
            attacks |= bishop(from, occupied);
        }
        for from in self.straight_sliders(S::COLOR) {
            attacks |= rook(from, occupied);
        }
        attacks
    }

    /// Whether a pawn of the side to move may take en passant from there without leaving its king
    /// in check.
    fn can_take_en_passant<S: Side>(&self, from: Square, to: Square) -> bool {
        let Some(captured) = to.forward(S::Enemy::COLOR) else { return false };
        let king = self.king(S::COLOR);
        let enemy = self.color(S::Enemy::COLOR).without(captured);
        let occupied = self.occupied().without(from).without(captured).with(to);
        let steps = pawn(S::COLOR, king) & self.kind(PieceKind::Pawn)
            | knight(king) & self.kind(PieceKind::Knight);
        let sliders = rook(king, occupied) & self.straight_sliders(S::Enemy::COLOR)
            | bishop(king, occupied) & self.diagonal_sliders(S::Enemy::COLOR);
        ((steps | sliders) & enemy).is_empty()
    }

    /// The pawns of the side to move that may legally take en passant.
    #[inline]
    pub fn en_passant_capturers<S: Side>(&self) -> Bitboard {
        let Some(to) = self.double_push else { return Bitboard::EMPTY };
        let beside = pawn(S::Enemy::COLOR, to) & self.of(S::COLOR, PieceKind::Pawn);
        beside.into_iter().filter(|&from| self.can_take_en_passant::<S>(from, to)).collect()
    }
}
