//! Tuning of the search's numbers by matches of the engine against itself.

pub mod cli;
pub mod plot;
pub mod record;
pub mod run;
pub mod spsa;
