//! The command line of `arena`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::compliance;
use super::config::{
    ConfigError, DrawByScore, EngineConfig, Format, OpeningOrder, OptionValue, Outputs, Resign,
    Settings,
};
use super::journal::Journal;
use super::recount;
use super::report::{MAX_VOID_SHARE, tables};
use super::runner::{Observer, RunEnd, RunError, run};
use super::stop::Stop;
use super::time_control::TimeControl;
use crate::stats::{EloModel, Sprt};

/// Exit code when an engine was at fault but the run went through.
const FAULTS: u8 = 2;
/// Exit code when an engine was set aside.
const SET_ASIDE: u8 = 3;
/// Exit code when too many games were void.
const INVALID: u8 = 4;
/// Exit code when the user ended the run.
const INTERRUPTED: u8 = 130;

/// Plays UCI engines against each other and judges the results.
///
/// Exit code: 0 all went well, 1 wrong settings or files, 2 an engine was at fault, 3 an engine was
/// set aside, 4 too many games were void, 130 ended by the user.
#[derive(Debug, Parser)]
#[command(name = "arena", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Two engines, with a sequential test if wanted.
    Match(RunArgs),
    /// The first engine against each of the others.
    Gauntlet(RunArgs),
    /// Each engine against each other.
    RoundRobin(RunArgs),
    /// Checks an engine against the UCI contract.
    Compliance(ComplianceArgs),
    /// Counts the games of a journal or a PGN file again.
    Recount(RecountArgs),
}

#[derive(Debug, Args)]
struct RecountArgs {
    /// A journal, or a PGN file (named *.pgn).
    file: PathBuf,
    /// The test to count for a PGN file: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalised].
    #[arg(long, value_parser = parse_sprt)]
    sprt: Option<Sprt>,
}

#[derive(Debug, Args)]
struct ComplianceArgs {
    /// The engine's program.
    engine: String,
    /// Its arguments.
    #[arg(last = true)]
    arguments: Vec<String>,
    /// Milliseconds that an answer at once may take.
    #[arg(long, default_value_t = 2000)]
    patience: u64,
    /// Milliseconds that this machine may add to a time that is asked for.
    #[arg(long, default_value_t = 50)]
    slack: u64,
}

/// A run. Flags go before what the file given with --config says.
#[derive(Debug, Args)]
struct RunArgs {
    /// A TOML file with the whole run.
    #[arg(long)]
    config: Option<PathBuf>,
    /// The journal of a run to go on with; everything else is taken from it.
    #[arg(long, exclusive = true)]
    resume: Option<PathBuf>,
    /// An engine: name=A,cmd=PROGRAM[,arg=X][,dir=D][,tc=..][,nodes=N][,depth=N][,option.Hash=16].
    #[arg(long = "engine")]
    engines: Vec<EngineConfig>,
    /// A UCI option for all engines: NAME=VALUE.
    #[arg(long = "option", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Time control: 4+0.04, 40/60+0.5, 60 (seconds).
    #[arg(long)]
    tc: Option<String>,
    /// Seconds for each move.
    #[arg(long)]
    movetime: Option<String>,
    /// Nodes for each move.
    #[arg(long)]
    nodes: Option<String>,
    /// Depth of each search.
    #[arg(long)]
    depth: Option<String>,
    /// Games of each pairing, even.
    #[arg(long)]
    games: Option<u32>,
    /// Games at once.
    #[arg(long)]
    concurrency: Option<usize>,
    /// What the order of openings is drawn from.
    #[arg(long)]
    seed: Option<u64>,
    /// EPD, FEN or PGN file of start positions.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// The order of openings.
    #[arg(long)]
    order: Option<OpeningOrder>,
    /// The first opening, from 0.
    #[arg(long)]
    opening_start: Option<usize>,
    /// Plies to play of each game of a PGN file of openings.
    #[arg(long)]
    plies: Option<usize>,
    /// Sets UCI_Chess960.
    #[arg(long)]
    chess960: bool,
    /// Engines think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Fresh processes for each game.
    #[arg(long)]
    restart: bool,
    /// The sequential test: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalised].
    #[arg(long, value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// Lost games: moves=3,score=600[,twosided=true].
    #[arg(long, value_parser = parse_resign)]
    resign: Option<Resign>,
    /// Drawn games: from=34,moves=8,score=20.
    #[arg(long, value_parser = parse_draw)]
    draw: Option<DrawByScore>,
    /// Full moves after which a game is drawn.
    #[arg(long)]
    max_moves: Option<u32>,
    /// Folder of Syzygy tables that decide games.
    #[arg(long)]
    syzygy: Option<String>,
    /// Milliseconds a move may take beyond its time.
    #[arg(long)]
    margin: Option<u64>,
    /// Milliseconds of silence beyond that before an engine is ended.
    #[arg(long)]
    stall: Option<u64>,
    /// Milliseconds for a search without a clock.
    #[arg(long)]
    untimed: Option<u64>,
    /// Milliseconds an engine may take to get ready.
    #[arg(long)]
    start_timeout: Option<u64>,
    /// Faults after which an engine is set aside; 0 for never.
    #[arg(long)]
    max_faults: Option<u32>,
    /// Games between two lines of the report where it is no terminal.
    #[arg(long)]
    report_every: Option<u32>,
    /// The event's name.
    #[arg(long)]
    event: Option<String>,
    /// Writes PREFIX.pgn, .journal, .events.jsonl, .json, .svg and the folder PREFIX-logs.
    #[arg(long, value_name = "PREFIX")]
    out: Option<PathBuf>,
    /// The games.
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// The journal, from which the run can be resumed.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// One JSON line for each event.
    #[arg(long)]
    events: Option<PathBuf>,
    /// The summary.
    #[arg(long)]
    json: Option<PathBuf>,
    /// The picture of score and log-likelihood ratio.
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Folder for the engines' error output and the evidence of faults.
    #[arg(long)]
    logs: Option<PathBuf>,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Match(args) => play(args, Format::Match),
        Command::Gauntlet(args) => play(args, Format::Gauntlet),
        Command::RoundRobin(args) => play(args, Format::RoundRobin),
        Command::Compliance(args) => Ok(comply(args)),
        Command::Recount(args) => recount(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("arena: {error}");
        ExitCode::FAILURE
    })
}

