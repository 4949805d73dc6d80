//! Perft beside other move generators, in one process and in turns, so that all meet the same
//! machine: `cargo run --release -p ferz-tools --features peers --bin peers [ROUNDS]`.
//!
//! Counts the last ply in bulk, as each library offers it, on one thread. Each generator runs each
//! position once a round, in the order A B C D, A B C D, …; its fastest round counts.

use std::process::ExitCode;
use std::time::Instant;

/// Name, FEN, depth and leaves of a task.
const TASKS: [(&str, &str, u32, u64); 4] = [
    ("startpos 6", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "kiwipete 5",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("position 3, 7", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "position 4, 5",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
];

/// Counts leaves below the position of a FEN.
type Perft = fn(&str, u32) -> Result<u64, String>;

/// The generators that take part, ours first.
const GENERATORS: [(&str, Perft); 4] = [
    ("ferz", ferz_perft),
    ("cozy-chess", cozy_perft),
    ("chess", chess_perft),
    ("shakmaty", shakmaty_perft),
];

fn main() -> ExitCode {
    let rounds = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 3,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        Some(_) => {
            eprintln!("usage: peers [ROUNDS]");
            return ExitCode::FAILURE;
        }
    };
    match compare(rounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(rounds: usize) -> Result<(), String> {
    let native = cfg!(all(target_feature = "bmi2", target_feature = "avx2"));
    println!(
        "million leaves a second, best of {rounds} rounds, {}",
        match native {
            true => "built for this processor",
            false => "plain build",
        }
    );
    print!("{:<14}", "");
    GENERATORS.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!("{:>14}", "ferz / best");
    let mut product = 1.0;
    for (name, fen, depth, leaves) in TASKS {
        let mut best = [0.0_f64; GENERATORS.len()];
        for _ in 0..rounds {
            for (speed, (generator, perft)) in best.iter_mut().zip(GENERATORS) {
                let start = Instant::now();
                let found = perft(fen, depth)?;
                let seconds = start.elapsed().as_secs_f64();
                if found != leaves {
                    return Err(format!("{generator} counts {found} in {name}, not {leaves}"));
                }
                *speed = speed.max(leaves as f64 / seconds / 1e6);
            }
        }
        let rival = best[1..].iter().copied().fold(0.0, f64::max);
        product *= best[0] / rival;
        print!("{name:<14}");
        best.iter().for_each(|speed| print!("{speed:>12.1}"));
        println!("{:>14.2}", best[0] / rival);
    }
    println!("geometric mean of ferz / best: {:.2}", product.powf(1.0 / TASKS.len() as f64));
    Ok(())
}

fn ferz_perft(fen: &str, depth: u32) -> Result<u64, String> {
    let position = ferz::board::Position::from_fen(fen).map_err(|error| error.to_string())?;
    Ok(ferz::board::perft(&position, depth))
}

fn cozy_perft(fen: &str, depth: u32) -> Result<u64, String> {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    leaves += count(&after, depth - 1);
                }
            }
            false
        });
        leaves
    }
    let board: cozy_chess::Board = fen.parse().map_err(|_| format!("cozy-chess refuses {fen}"))?;
    Ok(count(&board, depth))
}

fn chess_perft(fen: &str, depth: u32) -> Result<u64, String> {
    fn count(board: &chess::Board, depth: u32) -> u64 {
        let moves = chess::MoveGen::new_legal(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut after = chess::Board::default();
        moves
            .map(|mv| {
                board.make_move(mv, &mut after);
                count(&after, depth - 1)
            })
            .sum()
    }
    let board: chess::Board = fen.parse().map_err(|_| format!("chess refuses {fen}"))?;
    Ok(count(&board, depth))
}

fn shakmaty_perft(fen: &str, depth: u32) -> Result<u64, String> {
    let fen: shakmaty::fen::Fen = fen.parse().map_err(|_| format!("shakmaty refuses {fen}"))?;
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).map_err(|error| error.to_string())?;
    Ok(shakmaty::perft(&position, depth))
}
