//! The command line of `levels`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use ferz::search::{Level, Weakness};
use ferz::types::PieceKind;

use super::game::{Rules, play_match};
use super::journal::{self, Opponent, Record};
use super::player::{Foreign, Own, Player};
use super::{endings, fit};
use crate::stats::Pentanomial;

/// Below this strength no game is ended by scores: the players may still throw it away.
const ADJUDICATE_FROM: u32 = 1800;

/// Measures the scale of weaker play and places it anew.
///
/// To place the scale: run `chain` and `anchor` with the same journal, then `fit`; put the rows
/// printed into src/search/weakness.rs, or give them to the next round as `--scale`.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Matches between neighbouring levels.
    Chain {
        /// The lowest level.
        #[arg(long, default_value_t = Weakness::MIN_ELO)]
        from: u32,
        /// The highest level.
        #[arg(long, default_value_t = 2400)]
        to: u32,
        /// From level to level, in Elo.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        step: u32,
        #[command(flatten)]
        play: Play,
    },
    /// Matches of levels against an engine that has the same strengths.
    Anchor {
        /// The anchor engine.
        #[arg(long, default_value = "/usr/games/stockfish")]
        engine: PathBuf,
        /// The strengths at which to meet it.
        #[arg(long, value_delimiter = ',', default_values_t = [1350, 1600, 1850, 2100, 2350])]
        at: Vec<u32>,
        /// How it is asked for a move. By default it is Stockfish and searches as deep as it does
        /// before it chooses a move at that strength, so that neither clock nor machine count.
        #[arg(long)]
        go: Option<String>,
        #[command(flatten)]
        play: Play,
    },
    /// Rook and queen against a bare king, against a good defence.
    Endings {
        /// The levels to try.
        #[arg(long, value_delimiter = ',', default_values_t = [800, 1200, 1600, 2000, 2400])]
        at: Vec<u32>,
        /// Games of each level and ending.
        #[arg(long, default_value_t = 50)]
        games: u32,
        /// Seed of positions and misjudgements.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// A scale to try in place of the engine's.
        #[arg(long)]
        scale: Option<PathBuf>,
    },
    /// What the matches say of the scale, and the scale as it should be.
    Fit {
        /// The journal of `chain` and `anchor`.
        #[arg(long)]
        journal: PathBuf,
        /// The scale that was measured, if not the engine's.
        #[arg(long)]
        scale: Option<PathBuf>,
        /// Where to write the new scale, for `--scale`.
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Play {
    /// Games of each match, rounded up to pairs.
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Seed of openings and misjudgements.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A scale to measure in place of the engine's.
    #[arg(long)]
    scale: Option<PathBuf>,
    /// A file to append the results to.
    #[arg(long)]
    journal: Option<PathBuf>,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("levels: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Chain { from, to, step, play } => chain(*from, *to, *step, play),
        Command::Anchor { engine, at, go, play } => anchor(engine, at, go.as_deref(), play),
        Command::Endings { at, games, seed, scale } => {
            print_endings(at, *games, *seed, scale.as_deref())
        }
        Command::Fit { journal, scale, out } => {
            print_fit(journal, scale.as_deref(), out.as_deref())
        }
    }
}

fn scale_of(path: Option<&Path>) -> Result<Vec<Level>, Box<dyn Error>> {
    match path {
        Some(path) => Ok(journal::read_scale(path)?),
        None => Ok(Level::scale().to_vec()),
    }
}

fn chain(from: u32, to: u32, step: u32, play: &Play) -> Result<(), Box<dyn Error>> {
    let scale = scale_of(play.scale.as_deref())?;
    for low in (from..).step_by(step as usize).take_while(|low| low + step <= to) {
        let high = low + step;
        let weak = |elo: u32| {
            let level = Level::on(&scale, elo);
            move || Ok(Box::new(Own::weak(level)?) as Box<dyn Player>)
        };
        let rules = Rules { seed: seed(play.seed, high), adjudicate: low >= ADJUDICATE_FROM };
        let pairs = play_match(&weak(high), &weak(low), play.games.div_ceil(2), rules)?;
        note(play, Record { elo: high, opponent: Opponent::Level(low), pairs })?;
    }
    Ok(())
}

fn anchor(engine: &Path, at: &[u32], go: Option<&str>, play: &Play) -> Result<(), Box<dyn Error>> {
    let scale = scale_of(play.scale.as_deref())?;
    for &elo in at {
        let level = Level::on(&scale, elo);
        let go = go.map_or_else(|| format!("go depth {}", stockfish_depth(elo)), str::to_owned);
        let own = || Ok(Box::new(Own::weak(level)?) as Box<dyn Player>);
        let other = || Ok(Box::new(Foreign::start(engine, elo, &go)?) as Box<dyn Player>);
        let rules = Rules { seed: seed(play.seed, elo), adjudicate: false };
        let pairs = play_match(&own, &other, play.games.div_ceil(2), rules)?;
        note(play, Record { elo, opponent: Opponent::Anchor(elo), pairs })?;
    }
    Ok(())
}

/// The depth after which Stockfish (12 to 15) chooses its move at a value of `UCI_Elo`.
fn stockfish_depth(elo: u32) -> u32 {
    let skill = ((f64::from(elo) - 1346.6).max(0.0) / 143.4).powf(1.0 / 0.806);
    1 + skill.clamp(0.0, 20.0) as u32
}

/// Matches of one run must not share their openings.
fn seed(seed: u64, elo: u32) -> u64 {
    (seed << 32) + (u64::from(elo) << 16)
}

/// Prints a match and writes it to the journal.
fn note(play: &Play, record: Record) -> Result<(), Box<dyn Error>> {
    let (name, elo) = match record.opponent {
        Opponent::Level(elo) => ("level", elo),
        Opponent::Anchor(elo) => ("anchor", elo),
    };
    println!("level {:>4} against {name} {elo:>4}: {}", record.elo, summary(&record.pairs));
    match &play.journal {
        Some(path) => Ok(journal::append(path, &record)?),
        None => Ok(()),
    }
}

/// Games, score and Elo of a match.
fn summary(pairs: &Pentanomial) -> String {
    let games = 2 * pairs.pairs();
    match pairs.distribution().estimate() {
        Some(estimate) => format!(
            "{games} games, {:.1} %, {:+.0} ± {:.0} Elo",
            100.0 * estimate.score,
            estimate.elo,
            estimate.elo_error
        ),
        None => format!("{games} games"),
    }
}

fn print_endings(
    at: &[u32],
    games: u32,
    seed: u64,
    scale: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    let scale = scale_of(scale)?;
    for &elo in at {
        for (name, piece) in [("rook", PieceKind::Rook), ("queen", PieceKind::Queen)] {
            let endings = endings::measure(Level::on(&scale, elo), piece, games, seed)?;
            println!(
                "level {elo:>4} with the {name:>5}: {} of {} won, slowest move {} ms",
                endings.won,
                endings.games,
                endings.slowest.as_millis()
            );
        }
    }
    Ok(())
}

fn print_fit(path: &Path, scale: Option<&Path>, out: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let scale = scale_of(scale)?;
    let ratings = fit::rate(&journal::read(path)?)?;
    println!("level  measured  step");
    let mut before = None;
    for rating in &ratings {
        let step =
            before.map_or_else(String::new, |before| format!("{:.0}", rating.rating - before));
        println!("{:>5} {:>9.0} {step:>5}", rating.elo, rating.rating);
        before = Some(rating.rating);
    }
    let placed = fit::place(&scale, &ratings);
    print!(
        "\nThe scale as it should be (Elo, nodes, horizon in hundredths of a ply, errors of men and of positions):\n"
    );
    print!("{}", fit::rows(&placed));
    match out {
        Some(out) => Ok(journal::write_scale(out, &placed)?),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        let chain = ["levels", "chain", "--from", "900", "--games", "4"];
        assert!(Arguments::try_parse_from(chain).is_ok());
        assert!(Arguments::try_parse_from(["levels", "chain", "--step", "0"]).is_err());
    }

    #[test]
    fn stockfish_looks_deeper_the_stronger_it_is() {
        assert_eq!([1350, 2000, 2850].map(stockfish_depth), [1, 7, 19]);
    }
}
