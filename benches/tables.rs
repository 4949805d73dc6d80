//! Speed of endgame table and book look-ups: `cargo bench --bench tables`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ferz::board::Position;
use ferz::book;
use ferz::tablebase::Tablebase;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// The positions of the reference probes.
fn positions() -> Vec<Position> {
    let rows = include_str!("../tests/data/syzygy/probes.tsv");
    let fen = |row: &str| row.split('\t').next().and_then(|fen| Position::from_fen(fen).ok());
    rows.lines().filter_map(fen).collect()
}

fn looking_up(criterion: &mut Criterion) {
    let tables = Tablebase::open(FOLDER).tablebase;
    let positions = positions();
    let start = Position::startpos();
    let mut group = criterion.benchmark_group("tables");
    group.bench_function("filter", |bencher| {
        bencher.iter(|| tables.probe_wdl(black_box(&start)));
    });
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("conversion and book key", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|it| book::key(black_box(it))).count());
    });
    group.bench_function("result", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|it| tables.probe_wdl(it)).count());
    });
    group.bench_function("distance", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|it| tables.probe_dtz(it)).count());
    });
    group.finish();
}

criterion_group! {
    name = tables;
    config = Criterion::default().measurement_time(Duration::from_secs(2));
    targets = looking_up
}
criterion_main!(tables);
