//! The arena against engines that play well and badly, from the command line to the files.

use super::runs::{FAKE, Run, fake, text};
use serde_json::{Value, json};

/// Flags for games without a clock, patient enough for a busy machine.
const UNTIMED: [&str; 6] = ["--depth", "1", "--untimed", "2000", "--stall", "1000"];

/// A match of the fake engine `Bad` with a script against a sound one.
fn against(script: &[&str], flags: &[&str]) -> (Run, std::process::Output) {
    let run = Run::new();
    let flags: Vec<&str> = UNTIMED.iter().chain(flags).copied().collect();
    let output = run.play("match", &[&fake("Bad", script), &fake("Good", &[])], &flags);
    (run, output)
}

fn count(run: &Run, engine: usize, group: &str, name: &str) -> u64 {
    run.summary()["engines"][engine][group][name].as_u64().unwrap_or(0)
}

#[test]
fn sound_engines_play_a_whole_match() {
    let run = Run::new();
    let openings = run.openings(include_str!("../data/openings.epd"));
    let flags = ["--games", "24", "--concurrency", "3", "--openings", &openings, "--tc", "60+1"];
    let engines = [fake("A", &[]), fake("B", &["mutter"])];
    let sprt = ["--sprt", "elo0=0,elo1=5"];
    let all: Vec<&str> = flags.iter().chain(&sprt).copied().collect();
    let output = run.play("match", &[&engines[0], &engines[1]], &all);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    let live = shown.lines().find(|line| line.starts_with("24/24  A - B  ")).unwrap();
    assert!(live.contains("ptnml [") && live.contains("LLR "), "{live}");
    assert_eq!(shown.matches("arena match --resume run.journal").count(), 2);
    for tables in [run.recount("run.journal", &[]), run.recount("run.pgn", &sprt)] {
        assert!(shown.contains(&tables), "{shown}\nis not\n{tables}");
    }
    let games = run.games();
    let mut numbers: Vec<u64> = games.iter().map(|game| game["game"].as_u64().unwrap()).collect();
    numbers.sort();
    assert_eq!(numbers, (0..24).collect::<Vec<_>>());
    let pgn = run.pgn();
    assert_eq!(pgn.matches("[Event ").count(), 24);
    assert!(pgn.contains("[TimeControl \"60+1\"]") && pgn.contains("[%clk 0:01:0"));
    assert!(pgn.contains("[%eval 0.00,1]") && pgn.contains("[FEN \""));
    let events = std::fs::read_to_string(run.path("run.events.jsonl")).unwrap();
    let events: Vec<Value> = events.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((of("run"), of("game-start"), of("game-end"), of("end")), (1, 24, 24, 1));
    assert!(std::fs::read_to_string(run.path("run.svg")).unwrap().contains("log-likelihood"));
    let stderr = std::fs::read_to_string(run.path("run-logs/engine1.stderr.log")).unwrap();
    assert!(stderr.contains("search 1"));
    assert_eq!(run.summary()["openings"].as_array().unwrap().len(), 12);
}

#[test]
fn every_fault_has_its_class_its_ruling_and_its_evidence() {
    let cases = [
        ("crash@2", "crash", "abandoned", "out of luck"),
        ("close@2", "crash", "abandoned", "closed its output"),
        ("hang@2", "stall", "abandoned", "no bestmove in"),
        ("illegal@2", "illegal-move", "rules infraction", "bestmove \"a1a1\" in "),
        ("nonsense@2", "bad-output", "rules infraction", "\"(none)\""),
        ("flood@2", "bad-output", "rules infraction", "a flood"),
        ("endless@2", "bad-output", "rules infraction", "a line without end"),
    ];
    for (trick, class, termination, evidence) in cases {
        let (run, output) = against(&[trick], &["--games", "4", "--restart"]);
        assert_eq!(output.status.code(), Some(2), "{trick}: {}", text(&output));
        let games = run.games();
        assert_eq!(games.len(), 4, "{trick}: the match goes on");
        for game in &games {
            let won = if game["white"] == 1 { "1-0" } else { "0-1" };
            assert_eq!(game["result"], won, "{trick}: {game}");
            assert_eq!(game["fault"]["class"], class, "{trick}: {game}");
            assert_eq!(game["fault"]["engine"], 0, "{trick}: {game}");
            let file = run.path(game["fault"]["evidence"].as_str().unwrap());
            let text = std::fs::read_to_string(file).unwrap();
            for part in [evidence, "# How to replay it", "go depth 1", "position fen "] {
                assert!(text.contains(part), "{trick}: {part:?} in\n{text}");
            }
            assert!(trick != "crash@2" || text.contains("exit status: 3") || cfg!(windows));
        }
        let tag = format!("[Termination \"{termination}\"]");
        assert_eq!(run.pgn().matches(&tag).count(), 4, "{trick}");
        assert_eq!(count(&run, 0, "faults", class), 4, "{trick}");
    }
}

