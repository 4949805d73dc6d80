//! Speed of the rules core: `cargo bench --bench rules`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ferz::board::{Board, Position, perft};
use ferz::notation::{parse_san, to_san};
use ferz::types::{Move, Score};

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|fen| Position::from_fen(black_box(fen)).ok()).collect()
}

/// Each position with each of its legal moves.
fn positions_and_moves() -> Vec<(Position, Move)> {
    let with_moves =
        |position: Position| position.legal_moves().into_iter().map(move |mv| (position, mv));
    positions().into_iter().flat_map(with_moves).collect()
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    let names = ["startpos 5", "kiwipete 4", "position3 5", "position4 4"];
    let depths = [5, 4, 5, 4];
    for ((name, depth), position) in names.into_iter().zip(depths).zip(positions()) {
        group.throughput(Throughput::Elements(perft(&position, depth)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| perft(black_box(&position), depth));
        });
    }
    group.finish();
}

fn generating(criterion: &mut Criterion) {
    let positions = positions();
    let moves = positions_and_moves();
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(moves.len() as u64));
    let total = |count: &dyn Fn(&Position) -> usize| positions.iter().map(count).sum::<usize>();
    group.bench_function("all moves", |bencher| {
        bencher.iter(|| total(&|position| black_box(position).legal_moves().len()));
    });
    group.bench_function("noisy, then quiet moves", |bencher| {
        let both =
            |position: &Position| position.noisy_moves().len() + position.quiet_moves().len();
        bencher.iter(|| total(&|position| both(black_box(position))));
    });
    group.bench_function("count", |bencher| {
        bencher.iter(|| total(&|position| black_box(position).count_legal()));
    });
    group.bench_function("is_legal", |bencher| {
        let legal = |(position, mv): &&(Position, Move)| position.is_legal(black_box(*mv));
        bencher.iter(|| moves.iter().filter(legal).count());
    });
    group.finish();
}

fn playing(criterion: &mut Criterion) {
    let moves = positions_and_moves();
    let boards: Vec<Board> = moves
        .iter()
        .map(|(position, _)| {
            let mut board = Board::new(*position);
            board.reserve(1);
            board
        })
        .collect();
    let mut group = criterion.benchmark_group("play");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("make and unmake", |bencher| {
        let mut boards = boards.clone();
        bencher.iter(|| {
            for (board, (_, mv)) in boards.iter_mut().zip(&moves) {
                board.play(black_box(*mv));
                black_box(board.key());
                board.unmake();
            }
        });
    });
    group.bench_function("static exchange", |bencher| {
        let wins = |(position, mv): &&(Position, Move)| position.see(black_box(*mv), 0 as Score);
        bencher.iter(|| moves.iter().filter(wins).count());
    });
    group.finish();
}

fn reading_and_writing(criterion: &mut Criterion) {
    let read = positions();
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Elements(read.len() as u64));
    group.bench_function("read FEN", |bencher| {
        bencher.iter(|| positions().len());
    });
    group.bench_function("write FEN", |bencher| {
        bencher.iter(|| read.iter().map(|position| position.fen().len()).sum::<usize>());
    });
    let moves = positions_and_moves();
    let texts: Vec<String> = moves.iter().map(|(position, mv)| to_san(position, *mv)).collect();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("write SAN", |bencher| {
        let length = |(position, mv): &(Position, Move)| to_san(black_box(position), *mv).len();
        bencher.iter(|| moves.iter().map(length).sum::<usize>());
    });
    group.bench_function("read SAN", |bencher| {
        bencher.iter(|| {
            let both = moves.iter().zip(&texts);
            both.filter(|((position, _), text)| parse_san(position, black_box(text)).is_ok())
                .count()
        });
    });
    group.finish();
}

criterion_group! {
    name = rules;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = counting, generating, playing, reading_and_writing
}
criterion_main!(rules);
