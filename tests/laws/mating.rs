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

/// Prints what an answer costs on positions of real games; run it alone, on a quiet machine.
#[test]
#[ignore = "a measurement, not a test"]
fn cost_on_positions_of_real_games() {
    let solver = Solver::default();
    let positions = game_positions();
    let mut times: Vec<u128> = Vec::new();
    for position in &positions {
        for color in Color::ALL {
            let start = std::time::Instant::now();
            std::hint::black_box(solver.can_mate(position, color));
            times.push(start.elapsed().as_nanos());
        }
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let mean = times.iter().sum::<u128>() / times.len() as u128;
    println!(
        "{} answers, ns: mean {mean}, 10 % {}, median {}, 90 % {}, 99 % {}, worst {}",
        times.len(),
        at(10),
        at(50),
        at(90),
        at(99),
        at(100)
    );
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
fn every_proof_on_positions_of_real_games_has_its_line() {
    let solver = Solver::default();
    let (mut cheap, mut all) = (0, 0);
    for position in game_positions() {
        for color in Color::ALL {
            let Answer::Yes(proof) = solver.can_mate(&position, color).answer else { continue };
            all += 1;
            cheap += !matches!(proof, Proof::Line(_)) as u32;
            let line = solver.helpmate(&position, color).expect("a proof has its line");
            assert!(mating::ends_in_mate(&position, color, &line), "{position:?} {color}");
        }
    }
    assert!(cheap * 10 > all * 9, "the full search was asked too often: {cheap} of {all}");
}
