//! How far the static evaluation has been off in positions with the same features.

use super::history::{Gravity, PieceTo, boxed};
use super::params::Params;
use crate::board::Position;
use crate::types::{Color, Depth, Score};

/// The greatest correction that one table holds.
const CORRECTION_LIMIT: i32 = 1024;

const ROWS: usize = 16_384;

type Correction = Gravity<CORRECTION_LIMIT>;

/// One kind of feature, hashed, for each side to move.
struct Feature(Box<[Correction; 2 * ROWS]>);

impl Feature {
    fn new() -> Feature {
        Feature(boxed())
    }

    #[inline]
    fn entry(&mut self, side: Color, key: u64) -> &mut Correction {
        &mut self.0[side.index() * ROWS + key as usize % ROWS]
    }
}

/// All corrections of one thread.
pub(super) struct Corrections {
    pawn: Feature,
    non_pawn: [Feature; 2],
    minor: Feature,
    continuation: Box<[Correction; 1024 * 1024]>,
}

/// Where two successive moves lie in the continuation table; the men tell the side to move.
#[inline]
fn continuation_index(earlier: PieceTo, last: PieceTo) -> usize {
    earlier.index() << 10 | last.index()
}

impl Corrections {
    pub fn new() -> Corrections {
        Corrections {
            pawn: Feature::new(),
            non_pawn: [Feature::new(), Feature::new()],
            minor: Feature::new(),
            continuation: boxed(),
        }
    }

    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn;
        for feature in [&mut self.pawn, white, black, &mut self.minor] {
            feature.0.fill(Correction::default());
        }
        self.continuation.fill(Correction::default());
    }

    /// What to add to the static evaluation, in centipawns. `earlier` and `last` are the two moves
    /// before the position.
    #[inline]
    pub fn get(
        &mut self,
        position: &Position,
        params: &Params,
        earlier: PieceTo,
        last: PieceTo,
    ) -> Score {
        let side = position.side_to_move();
        let pawn = self.pawn.entry(side, position.pawn_key()).get();
        let minor = self.minor.entry(side, position.minor_key()).get();
        let [white, black] = Color::ALL.map(|color| {
            self.non_pawn[color.index()].entry(side, position.non_pawn_key(color)).get()
        });
        let continuation = self.continuation[continuation_index(earlier, last)].get();
        (pawn * params.correction_pawn()
            + minor * params.correction_minor()
            + (white + black) * params.correction_non_pawn()
            + continuation * params.correction_continuation())
            / CORRECTION_LIMIT
    }

    /// Learns that the search found `error` centipawns more than the static evaluation.
    pub fn update(
        &mut self,
        position: &Position,
        depth: Depth,
        error: Score,
        earlier: PieceTo,
        last: PieceTo,
    ) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let side = position.side_to_move();
        self.pawn.entry(side, position.pawn_key()).update(bonus);
        self.minor.entry(side, position.minor_key()).update(bonus);
        for color in Color::ALL {
            let key = position.non_pawn_key(color);
            self.non_pawn[color.index()].entry(side, key).update(bonus);
        }
        self.continuation[continuation_index(earlier, last)].update(bonus);
    }
}
