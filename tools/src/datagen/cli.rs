//! The command line of `datagen`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::fan::fans_of;
use super::format::{Fan, Record, ScoredGame};
use super::output::{FANS, Output, holds_fans, open_games};
use super::play::{Rules, play, relabel};
use super::player::{Effort, InProcess, Player, PlayerError, Teacher};
use super::starts::{BookShare, Starts};
use super::summary::{Counted, Summary};
use crate::arena::config::{EngineConfig, OptionValue};

/// Games between two entries of a log.
const SEGMENT: u64 = 50;
/// The ending of a file of games.
const GAMES: &str = "vf";
/// Exit code when the user ended the run.
const INTERRUPTED: u8 = 130;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Makes scored games to train the network with.
#[derive(Debug, Parser)]
#[command(name = "datagen", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Self-play, one game for each thread at a time.
    Play(PlayArgs),
    /// New scores for the positions of games that exist.
    Relabel(RelabelArgs),
    /// Every move of some positions of games that exist, each scored by a search of one ply.
    Fans(FansArgs),
    /// What files of games or fans hold.
    Summary(SummaryArgs),
}

#[derive(Debug, Args)]
struct CommonArgs {
    /// Writes PREFIX-0.vf, PREFIX-1.vf, ... (fans: PREFIX-0.fan, ...) for each thread, with a log
    /// beside each.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    /// Compresses the files: PREFIX-0.vf.xz, ...
    #[arg(long)]
    xz: bool,
    /// Goes on with files that exist.
    #[arg(long)]
    resume: bool,
    /// Games at once.
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Nodes after which a search begins no new iteration; for a teacher, nodes to search.
    #[arg(long, default_value_t = 1000)]
    soft_nodes: u64,
    /// Nodes after which a search ends anyway; 8 times the soft limit if absent.
    #[arg(long)]
    hard_nodes: Option<u64>,
    /// Megabytes of transposition table for each thread.
    #[arg(long, default_value_t = 8)]
    hash: usize,
    /// A UCI engine that plays or scores in place of the library.
    #[arg(long)]
    teacher: Option<String>,
    /// An option of the teacher: NAME=VALUE.
    #[arg(long = "teacher-option")]
    teacher_options: Vec<String>,
    /// The picture of the scores.
    #[arg(long)]
    svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct PlayArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Games in all.
    #[arg(long)]
    games: u64,
    /// What everything random is drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The share of games from the usual start position.
    #[arg(long, default_value_t = 60)]
    standard: u32,
    /// The share of games from Chess960 and double Chess960 set-ups.
    #[arg(long, default_value_t = 10)]
    chess960: u32,
    /// A book and the share of games from it: FILE=SHARE.
    #[arg(long = "book")]
    books: Vec<BookShare>,
    /// The largest score of a start position, in centipawns.
    #[arg(long, default_value_t = 350)]
    max_start_score: i16,
    /// One move in this many is random, up to ply 60; 0 for none.
    #[arg(long, default_value_t = 0)]
    random_one_in: u32,
}

#[derive(Debug, Args)]
struct RelabelArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Files of games (*.vf or *.vf.xz).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
struct FansArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// One position in this many is taken.
    #[arg(long, default_value_t = 4)]
    one_in: u32,
    /// What the choice of positions is drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Files of games (*.vf or *.vf.xz).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
struct SummaryArgs {
    /// Files of games (*.vf or *.vf.xz) or fans (*.fan or *.fan.xz).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The picture of the scores.
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Play(args) => generate(&args),
        Command::Relabel(args) => relabel_files(&args),
        Command::Fans(args) => spread(&args),
        Command::Summary(args) => summarise(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("datagen: {error}");
        ExitCode::FAILURE
    })
}

impl CommonArgs {
    fn effort(&self) -> Effort {
        Effort {
            soft_nodes: self.soft_nodes.max(1),
            hard_nodes: self.hard_nodes.unwrap_or(self.soft_nodes.saturating_mul(8)).max(1),
            hash: self.hash,
        }
    }

    fn teacher(&self) -> Result<Option<EngineConfig>, AnyError> {
        let Some(cmd) = &self.teacher else { return Ok(None) };
        let mut config = EngineConfig { cmd: cmd.clone(), ..EngineConfig::default() };
        for option in &self.teacher_options {
            let (name, value) = option.split_once('=').ok_or("--teacher-option: no NAME=VALUE")?;
            config.options.insert(name.to_owned(), OptionValue::Text(value.to_owned()));
        }
        Ok(Some(config))
    }

