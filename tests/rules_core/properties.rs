//! What must hold in every position of every game, and for every text.

use ferz::board::{Board, Position};
use ferz::notation::{epd, parse_san, parse_uci, pgn, to_san, to_uci};
use ferz::types::{Move, MoveKind, MoveList};
use proptest::prelude::*;

use crate::{data, data_bytes, mailbox, random};

fn sorted(moves: MoveList) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|mv| mv.bits());
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn moves_are_those_of_a_slow_generator(board in random::game(120)) {
        let legal = sorted(board.legal_moves());
        prop_assert_eq!(&legal, &mailbox::legal_moves(&board));
        prop_assert_eq!(board.count_legal(), legal.len());
        prop_assert_eq!(board.has_legal_move(), !legal.is_empty());
        prop_assert_eq!(board.is_checkmate(), legal.is_empty() && board.in_check());
        prop_assert_eq!(board.is_stalemate(), legal.is_empty() && !board.in_check());
        let (noisy, quiet) = (board.noisy_moves(), board.quiet_moves());
        prop_assert!(noisy.iter().all(|mv| mv.is_noisy()) && quiet.iter().all(|mv| mv.is_quiet()));
        prop_assert_eq!(sorted(noisy.into_iter().chain(quiet).collect()), legal);
    }

    #[test]
    fn taking_back_restores_everything(board in random::game(120)) {
        let before = board.clone();
        let mut board = board;
        for mv in before.legal_moves() {
            board.play(mv);
            prop_assert_eq!(*board, before.after(mv));
            let plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
                && board.castling() == before.castling()
                && before.en_passant().is_none();
            if plain {
                prop_assert_eq!(board.key(), before.key_after(mv));
            }
            board.unmake();
            prop_assert_eq!(*board, *before);
            prop_assert_eq!(board.repetitions(), before.repetitions());
        }
        if !board.in_check() {
            board.make_null();
            board.unmake();
        }
        prop_assert_eq!(*board, *before);
        // All the way back, each position is the one that its moves lead to again.
        let mut replayed = Vec::new();
        while board.plies() > 0 {
            replayed.push(*board.position());
            board.unmake();
        }
        for later in replayed.into_iter().rev() {
            let next = board.legal_moves().into_iter().find(|&mv| board.after(mv) == later);
            prop_assert!(next.is_some(), "no move leads from {:?} to {later:?}", *board);
            next.into_iter().for_each(|mv| board.play(mv));
        }
    }

    #[test]
    fn keys_and_caches_are_those_from_scratch(board in random::game(120)) {
        prop_assert_eq!(Position::from_setup(&board.to_setup()), Ok(*board));
        for fen in [board.fen(), board.shredder_fen()] {
            let again = Position::from_fen(&fen).unwrap();
            prop_assert_eq!(again.key(), board.key());
            prop_assert_eq!(again.fen(), board.fen());
            prop_assert_eq!(sorted(again.legal_moves()), sorted(board.legal_moves()));
            prop_assert_eq!(Position::from_fen_strict(&fen), Ok(again));
        }
    }

    #[test]
    fn move_text_is_read_as_it_was_written(board in random::game(120)) {
        for mv in board.legal_moves() {
            prop_assert_eq!(parse_san(&board, &to_san(&board, mv)), Ok(mv));
            prop_assert_eq!(parse_uci(&board, &to_uci(mv, true)), Ok(mv));
            if !board.needs_chess960() {
                prop_assert_eq!(parse_uci(&board, &to_uci(mv, false)), Ok(mv));
            }
        }
    }

    #[test]
    fn sixteen_bits_are_legal_only_if_they_are_in_the_list(
        board in random::game(120),
        patterns in prop::collection::vec(any::<u16>(), 2000),
    ) {
        let legal = board.legal_moves();
        // The neighbours of real moves are the patterns that may deceive.
        let near = legal.iter().flat_map(|mv| (0..16).map(|bit| mv.bits() ^ (1 << bit)));
        for mv in patterns.into_iter().chain(near).filter_map(Move::from_bits) {
            prop_assert_eq!(board.is_legal(mv), legal.contains(&mv), "{:?} {:?}", mv, *board);
        }
        prop_assert!(legal.iter().all(|&mv| board.is_legal(mv)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_pattern_of_sixteen_bits(board in random::game(80)) {
        let legal = board.legal_moves();
        let found = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| board.is_legal(mv));
        prop_assert_eq!(found.collect::<Vec<_>>(), sorted(legal));
    }
}

/// A text with a few bytes changed, taken out or put in.
fn damaged(text: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let place = any::<prop::sample::Index>();
    let edits = prop::collection::vec((place, any::<u8>(), 0_u8..3), 1..8);
    edits.prop_map(move |edits| {
        let mut text = text.clone();
        for (place, byte, action) in edits {
            let at = place.index(text.len().max(1)).min(text.len());
            match action {
                0 => text.insert(at, byte),
                1 if at < text.len() => text[at] = byte,
                _ if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        text
    })
}

/// Every position that can be read can also be played from.
fn play_all(position: &Position) {
    let mut board = Board::new(*position);
    for mv in position.legal_moves() {
        board.play(mv);
        board.unmake();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_as_fen(text in ".*") {
        let _ = Position::from_fen(&text);
        let _ = epd::parse(&text);
    }

    #[test]
    fn a_damaged_fen_is_a_position_or_an_error(
        bytes in damaged(b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/2N2Q1p/PP1BBPPP/R3K2R b KQkq c3 0 1"
            .to_vec()),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(position) = Position::from_fen(&text) {
            play_all(&position);
        }
        if let Ok(position) = Position::from_fen_strict(&text) {
            play_all(&position);
        }
    }

    #[test]
    fn any_text_as_move(text in ".{0,9}", near in "[KQRBNOa-h0-8x=+#.!-]{1,8}") {
        let position = Position::startpos();
        for text in [text, near] {
            for mv in parse_san(&position, &text).into_iter().chain(parse_uci(&position, &text)) {
                prop_assert!(position.is_legal(mv));
            }
        }
    }

    #[test]
    fn a_damaged_epd_record_is_one_or_an_error(
        bytes in damaged(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4 Kd2; id \"a b\"; c0 \"x\"; dm 3;"
            .to_vec()),
    ) {
        if let Ok(record) = epd::parse(&String::from_utf8_lossy(&bytes)) {
            let _ = (record.moves("bm"), record.number("dm"), record.to_string());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn damaged_games_are_read_as_far_as_they_go(
        odd in damaged(data_bytes("games/odd.pgn")),
        lines in damaged(data("games/lichess.pgn").into_bytes()),
    ) {
        for text in [odd, lines] {
            for game in pgn::read(&text) {
                let end = game.final_position();
                prop_assert!(end.is_some() || game.start.is_none());
                let again = game.to_string();
                let read = pgn::read(again.as_bytes()).next().unwrap();
                prop_assert_eq!(read.final_position(), end);
            }
        }
    }
}
