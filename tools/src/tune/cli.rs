//! The command line of `tune`.

use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use clap::{Args, Parser, Subcommand};
use ferz::search::PARAMETERS;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::plot;
use super::record::{Record, Settings, Step};
use super::run::{check_engine, tune};
use super::spsa::Gains;
use crate::arena::config::{EngineConfig, Openings, OptionValue, Settings as Match};
use crate::arena::stop::Stop;
use crate::arena::time_control::TimeControl;

/// Iterations between two lines where no bar can be shown.
const LINE_EVERY: u32 = 25;

/// Exit code when the user ended the run.
const INTERRUPTED: u8 = 130;

type AnyError = Box<dyn Error>;

/// Tunes the numbers of the search by matches (SPSA).
///
/// The engine must be built with the feature `tune`:
/// `cargo build --release -p ferz --features tune --target-dir target/tune`.
#[derive(Debug, Parser)]
#[command(name = "tune", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Begins a tuning.
    Run(Box<RunArgs>),
    /// Goes on with one, after any end.
    Resume {
        /// Its folder.
        folder: PathBuf,
    },
    /// Shows where one stands.
    Show {
        /// Its folder.
        folder: PathBuf,
    },
    /// Lists the numbers with their ranges and steps.
    List,
}

#[derive(Debug, Args)]
struct RunArgs {
    /// The engine, built with the feature `tune`.
    #[arg(long)]
    engine: PathBuf,
    /// The folder for the record and the picture.
    #[arg(long)]
    out: PathBuf,
    /// The numbers to tune, separated by commas; all of them if absent.
    #[arg(long, value_delimiter = ',')]
    params: Vec<String>,
    /// Numbers to leave alone.
    #[arg(long, value_delimiter = ',')]
    except: Vec<String>,
    /// Iterations.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Games of each iteration, even.
    #[arg(long, default_value_t = 16)]
    games: u32,
    /// How far, in steps, a number goes at the end for one game won more than lost.
    #[arg(long, default_value_t = 0.02)]
    rate: f64,
    /// Nodes a move.
    #[arg(long, conflicts_with = "tc", required_unless_present = "tc")]
    nodes: Option<u64>,
    /// Time control in place of nodes, such as 4+0.04.
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Games at once.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Openings, EPD or PGN.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Megabytes of each engine's table.
    #[arg(long, default_value_t = 16)]
    hash: i64,
    /// What everything random is drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl RunArgs {
    fn settings(self) -> Result<Settings, AnyError> {
        let known = |name: &&String| PARAMETERS.iter().all(|knob| knob.name != **name);
        if let Some(name) = self.params.iter().chain(&self.except).find(known) {
            return Err(format!("no number of the search is called {name:?}: see tune list").into());
        }
        let wanted = |name: &str| {
            (self.params.is_empty() || self.params.iter().any(|other| other == name))
                && self.except.iter().all(|other| other != name)
        };
        let names: Vec<String> = PARAMETERS
            .iter()
            .filter(|knob| wanted(knob.name))
            .map(|knob| knob.name.to_owned())
            .collect();
        if names.is_empty() {
            return Err("nothing is left to tune".into());
        }
        if !(self.rate > 0.0 && self.rate < 1.0) {
            return Err("rate: between 0 and 1".into());
        }
        let tc = match (self.nodes, self.tc) {
            (Some(nodes), _) => format!("nodes={nodes}").parse()?,
            (None, Some(tc)) => tc,
            (None, None) => return Err("either nodes or a time control".into()),
        };
        let engine = |name: &str| EngineConfig {
            name: name.to_owned(),
            cmd: self.engine.display().to_string(),
            options: [("Hash".to_owned(), OptionValue::Spin(self.hash))].into(),
            ..EngineConfig::default()
        };
        let games = Match {
            games: self.games,
            concurrency: self.concurrency,
            tc: Some(tc),
            max_faults: 1,
            openings: Openings { file: self.openings, ..Openings::default() },
            engines: vec![engine("first"), engine("second")],
            ..Match::default()
        };
        games.validate()?;
        let gains = Gains { iterations: self.iterations, rate: self.rate };
        Ok(Settings { names, gains, seed: self.seed, games })
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(args) => begin(*args),
        Command::Resume { folder } => resume(&folder),
        Command::Show { folder } => show(&folder),
        Command::List => {
            list();
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("tune: {error}");
        ExitCode::FAILURE
    })
}

