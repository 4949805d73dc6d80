//! Illegal moves: on the board, completed, found later [7.5].

use super::{Game, Ply, Unpressed};
use crate::board::{Position, Setup};
use crate::laws::{Completion, EventError, FoundWithin, Reason, Ruling, WrittenMove};
use crate::types::{CastlingSide, Color, File, Piece, PieceKind, Square};

impl Game {
    /// An illegal move is made on the board. Not completed, it is only corrected [7.5.1].
    pub(super) fn illegal_on_board(
        &mut self,
        player: Color,
        written: WrittenMove,
    ) -> Result<Ruling, EventError> {
        if self.rules.completion == Completion::Made {
            let what = format!("{written} is not a legal move");
            return Ok(self.illegal_completed(player, "7.5.5", &what));
        }
        self.own_man(player, written.from)?;
        self.decline_by_acting(player);
        let touched = touched_by(self.position(), written);
        self.turn.touched.extend(touched);
        self.turn.illegal = Some(written);
        let words = format!(
            "{written} is not a legal move and has to be corrected before the clock is pressed"
        );
        Ok(Ruling::rejected("7.5.1", words))
    }

    /// Counts a completed illegal move and punishes it: time for the opponent, or the game.
    pub(super) fn illegal_completed(&mut self, player: Color, article: &str, what: &str) -> Ruling {
        self.illegal_moves[player.index()] += 1;
        let rule = self.rules.illegal_move;
        if self.illegal_moves[player.index()] >= rule.loses_at {
            return self.finish_against(player, Reason::IllegalMove { by: player });
        }
        if let Some(clock) = &mut self.clocks.clocks[(!player).index()] {
            clock.add_ms(rule.bonus_ms);
        }
        let words = format!("{what}; {} gets {} s", !player, rule.bonus_ms as f64 / 1000.0);
        Ruling::penalty(player, rule.bonus_ms, article, words)
    }

    pub(super) fn illegal_action(
        &mut self,
        player: Color,
        words: &str,
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        Ok(self.illegal_completed(player, "7.5.5", words))
    }

    /// An illegal move is made and nobody objects: the game goes on from the position it leads to.
    ///
    /// Where that is no position at all (the player's own king in check, a king captured), it
    /// cannot stay unnoticed and is treated as a move that has to be corrected.
    pub(super) fn unnoticed_illegal(
        &mut self,
        player: Color,
        written: WrittenMove,
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        self.own_man(player, written.from)?;
        let position = self.position();
        if written.resolve(position).is_some() || written.leaves_promotion_open(position) {
            return Err(EventError::LegalAfterAll(written));
        }
        let next = forced(position, written);
        let Some(next) = next.filter(|_| self.rules.completion == Completion::Press) else {
            return self.illegal_on_board(player, written);
        };
        self.complete_opponents_turn(player);
        self.decline_by_acting(player);
        self.history.push(next);
        self.record_ply(player, Ply::Illegal(written));
        self.unpressed = Some(Unpressed { player, two_hands: false });
        Ok(Ruling::accepted("", format!("{player} has played {written}, and nobody objects")))
    }

    pub(super) fn found_illegal(&mut self, ply: Option<usize>) -> Result<Ruling, EventError> {
        let is_illegal = |index: usize| matches!(self.plies.get(index), Some(Ply::Illegal(_)));
        let index = match ply {
            Some(number) => number
                .checked_sub(1)
                .filter(|&index| is_illegal(index))
                .ok_or(EventError::NotIllegalPly(number))?,
            None => (0..self.plies.len())
                .rev()
                .find(|&index| is_illegal(index))
                .ok_or(EventError::NoIllegalMove)?,
        };
        let is_last = index + 1 == self.plies.len();
        if self.rules.illegal_move.found_within == FoundWithin::NextMove && !is_last {
            let words = "the opponent has made the next move: the illegal move stands";
            return Ok(Ruling::rejected("A.5, B.4", words));
        }
        let (Some(&before), Ply::Illegal(written)) =
            (self.history.after_plies(index), self.plies[index])
        else {
            return Err(EventError::NoIllegalMove);
        };
        let player = before.side_to_move();
        let completed = !is_last || self.unpressed.is_none();
        self.restore(index, touched_by(&before, written));
        if !completed {
            let words = format!("{written} is taken back before the clock was pressed");
            return Ok(Ruling::accepted("7.5.1", words));
        }
        let what = format!("the position before the illegal move {written} is put back");
        Ok(self.illegal_completed(player, "7.5.1", &what))
    }
}

/// The men that were touched in making an illegal move, in order: the man that moved, and the rook
/// that castled with it or the man that was taken.
fn touched_by(position: &Position, written: WrittenMove) -> Vec<Square> {
    let mut touched = vec![written.from];
    if let Some((rook, _)) = castling_rook(position, written) {
        touched.push(rook);
    } else if position.occupied().has(written.to) {
        touched.push(written.to);
    }
    touched
}

/// The rook's squares when the king goes two squares along its back rank.
fn castling_rook(position: &Position, written: WrittenMove) -> Option<(Square, Square)> {
    let color = position.side_to_move();
    let steps = written.from.file().index().abs_diff(written.to.file().index());
    if position.king(color) != written.from
        || written.from.rank() != written.to.rank()
        || steps != 2
    {
        return None;
    }
    let (side, corner) = match written.to > written.from {
        true => (CastlingSide::Short, File::H),
        false => (CastlingSide::Long, File::A),
    };
    let rook = Square::new(corner, written.from.rank());
    (position.piece_at(rook) == Some(Piece::new(color, PieceKind::Rook)))
        .then_some((rook, side.rook_to(color)))
}

/// The position after a man was simply put somewhere else; `None` if that is no position.
fn forced(position: &Position, written: WrittenMove) -> Option<Position> {
    let mut setup: Setup = position.to_setup();
    let color = position.side_to_move();
    let piece = setup.pieces[written.from.index()].take()?;
    let target = setup.pieces[written.to.index()];
    if target.is_some_and(|man| man.kind() == PieceKind::King || man.color() == color) {
        return None;
    }
    let resets = piece.kind() == PieceKind::Pawn || target.is_some();
    let placed = written.promotion.map_or(piece, |kind| Piece::new(color, kind));
    setup.pieces[written.to.index()] = Some(placed);
    if let Some((rook, to)) = castling_rook(position, written) {
        setup.pieces[to.index()] = setup.pieces[rook.index()].take();
    }
    setup.side_to_move = !color;
    setup.double_push = None;
    setup.halfmove_clock = if resets { 0 } else { setup.halfmove_clock + 1 };
    setup.fullmove_number += (color == Color::Black) as u32;
    setup.drop_impossible();
    Position::from_setup(&setup).ok()
}
