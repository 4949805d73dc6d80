//! Draw offers and draw claims [9].

use super::{Game, Ply};
use crate::laws::{ClaimKind, EventError, Reason, Ruling, Score, WrittenMove};
use crate::types::Color;

impl Game {
    /// A player who touches a piece with intent, or moves, declines the opponent's offer [9.1.2.1].
    pub(super) fn decline_by_acting(&mut self, player: Color) {
        self.offers[(!player).index()] = false;
    }

    /// How many legal moves this player has made.
    fn moves_made(&self, player: Color) -> usize {
        let by = |index: usize| self.history.after_plies(index).map(|before| before.side_to_move());
        let made = |(index, ply): &(usize, &Ply)| {
            matches!(ply, Ply::Legal(_)) && by(*index) == Some(player)
        };
        self.plies.iter().enumerate().filter(made).count()
    }

    pub(super) fn offer(&mut self, player: Color) -> Result<Ruling, EventError> {
        if self.offers[player.index()] {
            return Err(EventError::OfferStands(player));
        }
        if !self.rules.offers.allowed {
            let words = "these rules do not allow draws by agreement";
            return Ok(Ruling::rejected("9.1.1", words));
        }
        let least = self.rules.offers.after_moves;
        if Color::ALL.into_iter().any(|color| self.moves_made(color) < least as usize) {
            let words = format!("no draw by agreement before both have made {least} move(s)");
            return Ok(Ruling::rejected("5.2.3", words));
        }
        if self.offers[(!player).index()] {
            return self.accept(player);
        }
        self.offers[player.index()] = true;
        let in_time = self.unpressed.is_some_and(|made| made.player == player);
        Ok(Ruling::accepted(
            "9.1.2.1",
            match in_time {
                true => format!("{player} offers a draw"),
                false => format!(
                    "{player} offers a draw; it is valid, but belongs between the own move and the clock"
                ),
            },
        ))
    }

    pub(super) fn accept(&mut self, player: Color) -> Result<Ruling, EventError> {
        if !self.offers[(!player).index()] {
            return Err(EventError::NoOffer(player));
        }
        Ok(self.finish(Score::DRAW, Reason::Agreement, false))
    }

    pub(super) fn decline(&mut self, player: Color) -> Result<Ruling, EventError> {
        if !self.offers[(!player).index()] {
            return Err(EventError::NoOffer(player));
        }
        self.offers[(!player).index()] = false;
        Ok(Ruling::accepted("9.1.2.1", format!("{player} declines the draw")))
    }

    /// Why this player may not claim at this moment: the article and the reason.
    pub(super) fn claim_is_barred(&self, player: Color) -> Option<(&'static str, String)> {
        if player != self.on_move() {
            return Some((
                "9.2",
                format!("only the player having the move claims: {}", self.on_move()),
            ));
        }
        let touched = !self.turn.touched.is_empty() || self.turn.released.is_some();
        touched
            .then(|| ("9.4", format!("{player} has touched a piece and lost the right to claim")))
    }

    pub(super) fn claim(
        &mut self,
        player: Color,
        kind: ClaimKind,
        written: Option<WrittenMove>,
    ) -> Result<Ruling, EventError> {
        let rule = match kind {
            ClaimKind::Threefold => self.rules.repetition,
            ClaimKind::FiftyMoves => self.rules.no_progress,
        };
        let least = rule.claim.ok_or(EventError::NoSuchClaim)?;
        if let Some((article, words)) = self.claim_is_barred(player) {
            return Ok(Ruling::rejected(article, words));
        }
        let intended = written.map(|written| written.resolve(self.position()));
        let reached = match (kind, intended) {
            (_, Some(None)) => None,
            (ClaimKind::Threefold, None) => Some(self.history.occurrences()),
            (ClaimKind::Threefold, Some(Some(mv))) => Some(self.history.occurrences_after(mv)),
            (ClaimKind::FiftyMoves, None) => Some(self.position().halfmove_clock()),
            (ClaimKind::FiftyMoves, Some(Some(mv))) => {
                Some(self.position().after(mv).halfmove_clock())
            }
        };
        match reached {
            Some(value) if value >= least => {
                let reason = match kind {
                    ClaimKind::Threefold => Reason::RepetitionClaim { count: value },
                    ClaimKind::FiftyMoves => Reason::NoProgressClaim { plies: value },
                };
                Ok(self.finish(Score::DRAW, reason, false))
            }
            value => Ok(self.wrong_claim(player, kind, value, written)),
        }
    }

    /// Time for the opponent; the claim stands as a draw offer [9.1.2.3], and a legal move that was
    /// declared has to be made [9.5.3].
    fn wrong_claim(
        &mut self,
        player: Color,
        kind: ClaimKind,
        value: Option<u32>,
        written: Option<WrittenMove>,
    ) -> Ruling {
        let bonus_ms = self.rules.wrong_claim_bonus_ms;
        if let Some(clock) = &mut self.clocks.clocks[(!player).index()] {
            clock.add_ms(bonus_ms);
        }
        if self.rules.offers.allowed {
            self.offers[player.index()] = true;
        }
        let mut words = match (value, kind) {
            (None, _) => "the claim is wrong: the move written down is not legal".to_owned(),
            (Some(count), ClaimKind::Threefold) => {
                format!("the claim is wrong: the position stands {count} time(s)")
            }
            (Some(plies), ClaimKind::FiftyMoves) => format!(
                "the claim is wrong: {} moves by each player and {} ply without capture or pawn move",
                plies / 2,
                plies % 2
            ),
        };
        words += &format!("; {} gets {} s", !player, bonus_ms as f64 / 1000.0);
        if let (Some(written), Some(_)) = (written, value) {
            self.turn.declared = Some(written);
            words += &format!(", and {written} has to be made");
        }
        Ruling::penalty(player, bonus_ms, "9.5.3", words)
    }
}
