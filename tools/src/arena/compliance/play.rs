//! Checks of the play: limits, lines, scores, special positions.

use std::collections::HashSet;
use std::time::Duration;

use ferz::notation::{parse_uci, to_uci};

use super::super::info::EngineScore;
use super::session::{Search, Session};
use super::{Check, Result, must, should};

/// The checks, in the order of the table.
pub const CHECKS: &[Check] = &[
    must("a legal move for every limit, each alone", every_limit),
    should("zero and negative limits give a move at once", odd_limits),
    must("100 ms on the clock suffice, with one clock given too", little_time),
    should("movetime is kept to", move_time),
    must("go infinite waits for stop, mate on the board or not", infinite_waits),
    must("go ponder waits for ponderhit or stop", ponder_waits),
    should("depth N is reached", depth_is_reached),
    must("searchmoves is kept to", search_moves),
    must("info lines: whole numbers, pv last, legal moves", lines_are_sound),
    should("bestmove and ponder are the first moves of the last line", best_is_of_line),
    should("mate in one is found and announced", mate_in_one),
    should("go mate ends with the mate", go_mate),
    must("no legal move: an answer that is no move", no_move),
    should("a position drawn by rule still gets a move", drawn_positions),
    must("FEN without counters, moves with nothing after it, castling by letter", odd_positions),
    should("upper-case moves and castling as king takes rook are read", odd_moves),
    should("MultiPV shows that many lines with different moves", multi_pv),
    must("UCI_Chess960: castling is king takes rook, both ways", chess960),
    should("UCI_ShowWDL adds three numbers of the sum 1000", show_wdl),
    should("the same search after ucinewgame gives the same move", repeatable),
    must("one bestmove for each go", one_answer),
];

const START: &str = "startpos";
const MIDDLE: &str = "fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const MIDDLE_BLACK: &str = "fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 b - - 0 27";
const MATE_IN_ONE: &str = "fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
const MATED: &str = "fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1";
const STALEMATED: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

fn every_limit(session: &mut Session) -> Result {
    for limits in [
        "depth 1",
        "nodes 1",
        "nodes 1000",
        "movetime 1",
        "movetime 50",
        "mate 1 movetime 50",
        "wtime 1000 btime 1000",
        "wtime 1000 btime 1000 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "depth 3 nodes 500 movetime 100",
        "movestogo 5 wtime 500 btime 500",
        "binc 0 winc 0 btime 300 wtime 300",
    ] {
        session.position(START)?;
        session.plays(limits)?;
    }
    Ok(())
}

fn odd_limits(session: &mut Session) -> Result {
    for limits in [
        "movetime 0",
        "depth 0",
        "nodes 0",
        "wtime 0 btime 0",
        "depth -3",
        "movetime -1",
        "wtime -5 btime -170671",
        "movestogo 0 wtime 300 btime 300",
        "wtime 1 btime 1",
        "wtime 99999999999999999999 btime 1 depth 1",
        "depth 100000 movetime 20",
    ] {
        session.position(START)?;
        session.plays(limits)?;
    }
    Ok(())
}

fn little_time(session: &mut Session) -> Result {
    let cases = [
        (MIDDLE, "wtime 100"),
        (MIDDLE_BLACK, "btime 100"),
        (MIDDLE, "wtime 100 winc 100 btime 100 binc 100"),
        (MIDDLE_BLACK, "btime 100 binc 100 wtime 100 winc 100"),
        (START, "wtime 100 btime 100"),
        ("startpos moves e2e4 e7e5", "wtime 100 btime 100"),
    ];
    for (position, limits) in cases {
        session.position(position)?;
        let search = session.plays(limits)?;
        within(session, &search, limits, 100)?;
        search.last()?;
    }
    Ok(())
}

fn within(session: &Session, search: &Search, limits: &str, ms: u64) -> Result {
    match search.took <= Duration::from_millis(ms) + session.slack {
        true => Ok(()),
        false => {
            Err(format!("go {limits}: {:.0} ms taken", search.took.as_secs_f64() * 1e3).into())
        }
    }
}

fn move_time(session: &mut Session) -> Result {
    for _ in 0..5 {
        session.position(MIDDLE)?;
        let search = session.plays("movetime 100")?;
        within(session, &search, "movetime 100", 100)?;
    }
    Ok(())
}

