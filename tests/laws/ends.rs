//! How a game ends: each row of the table, clocks under simulated time, PGN.

use ferz::laws::{Decision, Event, EventError, Game, Reason, Ruleset, Score, SealedFault};
use ferz::types::Color;

use crate::tools::*;

const BARE: &str = "8/8/3rk3/8/8/2K5/8/8 w - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn checkmate_ends_the_game_at_once() {
    let mut g = timed(Ruleset::standard(), "600");
    g.plays("f2f3 e7e5 g2g4");
    g.moves("d8h4");
    assert_eq!(g.end().reason, Reason::Checkmate);
    assert_won_by(&g, Black);
    assert!(matches!(g.refuses(Event::Resign { player: White }), EventError::GameOver(_)));
    assert!(g.legal_moves().is_empty());
}

#[test]
fn resignation_at_any_time_on_either_side_s_move() {
    for player in Color::ALL {
        let mut g = game(Ruleset::standard(), START);
        g.does(Event::Resign { player });
        assert_eq!(g.end().reason, Reason::Resignation { by: player });
        assert_won_by(&g, !player);
    }
    // The bare king cannot mate: the rook's side resigns into a draw.
    let mut g = game(Ruleset::standard(), BARE);
    g.does(Event::Resign { player: Black });
    assert_draw(&g);
    let mut g = game(Ruleset::standard(), BARE);
    g.does(Event::Resign { player: White });
    assert_won_by(&g, Black);
}

#[test]
fn flag_fall_wins_unless_the_opponent_cannot_mate() {
    for (fen, flagged, drawn) in [
        (BARE, Black, true),
        (BARE, White, false),
        ("8/8/8/4k3/4p3/4N3/4K3/8 w - - 0 1", Black, false),
        ("3q3k/8/8/8/8/8/8/4KN2 w - - 0 1", Black, true),
        ("3r3k/8/8/8/8/8/8/4KN2 w - - 0 1", Black, false),
        ("3r3k/8/8/8/8/8/8/4KB2 w - - 0 1", Black, true),
        // A locked position, decided exactly although there is material enough.
        ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1", White, true),
        ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 b - - 0 1", Black, false),
    ] {
        let mut g = game(Ruleset::standard(), fen);
        g.does(Event::Flag { player: flagged });
        assert_eq!(g.end().reason, Reason::Flag { by: flagged });
        match drawn {
            true => assert_draw(&g),
            false => assert_won_by(&g, !flagged),
        }
        assert!(!g.end().undecided);
    }
}

#[test]
fn stalemate_and_dead_position_draw_at_once() {
    let mut g = game(Ruleset::standard(), "7k/8/8/8/8/8/5Q2/K7 w - - 0 1");
    g.moves("f2f7");
    assert_eq!(g.end().reason, Reason::Stalemate);
    assert_draw(&g);
    let mut g = game(Ruleset::standard(), "7k/8/8/8/8/8/2r5/1K6 w - - 0 1");
    g.moves("b1c2");
    assert_eq!(g.end().reason, Reason::DeadPosition);
    // The only move takes the queen: dead before it is made.
    let g = game(Ruleset::standard(), "7k/8/8/8/8/8/6q1/7K w - - 0 1");
    assert_eq!(g.end().reason, Reason::DeadPosition);
    // Blocked: no pawn can ever move, no king can pass.
    let mut g = game(Ruleset::standard(), "8/8/4k3/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1");
    if g.outcome().is_none() {
        g.moves("e2e3");
    }
    assert_eq!(g.end().reason, Reason::DeadPosition);
    assert_draw(&g);
}

#[test]
fn default_time_is_the_rule_set_s() {
    let mut rules = Ruleset::standard();
    rules.default_time_ms = Some(900_000);
    let mut g = Game::new(rules.clone(), [None, None]).unwrap();
    assert_eq!(
        g.refuses(Event::Default { player: Black, score: None }),
        EventError::DefaultTimeNotOver(900_000)
    );
    assert!(g.does(Event::Arrive { player: White }).is_accepted());
    assert_eq!(g.refuses(Event::Arrive { player: White }), EventError::Present(White));
    let mut late = g.clone();
    late.apply(900_001, Event::Arrive { player: Black }).unwrap();
    assert_eq!(late.end().reason, Reason::Default { by: Black });
    assert_won_by(&late, White);
    g.apply(900_001, Event::Default { player: Black, score: Some(Score::NONE) }).unwrap();
    assert_eq!((g.end().score, g.end().winner()), (Score::NONE, None));
    assert!(g.pgn().contains("[Result \"*\"]") && g.pgn().contains("Score 0-0"));
    let mut g = game(Ruleset::engine(), START);
    assert_eq!(g.refuses(Event::Default { player: Black, score: None }), EventError::NoDefaultTime);
}

