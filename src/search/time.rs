//! How much of the clock to use for a move: a soft limit that each iteration looks at, a hard one
//! that nothing passes.

use std::time::{Duration, Instant};

use super::limits::{Clock, Limits, Options};

/// The time limits of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// When the clock began to run: at the start, or at the ponder hit.
    clock_start: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    nodes_per_ms: Option<u64>,
}

/// Kept in hand beyond the overhead when a clock runs low: a busy machine can take the processor
/// away for so long.
const RESERVE: Duration = Duration::from_millis(50);

/// The longest stretch that a tournament control is planned for, in moves.
const MOVES_TO_GO_MAX: u32 = 40;

impl TimeManager {
    pub fn new(limits: &Limits, options: &Options) -> TimeManager {
        let overhead = options.move_overhead;
        let mut manager = TimeManager {
            start: Instant::now(),
            clock_start: Duration::ZERO,
            soft: None,
            hard: None,
            nodes_per_ms: options.nodes_per_ms,
        };
        if limits.infinite {
            return manager;
        }
        if let Some(clock) = limits.clock {
            let (soft, hard) = shares(clock, overhead);
            (manager.soft, manager.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.move_time {
            let time = without_overhead(time, overhead);
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Starts the clock now, as the opponent has played the expected move.
    pub fn ponder_hit(&mut self) {
        self.clock_start = self.elapsed();
    }

    /// Time that counts for the limits; `nodes` stand for it if the user wants games to repeat.
    fn used(&self, nodes: u64) -> Duration {
        match self.nodes_per_ms {
            Some(rate) => Duration::from_millis(nodes / rate.max(1)),
            None => self.elapsed().saturating_sub(self.clock_start),
        }
    }

    /// Whether the search must end now.
    pub fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.used(nodes) >= hard)
    }

    /// Whether no further iteration should begin. `scale`, in percent, says how much the search
    /// wants to think: more while the best move changes or its score falls.
    pub fn is_enough(&self, nodes: u64, scale: u32) -> bool {
        self.soft.is_some_and(|soft| self.used(nodes) >= soft * scale / 100)
    }

    /// Whether there is a clock to be saved.
    pub fn has_soft_limit(&self) -> bool {
        self.soft.is_some()
    }
}

/// What is left of a time without the overhead; at least a millisecond, or half of it.
fn without_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max((time / 2).min(Duration::from_millis(1)))
}

/// Soft and hard limit for a clock.
fn shares(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let left = without_overhead(clock.time, overhead + RESERVE.min(clock.time / 2));
    let (soft, hard) = match clock.moves_to_go {
        Some(moves) => {
            let moves = moves.clamp(1, MOVES_TO_GO_MAX);
            // Every move until the control loses the overhead once.
            let all = left.saturating_sub(overhead * (moves - 1));
            let share = all / moves + clock.increment * 3 / 4;
            let most = if moves == 1 { left * 9 / 10 } else { left * 6 / 10 };
            (share * 8 / 10, (share * 4).min(most))
        }
        None => {
            let share = left / 28 + clock.increment * 7 / 10;
            (share * 8 / 10, (share * 4).min(left * 7 / 10))
        }
    };
    let hard = hard.max(Duration::from_micros(500)).min(left);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn clock(time: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        shares(Clock { time: ms(time), increment: ms(increment), moves_to_go }, ms(10))
    }

    #[test]
    fn no_limit_passes_the_clock() {
        for time in [0, 1, 5, 11, 32, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let (soft, hard) = clock(time, increment, moves);
                    assert!(soft <= hard, "{time} {increment} {moves:?}");
                    assert!(hard <= ms(time), "{time} {increment} {moves:?}");
                    assert!(time < 12 || hard <= ms(time - 10), "{time} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn a_low_clock_leaves_something_in_hand() {
        for time in [50, 100, 150, 1000] {
            let (_, hard) = clock(time, 10, None);
            assert!(hard + ms(35) <= ms(time), "{time}: {hard:?}");
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_most_of_it() {
        let (_, hard) = clock(1000, 0, Some(1));
        assert!(hard > ms(800));
        let (soft, _) = clock(40_000, 0, Some(40));
        assert!(soft > ms(500) && soft < ms(1200));
    }
}
