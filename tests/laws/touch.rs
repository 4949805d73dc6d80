//! Touch-move: every combination against a slow direct reading of article 4, and its rows.

use ferz::board::Position;
use ferz::laws::{Duty, Event, EventError, Ruleset, Touch, TouchRule, WrittenMove, obligation};
use ferz::types::{Color, Move, PieceKind, Square};
use proptest::prelude::*;

use crate::tools::*;

/// Article 4 read word by word: which moves are allowed after touching these squares in order.
mod slow {
    use super::*;

    fn captures(position: &Position, mv: Move, square: Square) -> bool {
        let before =
            position.piece_at(square).is_some_and(|p| p.color() != position.side_to_move());
        let gone = position
            .after(mv)
            .piece_at(square)
            .is_none_or(|p| p.color() == position.side_to_move());
        before && gone
    }

    pub fn allowed(position: &Position, touched: &[Square], any_pair: bool) -> Vec<Move> {
        let side = position.side_to_move();
        let mut order: Vec<Square> = Vec::new();
        for &square in touched {
            if position.piece_at(square).is_some() && !order.contains(&square) {
                order.push(square);
            }
        }
        let when = |square: Square| order.iter().position(|&s| s == square);
        let king = position.king(side);
        // 4.4.2: a rook, and then the king: no castling with this rook.
        let free: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| {
                let spoilt = mv.is_castling()
                    && when(mv.to()).is_some_and(|rook| when(king).is_some_and(|king| rook < king));
                !spoilt
            })
            .collect();
        let free = if free.is_empty() { position.legal_moves().to_vec() } else { free };
        let by = |square: Square| -> Vec<Move> {
            free.iter().copied().filter(|mv| mv.from() == square).collect()
        };
        let of = |square: Square| -> Vec<Move> {
            free.iter().copied().filter(|&mv| captures(position, mv, square)).collect()
        };
        let pair = |own: Square, enemy: Square| -> Vec<Move> {
            by(own).into_iter().filter(|&mv| captures(position, mv, enemy)).collect()
        };
        let is_own =
            |square: &Square| position.piece_at(*square).is_some_and(|p| p.color() == side);
        let own: Vec<Square> = order.iter().copied().filter(is_own).collect();
        let enemy: Vec<Square> = order.iter().copied().filter(|s| !is_own(s)).collect();
        let in_turn = |squares: &[Square]| -> Option<Vec<Move>> {
            for &square in squares {
                if !is_own(&square) {
                    if !of(square).is_empty() {
                        return Some(of(square));
                    }
                    continue;
                }
                // 4.4.1, 4.4.3: the king, and then a rook.
                let rook = own.iter().copied().find(|&rook| {
                    position.piece_at(rook).is_some_and(|p| p.kind() == PieceKind::Rook)
                        && when(rook) > when(square)
                });
                if let Some(rook) = rook.filter(|_| square == king) {
                    let castling: Vec<Move> = by(king)
                        .into_iter()
                        .filter(|mv| mv.is_castling() && mv.to() == rook)
                        .collect();
                    return Some(match (castling.is_empty(), by(king).is_empty()) {
                        (false, _) => castling,
                        (true, false) => by(king),
                        (true, true) => free.clone(),
                    });
                }
                if !by(square).is_empty() {
                    return Some(by(square));
                }
            }
            None
        };
        let decided = if own.is_empty() || enemy.is_empty() {
            in_turn(&order)
        } else if any_pair {
            let mut found = None;
            for &e in &enemy {
                for &o in &own {
                    if found.is_none() && !pair(o, e).is_empty() {
                        found = Some(pair(o, e));
                    }
                }
            }
            found.or_else(|| in_turn(&own)).or_else(|| in_turn(&enemy))
        } else if !pair(own[0], enemy[0]).is_empty() {
            Some(pair(own[0], enemy[0]))
        } else {
            in_turn(&order)
        };
        decided.unwrap_or(free)
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

/// Positions with castling, en passant, pins and checks, ordinary and Chess960.
const POSITIONS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/2ppP3/4P3/8/8/R3K2R w KQ d6 0 1",
    "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/4r3/3B4/8/R3K2R w KQ - 0 1",
    "3qk3/8/8/8/8/8/3P1P2/RR1QKBRR w - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "4k3/1P6/8/8/2n5/1q1n4/1P1P4/R1B1K2R w KQ - 0 1",
];

