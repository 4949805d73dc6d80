//! Stop, ponder, readiness, the end of input and output: who may say what when.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::client::{Client, PATIENCE, Score, board_of, legal};

const MOMENT: Duration = Duration::from_millis(200);

/// Most answers must be at once; a single one may be late on a busy machine.
fn assert_prompt(mut times: Vec<Duration>, usual: u64, worst: u64) {
    times.sort_unstable();
    let (median, max) = (times[times.len() / 2], times[times.len() - 1]);
    assert!(median <= Duration::from_millis(usual), "usually {median:?}");
    assert!(max <= Duration::from_millis(worst), "at worst {max:?}");
}

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

#[test]
fn readiness_is_answered_during_any_search() {
    let mut client = Client::start();
    client.position("startpos");
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go movetime 100000", "go mate 30"]
    {
        client.send(go);
        let mut times = Vec::new();
        for _ in 0..5 {
            client.listen(Duration::from_millis(40));
            let (lines, time) = client.ready();
            assert_eq!(best_moves(&lines), 0, "{go} goes on");
            times.push(time);
        }
        assert_prompt(times, 50, 1000);
        let depth = client.listen(Duration::from_millis(100));
        assert_eq!(best_moves(&depth), 0, "{go} goes on");
        assert!(client.stop().time < Duration::from_secs(1), "{go} stops");
        assert_eq!(best_moves(&client.listen(MOMENT / 4)), 0, "one answer to {go}");
    }
    client.quit();
}

#[test]
fn a_search_goes_on_after_isready() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    client.until("info depth 3 ");
    client.ready();
    let lines = client.listen(Duration::from_secs(2));
    assert!(lines.iter().any(|line| line.starts_with("info depth ")), "more lines come");
    client.stop();
    client.quit();
}

#[test]
fn infinite_waits_for_stop_whatever_was_found() {
    for (position, go, best) in [
        ("fen 8/5kR1/8/3K4/8/8/8/8 b - - 0 143", "go infinite", None),
        ("fen 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 0 1", "go infinite", Some("g3h3")),
        ("fen 7k/8/8/8/8/8/5q2/7K w - - 0 1", "go infinite", None),
        ("fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1", "go infinite", None),
        ("startpos", "go depth 2 infinite", None),
        ("startpos", "go nodes 1 infinite", None),
        ("startpos", "go movetime 1 infinite", None),
        ("fen 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 0 1", "go mate 1 infinite", Some("g3h3")),
    ] {
        let mut client = Client::start();
        client.position(position);
        client.send(go);
        let lines = client.listen(Duration::from_millis(1500));
        assert_eq!(best_moves(&lines), 0, "{position}: {go}");
        assert!(lines.len() < 1000, "{} lines for {position}", lines.len());
        let answer = client.stop();
        assert!(answer.time < Duration::from_secs(1));
        assert!(best.is_none_or(|best| best == answer.best), "{position}: {}", answer.best);
        client.quit();
    }
}

#[test]
fn pondering_waits_for_its_hit_or_for_stop() {
    let position = "startpos moves e2e4 f7f6 d2d4 g7g5";
    for go in [
        "go ponder wtime 1000 btime 1000",
        "go ponder movetime 50",
        "go ponder depth 1",
        "go ponder nodes 1",
        "go ponder mate 1",
        "go wtime 1 btime 1 ponder",
    ] {
        let mut client = Client::start();
        client.position(position);
        client.send(go);
        assert_eq!(best_moves(&client.listen(2 * MOMENT)), 0, "{go}");
        client.send("ponderhit");
        let answer = client.answer();
        assert!(answer.time < Duration::from_secs(3), "{go} took {:?}", answer.time);
        if go.contains("1000") {
            assert_eq!((answer.best.as_str(), answer.score()), ("d1h5", Score::Mate(1)));
        }
        client.send("ponderhit");
        assert_eq!(best_moves(&client.ready().0), 0, "a second hit means nothing");
        client.send(go);
        assert_eq!(best_moves(&client.listen(MOMENT)), 0, "{go}");
        client.stop();
        assert_eq!(best_moves(&client.listen(MOMENT / 4)), 0, "{go}");
        client.quit();
    }
}

#[test]
fn the_clock_starts_at_the_hit() {
    let mut client = Client::start();
    client.position("startpos moves e2e4 e7e5");
    client.send("go ponder movetime 300");
    client.listen(Duration::from_millis(400));
    client.send("ponderhit");
    let answer = client.answer();
    assert!(answer.time > Duration::from_millis(150), "only {:?} were used", answer.time);
    assert!(answer.time < Duration::from_secs(2));
    client.quit();
}

