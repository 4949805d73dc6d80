//! Scored games in viriformat, read into positions ready for training.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use ferz::nnue::arch::MAX_MEN;
use ferz::nnue::features::View;
use ferz::types::{Color, Piece, Square};
use rayon::prelude::*;
use viriformat::chess::board::Board;
use viriformat::chess::piece::Colour;
use viriformat::dataformat::{Game, WDL};

use super::shape::Shape;

/// Scores beyond this are as good as decided and teach nothing.
pub const MAX_SCORE: i32 = 2000;

/// One game in this many is held out.
const HELD_OUT_ONE_IN: u64 = 100;

/// What is wrong with a data file.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A game is damaged.
    #[error("{}: game {game}: {reason}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Which game, counted from 1.
        game: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There is nothing to learn from.
    #[error("no position passes the filter")]
    Empty,
}

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
    /// Reads a position from whoever knows what stands on each square.
    pub fn new(
        to_move: Color,
        men: impl Iterator<Item = (Square, Piece)>,
        score: i16,
        result: u8,
    ) -> Sample {
        let mut board = [None; Square::COUNT];
        for (square, piece) in men {
            let own = if piece.color() == to_move { Color::White } else { Color::Black };
            board[square.relative_to(to_move).index()] = Some(Piece::new(own, piece.kind()));
        }
        let mut sample =
            Sample { occupied: 0, men: [0; 16], score, result, own_king: 0, their_king: 0 };
        for (square, piece) in board.iter().enumerate() {
            let Some(piece) = piece else { continue };
            let index = sample.occupied.count_ones() as usize;
            sample.men[index / 2] |= (piece.index() as u8) << (index % 2 * 4);
            sample.occupied |= 1 << square;
            match piece {
                Piece::WhiteKing => sample.own_king = square as u8,
                Piece::BlackKing => sample.their_king = square as u8,
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
            let own = Piece::new(color, ferz::types::PieceKind::King);
            let seen = views[color.index()].input(own, kings[color.index()]) % Square::COUNT;
            (shape.king_bucket(seen) + 1) * ferz::nnue::arch::INPUTS
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

/// Positions to learn from and positions from other games to judge by.
#[derive(Default, Debug)]
pub struct Dataset {
    /// Learned from.
    pub train: Vec<Sample>,
    /// Never learned from.
    pub held_out: Vec<Sample>,
    /// Games read.
    pub games: usize,
}

impl Dataset {
    /// Reads the files, plain or compressed by xz (`.xz`), and keeps the quiet positions: at least
    /// `skip_plies` into the game, not in check, the move played neither capture nor promotion, the
    /// score within [`MAX_SCORE`].
    pub fn read(paths: &[PathBuf], skip_plies: usize) -> Result<Dataset, DataError> {
        let parts: Vec<Dataset> = paths
            .par_iter()
            .enumerate()
            .map(|(index, path)| read_file(path, index, skip_plies))
            .collect::<Result<_, _>>()?;
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
}

fn read_file(path: &Path, file_index: usize, skip_plies: usize) -> Result<Dataset, DataError> {
    let io_error = |source| DataError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io_error)?;
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|extension| extension == "xz") {
        liblzma::read::XzDecoder::new_multi_decoder(BufReader::new(file)).read_to_end(&mut bytes)
    } else {
        BufReader::new(file).read_to_end(&mut bytes)
    }
    .map_err(io_error)?;
    let mut data = Dataset::default();
    let mut rest = bytes.as_slice();
    let mut buffer = Vec::new();
    while !rest.is_empty() {
        let number = data.games + 1;
        let fault =
            |reason: String| DataError::Game { path: path.to_owned(), game: number, reason };
        check_start(rest).map_err(|reason| fault(reason.to_owned()))?;
        let game = Game::deserialise_from(&mut rest, std::mem::take(&mut buffer))
            .map_err(|error| fault(error.to_string()))?;
        let held_out = mix((file_index as u64) << 32 | number as u64) % HELD_OUT_ONE_IN == 0;
        let samples = if held_out { &mut data.held_out } else { &mut data.train };
        collect(&game, skip_plies, samples).map_err(fault)?;
        data.games += 1;
        buffer = game.into_move_buffer();
    }
    Ok(data)
}

/// Refuses a start position that the library would panic on.
fn check_start(bytes: &[u8]) -> Result<(), &'static str> {
    let Some(bytes) = bytes.first_chunk::<32>() else { return Err("the file ends too early") };
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() > MAX_MEN as u32 {
        return Err("more than 32 men");
    }
    let mut kings = [0; 2];
    for index in 0..occupied.count_ones() as usize {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        match code & 7 {
            7 => return Err("an unknown man"),
            5 => kings[(code >> 3) as usize] += 1,
            _ => {}
        }
    }
    if kings != [1, 1] {
        return Err("a side without exactly one king");
    }
    if bytes[30] > 2 { Err("an unknown result") } else { Ok(()) }
}

fn collect(game: &Game, skip_plies: usize, samples: &mut Vec<Sample>) -> Result<(), String> {
    let mut board = game.initial_position();
    let white_result = match game.outcome() {
        WDL::Win => 2,
        WDL::Draw => 1,
        WDL::Loss => 0,
    };
    for (ply, (mv, score)) in game.moves.iter().enumerate() {
        let score = i32::from(score.get());
        if !board.is_pseudo_legal(*mv) {
            return Err(format!("ply {}: a move that cannot be played", ply + 1));
        }
        let quiet = !board.in_check() && !board.is_capture(*mv) && !mv.is_ep() && !mv.is_promo();
        if ply >= skip_plies && quiet && score.abs() <= MAX_SCORE {
            let white = board.turn() == Colour::White;
            let (to_move, score, result) = if white {
                (Color::White, score, white_result)
            } else {
                (Color::Black, -score, 2 - white_result)
            };
            samples.push(Sample::new(to_move, men_of(&board), score as i16, result));
        }
        board.make_move_simple(*mv);
    }
    Ok(())
}

fn men_of(board: &Board) -> impl Iterator<Item = (Square, Piece)> + '_ {
    board.pieces.occupied().iter().filter_map(|square| {
        let piece = board.piece_at(square)?;
        Some((Square::from_index(square.index())?, *Piece::ALL.get(piece.inner() as usize)?))
    })
}

/// A well-mixed number of a counter (SplitMix64, Steele et al. 2014).
fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
