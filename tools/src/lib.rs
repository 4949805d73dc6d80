//! What the developers of Ferz measure and train it with.

pub mod train;
