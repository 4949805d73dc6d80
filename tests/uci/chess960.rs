//! Chess960 and double Chess960: castling as text and as a move, in and out.

use crate::client::Client;

fn start() -> Client {
    let mut client = Client::start();
    client.set("UCI_Chess960", "true");
    client
}

fn castlings(client: &mut Client) -> (Vec<String>, usize) {
    client.send("go perft 1");
    let mut lines = client.until("Nodes searched");
    let count = lines.pop().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let moves: Vec<String> = lines.iter().map(|line| line[..4].to_owned()).collect();
    let own_rook = |text: &String| {
        let board = client.board();
        let mv = crate::client::legal(board.position(), text, true);
        mv.is_some_and(|mv| mv.is_castling())
    };
    (moves.into_iter().filter(own_rook).collect(), count)
}

#[test]
fn castling_is_written_as_the_flag_says() {
    let root = "fen r1bqkb1r/ppp3p1/2n2p2/3p1n1p/3P4/2P2N1P/PP1NBPP1/R1BQK2R w HAha - 2 9";
    let mut client = Client::start();
    client.position(root);
    assert_eq!(client.go("go depth 1 searchmoves e1g1").best, "e1g1");
    assert_eq!(client.go("go depth 1 searchmoves e1h1").best, "e1g1");
    client.position(&format!("{root} moves e1g1"));
    client.go("go depth 4");
    client.set("UCI_Chess960", "true");
    client.position(root);
    assert_eq!(client.go("go depth 1 searchmoves e1h1").best, "e1h1");
    client.set("UCI_Chess960", "false");
    client.position(root);
    assert_eq!(client.go("go depth 1 searchmoves e1h1").best, "e1g1");
    client.quit();
}

#[test]
fn a_change_of_the_flag_waits_for_the_end_of_the_search() {
    let mut client = Client::start();
    client.position("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    client.send("go infinite searchmoves e1g1");
    client.until("info depth 2 ");
    client.send("setoption name UCI_Chess960 value true");
    assert_eq!(client.stop().best, "e1g1");
    client.quit();
}

#[test]
fn castlings_by_count() {
    let mut client = start();
    for (fen, wanted, moves) in [
        ("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1", &[][..], 11),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/rR2K3 w Q - 0 1", &[], 21),
        ("4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18", &[], 42),
        ("4k3/8/8/1b6/8/8/8/5RKR w KQ - 0 1", &[], 22),
        ("1k1r4/1pp2b1p/p7/P1B2R2/N7/3P2b1/1PP4Q/RK2r3 w Q - 1 29", &[], 0),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", &[], 20),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", &["e1g1"], 21),
        ("nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1", &["f1g1"], 20),
    ] {
        client.position(&format!("fen {fen}"));
        let (found, count) = castlings(&mut client);
        assert_eq!(count, moves, "{fen}");
        // With both squares taken the only castling is the rook that stands beside.
        if !fen.starts_with("nqrnbkrb") {
            assert_eq!(found, wanted, "{fen}");
        }
    }
    client.position("fen 4k3/8/8/8/8/8/8/4K1RR w K - 0 1 moves g1g7 e8d8");
    assert_eq!(castlings(&mut client).0, ["e1h1"]);
    client.position("fen nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8 moves e8d8");
    assert!(client.board().fen().starts_with("nnkr1q1b/"));
    client.go("go depth 4");
    client.quit();
}

#[test]
fn perft_of_chess960_positions() {
    let mut client = start();
    for (fen, depth, nodes) in [
        ("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1", 3, 2219),
        ("4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18", 2, 1743),
        ("2rkr3/5PP1/8/5Q2/5q2/8/5pp1/2RKR3 w KQkq - 0 1", 3, 71_005),
        ("2Rnb1kr/5ppp/8/q3p3/p3P3/4P3/6PP/1Q3BKR b Hh - 0 15", 3, 24_750),
        ("1rk3r1/8/8/8/8/8/8/1RK1R3 w EBgb - 0 1", 2, 464),
        ("Q3B1kr/p5p1/1p3p1p/2p2P2/2br1N1P/8/P5P1/7K b k - 1 34", 2, 824),
    ] {
        client.position(&format!("fen {fen}"));
        client.send(&format!("go perft {depth}"));
        let lines = client.until("Nodes searched");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {nodes}"), "{fen}");
    }
    client.quit();
}

#[test]
fn rights_of_any_notation() {
    let mut client = start();
    for (fen, shredder) in [
        ("nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1", "GCgc"),
        ("rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9", "Eea"),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "H"),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "G"),
        ("bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/RQKNBBNR w HAfc - 0 1", "HAfc"),
    ] {
        client.position(&format!("fen {fen}"));
        client.send("d");
        let lines = client.until("Checkers");
        let line = lines.iter().find(|line| line.starts_with("Shredder-Fen")).unwrap();
        assert_eq!(line.split(' ').nth(3), Some(shredder), "{fen}");
        client.go("go depth 4");
    }
    client.quit();
}

#[test]
fn without_the_flag_only_ordinary_rights_hold() {
    let mut client = Client::start();
    for (fen, castling) in [
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "-"),
        ("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "Kkq"),
        ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQ"),
    ] {
        client.send(&format!("position fen {fen}"));
        client.send("d");
        let lines = client.until("Checkers");
        let line = lines.iter().find(|line| line.starts_with("Fen")).unwrap();
        assert_eq!(line.split(' ').nth(3), Some(castling), "{fen}");
    }
    client.quit();
}

#[test]
fn games_of_many_set_ups() {
    let mut client = start();
    for number in (0..960).step_by(160) {
        let position = ferz::board::Position::double_chess960(number, 959 - number).unwrap();
        let mut text = format!("fen {}", position.shredder_fen());
        client.send("ucinewgame");
        for ply in 0..16 {
            client.position(&text);
            let best = client.go("go nodes 400").best;
            if best == "(none)" {
                break;
            }
            text.push_str(if ply == 0 { " moves " } else { " " });
            text.push_str(&best);
        }
    }
    client.quit();
}
