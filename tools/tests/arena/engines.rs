//! The arena with two copies of the engine itself.

use std::path::PathBuf;
use std::process::Command;

use super::runs::{ARENA, Run, text};

/// The engine beside the arena; built first where only the tools were.
fn ferz() -> PathBuf {
    let path = PathBuf::from(ARENA).with_file_name(format!("ferz{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        let release = path.parent().is_some_and(|folder| folder.ends_with("release"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "-p", "ferz", "--bin", "ferz"]).args(release.then_some("--release"));
        assert!(cargo.status().unwrap().success());
    }
    path
}

#[test]
fn two_copies_play_without_a_fault_and_level() {
    let run = Run::new();
    let ferz = ferz().display().to_string();
    let engines = ["A", "B"].map(|name| format!("name={name},cmd={ferz},option.Hash=4"));
    let openings = run.openings(include_str!("../data/openings.epd"));
    let flags = [
        "--nodes",
        "2000",
        "--games",
        "8",
        "--concurrency",
        "2",
        "--openings",
        &openings,
        "--max-moves",
        "60",
        "--resign",
        "moves=3,score=600",
    ];
    let output = run.play("match", &[&engines[0], &engines[1]], &flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(run.games().len(), 8);
    let summary = run.summary();
    for engine in [0, 1] {
        let odd = &summary["engines"][engine]["oddities"];
        for name in ["illegal_lines", "false_mates", "off_line", "bad_ponder", "strays"] {
            assert_eq!(odd[name], 0, "{name}: {odd}");
        }
    }
    // The same engine with the same nodes from both sides of each opening: every pair is level.
    assert_eq!(summary["engines"][0]["pentanomial"], serde_json::json!([0, 0, 4, 0, 0]));
}

#[test]
fn it_plays_chess960_on_the_clock_and_on_the_opponents_time() {
    let run = Run::new();
    let ferz = ferz().display().to_string();
    let engines = ["A", "B"].map(|name| format!("name={name},cmd={ferz},option.Hash=4"));
    let openings = run.openings("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    let flags = [
        "--tc",
        "20+0.2",
        "--nodes",
        "1000",
        "--games",
        "2",
        "--openings",
        &openings,
        "--chess960",
        "--ponder",
        "--max-moves",
        "30",
    ];
    let output = run.play("match", &[&engines[0], &engines[1]], &flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn it_keeps_the_contract() {
    let output = Command::new(ARENA)
        .arg("compliance")
        .arg(ferz())
        .args(["--patience", "20000", "--slack", "10000"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains(", 0 faults"));
}
