//! The bench: a fixed search over varied positions. Its node count is the signature of the search,
//! its speed the yardstick of a machine.

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::search::{Control, Limits, Options, Searcher};
use crate::types::Depth;

/// The depth of a bench when none is asked for, in plies.
pub const DEFAULT_DEPTH: Depth = 11;

/// What a bench counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes of all searches; the same on every run and every machine.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = u128::from(self.nodes) * 1000 / self.time.as_millis().max(1);
        write!(f, "{} nodes {rate} nps", self.nodes)
    }
}

/// Searches every position to this depth with one thread, a small table that is cleared in between,
/// and default options. `progress` gets number, FEN and nodes of each; `None` after a stop,
/// or without memory for the table.
///
/// # Panics
/// If a position of the list cannot be read, which the tests rule out.
pub fn run(
    depth: Depth,
    control: &Control,
    progress: &dyn Fn(usize, &'static str, u64),
) -> Option<Summary> {
    let mut searcher = Searcher::new(super::DEFAULT_HASH_MB).ok()?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let options = Options::default();
    let mut summary = Summary { nodes: 0, time: Duration::ZERO };
    for (index, &fen) in POSITIONS.iter().enumerate() {
        let board = Board::from_fen(fen).expect("the positions of the bench are valid");
        searcher.clear();
        let start = Instant::now();
        let outcome = searcher.search(&board, &limits, &options, control, &|_| {});
        if control.is_stopped() {
            return None;
        }
        summary.time += start.elapsed();
        let nodes = outcome.info.nodes;
        summary.nodes += nodes;
        progress(index + 1, fen, nodes);
    }
    Some(summary)
}

/// Openings, middlegames and endings from games of an engine against itself, of ordinary chess and
/// of Chess960, and a few for the sake of one rule: promotion, mate, the fifty moves.
const POSITIONS: [&str; 50] = [
    "r2qkbnr/p1pppppp/bpn5/8/8/2N2NP1/PPPPPP1P/R1BQKB1R w KQkq - 2 4",
    "rnbqk2r/pppp2bp/4p1p1/4np2/1PP5/P2P2PP/1B2PP2/RN1QKBNR w KQkq - 2 8",
    "r1bqk2r/1p2bp2/p1nppnpp/8/P1P3P1/5N1P/1B1PPPB1/RN1QK2R w KQkq - 0 11",
    "r2qkb1r/1b2nppp/p7/Pp1N4/2p2N1P/3P1n2/1PP2QP1/R1B1KB1R w KQkq - 0 14",
    "rn2k2r/bppbqppp/3p1n2/p2Pp1B1/2P1P1P1/P1NB1N1P/1P2QP2/R3K2R w KQkq - 1 16",
    "r1bq1rk1/2p2pb1/p1p4p/P3p1p1/2B1Pn2/2P2N1P/1PQ2PP1/R1B1K2R w KQ - 1 19",
    "2rqk2r/p2bbppp/3p4/n2Pp3/1p2P3/4RN1P/PB1PBPP1/1Q1R2K1 w - - 1 22",
    "4rr2/p2p2k1/1pbp3p/2q1pnp1/2P5/1P4N1/PB1Q1PPP/R3R1K1 w - - 3 25",
    "6k1/4r2p/3r2p1/p7/1n3N2/P2p1NPP/1P3P2/5RK1 w - - 0 28",
    "3k4/1b6/r4b2/p1B5/Pn1NR3/3P1p2/2PK1P2/8 w - - 2 31",
    "1k2qr2/1bp5/pp1p3r/4ppN1/P1Q2PP1/1PN1P3/K1PP4/6R1 w - - 1 34",
    "r1b1kbnr/pp1ppppp/n7/q1p5/8/1PP2P2/P2PP1PP/RNBQKBNR w KQkq - 1 4",
    "rn1qkb1r/pbp2ppp/1p1ppn2/8/2P5/1PN1PN2/P1BP1PPP/R1BQK2R w KQkq - 2 8",
    "r1bqkb1r/ppp2pp1/2np3p/4n1P1/4P2P/2N2N2/PPP2P2/R1BQKB1R w KQkq - 2 11",
    "r3kb1r/pnpqnpp1/1p2p2p/1P6/5P2/2N5/PBPPQNPP/R3K2R w KQkq - 2 14",
    "r1b1kbr1/pppp4/2n5/4pp2/8/2PPP2P/PP2K1N1/RNB2B2 w q - 0 16",
    "4rrk1/p1q2pp1/b1p1pbnp/2p1N3/2P2P2/3P1BP1/PP1BQ2P/R3K2R w KQ - 5 19",
    "r2q2n1/4b3/bpp1p1kr/p2pPp2/P1PPP1pp/1P6/1B1NBQPP/R3K2R w KQ - 2 22",
    "r3k1r1/1p3p2/1qn2b2/2pR4/p1B1PBp1/P2p2P1/1PP5/R2QK3 w Qq - 2 25",
    "6k1/5p1p/N4p1n/1p5r/7n/1P4PP/5P2/5RK1 w - - 0 28",
    "5rk1/1p3pp1/4bb1p/1N6/P1q1P3/5PP1/3Q2KP/2B4R w - - 0 31",
    "r1b5/6pp/2p1nk2/1p1p1p1P/p1nP4/P1P2PPN/1PN5/2K2B1R w - - 1 34",
    "1nk5/4p3/3p1b1p/1BpN1K2/2P4r/8/8/5R2 w - - 0 46",
    "6R1/7p/8/1k6/7r/2p5/2K5/8 w - - 0 51",
    "8/4k1p1/1B2p2p/4P2P/6P1/4pK2/8/3n4 w - - 4 56",
    "8/5k2/8/1N1R1p2/p4P2/1n1P4/r7/5K2 w - - 2 61",
    "5r2/8/p5k1/3R3p/7K/3N4/8/8 w - - 2 66",
    "2k5/Q4b2/p6p/4p3/1Pp3PP/8/5B1K/3q4 w - - 0 46",
    "3B1k2/5p2/2p1P3/8/1b1p4/8/4RKP1/1r6 w - - 0 51",
    "6k1/3R4/6p1/5pN1/7P/5PK1/7P/r1b5 w - - 24 56",
    "8/3p4/3Pr3/7p/5k1N/1n1n4/R5KP/8 w - - 26 61",
    "1r6/8/2K4n/1p4k1/1P2B3/3P4/7p/5R2 w - - 2 66",
    "rbn1kqbr/pppppp1p/4n3/6p1/P7/3P4/1PP1PPPP/RBNNKQBR w HAha - 0 3",
    "rkqbbnrn/ppp5/4p3/2Pp2pp/P2P1p2/1P2P2P/1K3PP1/R1QBBNRN w ga - 0 9",
    "nrn1q2r/p3bbk1/5p2/1pB1p1p1/4P1Pp/1PP2P1P/P1N5/1RNBQK1R w HB - 1 15",
    "5r2/p1npqpk1/5np1/1r2N2p/2N2P2/1P4P1/3PP2P/1RRK3Q w - - 1 21",
    "2r5/1r4k1/3n2p1/p1p5/5RN1/P6P/1PP3PK/7B w - - 1 31",
    "nrbbqk1r/ppppp1pp/7n/5p2/P6P/8/1PPPPPP1/NRBBQKNR w HBhb - 0 3",
    "bqrk2r1/3p1pp1/p3pnnp/1pb5/2P5/P2N1PP1/3PP2P/BQRK1BRN w GCgc - 0 9",
    "1br1bkr1/pB3p2/1n5p/2p3p1/4Q1PP/2P5/qP1PP3/N1RKB1R1 w GC - 2 15",
    "1r2k2r/p3bppq/1pp1n3/4Np2/b1pP2Pp/1N4nP/1P3Q2/1KR1BBR1 w - - 2 21",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/RQKNBBNR w HAfc - 0 1",
    "8/8/8/3k4/8/3KP3/8/8 w - - 0 1",
    "8/8/8/8/2r5/3k4/8/3KB3 w - - 12 70",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    "8/4P1k1/8/8/8/5p2/1p3K2/4R3 b - - 0 60",
    "6k1/8/8/8/4B3/8/2N5/4K3 w - - 10 90",
    "7k/5Q2/8/8/8/8/6PP/7K w - - 0 1",
    "3q1rk1/p4pp1/2p4p/1p2P3/1P1P4/P4Q1P/6P1/4R1K1 w - - 90 60",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_valid_and_varied() {
        let boards = POSITIONS.map(|fen| Board::from_fen(fen).unwrap());
        assert!(boards.iter().all(|board| board.has_legal_move()));
        let count = |wanted: &dyn Fn(&Board) -> bool| boards.iter().filter(|b| wanted(b)).count();
        assert!(count(&|board| board.needs_chess960()) >= 3);
        assert!(count(&|board| board.occupied().count() <= 12) >= 10);
    }
}
