//! The Laws of Chess as they decide games: what may be done, what follows, who has won and why.
//!
//! Numbers in brackets are articles of the FIDE Laws of Chess in force since 1 January 2023.

mod clock;
mod event;
mod game;
mod history;
mod json;
pub mod mating;
mod outcome;
mod ruleset;
mod ruling;
mod touch;
mod written;

pub use clock::{Bonus, Clock, Stage, TimeControl, TimeControlError};
pub use event::{ClaimKind, Decision, Event, Touch};
pub use game::{Entry, Game, Ply, StoreError, TagError};
pub use history::{Claims, History};
pub use outcome::{Outcome, Reason, Score, ScoreError, SealedFault};
pub use ruleset::{
    Completion, DrawRule, FoundWithin, IllegalMoveRule, OfferRule, Ruleset, RulesetError, TouchRule,
};
pub use ruling::{EventError, Ruling, SetupError, Verdict};
pub use touch::{Duty, Obligation, obligation};
pub use written::{WrittenMove, WrittenMoveError};
