//! Touching, moving, pressing the clock.

use super::{Game, Ply, Turn, Unpressed};
use crate::laws::touch::{Duty, Obligation, obligation};
use crate::laws::{Completion, EventError, Reason, Ruling, Score, Touch, TouchRule, WrittenMove};
use crate::types::{CastlingSide, Color, Move, MoveList, PieceKind, Square};

impl Game {
    pub(super) fn arrive(&mut self, player: Color) -> Result<Ruling, EventError> {
        if self.present[player.index()] {
            return Err(EventError::Present(player));
        }
        let now = self.clocks.now_ms;
        if self.rules.default_time_ms.is_some_and(|limit| now > limit) {
            return Ok(self.finish(Score::win(!player), Reason::Default { by: player }, false));
        }
        self.present[player.index()] = true;
        Ok(Ruling::accepted("", format!("{player} is there")))
    }

    /// Whether a touch of this player means anything now.
    fn has_hand_on_board(&self, player: Color) -> bool {
        player == self.on_move()
    }

    pub(super) fn adjust(&mut self, player: Color) -> Result<Ruling, EventError> {
        if !self.has_hand_on_board(player) {
            let words = "only the player having the move may adjust pieces";
            return Ok(Ruling::rejected("4.2.1", words));
        }
        self.turn.adjusting = true;
        Ok(Ruling::accepted("4.2.1", format!("{player} may adjust pieces")))
    }

    pub(super) fn touch(
        &mut self,
        player: Color,
        squares: &[Square],
        how: Touch,
    ) -> Result<Ruling, EventError> {
        if squares.is_empty() {
            return Err(EventError::NoSquare);
        }
        let position = *self.position();
        if let Some(&empty) = squares.iter().find(|&&square| !position.occupied().has(square)) {
            return Err(EventError::EmptySquare(empty));
        }
        if !self.has_hand_on_board(player) {
            let words = "touching obliges only the player having the move; the arbiter may warn";
            return Ok(Ruling::rejected("4.2.1", words));
        }
        let binding = match how {
            Touch::Intent => true,
            Touch::Accident => {
                return Ok(Ruling::accepted("4.2.2", "an accident obliges to nothing"));
            }
            Touch::Plain => !self.turn.adjusting,
        };
        if !binding {
            return Ok(Ruling::accepted("4.2.1", "adjusting obliges to nothing"));
        }
        self.decline_by_acting(player);
        if self.rules.touch == TouchRule::Free {
            return Ok(Ruling::accepted("", "touching obliges to nothing under these rules"));
        }
        // In an order nobody can tell, the own men count as touched first.
        let own = |square: &&Square| position.by_color(player).has(**square);
        self.turn.touched.extend(squares.iter().filter(own));
        self.turn.touched.extend(squares.iter().filter(|square| !own(square)));
        Ok(Ruling::accepted("4.3", duty_words(player, self.obligation().duty)))
    }

    pub(super) fn release(
        &mut self,
        player: Color,
        from: Square,
        to: Square,
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        let piece = self.own_man(player, from)?;
        let released = WrittenMove::new(from, to);
        if released.leaves_promotion_open(self.position()) {
            return self.release_pawn(player, released);
        }
        let steps = from.file().index().abs_diff(to.file().index());
        let castles = piece == PieceKind::King && from.rank() == to.rank() && steps >= 2;
        if !castles {
            return self.make_move(player, released, false);
        }
        if let Some(earlier) = self.turn.released.filter(|earlier| *earlier != released) {
            let words = format!("{player} has let go with {earlier} already");
            return Ok(Ruling::rejected("4.7.2", words));
        }
        self.decline_by_acting(player);
        self.turn.released = Some(released);
        Ok(Ruling::accepted("4.7.2", duty_words(player, self.obligation().duty)))
    }

    fn release_pawn(&mut self, player: Color, mv: WrittenMove) -> Result<Ruling, EventError> {
        let lets_go = |made: &Move| made.from() == mv.from && made.to() == mv.to;
        let obligation = self.obligation();
        if !obligation.moves.iter().any(lets_go) {
            return Ok(self.breaks_duty(player, obligation.duty));
        }
        self.decline_by_acting(player);
        self.turn.released = Some(mv);
        let words = format!("{player}'s pawn on {} has to be replaced by a new piece", mv.to);
        Ok(Ruling::accepted("4.7.3", words))
    }

