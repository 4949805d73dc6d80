//! One search as both sides see it: those who ask for its end, and the driver that waits for them.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::search::Control;

/// The state that the session and the driver share about one search.
pub(super) struct Run {
    control: Arc<Control>,
    kind: Kind,
    state: Mutex<State>,
    changed: Condvar,
}

/// What runs, and when it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A search that answers when it is over.
    Bounded,
    /// A search that answers only to `stop`.
    Infinite,
    /// A search in the opponent's time.
    Ponder,
    /// Perft or bench.
    Counting,
}

#[derive(Default)]
struct State {
    stopped: bool,
    ponder_hit: bool,
    done: bool,
}

impl Run {
    pub(super) fn new(kind: Kind) -> Run {
        Run { control: Control::new(), kind, state: Mutex::default(), changed: Condvar::new() }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The flags that the searcher looks at.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    pub(super) fn stop(&self) {
        self.lock().stopped = true;
        self.control.stop();
        self.changed.notify_all();
    }

    /// Only the first hit of a pondering search counts.
    pub(super) fn ponder_hit(&self) {
        let mut state = self.lock();
        if self.kind == Kind::Ponder && !state.ponder_hit && !state.done {
            state.ponder_hit = true;
            self.control.ponder_hit();
            self.changed.notify_all();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    pub(super) fn is_active(&self) -> bool {
        let state = self.lock();
        !state.done && !state.stopped
    }

    pub(super) fn finish(&self) {
        self.lock().done = true;
        self.changed.notify_all();
    }

    /// Waits as long as the answer must be kept back: to the end of `infinite`, and of pondering.
    pub(super) fn wait_until_wanted(&self) {
        let mut state = self.lock();
        while !state.stopped
            && match self.kind {
                Kind::Infinite => true,
                Kind::Ponder => !state.ponder_hit,
                Kind::Bounded | Kind::Counting => false,
            }
        {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the end of the search, at most this long.
    pub(super) fn wait_done(&self, patience: Duration) {
        let end = Instant::now() + patience;
        let mut state = self.lock();
        while !state.done {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = match self.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
