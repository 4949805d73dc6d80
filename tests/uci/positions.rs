//! `position`: roots, move lists, repetition, the fifty moves, and what must be refused.

use std::time::Duration;

use crate::client::{Client, Score, board_of, legal};

/// What `d` says of the position sent last.
fn shown(client: &mut Client, field: &str) -> String {
    client.send("d");
    let lines = client.until("Checkers");
    let line = lines.iter().find(|line| line.starts_with(field)).unwrap();
    line[field.len()..].trim_start_matches(':').trim().to_owned()
}

#[test]
fn fens_may_lack_counters_and_moves() {
    let mut client = Client::start();
    client.position("fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - moves f3g2");
    assert_eq!(client.go("go depth 3").best, "e3g2");
    for text in [
        "fen r4rk1/pppnbppp/8/3P4/2PP2b1/P3KN2/1P2B1PP/RN5R w - - 1 1 moves",
        "fen r4rk1/pppnbppp/8/3P4/2PP2b1/P3KN2/1P2B1PP/RN5R w - - 1",
        "fen r4rk1/pppnbppp/8/3P4/2PP2b1/P3KN2/1P2B1PP/RN5R w - - 1 0",
        "fen r4rk1/pppnbppp/8/3P4/2PP2b1/P3KN2/1P2B1PP/RN5R w - - 7 moves e3f2",
        "startpos moves",
        "startpos",
    ] {
        client.position(text);
        client.go("go depth 3");
    }
    client.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0");
    assert!(shown(&mut client, "Fen").ends_with("- 0 1"), "move number 0 is read as 1");
    client.quit();
}

#[test]
fn extra_blanks_separate_no_field() {
    let mut client = Client::start();
    client.send("position fen r5r1/pp1k3p/2pb4/2q5/8/P2N3Q/1PPB1P1P/2KR3R b  - - 0 1");
    let board = board_of("fen r5r1/pp1k3p/2pb4/2q5/8/P2N3Q/1PPB1P1P/2KR3R b - - 0 1");
    client.send("go depth 4");
    client.answer_for(&board);
    client.quit();
}

#[test]
fn a_refused_position_is_not_replaced_by_an_older_one() {
    let mut client = Client::start();
    for bad in [
        "fen r5r1/pp1k3p/2pb4/2q5/8/P2N3Q/1PPB1P1P/2KR3R b  x - - 0 1",
        "fen r4rk1/1R5p/3p1q2/p1pP4/P7/7P/6P1/1R1Q3K b - - 0 24 moves b8e8",
        "fen 8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1",
        "fen r1bqkb1r/ppp2ppp/2np4/3P2N1/2BQ4/7P/PPP3P1/RNB4q w KQkq - 0 12",
        "fen rnbqkbnr/pppppppp/8/8/8/N2NNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 0",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBXR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1",
        "fen",
        "",
        "moves e2e4",
        "e2e4",
        "fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "fen 4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
        "fen 4k3/8/8/8/8/8/8/4K1KK w - - 0 1",
        "fen \u{e9}\u{e9}\u{e9} w - - 0 1",
        "startpos moves e2e2",
        "startpos moves e2e4 e2e4",
        "startpos moves e7e5",
        "startpos moves e2e4 \u{e9}\u{e9}",
        "startpos moves e2e4q",
        "startpos moves e1g1",
        "startpos moves e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1g1",
        "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8x",
        "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8",
        "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8k",
        "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8p",
    ] {
        client.position("startpos");
        client.send(&format!("position {bad}"));
        let (lines, _) = client.ready();
        assert_eq!(lines.len(), 1, "{bad}: {lines:?}");
        assert!(lines[0].starts_with("info string position"), "{bad}: {lines:?}");
        let answer = client.go("go depth 5");
        assert_eq!(answer.best, "(none)", "{bad}");
        assert_eq!(answer.strings().len(), 1, "{bad}: the reason is told again");
        client.send("go infinite");
        let lines = client.listen(Duration::from_millis(20));
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{bad}: {lines:?}");
        client.stop();
        for line in ["d", "eval", "go perft 2"] {
            client.send(line);
            assert_eq!(client.ready().0.len(), 1, "{line} after {bad}");
        }
    }
    client.position("startpos");
    client.go("go depth 3");
    client.quit();
}

