//! Positions of a game with every move of theirs.
//!
//! Games of a strong player hold few of the poor moves that a search must judge; a fan holds them
//! all, and for the price of one position a teacher scores thirty.

use ferz::types::Color;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::format::{Fan, ScoredGame};
use super::player::{Player, PlayerError};

/// Fans for one position of the game in `one_in`; none for a game that is held out.
///
/// # Errors
/// If the player cannot go on.
pub fn fans_of(
    game: &ScoredGame,
    one_in: u32,
    player: &mut dyn Player,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Fan>, PlayerError> {
    let mut position = game.start;
    let mut fans = Vec::new();
    if game.is_held_out() {
        return Ok(fans);
    }
    player.new_game(&game.start)?;
    for &(mv, _) in &game.moves {
        if rng.random_range(0..one_in.max(1)) == 0 {
            let white = position.side_to_move() == Color::White;
            let scored = player.fan(&position)?;
            let moves =
                scored.into_iter().map(|(mv, own)| (mv, if white { own } else { -own })).collect();
            fans.push(Fan { root: position, result: game.result, moves });
        }
        position.play(mv);
    }
    Ok(fans)
}
