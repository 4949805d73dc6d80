//! The UCI session as clients see it: the real binary, driven through pipes.

mod chess960;
mod cli;
mod client;
mod dialogues;
mod generator;
mod go;
mod options;
mod output;
mod positions;
mod results;
mod session;
