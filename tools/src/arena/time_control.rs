//! How long an engine may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::ConfigError;

/// The limits of a side's thinking. Several may hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// A clock.
    pub clock: Option<ClockControl>,
    /// A fixed time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
}

/// Base time, increment, and the moves that a base is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockControl {
    /// Time at the start and, with `moves`, again after each such number of moves.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to a control; `None` for the whole game.
    pub moves: Option<u32>,
}

impl TimeControl {
    /// Whether nothing limits a search.
    pub fn is_unlimited(&self) -> bool {
        *self == TimeControl::default()
    }
}

impl FromStr for TimeControl {
    type Err = ConfigError;

    /// Reads `40/60+0.5`, `4+0.04`, `60` (seconds), `movetime=0.1`, `nodes=25000`, `depth=8`, or
    /// several of them separated by blanks.
    fn from_str(text: &str) -> Result<TimeControl, ConfigError> {
        let bad = |part: &str| ConfigError::value("tc", format!("{part:?} is no time control"));
        let mut control = TimeControl::default();
        for part in text.split_ascii_whitespace() {
            match part.split_once('=') {
                Some(("movetime" | "st", value)) => {
                    control.move_time = Some(seconds(value).ok_or_else(|| bad(part))?);
                }
                Some(("nodes", value)) => {
                    control.nodes = Some(positive(value).ok_or_else(|| bad(part))?);
                }
                Some(("depth", value)) => {
                    control.depth = Some(positive(value).ok_or_else(|| bad(part))?);
                }
                Some(_) => return Err(bad(part)),
                None => control.clock = Some(clock(part).ok_or_else(|| bad(part))?),
            }
        }
        match control.is_unlimited() {
            true => Err(bad(text)),
            false => Ok(control),
        }
    }
}

fn clock(text: &str) -> Option<ClockControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(positive(moves)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, seconds_or_zero(increment)?),
        None => (rest, Duration::ZERO),
    };
    Some(ClockControl { base: seconds(base)?, increment, moves })
}

fn seconds_or_zero(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    (0.0..=1e7).contains(&value).then(|| Duration::from_secs_f64(value))
}

fn seconds(text: &str) -> Option<Duration> {
    seconds_or_zero(text).filter(|time| !time.is_zero())
}

fn positive<T: FromStr + Default + PartialOrd>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value| *value > T::default())
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(clock) = self.clock {
            let moves = clock.moves.map_or_else(String::new, |moves| format!("{moves}/"));
            let (base, increment) = (clock.base.as_secs_f64(), clock.increment.as_secs_f64());
            parts.push(format!("{moves}{base}+{increment}"));
        }
        if let Some(time) = self.move_time {
            parts.push(format!("movetime={}", time.as_secs_f64()));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth={depth}"));
        }
        f.write_str(&parts.join(" "))
    }
}

impl TryFrom<String> for TimeControl {
    type Error = ConfigError;

    fn try_from(text: String) -> Result<TimeControl, ConfigError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        let cases = [
            ("40/60+0.5", "40/60+0.5"),
            ("4+0.04", "4+0.04"),
            ("60", "60+0"),
            ("movetime=0.1", "movetime=0.1"),
            ("nodes=25000 1+0", "1+0 nodes=25000"),
            ("depth=8", "depth=8"),
        ];
        for (text, written) in cases {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
            assert_eq!(written.parse::<TimeControl>().unwrap(), control);
        }
        for text in ["", "x", "0", "4+", "0/4", "-1", "1+-1", "nodes=0", "depth=x", "1e99", "NaN"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text:?}");
        }
    }
}
