//! Positions ready for training, from scored games.

use std::path::PathBuf;
use std::sync::Arc;

use ferz::board::Position;
use ferz::eval::evaluate;
use ferz::nnue::arch::{INPUTS, MAX_MEN};
use ferz::nnue::features::View;
use ferz::nnue::{AccumulatorStack, Network};
use ferz::types::{Color, Piece, PieceKind, Square};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::games::{DataError, Game, Ply, read_games};
use super::shape::Shape;

/// Scores beyond this are as good as decided and teach nothing.
pub const MAX_SCORE: i32 = 2000;

/// One game in this many is held out.
const HELD_OUT_ONE_IN: u64 = 100;

/// The share of what the teacher sees beyond the engine's evaluation that still holds after one
/// stray move.
const KEPT_PER_MOVE: f32 = 0.8;

/// A position to learn from, seen by the side to move: ranks are flipped for Black, so that the own
/// men always stand where White's would.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    men: [u8; 16],
    /// Centipawns for the side to move.
    pub score: i16,
    /// Twice the points the side to move got: 0, 1 or 2.
    pub result: u8,
    own_king: u8,
    their_king: u8,
}

/// The inputs of one sample, for both perspectives.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    rows: [[u16; 2 * MAX_MEN]; 2],
    len: usize,
    /// How many men stand on the board.
    pub men: usize,
}

impl Inputs {
    /// The rows of input weights to sum: 0 for the side to move, 1 for the other side.
    pub fn rows(&self, perspective: usize) -> &[u16] {
        &self.rows[perspective][..self.len]
    }
}

impl Sample {
    /// The sample of a position with this score and result for the side to move.
    pub fn new(position: &Position, score: i16, result: u8) -> Sample {
        let to_move = position.side_to_move();
        let mut sample =
            Sample { occupied: 0, men: [0; 16], score, result, own_king: 0, their_king: 0 };
        for index in 0..Square::COUNT {
            let square = Square::ALL[index].relative_to(to_move);
            let Some(piece) = position.piece_at(square) else { continue };
            let own = if piece.color() == to_move { Color::White } else { Color::Black };
            let piece = Piece::new(own, piece.kind());
            let man = sample.occupied.count_ones() as usize;
            sample.men[man / 2] |= (piece.index() as u8) << (man % 2 * 4);
            sample.occupied |= 1 << index;
            match piece {
                Piece::WhiteKing => sample.own_king = index as u8,
                Piece::BlackKing => sample.their_king = index as u8,
                _ => {}
            }
        }
        sample
    }

    /// What stands where, own men as White's.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let mut left = self.occupied;
        (0..self.occupied.count_ones() as usize).map(move |index| {
            let square = Square::from_low_bits(left.trailing_zeros());
            left &= left - 1;
            let code = self.men[index / 2] >> (index % 2 * 4) & 15;
            (square, Piece::ALL[code as usize % Piece::COUNT])
        })
    }

    /// The input rows of both perspectives for a network of this shape.
    pub fn inputs(&self, shape: &Shape) -> Inputs {
        let mut inputs = Inputs { rows: [[0; 2 * MAX_MEN]; 2], len: 0, men: 0 };
        let kings = [self.own_king, self.their_king].map(|king| Square::from_low_bits(king as u32));
        let views = Color::ALL.map(|color| View::new(color, kings[color.index()]));
        let planes = Color::ALL.map(|color| {
            let own = Piece::new(color, PieceKind::King);
            let seen = views[color.index()].input(own, kings[color.index()]) % Square::COUNT;
            (shape.king_bucket(seen) + 1) * INPUTS
        });
        for (square, piece) in self.men() {
            for side in 0..2 {
                let input = views[side].input(piece, square);
                inputs.rows[side][inputs.len] = input as u16;
                if shape.king_buckets > 1 {
                    inputs.rows[side][inputs.len + 1] = (planes[side] + input) as u16;
                }
            }
            inputs.len += if shape.king_buckets > 1 { 2 } else { 1 };
            inputs.men += 1;
        }
        inputs
    }
}

/// Which positions of the games are learned from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Plies skipped at the start of each game.
    pub skip_plies: usize,
    /// Stray positions per position of a game, in the mean.
    pub strays: f32,
}

