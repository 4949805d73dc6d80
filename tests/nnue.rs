//! The network over whole games: sums kept up to date move by move must equal sums worked out
//! afresh, on every instruction set.

use std::process::Command;

use ferz::board::{Board, Position};
use ferz::nnue::simd::{Level, VARIABLE};
use ferz::nnue::{AccumulatorStack, Network};
use ferz::types::{Move, Score};

/// Positions with castling on both sides, promotions with and without capture, en passant, kings
/// about to cross the middle, and rooks and kings on unusual files.
const POSITIONS: [&str; 7] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/2k5/3pP3/4K3/8/8/8 w - d6 0 1",
    "1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3RR1K1 w gb - 0 1",
    "rk5r/1p6/8/8/8/8/1P6/1R1K2R1 w GBha - 0 1",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

fn networks() -> Vec<Network> {
    let supported = Level::ALL.into_iter().filter(|level| level.is_supported());
    supported
        .map(|level| Network::with_level(Network::embedded_file(), level).expect("a sound file"))
        .collect()
}

fn afresh(position: &Position, network: &Network) -> Score {
    let mut stack = AccumulatorStack::new(network);
    stack.reset(position);
    stack.evaluate(position, network)
}

fn make(board: &mut Board, stack: &mut AccumulatorStack, mv: Move) {
    stack.push();
    board.make_move(mv, stack);
}

/// Plays and takes back at random, evaluates now and then, and returns the scores.
fn random_game(start: Position, network: &Network, seed: u64) -> Vec<Score> {
    let mut random = Random(seed);
    let mut board = Board::new(start);
    let mut stack = AccumulatorStack::new(network);
    stack.reset(&board);
    let mut scores = Vec::new();
    for _ in 0..300 {
        let moves = board.legal_moves();
        if board.plies() > 0 && (moves.is_empty() || random.below(4) == 0) {
            board.unmake();
            stack.pop();
        } else if moves.is_empty() {
            break;
        } else {
            make(&mut board, &mut stack, moves[random.below(moves.len())]);
        }
        if random.below(3) == 0 {
            let score = stack.evaluate(&board, network);
            assert_eq!(score, afresh(&board, network), "{} {}", network.level(), board.fen());
            scores.push(score);
        }
    }
    scores
}

#[test]
fn whole_games_agree_with_fresh_sums_on_every_kernel() {
    let networks = networks();
    let mut starts: Vec<Position> = POSITIONS
        .iter()
        .map(|fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
        .collect();
    for number in (0..960).step_by(37) {
        starts.extend(Position::chess960(number));
        starts.extend(Position::double_chess960(number, 959 - number));
    }
    assert_eq!(starts.len(), 7 + 2 * 26);
    for (seed, start) in starts.into_iter().enumerate() {
        let scores: Vec<_> =
            networks.iter().map(|network| random_game(start, network, seed as u64)).collect();
        assert!(scores[0].len() > 20, "{}: {} scores", start.fen(), scores[0].len());
        assert!(scores.iter().all(|other| *other == scores[0]), "{}", start.fen());
    }
}

#[test]
fn every_line_of_the_tree_agrees_with_fresh_sums() {
    fn walk(board: &mut Board, stack: &mut AccumulatorStack, network: &Network, depth: u32) {
        if depth == 0 {
            let score = stack.evaluate(board, network);
            assert_eq!(score, afresh(board, network), "{}", board.fen());
            return;
        }
        for &mv in &board.legal_moves() {
            make(board, stack, mv);
            walk(board, stack, network, depth - 1);
            board.unmake();
            stack.pop();
        }
    }
    let network = Network::built_in();
    for fen in POSITIONS {
        let mut board = Board::from_fen(fen).expect("a legal position");
        let mut stack = AccumulatorStack::new(&network);
        stack.reset(&board);
        walk(&mut board, &mut stack, &network, 2);
    }
}

#[test]
fn colours_are_equal() {
    let network = Network::built_in();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).expect("a legal position");
        assert_eq!(
            afresh(&position, &network),
            afresh(&position.color_flipped(), &network),
            "{fen}"
        );
    }
}

#[test]
fn null_moves_need_no_entry() {
    let network = Network::built_in();
    let mut board = Board::startpos();
    let mut stack = AccumulatorStack::new(&network);
    stack.reset(&board);
    for ply in 0..6 {
        let moves = board.legal_moves();
        make(&mut board, &mut stack, moves[ply * 3 % moves.len()]);
        board.make_null();
        assert_eq!(stack.evaluate(&board, &network), afresh(&board, &network), "ply {ply}");
    }
}

#[test]
fn a_line_may_be_longer_than_any_search() {
    let network = Network::built_in();
    let mut board = Board::startpos();
    let mut stack = AccumulatorStack::new(&network);
    stack.reset(&board);
    let mut random = Random(9);
    for _ in 0..1000 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        make(&mut board, &mut stack, moves[random.below(moves.len())]);
    }
    assert!(board.plies() > 300, "{}", board.plies());
    assert_eq!(stack.evaluate(&board, &network), afresh(&board, &network));
}

#[test]
fn material_is_worth_something() {
    let network = Network::built_in();
    let score = |fen: &str| {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        afresh(&position, &network)
    };
    let even = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(even.abs() < 100, "{even}");
    let mut last = even;
    for lost in ["rnbqkbnr/ppppppp1", "r1bqkbnr/pppppppp", "1nbqkbnr/pppppppp", "rnb1kbnr/pppppppp"]
    {
        let score = score(&format!("{lost}/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"));
        assert!(score > last, "{lost}: {score} after {last}");
        last = score;
    }
}

/// Not only a test of its own: the next one runs it in a process with another environment.
#[test]
fn the_kernel_is_chosen_by_the_environment() {
    let chosen = Level::chosen().map(|level| level.name());
    println!("kernel: {chosen:?}");
    if std::env::var_os(VARIABLE).is_none() {
        assert_eq!(chosen, Ok(Level::best().name()));
    }
}

#[test]
fn an_environment_variable_forces_the_kernel_down() {
    let run = |value: &str| {
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "the_kernel_is_chosen_by_the_environment", "--nocapture"])
            .env(VARIABLE, value)
            .output()
            .expect("a second run");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run("scalar").contains("kernel: Ok(\"scalar\")"));
    assert!(run("").contains(&format!("kernel: Ok({:?})", Level::best().name())));
    assert!(run("neon").contains("kernel: Err(Unknown(\"neon\"))"));
    let missing = Level::ALL.into_iter().find(|level| !level.is_supported());
    if let Some(level) = missing {
        assert!(run(level.name()).contains(&format!("kernel: Err(Missing({level:?}))")));
    }
}
