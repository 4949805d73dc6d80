//! Time controls and one player's clock. All times are in ms; a flag falls when the time is zero.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a move gives back, or how it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bonus {
    /// Nothing: the time only runs down.
    #[default]
    None,
    /// Fischer: this much is added after every move.
    Increment(u64),
    /// Bronstein: after every move the time used is given back, up to this much.
    Bronstein(u64),
    /// Simple (US) delay: the time starts to run down this much later.
    Delay(u64),
}

/// A stretch of the game with its own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// How many moves it has; `None`: the rest of the game.
    #[serde(default)]
    pub moves: Option<u32>,
    /// The time added when it begins.
    pub time_ms: u64,
    /// What its moves give back.
    #[serde(default)]
    pub bonus: Bonus,
}

/// One player's time control: stages, the last of which repeats if it counts moves; or a time for
/// every single move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// Sudden death, moves per period, or both in sequence.
    Stages(Vec<Stage>),
    /// Every move has this time of its own; what is left of it is lost.
    PerMove(u64),
}

/// A time control that no clock can be set to.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// There is no stage.
    #[error("time control: there is no stage")]
    NoStage,
    /// The first stage or the move has no time at all.
    #[error("time control: the first time is zero")]
    NoTime,
    /// A stage has no moves.
    #[error("time control: stage {0} has no moves")]
    NoMoves(usize),
    /// A stage that lasts for the rest of the game is not the last.
    #[error("time control: stage {0} lasts for the rest of the game but is not the last")]
    Endless(usize),
    /// The text is not a time control.
    #[error("time control: \"{0}\" is not of the form 40/5400+30:1800+30, 300b3, 300d5 or 10/move")]
    Syntax(String),
}

impl TimeControl {
    /// One time for the whole game.
    pub fn sudden_death(time_ms: u64) -> TimeControl {
        TimeControl::Stages(vec![Stage { moves: None, time_ms, bonus: Bonus::None }])
    }

    /// One time for the whole game and an increment after every move.
    pub fn fischer(time_ms: u64, increment_ms: u64) -> TimeControl {
        let bonus = Bonus::Increment(increment_ms);
        TimeControl::Stages(vec![Stage { moves: None, time_ms, bonus }])
    }

    /// Whether a clock can be set to it.
    ///
    /// # Errors
    /// Says what is wrong; stages are counted from 1.
    pub fn validate(&self) -> Result<(), TimeControlError> {
        let stages = match self {
            TimeControl::PerMove(0) => return Err(TimeControlError::NoTime),
            TimeControl::PerMove(_) => return Ok(()),
            TimeControl::Stages(stages) => stages,
        };
        let first = stages.first().ok_or(TimeControlError::NoStage)?;
        if first.time_ms == 0 && !matches!(first.bonus, Bonus::Delay(1..)) {
            return Err(TimeControlError::NoTime);
        }
        for (index, stage) in stages.iter().enumerate() {
            match stage.moves {
                Some(0) => return Err(TimeControlError::NoMoves(index + 1)),
                None if index + 1 < stages.len() => {
                    return Err(TimeControlError::Endless(index + 1));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Seconds with at most three decimals, without trailing zeros.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let decimals = format!("{rest:03}");
        write!(f, "{whole}.{}", decimals.trim_end_matches('0'))
    }
}

fn read_seconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 3 {
        return None;
    }
    let fraction: u64 = format!("{decimals:0<3}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction)
}

impl fmt::Display for TimeControl {
    /// As in the PGN tag `TimeControl`, in seconds: `40/5400+30:1800+30`; `b` marks Bronstein, `d`
    /// simple delay, `10/move` a time for every move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages = match self {
            TimeControl::PerMove(time) => return write!(f, "{}/move", Seconds(*time)),
            TimeControl::Stages(stages) => stages,
        };
        for (index, stage) in stages.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = stage.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", Seconds(stage.time_ms))?;
            match stage.bonus {
                Bonus::None => {}
                Bonus::Increment(ms) => write!(f, "+{}", Seconds(ms))?,
                Bonus::Bronstein(ms) => write!(f, "b{}", Seconds(ms))?,
                Bonus::Delay(ms) => write!(f, "d{}", Seconds(ms))?,
            }
        }
        Ok(())
    }
}

