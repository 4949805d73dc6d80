//! `ferz perft`: the divide.

use std::io::Write;
use std::time::Instant;

use super::Failure;
use crate::board::{Position, perft_divide};
use crate::notation::to_uci;

/// The arguments of `ferz perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// The position, in quotes or not; the initial one if absent
    fen: Vec<String>,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Prints the count below each legal move, then the sum and the speed.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let position = super::position(&arguments.fen)?;
    let start = Instant::now();
    let nodes = if arguments.depth == 0 { 1 } else { divide(&position, arguments, out)? };
    let time = start.elapsed();
    writeln!(out, "Nodes searched: {nodes}")?;
    let rate = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    writeln!(out, "{} ms, {rate} nps", time.as_millis())?;
    Ok(())
}

fn divide(
    position: &Position,
    arguments: &Arguments,
    out: &mut impl Write,
) -> Result<u64, Failure> {
    let chess960 = position.needs_chess960();
    let mut sum = 0;
    for (mv, nodes) in perft_divide(position, arguments.depth, usize::from(arguments.threads)) {
        writeln!(out, "{}: {nodes}", to_uci(mv, chess960))?;
        sum += nodes;
    }
    Ok(sum)
}
