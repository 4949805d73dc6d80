//! FEN texts: bad, odd and exact ones.

use ferz::board::{FenField, Position};
use pretty_assertions::assert_eq;

use crate::{data, rows};

/// The fields that an error about a kind of bad text may name; empty if it is about all of them.
fn fields_at_fault(kind: &str) -> &'static [FenField] {
    match kind {
        // One of the texts has a blank in it, so that its second half stands in the next field.
        "bad-castling-text" => &[FenField::Castling, FenField::EnPassant],
        "bad-counter" => &[FenField::HalfmoveClock, FenField::FullmoveNumber],
        "bad-ep-text" => &[FenField::EnPassant],
        "bad-piece-char" | "rank-count" | "rank-sum" | "not-a-fen" => &[FenField::Placement],
        "bad-side" => &[FenField::SideToMove],
        _ => &[],
    }
}

#[test]
fn bad_texts_are_refused_and_the_field_is_named() {
    let text = data("notation/bad_fen.txt");
    let rows = rows(&text, 4);
    assert_eq!(rows.len(), 133);
    for row in rows {
        let [kind, action, _, fen] = row[..] else { panic!("{row:?}") };
        // Rights of a king off the e-file are faulty in ordinary chess only; a FEN does not say
        // which game it is.
        let chess960 = kind == "castling-king-moved"
            && Position::from_fen(fen).is_ok_and(|position| position.needs_chess960());
        assert!(chess960 || Position::from_fen_strict(fen).is_err(), "{kind}: {fen}");
        match (action, Position::from_fen(fen)) {
            ("reject", Ok(position)) => panic!("{kind}: {fen} was read as {position:?}"),
            (_, Err(error)) => {
                let named = error.field();
                let allowed = fields_at_fault(kind);
                let fits = match named {
                    Some(field) => allowed.contains(&field),
                    None => allowed.is_empty(),
                };
                assert!(fits || action == "repair", "{kind}: {fen}: {error}");
            }
            (_, Ok(position)) => {
                assert_eq!(Position::from_fen_strict(&position.fen()), Ok(position), "{fen}");
            }
        }
    }
}

#[test]
fn odd_texts_mean_what_they_should() {
    let text = data("notation/odd_but_ok_fen.txt");
    let rows = rows(&text, 5);
    assert_eq!(rows.len(), 39);
    for row in rows {
        let [kind, mode, _, normal, fen] = row[..] else { panic!("{row:?}") };
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(position.fen(), normal, "{kind}: {fen}");
        assert!(mode == "960" || !position.needs_chess960(), "{kind}");
        assert!(Position::from_fen_strict(normal).is_ok(), "{kind}: {normal}");
        // Shredder-FEN is exact too, and so is the square of a double step that nobody can take.
        let exact = fen == normal
            || fen == position.shredder_fen()
            || kind.starts_with("ep-")
            || kind == "shredder";
        assert_eq!(Position::from_fen_strict(fen).is_ok(), exact, "{kind}: {fen:?}");
    }
}

#[test]
fn large_counters_survive() {
    for (clock, number) in [(149, 300), (65536, 70000), (2147483647, 2147483647)] {
        let fen = format!("8/8/4k3/8/8/3K4/7R/r7 w - - {clock} {number}");
        assert_eq!(Position::from_fen(&fen).unwrap().fen(), fen);
    }
    let position = Position::from_fen("8/8/4k3/8/8/3K4/7R/r7 b - - 2147483647 2147483647").unwrap();
    for mv in position.legal_moves() {
        assert!(position.after(mv).fullmove_number() > 2147483647);
    }
}

#[test]
fn rights_are_lost_with_king_and_rook() {
    let cases = [
        (
            "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5",
            "h1h8",
            "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5",
        ),
        (
            "r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1",
            "b7a8q",
            "Q3k2r/8/8/8/8/8/6p1/R3K2R b KQk - 0 1",
        ),
        (
            "2r1k2r/2qbbpp1/p2pp3/1p3PP1/Pn2P3/1PN1B3/1P3QB1/1K1R3R b k - 0 22",
            "h8h1",
            "2r1k3/2qbbpp1/p2pp3/1p3PP1/Pn2P3/1PN1B3/1P3QB1/1K1R3r w - - 0 23",
        ),
        (
            "nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8",
            "e8d8",
            "nnkr1q1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB w KQ - 2 9",
        ),
    ];
    for (before, uci, after) in cases {
        let position = Position::from_fen(before).unwrap();
        let mv = ferz::notation::parse_uci(&position, uci).unwrap();
        assert_eq!(position.after(mv).fen(), after);
    }
}