type AnyError = Box<dyn std::error::Error>;

fn comply(args: ComplianceArgs) -> ExitCode {
    let config = EngineConfig { cmd: args.engine, args: args.arguments, ..EngineConfig::default() };
    let ms = std::time::Duration::from_millis;
    let results = compliance::check(&config, ms(args.patience), ms(args.slack), |checked| {
        let mark = match checked.finding {
            compliance::Finding::Pass => "pass",
            compliance::Finding::Fault(_) => "FAULT",
            compliance::Finding::NotOffered(_) => "-",
        };
        eprintln!("{mark:5} {}", checked.name);
    });
    print!("{}", compliance::table(&results));
    match compliance::is_clean(&results) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(FAULTS),
    }
}

fn recount(args: &RecountArgs) -> Result<ExitCode, AnyError> {
    let is_pgn = args.file.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let (cast, standings) = match is_pgn {
        true => recount::from_pgn(&args.file, args.sprt)?,
        false => recount::from_journal(&args.file)?,
    };
    print!("{}", tables(&cast, &standings));
    Ok(ExitCode::SUCCESS)
}

fn play(args: RunArgs, format: Format) -> Result<ExitCode, AnyError> {
    let (settings, journal, entries, path) = match &args.resume {
        Some(path) => {
            let (journal, settings, entries) = Journal::resume(path).map_err(RunError::from)?;
            (settings, journal, Some(entries), path.clone())
        }
        None => {
            let settings = args.settings(format)?;
            settings.validate()?;
            let path = settings.output.journal.clone().unwrap_or_else(default_journal);
            let journal = Journal::create(&path, &settings).map_err(RunError::from)?;
            (settings, journal, None, path)
        }
    };
    let resume = format!("to go on after an end: arena match --resume {}", path.display());
    println!("{resume}");
    let stop = Stop::on_interrupt()?;
    let screen = Screen::new(settings.report_every.max(1));
    let end = run(&settings, journal, entries.as_deref(), &stop, &screen)?;
    screen.bar.finish_and_clear();
    Ok(report(&end, &resume))
}

fn report(end: &RunEnd, resume: &str) -> ExitCode {
    print!("{}", tables(&end.cast, &end.standings));
    if let Some(overhead) = end.overhead {
        println!("the runner took {:.3} ms between two moves", overhead.as_secs_f64() * 1e3);
    }
    for (engine, reason) in &end.set_aside {
        println!("set aside: {}: {reason}", end.cast.names[*engine]);
    }
    println!("{resume}");
    let faults = (0..end.cast.names.len()).any(|engine| end.standings.faults(engine) > 0);
    if end.interrupted {
        ExitCode::from(INTERRUPTED)
    } else if !end.set_aside.is_empty() {
        ExitCode::from(SET_ASIDE)
    } else if end.standings.void_share() > MAX_VOID_SHARE {
        ExitCode::from(INVALID)
    } else if faults {
        ExitCode::from(FAULTS)
    } else {
        ExitCode::SUCCESS
    }
}

