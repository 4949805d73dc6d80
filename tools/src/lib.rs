//! What the developers of Ferz measure and train it with.

pub mod arena;
pub mod datagen;
pub mod levels;
pub mod stats;
pub mod train;
pub mod tune;
