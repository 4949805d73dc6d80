//! Positions ready for training, from scored games.

use std::io;
use std::path::{Path, PathBuf};

use ferz::board::Position;
use ferz::nnue::arch::{INPUTS, MAX_MEN};
use ferz::nnue::features::View;
use ferz::types::{Color, Move, Piece, PieceKind, Square};
use rayon::prelude::*;

use super::shape::Shape;
use crate::datagen::format::{Fan, FormatError, Record, ScoredGame};
use crate::datagen::output::{holds_fans, open_games};
use crate::datagen::summary::{is_quiet_before, is_settled};

/// Scores beyond this are as good as decided and teach nothing.
pub const MAX_SCORE: i32 = 2000;

/// Games or fans read before their positions are looked at, by all threads together.
const BLOCK: usize = 4096;

/// What is wrong with the data.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A game or fan is damaged.
    #[error("{}: number {number}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: FormatError,
    },
    /// There is nothing to learn from or to judge by.
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
    /// Twice the points the side to move got: 0, 1 or 2, if the game went on from here.
    pub result: Option<u8>,
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
    pub fn new(position: &Position, score: i16, result: Option<u8>) -> Sample {
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

/// Positions to learn from and positions from other games to judge by.
#[derive(Default, Debug)]
pub struct Dataset {
    /// Learned from.
    pub train: Vec<Sample>,
    /// Never learned from: those of the games that are held out.
    pub held_out: Vec<Sample>,
    /// Games read.
    pub games: usize,
    /// Fans read.
    pub fans: usize,
}

impl Dataset {
    /// Reads files of games and of fans and keeps the quiet positions ([`is_quiet_before`],
    /// [`is_settled`]) whose score is within [`MAX_SCORE`]; of games without the first `skip_plies`.
    ///
    /// A move of a fan may be one that nobody would play, so the result of its game says nothing of
    /// it and is left out.
    pub fn read(paths: &[PathBuf], skip_plies: usize) -> Result<Dataset, DataError> {
        let mut data = Dataset::default();
        for path in paths {
            if holds_fans(path) {
                for_blocks(path, |fans: &[Fan]| data.take_fans(fans))?;
            } else {
                for_blocks(path, |games: &[ScoredGame]| data.take_games(games, skip_plies))?;
            }
        }
        if data.train.is_empty() || data.held_out.is_empty() {
            return Err(DataError::Empty);
        }
        Ok(data)
    }

    fn take_games(&mut self, games: &[ScoredGame], skip_plies: usize) {
        self.games += games.len();
        let kept: Vec<(bool, Vec<Sample>)> = games
            .par_iter()
            .map(|game| (game.is_held_out(), samples_of_game(game, skip_plies)))
            .collect();
        for (held_out, samples) in kept {
            if held_out { &mut self.held_out } else { &mut self.train }.extend(samples);
        }
    }

    fn take_fans(&mut self, fans: &[Fan]) {
        self.fans += fans.len();
        let kept: Vec<Vec<Sample>> = fans.par_iter().map(samples_of_fan).collect();
        self.train.extend(kept.into_iter().flatten());
    }
}

fn samples_of_game(game: &ScoredGame, skip_plies: usize) -> Vec<Sample> {
    let mut position = game.start;
    let mut samples = Vec::new();
    for (ply, &(mv, score)) in game.moves.iter().enumerate() {
        if ply >= skip_plies && is_quiet_before(&position, mv) {
            samples.extend(sample(&position, score, Some(game.result.white_half_points())));
        }
        position.play(mv);
    }
    samples
}

fn samples_of_fan(fan: &Fan) -> Vec<Sample> {
    let after = |&(mv, score): &(Move, i16)| {
        let mut position = fan.root;
        position.play(mv);
        is_settled(&position).then(|| sample(&position, score, None)).flatten()
    };
    fan.moves.iter().filter_map(after).collect()
}

/// The sample of a position with score and result from White's view, unless it is as good as
/// decided.
fn sample(position: &Position, score: i16, result: Option<u8>) -> Option<Sample> {
    let black = position.side_to_move() == Color::Black;
    let score = if black { -i32::from(score) } else { i32::from(score) };
    let result = result.map(|result| if black { 2 - result } else { result });
    (score.abs() <= MAX_SCORE).then(|| Sample::new(position, score as i16, result))
}

/// Hands over the records of a file, block by block.
fn for_blocks<T: Record>(path: &Path, mut take: impl FnMut(&[T])) -> Result<(), DataError> {
    let fail = |source| DataError::Io { path: path.to_owned(), source };
    let mut reader = open_games(path).map_err(fail)?;
    let mut block = Vec::with_capacity(BLOCK);
    for number in 1.. {
        let record = T::read(&mut reader).map_err(|source| DataError::Record {
            path: path.to_owned(),
            number,
            source,
        })?;
        let ended = record.is_none();
        block.extend(record);
        if ended || block.len() == BLOCK {
            take(&block);
            block.clear();
        }
        if ended {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ferz::notation::parse_uci;

    use super::*;
    use crate::arena::referee::GameResult;

    const ROOT: &str = "r3k2r/8/8/4p3/8/8/3P4/R3K2R w KQkq - 0 1";

    fn game(result: GameResult, moves: &[(&str, i16)]) -> ScoredGame {
        let start = Position::from_fen(ROOT).unwrap();
        let mut position = start;
        let moves = moves.iter().map(|&(text, score)| {
            let mv = parse_uci(&position, text).unwrap();
            position.play(mv);
            (mv, score)
        });
        ScoredGame { start, result, moves: moves.collect() }
    }

    fn scores(samples: &[Sample]) -> Vec<(i16, Option<u8>)> {
        samples.iter().map(|sample| (sample.score, sample.result)).collect()
    }

    #[test]
    fn quiet_positions_of_games_are_seen_by_the_side_to_move() {
        let moves = [
            ("d2d4", 25),
            ("e8f8", 30),
            ("h1h8", 2100),
            ("f8g7", 2100),
            ("e1e2", -2001),
            ("g7h8", 9),
        ];
        let game = game(GameResult::White, &moves);
        // Left out: a capture, a reply to check, a score beyond the limit, a capture.
        assert_eq!(scores(&samples_of_game(&game, 0)), [(25, Some(2)), (-30, Some(0))]);
        assert_eq!(scores(&samples_of_game(&game, 1)), [(-30, Some(0))]);
        assert_eq!(scores(&samples_of_game(&game, 2)), []);
    }

    #[test]
    fn settled_positions_of_fans_have_no_result() {
        let root = Position::from_fen("4k3/8/8/4p3/8/8/3P4/R3K3 w Q - 0 1").unwrap();
        let moves = [("d2d3", 40), ("d2d4", 50), ("a1a8", 600), ("e1e2", 3000)];
        let moves = moves.map(|(text, score)| (parse_uci(&root, text).unwrap(), score)).to_vec();
        let fan = Fan { root, result: GameResult::White, moves };
        // Left out: the pawn that can be taken, a check, a score beyond the limit.
        assert_eq!(scores(&samples_of_fan(&fan)), [(-40, None)]);
    }

    #[test]
    fn files_are_read_by_their_names_and_faults_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, bytes: &[u8]| std::fs::write(path(name), bytes).unwrap();
        let (mut games, mut fans) = (Vec::new(), Vec::new());
        let root = Position::from_fen(ROOT).unwrap();
        let legal = root.legal_moves();
        for &mv in &legal {
            let mut position = root;
            position.play(mv);
            for &reply in &position.legal_moves() {
                let moves = vec![(mv, 1), (reply, 2)];
                let game = ScoredGame { start: root, result: GameResult::Draw, moves };
                game.write(&mut games).unwrap();
            }
        }
        let moves = legal.iter().map(|&mv| (mv, 3)).collect();
        Fan { root, result: GameResult::Draw, moves }.write(&mut fans).unwrap();
        write("x.vf", &games);
        write("x.fan", &fans);
        write("broken.fan", &fans[..fans.len() - 1]);
        let data = Dataset::read(&[path("x.vf"), path("x.fan")], 0).unwrap();
        assert!(data.games > 400 && data.fans == 1);
        assert!(!data.held_out.is_empty() && data.held_out.len() * 20 < data.train.len());
        assert!(data.held_out.iter().all(|sample| sample.result == Some(1)));
        assert!(data.train.iter().any(|sample| sample.result.is_none()));
        let fault = Dataset::read(&[path("x.vf"), path("broken.fan")], 0).unwrap_err();
        assert!(fault.to_string().contains("broken.fan: number 1"), "{fault}");
        assert!(matches!(Dataset::read(&[path("x.fan")], 0), Err(DataError::Empty)));
        assert!(matches!(Dataset::read(&[path("none.vf")], 0), Err(DataError::Io { .. })));
    }
}
