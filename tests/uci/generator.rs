//! Random sessions, well formed and damaged: no panic, no hang, no missing answer.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use ferz::uci::Session;
use ferz::uci::command::{self, Command};
use ferz::uci::output::Output;

use crate::client::{Client, check_form};

const SESSIONS: u32 = 1000;
const LINES: usize = 100;

/// What the session has printed so far.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap();
        String::from_utf8(bytes.clone()).unwrap().lines().map(str::to_owned).collect()
    }
}

fn a_move() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec!["e2e4", "g1f3", "e1g1", "e1h1", "a7a8q", "e5d6", "b1c3"])
            .prop_map(str::to_owned),
        4 => "[a-h][1-8][a-h][1-8][qrbnQRBN]?",
        1 => "[a-i0][0-9][a-h][1-9]?[a-z]?",
        1 => Just("0000".to_owned()),
    ]
}

fn a_position() -> impl Strategy<Value = String> {
    const ROOTS: [&str; 12] = [
        "startpos",
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "fen bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/RQKNBBNR w HAfc - 0 1",
        "fen 4k3/8/8/8/8/8/8/4K1RR w G -",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen 8/8/k1K5/8/8/8/R7/8 b - - 150 1",
        "fen 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113",
        "fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0",
        "fen nonsense",
    ];
    const GAME: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f6e4 d2d4 b7b5 a4b3 d7d5";
    let game = (0..15usize).prop_map(|plies| {
        GAME.split(' ').take(plies).fold("startpos moves".to_owned(), |text, mv| text + " " + mv)
    });
    let loose = (prop::sample::select(ROOTS.to_vec()), prop::collection::vec(a_move(), 0..4))
        .prop_map(|(root, moves)| match moves.is_empty() {
            true => root.to_owned(),
            false => format!("{root} moves {}", moves.join(" ")),
        });
    prop_oneof![game, loose].prop_map(|text| format!("position {text}"))
}

fn a_number() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0i64..60).prop_map(|n| n.to_string()),
        2 => any::<i64>().prop_map(|n| n.to_string()),
        1 => Just("18446744073709551616".to_owned()),
        1 => "[-+.0-9a-z]{0,6}",
    ]
}

fn a_go() -> impl Strategy<Value = String> {
    let limit = (
        prop::sample::select(vec![
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "depth",
            "nodes",
            "mate",
            "movetime",
        ]),
        a_number(),
    )
        .prop_map(|(name, number)| format!("{name} {number}"));
    let part = prop_oneof![
        6 => limit,
        1 => Just("infinite".to_owned()),
        1 => Just("ponder".to_owned()),
        1 => prop::collection::vec(a_move(), 0..3)
            .prop_map(|moves| format!("searchmoves {}", moves.join(" "))),
        1 => "[a-z]{1,8}",
    ];
    let searches =
        prop::collection::vec(part, 0..5).prop_map(|parts| format!("go {}", parts.join(" ")));
    prop_oneof![12 => searches, 1 => a_number().prop_map(|depth| format!("go perft {depth}"))]
}

/// Any option but the log, which would write files.
fn an_option() -> impl Strategy<Value = String> {
    let spin = (
        prop::sample::select(vec![
            "Threads",
            "MultiPV",
            "Hash",
            "Move Overhead",
            "UCI_Elo",
            "Skill Level",
            "SyzygyProbeDepth",
            "nodestime",
            "Skill Seed",
        ]),
        1i64..5,
    )
        .prop_map(|(name, number)| format!("{name} value {number}"));
    let check = (
        prop::sample::select(vec![
            "Ponder",
            "UCI_Chess960",
            "UCI_ShowWDL",
            "UCI_AnalyseMode",
            "UCI_LimitStrength",
            "OwnBook",
            "Syzygy50MoveRule",
        ]),
        prop::sample::select(vec!["true", "false", "TRUE", "maybe", ""]),
    )
        .prop_map(|(name, value)| format!("{name} value {value}"));
    let text = (
        prop::sample::select(vec!["SyzygyPath", "BookFile", "UCI_EngineAbout", "UCI_Opponent"]),
        "[ -~é]{0,20}",
    )
        .prop_map(|(name, value)| format!("{name} value {value}"));
    let odd = prop::sample::select(vec![
        "Clear Hash",
        "Hash",
        "Hash value",
        "value 3",
        "",
        "BookChoice value best",
        "Frob value 1",
    ])
    .prop_map(str::to_owned);
    prop_oneof![4 => spin, 3 => check, 1 => text, 2 => odd]
        .prop_map(|text| format!("setoption name {text}"))
}

