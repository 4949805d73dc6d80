//! Scored games in viriformat: a start position of 32 bytes, then two bytes of move and two of
//! score for each ply, then four zero bytes.
//!
//! A [`Fan`] has the same bytes, but its moves are alternatives: each is played from the start.
//!
//! The field's crate `viriformat` reads these files (the tests hold the two together); its reader
//! ends the process on a broken file, this one tells what is wrong.

use std::io::{self, BufRead, Write};

use ferz::board::{Position, Setup};
use ferz::types::{Castling, CastlingSide, Color, Move, MoveKind, Piece, PieceKind, Square};
use thiserror::Error;

use crate::arena::referee::GameResult;

/// The code of a rook that may still castle, one above the king's.
const CASTLING_ROOK: u8 = 6;
/// The en-passant field without a square.
const NO_SQUARE: u8 = 64;
/// The flags in the two highest bits of a move.
const EN_PASSANT: u16 = 0x4000;
const CASTLING: u16 = 0x8000;
const PROMOTION: u16 = 0xC000;

/// A game with the score of each position.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredGame {
    /// Where it begins.
    pub start: Position,
    /// Who has won.
    pub result: GameResult,
    /// The moves, each with the score of the position before it in centipawns from White's view.
    pub moves: Vec<(Move, i16)>,
}

/// Why a game cannot be read.
#[derive(Debug, Error)]
pub enum FormatError {
    /// The file cannot be read, or ends in the middle of a game.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The start is no position.
    #[error("the start position: {0}")]
    Start(String),
    /// A move is not legal.
    #[error("move {0} (bits {1:#06x}) is not legal")]
    Move(usize, u16),
}

/// Moves of one position, with the score of the position after each.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// The position they are played in.
    pub root: Position,
    /// Who has won the game that the position is from.
    pub result: GameResult,
    /// The moves, each with the score of the position after it in centipawns from White's view.
    pub moves: Vec<(Move, i16)>,
}

/// One game in this many is held out.
const HELD_OUT_ONE_IN: u64 = 100;

impl ScoredGame {
    /// Whether this game is never learned from, so that networks can be judged by it. It depends on
    /// nothing but its moves.
    pub fn is_held_out(&self) -> bool {
        let hash = |hash: u64, &(mv, _): &(Move, i16)| mix(hash ^ u64::from(move_bits(mv)));
        self.moves.iter().fold(0, hash).is_multiple_of(HELD_OUT_ONE_IN)
    }
}

/// A well-mixed number of a counter (SplitMix64, Steele et al. 2014).
fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What a file holds many of.
pub trait Record: Sized {
    /// Writes it.
    ///
    /// # Errors
    /// If the writer fails.
    fn write(&self, out: &mut impl Write) -> io::Result<()>;

    /// Reads the next one; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file ends within, the start is no position or a move is not legal.
    fn read(input: &mut impl BufRead) -> Result<Option<Self>, FormatError>;
}

impl Record for ScoredGame {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_record(&self.start, self.result, &self.moves, out)
    }

    fn read(input: &mut impl BufRead) -> Result<Option<ScoredGame>, FormatError> {
        let Some((start, result)) = read_head(input)? else { return Ok(None) };
        let mut position = start;
        let mut moves = Vec::new();
        while let Some((bits, score)) = read_move(input)? {
            let mv = legal_move(&position.legal_moves(), bits, moves.len())?;
            moves.push((mv, score));
            position.play(mv);
        }
        Ok(Some(ScoredGame { start, result, moves }))
    }
}

impl Record for Fan {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_record(&self.root, self.result, &self.moves, out)
    }

    fn read(input: &mut impl BufRead) -> Result<Option<Fan>, FormatError> {
        let Some((root, result)) = read_head(input)? else { return Ok(None) };
        let legal = root.legal_moves();
        let mut moves = Vec::new();
        while let Some((bits, score)) = read_move(input)? {
            moves.push((legal_move(&legal, bits, moves.len())?, score));
        }
        Ok(Some(Fan { root, result, moves }))
    }
}

fn write_record(
    start: &Position,
    result: GameResult,
    moves: &[(Move, i16)],
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(&pack(start, result))?;
    for &(mv, score) in moves {
        out.write_all(&move_bits(mv).to_le_bytes())?;
        out.write_all(&score.to_le_bytes())?;
    }
    out.write_all(&[0; 4])
}

fn read_head(input: &mut impl BufRead) -> Result<Option<(Position, GameResult)>, FormatError> {
    if input.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut head = [0; 32];
    input.read_exact(&mut head)?;
    unpack(&head).map(Some)
}

