//! What the referee answers: a ruling, or an error when the event makes no sense now.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{Color, Square};

use super::{Outcome, RulesetError, TimeControlError, WrittenMove};
use crate::board::FenError;

/// What becomes of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum Verdict {
    /// It is in order.
    Accepted,
    /// It is not in order and has no effect beyond what the words say.
    Rejected,
    /// It is against the rules and is punished.
    Penalty {
        /// Who is punished.
        player: Color,
        /// The time the opponent gets, in ms.
        bonus_ms: u64,
    },
    /// The game is over.
    GameOver {
        /// How.
        outcome: Outcome,
    },
}

/// The referee's answer to an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ruling {
    /// What becomes of the event.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The article it rests on; empty where nothing had to be judged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub article: String,
    /// For people.
    pub words: String,
}

impl Ruling {
    pub(super) fn accepted(article: &str, words: impl Into<String>) -> Ruling {
        Ruling { verdict: Verdict::Accepted, article: article.to_owned(), words: words.into() }
    }

    pub(super) fn rejected(article: &str, words: impl Into<String>) -> Ruling {
        Ruling { verdict: Verdict::Rejected, article: article.to_owned(), words: words.into() }
    }

    pub(super) fn penalty(
        player: Color,
        bonus_ms: u64,
        article: &str,
        words: impl Into<String>,
    ) -> Ruling {
        Ruling {
            verdict: Verdict::Penalty { player, bonus_ms },
            article: article.to_owned(),
            words: words.into(),
        }
    }

    pub(super) fn game_over(outcome: Outcome) -> Ruling {
        let (article, words) = (outcome.article().to_owned(), outcome.to_string());
        Ruling { verdict: Verdict::GameOver { outcome }, article, words }
    }

    /// Whether the event was in order.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accepted
    }

    /// How the game ended, if this ruling ended it.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.verdict {
            Verdict::GameOver { outcome } => Some(outcome),
            _ => None,
        }
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// An event that makes no sense now; it changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EventError {
    /// The game is over already.
    #[error("the game is over: {0}")]
    GameOver(String),
    /// Its time lies before that of the event before it.
    #[error("the time of the event, {at} ms, is before that of the last one, {last} ms")]
    TimeRunsBack {
        /// The event's time.
        at: u64,
        /// The last event's time.
        last: u64,
    },
    /// The other player has the move.
    #[error("it is {0}'s move")]
    NotOnMove(Color),
    /// The player has made the move already and can only press the clock.
    #[error("{0} has made the move already")]
    AlreadyMoved(Color),
    /// The game is adjourned.
    #[error("the game is adjourned: it has to be resumed first")]
    Adjourned,
    /// The game is not adjourned.
    #[error("the game is not adjourned")]
    NotAdjourned,
    /// Nothing stands on the square.
    #[error("no man stands on {0}")]
    EmptySquare(Square),
    /// No square is named.
    #[error("no square is named")]
    NoSquare,
    /// The man that is said to move is not the player's.
    #[error("no man of {player} stands on {square}")]
    NotOwnMan {
        /// The player.
        player: Color,
        /// The square.
        square: Square,
    },
    /// A move said to be illegal is legal.
    #[error("{0} is a legal move")]
    LegalAfterAll(WrittenMove),
    /// No pawn waits on the last rank to be replaced.
    #[error("no pawn waits to be promoted")]
    NoPawnWaits,
    /// A pawn cannot become this.
    #[error("a pawn becomes a queen, a rook, a bishop or a knight")]
    NoPromotion,
    /// No illegal move stands on the board.
    #[error("no illegal move stands on the board")]
    NoIllegalMove,
    /// The ply is not in the game, or it was legal.
    #[error("ply {0} of the game is no illegal move")]
    NotIllegalPly(usize),
    /// The game has fewer plies.
    #[error("the game has only {0} plies")]
    NoSuchPly(usize),
    /// There is no last move of the opponent to complain about.
    #[error("there is no move of the opponent to complain about")]
    NothingToComplain,
    /// The player's clock is not running.
    #[error("{0}'s clock is not running")]
    ClockNotRunning(Color),
    /// The game keeps no clock for this player.
    #[error("the game keeps no clock for {0}")]
    NoClock(Color),
    /// The flag has not fallen.
    #[error("{player}'s flag has not fallen: {left_ms} ms are left")]
    FlagUp {
        /// The player.
        player: Color,
        /// What is left, in ms.
        left_ms: u64,
    },
    /// No draw offer stands that this player could answer.
    #[error("no draw offer stands for {0} to answer")]
    NoOffer(Color),
    /// The player's own offer stands already.
    #[error("{0}'s draw offer stands already")]
    OfferStands(Color),
    /// The player is there already.
    #[error("{0} is there already")]
    Present(Color),
    /// It is too early to speak of a default.
    #[error("the default time is not over for another {0} ms")]
    DefaultTimeNotOver(u64),
    /// The event has no default time.
    #[error("these rules have no default time")]
    NoDefaultTime,
    /// The rules do not provide for such a claim.
    #[error("these rules do not provide for this claim: the draw comes by itself")]
    NoSuchClaim,
}

/// A game that cannot be set up.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The rule set is not sound.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// A time control is not sound.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// The start position is not one.
    #[error(transparent)]
    Fen(#[from] FenError),
}
