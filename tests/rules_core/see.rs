//! Static exchanges.

use ferz::board::Position;
use ferz::notation::parse_uci;
use ferz::types::Score;
use pretty_assertions::assert_eq;

use crate::{data, rows};

#[test]
fn exchanges_have_the_value_of_a_full_search() {
    let text = data("tactics/see.tsv");
    let rows = rows(&text, 5);
    assert_eq!(rows.len(), 73);
    let mut wrong = Vec::new();
    for row in rows {
        let [fen, uci, _, value, _] = row[..] else { panic!("{row:?}") };
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci(&position, uci).unwrap();
        let value: Score = value.parse().expect("a value");
        let best = (-1500..1500).step_by(100).rev().find(|&threshold| position.see(mv, threshold));
        if best != Some(value) || position.see(mv, value + 1) {
            wrong.push(format!("{fen} {uci}: {best:?}, not {value}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
