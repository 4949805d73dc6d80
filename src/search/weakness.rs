//! Playing below full strength by misjudging positions and looking less far, as people do, rather
//! than by choosing bad moves at random.

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::types::{Color, Depth, Piece, PieceKind, Score, Square};

/// What a player of some strength sees, and how much it errs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Level {
    /// The strength, on the scale of `UCI_Elo`.
    pub elo: u32,
    /// Nodes after which the search ends, once it has finished one iteration.
    pub nodes: u64,
    /// The farthest horizon, in hundredths of a ply: 450 is four plies in one position, five in the
    /// next.
    pub horizon: i32,
    /// The greatest error of one man's value on one square, in centipawns.
    pub man_error: Score,
    /// The greatest error of a whole position, in centipawns.
    pub position_error: Score,
}

const fn level(
    elo: u32,
    nodes: u64,
    horizon: i32,
    man_error: Score,
    position_error: Score,
) -> Level {
    Level { elo, nodes, horizon, man_error, position_error }
}

/// The scale, weakest level first. Its rows follow from the matches of `ferz-tools`' command `levels`,
/// which are to be played again when the engine has become stronger.
#[rustfmt::skip]
const SCALE: [Level; 9] = [
    //    Elo     nodes  horizon man position
    level( 800,        52,  300, 125, 570),
    level(1100,       125,  345,  84, 315),
    level(1400,       300,  430,  55, 178),
    level(1700,       730,  540,  46, 127),
    level(2000,      2150,  700,  32,  86),
    level(2300,      5300,  900,  24,  65),
    level(2600,     17000, 1300,  15,  42),
    level(2900,     60000, 1900,   8,  22),
    level(3200,    400000, 4000,   0,   0),
];

impl Level {
    /// The level of a strength; strengths outside of the scale count as its ends.
    pub fn of(elo: u32) -> Level {
        Level::on(&SCALE, elo)
    }

    /// The scale in use, weakest level first.
    pub fn scale() -> &'static [Level] {
        &SCALE
    }

    /// The level of a strength on another scale, which must not be empty and must ascend.
    pub fn on(scale: &[Level], elo: u32) -> Level {
        let above = scale.partition_point(|level| level.elo < elo);
        let high = scale[above.min(scale.len() - 1)];
        let low = scale[above.saturating_sub(1)];
        let (part, whole) = (i64::from(elo) - i64::from(low.elo), i64::from(high.elo - low.elo));
        if part <= 0 || whole == 0 {
            return if part <= 0 { low } else { high };
        }
        let between = |from: i64, to: i64| from + (to - from) * part / whole;
        let score = |from: Score, to: Score| between(from.into(), to.into()) as Score;
        Level {
            elo,
            nodes: power(between(logarithm(low.nodes), logarithm(high.nodes))),
            horizon: score(low.horizon, high.horizon),
            man_error: score(low.man_error, high.man_error),
            position_error: score(low.position_error, high.position_error),
        }
    }
}

/// Parts of a doubling that [`logarithm`] tells apart.
const PARTS: i64 = 1024;

/// The doublings from 1 to a number from 1 up, in [`PARTS`], with straight lines between.
fn logarithm(number: u64) -> i64 {
    let whole = number.max(1).ilog2();
    i64::from(whole) * PARTS + ((i128::from(number) * i128::from(PARTS)) >> whole) as i64 - PARTS
}

/// The inverse of [`logarithm`].
fn power(logarithm: i64) -> u64 {
    let (whole, part) = (logarithm / PARTS, logarithm % PARTS);
    ((1u128 << whole) * (PARTS + part) as u128 / PARTS as u128) as u64
}

/// How strongly to play, and which game's misjudgements to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weakness {
    /// What is seen, and how much it is misjudged.
    pub level: Level,
    /// Equal seeds misjudge equally: one game, one seed.
    pub seed: u64,
}

