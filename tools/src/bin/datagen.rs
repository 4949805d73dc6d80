//! Makes scored games to train the network with: see `datagen --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ferz_tools::datagen::cli::main()
}
