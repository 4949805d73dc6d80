//! Static exchange evaluation: who wins the captures on one square?

use super::Position;
use crate::attacks::{bishop, line, rook};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Rank, Score, Square};

impl PieceKind {
    /// What a man is worth in an exchange, in centipawns; the king's is never lost.
    pub const fn exchange_value(self) -> Score {
        match self {
            PieceKind::Pawn => 100,
            PieceKind::Knight | PieceKind::Bishop => 300,
            PieceKind::Rook => 500,
            PieceKind::Queen => 900,
            PieceKind::King => 0,
        }
    }
}

impl Position {
    /// What a move takes or gains by promoting, before anything is retaken, in centipawns.
    pub fn exchange_gain(&self, mv: Move) -> Score {
        let captured = if mv.is_en_passant() {
            PieceKind::Pawn.exchange_value()
        } else if mv.is_castling() {
            0
        } else {
            self.piece_at(mv.to()).map_or(0, |piece| piece.kind().exchange_value())
        };
        let promoted = mv
            .promotion()
            .map_or(0, |kind| kind.exchange_value() - PieceKind::Pawn.exchange_value());
        captured + promoted
    }

    /// Whether a legal move wins at least `threshold` centipawns when both sides go on taking on
    /// its target square, cheapest man first, each free to stop.
    ///
    /// A pinned man does not take part while its pinner stands. Retaking pawns promote to queens.
    pub fn see(&self, mv: Move, threshold: Score) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let mut balance = self.exchange_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let moved = mv.promotion().or(self.piece_at(from).map(Piece::kind));
        let at_stake = moved.map_or(0, PieceKind::exchange_value);
        if self.pawns_may_promote_on(to, from) {
            let occupied = self.occupied().without(from).with(to);
            return balance >= self.best_retake(to, occupied, !self.side_to_move(), at_stake);
        }
        balance -= at_stake;
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied().without(from).with(to);
        if mv.is_en_passant()
            && let Some(captured) = to.forward(!self.side_to_move())
        {
            occupied = occupied.without(captured);
        }
        self.exchange(to, occupied, balance)
    }

    /// Plays the exchange out after the first capture. `balance` is what the first side has won
    /// if its man is lost too, below zero; true if it keeps at least zero.
    fn exchange(&self, to: Square, mut occupied: Bitboard, mut balance: Score) -> bool {
        let diagonal = self.by_kind(PieceKind::Bishop) | self.by_kind(PieceKind::Queen);
        let straight = self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen);
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !self.side_to_move();
        loop {
            attackers &= occupied;
            let own = attackers & self.by_color(side);
            let able = own - self.pinned_in_exchange(side, own, to, occupied);
            let Some((kind, from)) = self.cheapest(able) else { break };
            if kind == PieceKind::King && (attackers & self.by_color(!side)).any() {
                // The king may not take what is still defended.
                break;
            }
            occupied = occupied.without(from);
            balance = -balance - 1 - kind.exchange_value();
            side = !side;
            if balance >= 0 {
                break;
            }
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= bishop(to, occupied) & diagonal;
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= rook(to, occupied) & straight;
            }
        }
        // The side that cannot or need not go on has lost the exchange.
        side != self.side_to_move()
    }

    /// Whether a pawn other than the one on `from` can take on a square of its last rank.
    #[inline]
    fn pawns_may_promote_on(&self, to: Square, from: Square) -> bool {
        let color = match to.rank() {
            Rank::First => Color::Black,
            Rank::Eighth => Color::White,
            _ => return false,
        };
        let origins = to.bitboard().pawn_attacks(!color).without(from);
        (origins & self.of(color, PieceKind::Pawn)).any()
    }

    /// What a side wins at best by taking the man on `to`, which is worth `at_stake`, or by leaving
    /// it alone. Promotions make this a matter of two values at once, too rare to be fast.
    fn best_retake(&self, to: Square, occupied: Bitboard, side: Color, at_stake: Score) -> Score {
        let attackers = self.attackers_to(to, occupied) & occupied;
        let own = attackers & self.by_color(side);
        let able = own - self.pinned_in_exchange(side, own, to, occupied);
        let Some((kind, from)) = self.cheapest(able) else { return 0 };
        if kind == PieceKind::King && (attackers & self.by_color(!side)).any() {
            return 0;
        }
        let becomes = if kind == PieceKind::Pawn { PieceKind::Queen } else { kind };
        let gain = at_stake + becomes.exchange_value() - kind.exchange_value();
        let reply = self.best_retake(to, occupied.without(from), !side, becomes.exchange_value());
        (gain - reply).max(0)
    }

    /// The attackers of this side that a slider pins to their king off the line of the exchange.
    fn pinned_in_exchange(
        &self,
        side: Color,
        attackers: Bitboard,
        to: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let king = self.king(side);
        attackers
            .into_iter()
            .filter(|&from| {
                let through = line(king, from);
                if through.is_empty() || through.has(to) {
                    return false;
                }
                let without = occupied.without(from);
                let enemy = self.by_color(!side) & occupied & through;
                let diagonal = self.by_kind(PieceKind::Bishop) | self.by_kind(PieceKind::Queen);
                let straight = self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen);
                (bishop(king, without) & diagonal & enemy | rook(king, without) & straight & enemy)
                    .any()
            })
            .collect()
    }

    fn cheapest(&self, men: Bitboard) -> Option<(PieceKind, Square)> {
        PieceKind::ALL
            .into_iter()
            .find_map(|kind| (men & self.by_kind(kind)).first().map(|from| (kind, from)))
    }
}
