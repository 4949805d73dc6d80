//! Matches between UCI engines: scheduling, clocks, rulings, faults, results.

pub mod adjudicate;
mod book;
pub mod cli;
pub mod client;
pub mod clock;
pub mod compliance;
pub mod config;
mod date;
pub mod fault;
pub mod game;
pub mod info;
pub mod journal;
pub mod late;
pub mod openings;
pub mod picture;
pub mod process;
pub mod recount;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod stop;
pub mod time_control;