    pub(super) fn promote(
        &mut self,
        player: Color,
        piece: PieceKind,
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        let pawn = self.waiting_pawn().ok_or(EventError::NoPawnWaits)?;
        if !PieceKind::PROMOTIONS.contains(&piece) {
            return Err(EventError::NoPromotion);
        }
        self.make_move(player, WrittenMove { promotion: Some(piece), ..pawn }, false)
    }

    /// The pawn that has been let go on the last rank.
    pub(super) fn waiting_pawn(&self) -> Option<WrittenMove> {
        self.turn.released.filter(|mv| mv.leaves_promotion_open(self.position()))
    }

    /// What a man let go in the middle of a move still allows; `None`: nothing of its own.
    pub(super) fn after_release(&self, released: WrittenMove) -> Option<Obligation> {
        let legal = self.position().legal_moves();
        let among = |duty, fits: &dyn Fn(&Move) -> bool| {
            let moves: MoveList = legal.iter().copied().filter(|mv| fits(mv)).collect();
            (!moves.is_empty()).then_some(Obligation { duty, moves })
        };
        if released.leaves_promotion_open(self.position()) {
            return among(Duty::Move(released.from), &|mv| {
                mv.from() == released.from && mv.to() == released.to
            });
        }
        let side = match released.to > released.from {
            true => CastlingSide::Short,
            false => CastlingSide::Long,
        };
        let rook = self.position().castling().rook(self.on_move(), side);
        rook.and_then(|rook| among(Duty::Castle(rook), &|mv| mv.is_castling() && mv.to() == rook))
            .or_else(|| among(Duty::MoveKing, &|mv| mv.from() == released.from))
            .or(Some(Obligation { duty: Duty::Any, moves: legal.clone() }))
    }

    pub(super) fn make_move(
        &mut self,
        player: Color,
        written: WrittenMove,
        two_hands: bool,
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        let position = *self.position();
        if written.leaves_promotion_open(&position) && self.rules.completion == Completion::Press {
            return self.release_pawn(player, written);
        }
        let Some(mv) = written.resolve(&position) else {
            return self.illegal_on_board(player, written);
        };
        let obligation = self.obligation();
        if !obligation.moves.contains(&mv) {
            return Ok(self.breaks_duty(player, obligation.duty));
        }
        self.complete_opponents_turn(player);
        self.decline_by_acting(player);
        self.history.play(mv);
        self.record_ply(player, Ply::Legal(mv));
        self.unpressed = Some(Unpressed { player, two_hands });
        if let Some(over) = self.end_by_position() {
            return Ok(over);
        }
        if self.rules.completion == Completion::Made {
            self.complete_turn(player);
        }
        Ok(Ruling::accepted("", format!("{player} has played {written}")))
    }

    fn breaks_duty(&self, player: Color, duty: Duty) -> Ruling {
        let article = match (self.turn.declared.is_some(), duty) {
            (true, _) => "9.5.3",
            (false, Duty::Castle(_)) => "4.4.1",
            (false, Duty::MoveKing) => "4.4.3",
            (false, Duty::Any) => "4.4.2",
            (false, Duty::TakeWith(..)) => "4.3.3",
            (false, Duty::Take(_)) => "4.3.2",
            (false, Duty::Move(_)) if self.turn.released.is_some() => "4.7",
            (false, Duty::Move(_)) => "4.3.1",
        };
        Ruling::rejected(article, duty_words(player, duty))
    }

    pub(super) fn record_ply(&mut self, player: Color, ply: Ply) {
        self.plies.push(ply);
        self.left_ms.push(self.clock_ms(player));
        self.turn = Turn::default();
        self.present[player.index()] = true;
    }

    /// The opponent's move counts as completed when the player answers it unpressed.
    pub(super) fn complete_opponents_turn(&mut self, player: Color) {
        if self.unpressed.is_some() {
            self.complete_turn(!player);
        }
    }

    /// Books the move on the player's clock and starts the opponent's.
    pub(super) fn complete_turn(&mut self, player: Color) {
        if let Some(clock) = &mut self.clocks.clocks[player.index()] {
            clock.complete_move();
            if let Some(last) = self.left_ms.last_mut() {
                *last = Some(clock.left_ms());
            }
        }
        if self.clocks.running.is_some() {
            self.clocks.running = Some(!player);
        }
        self.unpressed = None;
    }