#[test]
fn a_hit_without_pondering_means_nothing() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    client.send("ponderhit");
    assert_eq!(best_moves(&client.listen(MOMENT)), 0);
    client.stop();
    client.quit();
}

#[test]
fn go_and_stop_in_one_write() {
    let mut client = Client::start();
    let mut times = Vec::new();
    for round in 0..200 {
        let position = if round % 2 == 0 { "startpos" } else { "startpos moves e2e4" };
        let board = board_of(position);
        let text = format!("position {position}\ngo infinite\nstop\nisready\n");
        let start = Instant::now();
        client.send_bytes(text.as_bytes());
        client.answer_for(&board);
        client.until("readyok");
        times.push(start.elapsed());
    }
    assert_prompt(times, 50, 2000);
    client.quit();
}

#[test]
fn commands_out_of_place_are_ignored() {
    let mut client = Client::start();
    for line in ["stop", "stop", "ponderhit", "debug on", "stop", "debug off", "register later"] {
        client.send(line);
    }
    client.ready();
    client.position("startpos");
    client.go("go movetime 50");
    client.send("stop");
    client.send("ponderhit");
    let answer = client.go("go depth 6");
    assert_eq!(answer.last(1).depth, 6);
    client.send("stop");
    let answer = client.go("go depth 4");
    assert_eq!(answer.last(1).depth, 4);
    client.quit();
}

#[test]
fn a_second_go_ends_the_first() {
    for between in [
        &[][..],
        &["setoption name Hash value 32"],
        &["setoption name MultiPV value 2"],
        &["isready"],
        &["setoption name Threads value 2"],
        &["debug on"],
        &["d"],
    ] {
        let mut client = Client::start();
        client.position("startpos");
        client.send("go infinite");
        client.listen(MOMENT);
        between.iter().for_each(|line| client.send(line));
        let first = client.board().clone();
        client.position("startpos moves e2e4");
        client.send("go depth 4");
        client.send("isready");
        let mut seen = Vec::new();
        while best_moves(&seen) < 2 || !seen.iter().any(|line| line == "readyok") {
            let (_, line) = client.next_line(PATIENCE).expect("two answers and readyok");
            seen.push(line);
        }
        let moves: Vec<&str> = seen
            .iter()
            .filter_map(|line| line.strip_prefix("bestmove "))
            .map(|text| text.split(' ').next().unwrap_or_default())
            .collect();
        assert!(legal(&first, moves[0], false).is_some(), "{moves:?}");
        assert!(legal(client.board(), moves[1], false).is_some(), "{moves:?}");
        assert_eq!(best_moves(&client.ready().0), 0);
        client.quit();
    }
}

#[test]
fn a_position_during_a_search_is_for_the_next_one() {
    let mut client = Client::start();
    client.position("startpos");
    let white = client.board().clone();
    client.send("go infinite");
    client.listen(MOMENT);
    client.position("startpos moves e2e4");
    client.listen(MOMENT);
    client.send("stop");
    client.answer_for(&white);
    client.go("go depth 3");
    client.quit();
}

#[test]
fn a_new_game_ends_the_search_first() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    client.listen(MOMENT);
    client.send("ucinewgame");
    client.send("isready");
    client.answer();
    client.until("readyok");
    assert_eq!(client.go("go depth 3").last(1).depth, 3);
    client.quit();
}

#[test]
fn options_during_a_search_hold_for_the_next() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    client.listen(MOMENT);
    for line in [
        "setoption name MultiPV value 3",
        "setoption name Hash value 2",
        "setoption name UCI_ShowWDL value true",
        "setoption name Clear Hash",
    ] {
        client.send(line);
        let (lines, time) = client.ready();
        assert!(time < Duration::from_secs(1), "{line} blocks");
        assert!(lines.iter().all(|text| !text.contains("multipv 2") && !text.contains(" wdl ")));
    }
    client.stop();
    let answer = client.go("go depth 4");
    assert_eq!(answer.infos.iter().map(|info| info.multipv).max(), Some(3));
    assert!(answer.last(1).wdl.is_some());
    client.quit();
}