impl Weakness {
    /// The least strength on the scale.
    pub const MIN_ELO: u32 = SCALE[0].elo;
    /// The greatest strength on the scale: nothing is weakened from here up.
    pub const MAX_ELO: u32 = SCALE[SCALE.len() - 1].elo;

    /// How to play at a strength; `None` for full strength.
    pub fn new(elo: u32, seed: u64) -> Option<Weakness> {
        (elo < Weakness::MAX_ELO).then(|| Weakness { level: Level::of(elo), seed })
    }
}

impl Weakness {
    /// How many plies are looked ahead in the position with this key.
    pub(super) fn plies(&self, key: u64) -> Depth {
        let share = (mix(key ^ self.seed.rotate_left(32)) % 100) as i32;
        (self.level.horizon + share) / 100
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
        let limit = weakness.level.man_error;
        let mut men = Box::new([[0; 64]; Piece::COUNT]);
        for piece in Piece::ALL {
            for square in Square::ALL {
                let index = (piece.index() * Square::COUNT + square.index()) as u64;
                let error = error_within(limit, mix(weakness.seed ^ (index << 40)));
                men[piece.index()][square.index()] = error as i16;
            }
        }
        Misjudgement { men, position_error: weakness.level.position_error, seed: weakness.seed }
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

    #[test]
    fn stronger_players_look_farther_and_err_less() {
        for elo in (Weakness::MIN_ELO..Weakness::MAX_ELO).step_by(20) {
            let (less, more) = (Level::of(elo), Level::of(elo + 20));
            assert!(less.nodes < more.nodes, "{elo}");
            assert!(less.horizon <= more.horizon, "{elo}");
            assert!(less.man_error >= more.man_error, "{elo}");
            assert!(less.position_error >= more.position_error, "{elo}");
        }
    }

    #[test]
    fn levels_lie_between_their_neighbours_on_the_scale() {
        let scale = [level(1000, 100, 200, 80, 300), level(1200, 400, 400, 40, 100)];
        assert_eq!(Level::on(&scale, 1000), scale[0]);
        assert_eq!(Level::on(&scale, 1200), scale[1]);
        assert_eq!(Level::on(&scale, 1100), level(1100, 200, 300, 60, 200));
        assert_eq!((Level::on(&scale, 0), Level::on(&scale, 9999)), (scale[0], scale[1]));
        for number in [1, 2, 3, 100, 32_000, 4_000_000] {
            let back = power(logarithm(number));
            assert!(back <= number && number - back <= number >> 10, "{number} came back {back}");
        }
    }

    #[test]
    fn a_horizon_between_two_plies_is_now_the_one_now_the_other() {
        let weakness = Weakness { level: level(1000, 100, 425, 0, 0), seed: 3 };
        let far = (0..1000u64).filter(|&key| weakness.plies(mix(key)) == 5).count();
        assert!((200..300).contains(&far), "{far}");
        assert!((0..1000u64).all(|key| (4..=5).contains(&weakness.plies(mix(key)))));
        assert_eq!(weakness.plies(7), weakness.plies(7));
    }

    #[test]
    fn only_the_top_of_the_scale_is_full_strength() {
        assert_eq!(Weakness::new(Weakness::MAX_ELO, 1), None);
        let weak = Weakness::new(0, 1).map(|weakness| weakness.level);
        assert_eq!(weak, Some(Level::of(Weakness::MIN_ELO)));
        assert!(Weakness::new(Weakness::MAX_ELO - 1, 1).is_some());
    }

    #[test]
    fn a_seed_always_misjudges_alike_and_a_bare_king_never() {
        let position = Position::startpos();
        let error = |seed| Misjudgement::new(Weakness { level: SCALE[1], seed }).error(&position);
        assert_eq!(error(1), error(1));
        assert_ne!(error(1), error(2));
        let bare = Position::from_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
        assert_eq!(Misjudgement::new(Weakness { level: SCALE[0], seed: 7 }).error(&bare), 0);
    }
}
