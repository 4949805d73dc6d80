//! Who plays whom in which game, and with which opening.

use super::config::{Format, Settings};

/// The schedule of a run: every number of a game means the same game in every run.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    pairs_each: u32,
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 0.
    pub game: u32,
    /// The number of its pair, from 0: two games with one opening.
    pub pair: u32,
    /// Which of the two it is: 0 or 1.
    pub half: u32,
    /// The engine with White.
    pub white: usize,
    /// The engine with Black.
    pub black: usize,
    /// The number of its opening; all pairings of a round share one.
    pub opening: u32,
}

impl Schedule {
    /// The schedule of these settings.
    pub fn new(settings: &Settings) -> Schedule {
        let engines = settings.engines.len();
        let pairings = match settings.format {
            Format::Match | Format::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            Format::RoundRobin => (0..engines)
                .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
                .collect(),
        };
        Schedule { pairings, pairs_each: settings.games / 2 }
    }

    /// All games.
    pub fn games(&self) -> u32 {
        self.pairings.len() as u32 * self.pairs_each * 2
    }

    /// The game of a number below [`Schedule::games`].
    pub fn slot(&self, game: u32) -> Slot {
        let (pair, half) = (game / 2, game % 2);
        let pairings = self.pairings.len() as u32;
        let (first, second) = self.pairings[(pair % pairings) as usize];
        let (white, black) = if half == 0 { (first, second) } else { (second, first) };
        Slot { game, pair, half, white, black, opening: pair / pairings }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::config::EngineConfig;
    use super::*;

    fn settings(format: Format, engines: usize, games: u32) -> Settings {
        let engines = vec![EngineConfig::default(); engines];
        Settings { format, engines, games, ..Settings::default() }
    }

    #[test]
    fn every_pairing_has_every_opening_with_both_colours() {
        for (format, engines, pairings) in
            [(Format::Match, 2, 1), (Format::Gauntlet, 4, 3), (Format::RoundRobin, 4, 6)]
        {
            let schedule = Schedule::new(&settings(format, engines, 6));
            assert_eq!(schedule.games(), pairings * 6);
            let mut seen = HashMap::new();
            for game in 0..schedule.games() {
                let slot = schedule.slot(game);
                *seen.entry((slot.white, slot.black, slot.opening)).or_insert(0) += 1;
            }
            assert_eq!(seen.len(), pairings as usize * 6);
            for (&(white, black, opening), &count) in &seen {
                assert_eq!(count, 1);
                assert!(seen.contains_key(&(black, white, opening)));
                assert!(format == Format::RoundRobin || white.min(black) == 0);
            }
        }
    }
}
