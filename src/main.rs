//! The `ferz` program: a UCI session, or one command of the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 { ferz::cli::run() } else { ferz::cli::session() }
}