#[test]
fn every_pair_and_triple_of_touches_is_what_article_4_says() {
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let men: Vec<Square> = position.occupied().into_iter().collect();
        for &a in &men {
            for &b in &men {
                for touched in [
                    vec![a],
                    vec![a, b],
                    vec![position.king(White), a, b],
                    vec![a, position.king(White), b],
                ] {
                    for (rule, any_pair) in [(TouchRule::Fide, false), (TouchRule::AnyPair, true)] {
                        let fast = obligation(&position, &touched, rule).moves;
                        let slow = slow::allowed(&position, &touched, any_pair);
                        assert_eq!(sorted(fast), sorted(slow), "{fen} {touched:?} {rule:?}");
                    }
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_order_of_touches_is_what_article_4_says(
        position in 0..POSITIONS.len(),
        touched in prop::collection::vec(0_usize..64, 0..7),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        any_pair in any::<bool>(),
    ) {
        let mut position = Position::from_fen(POSITIONS[position]).unwrap();
        for index in walk {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(*index.get(&moves));
        }
        let touched: Vec<Square> = touched.into_iter().map(|index| Square::ALL[index]).collect();
        let rule = if any_pair { TouchRule::AnyPair } else { TouchRule::Fide };
        let fast = obligation(&position, &touched, rule).moves;
        prop_assert_eq!(sorted(fast), sorted(slow::allowed(&position, &touched, any_pair)));
    }
}

const MIDDLE: &str = "4k3/8/8/3p4/8/2N2B2/8/R3K2R w KQ - 0 1";

fn duty(fen: &str, touched: &str) -> Duty {
    let mut g = game(Ruleset::standard(), fen);
    touch(&mut g, White, touched);
    g.obligation().duty
}

#[test]
fn after_adjust_nothing_follows_but_only_beforehand_and_on_the_own_move() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    assert_rejected(&g.does(Event::Adjust { player: Black }), "4.2.1");
    g.does(Event::Adjust { player: White });
    touch(&mut g, White, "c3 d5");
    assert_eq!(g.obligation().duty, Duty::Any);
    // Meant as a touch after all, it binds.
    let event = Event::Touch { player: White, squares: squares("f3"), how: Touch::Intent };
    g.does(event);
    assert_eq!(g.obligation().duty, Duty::Move(Square::F3));
    // "Adjust" afterwards is too late.
    let mut g = game(Ruleset::standard(), MIDDLE);
    touch(&mut g, White, "c3");
    g.does(Event::Adjust { player: White });
    assert_eq!(g.obligation().duty, Duty::Move(Square::C3));
}

#[test]
fn an_accident_obliges_to_nothing() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    g.does(Event::Touch { player: White, squares: squares("c3"), how: Touch::Accident });
    assert_eq!(g.obligation().duty, Duty::Any);
}

#[test]
fn the_player_not_on_move_is_bound_by_nothing() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    let ruling = g.does(Event::Touch { player: Black, squares: squares("e8"), how: Touch::Plain });
    assert_rejected(&ruling, "4.2.1");
    assert_eq!(g.obligation().duty, Duty::Any);
}

#[test]
fn own_and_enemy_men_in_order_clear_or_not() {
    assert_eq!(duty(MIDDLE, "c3 d5"), Duty::TakeWith(Square::C3, Square::D5));
    assert_eq!(duty(MIDDLE, "a1 d5"), Duty::Move(Square::A1));
    assert_eq!(duty(MIDDLE, "d5 a1"), Duty::Take(Square::D5));
    // Touched together, the own man counts as first.
    let mut g = game(Ruleset::standard(), MIDDLE);
    g.does(Event::Touch { player: White, squares: squares("d5 a1"), how: Touch::Plain });
    assert_eq!(g.obligation().duty, Duty::Move(Square::A1));
    // The other documents' reading: any touched man may have to take.
    let mut rules = Ruleset::standard();
    rules.touch = TouchRule::AnyPair;
    let mut g = game(rules, MIDDLE);
    touch(&mut g, White, "a1 d5 f3");
    assert_eq!(g.obligation().duty, Duty::TakeWith(Square::F3, Square::D5));
}

#[test]
fn king_then_rook_must_castle_rook_then_king_must_not() {
    assert_eq!(duty(MIDDLE, "e1 h1"), Duty::Castle(Square::H1));
    assert_eq!(duty(MIDDLE, "h1 e1"), Duty::Move(Square::H1));
    // Castling short is illegal: the king moves, castling long included.
    let attacked = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(duty(attacked, "e1 h1"), Duty::MoveKing);
    // The king has no legal move: any legal move, not only the rook's.
    let stuck = "4k3/8/8/8/8/8/3PPP2/3QKB1R w K - 0 1";
    assert_eq!(duty(stuck, "e1 h1"), Duty::Any);
    // The rook cannot move: the king does, but does not castle with it.
    let mut g = game(Ruleset::standard(), "4k3/8/8/8/8/7p/7P/4KB1R w K - 0 1");
    touch(&mut g, White, "h1 e1");
    assert_eq!(g.obligation().duty, Duty::Move(Square::H1));
}

