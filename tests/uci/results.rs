//! Scores and moves that other engines got wrong, and positions at the edges.

use std::time::Duration;

use crate::client::{Client, Score, proves_mate};

#[test]
fn no_mate_beyond_the_fifty_moves() {
    let mut client = Client::start();
    client.set("Hash", 64);
    client.position("fen 8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40");
    let answer = client.go("go depth 20 movetime 8000");
    for info in answer.infos.iter().filter(|info| info.exact) {
        if matches!(info.score, Score::Mate(_)) {
            assert!(proves_mate(client.board(), info, false), "{info:?}");
        }
    }
    assert!(!matches!(answer.score(), Score::Mate(_)), "{:?}", answer.score());
    client.quit();
}

#[test]
fn a_bishop_that_can_be_mated_with() {
    let mut client = Client::start();
    client.position("fen 7k/8/7K/2Bb4/8/8/8/8 b - - 0 1");
    assert_eq!(client.go("go depth 6 searchmoves d5g8").score(), Score::Mate(-1));
    client.quit();
}

#[test]
fn positions_without_a_way_to_win() {
    let mut client = Client::start();
    for fen in [
        "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        "8/8/8/3k4/8/3K1N2/8/8 w - - 0 1",
        "8/8/8/3k4/8/3KB3/8/8 b - - 0 1",
    ] {
        client.position(&format!("fen {fen}"));
        assert_eq!(client.go("go depth 6").score(), Score::Cp(0), "{fen}");
    }
    // A bishop each on one colour: no mate is possible, so nothing like an advantage.
    for fen in ["5K2/8/8/1B6/8/k7/6b1/8 w - - 0 1", "8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 1"] {
        client.position(&format!("fen {fen}"));
        let score = client.go("go depth 6").score();
        assert!(matches!(score, Score::Cp(-50..=50)), "{fen}: {score:?}");
    }
    client.quit();
}

#[test]
fn a_locked_position_is_level() {
    let mut client = Client::start();
    client.position("fen 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1");
    assert_eq!(client.go("go depth 20 movetime 10000").score(), Score::Cp(0));
    client.quit();
}

#[test]
fn the_side_that_is_mated_sees_it() {
    let mut client = Client::start();
    client.position("fen 5Q2/8/8/4K2k/4P2P/3b4/8/6R1 b - - 0 1");
    for go in ["go depth 2", "go depth 6", "go movetime 1", "go nodes 1"] {
        client.go(go);
    }
    assert_eq!(client.go("go depth 18").score(), Score::Mate(-2));
    client.quit();
}

#[test]
fn explosions_are_bounded() {
    let mut client = Client::start();
    for (position, go, most) in [
        (
            "fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
            "go movetime 300",
            1000,
        ),
        ("fen 7k/7P/8/8/4B3/3B4/2B5/KB6 w - - 0 1", "go movetime 500", 1500),
        ("fen 6k1/8/2R3P1/1PK5/6P1/8/8/1r6 w - - 0 1", "go depth 20 movetime 5000", 7000),
        ("fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "go movetime 200", 1000),
    ] {
        client.position(position);
        let answer = client.go(go);
        assert!(answer.time < Duration::from_millis(most), "{position}: {:?}", answer.time);
    }
    client.position("fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1");
    client.go("go depth 3");
    client.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn the_deepest_search_fits_a_small_stack() {
    let mut command = std::process::Command::new("sh");
    let binary = env!("CARGO_BIN_EXE_ferz");
    command.args(["-c", &format!("ulimit -s 1024; exec '{binary}'")]);
    let mut client = Client::start_command(command);
    client.position("fen 8/8/8/8/8/k7/8/KQ6 w - - 0 1");
    client.go("go depth 250 movetime 3000");
    client.set("Threads", 2);
    client.go("go depth 250 movetime 1000");
    client.quit();
}

#[test]
fn the_bench_has_a_signature() {
    let nodes = || {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ferz"))
            .args(["bench", "5"])
            .output()
            .unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        let text = String::from_utf8(output.stdout).unwrap();
        let last = text.lines().last().unwrap().to_owned();
        let words: Vec<String> = last.split(' ').map(str::to_owned).collect();
        assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{last}");
        words[0].parse::<u64>().unwrap()
    };
    let first = nodes();
    assert!(first > 0);
    assert_eq!(first, nodes(), "the same nodes on every run");
    let mut client = Client::start();
    client.set("Hash", 64);
    client.send("bench 5");
    let lines = client.until(&format!("{first} nodes "));
    assert!(lines.len() > 40);
    client.quit();
}