#[test]
fn the_end_of_input_ends_the_engine() {
    let mut client = Client::start();
    client.position("startpos");
    client.send("go infinite");
    client.listen(MOMENT);
    client.close_input();
    let closed = Instant::now();
    client.answer();
    let status = client.wait(Duration::from_secs(5)).expect("the engine ends");
    assert!(closed.elapsed() < Duration::from_secs(2), "after {:?}", closed.elapsed());
    assert_eq!((status.code(), client.errors().as_str()), (Some(0), ""));

    let mut client = Client::start();
    client.close_input();
    let status = client.wait(Duration::from_secs(5)).expect("the engine ends");
    assert_eq!((status.code(), client.errors().as_str()), (Some(0), ""));
}

#[test]
fn a_command_without_a_line_end_is_still_heard() {
    let mut client = Client::start();
    client.send_bytes(b"position startpos\ngo depth 3");
    client.close_input();
    client.answer();
    assert_eq!(client.wait(Duration::from_secs(5)).and_then(|status| status.code()), Some(0));
}

#[test]
fn quit_is_prompt_during_a_search() {
    for go in ["go infinite", "go ponder wtime 100 btime 100", "go perft 12", "bench 30"] {
        let mut client = Client::start();
        client.position("startpos");
        client.send(go);
        client.listen(MOMENT);
        let sent = Instant::now();
        client.quit();
        assert!(sent.elapsed() < Duration::from_secs(2), "{go}");
    }
}

#[test]
fn a_closed_output_ends_the_engine_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ferz"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, b"position startpos\ngo depth 8\n").expect("it reads");
    let end = Instant::now() + Duration::from_secs(5);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        assert!(Instant::now() < end, "it lives on");
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut text).unwrap();
    assert_eq!((status.code(), text.as_str()), (Some(0), ""));
}

#[test]
fn lines_come_while_the_search_runs() {
    let mut client = Client::start();
    let start = Instant::now();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(start.elapsed() < Duration::from_secs(5), "uciok after {:?}", start.elapsed());
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
    client.position("startpos");
    client.send("go infinite");
    client.until("info depth 5 ");
    client.stop();
    client.quit();
}

#[test]
fn the_engine_works_without_any_ceremony() {
    let mut client = Client::start();
    assert_eq!(client.go("go depth 2").last(1).depth, 2, "no position is the initial one");
    client.send("uci");
    client.until("uciok");
    client.send("uci");
    client.until("uciok");
    client.quit();
}

#[test]
fn foreign_protocols_and_noise_are_survived() {
    let mut client = Client::start();
    for line in ["xboard", "protover 2", "", "   ", "\r", "\t\t", "info string stop", "UCINEWGAME"]
    {
        client.send(line);
    }
    client.send_bytes(b"\xff\xfe\x80\n\0\0\0\n\xc3\n");
    client.send_bytes(&[b"nonsense ".repeat(20_000), b"\n".to_vec()].concat());
    client.send_bytes(&[vec![b'x'; 100_000], b"\n".to_vec()].concat());
    client.send("joho debug on");
    client.send("joho isready");
    client.until("readyok");
    client.send("uci");
    client.until("uciok");
    client.quit();
}

#[test]
fn blanks_and_line_ends_of_any_kind() {
    let mut client = Client::start();
    client.send_bytes(b"\t position \t startpos  moves \t e2e4 \r\n go \t depth  3 \r\n");
    assert_eq!(client.answer_for(&board_of("startpos moves e2e4")).last(1).depth, 3);
    client.send_bytes(b"\xef\xbb\xbfisready\r\n");
    client.until("readyok");
    client.quit();
}

#[test]
fn unknown_words_are_named_once() {
    let mut client = Client::start();
    for (line, named) in [
        ("frobnicate now", "frobnicate"),
        ("setoption name Frob value 3", "Frob"),
        ("setoption name Hash value abc", "abc"),
        ("setoption name Hash value 99999999999999999999", "Hash"),
        ("setoption name Threads value", "Threads"),
        ("setoption Hash 3", "setoption"),
        ("debug", "debug"),
        ("position", "position"),
        ("position fen", "position"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves e2e4 \u{e9}\u{e9}", "\u{e9}"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("go perft x", "perft"),
        ("bench x", "bench"),
    ] {
        client.send(line);
        let (lines, _) = client.ready();
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string ") && lines[0].contains(named), "{lines:?}");
    }
    client.quit();
}

#[test]
fn long_games_and_long_lines() {
    let mut client = Client::start();
    for rounds in [100, 2500] {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(rounds);
        client.position(&format!("startpos moves {}", moves.trim_end()));
        client.go("go depth 6");
    }
    client.quit();
}
