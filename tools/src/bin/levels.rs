//! Measures and places the scale of weaker play: see `levels --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ferz_tools::levels::cli::main()
}
