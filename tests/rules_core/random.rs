//! Games of random legal moves.

use std::sync::LazyLock;

use ferz::board::{Board, Position};
use ferz::notation::epd;
use proptest::prelude::*;

use crate::data;

/// Positions to start from: the perft suites hold every odd case of the rules.
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let text = data("perft/standard.epd") + &data("perft/chess960.epd");
    epd::parse_lines(&text).map(|(_, record)| record.unwrap().position).collect()
});

/// Splitmix64, for games that need no shrinking (Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }
}

/// A start position: the ordinary one, one of Chess960 with two arrays, or one of the suites.
fn start() -> impl Strategy<Value = Position> {
    let double = |(white, black)| Position::double_chess960(white, black).expect("below 960");
    prop_oneof![
        1 => Just(Position::startpos()),
        1 => (0_u16..960, 0_u16..960).prop_map(double),
        2 => any::<prop::sample::Index>().prop_map(|index| *index.get(&STARTS)),
    ]
}

/// A game of up to `plies` random moves; each prefix of it is a game too.
pub fn game(plies: usize) -> impl Strategy<Value = Board> {
    let choices = prop::collection::vec(any::<u16>(), 0..plies);
    (start(), choices).prop_map(|(position, choices)| {
        let mut board = Board::new(position);
        for choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[usize::from(choice) % moves.len()]);
        }
        board
    })
}
