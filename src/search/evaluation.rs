//! The static evaluation: what the network and the hand-made evaluation say together.
//!
//! The network has learnt from too few games to stand alone; the mean of both errs less than
//! either (see `tools/results.md`).

use super::params::Params;
use crate::board::Position;
use crate::eval::{evaluate, known_ending};
use crate::nnue::{AccumulatorStack, Network};
use crate::types::Score;
use crate::types::score::TABLEBASE_BOUND;

/// What the parts of the evaluation say of a position, in centipawns for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticEval {
    /// The network's score.
    pub network: Score,
    /// The hand-made evaluation's score.
    pub hand_made: Score,
    /// Both together: what the search uses.
    pub score: Score,
}

/// Evaluates a position from scratch, without searching. A side in check has no quiet value; the
/// number then says little.
pub fn static_eval(position: &Position, network: &Network) -> StaticEval {
    let mut accumulators = AccumulatorStack::new(network);
    accumulators.reset(position);
    evaluate_with(position, network, &mut accumulators, &Params::default())
}

/// Evaluates a position with accumulators that stand at it.
#[inline]
pub(super) fn evaluate_with(
    position: &Position,
    network: &Network,
    accumulators: &mut AccumulatorStack,
    params: &Params,
) -> StaticEval {
    let learnt = accumulators.evaluate(position, network);
    let hand_made = evaluate(position);
    // The network knows no plan against a bare king.
    let weight = if known_ending(position).is_some() { 0 } else { params.network_weight() };
    let score = (learnt * weight + hand_made * (100 - weight)) / 100;
    let score = score.clamp(1 - TABLEBASE_BOUND, TABLEBASE_BOUND - 1);
    StaticEval { network: learnt, hand_made, score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_treated_alike() {
        let network = Network::built_in();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let flipped = position.color_flipped();
            assert_eq!(static_eval(&position, &network), static_eval(&flipped, &network));
        }
    }
}
