//! Leaf counts of the legal move tree.

use ferz::board::{Board, Position, perft, perft_divide};
use ferz::notation::epd;
use pretty_assertions::assert_eq;
use rayon::prelude::*;

use crate::data;

struct Row {
    position: Position,
    /// Depth and leaves.
    counts: Vec<(u32, u64)>,
    fen: String,
}

fn suite(name: &str, expected_rows: usize) -> Vec<Row> {
    let text = data(name);
    let rows: Vec<Row> = epd::parse_lines(&text)
        .map(|(line, record)| {
            let record = record.unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            let count = |depth: u32| {
                let leaves = record.text(&format!("D{depth}"))?;
                Some((depth, leaves.parse().expect("a count")))
            };
            let counts: Vec<_> = (1..10).filter_map(count).collect();
            assert!(!counts.is_empty(), "{name}:{line} has no counts");
            Row { position: record.position, counts, fen: record.position.shredder_fen() }
        })
        .collect();
    assert_eq!(rows.len(), expected_rows, "{name}");
    rows
}

fn check(rows: &[Row], leaves: impl Fn(&Position, u32) -> u64 + Sync, limit: u64) {
    let wrong: Vec<String> = rows
        .par_iter()
        .flat_map_iter(|row| row.counts.iter().map(move |count| (row, *count)))
        .filter(|(_, (_, expected))| *expected <= limit)
        .filter_map(|(row, (depth, expected))| {
            let found = leaves(&row.position, depth);
            let message = format!("{} depth {depth}: {found}, not {expected}", row.fen);
            (found != expected).then_some(message)
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn standard_suite() {
    check(&suite("perft/standard.epd", 268), perft, u64::MAX);
}

#[test]
fn chess960_suite() {
    check(&suite("perft/chess960.epd", 1029), perft, u64::MAX);
}

#[test]
fn chess960_start_positions() {
    let rows = suite("perft/chess960_start.epd", 960);
    for (number, row) in (0..).zip(&rows) {
        assert_eq!(Position::chess960(number), Some(row.position), "number {number}");
    }
    check(&rows, perft, u64::MAX);
}

#[test]
#[ignore = "thirteen billion leaves"]
fn deep_suite() {
    check(&suite("perft/deep.epd", 7), perft, u64::MAX);
}

/// Counts as a search walks: captures first, then the rest, moves made and taken back.
fn walk(board: &mut Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in board.noisy_moves().into_iter().chain(board.quiet_moves()) {
        board.play(mv);
        leaves += walk(board, depth - 1);
        board.unmake();
    }
    leaves
}

#[test]
fn making_and_taking_back_counts_the_same() {
    for (name, rows) in [("perft/standard.epd", 268), ("perft/chess960.epd", 1029)] {
        check(&suite(name, rows), |at, depth| walk(&mut Board::new(*at), depth), 15_000);
    }
}

#[test]
fn the_divide_adds_up_with_any_number_of_threads() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Position::from_fen(kiwipete).unwrap();
    let single = perft_divide(&position, 3, 1);
    assert_eq!(single.len(), 48);
    assert_eq!(single.iter().map(|(_, leaves)| leaves).sum::<u64>(), 97862);
    assert_eq!(perft_divide(&position, 3, 3), single);
}

#[test]
fn en_passant_captures_that_open_a_line() {
    let cases = [
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6", 0, 6),
        ("1b6/8/8/3Pp3/8/8/4k2K/8 w - e6", 0, 6),
        ("8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - c6", 0, 16),
        ("k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6", 0, 4),
        ("kb6/8/8/3pP3/5K2/8/8/8 w - d6", 1, 7),
        ("k7/8/8/r1PpPK2/8/8/8/8 w - d6", 2, 10),
        ("k7/8/8/r2pPK2/8/8/8/8 w - d6", 0, 7),
        ("k7/4b3/8/PpP5/1K6/8/8/8 w - b6", 1, 6),
    ];
    for (fen, captures, moves) in cases {
        let position = Position::from_fen(fen).unwrap();
        let legal = position.legal_moves();
        let found = legal.iter().filter(|mv| mv.is_en_passant()).count();
        assert_eq!((found, legal.len()), (captures, moves), "{fen}");
        assert_eq!(position.en_passant().is_some(), captures > 0, "{fen}");
    }
}

#[test]
fn castling_in_odd_places() {
    // FEN, legal castlings, depth, leaves at this depth.
    let cases = [
        ("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1", 0, 3, 2219),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/rR2K3 w Q - 0 1", 0, 1, 21),
        ("4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18", 0, 2, 1743),
        ("4k3/8/8/1b6/8/8/8/5RKR w KQ - 0 1", 0, 1, 22),
        ("1k1r4/1pp2b1p/p7/P1B2R2/N7/3P2b1/1PP4Q/RK2r3 w Q - 1 29", 0, 1, 0),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", 0, 1, 20),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", 1, 1, 21),
        ("2rkr3/5PP1/8/5Q2/5q2/8/5pp1/2RKR3 w KQkq - 0 1", 0, 3, 71005),
        ("2Rnb1kr/5ppp/8/q3p3/p3P3/4P3/6PP/1Q3BKR b Hh - 0 15", 1, 3, 24750),
        ("1rk3r1/8/8/8/8/8/8/1RK1R3 w EBgb - 0 1", 1, 2, 464),
        ("Q3B1kr/p5p1/1p3p1p/2p2P2/2br1N1P/8/P5P1/7K b k - 1 34", 1, 2, 824),
        ("r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1", 1, 3, 20056),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 2, 3, 13744),
    ];
    for (fen, castlings, depth, leaves) in cases {
        let position = Position::from_fen(fen).unwrap();
        let found = position.legal_moves().iter().filter(|mv| mv.is_castling()).count();
        assert_eq!((found, perft(&position, depth)), (castlings, leaves), "{fen}");
    }
}