#[test]
fn a_flag_falls() {
    let run = Run::new();
    let engines = [fake("Bad", &["slow@3"]), fake("Good", &[])];
    let flags = ["--tc", "2+0.1", "--games", "2", "--restart", "--margin", "10"];
    let output = run.play("match", &[&engines[0], &engines[1]], &flags);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(run.pgn().matches("[Termination \"time forfeit\"]").count(), 2);
    assert_eq!(count(&run, 0, "faults", "flag"), 2);
    assert_eq!(run.summary()["engines"][1]["games"]["wins"], 2);
}

/// What no material table decides: the opponent has a piece, and yet no legal series mates.
#[test]
fn a_fault_is_a_draw_when_the_opponent_cannot_mate() {
    let cases = [
        ("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1", "illegal", true),
        ("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1", "crash", true),
        ("8/8/8/3k2n1/8/8/4Q3/4K3 w - - 0 1", "hang", true),
        ("8/8/8/3k2n1/8/8/4R3/4K3 w - - 0 1", "illegal", false),
        ("8/8/8/3k2b1/8/8/4R3/4K3 w - - 0 1", "illegal", true),
        ("8/8/8/3k2b1/8/8/4P3/4K3 w - - 0 1", "illegal", false),
    ];
    for (fen, trick, draw) in cases {
        let run = Run::new();
        let openings = run.openings(fen);
        let engines = [fake("Bad", &[trick]), fake("Good", &[])];
        let flags = ["--games", "2", "--openings", &openings];
        let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
        run.play("match", &[&engines[0], &engines[1]], &flags);
        let games = run.games();
        let game = games.iter().find(|game| game["game"] == 0).unwrap();
        let expected = if draw { "1/2-1/2" } else { "0-1" };
        assert_eq!(game["result"], expected, "{fen} {trick}: {game}");
        assert_eq!(game["fault"]["engine"], 0);
    }
}

#[test]
fn games_end_by_the_rules() {
    let cases = [
        ("6k1/8/8/8/8/8/r5PP/7K b - - 0 1", "0-1", "checkmate", "on the first rank"),
        ("4k3/8/8/8/8/8/8/3bK3 w - - 0 1", "1/2-1/2", "dead-position", "the bishop is taken"),
        ("6k1/8/8/8/8/8/r7/4K2R w - - 99 80", "1/2-1/2", "no-progress", "the hundredth ply"),
    ];
    for (fen, result, ending, why) in cases {
        let run = Run::new();
        let openings = run.openings(fen);
        let engines = [fake("A", &[]), fake("B", &[])];
        let flags = ["--games", "2", "--openings", &openings];
        let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
        let output = run.play("match", &[&engines[0], &engines[1]], &flags);
        assert_eq!(output.status.code(), Some(0), "{fen}: {}", text(&output));
        for game in run.games() {
            assert_eq!(
                (&game["result"], &game["ending"]),
                (&json!(result), &json!(ending)),
                "{why}"
            );
        }
    }
}

