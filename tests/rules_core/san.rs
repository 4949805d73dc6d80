//! Standard algebraic notation, both ways.

use ferz::board::Position;
use ferz::notation::{parse_san, parse_uci, to_san, to_uci};
use pretty_assertions::assert_eq;

use crate::{data, rows};

#[test]
fn rows_are_written_and_read() {
    let text = data("notation/san.tsv");
    let rows = rows(&text, 4);
    assert_eq!(rows.len(), 306);
    for row in rows {
        let [fen, uci, san, kind] = row[..] else { panic!("{row:?}") };
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci(&position, uci).unwrap();
        assert_eq!(to_uci(mv, position.needs_chess960()), uci, "{fen}");
        assert_eq!(to_san(&position, mv), san, "{kind}: {fen}");
        for spelling in [san, san.trim_end_matches(['+', '#']), &san.replace('O', "0"), uci] {
            assert_eq!(parse_san(&position, spelling), Ok(mv), "{kind}: {fen} {spelling}");
        }
    }
}
