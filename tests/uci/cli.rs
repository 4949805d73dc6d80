//! The command line: one command, one answer, and an exit code that says how it went.

use std::process::{Command, Output, Stdio};

fn ferz(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ferz"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the engine starts")
}

fn answer(arguments: &[&str]) -> String {
    let output = ferz(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn perft_prints_the_divide() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (arguments, moves, nodes) in [
        (&["perft", "3"][..], 20, 8902),
        (&["perft", "0"], 0, 1),
        (&["perft", "4", "--threads", "2"], 20, 197_281),
        (&["perft", "3", kiwipete], 48, 97_862),
        (&["perft", "3", kiwipete, "--threads", "2"], 48, 97_862),
        (&["perft", "1", "7k/5Q2/6K1/8/8/8/8/8", "b"], 0, 0),
        (&["perft", "2", "1rk3r1/8/8/8/8/8/8/1RK1R3 w EBgb - 0 1"], 23, 464),
    ] {
        let text = answer(arguments);
        let lines: Vec<&str> = text.lines().collect();
        let sum = lines.iter().position(|line| line.starts_with("Nodes searched: ")).unwrap();
        assert_eq!(lines[sum], format!("Nodes searched: {nodes}"), "{arguments:?}");
        assert_eq!(sum, moves, "{arguments:?}: {text}");
        let listed: u64 = lines[..sum]
            .iter()
            .map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap())
            .sum();
        assert!(listed == nodes || moves == 0, "{arguments:?}");
    }
}

#[test]
fn analyse_prints_lines_and_a_move() {
    let text = answer(&["analyse", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--depth", "4"]);
    assert!(text.contains(" score mate 1 ") && text.ends_with("bestmove a1a8\n"), "{text}");
    let text = answer(&["analyse", "--nodes", "500", "--multipv", "2", "--threads", "2"]);
    assert!(text.contains(" multipv 2 "), "{text}");
    let castling = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
    assert!(answer(&["analyse", castling, "--depth", "2"]).contains("bestmove "));
    let text = answer(&["analyse", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--movetime", "10"]);
    assert!(text.ends_with("bestmove (none)\n"), "{text}");
}

#[test]
fn faults_are_named_and_give_an_exit_code() {
    for (arguments, named) in [
        (&["perft", "3", "nonsense"][..], "FEN"),
        (&["perft", "x"], "x"),
        (&["perft", "-1"], "-1"),
        (&["perft", "3", "--threads", "0"], "0"),
        (&["analyse", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["analyse", "--depth", "0"], "0"),
        (&["bench", "0"], "0"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let output = ferz(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && errors.contains(named), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(answer(&["--version"]), format!("ferz {}\n", env!("CARGO_PKG_VERSION")));
    assert!(answer(&["--help"]).contains("perft"));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ferz"))
        .args(["perft", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty());
}
