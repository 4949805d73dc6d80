//! Dialogues as clients hold them at start-up and in the first moves, replayed from files.
//!
//! See `tests/data/uci/README.md` for their form.

use std::fs;
use std::time::Duration;

use crate::client::{Client, board_of};

/// Whether a line fits a pattern, in which each `*` stands for any text.
fn fits(line: &str, pattern: &str) -> bool {
    let Some((start, mut rest)) = pattern.split_once('*') else { return line == pattern };
    let Some(mut line) = line.strip_prefix(start) else { return false };
    while let Some((part, later)) = rest.split_once('*') {
        let Some(at) = line.find(part) else { return false };
        line = &line[at + part.len()..];
        rest = later;
    }
    line.len() >= rest.len() && line.ends_with(rest)
}

/// Replays one file.
fn replay(name: &str, text: &str) {
    let mut client = Client::start();
    let mut board = board_of("startpos");
    let mut since_last_answer = Vec::new();
    for (number, step) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        let (mark, rest) = step.split_once(' ').unwrap_or((step, ""));
        match mark {
            "" | "#" => {}
            ">" => {
                if let Some(position) = rest.strip_prefix("position ") {
                    board = board_of(position);
                }
                if let Some(value) = rest.strip_prefix("setoption name UCI_Chess960 value ") {
                    client.set("UCI_Chess960", value);
                } else {
                    client.send(rest);
                }
            }
            "<" if rest.starts_with("bestmove") => {
                let answer = client.answer_for(&board);
                let line = answer.lines.last().unwrap();
                assert!(fits(line, rest), "{place}: {line}");
                since_last_answer.clear();
            }
            "<" => loop {
                let line = since_last_answer
                    .pop()
                    .or_else(|| client.next_line(Duration::from_secs(30)).map(|(_, line)| line));
                let line = line.unwrap_or_else(|| panic!("{place}: nothing came"));
                assert!(!line.starts_with("bestmove"), "{place}: too early: {line}");
                if fits(&line, rest) {
                    break;
                }
            },
            "~" => {
                let time = Duration::from_millis(rest.parse().unwrap());
                since_last_answer = client.listen(time);
                since_last_answer.reverse();
                let early = since_last_answer.iter().find(|line| line.starts_with("bestmove"));
                assert_eq!(early, None, "{place}: nobody asked yet");
            }
            "end" => {
                assert_eq!(rest, "quit", "{place}");
                client.quit();
                return;
            }
            other => panic!("{place}: what is {other:?}?"),
        }
    }
    panic!("{name} does not end");
}

#[test]
fn recorded_dialogues_go_as_they_should() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/uci");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            replay(&name, &fs::read_to_string(&path).unwrap());
            names.push(name);
        }
    }
    assert!(names.len() >= 9, "only {names:?}");
}

#[test]
fn patterns_fit_as_they_should() {
    assert!(fits("id name Ferz 1", "id name *") && fits("uciok", "uciok"));
    assert!(fits("info depth 3 score cp 5 pv e2e4", "info depth * score * pv *"));
    assert!(!fits("uciok x", "uciok") && !fits("a", "a*a") && !fits("ab", "*c*"));
}
