//! Iterations of a tuning: draw two versions, let them play, follow the winner.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use thiserror::Error;

use super::record::{Record, RecordError, Settings, Step};
use super::spsa::{Trial, trial, update};
use crate::arena::client::{Client, Failure, Patience};
use crate::arena::config::{OptionValue, Settings as Match};
use crate::arena::journal::{Journal, JournalError};
use crate::arena::runner::{self, Observer, RunError};
use crate::arena::stop::Stop;

/// Why a tuning cannot go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] RunError),
    /// The journal of the games cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine cannot be tuned.
    #[error("{0} (was it built with the feature tune?)")]
    Engine(String),
    /// An engine was at fault: its results say nothing about the numbers.
    #[error("iteration {iteration}: {fault}")]
    Fault {
        /// The iteration, from 1; it is played again when the tuning goes on.
        iteration: u32,
        /// What happened.
        fault: String,
    },
}

/// Checks that the engine starts and offers every number that is to be tuned.
///
/// # Errors
/// If it does not.
pub fn check_engine(settings: &Settings, stop: &Stop) -> Result<(), TuneError> {
    let Some(engine) = settings.games.engines.first() else {
        return Err(TuneError::Engine("there is no engine".to_owned()));
    };
    let knobs = settings.knobs()?;
    let values: Vec<String> = knobs.iter().map(|knob| knob.default.to_string()).collect();
    let needed: Vec<(&str, &str)> =
        knobs.iter().zip(&values).map(|(knob, value)| (knob.name, value.as_str())).collect();
    let patience = Patience { ready: Duration::from_secs(15), stall: Duration::from_secs(15) };
    match Client::start(engine, &needed, None, patience, &stop.now) {
        Ok(_) => Ok(()),
        Err(Failure::Stopped) => Err(TuneError::Engine("ended by the user".to_owned())),
        Err(Failure::Fault(fault)) => Err(TuneError::Engine(fault.detail)),
    }
}

/// Plays iterations until all are done or the user ends it; `told` hears of each.
///
/// `journal` is a file of its own for the games of the iteration under way.
///
/// # Errors
/// If a file cannot be written or an engine is at fault.
pub fn tune(
    record: &mut Record,
    journal: &Path,
    stop: &Stop,
    told: &dyn Fn(&Step),
) -> Result<(), TuneError> {
    let knobs = record.settings.knobs()?;
    let (gains, seed) = (record.settings.gains, record.settings.seed);
    for iteration in record.steps.len() as u32 + 1..=gains.iterations {
        let mut values = record.values()?;
        let drawn = trial(&knobs, &values, &gains, seed, iteration);
        let games = games_of(&record.settings, &drawn, iteration);
        let Some(balance) = play(&games, journal, stop, iteration)? else { return Ok(()) };
        update(&knobs, &mut values, &drawn, &gains, iteration, balance);
        record.add(Step { iteration, balance, values })?;
        if let Some(step) = record.steps.last() {
            told(step);
        }
    }
    Ok(())
}

/// The match of an iteration: other openings each time, each version with its numbers.
fn games_of(settings: &Settings, drawn: &Trial, iteration: u32) -> Match {
    let mut games = settings.games.clone();
    games.seed = settings.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(iteration));
    for (engine, version) in games.engines.iter_mut().zip([&drawn.first, &drawn.second]) {
        let values = settings.names.iter().zip(version);
        engine
            .options
            .extend(values.map(|(name, &value)| (name.clone(), OptionValue::Spin(value.into()))));
    }
    games
}

/// Games won less games lost by the first version; `None` if the user ended the run.
fn play(
    games: &Match,
    journal: &Path,
    stop: &Stop,
    iteration: u32,
) -> Result<Option<i64>, TuneError> {
    // What an iteration that was cut short has left is of no use: the whole of it is played again.
    let _ = std::fs::remove_file(journal);
    let file = Journal::create(journal, games)?;
    let end = runner::run(games, file, None, stop, &Quiet)?;
    if stop.by_user.load(Ordering::Relaxed) || end.interrupted {
        return Ok(None);
    }
    if let Some((_, reason)) = end.set_aside.first() {
        return Err(TuneError::Fault { iteration, fault: reason.clone() });
    }
    let all = end.standings.engines[0].all;
    let _ = std::fs::remove_file(journal);
    Ok(Some(all.wins as i64 - all.losses as i64))
}

/// The games of an iteration are too few to tell of.
struct Quiet;

impl Observer for Quiet {
    fn live(&self, _: &str, _: u64, _: u32) {}
    fn note(&self, _: &str) {}
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::settings;
    use super::*;
    use crate::arena::config::EngineConfig;

    #[test]
    fn each_version_gets_its_numbers_and_each_iteration_its_openings() {
        let mut settings = settings();
        settings.games.engines = vec![
            EngineConfig::default(),
            EngineConfig { name: "B".to_owned(), ..Default::default() },
        ];
        let knobs = settings.knobs().unwrap();
        let values: Vec<f64> = knobs.iter().map(|knob| knob.default.into()).collect();
        let drawn = trial(&knobs, &values, &settings.gains, 1, 1);
        let first = games_of(&settings, &drawn, 1);
        for (engine, version) in first.engines.iter().zip([&drawn.first, &drawn.second]) {
            for (name, &value) in settings.names.iter().zip(version) {
                assert_eq!(engine.options[name], OptionValue::Spin(value.into()));
            }
        }
        assert_ne!(first.seed, games_of(&settings, &drawn, 2).seed);
    }
}
