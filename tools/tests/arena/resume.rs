//! Sudden ends: whatever happens to the runner, the run can go on and nothing stays behind.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::runs::{ARENA, FAKE, Run, fake_at, text};

/// A copy of the fake engine in the run's folder, so that its processes can be told from others.
fn own_engine(run: &Run) -> std::path::PathBuf {
    let path = run.path("own_fake_engine");
    std::fs::copy(FAKE, &path).unwrap();
    path
}

/// Starts a run and waits until it has booked some games.
fn begin(run: &Run, engines: &[&str], flags: &[&str], games: usize) -> Child {
    let mut command = run.command("match", engines, flags);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    let booked = || std::fs::read_to_string(run.path("run.journal")).unwrap_or_default();
    while booked().lines().count() <= games {
        assert!(start.elapsed() < Duration::from_secs(60), "no games are played");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn resume(run: &Run) -> std::process::Output {
    Command::new(ARENA)
        .args(["match", "--resume", "run.journal"])
        .current_dir(run.folder.path())
        .output()
        .unwrap()
}

/// The processes that run a program, by the system's list.
#[cfg(target_os = "linux")]
fn running(program: &std::path::Path) -> usize {
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path().join("exe")).ok())
        .filter(|exe| exe == program)
        .count()
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_been() {
    let flags = [
        "--games",
        "60",
        "--concurrency",
        "2",
        "--depth",
        "1",
        "--openings",
        "openings.epd",
        "--seed",
        "7",
        "--sprt",
        "elo0=0,elo1=5",
    ];
    let whole = Run::new();
    whole.openings(include_str!("../data/openings.epd"));
    let program = own_engine(&whole);
    let engines = [fake_at(&program, "A", &[]), fake_at(&program, "B", &[])];
    let output = whole.play("match", &[&engines[0], &engines[1]], &flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));

    let cut = Run::new();
    cut.openings(include_str!("../data/openings.epd"));
    for round in 0..4 {
        if round == 0 {
            let mut child = begin(&cut, &[&engines[0], &engines[1]], &flags, 5);
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            // What a run was writing when it was killed.
            append(&cut, "run.journal", "{\"entry\":\"game\",\"record\":{\"ga");
            append(&cut, "run.pgn", "[Event \"half a ga");
            let mut command = Command::new(ARENA);
            command.args(["match", "--resume", "run.journal"]).current_dir(cut.folder.path());
            let mut child = command.stdout(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(30 * round));
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    append(&cut, "run.pgn", "garbage");
    let output = resume(&cut);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown.matches("arena match --resume run.journal").count(), 2);

    // The same games with the same openings and colours, each once, and the same state of the test.
    let table = |run: &Run| -> BTreeMap<u64, String> {
        let games = run.games();
        let table: BTreeMap<u64, String> = games
            .iter()
            .map(|game| {
                let mut game = game.clone();
                game.as_object_mut().unwrap().remove("oddities");
                (game["game"].as_u64().unwrap(), game.to_string())
            })
            .collect();
        assert_eq!(table.len(), games.len(), "a game was played twice");
        table
    };
    assert_eq!(table(&whole), table(&cut));
    assert_eq!(cut.pgn().matches("[Event ").count(), 60);
    assert!(!cut.pgn().contains("garbage") && !cut.pgn().contains("half a ga"));
    let sprt = ["--sprt", "elo0=0,elo1=5"];
    assert_eq!(whole.recount("run.journal", &[]), cut.recount("run.journal", &[]));
    assert_eq!(cut.recount("run.pgn", &sprt), cut.recount("run.journal", &[]));
    assert!(shown.contains(&cut.recount("run.journal", &[])));

    // A run that was killed before its first game was booked.
    let early = Run::new();
    early.openings(include_str!("../data/openings.epd"));
    let journal = std::fs::read_to_string(whole.path("run.journal")).unwrap();
    let first = journal.split_inclusive('\n').next().unwrap();
    std::fs::write(early.path("run.journal"), first).unwrap();
    std::fs::write(early.path("run.pgn"), "[Event \"half a ga").unwrap();
    assert_eq!(resume(&early).status.code(), Some(0));
    assert_eq!(table(&whole), table(&early));
    assert!(early.pgn().starts_with("[Event \"Ferz arena\"]"));

    // A run that is over has nothing left to play.
    let before = cut.pgn();
    assert_eq!(resume(&cut).status.code(), Some(0));
    assert_eq!(cut.pgn(), before);
}

fn append(run: &Run, name: &str, text: &str) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().append(true).open(run.path(name)).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_broken_journal_is_refused() {
    let run = Run::new();
    std::fs::write(run.path("run.journal"), "{\"entry\":\"void\"}\nx\n").unwrap();
    let output = resume(&run);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("run.journal, line 1"), "{}", text(&output));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_run_and_every_engine() {
    let run = Run::new();
    let program = own_engine(&run);
    // One engine ignores `quit`, the other hangs in its twentieth search.
    let engines = [fake_at(&program, "A", &["stay"]), fake_at(&program, "B", &["hang@20"])];
    let flags = ["--games", "1000", "--depth", "1", "--stall", "60000", "--restart"];
    let mut child = begin(&run, &[&engines[0], &engines[1]], &flags, 1);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let start = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    #[cfg(target_os = "linux")]
    assert_eq!(running(&program), 0, "engines stay behind");
    let booked = run.games().len();
    assert!(run.recount("run.journal", &[]).contains(&booked.to_string()));
}

#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_its_faults() {
    let run = Run::new();
    let program = own_engine(&run);
    for trick in ["close@2", "hang@2", "flood@2", "endless@2", "stay"] {
        let engines = [fake_at(&program, "A", &[trick]), fake_at(&program, "B", &[])];
        let flags =
            ["--games", "2", "--depth", "1", "--untimed", "1000", "--stall", "1000", "--restart"];
        let output = run.play("match", &[&engines[0], &engines[1]], &flags);
        assert_ne!(output.status.code(), Some(1), "{}", text(&output));
        assert_eq!(running(&program), 0, "{trick}");
        for file in ["run.journal", "run.pgn"] {
            std::fs::remove_file(run.path(file)).unwrap();
        }
    }
}
