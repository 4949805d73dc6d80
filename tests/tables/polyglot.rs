//! Polyglot keys, and a real book.

use std::fs;
use std::path::Path;

use ferz::board::Position;
use ferz::book::{Book, key};
use ferz::types::{CastlingSide, Move, MoveKind};
use pretty_assertions::assert_eq;

#[test]
fn keys_are_those_of_the_format() {
    let rows = include_str!("../data/polyglot/keys.tsv");
    let mut count = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let position = Position::from_fen(fields[0]).expect(row);
        let found = key(&position).map(|key| format!("{key:016x}"));
        assert_eq!(found.as_deref(), Some(fields[1]), "{row}");
        count += 1;
    }
    assert_eq!(count, 153);
}

/// The move as the probes write it: castling by the king's target.
fn text(position: &Position, mv: Move) -> String {
    let us = position.side_to_move();
    let to = match mv.kind() {
        MoveKind::CastleShort => CastlingSide::Short.king_to(us),
        MoveKind::CastleLong => CastlingSide::Long.king_to(us),
        _ => mv.to(),
    };
    let promotion = mv.promotion().map_or(String::new(), |kind| kind.letter().to_string());
    format!("{}{to}{promotion}", mv.from())
}

#[test]
#[ignore = "needs a folder with performance.bin and probes.tsv, named by FERZ_POLYGLOT"]
fn a_real_book_answers_as_its_probes() {
    let folder = std::env::var("FERZ_POLYGLOT").expect("FERZ_POLYGLOT names the book's folder");
    let folder = Path::new(&folder);
    let book = Book::open(folder.join("performance.bin")).expect("performance.bin");
    let rows = fs::read_to_string(folder.join("probes.tsv")).expect("probes.tsv");
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let position = Position::from_fen(fields[0]).expect(row);
        let moves = book.moves(&position);
        let mut found: Vec<String> =
            moves.iter().map(|it| format!("{}:{}", text(&position, it.mv), it.weight)).collect();
        let mut wanted: Vec<&str> = match fields[2] {
            "-" => Vec::new(),
            entries => entries.split(' ').collect(),
        };
        assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight), "{row}");
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{row}");
    }
}