#[test]
fn a_rook_that_cannot_move_leaves_the_king_without_that_castling() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/2KR4 w D - 0 1").unwrap();
    // Chess960: the rook beside the king can move, so it must.
    let due = obligation(&position, &squares("d1 c1"), TouchRule::Fide);
    assert_eq!(due.duty, Duty::Move(Square::D1));
    assert!(due.moves.iter().all(|mv| !mv.is_castling()));
}

#[test]
fn a_castling_king_let_go_and_a_pawn_on_the_last_rank_are_bound() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    g.does(Event::Release { player: White, from: Square::E1, to: Square::G1 });
    assert_eq!(allowed(&g), ["e1h1"]);
    assert_rejected(&g.moves("e1d1"), "4.4.1");
    g.plays("e1g1");
    // That castling is illegal: another king move, the other castling included.
    let mut g = game(Ruleset::standard(), "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    g.does(Event::Release { player: White, from: Square::E1, to: Square::G1 });
    assert_eq!(allowed(&g), ["e1a1", "e1d1", "e1d2", "e1e2"]);
    // The pawn on its last rank binds the square, not yet the piece.
    let mut g = game(Ruleset::standard(), "1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
    g.does(Event::Release { player: White, from: Square::A7, to: Square::A8 });
    assert_eq!(allowed(&g), ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    assert_rejected(&g.moves("a7b8q"), "4.7");
    assert_eq!(
        g.refuses(Event::Promote { player: White, piece: PieceKind::King }),
        EventError::NoPromotion
    );
    g.does(Event::Promote { player: White, piece: PieceKind::Knight });
    assert_eq!(g.position().piece_at(Square::A8).unwrap().kind(), PieceKind::Knight);
    assert_eq!(
        g.refuses(Event::Promote { player: White, piece: PieceKind::Queen }),
        EventError::AlreadyMoved(White)
    );
}

#[test]
fn a_move_made_is_final_clock_pressed_or_not() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    g.moves("c3b5");
    assert_eq!(g.refuses(mv_event(White, "f3d5")), EventError::AlreadyMoved(White));
    assert_eq!(g.refuses(mv_event(White, "c3d5")), EventError::AlreadyMoved(White));
}

#[test]
fn a_complaint_is_lost_by_touching_a_piece_oneself() {
    let complaint = |text: &str| Event::TouchComplaint { player: Black, squares: squares(text) };
    let mut g = game(Ruleset::standard(), MIDDLE);
    assert_eq!(
        g.refuses(Event::TouchComplaint { player: White, squares: squares("e8") }),
        EventError::NothingToComplain
    );
    g.plays("f3d5");
    // White had touched the knight first.
    let mut late = g.clone();
    touch(&mut late, Black, "e8");
    assert_rejected(&late.does(complaint("c3")), "4.8");
    assert_rejected(&g.does(complaint("f3 d5")), "4.3");
    assert_eq!(g.refuses(complaint("a5")), EventError::EmptySquare(Square::A5));
    assert!(g.does(complaint("c3")).is_accepted());
    assert_eq!((g.on_move(), g.obligation().duty), (White, Duty::Move(Square::C3)));
}

#[test]
fn touches_without_sense_are_errors() {
    let mut g = game(Ruleset::standard(), MIDDLE);
    let event = |text: &str| Event::Touch {
        player: Color::White,
        squares: squares(text),
        how: Touch::Plain,
    };
    assert_eq!(g.refuses(event("")), EventError::NoSquare);
    assert_eq!(g.refuses(event("c3 a5")), EventError::EmptySquare(Square::A5));
    assert_eq!(
        g.refuses(mv_event(White, "d5d4")),
        EventError::NotOwnMan { player: White, square: Square::D5 }
    );
    assert_eq!(g.refuses(mv_event(White, "a5a6")), EventError::EmptySquare(Square::A5));
    let written: WrittenMove = "e8e7".parse().unwrap();
    assert_eq!(
        g.refuses(Event::Move { player: Black, mv: written, two_hands: false }),
        EventError::NotOnMove(White)
    );
}
