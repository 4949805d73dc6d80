//! `ferz epd`: test suites.

mod goal;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::Failure;
use crate::board::Board;
use crate::engine::{Engine, Event, MAX_HASH_MB, MAX_THREADS};
use crate::notation::epd::{Record, parse_lines};
use crate::notation::to_san;
use crate::search::{Limits, SearchInfo};
use crate::types::score::{MAX_PLY, mate_moves};
use crate::types::{Depth, Move};
use goal::Goal;

/// The time for a position if no limit is given.
const DEFAULT_TIME_MS: u64 = 1000;

/// The arguments of `ferz epd`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The suites, EPD files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Time for each position in ms; 1000 if no limit is given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=MAX_PLY as i64))]
    depth: Option<Depth>,
    /// Search threads
    #[arg(long, default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS as u64))]
    threads: u64,
    /// Size of the table in MB
    #[arg(long, default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MB as u64))]
    hash: u64,
    /// Write every answer to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// One position of a suite.
struct Test {
    line: usize,
    record: Record,
    goal: Goal,
}

/// One answer, as JSON holds it.
#[derive(Serialize, Debug)]
struct Answer {
    line: usize,
    id: Option<String>,
    fen: String,
    best: Option<String>,
    solved: bool,
    points: u32,
    points_possible: u32,
    best_mate: bool,
    false_mate: bool,
    /// Centipawns, where no mate is announced.
    cp: Option<i32>,
    /// Moves to mate, negative for the side to move.
    mate: Option<i32>,
    depth: Depth,
    nodes: u64,
    time_ms: u64,
}

/// The answers to one file.
#[derive(Serialize, Debug)]
struct Suite {
    file: PathBuf,
    /// Whether it asks for mates.
    mates: bool,
    /// Records that could not be used.
    faults: usize,
    answers: Vec<Answer>,
}

/// Searches every position and prints a table of the suites.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let suites: Result<Vec<_>, Failure> = arguments.files.iter().map(|path| load(path)).collect();
    let suites = suites?;
    let bar = progress(suites.iter().map(|(tests, _)| tests.len() as u64).sum());
    let mut engine = Engine::new(drop);
    engine.set_hash(arguments.hash as usize);
    engine.settings_mut().threads = arguments.threads as usize;
    engine.settings_mut().analyse = true;
    let mut results = Vec::new();
    for (path, (tests, faults)) in arguments.files.iter().zip(suites) {
        let mates = tests.iter().any(|test| test.goal.is_mate());
        let mut answers = Vec::with_capacity(tests.len());
        for test in &tests {
            answers.push(solve(&mut engine, limits(arguments), test)?);
            bar.inc(1);
        }
        results.push(Suite { file: path.clone(), mates, faults, answers });
    }
    bar.finish_and_clear();
    print_table(&results, out)?;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&results)
            .map_err(|error| Failure::Input(error.to_string()))?;
        fs::write(path, text + "\n").map_err(|error| unusable(path, &error))?;
    }
    Ok(())
}

/// The tests of a file and the number of records that are none; each of those is named.
fn load(path: &Path) -> Result<(Vec<Test>, usize), Failure> {
    let bytes = fs::read(path).map_err(|error| unusable(path, &error))?;
    let mut tests = Vec::new();
    let mut faults = 0;
    for (line, record) in parse_lines(&String::from_utf8_lossy(&bytes)) {
        let test = record.map_err(|error| error.to_string()).and_then(|record| {
            let goal = Goal::of(&record).map_err(|error| error.to_string())?;
            Ok(Test { line, record, goal })
        });
        match test {
            Ok(test) => tests.push(test),
            Err(reason) => {
                faults += 1;
                eprintln!("ferz: {}:{line}: {reason}", path.display());
            }
        }
    }
    if tests.is_empty() {
        return Err(Failure::Input(format!("{} holds no test position", path.display())));
    }
    Ok((tests, faults))
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("{}: {error}", path.display()))
}

fn progress(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn limits(arguments: &Arguments) -> Limits {
    let free = arguments.nodes.is_none() && arguments.depth.is_none();
    let time = arguments.movetime.or(free.then_some(DEFAULT_TIME_MS));
    Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: time.map(Duration::from_millis),
        ..Limits::default()
    }
}

/// Searches one position with an empty table.
fn solve(engine: &mut Engine, limits: Limits, test: &Test) -> Result<Answer, Failure> {
    let (sender, events) = mpsc::channel();
    engine.new_game();
    engine.set_board(Some(Board::new(test.record.position)));
    engine.go(limits, Arc::new(move |event| drop(sender.send(event))));
    let mut last = None;
    for event in events {
        match event {
            Event::Info(info) => last = Some(info),
            Event::BestMove { best, .. } => {
                let Some(info) = last else { break };
                return Ok(answer(test, best, &info));
            }
            _ => {}
        }
    }
    Err(Failure::Input(format!("the search of {} gave no line", test.record.position.fen())))
}

fn answer(test: &Test, best: Option<Move>, info: &SearchInfo) -> Answer {
    let position = &test.record.position;
    let verdict = test.goal.judge(&test.record, best, info);
    let mate = mate_moves(info.line.score);
    Answer {
        line: test.line,
        id: test.record.text("id"),
        fen: position.fen(),
        best: best.map(|mv| to_san(position, mv)),
        solved: verdict.solved,
        points: verdict.points,
        points_possible: verdict.points_possible,
        best_mate: verdict.best_mate,
        false_mate: verdict.false_mate,
        cp: mate.is_none().then_some(info.line.score),
        mate,
        depth: info.depth,
        nodes: info.nodes,
        time_ms: info.time.as_millis() as u64,
    }
}

/// Prints a row for each suite, and the sum of several.
fn print_table(suites: &[Suite], out: &mut impl Write) -> Result<(), Failure> {
    let head =
        ["suite", "tests", "solved", "%", "points", "best mates", "false mates", "Mnodes", "s"];
    let mut rows = vec![head.map(str::to_string)];
    for suite in suites {
        let name = suite.file.file_name().unwrap_or(suite.file.as_os_str());
        rows.push(row(&name.to_string_lossy(), suite.mates, suite.answers.iter()));
    }
    if suites.len() > 1 {
        let mates = suites.iter().any(|suite| suite.mates);
        rows.push(row("all", mates, suites.iter().flat_map(|suite| &suite.answers)));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in &rows {
        write!(out, "{:<1$}", row[0], widths[0])?;
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn row<'a>(
    name: &str,
    mates: bool,
    answers: impl Iterator<Item = &'a Answer> + Clone,
) -> [String; 9] {
    let count = |test: fn(&Answer) -> bool| answers.clone().filter(|it| test(it)).count();
    let sum = |value: fn(&Answer) -> u64| answers.clone().map(value).sum::<u64>();
    let (tests, solved) = (answers.clone().count(), count(|it| it.solved));
    let possible = sum(|it| it.points_possible.into());
    let points = if possible == 0 {
        String::new()
    } else {
        format!("{}/{possible}", sum(|it| it.points.into()))
    };
    let best = if mates { count(|it| it.best_mate).to_string() } else { String::new() };
    [
        name.to_string(),
        tests.to_string(),
        solved.to_string(),
        format!("{:.1}", 100.0 * solved as f64 / tests as f64),
        points,
        best,
        count(|it| it.false_mate).to_string(),
        format!("{:.1}", sum(|it| it.nodes) as f64 / 1e6),
        format!("{:.1}", sum(|it| it.time_ms) as f64 / 1e3),
    ]
}
