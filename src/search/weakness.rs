//! Playing below full strength by misjudging positions and looking less far, as people do, rather
//! than by choosing bad moves at random.

use crate::board::Position;
use crate::types::{Color, Depth, Piece, PieceKind, Score, Square};

/// How strongly to play, and which game's misjudgements to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weakness {
    /// The strength wanted, on the scale of `UCI_Elo`.
    pub elo: u32,
    /// Equal seeds misjudge equally: one game, one seed.
    pub seed: u64,
}

impl Weakness {
    /// The least strength on the scale.
    pub const MIN_ELO: u32 = 800;
    /// The greatest strength on the scale; above it there is nothing to weaken.
    pub const MAX_ELO: u32 = 3200;

    /// How far above the least strength, in Elo.
    fn height(&self) -> u32 {
        self.elo.clamp(Weakness::MIN_ELO, Weakness::MAX_ELO) - Weakness::MIN_ELO
    }

    /// The farthest horizon, in plies.
    pub(super) fn max_depth(&self) -> Depth {
        1 + (self.height() / 120) as Depth
    }

    /// Nodes after which the search ends, once it has finished one iteration.
    pub(super) fn nodes(&self) -> u64 {
        // Doubled every `STEP` Elo, with a straight line between.
        const FEWEST: u64 = 32;
        const STEP: u64 = 150;
        let height = u64::from(self.height());
        let doubled = FEWEST << (height / STEP);
        doubled + doubled * (height % STEP) / STEP
    }

    /// The greatest error of one man's value on one square, in centipawns.
    fn man_error(&self) -> Score {
        self.error(70)
    }

    /// The greatest error of a whole position, in centipawns.
    fn position_error(&self) -> Score {
        self.error(260)
    }

    /// An error that shrinks with the square of the distance to full strength.
    fn error(&self, greatest: Score) -> Score {
        let span = (Weakness::MAX_ELO - Weakness::MIN_ELO) as i64;
        let left = span - i64::from(self.height());
        (i64::from(greatest) * left * left / (span * span)) as Score
    }
}

/// The misjudgements of one game.
pub(super) struct Misjudgement {
    men: Box<[[i16; 64]; Piece::COUNT]>,
    position_error: Score,
    seed: u64,
}

/// A good hash of a word (the finaliser of SplitMix64).
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// A number within ±`limit`, made from two halves of a hash so that small ones are likelier.
fn error_within(limit: Score, hash: u64) -> Score {
    let half = |bits: u64| (bits & 0xFFFF) as i64 - 0x8000;
    ((half(hash) + half(hash >> 16)) * i64::from(limit) / 0x1_0000) as Score
}

impl Misjudgement {
    pub fn new(weakness: Weakness) -> Misjudgement {
        let limit = weakness.man_error();
        let mut men = Box::new([[0; 64]; Piece::COUNT]);
        for piece in Piece::ALL {
            for square in Square::ALL {
                let index = (piece.index() * Square::COUNT + square.index()) as u64;
                let error = error_within(limit, mix(weakness.seed ^ (index << 40)));
                men[piece.index()][square.index()] = error as i16;
            }
        }
        Misjudgement { men, position_error: weakness.position_error(), seed: weakness.seed }
    }

    /// By how much the position is misjudged, in centipawns, from the view of the side to move.
    ///
    /// Nothing is misjudged once a side has only its king: simple mates are won at every strength.
    pub fn error(&self, position: &Position) -> Score {
        if Color::ALL.into_iter().any(|color| !position.by_color(color).many()) {
            return 0;
        }
        let mut error = 0;
        for color in Color::ALL {
            let sign = if color == position.side_to_move() { 1 } else { -1 };
            for kind in PieceKind::ALL {
                let squares = &self.men[Piece::new(color, kind).index()];
                let sum: Score = position
                    .of(color, kind)
                    .into_iter()
                    .map(|square| Score::from(squares[square.index()]))
                    .sum();
                error += sign * sum;
            }
        }
        error + error_within(self.position_error, mix(position.key() ^ self.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weakness(elo: u32) -> Weakness {
        Weakness { elo, seed: 7 }
    }

    #[test]
    fn stronger_players_look_farther_and_err_less() {
        for elo in (Weakness::MIN_ELO..Weakness::MAX_ELO).step_by(100) {
            let (less, more) = (weakness(elo), weakness(elo + 100));
            assert!(less.nodes() < more.nodes());
            assert!(less.max_depth() <= more.max_depth());
            assert!(less.position_error() >= more.position_error());
        }
        assert!(weakness(1000).man_error() > weakness(2000).man_error());
        assert_eq!(weakness(Weakness::MAX_ELO).man_error(), 0);
    }

    #[test]
    fn a_seed_always_misjudges_alike_and_a_bare_king_never() {
        let position = Position::startpos();
        let error = |seed| Misjudgement::new(Weakness { elo: 1000, seed }).error(&position);
        assert_eq!(error(1), error(1));
        assert_ne!(error(1), error(2));
        let bare = Position::from_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
        assert_eq!(Misjudgement::new(weakness(800)).error(&bare), 0);
    }
}
