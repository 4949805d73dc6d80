//! "Can this side still mate?" against tables, replayed lines and an exhaustive retrograde solver.

use ferz::board::Position;
use ferz::laws::mating::{self, Answer, Possible, Proof, Solver};
use ferz::types::Color;

/// The rows of a tab-separated file, without its comment lines.
pub fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn possible(flag: &str) -> Possible {
    if flag == "1" { Possible::Yes } else { Possible::No }
}

#[test]
fn the_default_budget_decides_every_row_of_unwinnable_tsv_and_shows_its_lines() {
    let solver = Solver::default();
    let table = rows(include_str!("../data/rules/unwinnable.tsv")).collect::<Vec<_>>();
    assert_eq!(table.len(), 277);
    for row in table {
        let position = Position::from_fen(row[0]).unwrap();
        for (color, expected) in [(Color::White, row[1]), (Color::Black, row[2])] {
            let verdict = solver.can_mate(&position, color);
            assert_eq!(verdict.answer.possible(), possible(expected), "{} {color}", row[0]);
            if let Answer::Yes(Proof::Line(line)) = &verdict.answer {
                assert!(mating::ends_in_mate(&position, color, line), "{} {color}", row[0]);
            }
        }
        assert_eq!(solver.is_dead(&position), possible(row[3]), "{}", row[0]);
    }
}

#[test]
#[ignore]
fn measure() {
    let solver = Solver::default();
    let text = std::fs::read_to_string("/tmp/gamefens.txt").unwrap();
    let positions: Vec<Position> = text.lines().map(|fen| Position::from_fen(fen).unwrap()).collect();
    let mut times = Vec::new();
    let mut kinds = std::collections::BTreeMap::<String, (u32, u128)>::new();
    for position in &positions {
        for color in Color::ALL {
            let start = std::time::Instant::now();
            let verdict = solver.can_mate(position, color);
            let t = start.elapsed().as_nanos();
            times.push(t);
            let kind = match verdict.answer { Answer::Yes(Proof::Line(_)) => "line".into(), other => format!("{other:?}") };
            let e = kinds.entry(kind).or_default();
            e.0 += 1; e.1 += t;
        }
    }
    times.sort();
    let n = times.len();
    println!("n {n} mean {} ns median {} p90 {} p99 {} max {}", times.iter().sum::<u128>() / n as u128, times[n/2], times[n*9/10], times[n*99/100], times[n-1]);
    for (k, (c, t)) in kinds { println!("{k}: {c} mean {} ns", t / c as u128); }
}