/// The engine's own evaluation, which scores stray positions.
struct Appraiser {
    network: Arc<Network>,
    accumulators: AccumulatorStack,
}

impl Appraiser {
    fn new() -> Appraiser {
        let network = Network::built_in();
        let accumulators = AccumulatorStack::new(&network);
        Appraiser { network, accumulators }
    }

    /// Centipawns for the side to move: the mean of network and hand-made evaluation.
    fn score(&mut self, position: &Position) -> i32 {
        self.accumulators.reset(position);
        let learnt = self.accumulators.evaluate(position, &self.network);
        (learnt + evaluate(position)) / 2
    }
}

/// Positions to learn from and positions from other games to judge by.
#[derive(Default, Debug)]
pub struct Dataset {
    /// Learned from.
    pub train: Vec<Sample>,
    /// Never learned from; no stray ones.
    pub held_out: Vec<Sample>,
    /// Games read.
    pub games: usize,
}

impl Dataset {
    /// Reads the files and keeps the quiet positions: not in check, the move played neither capture
    /// nor promotion, the score within [`MAX_SCORE`].
    ///
    /// Games of a strong player hold few of the poor moves that a search must judge. So some of the
    /// positions also send out strays: one to three random moves are played, and the engine's own
    /// evaluation, corrected by most of what the teacher saw before, stands for the score.
    pub fn read(paths: &[PathBuf], filter: Filter) -> Result<Dataset, DataError> {
        let parts: Vec<Dataset> = paths
            .par_iter()
            .enumerate()
            .map(|(index, path)| {
                let mut part = Dataset::default();
                let mut appraiser = Appraiser::new();
                read_games(path, |game| part.take(game, index, filter, &mut appraiser))?;
                Ok(part)
            })
            .collect::<Result<_, DataError>>()?;
        let mut whole = Dataset::default();
        for part in parts {
            whole.train.extend(part.train);
            whole.held_out.extend(part.held_out);
            whole.games += part.games;
        }
        if whole.train.is_empty() || whole.held_out.is_empty() {
            return Err(DataError::Empty);
        }
        Ok(whole)
    }

    fn take(&mut self, game: &Game, file: usize, filter: Filter, appraiser: &mut Appraiser) {
        self.games += 1;
        let number = mix((file as u64) << 32 | self.games as u64);
        let held_out = number.is_multiple_of(HELD_OUT_ONE_IN);
        let mut random = ChaCha8Rng::seed_from_u64(number);
        for ply in game.plies.iter().skip(filter.skip_plies) {
            let plain = !ply.mv.is_capture() && !ply.mv.is_promotion();
            let quiet = plain && !ply.position.in_check();
            if !quiet || ply.score.abs() > MAX_SCORE {
                continue;
            }
            let result = match ply.position.side_to_move() {
                Color::White => game.white_result,
                Color::Black => 2 - game.white_result,
            };
            let sample = Sample::new(&ply.position, ply.score as i16, result);
            if held_out {
                self.held_out.push(sample);
            } else {
                self.train.push(sample);
                let strays = (filter.strays + random.random::<f32>()) as u32;
                self.train
                    .extend((0..strays).filter_map(|_| stray(ply, result, appraiser, &mut random)));
            }
        }
    }
}

/// The position after some random moves, unless that is decided or in check.
fn stray(
    ply: &Ply,
    result: u8,
    appraiser: &mut Appraiser,
    random: &mut impl Rng,
) -> Option<Sample> {
    let mut position = ply.position;
    let mut seen_beyond = (ply.score - appraiser.score(&position)) as f32;
    let mut result = result;
    for _ in 0..=random.random_range(0..6) / 3 + random.random_range(0..6) / 5 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.random_range(0..moves.len())]);
        seen_beyond *= -KEPT_PER_MOVE;
        result = 2 - result;
    }
    let score = appraiser.score(&position) + seen_beyond as i32;
    let open = !position.in_check() && position.has_legal_move() && score.abs() <= MAX_SCORE;
    open.then(|| Sample::new(&position, score as i16, result))
}

/// A well-mixed number of a counter (SplitMix64, Steele et al. 2014).
fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
