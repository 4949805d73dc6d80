//! The parameters of `go`: presence, not value; any order; every limit kept.

use std::time::Duration;

use crate::client::{Client, Score};

#[test]
fn limits_of_zero_and_less_still_give_a_move() {
    let mut client = Client::start();
    client.position("startpos");
    for go in [
        "go movetime 0",
        "go depth 0",
        "go nodes 0",
        "go wtime 0 btime 0",
        "go depth -3",
        "go movetime -1",
        "go nodes 1",
        "go movetime 1",
        "go nodes -5",
        "go mate 0 movetime 200",
        "go movestogo 0 wtime 1000 btime 1000",
        "go movestogo -1 wtime 1000 btime 1000",
        "go wtime -1 btime 1000",
        "go wtime -170671 btime 60000",
        "go wtime 1000 btime -170671",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go winc 10 binc 10",
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc -1",
        "go wtime 32 btime 32 movestogo 1",
        "go depth 1 wtime 99999999999999999999",
        "go depth 1 nodes 18446744073709551615",
        "go depth 99999999999999999999 nodes 200",
        "go depth 257 nodes 200",
        "go depth 128 nodes 5",
        "go movestogo 99999999999999999999 wtime 100",
        "go depth 3 movetime 99999999999999999999",
    ] {
        let answer = client.go(go);
        assert!(answer.time < Duration::from_secs(2), "{go}: {:?}", answer.time);
        assert!(answer.strings().is_empty(), "{go}: {:?}", answer.strings());
    }
    client.quit();
}

#[test]
fn black_has_the_same_limits() {
    let mut client = Client::start();
    client.position("startpos moves e2e4");
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 btime 0",
        "go btime -1",
        "go nodes 0",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go depth 0",
        "go movetime 0",
    ] {
        assert!(client.go(go).time < Duration::from_secs(2), "{go}");
    }
    client.quit();
}

#[test]
fn bad_numbers_are_absent_and_named() {
    let mut client = Client::start();
    client.position("startpos");
    for (go, named) in [
        ("go depth x movetime 20", "depth"),
        ("go depth movetime 20", "depth"),
        ("go wtime 1.5 nodes 100", "wtime"),
        ("go banana 7 depth 2", "banana"),
        ("go depth 2 banana", "banana"),
        ("go ponderr depth 2", "ponderr"),
        ("go depth 2 searchmoves e2e4 e2e5", "e2e5"),
        ("go movetime \u{e9} depth 2", "movetime"),
        ("go nodes 0x20 depth 2", "nodes"),
    ] {
        let answer = client.go(go);
        assert_eq!(answer.strings().len(), 1, "{go}: {:?}", answer.strings());
        assert!(answer.strings()[0].contains(named), "{go}: {:?}", answer.strings());
    }
    client.send("go depth x");
    assert!(client.listen(Duration::from_millis(300)).iter().all(|l| !l.starts_with("bestmove")));
    client.stop();
    client.quit();
}

#[test]
fn parameters_in_any_order() {
    let mut client = Client::start();
    client.position("startpos");
    for go in [
        "go depth 2 searchmoves e2e4",
        "go searchmoves e2e4 depth 2",
        "go movetime 5000 searchmoves e2e4 depth 2 nodes 100000",
    ] {
        let answer = client.go(go);
        assert_eq!((answer.best.as_str(), answer.last(1).depth), ("e2e4", 2), "{go}");
    }
    // A forced move needs no second iteration on the clock.
    let answer = client.go("go binc 5 depth 2 winc 5 btime 90000 searchmoves e2e4 wtime 90000");
    assert_eq!(answer.best, "e2e4");
    client.quit();
}

#[test]
fn depth_and_nodes_are_exact() {
    let mut client = Client::start();
    client.position("startpos moves d2d4 d7d5");
    for depth in [1, 2, 5, 8] {
        assert_eq!(client.go(&format!("go depth {depth}")).last(1).depth, depth);
    }
    for nodes in [1, 2, 50, 777, 5000, 20_000] {
        client.send("ucinewgame");
        let first = client.go(&format!("go nodes {nodes}"));
        let counted = first.infos.iter().map(|info| info.nodes).max().unwrap();
        assert!(counted <= nodes.max(1), "{nodes} were allowed, {counted} were used");
        client.send("ucinewgame");
        let second = client.go(&format!("go nodes {nodes}"));
        let moves = |answer: &crate::client::Answer| {
            answer.infos.iter().map(|info| (info.pv.clone(), info.score)).collect::<Vec<_>>()
        };
        assert_eq!(moves(&first), moves(&second), "the same nodes give the same lines");
        assert_eq!((&first.best, &first.ponder), (&second.best, &second.ponder));
    }
    client.quit();
}

