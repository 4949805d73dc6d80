//! How players and arbiters end games.

use super::Game;
use crate::laws::mating::Possible;
use crate::laws::{EventError, Outcome, Reason, Ruling, Score};
use crate::types::Color;

impl Game {
    /// Ends the game.
    pub(super) fn finish(&mut self, score: Score, reason: Reason, undecided: bool) -> Ruling {
        let outcome = Outcome { score, reason, undecided };
        self.outcome = Some(outcome.clone());
        self.clocks.running = None;
        self.sealed = None;
        self.unpressed = None;
        Ruling::game_over(outcome)
    }

    /// This player loses, unless the opponent cannot mate by any series of legal moves from the
    /// position after the last move made on the board: then it is a draw.
    pub(super) fn finish_against(&mut self, player: Color, reason: Reason) -> Ruling {
        let win = Score::win(!player);
        if !self.rules.win_needs_possible_mate {
            return self.finish(win, reason, false);
        }
        let verdict = self.solver.can_mate(self.position(), !player);
        match verdict.answer.possible() {
            Possible::Yes => self.finish(win, reason, false),
            Possible::No => self.finish(Score::DRAW, reason, false),
            Possible::Undecided => self.finish(win, reason, true),
        }
    }

    /// This player loses, unless the arbiter states another score.
    pub(super) fn finish_by_arbiter(
        &mut self,
        player: Color,
        score: Option<Score>,
        reason: Reason,
    ) -> Ruling {
        self.finish(score.unwrap_or(Score::win(!player)), reason, false)
    }

    pub(super) fn flag(&mut self, player: Color) -> Result<Ruling, EventError> {
        match self.clock_ms(player) {
            // A clock that this game keeps has been asked before the event was judged.
            Some(left_ms) => Err(EventError::FlagUp { player, left_ms }),
            None => Ok(self.finish_against(player, Reason::Flag { by: player })),
        }
    }

    pub(super) fn default(
        &mut self,
        player: Color,
        score: Option<Score>,
    ) -> Result<Ruling, EventError> {
        if self.present[player.index()] {
            return Err(EventError::Present(player));
        }
        let limit = self.rules.default_time_ms.ok_or(EventError::NoDefaultTime)?;
        if self.clocks.now_ms <= limit {
            return Err(EventError::DefaultTimeNotOver(limit - self.clocks.now_ms));
        }
        Ok(self.finish_by_arbiter(player, score, Reason::Default { by: player }))
    }
}