fn record_path(folder: &Path) -> PathBuf {
    folder.join("tune.jsonl")
}

fn begin(args: RunArgs) -> Result<ExitCode, AnyError> {
    let folder = args.out.clone();
    let settings = args.settings()?;
    let stop = Stop::on_interrupt()?;
    check_engine(&settings, &stop)?;
    std::fs::create_dir_all(&folder)?;
    go_on(Record::create(&record_path(&folder), settings)?, &folder, &stop)
}

fn resume(folder: &Path) -> Result<ExitCode, AnyError> {
    let record = Record::open(&record_path(folder))?;
    let stop = Stop::on_interrupt()?;
    check_engine(&record.settings, &stop)?;
    go_on(record, folder, &stop)
}

fn go_on(mut record: Record, folder: &Path, stop: &Stop) -> Result<ExitCode, AnyError> {
    println!("to go on after an end: tune resume {}", folder.display());
    let all = record.settings.gains.iterations;
    let bar = bar(all, record.steps.len());
    let told = |step: &Step| {
        bar.inc(1);
        bar.set_message(format!("balance {:+}", step.balance));
        if bar.is_hidden() && step.iteration.is_multiple_of(LINE_EVERY) {
            println!("{} of {all} iterations", step.iteration);
        }
    };
    let result = tune(&mut record, &folder.join("games.journal"), stop, &told);
    bar.finish_and_clear();
    plot::paths(&record.settings.knobs()?, &record.steps, &folder.join("tune.svg"))?;
    print_values(&record)?;
    result?;
    match stop.by_user.load(Ordering::Relaxed) {
        true => Ok(ExitCode::from(INTERRUPTED)),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn bar(all: u32, done: usize) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(all.into()), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}") {
        bar.set_style(style);
    }
    bar.set_position(done as u64);
    bar
}

fn show(folder: &Path) -> Result<ExitCode, AnyError> {
    let record = Record::open(&record_path(folder))?;
    println!("{} of {} iterations", record.steps.len(), record.settings.gains.iterations);
    print_values(&record)?;
    Ok(ExitCode::SUCCESS)
}

/// The numbers as they stand, in the form of `src/search/params.rs`.
fn print_values(record: &Record) -> Result<(), AnyError> {
    for (knob, value) in record.settings.knobs()?.iter().zip(record.values()?) {
        let moved = (value - f64::from(knob.default)) / f64::from(knob.step);
        println!("{} = {:.0} (was {}, {moved:+.2} steps)", knob.name, value, knob.default);
    }
    Ok(())
}

fn list() {
    for knob in PARAMETERS {
        println!("{} = {}, {}..={}, {}", knob.name, knob.default, knob.min, knob.max, knob.step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(words: &[&str]) -> Result<Settings, String> {
        let base = ["tune", "run", "--engine", "e", "--out", "o"];
        let cli = Cli::try_parse_from(base.iter().chain(words)).map_err(|e| e.to_string())?;
        match cli.command {
            Command::Run(args) => args.settings().map_err(|error| error.to_string()),
            _ => Err("another command".to_owned()),
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        let all = settings(&["--nodes", "5000"]).unwrap();
        assert_eq!(all.names.len(), PARAMETERS.len());
        let few = settings(&["--tc", "1+0.01", "--params", "iir_depth,probcut_depth"]).unwrap();
        assert_eq!(few.names.len(), 2);
        let rest = settings(&["--nodes", "1", "--except", "iir_depth"]).unwrap();
        assert_eq!(rest.names.len(), PARAMETERS.len() - 1);
    }

    #[test]
    fn wrong_values_are_named() {
        for (words, named) in [
            (&["--nodes", "5000", "--params", "nothing"][..], "nothing"),
            (&["--nodes", "5000", "--rate", "0"], "rate"),
            (&["--nodes", "5000", "--games", "3"], "games"),
            (&["--nodes", "5000", "--iterations", "0"], "iterations"),
            (&["--params", "iir_depth"], "--nodes"),
            (
                &["--nodes", "1", "--params", "iir_depth", "--except", "iir_depth"],
                "nothing is left",
            ),
        ] {
            let error = settings(words).unwrap_err();
            assert!(error.contains(named), "{words:?}: {error}");
        }
    }
}
