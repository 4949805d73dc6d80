//! Trains the network, exports it for the engine, and checks the export.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use ferz_tools::train::checkpoint::Checkpoint;
use ferz_tools::train::data::Dataset;
use ferz_tools::train::settings::Settings;
use ferz_tools::train::shape::Shape;
use ferz_tools::train::{export, plot, run};

/// Trains the network of Ferz.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train a network, or go on with one.
    Run(RunArguments),
    /// Write the quantised network of a training.
    Export {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// The network file to write.
        network: PathBuf,
    },
    /// Compare a quantised network with the trained one on held-out positions.
    Check {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// The network file.
        network: PathBuf,
        /// Positions to compare on.
        #[arg(long, default_value_t = 10_000)]
        positions: usize,
        /// Files of scored games; those of the training if none is given.
        data: Vec<PathBuf>,
    },
}

/// The largest mean difference, in centipawns, that rounding may cost.
const MAX_ROUNDING: f64 = 3.0;

#[derive(Args)]
struct RunArguments {
    /// Directory of the checkpoint; a training found there goes on, with its own settings.
    #[arg(long)]
    out: PathBuf,
    /// Files of scored games (`.vf`) and of fans (`.fan`), plain or `.xz`; see `datagen`.
    #[arg(required_unless_present = "resume")]
    data: Vec<PathBuf>,
    /// Go on with the training in the directory.
    #[arg(long)]
    resume: bool,
    /// Neurons of one perspective.
    #[arg(long, default_value_t = ferz::nnue::arch::HIDDEN)]
    hidden: usize,
    /// Output rows, chosen by the number of men.
    #[arg(long, default_value_t = ferz::nnue::arch::OUTPUT_BUCKETS)]
    output_buckets: usize,
    /// Input planes, chosen by the own king's square.
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Passes over the data.
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// Positions per step.
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// First learning rate.
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Last learning rate.
    #[arg(long, default_value_t = 1e-5)]
    final_rate: f32,
    /// Weight decay.
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Centipawns per unit of the logistic curve.
    #[arg(long, default_value_t = 240.0)]
    scale: f32,
    /// Weight of the game's result against the score.
    #[arg(long, default_value_t = 0.1)]
    result_weight: f32,
    /// Plies skipped at the start of each game.
    #[arg(long, default_value_t = 0)]
    skip_plies: usize,
    /// Seed of the first weights and the shuffles.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(arguments) => train(arguments),
        Command::Export { checkpoint, network } => write_network(&checkpoint, &network),
        Command::Check { checkpoint, network, positions, data } => {
            check(&checkpoint, &network, positions, data)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("train: {error}");
            ExitCode::FAILURE
        }
    }
}

fn train(arguments: RunArguments) -> Result<(), Box<dyn Error>> {
    let directory = arguments.out.clone();
    std::fs::create_dir_all(&directory)?;
    let mut checkpoint = if arguments.resume {
        Checkpoint::load(&run::checkpoint_path(&directory))?
    } else {
        run::start(settings(arguments)?)
    };
    run::train(&mut checkpoint, &directory)?;
    let shape = checkpoint.settings.shape;
    let title = format!("{} neurons, {} output buckets", shape.hidden, shape.output_buckets);
    plot::losses(&checkpoint.losses, &title, &directory.join("losses.svg"))?;
    Ok(())
}

fn write_network(checkpoint: &Path, network: &Path) -> Result<(), Box<dyn Error>> {
    export::export(&Checkpoint::load(checkpoint)?, network)?;
    Ok(())
}

fn check(
    checkpoint: &Path,
    network: &Path,
    positions: usize,
    data: Vec<PathBuf>,
) -> Result<(), Box<dyn Error>> {
    let checkpoint = Checkpoint::load(checkpoint)?;
    let settings = &checkpoint.settings;
    let data = if data.is_empty() { settings.data.clone() } else { data };
    let mut samples = Dataset::read(&data, settings.skip_plies)?.held_out;
    samples.truncate(positions);
    let rounding = export::compare(&checkpoint, network, &samples)?;
    println!(
        "{} positions: rounding costs {:.2} cp in the mean, {:.0} cp at worst",
        samples.len(),
        rounding.mean,
        rounding.worst
    );
    if rounding.mean < MAX_ROUNDING {
        Ok(())
    } else {
        Err(format!("the mean is not below {MAX_ROUNDING} cp").into())
    }
}

fn settings(arguments: RunArguments) -> Result<Settings, Box<dyn Error>> {
    if arguments.batch == 0 || arguments.threads == 0 {
        return Err("batch and threads: at least 1".into());
    }
    let shape = Shape::new(arguments.hidden, arguments.output_buckets, arguments.king_buckets)?;
    Ok(Settings {
        data: arguments.data,
        shape,
        epochs: arguments.epochs,
        batch: arguments.batch,
        rate: arguments.rate,
        final_rate: arguments.final_rate,
        decay: arguments.decay,
        scale: arguments.scale,
        result_weight: arguments.result_weight,
        skip_plies: arguments.skip_plies,
        seed: arguments.seed,
        threads: arguments.threads,
    })
}
