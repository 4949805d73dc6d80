//! The trainer of the network.

pub mod checkpoint;
pub mod data;
pub mod gradient;
pub mod optimiser;
pub mod run;
pub mod settings;
pub mod shape;