/// The bits of the next move and its score; `None` after the last.
fn read_move(input: &mut impl BufRead) -> Result<Option<(u16, i16)>, FormatError> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    let [a, b, c, d] = bytes;
    Ok((bytes != [0; 4]).then(|| (u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]))))
}

fn legal_move(legal: &[Move], bits: u16, before: usize) -> Result<Move, FormatError> {
    let found = legal.iter().copied().find(|&mv| move_bits(mv) == bits);
    found.ok_or(FormatError::Move(before + 1, bits))
}

fn move_bits(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    let promotion = |code: u16| PROMOTION | code << 12;
    let flags = match mv.promotion() {
        Some(PieceKind::Knight) => promotion(0),
        Some(PieceKind::Bishop) => promotion(1),
        Some(PieceKind::Rook) => promotion(2),
        Some(_) => promotion(3),
        None if mv.kind() == MoveKind::EnPassant => EN_PASSANT,
        None if mv.is_castling() => CASTLING,
        None => 0,
    };
    squares | flags
}

/// The 32 bytes of a position: occupancy, a nibble for each man in the order of the squares, side
/// to move with en-passant square, counters, score (unused), result, a spare byte.
fn pack(position: &Position, result: GameResult) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut occupied = 0u64;
    let mut place = 0;
    for square in Square::ALL {
        let Some(piece) = position.piece_at(square) else { continue };
        occupied |= 1 << square.index();
        let color = piece.color();
        let castles = CastlingSide::ALL
            .iter()
            .any(|&side| position.castling().rook(color, side) == Some(square));
        let kind = match castles {
            true => CASTLING_ROOK,
            false => piece.kind().index() as u8,
        };
        bytes[8 + place / 2] |= (kind | (color.index() as u8) << 3) << (4 * (place % 2));
        place += 1;
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    let side = (position.side_to_move().index() as u8) << 7;
    bytes[24] = side | position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[25] = position.halfmove_clock().min(255) as u8;
    let number = position.fullmove_number().min(u32::from(u16::MAX)) as u16;
    bytes[26..28].copy_from_slice(&number.to_le_bytes());
    bytes[30] = result.white_half_points();
    bytes
}

