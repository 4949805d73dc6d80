//! `ferz bench`: the signature and the speed.

use std::cell::RefCell;
use std::io::Write;

use super::Failure;
use crate::engine::bench;
use crate::search::Control;
use crate::types::Depth;
use crate::types::score::MAX_PLY;

/// The arguments of `ferz bench`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Depth of each search, in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH,
          value_parser = clap::value_parser!(i32).range(1..=MAX_PLY as i64))]
    depth: Depth,
}

/// Prints the nodes of each position, and last `N nodes M nps`.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let control = Control::new();
    let state = RefCell::new((out, Ok(())));
    let summary = bench::run(arguments.depth, &control, &|number, fen, nodes| {
        let (out, result) = &mut *state.borrow_mut();
        if result.is_ok() {
            *result = writeln!(out, "{number:>2} {nodes:>9} {fen}");
        }
    });
    let (out, result) = state.into_inner();
    result?;
    if let Some(summary) = summary {
        writeln!(out, "{summary}")?;
    }
    Ok(())
}