fn default_journal() -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    PathBuf::from(format!("arena-{}.journal", now.as_millis()))
}

/// Shows the run: a moving line on a terminal, lines from time to time elsewhere.
struct Screen {
    bar: ProgressBar,
    every: u64,
}

impl Screen {
    fn new(every: u32) -> Screen {
        let bar = ProgressBar::new(0);
        let target = match std::io::stdout().is_terminal() {
            true => ProgressDrawTarget::stdout(),
            false => ProgressDrawTarget::hidden(),
        };
        bar.set_draw_target(target);
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {eta} {wide_msg}") {
            bar.set_style(style);
        }
        Screen { bar, every: every.into() }
    }
}

impl Observer for Screen {
    fn live(&self, line: &str, games: u64, total: u32) {
        self.bar.set_length(total.into());
        self.bar.set_position(games);
        self.bar.set_message(line.to_owned());
        if self.bar.is_hidden() && (games.is_multiple_of(self.every) || games == u64::from(total)) {
            println!("{line}");
        }
    }

    fn note(&self, line: &str) {
        match self.bar.is_hidden() {
            true => println!("{line}"),
            false => self.bar.println(line),
        }
    }
}

impl RunArgs {
    /// The settings of the file with the flags over them.
    fn settings(self, format: Format) -> Result<Settings, ConfigError> {
        let mut settings = match &self.config {
            Some(path) => Settings::from_toml(path)?,
            None => Settings::default(),
        };
        settings.format = format;
        if let Some(control) = self.control()? {
            settings.tc = Some(control);
        }
        if !self.engines.is_empty() {
            settings.engines = self.engines;
        }
        for engine in &mut settings.engines {
            for (name, value) in &self.options {
                let value = OptionValue::Text(value.clone());
                engine.options.entry(name.clone()).or_insert(value);
            }
        }
        fn put<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
            }
        }
        put(&mut settings.games, self.games);
        put(&mut settings.concurrency, self.concurrency);
        put(&mut settings.seed, self.seed);
        put(&mut settings.margin_ms, self.margin);
        put(&mut settings.stall_ms, self.stall);
        put(&mut settings.untimed_ms, self.untimed);
        put(&mut settings.start_ms, self.start_timeout);
        put(&mut settings.max_faults, self.max_faults);
        put(&mut settings.report_every, self.report_every);
        put(&mut settings.event, self.event);
        put(&mut settings.openings.order, self.order);
        put(&mut settings.openings.start, self.opening_start);
        settings.chess960 |= self.chess960;
        settings.ponder |= self.ponder;
        settings.restart |= self.restart;
        fn over<T>(place: &mut Option<T>, value: Option<T>) {
            if value.is_some() {
                *place = value;
            }
        }
        over(&mut settings.sprt, self.sprt);
        over(&mut settings.openings.file, self.openings);
        over(&mut settings.openings.plies, self.plies);
        over(&mut settings.adjudication.resign, self.resign);
        over(&mut settings.adjudication.draw, self.draw);
        over(&mut settings.adjudication.max_moves, self.max_moves);
        over(&mut settings.adjudication.syzygy, self.syzygy);
        let output = &mut settings.output;
        over(&mut output.pgn, self.pgn);
        over(&mut output.journal, self.journal);
        over(&mut output.events, self.events);
        over(&mut output.json, self.json);
        over(&mut output.svg, self.svg);
        over(&mut output.logs, self.logs);
        if let Some(prefix) = &self.out {
            fill_outputs(output, prefix);
        }
        if output.journal.is_none() {
            output.journal = output.pgn.as_ref().map(|pgn| pgn.with_extension("journal"));
        }
        Ok(settings)
    }

    fn control(&self) -> Result<Option<TimeControl>, ConfigError> {
        let mut parts: Vec<String> = self.tc.iter().cloned().collect();
        for (name, value) in
            [("movetime", &self.movetime), ("nodes", &self.nodes), ("depth", &self.depth)]
        {
            parts.extend(value.iter().map(|value| format!("{name}={value}")));
        }
        match parts.is_empty() {
            true => Ok(None),
            false => parts.join(" ").parse().map(Some),
        }
    }
}

fn fill_outputs(output: &mut Outputs, prefix: &std::path::Path) {
    let with = |end: &str| {
        let mut name = prefix.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    for (place, end) in [
        (&mut output.pgn, ".pgn"),
        (&mut output.journal, ".journal"),
        (&mut output.events, ".events.jsonl"),
        (&mut output.json, ".json"),
        (&mut output.svg, ".svg"),
        (&mut output.logs, "-logs"),
    ] {
        place.get_or_insert_with(|| with(end));
    }
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not of the form NAME=VALUE".to_owned()),
    }
}

