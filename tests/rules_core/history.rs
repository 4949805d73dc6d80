//! What follows from a series of moves: counters, repetition, and keys that name a position.

use std::collections::HashMap;

use ferz::board::{Board, Position};
use ferz::notation::{epd, parse_uci};
use ferz::types::Move;
use pretty_assertions::assert_eq;

use crate::{data, rows};

#[test]
fn games_end_with_the_right_counters() {
    let text = data("rules/outcomes.tsv");
    let rows = rows(&text, 12);
    assert_eq!(rows.len(), 212);
    for row in rows {
        let [id, fen, moves, end, _, _, reps, clock, legal, check, final_fen, ..] = row[..] else {
            panic!("{row:?}")
        };
        let mut board = Board::from_fen(fen).unwrap();
        for uci in moves.split(' ').filter(|uci| *uci != "-") {
            let mv = parse_uci(&board, uci).unwrap_or_else(|error| panic!("{id}: {error}"));
            board.play(mv);
        }
        // The board counts back to the last irreversible move; that move made a new position.
        assert_eq!((board.repetitions() + 1).to_string(), reps, "{id}");
        assert_eq!(board.halfmove_clock().to_string(), clock, "{id}");
        assert_eq!(board.count_legal().to_string(), legal, "{id}");
        assert_eq!(u8::from(board.in_check()).to_string(), check, "{id}");
        assert_eq!(Position::from_fen(final_fen).unwrap().fen(), board.fen(), "{id}");
        assert_eq!(board.is_checkmate(), end == "checkmate", "{id}");
        assert_eq!(board.is_stalemate(), end == "stalemate", "{id}");
    }
}

/// What makes two positions the same: the first four fields of the FEN.
fn identity(position: &Position) -> String {
    let fen = position.shredder_fen();
    fen.rsplitn(3, ' ').last().unwrap_or_default().to_string()
}

#[test]
fn equal_keys_mean_equal_positions() {
    let text = data("perft/standard.epd") + &data("perft/chess960.epd");
    let mut known: HashMap<u64, String> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    let mut meetings = 0;
    let starts = epd::parse_lines(&text).step_by(80).map(|(_, record)| record.unwrap().position);
    for start in starts {
        for first in start.legal_moves() {
            for second in start.after(first).legal_moves() {
                let before = start.after(first).after(second);
                for third in before.legal_moves() {
                    let position = before.after(third);
                    let name = identity(&position);
                    meetings += usize::from(keys.insert(name.clone(), position.key()).is_some());
                    let other = known.entry(position.key()).or_insert(name.clone());
                    assert_eq!(*other, name);
                }
            }
        }
    }
    assert_eq!(known.len(), keys.len());
    assert!(meetings > 1000, "only {meetings} transpositions were met");
}

fn board_after(fen: &str, moves: &str) -> Board {
    let mut board = Board::from_fen(fen).unwrap();
    for uci in moves.split_whitespace() {
        let mv = parse_uci(&board, uci).unwrap();
        board.play(mv);
    }
    board
}

#[test]
fn transpositions_have_one_key() {
    let start = Position::startpos().fen();
    let cases = [
        (&*start, "e2e3 e7e6 d2d3", "d2d3 e7e6 e2e3"),
        // A double step that nobody can take leaves nothing behind.
        (&*start, "e2e4 e7e6 g1f3", "g1f3 e7e6 e2e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1g1 h8g8 g1h1", "h1f1 h8g8 f1h1"),
    ];
    for (fen, one, other) in cases {
        assert_eq!(board_after(fen, one).key(), board_after(fen, other).key(), "{one}");
    }
    let rights = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let back = board_after(rights, "h1g1 h8g8 g1h1 g8h8");
    assert_ne!(back.key(), Position::from_fen(rights).unwrap().key());
    assert_eq!(back.repetitions(), 0);
}

#[test]
fn a_move_that_repeats_is_seen_before_it_is_made() {
    let mut board = board_after(&Position::startpos().fen(), "g1f3 g8f6 f3g1");
    let repeats = |board: &Board, mv: Move| {
        let mut after = board.clone();
        after.play(mv);
        after.repetitions() > 0
    };
    assert!(board.has_upcoming_repetition(4));
    assert!(board.legal_moves().into_iter().any(|mv| repeats(&board, mv)));
    let mv = parse_uci(&board, "e7e5").unwrap();
    board.play(mv);
    assert!(!board.has_upcoming_repetition(5));
}
