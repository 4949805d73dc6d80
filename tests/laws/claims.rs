//! Draws: repetition, moves without progress, claims right and wrong, offers.

use ferz::laws::{ClaimKind, Claims, Event, EventError, Reason, Ruleset, Verdict};
use ferz::types::Color;

use crate::tools::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

fn threefold(claims: Claims) -> bool {
    claims.threefold
}

#[test]
fn repetition_is_claimed_at_three_and_automatic_at_five() {
    let mut g = game(Ruleset::standard(), START);
    g.plays(SHUFFLE);
    assert!(!threefold(g.claims()));
    g.plays(SHUFFLE);
    assert!(threefold(g.claims()) && g.draw_now().is_none());
    g.plays(SHUFFLE);
    assert!(g.outcome().is_none());
    let last = g.plays(SHUFFLE);
    assert_eq!(g.end().reason, Reason::Repetition { count: 5 }, "{last}");
}

#[test]
fn three_questions_about_draws_are_three_answers() {
    let mut g = game(Ruleset::standard(), START);
    g.plays("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    // Not over, nothing to claim for the position on the board, but with one move.
    assert_eq!(g.draw_now(), None);
    assert_eq!(g.claims(), Claims::default());
    let with: Vec<String> = g
        .legal_moves()
        .into_iter()
        .filter(|&mv| g.claims_with(mv).any())
        .map(|mv| ferz::laws::WrittenMove::from(mv).to_string())
        .collect();
    assert_eq!(with, ["f6g8"]);
    g.does(claim(Black, ClaimKind::Threefold, Some("f6g8")));
    assert_eq!(g.end().reason, Reason::RepetitionClaim { count: 3 });
    // The move that was written down has not been made.
    assert_eq!(g.plies().len(), 7);
}

#[test]
fn same_position_means_same_possible_moves() {
    // The en passant square that no legal move uses makes no difference; a lost right does.
    let mut g = game(Ruleset::standard(), "8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37");
    g.plays("d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2");
    assert!(!g.claims().threefold);
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    g.plays("e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1 d8e8");
    assert!(!g.claims().threefold, "the first position had a castling right");
    g.plays("e1d1 e8d8 d1e1 d8e8");
    assert!(g.claims().threefold);
}

#[test]
fn fifty_moves_are_claimed_at_100_plies_and_automatic_at_150() {
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80");
    let ruling = g.does(claim(White, ClaimKind::FiftyMoves, Some("a1a2")));
    assert!(matches!(ruling.verdict, Verdict::Penalty { player: Color::White, .. }), "{ruling}");
    g.plays("a1a2 e8d8");
    assert!(g.claims().fifty_moves);
    g.does(claim(White, ClaimKind::FiftyMoves, None));
    assert_eq!(g.end().reason, Reason::NoProgressClaim { plies: 100 });
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/8/4P3/R3K3 w - - 149 180");
    g.plays("a1a2");
    assert_eq!(g.end().reason, Reason::NoProgress { plies: 150 });
}

#[test]
fn a_mate_by_the_last_move_stands_before_any_counter() {
    let mut g = game(Ruleset::standard(), "k7/8/1K6/8/8/8/8/7R w - - 149 180");
    g.plays("h1h8");
    assert_eq!(g.end().reason, Reason::Checkmate);
    let mut g = game(Ruleset::engine(), "k7/8/1K6/8/8/8/8/7R w - - 99 180");
    g.plays("h1h8");
    assert_eq!(g.end().reason, Reason::Checkmate);
}

#[test]
fn a_claim_is_made_by_the_player_to_move_only() {
    let mut g = game(Ruleset::standard(), START);
    g.plays(SHUFFLE);
    g.plays(SHUFFLE);
    assert_rejected(&g.does(claim(Black, ClaimKind::Threefold, None)), "9.2");
    assert!(g.outcome().is_none());
    g.does(claim(White, ClaimKind::Threefold, None));
    assert_draw(&g);
}

#[test]
fn touching_a_piece_gives_up_the_claim_on_that_move() {
    let mut g = game(Ruleset::standard(), START);
    g.plays(SHUFFLE);
    g.plays(SHUFFLE);
    touch(&mut g, White, "g1");
    assert_eq!(g.claims(), Claims::default());
    assert_rejected(&g.does(claim(White, ClaimKind::Threefold, None)), "9.4");
    // Another move, another right.
    g.plays("g1f3");
    assert_rejected(&g.does(claim(White, ClaimKind::Threefold, None)), "9.2");
    assert!(
        g.claims_with(
            "g8f6".parse::<ferz::laws::WrittenMove>().unwrap().resolve(g.position()).unwrap()
        )
        .threefold
    );
}

#[test]
fn a_wrong_claim_costs_time_counts_as_an_offer_and_binds_the_declared_move() {
    for (rules, bonus_ms) in
        [(Ruleset::standard(), 120_000), (Ruleset::rapid(), 60_000), (Ruleset::blitz(), 60_000)]
    {
        let mut g = timed(rules, "600");
        g.plays("e2e4 e7e5");
        let before = g.clock_ms(Black).unwrap();
        let ruling = g.does(claim(White, ClaimKind::Threefold, Some("g1f3")));
        assert_eq!(ruling.verdict, Verdict::Penalty { player: White, bonus_ms });
        assert_eq!(ruling.article, "9.5.3");
        assert_eq!(g.clock_ms(Black).unwrap(), before + bonus_ms);
        assert!(g.offer_stands(White));
        assert_eq!(allowed(&g), ["g1f3"]);
        assert_rejected(&g.moves("d2d4"), "9.5.3");
        let mut accepted = g.clone();
        accepted.does(Event::AcceptDraw { player: Black });
        assert_eq!(accepted.end().reason, Reason::Agreement);
        g.plays("g1f3");
        assert!(g.outcome().is_none());
    }
}

#[test]
fn a_claim_with_an_illegal_move_is_wrong_and_binds_nothing() {
    let mut g = timed(Ruleset::standard(), "600");
    g.plays("e2e4 e7e5");
    let ruling = g.does(claim(White, ClaimKind::Threefold, Some("g1g3")));
    assert!(matches!(ruling.verdict, Verdict::Penalty { .. }));
    assert!(allowed(&g).len() > 20);
}

#[test]
fn rules_without_claims_say_so() {
    let mut g = game(Ruleset::engine(), START);
    let error = g.refuses(claim(White, ClaimKind::Threefold, None));
    assert_eq!(error, EventError::NoSuchClaim);
}

#[test]
fn no_draw_by_agreement_before_both_have_made_a_move() {
    let mut g = game(Ruleset::standard(), START);
    assert_rejected(&g.does(Event::OfferDraw { player: White }), "5.2.3");
    g.plays("e2e4");
    assert_rejected(&g.does(Event::OfferDraw { player: White }), "5.2.3");
    g.plays("e7e5");
    assert!(g.does(Event::OfferDraw { player: Black }).is_accepted());
    g.does(Event::AcceptDraw { player: White });
    assert_eq!(g.end().reason, Reason::Agreement);
    assert_draw(&g);
}

#[test]
fn an_offer_stands_until_accepted_declined_or_a_piece_is_touched() {
    let offered = || {
        let mut g = game(Ruleset::standard(), START);
        g.plays("e2e4 e7e5");
        g.moves("g1f3");
        assert!(g.does(Event::OfferDraw { player: White }).is_accepted());
        g.does(press(White));
        g
    };
    let mut g = offered();
    assert_eq!(g.refuses(Event::OfferDraw { player: White }), EventError::OfferStands(White));
    assert_eq!(g.refuses(Event::AcceptDraw { player: White }), EventError::NoOffer(White));
    g.does(Event::DeclineDraw { player: Black });
    assert_eq!(g.refuses(Event::AcceptDraw { player: Black }), EventError::NoOffer(Black));
    let mut g = offered();
    touch(&mut g, Black, "b8");
    assert_eq!(g.refuses(Event::AcceptDraw { player: Black }), EventError::NoOffer(Black));
    let mut g = offered();
    g.plays("b8c6");
    assert_eq!(g.refuses(Event::AcceptDraw { player: Black }), EventError::NoOffer(Black));
    // Adjusting or an accident is no touch with intent.
    let mut g = offered();
    g.does(Event::Adjust { player: Black });
    touch(&mut g, Black, "b8");
    g.does(Event::AcceptDraw { player: Black });
    assert_draw(&g);
}

#[test]
fn events_may_do_without_draws_by_agreement() {
    let mut rules = Ruleset::standard();
    rules.offers.allowed = false;
    let mut g = game(rules, START);
    g.plays("e2e4 e7e5");
    assert_rejected(&g.does(Event::OfferDraw { player: White }), "9.1.1");
}