fn read_stage(text: &str) -> Option<Stage> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
        None => (None, text),
    };
    let (time, bonus) = match rest.find(['+', 'b', 'd']) {
        None => (rest, Bonus::None),
        Some(at) => {
            let ms = read_seconds(&rest[at + 1..])?;
            let bonus = match rest.as_bytes()[at] {
                b'+' => Bonus::Increment(ms),
                b'b' => Bonus::Bronstein(ms),
                _ => Bonus::Delay(ms),
            };
            (&rest[..at], bonus)
        }
    };
    Some(Stage { moves, time_ms: read_seconds(time)?, bonus })
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = || TimeControlError::Syntax(text.to_owned());
        let control = match text.strip_suffix("/move") {
            Some(time) => TimeControl::PerMove(read_seconds(time).ok_or_else(wrong)?),
            None => {
                let stages: Option<Vec<Stage>> = text.split(':').map(read_stage).collect();
                TimeControl::Stages(stages.ok_or_else(wrong)?)
            }
        };
        control.validate()?;
        Ok(control)
    }
}

/// One player's clock.
///
/// It holds what is left before the move that is being thought about and how long that has lasted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    stage: usize,
    moves_in_stage: u32,
    left_ms: u64,
    thought_ms: u64,
}

impl Clock {
    /// A clock set to the control's first time, not yet running.
    ///
    /// # Errors
    /// When the control is not sound.
    pub fn new(control: TimeControl) -> Result<Clock, TimeControlError> {
        control.validate()?;
        let left_ms = match &control {
            TimeControl::Stages(stages) => stages[0].time_ms,
            TimeControl::PerMove(time) => *time,
        };
        Ok(Clock { control, stage: 0, moves_in_stage: 0, left_ms, thought_ms: 0 })
    }

