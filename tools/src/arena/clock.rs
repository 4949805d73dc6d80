//! The clock of one side, and the `go` that tells it.

use std::fmt::Write;
use std::time::Duration;

use super::time_control::{ClockControl, TimeControl};

/// What a side has left.
#[derive(Clone, Copy, Debug)]
pub struct SideClock {
    control: TimeControl,
    left: Duration,
    moves: u32,
}

impl SideClock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> SideClock {
        let left = control.clock.map_or(Duration::ZERO, |clock| clock.base);
        SideClock { control, left, moves: 0 }
    }

    /// What the next move may take; `None` without limit.
    pub fn limit(&self) -> Option<Duration> {
        let clock = self.control.clock.map(|_| self.left);
        match (clock, self.control.move_time) {
            (Some(left), Some(fixed)) => Some(left.min(fixed)),
            (left, fixed) => left.or(fixed),
        }
    }

    /// Time left on the clock; `None` without one.
    pub fn left(&self) -> Option<Duration> {
        self.control.clock.map(|_| self.left)
    }

    /// Counts a move that took `used`.
    pub fn complete(&mut self, used: Duration) {
        self.moves += 1;
        let Some(clock) = self.control.clock else { return };
        self.left = self.left.saturating_sub(used) + clock.increment;
        if clock.moves.is_some_and(|moves| self.moves.is_multiple_of(moves)) {
            self.left += clock.base;
        }
    }

    fn moves_to_go(&self, clock: ClockControl) -> Option<u32> {
        clock.moves.map(|moves| moves - self.moves % moves)
    }

    /// The `go` for this side, `other` being the opponent's clock.
    pub fn go(&self, other: &SideClock, white: bool, ponder: bool) -> String {
        let mut line = String::from(if ponder { "go ponder" } else { "go" });
        let mut add = |name: &str, value: u128| {
            // Writing to a string cannot fail.
            let _ = write!(line, " {name} {value}");
        };
        let sides = if white { [("w", self), ("b", other)] } else { [("w", other), ("b", self)] };
        if let Some(clock) = self.control.clock {
            for (letter, side) in sides {
                if side.control.clock.is_some() {
                    add(&format!("{letter}time"), side.left.as_millis().max(1));
                }
            }
            for (letter, side) in sides {
                if let Some(clock) = side.control.clock {
                    add(&format!("{letter}inc"), clock.increment.as_millis());
                }
            }
            if let Some(moves) = self.moves_to_go(clock) {
                add("movestogo", moves.into());
            }
        }
        if let Some(time) = self.control.move_time {
            add("movetime", time.as_millis().max(1));
        }
        if let Some(nodes) = self.control.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = self.control.depth {
            add("depth", depth.into());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> SideClock {
        SideClock::new(text.parse().unwrap())
    }

    #[test]
    fn clocks_run_and_tell_themselves() {
        let ms = Duration::from_millis;
        let mut white = clock("2/1+0.5");
        let black = clock("nodes=7");
        assert_eq!(white.go(&black, true, false), "go wtime 1000 winc 500 movestogo 2");
        assert_eq!(black.go(&white, false, false), "go nodes 7");
        white.complete(ms(700));
        assert_eq!(white.limit(), Some(ms(800)));
        assert_eq!(white.go(&black, true, true), "go ponder wtime 800 winc 500 movestogo 1");
        white.complete(ms(900));
        assert_eq!(white.left(), Some(ms(1500)));
        assert_eq!(black.limit(), None);
        let fixed = clock("movetime=0.1");
        assert_eq!(fixed.limit(), Some(ms(100)));
        assert_eq!(fixed.go(&white, false, false), "go movetime 100");
        let both = clock("5+0.05");
        assert_eq!(both.go(&white, false, false), "go wtime 1500 btime 5000 winc 500 binc 50");
    }
}