fn a_line() -> impl Strategy<Value = Vec<u8>> {
    let plain = prop::sample::select(vec![
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "debug on",
        "debug off",
        "register x",
        "d",
        "eval",
        "isready",
        "stop",
        "xboard",
        "",
        "bench 1",
        "quit",
        "go",
        "go infinite",
    ])
    .prop_map(str::to_owned);
    let good = prop_oneof![4 => plain, 4 => a_position(), 4 => a_go(), 3 => an_option()];
    let damaged = (good.clone(), prop::collection::vec(any::<(u8, u16, u8)>(), 1..4))
        .prop_map(|(text, wounds)| wounds.into_iter().fold(text.into_bytes(), wound));
    prop_oneof![
        6 => good.prop_map(String::into_bytes),
        4 => damaged,
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ]
    .prop_map(|mut bytes| {
        bytes.retain(|&byte| byte != b'\n');
        bytes
    })
}

/// One small damage: a byte lost, changed or put in, a piece cut off, doubled or turned to capitals.
fn wound(mut bytes: Vec<u8>, (kind, place, byte): (u8, u16, u8)) -> Vec<u8> {
    if bytes.is_empty() {
        return vec![byte];
    }
    let place = usize::from(place) % bytes.len();
    match kind % 7 {
        0 => drop(bytes.remove(place)),
        1 => bytes[place] = byte,
        2 => bytes.insert(place, byte),
        3 => bytes.truncate(place),
        4 => bytes.extend_from_within(place..),
        5 => bytes.make_ascii_uppercase(),
        _ => bytes.insert(place, b' '),
    }
    bytes
}

/// Runs one session in this process and counts its answers.
fn hold(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let page = Page::default();
    let mut session = Session::new(Arc::new(Output::new(page.clone(), || ())));
    let (mut searches, mut pings) = (0, 0);
    // A small table is cleared fast.
    session.handle(b"setoption name Hash value 1");
    for line in lines.iter().map(Vec::as_slice).chain([&b"stop"[..], b"isready"]) {
        match command::parse(line) {
            Ok(Some(Command::Go(_))) => searches += 1,
            Ok(Some(Command::IsReady)) => pings += 1,
            _ => {}
        }
        session.handle(line);
    }
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let printed = page.lines();
        let count = |start: &str| printed.iter().filter(|line| line.starts_with(start)).count();
        let (answered, ready) = (count("bestmove"), count("readyok"));
        if (answered, ready) == (searches, pings) {
            printed.iter().for_each(|line| check_form(line));
            return Ok(());
        }
        prop_assert!(
            Instant::now() < end,
            "{answered} of {searches} searches and {ready} of {pings} pings were answered"
        );
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_hundred_thousand_random_lines() {
    let config = Config { cases: SESSIONS, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[42; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let session = prop::collection::vec(a_line(), LINES);
    runner.run(&session, |lines| hold(&lines)).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn random_lines_through_the_real_binary() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let lines = prop::collection::vec(a_line(), 2000)
        .new_tree(&mut runner)
        .unwrap()
        .current()
        .into_iter()
        .filter(|line| !matches!(command::parse(line), Ok(Some(Command::Quit))));
    let mut client = Client::start();
    for line in lines {
        client.send_bytes(&[line, b"\n".to_vec()].concat());
    }
    client.send("stop");
    client.send("setoption name UCI_LimitStrength value false");
    client.send("isready");
    client.listen(Duration::from_millis(500));
    client.ready();
    client.close_input();
    let status = client.wait(Duration::from_secs(10)).expect("the engine ends");
    assert_eq!((status.code(), client.errors().as_str()), (Some(0), ""));
}

#[test]
fn two_engines_live_in_one_process() {
    let pages = [Page::default(), Page::default()];
    let mut sessions = pages.clone().map(|page| Session::new(Arc::new(Output::new(page, || ()))));
    let lines: [&[u8]; 3] =
        [b"setoption name MultiPV value 2", b"position startpos", b"go depth 6"];
    for line in lines {
        for session in &mut sessions {
            session.handle(line);
        }
        sessions[1].handle(b"setoption name MultiPV value 1");
    }
    let end = Instant::now() + Duration::from_secs(30);
    let done = |page: &Page| page.lines().iter().any(|line| line.starts_with("bestmove"));
    while !pages.iter().all(done) {
        assert!(Instant::now() < end, "both answer");
        thread::sleep(Duration::from_millis(1));
    }
    let two_lines = |page: &Page| page.lines().iter().any(|line| line.contains(" multipv 2 "));
    assert_eq!(pages.each_ref().map(two_lines), [true, false], "each has its own options");
}
