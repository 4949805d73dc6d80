//! Ending a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What ends a run from outside.
#[derive(Debug, Default)]
pub struct Stop {
    /// Every wait gives up when this is set.
    pub now: AtomicBool,
    /// Whether the user asked for it.
    pub by_user: AtomicBool,
}

impl Stop {
    /// A stop that Ctrl-C sets.
    ///
    /// # Errors
    /// If something else in this process already handles it.
    pub fn on_interrupt() -> Result<Arc<Stop>, ctrlc::Error> {
        let stop = Arc::new(Stop::default());
        let handler = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            handler.by_user.store(true, Ordering::Relaxed);
            handler.now.store(true, Ordering::Relaxed);
        })?;
        Ok(stop)
    }
}
