//! Touch-move: what the touched men oblige the player to do [4].

use crate::board::Position;
use crate::types::{Color, Move, MoveList, PieceKind, Square};

use super::TouchRule;

/// What a player has to do on this move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Duty {
    /// Any legal move: nothing was touched, or nothing touched can comply [4.5].
    Any,
    /// Move the man on this square [4.3.1].
    Move(Square),
    /// Take the man on this square [4.3.2].
    Take(Square),
    /// Take the second with the first [4.3.3].
    TakeWith(Square, Square),
    /// Castle with the rook on this square [4.4.1].
    Castle(Square),
    /// Move the king, since castling is illegal [4.4.3].
    MoveKing,
}

/// The duty and the legal moves that fulfil it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What has to be done.
    pub duty: Duty,
    /// The legal moves that do it; none only if there is no legal move at all.
    pub moves: MoveList,
}

/// What men touched in this order oblige the side to move to.
///
/// `touched` holds the squares in the order of touching; men that were touched in an order nobody
/// can tell are given own men first [4.3.3]. Squares may repeat; empty ones are passed over.
pub fn obligation(position: &Position, touched: &[Square], rule: TouchRule) -> Obligation {
    let legal = position.legal_moves();
    if rule == TouchRule::Free {
        return Obligation { duty: Duty::Any, moves: legal };
    }
    let hand = Hand::new(position, touched);
    // A rook touched before the king may not castle on this move [4.4.2].
    let mut allowed = legal.clone();
    allowed.retain(|mv| !(mv.is_castling() && hand.rook_came_first(mv.to())));
    if allowed.is_empty() {
        allowed = legal;
    }
    let (duty, moves) = hand.duty(&allowed, rule).unwrap_or((Duty::Any, allowed));
    Obligation { duty, moves }
}

/// The square of the man that a move takes.
pub(super) fn taken_square(mv: Move) -> Option<Square> {
    if mv.is_en_passant() {
        Some(Square::new(mv.to().file(), mv.from().rank()))
    } else {
        mv.is_capture().then_some(mv.to())
    }
}

/// The touched men in order, each once.
struct Hand<'a> {
    position: &'a Position,
    player: Color,
    men: Vec<Square>,
}

impl<'a> Hand<'a> {
    fn new(position: &'a Position, touched: &[Square]) -> Hand<'a> {
        let mut men = Vec::with_capacity(touched.len());
        for &square in touched {
            if position.occupied().has(square) && !men.contains(&square) {
                men.push(square);
            }
        }
        Hand { position, player: position.side_to_move(), men }
    }

    fn is_own(&self, square: Square) -> bool {
        self.position.by_color(self.player).has(square)
    }

    fn own(&self) -> impl Iterator<Item = Square> {
        self.men.iter().copied().filter(|&square| self.is_own(square))
    }

    fn enemy(&self) -> impl Iterator<Item = Square> {
        self.men.iter().copied().filter(|&square| !self.is_own(square))
    }

    fn king(&self) -> Square {
        self.position.king(self.player)
    }

    fn place(&self, square: Square) -> Option<usize> {
        self.men.iter().position(|&man| man == square)
    }

    fn rook_came_first(&self, rook: Square) -> bool {
        match (self.place(rook), self.place(self.king())) {
            (Some(rook), Some(king)) => rook < king,
            _ => false,
        }
    }

    /// The first of the own rooks touched after the king.
    fn rook_after_king(&self) -> Option<Square> {
        let king = self.place(self.king())?;
        let rooks = self.position.of(self.player, PieceKind::Rook);
        self.men[king..].iter().copied().find(|&square| rooks.has(square))
    }

    fn duty(&self, moves: &MoveList, rule: TouchRule) -> Option<(Duty, MoveList)> {
        let both = self.own().next().is_some() && self.enemy().next().is_some();
        if !both {
            return self.first_that_can(self.men.iter().copied(), moves);
        }
        if rule == TouchRule::AnyPair {
            let pairs = self.enemy().flat_map(|enemy| self.own().map(move |own| (own, enemy)));
            return pairs
                .into_iter()
                .find_map(|(own, enemy)| take_with(own, enemy, moves))
                .or_else(|| self.first_that_can(self.own(), moves))
                .or_else(|| self.first_that_can(self.enemy(), moves));
        }
        take_with(self.own().next()?, self.enemy().next()?, moves)
            .or_else(|| self.first_that_can(self.men.iter().copied(), moves))
    }

    fn first_that_can(
        &self,
        mut men: impl Iterator<Item = Square>,
        moves: &MoveList,
    ) -> Option<(Duty, MoveList)> {
        men.find_map(|square| {
            if !self.is_own(square) {
                return among(Duty::Take(square), moves, |mv| taken_square(mv) == Some(square));
            }
            match self.rook_after_king() {
                Some(rook) if square == self.king() => Some(self.castle_with(rook, moves)),
                _ => among(Duty::Move(square), moves, |mv| mv.from() == square),
            }
        })
    }

    /// King, then rook: castle if it is legal, else move the king, else anything goes.
    fn castle_with(&self, rook: Square, moves: &MoveList) -> (Duty, MoveList) {
        among(Duty::Castle(rook), moves, |mv| mv.is_castling() && mv.to() == rook)
            .or_else(|| among(Duty::MoveKing, moves, |mv| mv.from() == self.king()))
            .unwrap_or((Duty::Any, moves.clone()))
    }
}

fn take_with(own: Square, enemy: Square, moves: &MoveList) -> Option<(Duty, MoveList)> {
    let takes = |mv: Move| mv.from() == own && taken_square(mv) == Some(enemy);
    among(Duty::TakeWith(own, enemy), moves, takes)
}

fn among(duty: Duty, moves: &MoveList, fits: impl Fn(Move) -> bool) -> Option<(Duty, MoveList)> {
    let moves: MoveList = moves.iter().copied().filter(|&mv| fits(mv)).collect();
    (!moves.is_empty()).then_some((duty, moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duty(fen: &str, touched: &[Square]) -> Duty {
        obligation(&Position::from_fen(fen).unwrap(), touched, TouchRule::Fide).duty
    }

    #[test]
    fn the_first_touched_man_that_can_complies() {
        use Square::{A1, B1, C3, D5, E2, F3};
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(duty(start, &[]), Duty::Any);
        assert_eq!(duty(start, &[A1]), Duty::Any);
        assert_eq!(duty(start, &[A1, B1, E2]), Duty::Move(B1));
        let fight = "4k3/8/8/3p4/8/2N2B2/8/4K3 w - - 0 1";
        assert_eq!(duty(fight, &[D5]), Duty::Take(D5));
        assert_eq!(duty(fight, &[F3, D5]), Duty::TakeWith(F3, D5));
        assert_eq!(duty(fight, &[D5, C3]), Duty::TakeWith(C3, D5));
    }

    #[test]
    fn en_passant_takes_the_pawn_where_it_stands() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(duty(fen, &[Square::D5]), Duty::Take(Square::D5));
        assert_eq!(duty(fen, &[Square::E5, Square::D5]), Duty::TakeWith(Square::E5, Square::D5));
    }
}
