//! The rules core against facts and against independent referees.

mod epd;
mod fen;
mod history;
mod mailbox;
mod perft;
mod pgn;
mod properties;
mod random;
mod referee;
mod san;
mod see;

use std::path::PathBuf;

/// Where a data file lies.
fn data_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The bytes of a data file.
fn data_bytes(name: &str) -> Vec<u8> {
    let path = data_path(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a data file.
fn data(name: &str) -> String {
    String::from_utf8(data_bytes(name)).expect("data files are UTF-8")
}

/// The rows of a tab-separated file behind its comment line, cut into at most `columns` columns.
fn rows(text: &str, columns: usize) -> Vec<Vec<&str>> {
    text.split('\n')
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.splitn(columns, '\t').collect())
        .collect()
}
