//! The command line: one subcommand, one answer, and the end. Without an argument the program holds
//! a UCI session.

mod adjudicate;
mod analyse;
mod bench;
mod epd;
mod genfens;
mod laws;
mod perft;
mod referee;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::board::Position;

/// What the program can do without a GUI.
#[derive(Parser, Debug)]
#[command(name = "ferz", version, about = "A UCI chess engine; without a command it speaks UCI")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Search fixed positions and print the node count and the speed
    Bench(bench::Arguments),
    /// Print random start positions, as OpenBench asks for them
    Genfens(genfens::Arguments),
    /// Count the leaves of the move tree, by root move
    Perft(perft::Arguments),
    /// Search one position and print the lines
    Analyse(analyse::Arguments),
    /// Search the positions of test suites and count what is solved
    Epd(epd::Arguments),
    /// Say what the laws say of a position
    Laws(laws::Arguments),
    /// Judge events, one JSON object a line
    Referee(referee::Arguments),
    /// Check recorded games against the laws; status 1 if something is wrong
    Adjudicate(adjudicate::Arguments),
    /// Hold a UCI session, as without a command
    Uci,
}

/// Runs the command of this process's arguments.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse_from(words(std::env::args_os().collect()));
    let mut out = io::stdout().lock();
    let result = match arguments.command {
        Command::Bench(arguments) => bench::run(&arguments, &mut out),
        Command::Genfens(arguments) => genfens::run(&arguments, &mut out),
        Command::Perft(arguments) => perft::run(&arguments, &mut out),
        Command::Analyse(arguments) => analyse::run(&arguments, &mut out),
        Command::Epd(arguments) => epd::run(&arguments, &mut out),
        Command::Laws(arguments) => laws::run(&arguments, &mut out),
        Command::Referee(arguments) => referee::run(&arguments, &mut out),
        Command::Adjudicate(arguments) => match adjudicate::run(&arguments, &mut out) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::FAILURE,
            Err(failure) => Err(failure),
        },
        Command::Uci => {
            drop(out);
            return session();
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(_)) => ExitCode::SUCCESS,
        Err(Failure::Input(reason)) => {
            let _ = writeln!(io::stderr(), "ferz: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The arguments, where OpenBench's `"genfens N seed S book B"` is split into its words.
fn words(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let line = arguments.get(1).and_then(|argument| argument.to_str()).map(str::to_owned);
    if let Some(line) = line.filter(|line| line.starts_with("genfens ")) {
        arguments.splice(1..2, line.split_ascii_whitespace().map(OsString::from));
    }
    arguments
}

/// Holds a UCI session on the standard streams.
pub fn session() -> ExitCode {
    crate::uci::run(io::stdin(), io::stdout());
    ExitCode::SUCCESS
}

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// An argument cannot be used.
    #[error("{0}")]
    Input(String),
    /// Nobody reads the answer any more, which is no fault.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The position of these words, which a shell may have split; the initial one for none.
fn position(words: &[String]) -> Result<Position, Failure> {
    if words.is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_fen(&words.join(" ")).map_err(|error| Failure::Input(error.to_string()))
}