    fn file(&self, thread: u64, ending: &str) -> PathBuf {
        let mut name = self.out.as_os_str().to_owned();
        name.push(format!("-{thread}.{ending}{}", if self.xz { ".xz" } else { "" }));
        PathBuf::from(name)
    }

    /// Runs `work` in every thread with a file and a player of its own; the counts of all files.
    fn run(
        &self,
        settings: &str,
        ending: &str,
        total: Option<u64>,
        work: impl Fn(&mut Worker<'_>) -> Result<(), AnyError> + Sync,
    ) -> Result<ExitCode, AnyError> {
        let stop = Arc::new(AtomicBool::new(false));
        let handler = Arc::clone(&stop);
        ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed))?;
        let teacher = self.teacher()?;
        let shared = Shared { stop: &stop, plies: AtomicU64::new(0), bar: bar(total) };
        let start = Instant::now();
        let results: Vec<Result<Summary, AnyError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1))
                .map(|thread| {
                    let (shared, teacher, work) = (&shared, &teacher, &work);
                    scope.spawn(move || {
                        let path = self.file(thread, ending);
                        let output = Output::open(&path, settings, self.resume)?;
                        self.run_thread(thread, output, shared, teacher.as_ref(), work)
                    })
                })
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|_| Err("a thread has panicked".into()))
            };
            threads.into_iter().map(join).collect()
        });
        shared.bar.finish_and_clear();
        let mut summary = Summary::default();
        for result in results {
            summary.merge(&result?);
        }
        let plies = shared.plies.load(Ordering::Relaxed);
        let seconds = start.elapsed().as_secs_f64();
        println!("{summary}");
        println!(
            "{plies} positions in {seconds:.1} s: {:.1} a second and thread",
            plies as f64 / seconds / self.threads.max(1) as f64
        );
        if let Some(path) = &self.svg {
            summary.draw(path).map_err(|error| error.to_string())?;
        }
        Ok(match stop.load(Ordering::Relaxed) {
            true => ExitCode::from(INTERRUPTED),
            false => ExitCode::SUCCESS,
        })
    }

    fn run_thread(
        &self,
        thread: u64,
        output: Output,
        shared: &Shared<'_>,
        teacher: Option<&EngineConfig>,
        work: &(impl Fn(&mut Worker<'_>) -> Result<(), AnyError> + Sync),
    ) -> Result<Summary, AnyError> {
        let player: Box<dyn Player> = match teacher {
            Some(config) => Box::new(Teacher::new(config, self.effort(), shared.stop)?),
            None => Box::new(InProcess::new(self.effort())?),
        };
        shared.bar.inc(output.asked());
        let mut worker = Worker { thread, output, player, shared };
        let result = match work(&mut worker) {
            Err(error) if is_stop(&error) => Ok(()),
            result => result,
        };
        if result.is_err() {
            shared.stop.store(true, Ordering::Relaxed);
        }
        worker.output.commit()?;
        result.map(|()| worker.output.summary().clone())
    }
}

fn is_stop(error: &AnyError) -> bool {
    matches!(error.downcast_ref(), Some(PlayerError::Stopped))
}

/// What the threads share.
struct Shared<'a> {
    stop: &'a AtomicBool,
    plies: AtomicU64,
    bar: ProgressBar,
}

/// What a thread has of its own.
struct Worker<'a> {
    thread: u64,
    output: Output,
    player: Box<dyn Player + 'a>,
    shared: &'a Shared<'a>,
}

impl Worker<'_> {
    /// Takes a game, or fans, into the file; whether to go on.
    fn take<T: Record + Counted>(&mut self, records: &[T]) -> Result<bool, AnyError> {
        let before = self.output.summary().plies;
        self.output.add(records)?;
        if self.output.asked().is_multiple_of(SEGMENT) {
            self.output.commit()?;
        }
        let plies = self.output.summary().plies - before;
        let plies = self.shared.plies.fetch_add(plies, Ordering::Relaxed) + plies;
        let bar = &self.shared.bar;
        bar.inc(1);
        let seconds = bar.elapsed().as_secs_f64().max(1e-3);
        bar.set_message(format!("{:.0} positions/s", plies as f64 / seconds));
        Ok(!self.stopped())
    }

    fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} games {eta} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn generate(args: &PlayArgs) -> Result<ExitCode, AnyError> {
    let starts = Starts::new(args.standard, args.chess960, &args.books)?;
    let rules = Rules {
        max_start_score: args.max_start_score,
        random_one_in: args.random_one_in,
        ..Rules::default()
    };
    let common = &args.common;
    let settings = format!(
        "play {} {} {} {} {:?} {:?} {:?} {:?} {:?}",
        common.threads,
        args.seed,
        args.standard,
        args.chess960,
        args.books,
        rules,
        common.effort(),
        common.teacher,
        common.teacher_options,
    );
    common.run(&settings, GAMES, Some(args.games), |worker| {
        let threads = common.threads.max(1);
        let share = args.games / threads + u64::from(worker.thread < args.games % threads);
        while worker.output.asked() < share && !worker.stopped() {
            let mut rng = game_rng(args.seed, worker.thread, worker.output.asked());
            let game = play(&starts, &rules, worker.player.as_mut(), &mut rng)?;
            worker.take(&[game])?;
        }
        Ok(())
    })
}

