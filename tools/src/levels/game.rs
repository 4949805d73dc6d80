//! Games and matches in pairs: one opening, both colours.

use ferz::board::{Board, Position};
use ferz::types::{Color, PieceKind, Score};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::player::{Own, Player, PlayerError};
use crate::stats::Pentanomial;

/// Plies after which a game is drawn.
const MAX_PLIES: usize = 400;
/// Both players' scores beyond this settle a game ...
const SETTLED: Score = 1500;
/// ... when they have agreed for so many plies.
const SETTLED_PLIES: usize = 8;

/// How the games of a match are played.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Seed of openings and misjudgements.
    pub seed: u64,
    /// Whether scores that both players agree on end a game: weak players may still go wrong.
    pub adjudicate: bool,
}

/// How a position ends the game: `Some(None)` is a draw.
pub fn over(board: &Board) -> Option<Option<Color>> {
    if !board.has_legal_move() {
        return Some(board.in_check().then(|| !board.side_to_move()));
    }
    let minors = board.by_kind(PieceKind::Knight) | board.by_kind(PieceKind::Bishop);
    let bare = board.occupied() == (minors | board.by_kind(PieceKind::King)) && !minors.many();
    let drawn = board.halfmove_clock() >= 100 || board.repetitions() >= 2 || bare;
    drawn.then_some(None)
}

/// Plays a game from a position; `players` are White and Black. `None` is a draw.
///
/// # Errors
/// If a player fails.
pub fn play(
    start: Position,
    players: [&mut dyn Player; 2],
    adjudicate: bool,
) -> Result<Option<Color>, PlayerError> {
    let mut board = Board::new(start);
    let mut settled = (Color::White, 0);
    for _ in 0..MAX_PLIES {
        if let Some(result) = over(&board) {
            return Ok(result);
        }
        let side = board.side_to_move();
        let choice = players[side.index()].choose(&board)?;
        let score = choice.score.unwrap_or(0);
        let ahead = if score > 0 { side } else { !side };
        settled = match score.abs() >= SETTLED {
            true if settled.0 == ahead => (ahead, settled.1 + 1),
            true => (ahead, 1),
            false => (ahead, 0),
        };
        if adjudicate && settled.1 >= SETTLED_PLIES {
            return Ok(Some(ahead));
        }
        board.play(choice.mv);
    }
    Ok(None)
}

/// A position after some random moves that is about even.
///
/// # Errors
/// Without memory to search in.
pub fn opening(seed: u64) -> Result<Position, PlayerError> {
    const PLIES: usize = 8;
    const EVEN: Score = 60;
    const NODES: u64 = 500;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut judge = Own::strong(NODES)?;
    loop {
        let mut board = Board::startpos();
        while board.plies() < PLIES && over(&board).is_none() {
            let moves = board.legal_moves();
            board.play(moves[random.random_range(0..moves.len())]);
        }
        if over(&board).is_some() {
            continue;
        }
        judge.new_game(seed)?;
        if judge.choose(&board)?.score.is_some_and(|score| score.abs() <= EVEN) {
            return Ok(*board.position());
        }
    }
}

/// Makes a player, once in each thread of a match.
pub type Maker<'a> = &'a (dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Sync);

/// Plays pairs of games on all threads; the counts are from the first player's view.
///
/// # Errors
/// The first failure of a player.
pub fn play_match(
    first: Maker,
    second: Maker,
    pairs: u64,
    rules: Rules,
) -> Result<Pentanomial, PlayerError> {
    (0..pairs)
        .into_par_iter()
        .map_init(
            || (first(), second()),
            |players, pair| {
                let (first, second) = match players {
                    (Ok(first), Ok(second)) => (&mut **first, &mut **second),
                    // The reason comes out where it can be owned.
                    (Err(_), _) => return Err(first().err()),
                    (_, Err(_)) => return Err(second().err()),
                };
                play_pair(first, second, rules.seed.wrapping_add(pair), rules).map_err(Some)
            },
        )
        .try_fold(Pentanomial::default, |mut sum, half_points| {
            sum.add(half_points?);
            Ok(sum)
        })
        .try_reduce(Pentanomial::default, |mut sum, part| {
            sum.merge(&part);
            Ok(sum)
        })
        .map_err(|error: Option<PlayerError>| {
            error.unwrap_or_else(|| PlayerError::Ended("player".to_owned()))
        })
}

/// The first player's half points in two games from one opening.
fn play_pair(
    first: &mut dyn Player,
    second: &mut dyn Player,
    seed: u64,
    rules: Rules,
) -> Result<u8, PlayerError> {
    let start = opening(seed)?;
    let mut half_points = 0;
    for (game, color) in Color::ALL.into_iter().enumerate() {
        // Opponents of one level must not misjudge alike.
        let seed = 4 * seed + 2 * game as u64;
        first.new_game(seed)?;
        second.new_game(seed + 1)?;
        let result = match color {
            Color::White => play(start, [first, second], rules.adjudicate)?,
            Color::Black => play(start, [second, first], rules.adjudicate)?,
        };
        half_points += match result {
            Some(winner) if winner == color => 2,
            Some(_) => 0,
            None => 1,
        };
    }
    Ok(half_points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::search::Level;

    #[test]
    fn games_end_as_the_laws_say() {
        let ended = |fen| over(&Board::from_fen(fen).unwrap());
        assert_eq!(ended("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), None);
        assert_eq!(ended("R5k1/5ppp/8/8/8/8/8/7K b - - 1 1"), Some(Some(Color::White)));
        assert_eq!(ended("7k/5Q2/8/8/8/8/8/7K b - - 1 1"), Some(None));
        assert_eq!(ended("7k/8/8/8/8/8/8/R6K w - - 100 90"), Some(None));
        assert_eq!(ended("7k/8/8/8/8/8/8/2B4K w - - 0 1"), Some(None));
    }

    #[test]
    fn a_match_counts_every_pair_and_sees_the_stronger_player() {
        let strong = || Ok(Box::new(Own::strong(600)?) as Box<dyn Player>);
        let weak = || Ok(Box::new(Own::weak(Level::of(0))?) as Box<dyn Player>);
        let rules = Rules { seed: 3, adjudicate: false };
        let pairs = play_match(&strong, &weak, 2, rules).unwrap();
        assert_eq!(pairs.pairs(), 2);
        assert_eq!(pairs.0[3] + pairs.0[4], 2, "{pairs:?}");
    }
}
