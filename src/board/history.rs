//! A position with its past: making and taking back moves, and repetition.

use std::ops::Deref;

use super::keys::KEYS;
use super::position::{NoObserver, Observer};
use super::{FenError, Position, cuckoo};
use crate::attacks::between;
use crate::types::Move;

/// A position and how it came about. Reads like a [`Position`].
#[derive(Clone, Debug)]
pub struct Board {
    position: Position,
    past: Vec<Past>,
    /// The keys of the past positions, apart from them because repetition reads many of these.
    keys: Vec<u64>,
    /// Plies that can be looked back for repetitions: since the last capture, pawn move or null.
    reversible: usize,
}

#[derive(Clone, Copy, Debug)]
struct Past {
    position: Position,
    reversible: usize,
}

impl Deref for Board {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}

impl From<Position> for Board {
    fn from(position: Position) -> Board {
        Board::new(position)
    }
}

impl Board {
    /// A board whose past begins here.
    pub fn new(position: Position) -> Board {
        Board { position, past: Vec::new(), keys: Vec::new(), reversible: 0 }
    }

    /// The ordinary first position.
    pub fn startpos() -> Board {
        Board::new(Position::startpos())
    }

    /// A board whose past begins at the position of a FEN; see [`Position::from_fen`].
    ///
    /// # Errors
    /// As for [`Position::from_fen`].
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        Position::from_fen(text).map(Board::new)
    }

    /// The present position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Makes room for this many further moves, so that making them allocates nothing.
    pub fn reserve(&mut self, plies: usize) {
        self.past.reserve(plies);
        self.keys.reserve(plies);
    }

    /// How many moves, null moves included, have been made and not taken back.
    #[inline]
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    #[inline]
    fn remember(&mut self) {
        self.past.push(Past { position: self.position, reversible: self.reversible });
        self.keys.push(self.position.key());
    }

    /// Makes a legal move and tells the observer what changes.
    #[inline]
    pub fn make_move(&mut self, mv: Move, observer: &mut impl Observer) {
        self.remember();
        self.position.play_observed(mv, observer);
        self.reversible = if self.position.halfmove_clock() == 0 { 0 } else { self.reversible + 1 };
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.make_move(mv, &mut NoObserver);
    }

    /// Passes. The side to move must not be in check.
    pub fn make_null(&mut self) {
        self.remember();
        self.position.pass();
        self.reversible = 0;
    }

    /// Takes the last move back. Without one it does nothing.
    #[inline]
    pub fn unmake(&mut self) {
        if let Some(past) = self.past.pop() {
            self.position = past.position;
            self.reversible = past.reversible;
            self.keys.pop();
        }
    }

    /// How often the present position has stood on the board before.
    pub fn repetitions(&self) -> usize {
        self.earlier(0).count()
    }

    /// Whether a position has stood on the board twice since the last capture or pawn move.
    pub fn has_repeated(&self) -> bool {
        (0..=self.reversible.min(self.keys.len())).any(|back| self.earlier(back).next().is_some())
    }

    /// Whether the present position draws by repetition as a search sees it, `ply` plies from its
    /// root: one earlier occurrence inside the tree is enough, or two in the game.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut earlier = self.earlier(0);
        match earlier.next() {
            None => false,
            Some(distance) => distance < ply || earlier.next().is_some(),
        }
    }

    /// The distances, in plies, back from the position `back` plies ago to its equals.
    #[inline]
    fn earlier(&self, back: usize) -> impl Iterator<Item = usize> {
        let now = self.keys.len() - back;
        let key = if back == 0 { self.position.key() } else { self.keys[now] };
        let reach = if back == 0 { self.reversible } else { self.past[now].reversible };
        (4..=reach.min(now)).step_by(2).filter(move |&distance| self.keys[now - distance] == key)
    }

    /// Whether the side to move has a move that repeats a position: one of this search, which is
    /// `ply` plies deep, or one that stood on the board twice before its root.
    ///
    /// Cuckoo look-up of the key differences of single reversible moves (M. Kannan, "Algorithm for
    /// detecting upcoming repetitions", 2013).
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let now = self.keys.len();
        let reach = self.reversible.min(now);
        if reach < 3 {
            return false;
        }
        let key = self.position.key();
        // Zero when the opponent's men stand as they did then, so one own move makes the difference.
        let mut opponent = key ^ self.keys[now - 1] ^ KEYS.side;
        for distance in (3..=reach).step_by(2) {
            opponent ^= self.keys[now - distance + 1] ^ self.keys[now - distance] ^ KEYS.side;
            if opponent != 0 {
                continue;
            }
            let difference = key ^ self.keys[now - distance];
            let Some((from, to)) = cuckoo::reversible_move(difference) else { continue };
            if (between(from, to) & self.position.occupied()).any() {
                continue;
            }
            if distance < ply || self.earlier(distance).next().is_some() {
                return true;
            }
        }
        false
    }
}
