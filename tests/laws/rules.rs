//! The rows of the laws about moves, one test a row: where the old documents are wrong or disagree.

use ferz::board::Position;
use ferz::laws::WrittenMove;
use ferz::types::{Piece, Square};

/// Whether a move by its squares is legal.
fn legal(fen: &str, mv: &str) -> bool {
    let position = Position::from_fen(fen).unwrap();
    mv.parse::<WrittenMove>().unwrap().resolve(&position).is_some()
}

#[test]
fn white_queen_starts_on_d1_and_black_queen_on_d8() {
    let start = Position::startpos();
    assert_eq!(start.piece_at(Square::D1), Some(Piece::WhiteQueen));
    assert_eq!(start.piece_at(Square::D8), Some(Piece::BlackQueen));
    assert_eq!(start.piece_at(Square::D2), Some(Piece::WhitePawn));
}

#[test]
fn castling_is_forbidden_in_check_across_and_onto_an_attacked_square() {
    for (black, short) in
        [("4r3", false), ("5r2", false), ("6r1", false), ("7r", true), ("1r6", true)]
    {
        let fen = format!("{black}/8/8/k7/8/8/8/4K2R w K - 0 1");
        assert_eq!(legal(&fen, "e1g1"), short, "{fen}");
    }
    for (black, long) in [("1r6", true), ("r7", true), ("2r5", false), ("3r4", false)] {
        let fen = format!("{black}/8/8/7k/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(legal(&fen, "e1c1"), long, "{fen}");
    }
}

#[test]
fn castling_needs_all_squares_between_empty() {
    assert!(legal("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    for knight in ["RN2K3", "R1N1K3", "R2NK3"] {
        assert!(!legal(&format!("4k3/8/8/8/8/8/8/{knight} w Q - 0 1"), "e1c1"), "{knight}");
    }
    // Chess960: king and rook are in each other's way only.
    assert!(legal("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"));
    assert!(!legal("4k3/8/8/8/8/8/8/2N2KR1 w - - 0 1", "f1c1"));
}

#[test]
fn promotion_to_queen_rook_bishop_or_knight_only() {
    let fen = "7k/P7/8/8/8/8/8/KQQ5 w - - 0 1";
    for (piece, is_legal) in [
        ("q", true),
        ("r", true),
        ("b", true),
        ("n", true),
        ("k", false),
        ("p", false),
        ("", false),
    ] {
        assert_eq!(legal(fen, &format!("a7a8{piece}")), is_legal, "{piece}");
    }
}

#[test]
fn a_pinned_piece_gives_check_and_forbids_castling_all_the_same() {
    // The rook on e8 is pinned to its king by the rook on a8 and checks.
    let position = Position::from_fen("R3r2k/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert!(position.in_check());
    // Pinned along the rank, the rook on f7 still bars f1.
    assert!(!legal("8/R4r1k/8/8/8/8/7P/4K2R w K - 0 1", "e1g1"));
    assert!(legal("8/R5rk/8/8/8/8/6PP/4K2R w K - 0 1", "e1g1"));
}

#[test]
fn a_check_is_met_by_moving_capturing_or_blocking_a_double_check_by_the_king_only() {
    let single = "4k3/8/8/8/4r3/3B4/8/R3K2R w - - 0 1";
    assert!(legal(single, "d3e4") && legal(single, "e1d2") && legal(single, "d3e2"));
    assert!(!legal(single, "h1h2"));
    let double = "4k3/8/8/8/4r3/5n2/3B4/R3K2R w - - 0 1";
    assert!(legal(double, "e1d1") && legal(double, "e1f1"));
    assert!(!legal(double, "d2e3"));
}

#[test]
fn sliders_take_the_first_man_they_meet_and_end_there() {
    let fen = "4k3/8/8/8/r2p4/8/8/R3K3 w - - 0 1";
    assert!(legal(fen, "a1a4"));
    assert!(!legal(fen, "a1a5"));
}

#[test]
fn en_passant_on_the_very_next_move_and_not_uncovering_the_king() {
    use ferz::laws::History;
    let mut history =
        History::new(Position::from_fen("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").unwrap());
    let play = |history: &mut History, mv: &str| {
        let mv = mv.parse::<WrittenMove>().unwrap().resolve(history.position()).unwrap();
        history.play(mv);
    };
    play(&mut history, "d7d5");
    assert!(legal(&history.position().fen(), "e5d6"));
    play(&mut history, "e1e2");
    play(&mut history, "e8e7");
    assert!(!legal(&history.position().fen(), "e5d6"));
    assert!(!legal("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6"), "both pawns leave the rank");
}

#[test]
fn pawns_step_twice_from_their_rank_only_and_take_forward() {
    let fen = "4k3/8/8/8/3p4/4P3/3P4/4K3 w - - 0 1";
    assert!(!legal(fen, "e3e5") && legal(fen, "e3d4") && legal(fen, "d2d3"));
    assert!(!legal("4k3/8/8/8/8/3p4/3P4/4K3 w - - 0 1", "d2d4"), "nobody jumps but the knight");
}
