//! Makes the line of an announced mate whole: what a line lacks behind a cut-off is found again by
//! a small search for forced mates.

use super::table::Table;
use crate::board::Board;
use crate::types::score::MATE;
use crate::types::{Move, MoveList, Score};

/// Positions that completing one line may visit.
const BUDGET: u32 = 20_000;

/// The longest missing end that is looked for, in plies.
const LONGEST: usize = 9;

/// Makes `pv` as long as its mate score says. False if that cannot be done: the line is then left
/// as it was, or does not end in mate.
pub(super) fn complete(root: &Board, table: &Table, score: Score, pv: &mut Vec<Move>) -> bool {
    let plies = (MATE - score.abs()) as usize;
    let mut board = root.clone();
    for &mv in pv.iter() {
        board.play(mv);
    }
    let Some(missing) = plies.checked_sub(pv.len()) else { return false };
    if missing == 0 {
        return board.is_checkmate();
    }
    if missing > LONGEST {
        return false;
    }
    let mut finder = Finder { table, visits: 0 };
    let end = match missing % 2 {
        1 => finder.mates_in(&mut board, missing),
        _ => finder.mated_in(&mut board, missing),
    };
    match end {
        Some(end) if end.len() == missing => {
            pv.extend(end.into_iter().rev());
            true
        }
        _ => false,
    }
}

struct Finder<'a> {
    table: &'a Table,
    visits: u32,
}

impl Finder<'_> {
    /// The side to move mates by force in at most `plies`, an odd number: the line, last move
    /// first.
    fn mates_in(&mut self, board: &mut Board, plies: usize) -> Option<Vec<Move>> {
        let moves = self.ordered(board);
        (1..=plies).step_by(2).find_map(|limit| {
            moves.iter().find_map(|&mv| {
                board.play(mv);
                // Without a check the last move cannot mate.
                let line = match limit == 1 && !board.in_check() {
                    true => None,
                    false => self.mated_in(board, limit - 1),
                };
                board.unmake();
                line.map(|line| [line, vec![mv]].concat())
            })
        })
    }

    /// The side to move is mated by force in at most `plies`, an even number: the line of longest
    /// resistance, last move first.
    fn mated_in(&mut self, board: &mut Board, plies: usize) -> Option<Vec<Move>> {
        self.visits += 1;
        if self.visits > BUDGET {
            return None;
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            return board.in_check().then(Vec::new);
        }
        if plies == 0 || board.halfmove_clock() >= 100 || board.repetitions() > 0 {
            return None;
        }
        let mut longest: Option<Vec<Move>> = None;
        for mv in moves {
            board.play(mv);
            let line = self.mates_in(board, plies - 1);
            board.unmake();
            let line = [line?, vec![mv]].concat();
            if longest.as_ref().is_none_or(|longest| longest.len() < line.len()) {
                longest = Some(line);
            }
        }
        longest
    }

    /// The legal moves, the table's first.
    fn ordered(&self, board: &Board) -> MoveList {
        let mut moves = board.legal_moves();
        let best = self.table.probe(board.key(), 0, board.halfmove_clock()).and_then(|e| e.mv);
        if let Some(index) = moves.iter().position(|&mv| Some(mv) == best) {
            moves.swap(0, index);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::to_uci;
    use crate::types::score::{mate_in, mated_in};

    fn completed(fen: &str, score: Score) -> Option<Vec<String>> {
        let board = Board::from_fen(fen).unwrap();
        let mut pv = Vec::new();
        let whole = complete(&board, &Table::new(1).unwrap(), score, &mut pv);
        whole.then(|| pv.into_iter().map(|mv| to_uci(mv, false)).collect())
    }

    #[test]
    fn a_missing_end_is_found() {
        let two = "r5rk/pp1np1bn/2pp2q1/3P1bN1/2P1N2Q/1P6/PB2PPBP/3R1RK1 w - - 0 1";
        assert_eq!(completed(two, mate_in(3)).unwrap(), ["h4h7", "g6h7", "g5f7"]);
        assert_eq!(completed(two, mate_in(1)), None);
        let mated = "8/3p4/2pP4/4P3/1k6/1R2N2p/2PP3K/3R4 b - - 0 1";
        assert_eq!(completed(mated, mated_in(2)).unwrap().len(), 2);
        assert_eq!(completed("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", mate_in(3)), None);
    }
}
