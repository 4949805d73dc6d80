//! Adjournment: the sealed move and its envelope [Guidelines I].

use super::{Game, Ply, Sealed};
use crate::board::Position;
use crate::laws::{Decision, Event, EventError, Reason, Ruling, Score, SealedFault, WrittenMove};
use crate::notation::{SanError, parse_san};
use crate::types::{Color, Move};

impl Game {
    /// While the game is adjourned, only what needs no board may happen.
    pub(super) fn check_adjourned(&self, event: &Event) -> Result<(), EventError> {
        match event {
            Event::Tick
            | Event::Resume
            | Event::Resign { .. }
            | Event::OfferDraw { .. }
            | Event::AcceptDraw { .. }
            | Event::DeclineDraw { .. }
            | Event::RefusePlay { .. }
            | Event::RefuseComply { .. }
            | Event::GrossBreach { .. }
            | Event::Crash { .. } => Ok(()),
            Event::Arbiter(Decision::Restore { .. } | Decision::StartClock) => {
                Err(EventError::Adjourned)
            }
            Event::Arbiter(_) => Ok(()),
            _ => Err(EventError::Adjourned),
        }
    }

    pub(super) fn seal(&mut self, player: Color, text: Option<&str>) -> Result<Ruling, EventError> {
        self.check_on_move(player)?;
        self.complete_opponents_turn(player);
        self.sealed = Some(Sealed { player, text: text.map(str::to_owned) });
        self.clocks.running = None;
        Ok(Ruling::accepted(
            "Guidelines I",
            format!("{player} seals a move; the game is adjourned"),
        ))
    }

    pub(super) fn resume(&mut self) -> Result<Ruling, EventError> {
        let sealed = self.sealed.take().ok_or(EventError::NotAdjourned)?;
        let player = sealed.player;
        let read = read_sealed(self.position(), sealed.text.as_deref());
        let mv = match read {
            Ok(mv) if self.obligation().moves.contains(&mv) => mv,
            read => {
                let fault = read.err().unwrap_or(SealedFault::Impossible);
                let reason = Reason::SealedMove { by: player, fault };
                return Ok(self.finish(Score::win(!player), reason, false));
            }
        };
        self.decline_by_acting(player);
        self.history.play(mv);
        self.record_ply(player, Ply::Legal(mv));
        if let Some(over) = self.end_by_position() {
            return Ok(over);
        }
        self.clocks.running = Some(player);
        self.complete_turn(player);
        let words =
            format!("the envelope says {}; {}'s clock runs", WrittenMove::from(mv), !player);
        Ok(Ruling::accepted("Guidelines I", words))
    }
}

/// The move in the envelope, in algebraic notation or as two squares.
fn read_sealed(position: &Position, text: Option<&str>) -> Result<Move, SealedFault> {
    let text = text.map(str::trim).filter(|text| !text.is_empty()).ok_or(SealedFault::Missing)?;
    if let Ok(written) = text.parse::<WrittenMove>() {
        return written.resolve(position).ok_or(SealedFault::Impossible);
    }
    parse_san(position, text).map_err(|error| match error {
        SanError::Ambiguous { .. } => SealedFault::Ambiguous,
        _ => SealedFault::Impossible,
    })
}