fn unpack(bytes: &[u8; 32]) -> Result<(Position, GameResult), FormatError> {
    let bad = |reason: &str| FormatError::Start(reason.to_owned());
    let occupied = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    if occupied.count_ones() > 32 {
        return Err(bad("more than 32 men"));
    }
    let mut pieces = [None; 64];
    let mut rooks = Vec::new();
    for (place, square) in
        Square::ALL.into_iter().filter(|&square| occupied >> square.index() & 1 == 1).enumerate()
    {
        let nibble = bytes[8 + place / 2] >> (4 * (place % 2)) & 15;
        let color = if nibble < 8 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            CASTLING_ROOK => {
                rooks.push((color, square));
                PieceKind::Rook
            }
            code => *PieceKind::ALL
                .iter()
                .find(|&&kind| kind.index() == usize::from(code))
                .ok_or_else(|| bad("an unknown man"))?,
        };
        pieces[square.index()] = Some(Piece::new(color, kind));
    }
    let king = |color: Color| {
        let king = Some(Piece::new(color, PieceKind::King));
        Square::ALL.into_iter().find(|&square| pieces[square.index()] == king)
    };
    let mut castling = Castling::NONE;
    for (color, rook) in rooks {
        let king = king(color).ok_or_else(|| bad("no king"))?;
        let side = if rook.file() > king.file() { CastlingSide::Short } else { CastlingSide::Long };
        castling.grant(color, side, rook.file());
    }
    let en_passant = match bytes[24] & 127 {
        NO_SQUARE => None,
        square => {
            Some(*Square::ALL.get(usize::from(square)).ok_or_else(|| bad("no en-passant square"))?)
        }
    };
    let setup = Setup {
        pieces,
        side_to_move: if bytes[24] < 128 { Color::White } else { Color::Black },
        castling,
        double_push: en_passant,
        halfmove_clock: bytes[25].into(),
        fullmove_number: u32::from(u16::from_le_bytes([bytes[26], bytes[27]])).max(1),
    };
    let position =
        Position::from_setup(&setup).map_err(|error| FormatError::Start(error.to_string()))?;
    let result = match bytes[30] {
        0 => GameResult::Black,
        1 => GameResult::Draw,
        2 => GameResult::White,
        other => return Err(FormatError::Start(format!("result {other}"))),
    };
    Ok((position, result))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use ferz::notation::{parse_uci, to_uci};
    use viriformat::dataformat::Game;

    use super::*;

    fn game(fen: &str, moves: &[&str], result: GameResult) -> ScoredGame {
        let start = Position::from_fen(fen).unwrap();
        let mut position = start;
        let moves = moves.iter().enumerate().map(|(ply, text)| {
            let mv = parse_uci(&position, text).unwrap();
            position.play(mv);
            (mv, ply as i16 * 7 - 20)
        });
        ScoredGame { start, result, moves: moves.collect() }
    }

    fn samples() -> Vec<ScoredGame> {
        vec![
            game(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &[
                    "e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "g8f6", "g1f3", "g7g6", "f1e2", "f8g7",
                    "e1g1",
                ],
                GameResult::White,
            ),
            game(
                "r3k2r/pP6/8/8/2pP4/8/6p1/R3K2R b KQq d3 3 40",
                &["g2h1n", "b7a8q", "e8d7", "e1c1", "c4c3"],
                GameResult::Black,
            ),
            game(
                "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 9 12",
                &["e1b1", "e8g8"],
                GameResult::Draw,
            ),
            game("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", &["b1a1"], GameResult::Draw),
            game("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", &[], GameResult::Draw),
        ]
    }

    #[test]
    fn games_come_back() {
        let mut bytes = Vec::new();
        for game in samples() {
            game.write(&mut bytes).unwrap();
        }
        let mut input = &bytes[..];
        for game in samples() {
            assert_eq!(ScoredGame::read(&mut input).unwrap().unwrap(), game);
        }
        assert!(ScoredGame::read(&mut input).unwrap().is_none());
    }

    #[test]
    fn fans_come_back_and_their_moves_are_alternatives() {
        let root = Position::startpos();
        let moves = root.legal_moves().iter().map(|&mv| (mv, 7)).collect::<Vec<_>>();
        let fan = Fan { root, result: GameResult::Black, moves };
        let mut bytes = Vec::new();
        fan.write(&mut bytes).unwrap();
        fan.write(&mut bytes).unwrap();
        let mut input = &bytes[..];
        for _ in 0..2 {
            assert_eq!(Fan::read(&mut input).unwrap().as_ref(), Some(&fan));
        }
        assert_eq!(Fan::read(&mut input).unwrap(), None);
        assert!(matches!(ScoredGame::read(&mut &bytes[..]), Err(FormatError::Move(2, _))));
    }

    #[test]
    fn one_game_in_a_hundred_is_held_out_by_its_moves_alone() {
        let moves = Position::startpos().legal_moves();
        let games = (0..20u32.pow(3)).map(|number| {
            let choice = |place: u32| moves[(number / 20u32.pow(place) % 20) as usize];
            let moves = (0..3).map(|place| (choice(place), number as i16)).collect();
            ScoredGame { start: Position::startpos(), result: GameResult::Draw, moves }
        });
        let held_out = games.filter(ScoredGame::is_held_out).count();
        assert!((50..110).contains(&held_out), "{held_out} of 8000");
    }

    /// The field's own crate reads our bytes and writes them back the same; in a build with debug
    /// assertions it also checks that each move is legal.
    #[test]
    fn the_crate_viriformat_reads_the_same_games() {
        for ours in samples() {
            let mut bytes = Vec::new();
            ours.write(&mut bytes).unwrap();
            let theirs =
                Game::deserialise_from(&mut BufReader::new(&bytes[..]), Vec::new()).unwrap();
            assert_eq!(theirs.len(), ours.moves.len());
            let texts: Vec<String> =
                theirs.moves().map(|mv| mv.display(true).to_string()).collect();
            let expected: Vec<String> =
                ours.moves.iter().map(|&(mv, _)| to_uci(mv, true)).collect();
            assert_eq!(texts, expected);
            let mut again = Vec::new();
            theirs.serialise_into(&mut again).unwrap();
            assert_eq!(again, bytes);
        }
    }

    #[test]
    fn broken_files_are_named_and_never_panic() {
        let mut bytes = Vec::new();
        samples()[1].write(&mut bytes).unwrap();
        for length in 1..bytes.len() {
            assert!(ScoredGame::read(&mut &bytes[..length]).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            for value in [0, 0x55, 0xff] {
                let mut broken = bytes.clone();
                broken[place] = value;
                let _ = ScoredGame::read(&mut &broken[..]);
            }
        }
        let mut illegal = bytes.clone();
        illegal[33] ^= 1;
        assert!(matches!(ScoredGame::read(&mut &illegal[..]), Err(FormatError::Move(1, _))));
    }
}
