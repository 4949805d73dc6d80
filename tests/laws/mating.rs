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
fn stats() {
    let solver = Solver::default();
    let mut lens = std::collections::BTreeMap::<usize, u32>::new();
    let mut n = 0;
    for position in game_positions() {
        for color in Color::ALL {
            match solver.can_mate(&position, color).answer {
                Answer::Yes(Proof::Walk(l)) => { *lens.entry(l.len()).or_default() += 1;
                    if l.len() >= 8 { n += 1; if n % 60 == 0 { println!("LONG {} {color} {}", position.fen(), l.len()); } } }
                Answer::Yes(Proof::Line(l)) => { n += 1; if n % 12 == 0 { println!("LINE {} {color} {}", position.fen(), l.len()); } }
                _ => {}
            }
        }
    }
    println!("{lens:?}");
}

fn cpu_ns() -> u128 {
    std::fs::read_dir("/proc/self/task").unwrap().map(|task| {
        let text = std::fs::read_to_string(task.unwrap().path().join("schedstat")).unwrap();
        text.split(' ').next().unwrap().parse::<u128>().unwrap()
    }).sum()
}

#[test]
#[ignore]
fn measure() {
    let solver = Solver::default();
    let positions = game_positions();
    let mut kinds = std::collections::BTreeMap::<String, Vec<(usize, Color)>>::new();
    for (index, position) in positions.iter().enumerate() {
        for color in Color::ALL {
            let verdict = solver.can_mate(position, color);
            let kind = match verdict.answer { Answer::Yes(Proof::Line(_)) => "line".into(), Answer::Yes(Proof::Walk(_)) => "walk".into(), other => format!("{other:?}") };
            kinds.entry(kind).or_default().push((index, color));
        }
    }
    let (mut total, mut count) = (0, 0);
    for (k, list) in kinds {
        let start = cpu_ns();
        for _ in 0..3 { for &(index, color) in &list { std::hint::black_box(solver.can_mate(&positions[index], color)); } }
        let ns = (cpu_ns() - start) / 3;
        total += ns; count += list.len();
        println!("{k}: {} mean {} ns", list.len(), ns / list.len() as u128);
    }
    println!("all: {count} mean {} ns", total / count as u128);
}

/// Positions of real games: every start position, and the position after each move.
pub fn game_positions() -> Vec<Position> {
    let files: [&[u8]; 3] = [
        include_bytes!("../data/games/classic.pgn"),
        include_bytes!("../data/games/lichess.pgn"),
        include_bytes!("../data/games/long.pgn"),
    ];
    let mut positions = Vec::new();
    for game in files.into_iter().flat_map(ferz::notation::pgn::read) {
        let mut position = game.start.unwrap();
        positions.push(position);
        for ply in &game.plies {
            position.play(ply.mv.unwrap());
            positions.push(position);
        }
    }
    positions
}

#[test]
fn every_lemma_on_positions_of_real_games_has_its_line() {
    let solver = Solver::default();
    let mut lemmas = 0;
    for position in game_positions() {
        for color in Color::ALL {
            if solver.can_mate(&position, color).answer == Answer::Yes(Proof::Lemma) {
                lemmas += 1;
                let line = solver.helpmate(&position, color).expect("a lemma has its line");
                assert!(mating::ends_in_mate(&position, color, &line), "{position:?} {color}");
            }
        }
    }
    assert!(lemmas > 3_000, "{lemmas}");
}
