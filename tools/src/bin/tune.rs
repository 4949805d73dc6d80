//! Tunes the numbers of the search: see `tune --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ferz_tools::tune::cli::main()
}
