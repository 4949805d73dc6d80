//! Illegal moves: on the board, completed, found later.

use ferz::laws::{Event, EventError, Reason, Ruleset, Verdict};
use ferz::types::{PieceKind, Square};

use crate::tools::*;

fn penalty(player: ferz::types::Color, bonus_ms: u64) -> Verdict {
    Verdict::Penalty { player, bonus_ms }
}

#[test]
fn before_the_clock_is_pressed_it_is_only_corrected() {
    let mut g = timed(Ruleset::standard(), "600");
    assert_rejected(&g.moves("g1g3"), "7.5.1");
    assert_eq!(g.illegal_moves(White), 0);
    // Touch-move binds the knight.
    assert_eq!(allowed(&g), ["g1f3", "g1h3"]);
    assert_rejected(&g.moves("e2e4"), "4.3.1");
    g.plays("g1f3");
    assert_eq!((g.illegal_moves(White), g.clock_ms(Black)), (0, Some(600_000)));
}

#[test]
fn the_first_completed_costs_time_the_second_the_game() {
    for (rules, bonus) in
        [(Ruleset::standard(), 120_000), (Ruleset::rapid(), 60_000), (Ruleset::blitz(), 60_000)]
    {
        let mut g = timed(rules, "600");
        g.moves("g1g3");
        let ruling = g.does(press(White));
        assert_eq!(ruling.verdict, penalty(White, bonus));
        assert_eq!(g.clock_ms(Black), Some(600_000 + bonus));
        // The position before it is on the board, the player moves the knight.
        assert_eq!((g.plies().len(), g.running()), (0, Some(White)));
        assert_eq!(allowed(&g), ["g1f3", "g1h3"]);
        g.plays("g1f3 e7e5");
        g.moves("f3f6");
        g.does(press(White));
        assert_eq!(g.end().reason, Reason::IllegalMove { by: White });
        assert_won_by(&g, Black);
    }
}

#[test]
fn the_second_is_a_draw_if_the_opponent_cannot_mate() {
    let mut g = game(Ruleset::standard(), "8/8/3rk3/8/8/2K5/8/8 b - - 0 1");
    for _ in 0..2 {
        g.moves("d6e5");
        g.does(press(Black));
    }
    assert_eq!(g.end().reason, Reason::IllegalMove { by: Black });
    assert_draw(&g);
}

#[test]
fn blitz_strict_loses_with_the_first_and_whenever_it_is_noticed() {
    let mut g = timed(Ruleset::blitz_strict(), "180");
    g.moves("g1g3");
    g.does(press(White));
    assert_won_by(&g, Black);
    let mut g = timed(Ruleset::blitz_strict(), "180");
    g.does(Event::UnnoticedIllegalMove { player: White, mv: "g1g3".parse().unwrap() });
    g.does(press(White));
    g.plays("e7e5 e2e4");
    g.does(Event::FoundIllegalMove { ply: None });
    assert_won_by(&g, Black);
}

#[test]
fn engines_lose_at_once() {
    let mut g = timed(Ruleset::engine(), "60");
    g.does(mv_event(White, "e2e5"));
    assert_eq!(g.end().reason, Reason::IllegalMove { by: White });
    assert_won_by(&g, Black);
    let mut g = timed(Ruleset::engine(), "60");
    g.does(mv_event(White, "a5a6"));
    assert_won_by(&g, Black);
    let mut g = game(Ruleset::engine(), "8/8/3rk3/8/8/2K5/8/8 b - - 0 1");
    g.does(Event::IllegalAction { player: Black, words: "bestmove 0000".to_owned() });
    assert_draw(&g);
    let mut g = game(Ruleset::engine(), "8/8/3rk3/8/8/2K5/8/8 b - - 0 1");
    g.does(Event::Crash { player: Black });
    assert_draw(&g);
}

#[test]
fn found_at_any_time_the_position_before_it_is_restored() {
    let mut g = timed(Ruleset::standard(), "600");
    g.plays("e2e4 e7e5");
    g.does(Event::UnnoticedIllegalMove { player: White, mv: "g1g3".parse().unwrap() });
    g.does(press(White));
    g.plays("b8c6 d2d4 d7d5");
    assert_eq!(g.plies().len(), 6);
    let ruling = g.does(Event::FoundIllegalMove { ply: None });
    assert_eq!(ruling.verdict, penalty(White, 120_000), "{ruling}");
    assert_eq!((g.plies().len(), g.on_move(), g.running()), (2, White, Some(White)));
    assert_eq!(allowed(&g), ["g1e2", "g1f3", "g1h3"]);
    assert_eq!(g.refuses(Event::FoundIllegalMove { ply: None }), EventError::NoIllegalMove);
    assert_eq!(g.refuses(Event::FoundIllegalMove { ply: Some(1) }), EventError::NotIllegalPly(1));
}

