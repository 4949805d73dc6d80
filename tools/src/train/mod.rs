//! The trainer of the network.

pub mod checkpoint;
pub mod data;
pub mod export;
pub mod gradient;
pub mod optimiser;
pub mod plot;
pub mod run;
pub mod settings;
pub mod shape;
