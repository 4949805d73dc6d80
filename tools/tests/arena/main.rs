//! The arena from the command line to its files: matches, faults, sudden ends.

mod engines;
mod matches;
mod resume;
mod runs;
