//! Places the scale of weaker play: matches between its levels and against an anchor engine, and
//! the table of levels that follows from them.

pub mod cli;
mod endings;
mod fit;
mod game;
mod journal;
mod player;