#[test]
fn refusals_and_gross_breaches_lose_unless_the_arbiter_says_otherwise() {
    for player in Color::ALL {
        for event in [
            |player, score| Event::RefusePlay { player, score },
            |player, score| Event::RefuseComply { player, score },
            |player, score| Event::GrossBreach { player, score },
        ] {
            // The bare king wins: the exception is not for breaches.
            let mut g = game(Ruleset::standard(), BARE);
            g.does(event(player, None));
            assert_won_by(&g, !player);
            let mut g = game(Ruleset::standard(), BARE);
            g.does(event(player, Score::new(1, 0)));
            assert_eq!(g.end().score, Score::new(1, 0).unwrap());
        }
    }
}

#[test]
fn a_sealed_move_that_is_missing_impossible_or_ambiguous_loses() {
    let fen = "4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1";
    for (text, fault) in [
        (None, SealedFault::Missing),
        (Some("  "), SealedFault::Missing),
        (Some("Ke3"), SealedFault::Impossible),
        (Some("c3c4"), SealedFault::Impossible),
        (Some("rubbish"), SealedFault::Impossible),
        (Some("Ne4"), SealedFault::Ambiguous),
    ] {
        let mut g = game(Ruleset::standard(), fen);
        g.does(Event::Seal { player: White, text: text.map(str::to_owned) });
        assert!(g.is_adjourned() && g.running().is_none());
        assert_eq!(g.refuses(mv_event(White, "e1e2")), EventError::Adjourned);
        g.apply(86_400_000, Event::Resume).unwrap();
        assert_eq!(g.end().reason, Reason::SealedMove { by: White, fault }, "{text:?}");
        assert_won_by(&g, Black);
    }
    let control = Some("3600".parse().unwrap());
    let mut g = Game::new(Ruleset::standard(), [control.clone(), control]).unwrap();
    g.apply(60_000, Event::Seal { player: White, text: Some("e4".to_owned()) }).unwrap();
    assert_eq!(g.refuses(Event::Seal { player: White, text: None }), EventError::Adjourned);
    g.apply(86_400_000, Event::Resume).unwrap();
    // The night costs nobody time; Black's clock runs.
    assert_eq!((g.clock_ms(White), g.clock_ms(Black)), (Some(3_540_000), Some(3_600_000)));
    assert_eq!((g.running(), g.plies().len()), (Some(Black), 1));
    assert_eq!(g.refuses(Event::Resume), EventError::NotAdjourned);
}

#[test]
fn the_position_after_the_last_move_decides_clock_pressed_or_not() {
    // White takes the last pawn and flags before pressing the clock: Black's bare king draws.
    let fen = "4k3/8/8/8/8/8/1p6/K6R w - - 0 1";
    let clock = Some("10".parse().unwrap());
    let start = ferz::board::Position::from_fen(fen).unwrap();
    let mut g = Game::from_position(start, Ruleset::standard(), [clock.clone(), clock]).unwrap();
    g.apply(9_000, mv_event(White, "a1b2")).unwrap();
    let ruling = g.apply(10_000, Event::Press { player: White }).unwrap();
    assert_eq!(g.end().reason, Reason::Flag { by: White }, "{ruling}");
    assert_draw(&g);
}

#[test]
fn a_mate_that_came_first_stands_before_the_flag() {
    let mut g = timed(Ruleset::standard(), "10");
    g.plays("f2f3 e7e5 g2g4");
    g.apply(9_999, mv_event(Black, "d8h4")).unwrap();
    assert_eq!(g.end().reason, Reason::Checkmate);
    let mut g = timed(Ruleset::standard(), "10");
    g.plays("f2f3 e7e5 g2g4");
    g.apply(10_000, mv_event(Black, "d8h4")).unwrap();
    assert_eq!(g.end().reason, Reason::Flag { by: Black });
    assert_eq!(g.plies().len(), 3, "the move came too late");
}

#[test]
fn clocks_run_for_the_player_who_has_not_pressed() {
    let mut g = timed(Ruleset::standard(), "60+2");
    g.apply(1_000, mv_event(White, "e2e4")).unwrap();
    assert_eq!(g.running(), Some(White));
    g.apply(3_000, press(White)).unwrap();
    assert_eq!((g.clock_ms(White), g.running()), (Some(59_000), Some(Black)));
    let error = g.refuses(press(White));
    assert_eq!(error, EventError::ClockNotRunning(White));
    assert_eq!(
        g.refuses(Event::Flag { player: Black }),
        EventError::FlagUp { player: Black, left_ms: 60_000 }
    );
    assert!(matches!(
        g.apply(2_999, Event::Tick),
        Err(EventError::TimeRunsBack { at: 2_999, last: 3_000 })
    ));
    g.apply(63_000, Event::Tick).unwrap();
    assert_eq!(g.end().reason, Reason::Flag { by: Black });
}