fn infinite_waits(session: &mut Session) -> Result {
    for position in [START, MATE_IN_ONE, "fen 8/8/8/8/8/5k2/5p2/5K2 b - - 0 1"] {
        session.position(position)?;
        session.send("go infinite");
        session.quiet("bestmove").map_err(|_| format!("an answer before stop: {position}"))?;
        session.send("stop");
        let search = session.answer(session.patience)?;
        session.legal(&search)?;
    }
    Ok(())
}

fn ponder_waits(session: &mut Session) -> Result {
    for end in ["ponderhit", "stop"] {
        session.position("startpos moves e2e4 e7e5")?;
        session.send("go ponder wtime 300 btime 300");
        session.quiet("bestmove").map_err(|_| "an answer before ponderhit or stop")?;
        session.send(end);
        let search = session.answer(session.patience)?;
        session.legal(&search)?;
    }
    Ok(())
}

fn depth_is_reached(session: &mut Session) -> Result {
    session.position(START)?;
    let search = session.plays("depth 5")?;
    match search.last()?.depth {
        Some(depth) if depth >= 5 => Ok(()),
        depth => Err(format!("the last line says depth {depth:?}").into()),
    }
}

fn search_moves(session: &mut Session) -> Result {
    session.position(START)?;
    for limits in ["depth 4 searchmoves a2a3 h2h3", "searchmoves h2h3 a2a3 depth 4"] {
        let search = session.plays(limits)?;
        if !["a2a3", "h2h3"].contains(&&*search.best[0]) {
            return Err(format!("go {limits}: {}", search.best[0]).into());
        }
    }
    Ok(())
}

/// Searches that the checks of lines look at.
fn sample(session: &mut Session) -> Result<Vec<Search>> {
    let mut searches = Vec::new();
    for position in [START, MIDDLE, MATE_IN_ONE, "fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"] {
        session.position(position)?;
        let search = session.plays("depth 6")?;
        check_lines(session, &search)?;
        searches.push(search);
    }
    Ok(searches)
}

fn lines_are_sound(session: &mut Session) -> Result {
    sample(session).map(drop)
}

fn check_lines(session: &Session, search: &Search) -> Result {
    search.last()?;
    for line in &search.infos {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let end = words.iter().position(|w| ["pv", "string"].contains(w)).unwrap_or(words.len());
        for key in ["depth", "seldepth", "nodes", "nps", "time", "hashfull", "tbhits", "multipv"] {
            let Some(place) = words[..end].iter().position(|&word| word == key) else { continue };
            if words.get(place + 1).is_none_or(|text| text.parse::<u64>().is_err()) {
                return Err(format!("{key} is no whole number: {line:?}").into());
            }
        }
        if words[..end].contains(&"seldepth") && !words[..end].contains(&"depth") {
            return Err(format!("seldepth without depth: {line:?}").into());
        }
        if words.get(end) == Some(&"pv") {
            let mut position = *session.board().position();
            for text in &words[end + 1..] {
                let mv = parse_uci(&position, text)
                    .map_err(|error| format!("pv move {text:?}: {error}: {line:?}"))?;
                position.play(mv);
            }
        }
    }
    Ok(())
}

fn best_is_of_line(session: &mut Session) -> Result {
    for search in sample(session)? {
        let last = search.last()?;
        if last.pv.first() != search.best.first() {
            return Err(format!("bestmove {} after pv {:?}", search.best[0], last.pv).into());
        }
        if search.best.get(1).is_some_and(|word| word == "ponder")
            && last.pv.len() > 1
            && last.pv.get(1) != search.best.get(2)
        {
            return Err(format!("bestmove {:?} after pv {:?}", search.best, last.pv).into());
        }
    }
    Ok(())
}

fn mate_in_one(session: &mut Session) -> Result {
    session.position(MATE_IN_ONE)?;
    let search = session.plays("depth 4")?;
    match (search.best[0].as_str(), search.last()?.score) {
        ("a1a8", Some(EngineScore::Mate(1))) => Ok(()),
        (best, score) => Err(format!("bestmove {best}, score {score:?}").into()),
    }
}

fn go_mate(session: &mut Session) -> Result {
    session.position("fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")?;
    let search = session.go("mate 3", session.patience.max(Duration::from_secs(10)))?;
    match search.last()?.score {
        Some(EngineScore::Mate(1..=3)) => session.legal(&search).map(drop),
        score => Err(format!("score {score:?}").into()),
    }
}

