//! How late this process's own threads were.
//!
//! A thread that waits for an engine can be kept off the processor after the engine has answered.
//! Linux counts that wait for each thread; elsewhere it cannot be measured and counts as zero.

use std::time::Duration;

/// Reads the time that the calling thread has waited for a processor since it began.
///
/// Must stay on the thread that made it.
#[derive(Debug)]
pub struct RunQueue {
    #[cfg(target_os = "linux")]
    file: Option<std::fs::File>,
}

impl RunQueue {
    /// A reader for the calling thread.
    pub fn of_this_thread() -> RunQueue {
        RunQueue {
            #[cfg(target_os = "linux")]
            file: std::fs::File::open("/proc/thread-self/schedstat").ok(),
        }
    }

    /// Time spent ready to run but not running; zero where the system does not tell.
    #[cfg(target_os = "linux")]
    pub fn waited(&self) -> Duration {
        use std::os::unix::fs::FileExt;

        let mut buffer = [0; 96];
        let Some(file) = &self.file else { return Duration::ZERO };
        let Ok(length) = file.read_at(&mut buffer, 0) else { return Duration::ZERO };
        parse_schedstat(&buffer[..length]).unwrap_or_default()
    }

    /// Time spent ready to run but not running; zero where the system does not tell.
    #[cfg(not(target_os = "linux"))]
    pub fn waited(&self) -> Duration {
        Duration::ZERO
    }
}

/// The second number of a `schedstat` line: nanoseconds on the run queue.
#[cfg(target_os = "linux")]
fn parse_schedstat(text: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(text).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// How a move stands to its limit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeliness {
    /// Within the limit.
    InTime,
    /// Over the limit, but not once this process's own lateness is taken off: nobody's fault.
    Void,
    /// Over the limit by the engine's own doing.
    Flag,
}

/// Judges a move that took `used` as measured, `late` of it by this process's own threads.
pub fn judge(used: Duration, late: Duration, limit: Duration) -> Timeliness {
    if used <= limit {
        Timeliness::InTime
    } else if used.saturating_sub(late) <= limit {
        Timeliness::Void
    } else {
        Timeliness::Flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_excuses_only_what_it_explains() {
        let ms = Duration::from_millis;
        assert_eq!(judge(ms(100), ms(0), ms(100)), Timeliness::InTime);
        assert_eq!(judge(ms(101), ms(0), ms(100)), Timeliness::Flag);
        assert_eq!(judge(ms(130), ms(30), ms(100)), Timeliness::Void);
        assert_eq!(judge(ms(131), ms(30), ms(100)), Timeliness::Flag);
        assert_eq!(judge(ms(5), ms(30), ms(100)), Timeliness::InTime);
        assert_eq!(judge(ms(120), ms(500), ms(100)), Timeliness::Void);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_run_queue_line_is_read() {
        assert_eq!(parse_schedstat(b"246041 587022 2\n"), Some(Duration::from_nanos(587_022)));
        assert_eq!(parse_schedstat(b"246041"), None);
        assert_eq!(parse_schedstat(b"a b c"), None);
    }

    /// A thread that competes with twice as many busy threads as processors has to wait.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_crowded_thread_is_seen_to_wait() {
        use std::sync::atomic::{AtomicBool, Ordering};

        let queue = RunQueue::of_this_thread();
        if queue.file.is_none() {
            return;
        }
        let stop = AtomicBool::new(false);
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        let waited = std::thread::scope(|scope| {
            for _ in 0..2 * processors {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let before = queue.waited();
            let start = std::time::Instant::now();
            while start.elapsed() < Duration::from_millis(200) {}
            stop.store(true, Ordering::Relaxed);
            queue.waited() - before
        });
        assert!(waited > Duration::from_millis(1), "{waited:?}");
    }
}
