//! Every option: its announcement, its values good and bad, its effect, and the README's table.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use ferz::uci::options::OPTIONS;

use crate::client::{Client, Score};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("ferz {name} {}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_good_announcement(line: &str) -> bool {
    let Some(text) = line.strip_prefix("option name ") else { return false };
    let Some((name, rest)) = text.split_once(" type ") else { return false };
    let words: Vec<&str> = rest.split(' ').collect();
    let number = |word: &str| word.parse::<i64>().ok().filter(|n| n.abs() < 1 << 31);
    let kind = match words[..] {
        ["check", "default", value] => value == "true" || value == "false",
        ["spin", "default", default, "min", min, "max", max] => {
            match (number(default), number(min), number(max)) {
                (Some(default), Some(min), Some(max)) => min <= default && default <= max,
                _ => false,
            }
        }
        ["button"] => true,
        ["string", "default", _, ..] => true,
        ["combo", "default", default, ref vars @ ..] => {
            vars.chunks(2).all(|pair| pair.len() == 2 && pair[0] == "var")
                && vars.chunks(2).any(|pair| pair[1] == default)
        }
        _ => false,
    };
    const RESERVED: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
    kind && !name.is_empty() && name.split(' ').all(|word| !RESERVED.contains(&word))
}

#[test]
fn announcements_are_well_formed_and_uciok_is_last() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    let options: Vec<&String> = lines.iter().filter(|line| line.starts_with("option")).collect();
    // Two lines say who it is, one names the network and its kernels, and `uciok` ends them.
    assert_eq!(options.len() + 4, lines.len(), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("info string network ")), "{lines:?}");
    assert!(options.iter().all(|line| is_good_announcement(line)), "{options:?}");
    let names: Vec<&str> =
        options.iter().map(|line| line[12..].split(" type ").next().unwrap()).collect();
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Skill Level",
        "OwnBook",
        "BookFile",
        "EvalFile",
        "SyzygyPath",
        "SyzygyProbeDepth",
        "Syzygy50MoveRule",
        "UCI_EngineAbout",
        "Debug Log File",
        "nodestime",
    ] {
        assert!(names.contains(&name), "{name} is missing");
    }
    assert!(client.listen(Duration::from_millis(100)).is_empty(), "nothing after uciok");
    client.quit();
}

