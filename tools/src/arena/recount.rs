//! Counting again from the files of a run.

use std::path::{Path, PathBuf};

use ferz::notation::pgn;
use thiserror::Error;

use super::game::Oddities;
use super::journal::{self, Entry, JournalError};
use super::referee::{Ending, GameResult};
use super::report::Cast;
use super::standings::{GameRecord, Standings};
use crate::stats::Sprt;

/// Why files cannot be counted.
#[derive(Debug, Error)]
pub enum RecountError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A PGN file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A game of a PGN file cannot be counted.
    #[error("{path}, line {line}: {reason}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The line of the game.
        line: usize,
        /// What is missing.
        reason: String,
    },
}

/// Counts a journal.
///
/// # Errors
/// If it cannot be read or is broken.
pub fn from_journal(path: &Path) -> Result<(Cast, Standings), RecountError> {
    let (settings, entries, _) = journal::read(path)?;
    let names = settings.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standings = Standings::new(settings.engines.len());
    for entry in &entries {
        match entry {
            Entry::Game { record, .. } => standings.add(record),
            Entry::Void { .. } => standings.voids += 1,
            Entry::Run { .. } | Entry::SetAside { .. } => {}
        }
    }
    Ok((Cast { names, sprt: settings.sprt }, standings))
}

/// A game as its tags tell it.
struct Tagged {
    pair: u32,
    half: u32,
    players: [String; 2],
    result: GameResult,
    ending: Option<Ending>,
    plies: u32,
}

/// Counts a PGN file that this program has written; void games and faults are not in it.
///
/// # Errors
/// If it cannot be read or a game lacks `Round`, `White`, `Black` or a result.
pub fn from_pgn(path: &Path, sprt: Option<Sprt>) -> Result<(Cast, Standings), RecountError> {
    let bytes = std::fs::read(path)
        .map_err(|source| RecountError::File { path: path.to_owned(), source })?;
    let mut games = Vec::new();
    for game in pgn::read(&bytes) {
        let bad =
            |reason: String| RecountError::Game { path: path.to_owned(), line: game.line, reason };
        games.push(tagged(&game).map_err(bad)?);
    }
    // Numbered as in the run: in a pair's first game its first engine has White.
    let mut order: Vec<&Tagged> = games.iter().collect();
    order.sort_by_key(|game| (game.pair, game.half));
    let mut names: Vec<String> = Vec::new();
    for game in order {
        let [white, black] = &game.players;
        for name in if game.half == 0 { [white, black] } else { [black, white] } {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let number = |name: &String| names.iter().position(|other| other == name).unwrap_or_default();
    let mut standings = Standings::new(names.len());
    for game in &games {
        standings.add(&GameRecord {
            game: 2 * game.pair + game.half,
            pair: game.pair,
            white: number(&game.players[0]),
            black: number(&game.players[1]),
            opening: game.pair,
            result: game.result,
            ending: game.ending,
            plies: game.plies,
            fault: None,
            oddities: [Oddities::default(); 2],
        });
    }
    Ok((Cast { names, sprt }, standings))
}

fn tagged(game: &pgn::Game) -> Result<Tagged, String> {
    let tag = |name: &str| game.tag(name).ok_or_else(|| format!("no tag {name}"));
    let round = tag("Round")?;
    let (pair, half) = round
        .split_once('.')
        .and_then(|(pair, half)| Some((pair.parse::<u32>().ok()?, half.parse::<u32>().ok()?)))
        .filter(|&(pair, half)| pair > 0 && (1..=2).contains(&half))
        .ok_or_else(|| format!("Round {round:?} is not of the form PAIR.GAME"))?;
    let result = match game.result() {
        pgn::GameResult::WhiteWins => GameResult::White,
        pgn::GameResult::BlackWins => GameResult::Black,
        pgn::GameResult::Draw => GameResult::Draw,
        pgn::GameResult::Unknown => return Err("no result".to_owned()),
    };
    Ok(Tagged {
        pair: pair - 1,
        half: half - 1,
        players: [tag("White")?.to_owned(), tag("Black")?.to_owned()],
        result,
        ending: game.tag("Ending").and_then(Ending::from_name),
        plies: game.plies.len() as u32,
    })
}
