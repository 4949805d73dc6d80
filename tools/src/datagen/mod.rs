//! Scored games to train the network with: self-play, a teacher's scores, files.

pub mod cli;
pub mod fan;
pub mod format;
pub mod output;
pub mod play;
pub mod player;
pub mod starts;
pub mod summary;
