//! Every row of outcomes.tsv: on the history functions, and through a game to its first end.

use ferz::board::Position;
use ferz::laws::mating::{Solver, insufficient_material};
use ferz::laws::{Claims, Game, History, Reason, Ruleset, WrittenMove};
use ferz::types::Move;

use crate::mating::rows;
use crate::tools::Play;

struct Row<'a> {
    id: &'a str,
    start: Position,
    moves: Vec<WrittenMove>,
    cells: Vec<&'a str>,
}

fn table() -> Vec<Row<'static>> {
    rows(include_str!("../data/rules/outcomes.tsv"))
        .map(|cells| Row {
            id: cells[0],
            start: Position::from_fen(cells[1]).unwrap(),
            moves: match cells[2] {
                "-" => Vec::new(),
                moves => moves.split(' ').map(|mv| mv.parse().unwrap()).collect(),
            },
            cells,
        })
        .collect()
}

/// The end as the table names it: its rule for `insufficient` is the material rule.
fn end_word(history: &History, rules: &Ruleset, solver: &Solver) -> &'static str {
    let position = history.position();
    match history.automatic_end(rules, solver).map(|(_, reason)| reason) {
        Some(Reason::Checkmate) => "checkmate",
        Some(Reason::Stalemate) => "stalemate",
        _ if insufficient_material(position) => "insufficient",
        Some(Reason::NoProgress { .. }) => "seventyfive",
        Some(Reason::Repetition { .. }) => "fivefold",
        _ => "none",
    }
}

fn claim_words(claims: Claims) -> String {
    let named = [(claims.threefold, "threefold"), (claims.fifty_moves, "fifty")];
    let words: Vec<&str> = named.into_iter().filter(|(may, _)| *may).map(|(_, w)| w).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

#[test]
fn every_row_of_outcomes_tsv_on_the_history_functions() {
    // The table leaves out dead positions that material does not show.
    let rules = Ruleset { dead_position_ends: false, ..Ruleset::standard() };
    let solver = Solver::default();
    let table = table();
    assert_eq!(table.len(), 212);
    for row in table {
        let mut history = History::new(row.start);
        for written in &row.moves {
            let mv: Move =
                written.resolve(history.position()).unwrap_or_else(|| panic!("{}", row.id));
            history.play(mv);
        }
        let (id, position) = (row.id, *history.position());
        let end = end_word(&history, &rules, &solver);
        assert_eq!(end, row.cells[3], "{id}: end");
        if end == "none" {
            assert_eq!(claim_words(history.claims(&rules)), row.cells[5], "{id}: claim");
        }
        assert_eq!(history.occurrences().to_string(), row.cells[6], "{id}: reps");
        assert_eq!(position.halfmove_clock().to_string(), row.cells[7], "{id}: rule50");
        assert_eq!(position.count_legal().to_string(), row.cells[8], "{id}: legal moves");
        assert_eq!(u8::from(position.in_check()).to_string(), row.cells[9], "{id}: check");
        if end == "insufficient" {
            assert_eq!(
                solver.is_dead(&position).to_string(),
                "yes",
                "{id}: a special case of dead"
            );
        }
    }
}

#[test]
fn every_row_of_outcomes_tsv_through_a_game_stops_at_its_first_end() {
    for row in table() {
        let mut game = Game::from_position(row.start, Ruleset::standard(), [None, None]).unwrap();
        let mut played = 0;
        for mv in &row.moves {
            if game.outcome().is_some() {
                break;
            }
            game.plays(&mv.to_string());
            played += 1;
        }
        let Some(outcome) = game.outcome() else {
            assert_eq!(row.cells[3], "none", "{}", row.id);
            continue;
        };
        if played == row.moves.len() && row.cells[3] != "none" {
            assert_eq!(outcome.score.pgn(), row.cells[4], "{}: {outcome}", row.id);
        }
    }
}