#[test]
fn lies_win_nothing_and_are_counted() {
    let (run, output) =
        against(&["lie-mate", "bad-line"], &["--games", "2", "--resign", "moves=2,score=500"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(run.games().iter().all(|game| game["ending"] == "repetition"));
    assert!(count(&run, 0, "oddities", "false_mates") > 5);
    assert!(count(&run, 0, "oddities", "illegal_lines") > 5);
    assert_eq!(count(&run, 1, "oddities", "false_mates"), 0);

    let (run, _) = against(&["boast"], &["--games", "2", "--resign", "moves=2,score=500"]);
    assert!(run.games().iter().all(|game| game["ending"] == "repetition"));
    let (run, _) = against(&["despair"], &["--games", "2", "--resign", "moves=2,score=500"]);
    assert!(run.games().iter().all(|game| game["ending"] == "adjudicated-win"));
    assert_eq!(run.summary()["engines"][1]["games"]["wins"], 2);
    let (run, _) = against(&[], &["--games", "2", "--draw", "from=1,moves=2,score=5"]);
    assert!(run.games().iter().all(|game| game["ending"] == "adjudicated-draw"));
    // A second answer is a stray one; one that arrives only after the next question is illegal.
    let (run, _) = against(&["twice"], &["--games", "2"]);
    let caught = count(&run, 0, "oddities", "strays") + count(&run, 0, "faults", "illegal-move");
    assert!(caught > 0);
}

#[test]
fn engines_think_on_the_opponents_time() {
    let (run, output) = against(&[], &["--games", "2", "--ponder"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(run.games().iter().all(|game| game["ending"] == "repetition"));
    let (run, _) = against(&["bad-ponder"], &["--games", "2", "--ponder"]);
    assert!(count(&run, 0, "oddities", "bad_ponder") > 5);
    // The opponent takes its time, so that the hasty answer comes before it is asked for.
    let run = Run::new();
    let engines = [fake("Bad", &["hasty@2"]), fake("Good", &["pause"])];
    let flags: Vec<&str> =
        UNTIMED.iter().chain(&["--games", "2", "--ponder", "--restart"]).copied().collect();
    let output = run.play("match", &[&engines[0], &engines[1]], &flags);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(count(&run, 0, "faults", "bad-output"), 2);
}

#[test]
fn an_engine_that_does_not_start_is_set_aside_and_the_rest_goes_on() {
    let missing = "name=Missing,cmd=./no-such-program".to_owned();
    for bad in [fake("Missing", &["mute"]), fake("Missing", &["no-such-trick"]), missing] {
        let run = Run::new();
        let engines = [fake("A", &[]), bad, fake("B", &[])];
        let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
        let flags = ["--games", "2", "--start-timeout", "2000"];
        let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
        let output = run.play("round-robin", &engines, &flags);
        assert_eq!(output.status.code(), Some(3), "{}", text(&output));
        assert!(text(&output).contains("set aside: Missing: it does not start"));
        assert_eq!(run.games().len(), 2);
        assert_eq!(count(&run, 1, "faults", "start"), 1);
        assert_eq!(std::fs::read_dir(run.path("run-logs")).unwrap().count(), 4);
    }
    let (_, output) = against(&["plain"], &["--games", "2", "--chess960"]);
    assert!(text(&output).contains("UCI_Chess960 is needed but not offered"));
}

#[test]
fn after_some_faults_an_engine_is_set_aside() {
    let run = Run::new();
    let engines = [fake("A", &[]), fake("Bad", &["illegal@4"]), fake("B", &[])];
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let flags = ["--games", "8", "--max-faults", "2", "--restart"];
    let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
    let output = run.play("round-robin", &engines, &flags);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert_eq!(count(&run, 1, "faults", "illegal-move"), 2);
    let rest = run.games().iter().filter(|g| g["white"] != 1 && g["black"] != 1).count();
    assert_eq!(rest, 8);
    assert!(text(&output).contains("set aside: Bad: 2 faults"));
}

#[test]
fn gauntlets_and_tournaments_have_crosstables() {
    for (format, games) in [("gauntlet", 8), ("round-robin", 12)] {
        let run = Run::new();
        let engines = [fake("A", &[]), fake("B", &[]), fake("C", &["despair"])];
        let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
        let flags = ["--games", "4", "--concurrency", "2", "--resign", "moves=2,score=500"];
        let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
        let output = run.play(format, &engines, &flags);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert_eq!(run.games().len(), games);
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains("4/4") && shown.contains("0/4"), "{shown}");
        for file in ["run.journal", "run.pgn"] {
            let tables = run.recount(file, &[]);
            assert!(shown.contains(&tables), "{file}: {shown}\nis not\n{tables}");
        }
    }
}

#[test]
fn chess960_games_have_their_castling() {
    let run = Run::new();
    let fens = "4k1r1/8/8/8/8/8/8/R3K1R1 w AGg - 0 1\nbbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    let openings = run.openings(fens);
    let flags = ["--games", "4", "--openings", &openings, "--chess960", "--order", "sequential"];
    let flags: Vec<&str> = UNTIMED.iter().chain(&flags).copied().collect();
    let output = run.play("match", &[&fake("A", &[]), &fake("B", &[])], &flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(run.pgn().matches("[Variant \"Chess960\"]").count(), 4);
    assert!(run.pgn().contains("[FEN \"4k1r1/8/8/8/8/8/8/R3K1R1 w "));
}

#[test]
fn wrong_settings_are_named_and_nothing_is_overwritten() {
    let run = Run::new();
    let engines = [fake("A", &[]), fake("B", &[])];
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    for (flags, word) in [
        (&["--depth", "1", "--games", "3"][..], "games"),
        (&["--games", "2"], "no time control"),
        (&["--depth", "1", "--openings", "no-such-file.epd"], "no-such-file.epd"),
    ] {
        let output = run.play("match", &engines, flags);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(text(&output).contains(word), "{}", text(&output));
        let _ = std::fs::remove_file(run.path("run.journal"));
    }
    std::fs::write(run.path("run.pgn"), "my games").unwrap();
    let output = run.play("match", &engines, &["--depth", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(run.pgn(), "my games");
    let _ = std::fs::remove_file(run.path("run.pgn"));
    let again = run.play("match", &engines, &["--depth", "1"]);
    assert!(text(&again).contains("run.journal exists"), "{}", text(&again));
}

#[test]
fn compliance_tells_a_sound_engine_from_a_bad_one() {
    let check = |tricks: &[&str]| {
        let mut command = std::process::Command::new(super::runs::ARENA);
        command.args(["compliance", FAKE, "--patience", "1000", "--"]).args(tricks);
        command.output().unwrap()
    };
    let output = check(&["illegal"]);
    assert_eq!(output.status.code(), Some(2));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("FAULT") && shown.contains("\"a1a1\""), "{shown}");
    assert!(shown.contains("id author"), "the fake engine has no author: {shown}");
    let mute = String::from_utf8(check(&["no-such-trick"]).stdout).unwrap();
    assert!(mute.contains("0 passed"), "{mute}");
}
