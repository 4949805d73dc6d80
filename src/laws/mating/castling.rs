//! Castling rights that the solver's crate does not know (Chess960).
//!
//! Dropping a right takes moves away and adds none, so a mate found without it stands. A "no"
//! found without it says that every series without such a castling move is fruitless; what is
//! left to look at are the positions right after one.

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use super::{Answer, Doubt, Grounds, Proof, Solver, Verdict, convert};
use crate::board::Position;
use crate::types::{Color, Move};

/// How many positions with such a right are looked at before the answer is "undecided".
const MAX_POSITIONS: usize = 50_000;

/// A position on the way, and how it was reached: the index of the one before it and the move.
struct Node {
    position: Position,
    from: Option<(usize, Move)>,
}

/// Whether some series with a castling move that the crate does not know mates.
///
/// To be asked when every series without one is known to be fruitless.
pub(super) fn search(
    solver: &Solver,
    start: &Position,
    winner: Color,
    deadline: Instant,
) -> Verdict {
    let mut nodes = vec![Node { position: *start, from: None }];
    let mut seen = HashSet::from([start.key()]);
    let mut queue = VecDeque::from([0]);
    let mut doubtful = false;
    while let Some(index) = queue.pop_front() {
        if Instant::now() >= deadline {
            return verdict(Answer::Undecided(Doubt::Budget), &nodes);
        }
        let position = nodes[index].position;
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if mv.is_castling() && is_foreign(&position, mv) {
                match solver.decide(&next, winner, deadline).answer {
                    Answer::No(_) => {}
                    Answer::Undecided(_) => doubtful = true,
                    Answer::Yes(proof) => {
                        let Some(tail) = solver.line_of(&next, winner, proof, deadline) else {
                            return verdict(Answer::Undecided(Doubt::LineRefuted), &nodes);
                        };
                        let mut line = path(&nodes, index);
                        line.push(mv);
                        line.extend(tail);
                        return verdict(Answer::Yes(Proof::Line(line)), &nodes);
                    }
                }
            } else if convert::has_foreign_right(&next) && seen.insert(next.key()) {
                if nodes.len() == MAX_POSITIONS {
                    return verdict(Answer::Undecided(Doubt::CastlingRights), &nodes);
                }
                queue.push_back(nodes.len());
                nodes.push(Node { position: next, from: Some((index, mv)) });
            }
        }
    }
    let answer = match doubtful {
        true => Answer::Undecided(Doubt::CastlingRights),
        false => Answer::No(Grounds::Search),
    };
    verdict(answer, &nodes)
}

fn verdict(answer: Answer, nodes: &[Node]) -> Verdict {
    Verdict { answer, nodes: Some(nodes.len() as u64) }
}

fn path(nodes: &[Node], mut index: usize) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some((before, mv)) = nodes[index].from {
        line.push(mv);
        index = before;
    }
    line.reverse();
    line
}

fn is_foreign(position: &Position, mv: Move) -> bool {
    let side = crate::laws::written::castling_side(mv);
    !convert::is_standard_right(position, position.side_to_move(), side)
}