#[test]
fn rapid_and_blitz_let_it_stand_after_the_next_move() {
    for rules in [Ruleset::rapid(), Ruleset::blitz()] {
        let mut g = timed(rules, "600");
        g.does(Event::UnnoticedIllegalMove { player: White, mv: "g1g3".parse().unwrap() });
        g.does(press(White));
        let mut early = g.clone();
        let ruling = early.does(Event::FoundIllegalMove { ply: None });
        assert_eq!(ruling.verdict, penalty(White, 60_000));
        assert_eq!(early.plies().len(), 0);
        g.plays("e7e5");
        assert_rejected(&g.does(Event::FoundIllegalMove { ply: None }), "A.5, B.4");
        assert_eq!(g.plies().len(), 2);
        let pgn = g.pgn();
        assert!(pgn.contains("the illegal move g1g3 stands"), "{pgn}");
    }
}

#[test]
fn found_before_the_press_it_costs_nothing() {
    let mut g = timed(Ruleset::standard(), "600");
    g.does(Event::UnnoticedIllegalMove { player: White, mv: "g1g3".parse().unwrap() });
    let ruling = g.does(Event::FoundIllegalMove { ply: None });
    assert!(ruling.is_accepted(), "{ruling}");
    assert_eq!((g.illegal_moves(White), g.plies().len()), (0, 0));
}

#[test]
fn an_illegal_castling_becomes_a_king_move() {
    // f1 is attacked; the king can still go to d1, d2 and e2.
    let mut g = game(Ruleset::standard(), "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    g.moves("e1g1");
    assert_eq!(allowed(&g), ["e1a1", "e1d1", "e1d2", "e1e2"]);
    g.does(press(White));
    assert_eq!(allowed(&g), ["e1a1", "e1d1", "e1d2", "e1e2"]);
    g.plays("e1e2");
}

#[test]
fn a_pawn_left_on_the_last_rank_is_illegal_and_becomes_a_queen() {
    let mut g = game(Ruleset::standard(), "8/P6k/8/8/8/8/8/K7 w - - 0 1");
    g.moves("a7a8");
    assert_eq!(g.on_move(), White);
    let ruling = g.does(press(White));
    assert_eq!((ruling.verdict, ruling.article.as_str()), (penalty(White, 120_000), "7.5.2"));
    let queen = g.position().piece_at(Square::A8).unwrap();
    assert_eq!((queen.kind(), g.on_move()), (PieceKind::Queen, Black));
}

#[test]
fn pressing_without_a_move_and_two_hands_are_illegal_moves() {
    let mut g = timed(Ruleset::standard(), "600");
    let ruling = g.does(press(White));
    assert_eq!((ruling.verdict, ruling.article.as_str()), (penalty(White, 120_000), "7.5.3"));
    assert_eq!(g.on_move(), White);
    let mv = "e2e4".parse().unwrap();
    g.does(Event::Move { player: White, mv, two_hands: true });
    g.does(press(White));
    assert_eq!(g.end().reason, Reason::IllegalMove { by: White });
    let mut g = timed(Ruleset::standard(), "600");
    g.does(Event::Move { player: White, mv, two_hands: true });
    assert_eq!(g.does(press(White)).article, "7.5.4");
    // The move itself stands.
    assert_eq!((g.plies().len(), g.on_move(), g.running()), (1, Black, Some(Black)));
}

#[test]
fn the_king_is_never_captured() {
    // The black king has been left in check; taking it is an illegal move like another.
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_rejected(&g.moves("a1e8"), "7.5.1");
    g.does(press(White));
    assert_eq!(g.illegal_moves(White), 1);
    assert_eq!(g.position().king(Black), Square::E8);
}

#[test]
fn a_king_left_in_check_cannot_go_unnoticed() {
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    let ruling = g.does(Event::UnnoticedIllegalMove { player: White, mv: "a1a2".parse().unwrap() });
    assert_rejected(&ruling, "7.5.1");
    assert_eq!(g.does(press(White)).verdict, penalty(White, 120_000));
    let error =
        g.refuses(Event::UnnoticedIllegalMove { player: White, mv: "e1e2".parse().unwrap() });
    assert!(matches!(error, EventError::LegalAfterAll(_)));
}
