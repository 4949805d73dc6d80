//! The neural evaluation: an efficiently updatable network (Nasu, 2018).
//!
//! [`arch`] holds every size, [`features`] says which input stands for which man, [`Network`]
//! reads and checks the numbers, [`AccumulatorStack`] keeps the first layer up to date along a
//! line, [`simd`] has the inner loops.

mod accumulator;
pub mod arch;
pub mod features;
pub mod format;
mod network;
pub mod simd;

pub use accumulator::AccumulatorStack;
pub use network::{Network, NetworkError};
