//! shakmaty as an independent referee on random games.

use ferz::board::Position;
use ferz::notation::{to_san, to_uci};
use pretty_assertions::assert_eq;
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::random::Random;

/// Plays one game on both boards and counts the positions that were compared.
fn compare_game(start: Position, mode: CastlingMode, random: &mut Random) -> usize {
    let chess960 = mode == CastlingMode::Chess960;
    let fen: Fen = start.shredder_fen().parse().expect("a FEN");
    let mut theirs: Chess = fen.into_position(mode).expect("a position");
    let mut ours = start;
    for compared in 1..=120 {
        let text = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
        assert_eq!(ours.fen(), text);
        let moves = ours.legal_moves();
        let mut names: Vec<String> = moves.iter().map(|&mv| to_uci(mv, chess960)).collect();
        let mut expected: Vec<String> =
            theirs.legal_moves().iter().map(|mv| mv.to_uci(mode).to_string()).collect();
        names.sort();
        expected.sort();
        assert_eq!(names, expected, "{text}");
        assert_eq!(ours.in_check(), theirs.is_check(), "{text}");
        assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{text}");
        assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{text}");
        if moves.is_empty() {
            return compared;
        }
        let mv = moves[random.below(moves.len())];
        let uci: UciMove = to_uci(mv, chess960).parse().expect("move text");
        let their_move = uci.to_move(&theirs).expect("a legal move");
        let san = SanPlus::from_move(theirs.clone(), their_move).to_string();
        assert_eq!(to_san(&ours, mv), san, "{text}");
        theirs.play_unchecked(their_move);
        ours.play(mv);
    }
    120
}

#[test]
fn the_same_verdict_on_a_hundred_thousand_positions() {
    let positions: usize = (0..1000_u64)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random(seed);
            if seed.is_multiple_of(2) {
                return compare_game(Position::startpos(), CastlingMode::Standard, &mut random);
            }
            let (white, black) = (random.below(960) as u16, random.below(960) as u16);
            let start = Position::double_chess960(white, black).expect("below 960");
            compare_game(start, CastlingMode::Chess960, &mut random)
        })
        .sum();
    assert!(positions >= 100_000, "only {positions} positions were compared");
}