    pub(super) fn press(&mut self, player: Color) -> Result<Ruling, EventError> {
        if let Some(made) = self.unpressed.filter(|made| made.player == player) {
            self.complete_turn(player);
            if made.two_hands {
                return Ok(self.illegal_completed(player, "7.5.4", "two hands made one move"));
            }
            return Ok(Ruling::accepted("6.2.1", format!("{player} has completed the move")));
        }
        if player != self.on_move() {
            return Err(EventError::ClockNotRunning(player));
        }
        if let Some(pawn) = self.waiting_pawn() {
            return Ok(self.pawn_left(player, pawn));
        }
        if let Some(written) = self.turn.illegal.take() {
            let what = format!("the illegal move {written} is completed; the position is restored");
            return Ok(self.illegal_completed(player, "7.5.5", &what));
        }
        let what = "the clock was pressed without a move";
        Ok(self.illegal_completed(player, "7.5.3", what))
    }

    /// A pawn left on the last rank with the clock pressed: an illegal move, and the pawn becomes a
    /// queen [7.5.2].
    fn pawn_left(&mut self, player: Color, pawn: WrittenMove) -> Ruling {
        let what = "a pawn was left on the last rank; it becomes a queen";
        let penalty = self.illegal_completed(player, "7.5.2", what);
        let queen = WrittenMove { promotion: Some(PieceKind::Queen), ..pawn };
        let Some(mv) = queen.resolve(self.position()).filter(|_| self.outcome.is_none()) else {
            return penalty;
        };
        self.complete_opponents_turn(player);
        self.history.play(mv);
        self.record_ply(player, Ply::Legal(mv));
        if let Some(over) = self.end_by_position() {
            return over;
        }
        self.complete_turn(player);
        penalty
    }

    pub(super) fn complain(
        &mut self,
        player: Color,
        squares: &[Square],
    ) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        let (Some(Ply::Legal(mv)), Some(before)) =
            (self.plies.last().copied(), self.plies.len().checked_sub(1))
        else {
            return Err(EventError::NothingToComplain);
        };
        let position = *self.history.after_plies(before).ok_or(EventError::NothingToComplain)?;
        if squares.is_empty() {
            return Err(EventError::NoSquare);
        }
        if let Some(&empty) = squares.iter().find(|&&square| !position.occupied().has(square)) {
            return Err(EventError::EmptySquare(empty));
        }
        if !self.turn.touched.is_empty() {
            let words =
                format!("{player} has touched a piece and with it lost the right to complain");
            return Ok(Ruling::rejected("4.8", words));
        }
        let due = obligation(&position, squares, self.rules.touch);
        if due.moves.contains(&mv) {
            return Ok(Ruling::rejected("4.3", "the move complies with what was touched"));
        }
        self.restore(before, squares.to_vec());
        let words = format!("the move is taken back: {}", duty_words(!player, due.duty));
        Ok(Ruling::accepted("4.3", words))
    }

    /// The kind of the player's man on a square.
    pub(super) fn own_man(&self, player: Color, square: Square) -> Result<PieceKind, EventError> {
        match self.position().piece_at(square) {
            Some(piece) if piece.color() == player => Ok(piece.kind()),
            Some(_) => Err(EventError::NotOwnMan { player, square }),
            None => Err(EventError::EmptySquare(square)),
        }
    }

    /// Ends the game if the position on the board does.
    pub(super) fn end_by_position(&mut self) -> Option<Ruling> {
        let end = match self.trusted {
            true => self.history.end_if(&self.rules, || false),
            false => self.history.automatic_end(&self.rules, &self.solver),
        };
        let (score, reason) = end?;
        Some(self.finish(score, reason, false))
    }
}

fn duty_words(player: Color, duty: Duty) -> String {
    match duty {
        Duty::Any => format!("{player} may make any legal move"),
        Duty::Move(square) => format!("{player} must move the man on {square}"),
        Duty::Take(square) => format!("{player} must take the man on {square}"),
        Duty::TakeWith(own, enemy) => {
            format!("{player} must take the man on {enemy} with the man on {own}")
        }
        Duty::Castle(rook) => format!("{player} must castle with the rook on {rook}"),
        Duty::MoveKing => format!("{player} must move the king"),
    }
}