#[test]
fn moves_in_any_case_and_both_castlings() {
    let mut client = Client::start();
    let castled = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves";
    for (text, fen) in [
        (format!("{castled} e1g1"), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        (format!("{castled} e1h1"), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        (format!("{castled} E1C1 e8h8"), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"),
        ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves A7A8N".into(), "N7/7k/8/8/8/8/8/K7 b - - 0 1"),
        (
            "startpos moves 0000 e2e4 0000".into(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
    ] {
        client.send(&format!("position {text}"));
        assert_eq!(shown(&mut client, "Fen"), fen, "{text}");
    }
    client.quit();
}

#[test]
fn en_passant_counts_only_when_it_can_be_played() {
    let mut client = Client::start();
    let mut key = |text: &str| {
        client.send(&format!("position {text}"));
        shown(&mut client, "Key")
    };
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(key(&format!("fen {after_e4} e3 0 1")), key(&format!("fen {after_e4} - 0 1")));
    assert_eq!(key("startpos moves e2e4"), key(&format!("fen {after_e4} - 0 1")));
    let (real, none) =
        ("fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "fen 4k3/8/8/3pP3/8/8/8/4K3 w - -");
    assert_ne!(key(real), key(none));
    // The capture is pinned on the rank, or on a diagonal: it does not exist.
    for (with, without) in [
        ("fen 8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "fen 8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1"),
        ("fen 1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", "fen 1b6/8/8/3Pp3/8/8/4k2K/8 w - - 0 1"),
        ("fen k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1", "fen k7/8/8/r2pPK2/8/8/8/8 w - - 0 1"),
    ] {
        assert_eq!(key(with), key(without), "{with}");
    }
    client.quit();
}

#[test]
fn en_passant_moves_by_count() {
    let mut client = Client::start();
    for (fen, captures, moves) in [
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", &[][..], 6),
        ("1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", &[], 6),
        ("8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - c6 0 1", &[], 16),
        ("k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1", &[], 4),
        ("kb6/8/8/3pP3/5K2/8/8/8 w - d6 0 1", &["e5d6"], 7),
        ("k7/8/8/r1PpPK2/8/8/8/8 w - d6 0 1", &["c5d6", "e5d6"], 10),
        ("k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1", &[], 7),
        ("k7/4b3/8/PpP5/1K6/8/8/8 w - b6 0 1", &["a5b6"], 6),
    ] {
        client.position(&format!("fen {fen}"));
        client.send("go perft 1");
        let lines = client.until("Nodes searched");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {moves}"), "{fen}");
        let board = client.board();
        let found: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_suffix(": 1"))
            .filter(|text| {
                legal(board.position(), text, false).is_some_and(|mv| mv.is_en_passant())
            })
            .collect();
        assert_eq!(found, captures, "{fen}");
    }
    client.quit();
}

#[test]
fn rights_go_with_king_and_rook() {
    let mut client = Client::start();
    for (text, castling) in [
        ("fen rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5 moves h1h8", "Qq"),
        ("fen r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1 moves b7a8q", "KQk"),
        ("fen 2r1k2r/2qbbpp1/p2pp3/1p3PP1/Pn2P3/1PN1B3/1P3QB1/1K1R3R b k - 0 22 moves h8h1", "-"),
        ("fen 2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14", "KQ"),
        ("fen 2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1", "-"),
        ("fen r1bqkb1r/ppp3p1/2n2p2/3p1n1p/3P4/2P2N1P/PP1NBPP1/R1BQK2R w HAha - 2 9", "KQkq"),
        ("fen r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq"),
        ("fen r3k2r/8/8/8/8/8/8/R3K2R w KKHQqk - 0 1", "KQkq"),
        ("fen r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1 moves h1h8", "q"),
    ] {
        client.send(&format!("position {text}"));
        let fen = shown(&mut client, "Fen");
        assert_eq!(fen.split(' ').nth(2), Some(castling), "{text}");
        client.send("go nodes 2000");
        client.answer_for(&ferz::board::Board::from_fen(&fen).unwrap());
    }
    client.quit();
}

#[test]
fn perft_of_hard_positions() {
    let mut client = Client::start();
    for (fen, depth, nodes) in [
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", 3, 761),
        ("1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", 3, 336),
        ("r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1", 3, 20_056),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3, 13_744),
        ("2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14", 1, 38),
        ("2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1", 1, 56),
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1, 218),
    ] {
        client.position(&format!("fen {fen}"));
        client.send(&format!("go perft {depth}"));
        let lines = client.until("Nodes searched");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {nodes}"), "{fen}");
    }
    client.quit();
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let mut client = Client::start();
    for (text, mv) in [
        (
            "fen 8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37 moves \
          d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2",
            "a3a2",
        ),
        ("startpos moves f2f4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8", "f3g1"),
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8"),
    ] {
        client.position(text);
        let answer = client.go(&format!("go depth 6 searchmoves {mv}"));
        assert_eq!(answer.score(), Score::Cp(0), "{text}");
    }
    client.quit();
}

#[test]
fn the_gui_decides_that_a_game_is_over() {
    let mut client = Client::start();
    for text in [
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 \
         g1f3 g8f6 f3g1 f6g8",
        "fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        "fen 4kr2/8/8/8/8/8/8/3RK3 b - - 100 80",
        "fen 4kr2/8/8/8/8/8/8/3RK3 b - - 150 80",
        "fen 4kr2/8/8/8/8/8/8/3RK3 w - - 99999 80",
        "fen 8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 1",
    ] {
        client.position(text);
        for go in ["go depth 5", "go nodes 1", "go movetime 10"] {
            assert_ne!(client.go(go).best, "(none)", "{text}");
        }
    }
    client.quit();
}

#[test]
fn the_fifty_moves_are_counted_through_castling() {
    let mut client = Client::start();
    for (clock, moves, after) in [
        (97, "e1g1 e8d7", "8/3k4/8/8/8/8/8/R4RK1 w - - 99 61"),
        (97, "e1c1 e8e7", "8/4k3/8/8/8/8/8/2KR3R w - - 99 61"),
        (97, "a1b1 e8d7", "8/3k4/8/8/8/8/8/1R2K2R w K - 99 61"),
    ] {
        let root = format!("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - {clock} 60 moves {moves}");
        client.position(&root);
        assert_eq!(shown(&mut client, "Fen"), after);
    }
    client.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 97 60 moves e1g1 e8c8");
    assert_eq!(shown(&mut client, "Fen"), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 99 61");
    client.position("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 97 60 moves e1g1 e8d7");
    assert_eq!(client.go("go depth 6 searchmoves g1g2").score(), Score::Cp(0));
    client.position("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 40 60 moves e1g1 e8d7");
    match client.go("go depth 6 searchmoves g1g2").score() {
        Score::Cp(value) => assert!(value > 400, "two rooks up: {value}"),
        Score::Mate(moves) => assert!(moves > 0),
    }
    client.quit();
}

#[test]
fn mate_comes_before_the_fifty_moves() {
    let mut client = Client::start();
    for (fen, best) in [
        ("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113", "g3h3"),
        ("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88", "e8h8"),
    ] {
        client.position(&format!("fen {fen}"));
        let answer = client.go("go depth 6");
        assert_eq!((answer.best.as_str(), answer.score()), (best, Score::Mate(1)), "{fen}");
    }
    for (fen, score) in [
        ("8/8/k1K5/8/8/8/R7/8 b - - 150 1", Score::Mate(0)),
        ("8/k7/2K5/8/8/8/R7/8 b - - 150 1", Score::Cp(0)),
    ] {
        client.position(&format!("fen {fen}"));
        assert_eq!(client.go("go depth 4").score(), score, "{fen}");
    }
    client.quit();
}
