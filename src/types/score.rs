//! Scores and depths of the search: plain integers with helpers.

/// A score in centipawns from the view of the side to move; beyond ±[`TABLEBASE_BOUND`] it counts
/// plies to a certain result.
pub type Score = i32;

/// A search depth in plies.
pub type Depth = i32;

/// The longest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 246;

/// A drawn position.
pub const DRAW: Score = 0;

/// More than any score.
pub const INFINITE: Score = 32_001;

/// "No score": outside of every window.
pub const NO_SCORE: Score = 32_002;

/// The score of giving mate now.
pub const MATE: Score = 32_000;

/// Scores from here up announce a mate.
pub const MATE_BOUND: Score = MATE - MAX_PLY as Score;

/// The score of a tablebase win at the root.
pub const TABLEBASE_WIN: Score = MATE_BOUND - 1;

/// Scores from here up announce a tablebase win or a mate; evaluations stay below.
pub const TABLEBASE_BOUND: Score = TABLEBASE_WIN - MAX_PLY as Score;

/// The score of a mate that is given in `plies` from the root.
#[inline]
pub const fn mate_in(plies: usize) -> Score {
    MATE - plies as Score
}

/// The score of being mated in `plies` from the root.
#[inline]
pub const fn mated_in(plies: usize) -> Score {
    plies as Score - MATE
}

/// Whether the score announces a mate, for either side.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND && score.abs() <= MATE
}

/// Whether the score announces a mate or a tablebase result, for either side.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= TABLEBASE_BOUND && score.abs() <= MATE
}

/// The mate a score announces, in full moves as UCI counts them: positive to give it, negative to
/// suffer it, 0 when the side to move is mated already.
#[inline]
pub const fn mate_moves(score: Score) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some((MATE - score + 1) / 2)
    } else {
        Some(-((MATE + score) / 2))
    }
}
