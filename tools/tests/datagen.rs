//! The data generator from the command line to its files.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use ferz_tools::datagen::format::{Fan, Record, ScoredGame};
use ferz_tools::datagen::output::open_games;

const DATAGEN: &str = env!("CARGO_BIN_EXE_datagen");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_engine");

fn datagen(folder: &Path, words: &str) -> Output {
    let words = words.split(' ').filter(|word| !word.is_empty());
    Command::new(DATAGEN).args(words).current_dir(folder).output().unwrap()
}

fn shown(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(err));
    String::from_utf8(out.clone()).unwrap()
}

const PLAY: &str = "play --games 8 --threads 2 --soft-nodes 100 --seed 3 --chess960 50 --xz --out";

#[test]
fn a_killed_run_goes_on_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = shown(&datagen(folder.path(), &format!("{PLAY} whole --svg whole.svg")));
    assert!(whole.starts_with("8 games, "), "{whole}");
    assert!(std::fs::read_to_string(at("whole.svg")).unwrap().contains("<rect"));

    // A shorter run that is then asked for more, and one that is killed.
    shown(&datagen(folder.path(), &format!("{PLAY} cut").replace("--games 8", "--games 3")));
    let words = format!("{PLAY} cut --resume").replace("--games 8", "--games 100000");
    let mut child =
        Command::new(DATAGEN).args(words.split(' ')).current_dir(folder.path()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    let cut = shown(&datagen(folder.path(), &format!("{PLAY} cut --resume")));
    let games: u64 = cut.split(' ').next().unwrap().parse().unwrap();
    assert!(games >= 8, "{cut}");

    // The two runs agree as far as both go.
    for thread in 0..2 {
        let games = |name: &str| {
            let mut reader = open_games(&at(&format!("{name}-{thread}.vf.xz"))).unwrap();
            let read = std::iter::from_fn(|| ScoredGame::read(&mut reader).unwrap());
            read.take(4).collect::<Vec<_>>()
        };
        assert_eq!(games("whole").len(), 4);
        assert_eq!(games("whole"), games("cut"), "thread {thread}");
    }
    let summary = datagen(folder.path(), "summary whole-0.vf.xz whole-1.vf.xz");
    assert!(whole.contains(shown(&summary).trim()));
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        shown(&datagen(folder.path(), &format!("{PLAY} {name}")));
    }
    shown(&datagen(folder.path(), &format!("{PLAY} c").replace("--seed 3", "--seed 4")));
    let bytes = |name: &str| std::fs::read(folder.path().join(format!("{name}-1.vf.xz"))).unwrap();
    assert_eq!(bytes("a"), bytes("b"));
    assert_ne!(bytes("a"), bytes("c"));
}

#[test]
fn a_teacher_plays_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let play = format!("play --games 3 --soft-nodes 10 --teacher {FAKE} --out taught");
    let played = shown(&datagen(folder.path(), &play));
    assert!(played.starts_with("3 games, "), "{played}");
    let relabel = "relabel --soft-nodes 50 --out scored taught-0.vf";
    let scored = shown(&datagen(folder.path(), relabel));
    let counts = |text: &str| text.split(',').take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(counts(&played), counts(&scored));
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let (before, after) = (bytes("taught-0.vf"), bytes("scored-0.vf"));
    assert_eq!((before.len(), &before[..32]), (after.len(), &after[..32]));
    assert_ne!(before, after, "the fake engine scores everything 0");
}

#[test]
fn fans_hold_every_move_once_and_a_cut_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    shown(&datagen(folder.path(), "play --games 52 --soft-nodes 30 --seed 5 --out games"));
    let fans = |words: &str| {
        shown(&datagen(folder.path(), &format!("fans --one-in 20 {words} games-0.vf")))
    };
    let whole = fans("--out whole");
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let mut input = &bytes("whole-0.fan")[..];
    let mut plies = 0;
    while let Some(fan) = Fan::read(&mut input).unwrap() {
        let mut found: Vec<_> = fan.moves.iter().map(|&(mv, _)| mv).collect();
        found.sort_by_key(|mv| format!("{mv:?}"));
        let mut legal = fan.root.legal_moves().to_vec();
        legal.sort_by_key(|mv| format!("{mv:?}"));
        assert_eq!(found, legal, "{}", fan.root.fen());
        plies += found.len();
    }
    assert!(plies > 1000 && whole.contains(&format!("{plies} plies")), "{plies}: {whole}");
    assert!(whole.contains(shown(&datagen(folder.path(), "summary whole-0.fan")).trim()));

    let words = "fans --one-in 20 --out cut games-0.vf".split(' ');
    let mut child = Command::new(DATAGEN).args(words).current_dir(folder.path()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    fans("--out cut --resume");
    assert_eq!(bytes("cut-0.fan"), bytes("whole-0.fan"));

    // The fake engine shows one line, whatever it is asked for.
    let taught = fans(&format!("--teacher {FAKE} --out taught"));
    assert!(taught.contains(" games, "), "{taught}");
}

#[test]
fn wrong_wishes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.vf"), [7; 90]).unwrap();
    for (words, reason) in [
        ("play --games 1 --standard 0 --chess960 0 --out x", "shares"),
        ("play --games 1 --book no-such-file.epd=5 --out x", "no-such-file.epd"),
        ("play --games 1 --teacher ./no-such-engine --out y", "cannot be run"),
        ("summary broken.vf", "broken.vf, number 1"),
        ("summary no-such-file.vf", "no-such-file.vf"),
    ] {
        let output = datagen(folder.path(), words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(reason), "{words}: {error}");
    }
    shown(&datagen(folder.path(), "play --games 1 --soft-nodes 50 --out z"));
    let again = datagen(folder.path(), "play --games 1 --soft-nodes 50 --out z");
    assert!(String::from_utf8_lossy(&again.stderr).contains("z-0.vf exists"));
    let other = datagen(folder.path(), "play --games 1 --soft-nodes 51 --out z --resume");
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"));
}
