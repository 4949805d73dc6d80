//! The positions of a game in order, and what their sequence says about draws.

use crate::board::Position;
use crate::types::{Color, Move};

use super::mating::{Possible, Solver};
use super::{DrawRule, Reason, Ruleset, Score};

/// The positions of a game, the start position first.
#[derive(Clone, PartialEq, Debug)]
pub struct History {
    positions: Vec<Position>,
    keys: Vec<u64>,
}

/// What the player to move may claim [9.2, 9.3].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// The same position for the third time, or as often as the rules say.
    pub threefold: bool,
    /// Fifty moves by each player without capture or pawn move, or as many as the rules say.
    pub fifty_moves: bool,
}

impl Claims {
    /// Whether anything may be claimed.
    pub fn any(self) -> bool {
        self.threefold || self.fifty_moves
    }

    fn new(rules: &Ruleset, count: u32, plies: u32) -> Claims {
        let reached = |rule: DrawRule, value| rule.claim.is_some_and(|least| value >= least);
        Claims {
            threefold: reached(rules.repetition, count),
            fifty_moves: reached(rules.no_progress, plies),
        }
    }
}

impl History {
    /// A game that has not begun.
    pub fn new(start: Position) -> History {
        History { positions: vec![start], keys: vec![start.key()] }
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The position after this many plies.
    pub fn after_plies(&self, plies: usize) -> Option<&Position> {
        self.positions.get(plies)
    }

    /// How many plies have been played.
    pub fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.push(self.position().after(mv));
    }

    /// Goes on with a position that no legal move leads to.
    pub(super) fn push(&mut self, position: Position) {
        self.positions.push(position);
        self.keys.push(position.key());
    }

    /// Goes back to the position after this many plies.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.positions.truncate(plies + 1);
        self.keys.truncate(plies + 1);
    }

    fn count_key(&self, key: u64) -> u32 {
        self.keys.iter().filter(|&&earlier| earlier == key).count() as u32
    }

    /// How often the present position has stood on the board, this time included: the same men,
    /// side to move, castling rights and legal en passant captures [9.2.3].
    pub fn occurrences(&self) -> u32 {
        self.count_key(self.position().key())
    }

    /// How often the position after this legal move will have stood.
    pub fn occurrences_after(&self, mv: Move) -> u32 {
        self.count_key(self.position().after(mv).key()) + 1
    }

    /// What the player to move may claim for the position on the board.
    pub fn claims(&self, rules: &Ruleset) -> Claims {
        Claims::new(rules, self.occurrences(), self.position().halfmove_clock())
    }

    /// What the player to move may claim with this legal move, written down and not yet made.
    pub fn claims_with(&self, mv: Move, rules: &Ruleset) -> Claims {
        let next = self.position().after(mv);
        Claims::new(rules, self.count_key(next.key()) + 1, next.halfmove_clock())
    }

    /// Whether the position on the board ends the game by itself, and how. Mate and stalemate stand
    /// before dead position, that before moves without progress, these before repetition.
    pub fn automatic_end(&self, rules: &Ruleset, solver: &Solver) -> Option<(Score, Reason)> {
        self.end_if(rules, || solver.is_dead(self.position()) == Possible::Yes)
    }

    /// The same with somebody else's word on whether the position is dead.
    pub(super) fn end_if(
        &self,
        rules: &Ruleset,
        is_dead: impl FnOnce() -> bool,
    ) -> Option<(Score, Reason)> {
        let position = self.position();
        if !position.has_legal_move() {
            return Some(match position.in_check() {
                true => (Score::win(!position.side_to_move()), Reason::Checkmate),
                false => (Score::DRAW, Reason::Stalemate),
            });
        }
        let reached = |rule: DrawRule, value| rule.automatic.is_some_and(|least| value >= least);
        let (plies, count) = (position.halfmove_clock(), self.occurrences());
        let reason = if rules.dead_position_ends && is_dead() {
            Reason::DeadPosition
        } else if reached(rules.no_progress, plies) {
            Reason::NoProgress { plies }
        } else if reached(rules.repetition, count) {
            Reason::Repetition { count }
        } else {
            return None;
        };
        Some((Score::DRAW, reason))
    }

    /// The side that has the move [1.3].
    pub fn on_move(&self) -> Color {
        self.position().side_to_move()
    }
}