fn no_move(session: &mut Session) -> Result {
    for position in [MATED, STALEMATED] {
        session.position(position)?;
        let search = session.go("depth 3", session.patience)?;
        match search.best.first().map(String::as_str) {
            None | Some("(none)" | "0000" | "NULL") => {}
            Some(text) => return Err(format!("bestmove {text} where there is none").into()),
        }
    }
    Ok(())
}

fn drawn_positions(session: &mut Session) -> Result {
    for position in [
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        "fen 4kr2/8/8/8/8/8/8/3RK3 b - - 100 80",
    ] {
        session.position(position)?;
        session.plays("depth 4")?;
    }
    Ok(())
}

fn odd_positions(session: &mut Session) -> Result {
    for position in [
        "fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - moves f3g2",
        "fen r4rk1/pppnbppp/8/3P4/2PP2b1/P3KN2/1P2B1PP/RN5R w - - 1 1 moves",
        "startpos moves",
        "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    ] {
        session.position(position)?;
        session.plays("depth 3")?;
    }
    Ok(())
}

fn odd_moves(session: &mut Session) -> Result {
    session.position("startpos moves E2E4 e7e5")?;
    session.plays("depth 2")?;
    session.position("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8")?;
    session.plays("depth 2").map(drop)
}

fn multi_pv(session: &mut Session) -> Result {
    session.need("MultiPV")?;
    session.set("MultiPV", "3");
    session.position(START)?;
    let search = session.plays("depth 4")?;
    let deepest = search.scored().iter().filter_map(|info| info.depth).max();
    let last: Vec<_> =
        search.scored().into_iter().filter(|info| info.depth == deepest && !info.bound).collect();
    let firsts: HashSet<_> = last.iter().filter_map(|info| info.pv.first().cloned()).collect();
    let numbers: HashSet<_> = last.iter().filter_map(|info| info.multi_pv).collect();
    match (firsts.len(), numbers.len()) {
        (3, 3) => Ok(()),
        (moves, lines) => Err(format!("{lines} lines with {moves} first moves").into()),
    }
}

fn chess960(session: &mut Session) -> Result {
    session.need("UCI_Chess960")?;
    session.set("UCI_Chess960", "true");
    session
        .position("fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1 e8b8")?;
    session.plays("depth 3")?;
    session.position("fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1")?;
    let castling = session.board().position().legal_moves();
    let castling = castling.iter().find(|mv| mv.is_castling());
    let Some(&castling) = castling else { return Err("no castling in the test position".into()) };
    let search = session.plays(&format!("depth 3 searchmoves {}", to_uci(castling, true)))?;
    match search.best[0].as_str() {
        "e1h1" => Ok(()),
        other => Err(format!("castling is written {other}").into()),
    }
}

fn show_wdl(session: &mut Session) -> Result {
    session.need("UCI_ShowWDL")?;
    session.set("UCI_ShowWDL", "true");
    session.position(START)?;
    let search = session.plays("depth 4")?;
    let line = search.infos.iter().rev().find(|line| line.contains(" score "));
    let Some(line) = line else { return Err("no line with a score".into()) };
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let place = words.iter().position(|&word| word == "wdl");
    let sum = place.map(|place| {
        let numbers = words.iter().skip(place + 1).take(3);
        numbers.filter_map(|text| text.parse::<u32>().ok()).sum::<u32>()
    });
    match sum {
        Some(1000) => Ok(()),
        other => Err(format!("sum {other:?} in {line:?}").into()),
    }
}

fn repeatable(session: &mut Session) -> Result {
    let mut seen = Vec::new();
    for _ in 0..2 {
        session.send("ucinewgame");
        session.ready()?;
        session.position(MIDDLE)?;
        let search = session.plays("depth 7")?;
        seen.push((search.best[0].clone(), search.last()?.nodes));
    }
    match seen[0] == seen[1] {
        true => Ok(()),
        false => Err(format!("{:?} and {:?}", seen[0], seen[1]).into()),
    }
}

fn one_answer(session: &mut Session) -> Result {
    for limits in ["depth 3", "nodes 500", "movetime 30"] {
        session.position(START)?;
        session.plays(limits)?;
        session.quiet("bestmove")?;
    }
    Ok(())
}
