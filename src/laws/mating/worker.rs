//! The one thread on which the full search of the crate runs: it can be waited for, not cancelled.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use chasolver::Winnability;

/// The crate recurses up to a thousand moves deep.
const STACK_BYTES: usize = 16 << 20;

struct Job {
    board: chess::Board,
    winner: chess::Color,
    /// Set when nobody waits any longer: a job not yet begun is then skipped.
    abandoned: Arc<AtomicBool>,
    reply: Sender<Reply>,
}

/// What the thread answers.
pub(super) enum Reply {
    /// The crate's answer; `None`: it gave up.
    Answer(Option<Winnability>),
    /// The crate panicked.
    Panicked,
}

/// Why there is no reply.
pub(super) enum NoReply {
    /// The budget is used up.
    Timeout,
    /// The thread could not be started.
    NoThread,
}

/// A handle of the solver thread, which starts with the first question and ends with the handle.
#[derive(Default)]
pub(super) struct Worker {
    jobs: OnceLock<Option<Sender<Job>>>,
}

impl Worker {
    /// Asks the full search and waits at most this long, also for an earlier question whose answer
    /// came too late.
    pub fn ask(
        &self,
        board: chess::Board,
        winner: chess::Color,
        budget: Duration,
    ) -> Result<Reply, NoReply> {
        let jobs = self.jobs.get_or_init(start).as_ref().ok_or(NoReply::NoThread)?;
        let (reply, answer) = mpsc::channel();
        let abandoned = Arc::new(AtomicBool::new(false));
        let job = Job { board, winner, abandoned: abandoned.clone(), reply };
        jobs.send(job).map_err(|_| NoReply::NoThread)?;
        answer.recv_timeout(budget).map_err(|error| {
            abandoned.store(true, Ordering::Relaxed);
            match error {
                RecvTimeoutError::Timeout => NoReply::Timeout,
                RecvTimeoutError::Disconnected => NoReply::NoThread,
            }
        })
    }
}

fn start() -> Option<Sender<Job>> {
    let (sender, jobs) = mpsc::channel();
    let thread = thread::Builder::new().name("ferz-mating".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(move || serve(&jobs)).ok()?;
    Some(sender)
}

fn serve(jobs: &Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        if job.abandoned.load(Ordering::Relaxed) {
            continue;
        }
        let search = AssertUnwindSafe(|| chasolver::winnability(&job.board, job.winner));
        let reply = match catch_unwind(search) {
            Ok(answer) => Reply::Answer(answer),
            Err(_) => Reply::Panicked,
        };
        // Whoever asked may be gone: a late answer is dropped.
        let _ = job.reply.send(reply);
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn a_late_answer_is_dropped_and_the_next_question_is_answered() {
        let worker = Worker::default();
        let slow =
            chess::Board::from_str("8/1p3b2/pPp1p1p1/BkP1P1P1/1P6/BPB5/PKP5/8 w - -").unwrap();
        let quick = chess::Board::from_str("7k/8/8/8/8/8/8/KQ6 w - -").unwrap();
        let late = worker.ask(slow, chess::Color::White, Duration::ZERO);
        assert!(matches!(late, Err(NoReply::Timeout)));
        let next = worker.ask(quick, chess::Color::White, Duration::from_secs(60));
        assert!(matches!(next, Ok(Reply::Answer(Some(Winnability::Winnable { .. })))));
    }
}
