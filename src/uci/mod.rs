//! The UCI protocol: bytes become commands, events become lines.
//!
//! Source: "Description of the universal chess interface", April 2006, with its Chess960 appendix;
//! where it is silent, what current clients send and accept.

pub mod command;
mod limits;
pub mod lines;
pub mod options;
pub mod output;
mod position;
pub mod session;
mod wording;

pub use session::{Session, run};
