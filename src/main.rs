//! The `ferz` program: a UCI session, or one command of the command line.

use std::process::ExitCode;

use ferz::nnue::simd::Level;

fn main() -> ExitCode {
    if let Err(error) = Level::chosen() {
        eprintln!("ferz: {error}");
        return ExitCode::from(2);
    }
    if std::env::args_os().len() > 1 { ferz::cli::run() } else { ferz::cli::session() }
}
