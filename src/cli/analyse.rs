//! `ferz analyse`: one search, shown as the protocol shows it.

use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

use super::Failure;
use crate::board::Board;
use crate::engine::{Engine, Event, MAX_HASH_MB, MAX_MULTI_PV, MAX_THREADS};
use crate::search::Limits;
use crate::types::Depth;
use crate::types::score::MAX_PLY;
use crate::uci::lines::{self, Style};

/// The arguments of `ferz analyse`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The position, in quotes or not; the initial one if absent
    fen: Vec<String>,
    /// Search to this depth, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=MAX_PLY as i64))]
    depth: Option<Depth>,
    /// Search this many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search this long, in ms; 5000 if no limit is given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search for a mate in this many moves
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// Lines to show
    #[arg(long, default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MULTI_PV as u64))]
    multipv: u64,
    /// Search threads
    #[arg(long, default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS as u64))]
    threads: u64,
    /// Size of the table in MB
    #[arg(long, default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MB as u64))]
    hash: u64,
    /// Folders with Syzygy tables
    #[arg(long, default_value = "")]
    syzygy: String,
    /// Write castling as king takes rook; on by itself where the position asks for it
    #[arg(long)]
    chess960: bool,
}

/// Prints the lines of the search and the best move.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let position = super::position(&arguments.fen)?;
    let style = Style { chess960: arguments.chess960 || position.needs_chess960(), show_wdl: true };
    let (sender, events) = mpsc::channel();
    let notices = sender.clone();
    let mut engine = Engine::new(move |text| drop(notices.send(Event::Message(text))));
    engine.set_hash(arguments.hash as usize);
    engine.set_tablebase_path(&arguments.syzygy);
    let settings = engine.settings_mut();
    settings.threads = arguments.threads as usize;
    settings.multi_pv = arguments.multipv as usize;
    settings.analyse = true;
    engine.set_board(Some(Board::new(position)));
    engine.go(limits(arguments), std::sync::Arc::new(move |event| drop(sender.send(event))));
    for event in events {
        if !matches!(event, Event::CurrentMove { .. }) {
            writeln!(out, "{}", lines::line(&event, style))?;
        }
        if matches!(event, Event::BestMove { .. }) {
            break;
        }
    }
    Ok(())
}

fn limits(arguments: &Arguments) -> Limits {
    let free = arguments.depth.is_none() && arguments.nodes.is_none() && arguments.mate.is_none();
    let time = arguments.movetime.or(free.then_some(5000));
    Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        mate: arguments.mate,
        move_time: time.map(Duration::from_millis),
        ..Limits::default()
    }
}
