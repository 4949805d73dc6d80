//! Whether the simple mates are won: rook or queen against a bare king.

use std::time::{Duration, Instant};

use ferz::board::{Board, Position, Setup};
use ferz::search::Level;
use ferz::types::{Color, Piece, PieceKind, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::game::over;
use super::player::{Own, Player, PlayerError};

/// What a level made of an ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    /// Games played.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// The longest that a move took.
    pub slowest: Duration,
}

/// Lets a level play out random won positions of king and piece against king.
///
/// # Errors
/// Without memory to search in.
pub fn measure(
    level: Level,
    piece: PieceKind,
    games: u32,
    seed: u64,
) -> Result<Endings, PlayerError> {
    /// Nodes of the defender, who misjudges nothing.
    const DEFENDER_NODES: u64 = 3_000;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut attacker, mut defender) = (Own::weak(level)?, Own::strong(DEFENDER_NODES)?);
    let mut endings = Endings::default();
    while endings.games < games {
        let Some(start) = random_ending(piece, &mut random) else { continue };
        attacker.new_game(random.random())?;
        defender.new_game(0)?;
        let mut board = Board::new(start);
        let result = loop {
            if let Some(result) = over(&board) {
                break result;
            }
            let choice = if board.side_to_move() == Color::White {
                let begin = Instant::now();
                let choice = attacker.choose(&board)?;
                endings.slowest = endings.slowest.max(begin.elapsed());
                choice
            } else {
                defender.choose(&board)?
            };
            board.play(choice.mv);
        };
        endings.games += 1;
        endings.won += u32::from(result == Some(Color::White));
    }
    Ok(endings)
}

/// White to move with king and piece against a king; `None` if the men drawn stand impossibly.
fn random_ending(piece: PieceKind, random: &mut ChaCha8Rng) -> Option<Position> {
    let mut pieces = [None; Square::COUNT];
    let men = [
        Piece::new(Color::White, PieceKind::King),
        Piece::new(Color::Black, PieceKind::King),
        Piece::new(Color::White, piece),
    ];
    for man in men {
        let square: &mut Option<Piece> = &mut pieces[random.random_range(0..Square::COUNT)];
        if square.replace(man).is_some() {
            return None;
        }
    }
    let setup = Setup { pieces, ..Position::startpos().to_setup() };
    let mut setup = Setup { side_to_move: Color::White, ..setup };
    setup.drop_impossible();
    Position::from_setup(&setup).ok().filter(Position::has_legal_move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::search::Weakness;

    #[test]
    fn the_weakest_level_wins_with_queen_and_with_rook() {
        for piece in [PieceKind::Queen, PieceKind::Rook] {
            let endings = measure(Level::of(Weakness::MIN_ELO), piece, 4, 11).unwrap();
            assert_eq!((endings.games, endings.won), (4, 4), "{piece:?}");
        }
    }
}