/// The `key=value` pairs of a list; keys not among `known` are an error.
fn pairs<'a>(text: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    text.split(',')
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("{part:?}: no value"))?;
            match known.contains(&key) {
                true => Ok((key, value)),
                false => Err(format!("{key:?} is not one of {}", known.join(", "))),
            }
        })
        .collect()
}

fn value<T: std::str::FromStr>(pairs: &[(&str, &str)], key: &str) -> Result<Option<T>, String> {
    match pairs.iter().rev().find(|(name, _)| *name == key) {
        None => Ok(None),
        Some((_, text)) => text.parse().map(Some).map_err(|_| format!("{key}: {text:?}")),
    }
}

fn needed<T: std::str::FromStr>(pairs: &[(&str, &str)], key: &str) -> Result<T, String> {
    value(pairs, key)?.ok_or_else(|| format!("{key} is missing"))
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let pairs = pairs(text, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let mut sprt = Sprt::new(needed(&pairs, "elo0")?, needed(&pairs, "elo1")?);
    sprt.alpha = value(&pairs, "alpha")?.unwrap_or(sprt.alpha);
    sprt.beta = value(&pairs, "beta")?.unwrap_or(sprt.beta);
    sprt.model = match value::<String>(&pairs, "model")?.as_deref() {
        None | Some("logistic") => EloModel::Logistic,
        Some("normalised" | "normalized") => EloModel::Normalised,
        Some(other) => return Err(format!("model {other:?} is not logistic or normalised")),
    };
    sprt.validate().map_err(|error| error.to_string())?;
    Ok(sprt)
}

fn parse_resign(text: &str) -> Result<Resign, String> {
    let pairs = pairs(text, &["moves", "score", "twosided"])?;
    Ok(Resign {
        moves: needed(&pairs, "moves")?,
        score: needed(&pairs, "score")?,
        two_sided: value(&pairs, "twosided")?.unwrap_or(false),
    })
}

fn parse_draw(text: &str) -> Result<DrawByScore, String> {
    let pairs = pairs(text, &["from", "moves", "score"])?;
    Ok(DrawByScore {
        from_move: needed(&pairs, "from")?,
        moves: needed(&pairs, "moves")?,
        score: needed(&pairs, "score")?,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn settings(flags: &[&str]) -> Settings {
        let words = ["arena", "match"].iter().chain(flags);
        match Cli::try_parse_from(words).unwrap().command {
            Command::Match(args) => args.settings(Format::Match).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_become_settings() {
        let settings = settings(&[
            "--engine",
            "name=A,cmd=a,option.Hash=8",
            "--engine",
            "name=B,cmd=b,depth=3",
            "--tc",
            "4+0.04",
            "--option",
            "Hash=16",
            "--sprt",
            "elo0=0,elo1=5,model=normalised",
            "--resign",
            "moves=3,score=600",
            "--draw",
            "from=34,moves=8,score=20",
            "--out",
            "x/y",
            "--json",
            "z.json",
            "--chess960",
        ]);
        settings.validate().unwrap();
        assert_eq!(settings.engines[0].options["Hash"].to_string(), "8");
        assert_eq!(settings.engines[1].options["Hash"].to_string(), "16");
        assert_eq!(settings.control(0).to_string(), "4+0.04");
        assert_eq!(settings.control(1).to_string(), "depth=3");
        assert_eq!(settings.sprt.unwrap().model, EloModel::Normalised);
        assert_eq!(settings.output.pgn.unwrap(), PathBuf::from("x/y.pgn"));
        assert_eq!(settings.output.logs.unwrap(), PathBuf::from("x/y-logs"));
        assert_eq!(settings.output.json.unwrap(), PathBuf::from("z.json"));
        assert!(settings.chess960);
    }

    #[test]
    fn wrong_lists_say_what_is_wrong() {
        for (text, word) in [
            ("elo0=0", "elo1 is missing"),
            ("elo0=0,elo1=5,gamma=1", "gamma"),
            ("elo0=5,elo1=0", "less than"),
            ("elo0=x,elo1=0", "\"x\""),
            ("elo0", "no value"),
            ("elo0=0,elo1=5,model=bayes", "bayes"),
        ] {
            let message = parse_sprt(text).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
        assert!(parse_resign("moves=3").is_err());
        assert!(parse_draw("from=1,moves=2,score=3,x=4").is_err());
    }
}