/// The random numbers of one game: they depend on nothing but the seed, the thread and its count.
fn game_rng(seed: u64, thread: u64, game: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(thread << 40 | game);
    rng
}

fn relabel_files(args: &RelabelArgs) -> Result<ExitCode, AnyError> {
    let common = &args.common;
    let settings = format!(
        "relabel {} {:?} {:?} {:?} {:?}",
        common.threads,
        args.inputs,
        common.effort(),
        common.teacher,
        common.teacher_options,
    );
    common.run(&settings, GAMES, None, |worker| {
        for_own_games(&args.inputs, common.threads, worker, |mut game, _, worker| {
            relabel(&mut game, worker.player.as_mut())?;
            worker.take(&[game])
        })
    })
}

fn spread(args: &FansArgs) -> Result<ExitCode, AnyError> {
    let common = &args.common;
    let settings = format!(
        "fans {} {} {} {:?} {} {:?} {:?}",
        common.threads,
        args.one_in,
        args.seed,
        args.inputs,
        common.hash,
        common.teacher,
        common.teacher_options,
    );
    common.run(&settings, FANS, None, |worker| {
        for_own_games(&args.inputs, common.threads, worker, |game, place, worker| {
            let mut rng = game_rng(args.seed, worker.thread, place);
            let fans = fans_of(&game, args.one_in, worker.player.as_mut(), &mut rng)?;
            worker.take(&fans)
        })
    })
}

/// Goes through the games that are this thread's and not done yet, each with its place among the
/// thread's games, until `work` says to end.
fn for_own_games(
    inputs: &[PathBuf],
    threads: u64,
    worker: &mut Worker<'_>,
    work: impl Fn(ScoredGame, u64, &mut Worker<'_>) -> Result<bool, AnyError>,
) -> Result<(), AnyError> {
    let threads = threads.max(1);
    let done = worker.output.asked();
    let mut number = 0;
    for path in inputs {
        for game in records_of::<ScoredGame>(path)? {
            let game = game?;
            let (own, place) = (number % threads == worker.thread, number / threads);
            number += 1;
            if own && place >= done && !work(game, place, worker)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The games or fans of a file.
fn records_of<T: Record>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<T, AnyError>>, AnyError> {
    let mut reader = open_games(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (path, mut number) = (path.display().to_string(), 0);
    Ok(std::iter::from_fn(move || {
        number += 1;
        let record = T::read(&mut reader);
        record.map_err(|error| format!("{path}, number {number}: {error}").into()).transpose()
    })
    .fuse())
}

fn summarise(args: &SummaryArgs) -> Result<ExitCode, AnyError> {
    let mut summary = Summary::default();
    for path in &args.inputs {
        if holds_fans(path) {
            count::<Fan>(path, &mut summary)?;
        } else {
            count::<ScoredGame>(path, &mut summary)?;
        }
    }
    println!("{summary}");
    if let Some(path) = &args.svg {
        summary.draw(path).map_err(|error| error.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn count<T: Record + Counted>(path: &Path, summary: &mut Summary) -> Result<(), AnyError> {
    for record in records_of::<T>(path)? {
        summary.add(&record?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use rand::RngExt;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_game_has_random_numbers_of_its_own() {
        let first = |seed, thread, game| game_rng(seed, thread, game).random::<u64>();
        let numbers = [first(1, 0, 0), first(1, 0, 1), first(1, 1, 0), first(2, 0, 0)];
        assert_eq!(first(1, 0, 1), numbers[1]);
        let distinct: std::collections::HashSet<u64> = numbers.into_iter().collect();
        assert_eq!(distinct.len(), 4);
    }
}
