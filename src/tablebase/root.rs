//! Which moves keep the result at the root, and which of them come nearer to it.

use super::{Tablebase, Wdl};
use crate::board::Position;
use crate::types::Move;

/// The rank of a winning move that leaves time enough to win in any way.
pub const WIN_RANK: i32 = 1_000_000;

/// The halfmove clock at which the game is drawn.
const FIFTY_MOVES: i32 = 100;

/// A root move with what the tables say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The result after it for the side that plays it, the fifty-move count of the position
    /// included.
    pub wdl: Wdl,
    /// Its order: only moves of the highest rank should be considered. Moves that win within the
    /// fifty-move rule share [`WIN_RANK`], a mate on the spot stands above.
    pub rank: i32,
}

/// A move with its distance to the next zeroing move, counted from before the move.
struct Distance {
    mv: Move,
    dtz: i32,
    mates: bool,
}

impl Tablebase {
    /// Ranks the given legal moves of a position, best first; `None` unless the tables know all of
    /// them.
    ///
    /// `repeated` says that the position, or one since the last capture or pawn move, stood on the
    /// board before: then only the shortest way counts, so that the game makes progress. Without
    /// `fifty_move_rule`, cursed wins are wins.
    pub fn rank_root(
        &self,
        position: &Position,
        moves: &[Move],
        fifty_move_rule: bool,
        repeated: bool,
    ) -> Option<Vec<RootMove>> {
        if !self.covers(position) {
            return None;
        }
        let distances: Option<Vec<Distance>> =
            moves.iter().map(|&mv| self.distance(position, mv, fifty_move_rule)).collect();
        let mut ranked: Vec<RootMove> = match distances {
            Some(distances) => {
                let clock = position.halfmove_clock() as i32;
                distances.iter().map(|it| rank(it, clock, fifty_move_rule, repeated)).collect()
            }
            None => self.rank_by_result(position, moves, fifty_move_rule)?,
        };
        ranked.sort_by_key(|it| -it.rank);
        Some(ranked)
    }

    fn distance(&self, position: &Position, mv: Move, fifty_move_rule: bool) -> Option<Distance> {
        let after = position.after(mv);
        if after.is_checkmate() {
            return Some(Distance { mv, dtz: 1, mates: true });
        }
        let clock = after.halfmove_clock() as i32;
        let dtz = if clock == 0 {
            before_zeroing(self.probe_wdl(&after)?.reversed())
        } else if fifty_move_rule && clock >= FIFTY_MOVES {
            0
        } else {
            let dtz = -self.probe_dtz(&after)?;
            dtz + dtz.signum()
        };
        Some(Distance { mv, dtz, mates: false })
    }

    /// The order without distances, for folders that hold only half of the files.
    fn rank_by_result(
        &self,
        position: &Position,
        moves: &[Move],
        fifty_move_rule: bool,
    ) -> Option<Vec<RootMove>> {
        moves
            .iter()
            .map(|&mv| {
                let after = position.after(mv);
                let mates = after.is_checkmate();
                let wdl = if mates { Wdl::Win } else { self.probe_wdl(&after)?.reversed() };
                let rank = wdl.sign(fifty_move_rule) * WIN_RANK + wdl as i32 + mates as i32;
                Some(RootMove { mv, wdl, rank })
            })
            .collect()
    }
}

/// The distance of a position whose best move is a zeroing one.
fn before_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::CursedWin => 1 + FIFTY_MOVES,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -1 - FIFTY_MOVES,
        Wdl::Loss => -1,
    }
}

fn rank(of: &Distance, clock: i32, fifty_move_rule: bool, repeated: bool) -> RootMove {
    let Distance { mv, dtz, mates } = *of;
    let total = dtz.abs() + clock;
    let in_time = total <= FIFTY_MOVES;
    let wdl = match dtz.signum() {
        1 if in_time || mates => Wdl::Win,
        1 => Wdl::CursedWin,
        0 => Wdl::Draw,
        _ if in_time => Wdl::Loss,
        _ => Wdl::BlessedLoss,
    };
    let rank = match dtz.signum() {
        1 if mates => WIN_RANK + 1,
        // Distances may be one ply short, so the last ply is kept in hand.
        1 if total < FIFTY_MOVES && !repeated => WIN_RANK,
        1 if fifty_move_rule && !in_time => FIFTY_MOVES * 10 - total.min(FIFTY_MOVES * 9),
        1 => WIN_RANK - total,
        0 => 0,
        // A lost side that has time tries what the search thinks hardest.
        _ if 2 * dtz.abs() + clock < FIFTY_MOVES => -WIN_RANK,
        _ if fifty_move_rule && !in_time => total.min(FIFTY_MOVES * 9) - FIFTY_MOVES * 10,
        _ => total - WIN_RANK,
    };
    RootMove { mv, wdl, rank }
}