    /// The control it is set to.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    fn bonus(&self) -> Bonus {
        match &self.control {
            TimeControl::Stages(stages) => stages[self.stage].bonus,
            TimeControl::PerMove(_) => Bonus::None,
        }
    }

    fn delay_ms(&self) -> u64 {
        match self.bonus() {
            Bonus::Delay(ms) => ms,
            _ => 0,
        }
    }

    /// What it shows now, in ms.
    pub fn left_ms(&self) -> u64 {
        self.left_ms.saturating_sub(self.thought_ms.saturating_sub(self.delay_ms()))
    }

    /// Whether the time has run out.
    pub fn is_flagged(&self) -> bool {
        self.left_ms() == 0 && self.thought_ms >= self.delay_ms()
    }

    /// How much longer the player may think before the flag falls, in ms.
    pub fn until_flag_ms(&self) -> u64 {
        (self.left_ms.saturating_add(self.delay_ms())).saturating_sub(self.thought_ms)
    }

    /// Lets it run for this long.
    pub fn run_ms(&mut self, ms: u64) {
        self.thought_ms = self.thought_ms.saturating_add(ms);
    }

    /// The player has completed a move: books the time used and what it gives back, and opens the
    /// next stage when this one's moves are made.
    pub fn complete_move(&mut self) {
        let used = self.thought_ms;
        let left = self.left_ms();
        self.thought_ms = 0;
        let stages = match &self.control {
            TimeControl::PerMove(time) => {
                self.left_ms = *time;
                return;
            }
            TimeControl::Stages(stages) => stages,
        };
        let back = match self.bonus() {
            Bonus::Increment(ms) => ms,
            Bonus::Bronstein(ms) => used.min(ms),
            Bonus::None | Bonus::Delay(_) => 0,
        };
        self.left_ms = left.saturating_add(back);
        self.moves_in_stage += 1;
        if stages[self.stage].moves == Some(self.moves_in_stage) {
            self.stage = (self.stage + 1).min(stages.len() - 1);
            self.moves_in_stage = 0;
            self.left_ms = self.left_ms.saturating_add(stages[self.stage].time_ms);
        }
    }

    /// Adds time, as a penalty gives it to the opponent.
    pub fn add_ms(&mut self, ms: u64) {
        self.left_ms = self.left_ms.saturating_add(ms);
    }

    /// Sets what it shows, as an arbiter does.
    pub fn set_ms(&mut self, ms: u64) {
        self.left_ms = ms;
        self.thought_ms = 0;
    }

    /// What is left of the present stage's moves, if it counts them.
    pub fn moves_to_go(&self) -> Option<u32> {
        match &self.control {
            TimeControl::Stages(stages) => {
                stages[self.stage].moves.map(|moves| moves - self.moves_in_stage)
            }
            TimeControl::PerMove(_) => Some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().unwrap()).unwrap()
    }

    /// Thinks, asks whether the flag has fallen, and completes the move if not.
    fn play(clock: &mut Clock, ms: u64) -> bool {
        clock.run_ms(ms);
        if !clock.is_flagged() {
            clock.complete_move();
            return true;
        }
        false
    }

    #[test]
    fn sudden_death_only_runs_down() {
        let mut c = clock("10");
        assert!(play(&mut c, 4_000) && play(&mut c, 5_999));
        assert_eq!(c.left_ms(), 1);
        assert_eq!(c.until_flag_ms(), 1);
        assert!(!play(&mut c, 1));
        assert_eq!(c.left_ms(), 0);
    }

    #[test]
    fn moves_per_period_add_the_next_stage_and_the_last_repeats() {
        let mut c = clock("2/10:1/3");
        assert_eq!(c.moves_to_go(), Some(2));
        assert!(play(&mut c, 4_000) && play(&mut c, 4_000));
        assert_eq!(c.left_ms(), 2_000 + 3_000);
        for _ in 0..3 {
            assert!(play(&mut c, 3_000));
            assert_eq!((c.left_ms(), c.moves_to_go()), (5_000, Some(1)));
        }
        let mut c = clock("2/10:5");
        assert!(play(&mut c, 1_000) && play(&mut c, 1_000));
        assert_eq!((c.left_ms(), c.moves_to_go()), (13_000, None));
        assert!(play(&mut c, 1_000));
        assert_eq!(c.left_ms(), 12_000);
    }

    #[test]
    fn fischer_adds_after_the_move_and_cannot_save_a_flag() {
        let mut c = clock("3+2");
        assert!(play(&mut c, 1_000));
        assert_eq!(c.left_ms(), 4_000);
        assert!(!play(&mut c, 4_000));
    }

    #[test]
    fn bronstein_gives_back_no_more_than_was_used() {
        let mut c = clock("10b3");
        assert!(play(&mut c, 1_000));
        assert_eq!(c.left_ms(), 10_000);
        assert!(play(&mut c, 5_000));
        assert_eq!(c.left_ms(), 8_000);
        assert!(!play(&mut c, 8_000));
    }

    #[test]
    fn simple_delay_starts_the_count_later_and_is_never_saved_up() {
        let mut c = clock("2d5");
        assert!(play(&mut c, 5_000));
        assert_eq!(c.left_ms(), 2_000);
        c.run_ms(4_000);
        assert_eq!((c.left_ms(), c.until_flag_ms()), (2_000, 3_000));
        c.run_ms(2_999);
        assert!(!c.is_flagged());
        c.run_ms(1);
        assert!(c.is_flagged());
    }

    #[test]
    fn time_per_move_starts_anew_each_move() {
        let mut c = clock("10/move");
        for _ in 0..5 {
            assert!(play(&mut c, 9_999));
            assert_eq!(c.left_ms(), 10_000);
        }
        assert!(!play(&mut c, 10_000));
    }

    #[test]
    fn text_round_trips_and_nonsense_is_refused() {
        for text in ["5400", "40/5400+30:1800+30", "300b3", "0.1d0.05", "40/4", "2.5/move"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in
            ["", "x", "40/", "/40", "300+", "5:", "0", "0/60", "60:60", "1.2345", "-5", "+5"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn extreme_values_do_not_overflow() {
        let mut c = Clock::new(TimeControl::fischer(u64::MAX, u64::MAX)).unwrap();
        c.run_ms(5);
        c.add_ms(u64::MAX);
        c.complete_move();
        assert_eq!(c.left_ms(), u64::MAX);
    }
}
