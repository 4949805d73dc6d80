//! Syzygy endgame tables: who wins with perfect play, and how far the next capture or pawn move is.

mod convert;
mod folder;
mod root;

use std::fmt;

use once_cell::sync::OnceCell;
use shakmaty::Chess;
use shakmaty_syzygy::SyzygyError;

pub(crate) use convert::to_shakmaty;
pub use folder::{Opened, Warning};
pub use root::{RootMove, WIN_RANK};

use crate::board::Position;

/// The result of a position with perfect play for the side to move.
///
/// A cursed win and a blessed loss are draws under the fifty-move rule only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Wdl {
    Loss,
    BlessedLoss,
    Draw,
    CursedWin,
    Win,
}

impl Wdl {
    /// 1 for a win, -1 for a loss, 0 for a draw. With `fifty_move_rule`, cursed wins and blessed
    /// losses are draws.
    pub const fn sign(self, fifty_move_rule: bool) -> i32 {
        match self {
            Wdl::Win => 1,
            Wdl::CursedWin => !fifty_move_rule as i32,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -(!fifty_move_rule as i32),
            Wdl::Loss => -1,
        }
    }

    /// The result as the other side sees it.
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Draw => Wdl::Draw,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Loss => Wdl::Win,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Wdl {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// The tables of one or more folders. Files are opened when they are first asked.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    fault: OnceCell<String>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("max_men", &self.max_men()).finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The most men, kings included, of any table here; 0 without tables.
    pub fn max_men(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Whether a table can know the position: few enough men and no castling right.
    #[inline]
    pub fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_men() && position.castling().is_empty()
    }

    /// The result of the position as if its fifty-move count stood at zero; `None` if no table
    /// knows it.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.covers(position) {
            return None;
        }
        let chess = to_shakmaty(position)?;
        self.known(self.tables.probe_wdl_after_zeroing(&chess)).map(Wdl::from)
    }

    /// How many plies the next capture, pawn move or mate is away with perfect play: positive for a
    /// win, negative for a loss, 0 for a draw. Beyond ±100 the fifty-move rule makes it a draw. May
    /// be one ply short where a table counts in moves.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        if !self.covers(position) {
            return None;
        }
        let chess = to_shakmaty(position)?;
        self.known(self.tables.probe_dtz(&chess)).map(|dtz| dtz.ignore_rounding().0)
    }

    /// What was wrong with the first file that could not be read when it was asked, if any.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Drops an error, but remembers the first that means a broken file.
    fn known<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(error @ SyzygyError::ProbeFailed { .. }) = &answer {
            self.fault.get_or_init(|| error.to_string());
        }
        answer.ok()
    }
}
