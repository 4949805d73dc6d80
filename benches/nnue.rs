//! What an evaluation costs: sums of one move and the output, on every instruction set.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ferz::board::{Observer, Position};
use ferz::nnue::simd::Level;
use ferz::nnue::{AccumulatorStack, Network};
use ferz::types::{Piece, Square};

const POSITION: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn evaluation(criterion: &mut Criterion) {
    let before = Position::from_fen(POSITION).expect("a legal position");
    for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
        let network =
            Network::with_level(Network::embedded_file(), level).expect("the build's network");
        let mut stack = AccumulatorStack::new(&network);
        stack.reset(&before);
        stack.evaluate(&before, &network);
        let mut group = criterion.benchmark_group("nnue");
        group.bench_function(format!("output/{level}"), |bencher| {
            bencher.iter(|| stack.evaluate(black_box(&before), &network));
        });
        group.bench_function(format!("move and output/{level}"), |bencher| {
            bencher.iter(|| {
                stack.push();
                stack.removed(black_box(Piece::WhiteKnight), Square::C3);
                stack.placed(Piece::WhiteKnight, Square::B5);
                let score = stack.evaluate(black_box(&before), &network);
                stack.pop();
                score
            });
        });
        group.bench_function(format!("king across the middle/{level}"), |bencher| {
            let position = |rank: &str| {
                Position::from_fen(&POSITION.replace("R3K2R w KQ", rank)).expect("legal")
            };
            let after = [position("R2K3R w "), position("1R1K2R1 w ")];
            let mut which = 0;
            bencher.iter(|| {
                which ^= 1;
                stack.push();
                stack.removed(Piece::WhiteKing, Square::E1);
                stack.placed(Piece::WhiteKing, Square::D1);
                let score = stack.evaluate(black_box(&after[which]), &network);
                stack.pop();
                score
            });
        });
        group.finish();
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
