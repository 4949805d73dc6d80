//! Matches between UCI engines: scheduling, clocks, rulings, faults, results.

pub mod client;
pub mod config;
pub mod fault;
pub mod info;
pub mod late;
pub mod process;
