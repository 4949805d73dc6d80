//! What the games add up to: points, pairs, faults, endings.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::fault::FaultClass;
use super::game::Oddities;
use super::referee::{Ending, GameResult};
use crate::stats::{Pentanomial, Wdl};

/// A finished game as it is counted and journalled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule.
    pub game: u32,
    /// The number of its pair.
    pub pair: u32,
    /// The engine with White.
    pub white: usize,
    /// The engine with Black.
    pub black: usize,
    /// The number of its opening.
    pub opening: u32,
    /// Who has won.
    pub result: GameResult,
    /// Why; `None` when it is not known exactly, as in a recount of a PGN file.
    pub ending: Option<Ending>,
    /// Half moves, those of the opening included.
    pub plies: u32,
    /// The engine at fault, how, and the file with the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
    /// What was odd about White and Black.
    #[serde(default)]
    pub oddities: [Oddities; 2],
}

/// A fault as it is counted and journalled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The engine.
    pub engine: usize,
    /// The class.
    pub class: FaultClass,
    /// What happened.
    pub detail: String,
    /// The file with the evidence, if it could be written.
    pub evidence: Option<String>,
}

/// The counts of one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    /// All its games.
    pub all: Wdl,
    /// Its games with White.
    pub white: Wdl,
    /// Its complete pairs.
    pub pairs: Pentanomial,
    /// Its games by opponent.
    pub against: BTreeMap<usize, Wdl>,
    /// How its games ended.
    pub endings: BTreeMap<Ending, u64>,
    /// Its faults.
    pub faults: BTreeMap<FaultClass, u64>,
    /// What was odd about it.
    pub oddities: Oddities,
}

/// The counts of one opening.
#[derive(Clone, Debug, Default)]
pub struct OpeningTally {
    /// Results from White's view.
    pub white: Wdl,
    /// How the games ended.
    pub endings: BTreeMap<Ending, u64>,
}

/// The counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// By engine.
    pub engines: Vec<EngineTally>,
    /// By opening.
    pub openings: BTreeMap<u32, OpeningTally>,
    /// Games counted.
    pub games: u64,
    /// Games that were void.
    pub voids: u64,
    half_pairs: HashMap<u32, (usize, u8)>,
}

impl Standings {
    /// Counts for so many engines.
    pub fn new(engines: usize) -> Standings {
        Standings { engines: vec![EngineTally::default(); engines], ..Standings::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        let white = record.result.white_half_points();
        for (engine, opponent, points, color) in
            [(record.white, record.black, white, 0), (record.black, record.white, 2 - white, 1)]
        {
            let tally = &mut self.engines[engine];
            tally.all.add(points);
            tally.against.entry(opponent).or_default().add(points);
            if color == 0 {
                tally.white.add(points);
            }
            if let Some(ending) = record.ending {
                *tally.endings.entry(ending).or_default() += 1;
            }
            tally.oddities.merge(record.oddities[color]);
        }
        let opening = self.openings.entry(record.opening).or_default();
        opening.white.add(white);
        if let Some(ending) = record.ending {
            *opening.endings.entry(ending).or_default() += 1;
        }
        if let Some(fault) = &record.fault {
            *self.engines[fault.engine].faults.entry(fault.class).or_default() += 1;
        }
        match self.half_pairs.remove(&record.pair) {
            None => drop(self.half_pairs.insert(record.pair, (record.white, white))),
            Some((first, points)) => {
                // The two games have opposite colours, so the first White is the second Black.
                let points = points + 2 - white;
                self.engines[first].pairs.add(points);
                self.engines[record.white].pairs.add(4 - points);
            }
        }
    }

    /// The faults of an engine, all classes together.
    pub fn faults(&self, engine: usize) -> u64 {
        self.engines[engine].faults.values().sum()
    }

    /// The share of games that were void.
    pub fn void_share(&self) -> f64 {
        match self.games + self.voids {
            0 => 0.0,
            all => self.voids as f64 / all as f64,
        }
    }

    /// The engines from first to last: by share of points, then by number.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|&a, &b| {
            let share = |engine: usize| self.engines[engine].all.score();
            share(b).total_cmp(&share(a)).then(a.cmp(&b))
        });
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pair: u32, white: usize, result: GameResult) -> GameRecord {
        GameRecord {
            game: 2 * pair + white as u32,
            pair,
            white,
            black: 1 - white,
            opening: pair,
            result,
            ending: Some(Ending::Checkmate),
            plies: 10,
            fault: None,
            oddities: [Oddities::default(); 2],
        }
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_there() {
        let mut standings = Standings::new(2);
        standings.add(&record(0, 0, GameResult::White));
        assert_eq!(standings.engines[0].pairs.pairs(), 0);
        standings.add(&record(1, 1, GameResult::White));
        standings.add(&record(0, 1, GameResult::Black));
        standings.add(&record(1, 0, GameResult::Draw));
        assert_eq!(standings.engines[0].pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!(standings.engines[1].pairs, Pentanomial([1, 0, 0, 1, 0]));
        assert_eq!(standings.engines[0].all, Wdl { wins: 2, draws: 1, losses: 1 });
        assert_eq!(standings.engines[0].white, Wdl { wins: 1, draws: 1, losses: 0 });
        assert_eq!(standings.ranking(), [0, 1]);
        assert_eq!(standings.openings[&0].white, Wdl { wins: 1, draws: 0, losses: 1 });
    }

    #[test]
    fn faults_and_voids_are_counted_apart() {
        let mut standings = Standings::new(2);
        let fault = FaultRecord {
            engine: 1,
            class: FaultClass::Flag,
            detail: String::new(),
            evidence: None,
        };
        standings.add(&GameRecord { fault: Some(fault), ..record(0, 0, GameResult::White) });
        standings.voids = 1;
        assert_eq!((standings.faults(0), standings.faults(1)), (0, 1));
        assert_eq!(standings.void_share(), 0.5);
    }
}