#[test]
fn the_readme_lists_the_options_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = readme
        .lines()
        .skip_while(|line| !line.starts_with("| Option |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let wanted: Vec<String> = OPTIONS.iter().map(|option| option.readme_row()).collect();
    assert_eq!(rows, wanted, "the table of options in {path}");
}

#[test]
fn names_in_any_case_and_with_blanks() {
    let mut client = Client::start();
    client.send("setoption name mUlTiPv value 2");
    client.send("setoption   name   move overhead   value 77");
    client.send("setoption name SyzygyPath value /data/my value dir");
    let (lines, _) = client.ready();
    assert!(lines.iter().any(|line| line.contains("/data/my value dir")), "{lines:?}");
    let answer = client.go("go depth 4");
    let at_depth: Vec<i64> =
        answer.infos.iter().filter(|info| info.depth == 4).map(|info| info.multipv).collect();
    assert!(at_depth.contains(&1) && at_depth.contains(&2) && !at_depth.contains(&3));
    client.send("SETOPTION NAME MULTIPV VALUE 3");
    client.send("setoption name UCI_AnalyseMode value TRUE");
    assert!(client.ready().0.is_empty());
    assert_eq!(client.go("go depth 3").last(3).multipv, 3);
    client.quit();
}

#[test]
fn every_option_takes_its_ends_and_refuses_what_lies_beyond() {
    use ferz::uci::options::Kind;
    let mut client = Client::start();
    for option in &OPTIONS {
        let (good, bad): (Vec<String>, Vec<String>) = match &option.kind {
            Kind::Check(_) => (
                ["true", "False", "TRUE", "false"].map(str::to_owned).into(),
                ["", "yes", "1", "tru e"].map(str::to_owned).into(),
            ),
            // The largest tables and thread counts have tests of their own.
            Kind::Spin { default, range } => (
                vec![range.start().to_string(), format!("+{default}"), format!("{default}")],
                vec![
                    (range.start() - 1).to_string(),
                    (range.end() + 1).to_string(),
                    String::new(),
                    "abc".into(),
                    "1.5".into(),
                    "1e3".into(),
                    "0x10".into(),
                    "99999999999999999999".into(),
                    "-99999999999999999999".into(),
                ],
            ),
            Kind::Combo(words) => (
                words.iter().map(|word| word.to_uppercase()).collect(),
                vec![String::new(), "none of them".into()],
            ),
            Kind::Button => (vec![String::new(), "anything".into()], Vec::new()),
            Kind::Text(_) => (vec![String::new(), "<empty>".into()], Vec::new()),
        };
        for value in good {
            client.set(option.name, &value);
            assert_eq!(client.ready().0, [""; 0], "{} = {value:?}", option.name);
        }
        for value in bad {
            client.set(option.name, &value);
            let (lines, _) = client.ready();
            assert_eq!(lines.len(), 1, "{} = {value:?}: {lines:?}", option.name);
            assert!(lines[0].starts_with("info string ") && lines[0].contains(option.name));
        }
        client.send(&format!("setoption name {}", option.name));
        assert!(client.ready().0.len() <= 1);
    }
    client.go("go depth 4");
    client.quit();
}

#[test]
fn what_clients_set_unasked_is_tolerated() {
    let mut client = Client::start();
    for line in [
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparow",
        "setoption name UCI_Opponent value none none computer Shredder",
        "setoption name UCI_Variant value chess",
        "setoption name UCI_EngineAbout value something else",
    ] {
        client.send(line);
        assert!(client.ready().0.is_empty(), "{line}");
    }
    client.quit();
}

#[test]
fn tables_of_any_size_or_none() {
    let mut client = Client::start();
    client.set("Hash", 1);
    client.go("go depth 8");
    client.set("Threads", 2);
    client.set("Hash", 64);
    client.send("ucinewgame");
    client.ready();
    client.go("go depth 6");
    if let Some(resident) = resident_megabytes(client.id()) {
        assert!(resident < 64 + 200, "{resident} MB are in use");
    }
    client.send("setoption name Clear Hash");
    client.ready();
    client.go("go depth 4");
    client.quit();
}

/// The memory a process really holds; only Linux tells in a file.
fn resident_megabytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

#[test]
fn a_table_too_large_leaves_the_old_one() {
    let mut client = if cfg!(target_os = "linux") {
        let mut command = Command::new("sh");
        let binary = env!("CARGO_BIN_EXE_ferz");
        command.args(["-c", &format!("ulimit -v 4000000; exec '{binary}'")]);
        Client::start_command(command)
    } else {
        Client::start()
    };
    for size in [33_554_432, 1_000_000, 33_554_432] {
        client.set("Hash", size);
        let (lines, time) = client.ready();
        assert_eq!(lines.len(), 1, "a failure is told each time: {lines:?}");
        assert!(lines[0].contains("Hash"), "{lines:?}");
        assert!(time < Duration::from_secs(20));
        client.go("go depth 5");
    }
    client.set("Hash", 32);
    assert!(client.ready().0.is_empty(), "a size that fits is taken after a failure");
    client.go("go depth 5");
    client.quit();
}

#[test]
fn hash_and_threads_in_either_order() {
    for order in [["Hash", "Threads"], ["Threads", "Hash"]] {
        let mut client = Client::start();
        for name in order {
            client.set(name, if name == "Hash" { 8 } else { 4 });
        }
        client.ready();
        client.go("go depth 8");
        client.set("Threads", 1);
        client.go("go depth 6");
        client.quit();
    }
}

#[test]
fn many_threads() {
    let mut client = Client::start();
    client.set("Threads", 64);
    client.ready();
    client.go("go movetime 200");
    client.set("Threads", 1);
    client.go("go depth 5");
    client.quit();
}

#[test]
fn the_table_is_kept_when_the_same_size_is_sent_again() {
    let mut client = Client::start();
    client.set("Hash", 16);
    let first = client.go("go depth 9");
    client.set("Hash", 16);
    client.set("Threads", 1);
    let second = client.go("go depth 9");
    assert!(second.last(1).nodes < first.last(1).nodes, "the second search knows the first");
    client.send("setoption name Clear Hash");
    let third = client.go("go depth 9");
    assert_eq!(third.last(1).nodes, first.last(1).nodes, "all is forgotten");
    client.quit();
}

#[test]
fn a_new_game_keeps_the_options_and_forgets_the_rest() {
    let mut client = Client::start();
    client.set("MultiPV", 2);
    let first = client.go("go depth 7");
    client.send("ucinewgame");
    client.ready();
    let second = client.go("go depth 7");
    assert_eq!(second.last(2).multipv, 2);
    assert_eq!(first.last(2).nodes, second.last(2).nodes, "a cleared engine repeats itself");
    assert_eq!(first.best, second.best);
    client.quit();
}

#[test]
fn paths_of_tables_bad_and_foreign() {
    let folder = Folder::new("tables");
    fs::write(folder.0.join("notes.txt"), "no table").unwrap();
    fs::write(folder.0.join("KQvK.rtbw"), "").unwrap();
    fs::write(folder.0.join("KRvK.rtbw"), [0x71; 40]).unwrap();
    fs::write(folder.0.join("nonsense.rtbz"), [0; 16]).unwrap();
    let shown = folder.0.display().to_string();
    let mut client = Client::start();
    for path in [
        "/nonexistent;",
        ";;",
        ":",
        "/nonexistent:",
        "a\u{e9} b",
        &shown,
        &format!("{shown}:/nonexistent:"),
        "<empty>",
        "",
        "/dev/null",
        ".",
    ] {
        client.set("SyzygyPath", path);
        client.ready();
        client.position("fen 8/8/8/8/8/k7/8/KQ6 w - - 0 1");
        client.go("go depth 6");
    }
    client.quit();
}

#[test]
fn a_network_that_cannot_be_used_leaves_the_old_one() {
    let folder = Folder::new("network");
    let whole = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/src/nnue/ferz.nnue")).unwrap();
    let mut damaged = whole.clone();
    damaged[1000] ^= 1;
    let path = |name: &str| folder.0.join(name).display().to_string();
    fs::write(path("whole"), &whole).unwrap();
    fs::write(path("damaged"), &damaged).unwrap();
    fs::write(path("short"), &whole[..whole.len() / 2]).unwrap();
    fs::write(path("empty"), "").unwrap();
    let mut client = Client::start();
    client.position("startpos");
    let first = client.go("go depth 6").last(1).nodes;
    for name in ["damaged", "short", "empty", "absent"] {
        client.set("EvalFile", path(name));
        let (lines, _) = client.ready();
        assert!(lines.len() == 1 && lines[0].contains("EvalFile"), "{name}: {lines:?}");
    }
    for network in [path("whole"), "<empty>".to_owned()] {
        client.set("EvalFile", network);
        client.send("ucinewgame");
        assert!(client.ready().0.is_empty());
        assert_eq!(
            client.go("go depth 6").last(1).nodes,
            first,
            "the same network, the same nodes"
        );
    }
    client.quit();
}

#[test]
fn tables_are_found_and_used() {
    let mut client = Client::start();
    client.set("SyzygyPath", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy"));
    let (lines, _) = client.ready();
    assert!(lines.len() == 1 && lines[0].contains("found"), "{lines:?}");
    client.position("fen 8/8/8/8/8/k7/8/KBN5 w - - 0 1");
    let won = client.go("go depth 6");
    match won.score() {
        Score::Cp(value) => assert!(value > 15_000, "a won ending: {value}"),
        Score::Mate(moves) => assert!(moves > 0),
    }
    assert!(won.last(1).tbhits > 0, "the root itself was looked up");
    client.position("fen 8/8/8/8/8/7k/8/KNN5 w - - 0 1");
    assert_eq!(client.go("go depth 6").score(), Score::Cp(0), "two knights cannot win");
    client.position("fen 8/8/8/8/2r5/3k4/8/3KBN2 w - - 0 1");
    assert!(client.go("go depth 8").last(1).tbhits > 0, "a capture leads into the tables");
    client.set("SyzygyPath", "");
    client.send("ucinewgame");
    assert_eq!(client.go("go depth 6").last(1).tbhits, 0, "no tables any more");
    client.quit();
}

#[test]
fn a_broken_table_is_named_when_it_is_asked() {
    let folder = Folder::new("broken");
    let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy/KQvK.rtbw");
    let mut bytes = fs::read(whole).unwrap();
    // Its first bytes and its size stay right.
    for byte in &mut bytes[5..] {
        *byte = 0xff;
    }
    fs::write(folder.0.join("KQvK.rtbw"), bytes).unwrap();
    let mut client = Client::start();
    client.set("SyzygyPath", folder.0.display());
    assert_eq!(client.ready().0.len(), 1);
    client.position("fen 8/8/8/8/8/k7/8/KQ6 w - - 0 1");
    for _ in 0..2 {
        client.go("go depth 6");
    }
    client.quit();
}

#[test]
fn books_bad_and_foreign() {
    let folder = Folder::new("books");
    let (empty, odd, text) =
        (folder.0.join("empty.bin"), folder.0.join("odd.bin"), folder.0.join("text.bin"));
    fs::write(&empty, "").unwrap();
    fs::write(&odd, [7; 23]).unwrap();
    fs::write(&text, "this is no book at all, but long enough for two entries of one").unwrap();
    let mut client = Client::start();
    client.set("OwnBook", "true");
    for path in [
        "/nonexistent",
        "/",
        &empty.display().to_string(),
        &odd.display().to_string(),
        &text.display().to_string(),
        "<empty>",
    ] {
        client.set("BookFile", path);
        let (lines, _) = client.ready();
        assert_eq!(lines.len(), usize::from(path != "<empty>"), "{path}: {lines:?}");
        client.position("startpos");
        client.go("go depth 3");
    }
    client.quit();
}

/// A book of two moves for the initial position: e2e4 with weight 2, d2d4 with weight 1.
fn small_book() -> Vec<u8> {
    let key = ferz::book::key(&ferz::board::Position::startpos()).unwrap();
    let record = |from: (u16, u16), to: (u16, u16), weight: u16| {
        let mv = to.0 | to.1 << 3 | from.0 << 6 | from.1 << 9;
        let head = [mv.to_be_bytes(), weight.to_be_bytes()].concat();
        [key.to_be_bytes().to_vec(), head, vec![0; 4]].concat()
    };
    [record((4, 1), (4, 3), 2), record((3, 1), (3, 3), 1)].concat()
}

#[test]
fn the_book_is_played_in_games_and_not_in_analysis() {
    let folder = Folder::new("book");
    let path = folder.0.join("small.bin");
    fs::write(&path, small_book()).unwrap();
    let mut client = Client::start();
    client.set("BookFile", path.display());
    client.set("OwnBook", "true");
    client.set("BookChoice", "best");
    assert!(client.ready().0.is_empty());
    client.position("startpos");
    let answer = client.go("go wtime 1000 btime 1000");
    assert_eq!((answer.best.as_str(), answer.infos.len()), ("e2e4", 1), "{:?}", answer.lines);
    client.set("BookChoice", "variety");
    let mut played: Vec<String> = (0..40)
        .map(|_| {
            client.send("ucinewgame");
            client.go("go movetime 1000").best
        })
        .collect();
    played.sort();
    played.dedup();
    assert_eq!(played, ["d2d4", "e2e4"], "by weight, both come in forty games");
    for go in ["go depth 3 searchmoves a2a3", "go mate 1 depth 3"] {
        assert!(client.go(go).infos.len() > 1, "{go} searches");
    }
    client.send("go infinite");
    client.until("info depth 3 ");
    client.stop();
    client.set("UCI_AnalyseMode", "true");
    assert!(client.go("go depth 4").infos.len() > 1, "no book in analysis");
    client.set("UCI_AnalyseMode", "false");
    client.set("OwnBook", "false");
    assert!(client.go("go depth 4").infos.len() > 1, "no book unasked");
    client.quit();
}

#[test]
fn the_overhead_may_be_larger_than_the_time() {
    let mut client = Client::start();
    client.set("Move Overhead", 5000);
    for go in ["go movetime 50", "go wtime 100 btime 100", "go wtime 1000 btime 1000 movestogo 1"] {
        assert!(client.go(go).time < Duration::from_secs(1), "{go}");
    }
    client.quit();
}

#[test]
fn chances_are_shown_when_asked_for() {
    let mut client = Client::start();
    assert!(client.go("go depth 4").infos.iter().all(|info| info.wdl.is_none()));
    client.set("UCI_ShowWDL", "true");
    let answer = client.go("go depth 4");
    assert!(answer.infos.iter().all(|info| info.wdl.is_some()), "{:?}", answer.lines);
    client.position("fen 7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    let [win, ..] = client.go("go depth 8").last(1).wdl.unwrap();
    assert!(win > 900, "a queen up wins: {win}");
    client.position("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(client.go("go depth 2").last(1).wdl, Some([0, 1000, 0]), "stalemate");
    client.quit();
}

#[test]
fn the_log_holds_both_directions() {
    let folder = Folder::new("log");
    let path = folder.0.join("my log.txt");
    let mut client = Client::start();
    client.set("Debug Log File", path.display());
    client.send("isready");
    client.until("readyok");
    client.send("setoption name Debug Log File value");
    client.ready();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(">> isready") && text.contains("<< readyok"), "{text}");
    client.set("Debug Log File", "/nonexistent/folder/log.txt");
    assert_eq!(client.ready().0.len(), 1);
    client.quit();
}

#[test]
fn nodes_can_be_the_clock() {
    let mut client = Client::start();
    client.set("nodestime", 100);
    let answers: BTreeMap<i64, String> = (0..2)
        .map(|_| {
            client.send("ucinewgame");
            let answer = client.go("go movetime 100");
            (answer.last(1).nodes, answer.best)
        })
        .collect();
    assert_eq!(answers.len(), 1, "the same nodes give the same move: {answers:?}");
    let nodes = *answers.keys().next().unwrap();
    assert!(nodes <= 11_000, "100 ms are 10,000 nodes, not {nodes}");
    client.quit();
}

#[test]
fn weak_levels_show_a_line_for_their_move() {
    let mut client = Client::start();
    for (name, value) in [("UCI_LimitStrength", "true"), ("UCI_Elo", "800"), ("Skill Seed", "7")] {
        client.set(name, value);
    }
    for position in ["startpos", "startpos moves e2e4 e7e5", "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"] {
        client.position(position);
        let first = client.go("go wtime 60000 btime 60000");
        client.send("ucinewgame");
        client.ready();
        let second = client.go("go wtime 60000 btime 60000");
        assert_eq!(first.best, second.best, "the same seed plays the same");
        assert!(first.time < Duration::from_secs(3), "weak levels answer at once");
    }
    client.set("UCI_AnalyseMode", "true");
    client.position("fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    assert_eq!(client.go("go depth 4").score(), Score::Mate(1), "analysis is never weak");
    client.quit();
}
