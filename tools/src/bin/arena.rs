//! Plays UCI engines against each other: see `arena --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ferz_tools::arena::cli::main()
}
