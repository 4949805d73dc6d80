//! What a search prints: lines in order, the best move at their head, nothing after it.

use std::time::Duration;

use crate::client::{Client, Score, proves_mate};

#[test]
fn a_root_without_a_move_is_answered_quietly() {
    for (position, score) in [
        ("startpos moves f2f3 e7e5 g2g4 d8h4", Score::Mate(0)),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Cp(0)),
    ] {
        let mut client = Client::start();
        client.position(position);
        for go in [
            "go depth 5",
            "go movetime 100",
            "go wtime 1000 btime 1000",
            "go nodes 1",
            "go mate 2",
            "go depth 3 searchmoves a2a3",
        ] {
            let answer = client.go(go);
            assert_eq!((answer.best.as_str(), answer.score()), ("(none)", score), "{go}");
        }
        for (go, end) in [
            ("go infinite", "stop"),
            ("go ponder", "ponderhit"),
            ("go ponder wtime 100 btime 100", "ponderhit"),
            ("go ponder", "stop"),
        ] {
            client.send(go);
            let before = processor_time(client.id());
            let lines = client.listen(Duration::from_millis(400));
            assert!(lines.len() <= 1, "{lines:?}");
            assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{go}");
            if let (Some(before), Some(after)) = (before, processor_time(client.id())) {
                assert!(after - before <= 10, "{go} waits without working");
            }
            client.send(end);
            assert_eq!(client.answer().best, "(none)", "{go}");
        }
        client.quit();
    }
}

/// Hundredths of a second that a process has used; only Linux tells in a file.
fn processor_time(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

#[test]
fn a_finished_analysis_waits_without_working() {
    let mut client = Client::start();
    client.position("fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1");
    client.send("go infinite depth 2");
    client.listen(Duration::from_millis(300));
    let before = processor_time(client.id());
    client.listen(Duration::from_millis(500));
    if let (Some(before), Some(after)) = (before, processor_time(client.id())) {
        assert!(after - before <= 10, "{} hundredths", after - before);
    }
    client.stop();
    client.quit();
}

/// Positions of all kinds, for what must hold in every one of them.
const POSITIONS: [&str; 14] = [
    "startpos",
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "fen rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "fen 5Q2/8/8/4K2k/4P2P/3b4/8/6R1 b - - 0 1",
    "fen 8/8/8/8/2r5/3k4/8/3KB3 w - - 12 70",
    "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 98 80",
    "fen 8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "fen 3q1rk1/p4pp1/2p4p/1p2P3/1P1P4/P4Q1P/6P1/4R1K1 w - - 90 60",
    "fen 7k/8/8/8/8/8/8/KBN5 w - - 0 1",
    "fen 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    "fen 8/5k2/8/1N1R1p2/p4P2/1n1P4/r7/5K2 w - - 2 61",
];

#[test]
fn the_best_move_heads_the_last_line() {
    let mut client = Client::start();
    for threads in [1, 4] {
        client.set("Threads", threads);
        for (index, position) in POSITIONS.iter().enumerate() {
            client.position(position);
            client.go("go movetime 20");
            client.go("go nodes 777");
            client.go("go wtime 40 btime 40");
            for wait in [0, 3 + index as u64, 31] {
                client.send("go infinite");
                std::thread::sleep(Duration::from_millis(wait));
                client.stop();
            }
        }
    }
    client.quit();
}

/// Every fifth position of real games, for cut searches of all kinds.
#[test]
fn the_best_move_heads_the_last_line_in_real_games() {
    let text = include_bytes!("../data/games/lichess.pgn");
    let mut positions = Vec::new();
    for game in ferz::notation::pgn::read(text) {
        let Some(mut position) = game.start else { continue };
        for ply in &game.plies {
            let Some(mv) = ply.mv else { break };
            position.play(mv);
            positions.push(position);
        }
    }
    let fens: Vec<String> = positions
        .iter()
        .filter(|position| position.has_legal_move())
        .step_by(5)
        .take(200)
        .map(|position| format!("fen {}", position.fen()))
        .collect();
    assert_eq!(fens.len(), 200);
    let mut client = Client::start();
    for (index, position) in fens.iter().enumerate() {
        client.set("Threads", if index % 2 == 0 { 1 } else { 4 });
        client.position(position);
        client.go("go movetime 20");
        client.go("go nodes 777");
        client.send("go infinite");
        std::thread::sleep(Duration::from_millis(index as u64 * 7 % 40));
        client.stop();
    }
    client.quit();
}

/// The lines end in the mate they promise, for both sides and several lines at once.
#[test]
fn long_mates_and_studies_are_proved_by_their_lines() {
    let mut client = Client::start();
    for (position, go, mate) in [
        ("fen 2rq4/3rk3/3bn1Bp/2Np1NP1/8/1p6/1K6/Bn6 b - - 0 1", "go mate 9", -9),
        ("fen 8/3p4/2pP4/4P3/k7/1R2N2p/2PP3K/3R4 w - - 0 1", "go mate 1", 1),
        ("fen 8/3p4/2pP4/4P3/1k6/3RN2p/2PP3K/3R4 w - - 0 1", "go mate 2", 2),
        ("fen 8/3p4/2pP4/2k1P3/8/3RN2p/2PP3K/1R6 w - - 0 1", "go mate 3", 3),
        ("fen 8/3p4/2pP4/4P3/1k6/1R2N2p/2PP3K/3R4 b - - 0 1", "go mate 1", -1),
        ("fen 8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 1", "go mate 2", -2),
    ] {
        for lines in [1, 4] {
            client.send("ucinewgame");
            client.set("MultiPV", lines);
            client.position(position);
            let answer = client.go(go);
            for info in answer.infos.iter().filter(|info| info.exact) {
                let proved = !matches!(info.score, Score::Mate(_))
                    || proves_mate(client.board(), info, false);
                assert!(proved, "{position}: {info:?}");
            }
            assert_eq!(answer.score(), Score::Mate(mate), "{position}");
            // Out of a full table the line must be as long.
            let again = client.go(go);
            assert_eq!(again.score(), Score::Mate(mate), "{position}");
            assert!(proves_mate(client.board(), again.last(1), false), "{position}");
        }
    }
    client.quit();
}

#[test]
fn a_move_exists_before_the_first_look_at_the_clock() {
    let mut client = Client::start();
    for position in POSITIONS {
        client.position(position);
        for go in ["go depth 2", "go depth 6", "go movetime 1", "go nodes 1", "go wtime 0 btime 0"]
        {
            assert_ne!(client.go(go).best, "(none)");
        }
    }
    client.quit();
}

#[test]
fn lines_are_complete_sorted_and_distinct() {
    let mut client = Client::start();
    for (lines, position, legal) in [
        (10, "fen r1bqkb1r/ppp2ppp/5n2/nB1Pp1N1/8/8/PPPP1PPP/RNBQK2R b KQkq - 2 6", 6),
        (6, "fen 3k4/8/4KP2/8/8/8/8/8 w - - 1 132", 6),
        (256, "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
        (3, "startpos", 20),
        (256, "fen 7k/8/8/8/8/8/5q2/7K w - - 0 1", 1),
    ] {
        client.send("ucinewgame");
        client.set("MultiPV", lines);
        client.position(position);
        let deepest = if legal > 40 { 3 } else { 8 };
        let answer = client.go(&format!("go depth {deepest}"));
        let wanted = lines.min(legal);
        // A forced move may end the search before the depth is reached, never in the middle of one.
        let reached = answer.last(1).depth;
        assert!(reached == deepest || legal == 1, "depth {reached} of {deepest}: {position}");
        for depth in 1..=reached {
            let at_depth: Vec<_> =
                answer.infos.iter().filter(|info| info.depth == depth && info.exact).collect();
            let block = &at_depth[at_depth.len().saturating_sub(wanted)..];
            let numbers: Vec<i64> = block.iter().map(|info| info.multipv).collect();
            assert_eq!(numbers, (1..=wanted as i64).collect::<Vec<_>>(), "{position} {depth}");
            let mut heads: Vec<&String> = block.iter().map(|info| &info.pv[0]).collect();
            heads.sort();
            heads.dedup();
            assert_eq!(heads.len(), wanted, "{position} {depth}");
            assert!(block.is_sorted_by(|a, b| order(a.score) >= order(b.score)), "{block:#?}");
        }
    }
    client.quit();
}

/// Scores on one scale.
fn order(score: Score) -> i64 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(moves) if moves > 0 => 100_000 - moves,
        Score::Mate(moves) => -100_000 - moves,
    }
}

