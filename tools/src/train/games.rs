//! Scored games in viriformat, checked move by move.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use ferz::board::{Position, Setup};
use ferz::types::{CastlingSide, Color, Move, Piece, PieceKind, Square};
use viriformat::chess::chessmove::Move as FileMove;
use viriformat::dataformat::Game as FileGame;

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

/// A position of a game, its score and the move played.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// Before the move.
    pub position: Position,
    /// A legal move.
    pub mv: Move,
    /// Centipawns for the side to move.
    pub score: i32,
}

/// A scored game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Every move.
    pub plies: Vec<Ply>,
    /// Twice the points White got: 0, 1 or 2.
    pub white_result: u8,
}

/// Hands over each game of a file, plain or compressed by xz (`.xz`).
pub fn read_games(path: &Path, mut take: impl FnMut(&Game)) -> Result<(), DataError> {
    let bytes =
        read_bytes(path).map_err(|source| DataError::Io { path: path.to_owned(), source })?;
    let mut rest = bytes.as_slice();
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let game = read_game(&mut rest).map_err(|reason| DataError::Game {
            path: path.to_owned(),
            game: number,
            reason,
        })?;
        take(&game);
    }
    Ok(())
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|extension| extension == "xz") {
        liblzma::read::XzDecoder::new_multi_decoder(file).read_to_end(&mut bytes)?;
    } else {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn read_game(rest: &mut &[u8]) -> Result<Game, String> {
    let start = rest.first_chunk::<32>().ok_or("the file ends too early")?;
    let (mut position, white_result) = start_position(start)?;
    let file_game = FileGame::deserialise_from(rest, Vec::new()).map_err(|e| e.to_string())?;
    let mut game = Game { plies: Vec::with_capacity(file_game.len()), white_result };
    for (ply, (mv, score)) in file_game.moves.iter().enumerate() {
        let mv = legal_move(&position, *mv).ok_or_else(|| format!("ply {}: illegal", ply + 1))?;
        let white_score = i32::from(score.get());
        let score = match position.side_to_move() {
            Color::White => white_score,
            Color::Black => -white_score,
        };
        game.plies.push(Ply { position, mv, score });
        position.play(mv);
    }
    Ok(game)
}

/// The start of a game: occupied squares, four bits per man (6 is a rook that may castle), side to
/// move and en passant square, clock, move number, score, result.
fn start_position(bytes: &[u8; 32]) -> Result<(Position, u8), String> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() > 32 {
        return Err("more than 32 men".to_owned());
    }
    let mut setup = Setup::empty();
    let mut king_seen = [false; 2];
    let squares = Square::ALL.into_iter().filter(|square| occupied >> square.index() & 1 != 0);
    for (index, square) in squares.enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = Color::ALL[usize::from(code >> 3)];
        let kind = match code & 7 {
            6 => {
                let short = king_seen[color.index()];
                let side = if short { CastlingSide::Short } else { CastlingSide::Long };
                setup.castling.grant(color, side, square.file());
                PieceKind::Rook
            }
            code => *PieceKind::ALL.get(usize::from(code)).ok_or("an unknown man")?,
        };
        king_seen[color.index()] |= kind == PieceKind::King;
        setup.pieces[square.index()] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = Color::ALL[usize::from(bytes[24] >> 7)];
    setup.double_push = Square::from_index(usize::from(bytes[24] & 127));
    setup.halfmove_clock = u32::from(bytes[25]);
    setup.fullmove_number = u32::from(u16::from_le_bytes([bytes[26], bytes[27]])).max(1);
    setup.drop_impossible();
    let position = Position::from_setup(&setup).map_err(|error| error.to_string())?;
    if bytes[30] > 2 {
        return Err("an unknown result".to_owned());
    }
    Ok((position, bytes[30]))
}

fn legal_move(position: &Position, mv: FileMove) -> Option<Move> {
    let promotion = mv.promotion_type().map(|kind| PieceKind::ALL[kind.index()]);
    let (from, to) = (mv.from().index(), mv.to().index());
    position.legal_moves().into_iter().find(|legal| {
        legal.from().index() == from
            && legal.to().index() == to
            && legal.promotion() == promotion
            && legal.is_castling() == mv.is_castle()
    })
}

#[cfg(test)]
mod tests {
    use ferz::notation::to_uci;
    use viriformat::chess::board::{Board, DrawType, GameOutcome};

    use super::*;

    fn game(moves: &[&str]) -> Vec<u8> {
        let mut board = Board::new();
        board
            .set_from_fen("r3k2r/8/8/4p3/8/8/3P4/R3K2R w KQkq - 0 1", true)
            .expect("a legal position");
        let mut game = FileGame::new(&board);
        for text in moves {
            let mv = board.parse_uci(text).expect("a legal move");
            game.add_move(mv, 25);
            board.make_move_simple(mv);
        }
        game.set_outcome(GameOutcome::Draw(DrawType::Adjudication));
        let mut bytes = Vec::new();
        game.serialise_into(&mut bytes).expect("memory");
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Game, String> {
        let mut rest = bytes;
        let game = read_game(&mut rest)?;
        assert!(rest.is_empty());
        Ok(game)
    }

    #[test]
    fn games_are_read_move_by_move() {
        let moves = ["d2d4", "e5e4", "e1h1", "e8a8", "a1a8"];
        let game = read(&game(&moves[..4])).expect("a sound game");
        assert_eq!(game.white_result, 1);
        let found: Vec<_> =
            game.plies.iter().map(|ply| (to_uci(ply.mv, true), ply.score)).collect();
        let expected = moves[..4].iter().zip([25, -25, 25, -25]);
        assert_eq!(found, expected.map(|(mv, score)| (mv.to_string(), score)).collect::<Vec<_>>());
        assert!(game.plies[2].mv.is_castling() && game.plies[3].mv.is_castling());
    }

    #[test]
    fn damage_is_reported() {
        let sound = game(&["d2d4"]);
        let with = |index: usize, byte: u8| {
            let mut bytes = sound.clone();
            bytes[index] = byte;
            read(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(with(8, 0xF7), "an unknown man");
        assert_eq!(with(30, 3), "an unknown result");
        assert!(!with(7, 0xFF).is_empty());
        assert!(with(32, 0x01).contains("illegal"));
        for length in 0..sound.len() {
            assert!(read(&sound[..length]).is_err(), "{length} bytes");
        }
    }
}