#[test]
fn a_fixed_time_is_used_and_never_exceeded() {
    let mut client = Client::start();
    client.position("startpos moves e2e4 e7e5 g1f3");
    let mut times: Vec<Duration> = (0..20).map(|_| client.go("go movetime 100").time).collect();
    times.sort_unstable();
    assert!(times[0] > Duration::from_millis(40), "only {:?} were used", times[0]);
    // A busy machine delays most answers, but not every one.
    assert!(times[0] < Duration::from_millis(100), "{times:?} were used");
    assert!(times[19] < Duration::from_secs(3), "{times:?} were used");
    client.quit();
}

#[test]
fn the_last_milliseconds_of_a_control() {
    let mut client = Client::start();
    client.position("startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    let mut times: Vec<Duration> =
        (0..15).map(|_| client.go("go wtime 32 btime 32 movestogo 1").time).collect();
    times.sort_unstable();
    assert!(times[7] < Duration::from_millis(32), "usually {:?}", times[7]);
    let answer = client.go("go wtime 200 btime 200 movestogo 1");
    assert!(answer.last(1).depth >= 3, "the overhead is kept back once, not for every move");
    client.quit();
}

#[test]
fn root_moves_can_be_chosen() {
    let mut client = Client::start();
    client.position("startpos");
    assert_eq!(client.go("go nodes 500 searchmoves a1a2 a2a3 a3a4").best, "a2a3");
    for go in [
        "go nodes 500 searchmoves a1a2",
        "go searchmoves 0000 depth 3",
        "go searchmoves depth 3",
        "go depth 3 searchmoves e7e5 xyz \u{e9}",
    ] {
        client.go(go);
    }
    let answer = client.go("go depth 5 searchmoves e2e4 d2d4");
    assert!(["e2e4", "d2d4"].contains(&answer.best.as_str()));
    let answer = client.go("go depth 3 searchmoves E2E4 e2e4");
    assert_eq!(answer.best, "e2e4");
    client.set("MultiPV", 5);
    let answer = client.go("go depth 5 searchmoves e2e4 d2d4 e2e4");
    let numbers: Vec<i64> =
        answer.infos.iter().filter(|i| i.depth == 5 && i.exact).map(|i| i.multipv).collect();
    assert!(numbers.ends_with(&[1, 2]) && !numbers.contains(&3), "{numbers:?}");
    client.quit();
}

#[test]
fn a_mate_that_is_asked_for_ends_the_search() {
    let mut client = Client::start();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("8/3p4/2pP4/4P3/k7/1R2N2p/2PP3K/3R4 w - - 0 1", 1),
        ("8/3p4/2pP4/4P3/1k6/3RN2p/2PP3K/3R4 w - - 0 1", 2),
        ("8/3p4/2pP4/2k1P3/8/3RN2p/2PP3K/1R6 w - - 0 1", 3),
        ("8/3p4/2pP4/4P3/1k6/1R2N2p/2PP3K/3R4 b - - 0 1", -1),
        ("8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 1", -2),
    ] {
        for lines in [1, 4] {
            client.send("ucinewgame");
            client.set("MultiPV", lines);
            client.position(&format!("fen {fen}"));
            let answer = client.go(&format!("go mate {}", i64::abs(moves)));
            assert_eq!(answer.score(), Score::Mate(moves), "{fen} with {lines} lines");
            let board = client.board();
            assert!(crate::client::proves_mate(board, answer.last(1), false), "{fen}");
        }
    }
    client.set("MultiPV", 1);
    client.position("startpos");
    let answer = client.go("go mate 3 movetime 200");
    assert!(answer.time < Duration::from_secs(2), "whichever limit is hit first");
    client.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut client = Client::start();
    client.position("startpos moves e2e4");
    client.send("go perft 3");
    let lines = client.until("Nodes searched");
    assert_eq!((lines.len(), lines.last().unwrap().as_str()), (21, "Nodes searched: 13160"));
    assert!(lines.contains(&"e7e5: 835".to_owned()), "{lines:?}");
    client.send("go perft 0");
    assert_eq!(client.until("Nodes searched"), ["Nodes searched: 1"]);
    client.send("go perft 12");
    client.ready();
    client.send("stop");
    client.ready();
    client.position("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    client.send("go perft 3");
    assert_eq!(client.until("Nodes searched"), ["Nodes searched: 0"]);
    client.go("go depth 1");
    client.quit();
}

#[test]
fn the_moves_of_a_runner_under_100_milliseconds() {
    let mut client = Client::start();
    for (position, go) in [
        ("fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27", "go wtime 100"),
        ("fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 b - - 0 27", "go btime 100"),
        ("startpos", "go wtime 100 winc 100 btime 100 binc 100"),
        ("startpos moves e2e4", "go btime 100 binc 100 wtime 100 winc 100"),
        ("startpos", "go wtime 100 btime 100"),
        ("startpos moves e2e4 e7e5", "go wtime 100 btime 100"),
    ] {
        client.send("ucinewgame");
        client.ready();
        client.position(position);
        client.ready();
        let mut times: Vec<Duration> = (0..5).map(|_| client.go(go).time).collect();
        times.sort_unstable();
        assert!(times[2] < Duration::from_millis(100), "{go}: usually {:?}", times[2]);
    }
    client.quit();
}