#[test]
fn every_kind_of_clock_in_a_game() {
    // Control, ms of thought for White's first moves, what the clock shows then.
    for (control, thought, shown) in [
        ("10", [1_000, 2_000], 7_000),
        ("2/10:5", [1_000, 2_000], 12_000),
        ("2/10", [1_000, 2_000], 17_000),
        ("10+3", [1_000, 2_000], 13_000),
        ("10b3", [1_000, 5_000], 8_000),
        ("10d3", [1_000, 5_000], 8_000),
        ("10/move", [1_000, 5_000], 10_000),
    ] {
        let mut g = timed(Ruleset::engine(), control);
        for (white, (ms, black)) in
            ["e2e4", "d2d4"].into_iter().zip(thought.into_iter().zip(["e7e5", "d7d5"]))
        {
            let mv =
                white.parse::<ferz::laws::WrittenMove>().unwrap().resolve(g.position()).unwrap();
            g.play(mv, ms).unwrap();
            let mv =
                black.parse::<ferz::laws::WrittenMove>().unwrap().resolve(g.position()).unwrap();
            g.play(mv, 0).unwrap();
        }
        assert_eq!(g.clock_ms(White), Some(shown), "{control}");
    }
}

#[test]
fn the_arbiter_decides() {
    let mut g = timed(Ruleset::standard(), "60");
    g.plays("e2e4 e7e5");
    g.does(Event::Arbiter(Decision::AddTime { player: White, ms: 5_000 }));
    g.does(Event::Arbiter(Decision::SetClock { player: Black, ms: 30_000 }));
    g.does(Event::Arbiter(Decision::Warn { player: Black, words: "talking".to_owned() }));
    assert_eq!((g.clock_ms(White), g.clock_ms(Black)), (Some(65_000), Some(30_000)));
    g.does(Event::Arbiter(Decision::StopClocks));
    g.apply(500_000, Event::Tick).unwrap();
    assert_eq!(g.clock_ms(White), Some(65_000));
    g.does(Event::Arbiter(Decision::StartClock));
    assert_eq!(g.refuses(Event::Arbiter(Decision::Restore { plies: 3 })), EventError::NoSuchPly(2));
    g.does(Event::Arbiter(Decision::Restore { plies: 1 }));
    assert_eq!((g.on_move(), g.running()), (Black, Some(Black)));
    let words = "both left the hall".to_owned();
    g.does(Event::Arbiter(Decision::End { score: Score::NONE, words }));
    assert_eq!(g.end().termination(), "adjudication");
}

#[test]
fn undecided_stands_as_a_loss_and_is_said() {
    // A millisecond is too little for this one; no game ends as dead by it either.
    let mut rules = Ruleset::standard();
    rules.mating_budget_ms = 1;
    let fen = "8/1p3b2/pPp1p1p1/BkP1P1P1/1P6/BPB5/PKP5/8 w - - 0 1";
    let mut g = game(rules, fen);
    assert!(g.outcome().is_none());
    g.does(Event::Flag { player: Black });
    if g.end().undecided {
        assert_won_by(&g, White);
        assert!(g.end().to_string().contains("undecided"));
    }
    let text = g.to_json();
    assert!(Game::from_json(&text).unwrap() == g);
}

#[test]
fn pgn_has_result_termination_and_the_exact_reason() {
    let termination = |game: &Game| {
        let pgn = game.pgn();
        let line = pgn.lines().find(|line| line.starts_with("[Termination")).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let g = game(Ruleset::standard(), START);
    assert_eq!(termination(&g), "unterminated");
    assert!(g.pgn().contains("[Result \"*\"]"));
    let end = |event: Event| {
        let mut g = game(Ruleset::standard(), START);
        g.plays("e2e4 e7e5");
        g.does(event);
        g
    };
    let player = White;
    for (event, expected) in [
        (Event::Resign { player }, "normal"),
        (Event::Flag { player }, "time forfeit"),
        (Event::GrossBreach { player, score: None }, "rules infraction"),
        (Event::RefuseComply { player, score: None }, "rules infraction"),
        (Event::RefusePlay { player, score: None }, "abandoned"),
        (Event::Crash { player }, "abandoned"),
    ] {
        let g = end(event);
        assert_eq!(termination(&g), expected);
        let pgn = g.pgn().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(pgn.contains("[Result \"0-1\"]") && pgn.ends_with("0-1"), "{pgn}");
        assert!(pgn.contains(&g.end().to_string()), "{pgn}");
    }
}

#[test]
fn clocks_and_tags_stand_in_the_pgn() {
    let mut g = timed(Ruleset::standard(), "40/5400+30:1800+30");
    g.set_tag("White", "Steinitz").unwrap();
    assert!(g.set_tag("Bad tag", "x").is_err());
    g.apply(65_000, mv_event(White, "e2e4")).unwrap();
    g.apply(65_000, press(White)).unwrap();
    let pgn = g.pgn();
    assert!(pgn.contains("[White \"Steinitz\"]"), "{pgn}");
    assert!(pgn.contains("[TimeControl \"40/5400+30:1800+30\"]"), "{pgn}");
    assert!(pgn.contains("[%clk 1:29:25]"), "{pgn}");
}