#[test]
fn mates_are_proved_by_their_lines() {
    let mut client = Client::start();
    for (position, go, mate) in [
        ("fen r5rk/pp1np1bn/2pp2q1/3P1bN1/2P1N2Q/1P6/PB2PPBP/3R1RK1 w - - 0 1", "go depth 14", 2),
        ("fen 8/3p4/2pP4/4P3/1k6/3RN2p/2PP3K/3R4 w - - 0 1", "go depth 20", 2),
        ("fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go depth 5", 1),
        ("fen 5Q2/8/8/4K2k/4P2P/3b4/8/6R1 b - - 0 1", "go depth 16", -2),
        ("startpos moves e2e4 f7f6 d2d4 g7g5", "go depth 5", 1),
        ("startpos moves f2f3 e7e5 g2g4", "go depth 4", 1),
    ] {
        for lines in [1, 3] {
            client.send("ucinewgame");
            client.set("MultiPV", lines);
            client.position(position);
            let answer = client.go(go);
            assert_eq!(answer.score(), Score::Mate(mate), "{position}");
            let last = answer.last(1);
            assert!(proves_mate(client.board(), last, false), "{position}: {:?}", last.pv);
            // The same search again, out of a full table.
            let last = client.go(go).last(1).clone();
            assert!(proves_mate(client.board(), &last, false), "{position}: {:?}", last.pv);
        }
    }
    client.quit();
}

#[test]
fn nothing_follows_the_best_move() {
    let mut client = Client::start();
    client.set("Threads", 4);
    client.position("startpos");
    for _ in 0..30 {
        client.go("go movetime 15");
        assert!(client.listen(Duration::from_millis(5)).is_empty());
    }
    client.quit();
}

#[test]
fn root_moves_are_named_only_in_long_searches() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    let early = client.listen(Duration::from_millis(700));
    assert!(early.iter().all(|line| !line.contains("currmove")), "not in the first second");
    client.stop();
    client.quit();
}

#[test]
fn a_short_analysis_of_a_simple_position_prints_little() {
    let mut client = Client::start();
    for position in ["fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1"] {
        client.position(position);
        client.send("go infinite");
        let lines = client.listen(Duration::from_secs(1));
        assert!(lines.len() < 1000, "{} lines", lines.len());
        client.stop();
    }
    client.quit();
}
