//! A game as JSON: how it began and everything that happened. Reading it back plays it again.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Entry, Game, TagError};
use crate::board::Position;
use crate::laws::{EventError, Reason, Ruleset, SetupError, TimeControl};
use crate::types::Color;

/// The version of the layout.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<'a> {
    format: u32,
    rules: Cow<'a, Ruleset>,
    start: String,
    white: Option<TimeControl>,
    black: Option<TimeControl>,
    tags: Cow<'a, [(String, String)]>,
    log: Cow<'a, [Entry]>,
}

/// A stored game that cannot be taken up again.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The text is not the JSON of a game.
    #[error("not a stored game: {0}")]
    Json(#[from] serde_json::Error),
    /// It was written by a program with another layout.
    #[error("stored in format {0}, this program reads format {FORMAT}")]
    Format(u32),
    /// Rules, time control or start position are not sound.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A tag's name is none.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// An event of the log makes no sense where it stands.
    #[error("event {number} of the log: {error}")]
    Event {
        /// Counted from 1.
        number: usize,
        /// Why.
        error: EventError,
    },
    /// The log has another ruling than the laws give.
    #[error("event {number} of the log: the ruling should be: {words}")]
    Ruling {
        /// Counted from 1.
        number: usize,
        /// The ruling as it should be.
        words: String,
    },
}

impl Game {
    /// The game as JSON, from which [`Game::from_json`] takes it up again.
    pub fn to_json(&self) -> String {
        // Nothing in a game can fail to be written: all keys are strings.
        serde_json::to_string(&self.stored()).unwrap_or_default()
    }

    /// Takes up a stored game: plays it again and compares every ruling.
    ///
    /// # Errors
    /// When the text is no stored game or its events and rulings do not fit the laws.
    pub fn from_json(text: &str) -> Result<Game, StoreError> {
        replay(serde_json::from_str(text)?)
    }

    fn stored(&self) -> Stored<'_> {
        Stored {
            format: FORMAT,
            rules: Cow::Borrowed(&self.rules),
            start: self.history.after_plies(0).map(start_text).unwrap_or_default(),
            white: self.time_control(Color::White).cloned(),
            black: self.time_control(Color::Black).cloned(),
            tags: Cow::Borrowed(&self.tags),
            log: Cow::Borrowed(&self.log),
        }
    }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.stored().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        replay(Stored::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Shredder-FEN, with the square behind a pawn that has moved two squares even where nobody can
/// take it.
fn start_text(start: &Position) -> String {
    let fen = start.shredder_fen();
    match start.double_push() {
        None => fen,
        Some(square) => {
            let mut fields: Vec<&str> = fen.split(' ').collect();
            let square = square.to_string();
            if let Some(field) = fields.get_mut(3) {
                *field = &square;
            }
            fields.join(" ")
        }
    }
}

fn replay(stored: Stored<'_>) -> Result<Game, StoreError> {
    if stored.format != FORMAT {
        return Err(StoreError::Format(stored.format));
    }
    let start = Position::from_fen(&stored.start).map_err(SetupError::from)?;
    let controls = [stored.white, stored.black];
    let mut game = Game::from_position(start, stored.rules.into_owned(), controls)?;
    for (name, value) in stored.tags.into_owned() {
        game.set_tag(&name, value)?;
    }
    for (index, entry) in stored.log.into_owned().into_iter().enumerate() {
        let number = index + 1;
        let outcome = entry.ruling.outcome();
        let dead = outcome.is_some_and(|outcome| outcome.reason == Reason::DeadPosition);
        game.trusted = !dead;
        let ruling = game
            .apply(entry.at_ms, entry.event.clone())
            .map_err(|error| StoreError::Event { number, error })?;
        if ruling == entry.ruling {
            continue;
        }
        // What could not be decided in time then may be decided now; the ruling then stands.
        let undecided = outcome.filter(|outcome| outcome.undecided).cloned();
        match (undecided, ruling.outcome()) {
            (Some(then), Some(now)) if then.reason == now.reason => {
                game.outcome = Some(then);
                game.log.pop();
                game.log.push(entry);
            }
            _ => return Err(StoreError::Ruling { number, words: ruling.words }),
        }
    }
    game.trusted = false;
    Ok(game)
}
