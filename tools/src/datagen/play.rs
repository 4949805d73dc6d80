//! One training game, and new scores for an old one.

use ferz::board::{Board, Position};
use ferz::types::{Color, Move};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::format::ScoredGame;
use super::player::{Player, PlayerError};
use super::starts::Starts;
use crate::arena::referee::GameResult;

/// When a training game ends before the rules end it, and how random it is.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// A start position with a score beyond this, either way, is drawn again, in centipawns.
    pub max_start_score: i16,
    /// A score beyond this, either way, `win_plies` times running decides the game.
    pub win_score: i16,
    /// See `win_score`.
    pub win_plies: u32,
    /// A score within this `draw_plies` times running makes a draw.
    pub draw_score: i16,
    /// See `draw_score`.
    pub draw_plies: u32,
    /// The ply from which level scores count.
    pub draw_from: u32,
    /// The ply at which a game is drawn.
    pub max_plies: u32,
    /// One move in this many is random, up to `random_until`; 0 for none.
    pub random_one_in: u32,
    /// The ply up to which moves can be random.
    pub random_until: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            max_start_score: 350,
            win_score: 1500,
            win_plies: 5,
            draw_score: 8,
            draw_plies: 12,
            draw_from: 80,
            max_plies: 400,
            random_one_in: 0,
            random_until: 60,
        }
    }
}

/// Plays a game from a start position that is not decided yet.
///
/// # Errors
/// If the player cannot go on.
pub fn play(
    starts: &Starts,
    rules: &Rules,
    player: &mut dyn Player,
    rng: &mut ChaCha8Rng,
) -> Result<ScoredGame, PlayerError> {
    loop {
        let start = starts.draw(rng);
        player.new_game(&start)?;
        let first = player.choose(&Board::new(start), &[])?;
        if first.1.unsigned_abs() <= rules.max_start_score.unsigned_abs() {
            return play_from(start, first, rules, player, rng);
        }
    }
}

fn play_from(
    start: Position,
    first: (Move, i16),
    rules: &Rules,
    player: &mut dyn Player,
    rng: &mut ChaCha8Rng,
) -> Result<ScoredGame, PlayerError> {
    let mut board = Board::new(start);
    let mut game = ScoredGame { start, result: GameResult::Draw, moves: Vec::new() };
    let mut played = Vec::new();
    let mut streak = Streak::default();
    let mut choice = Some(first);
    loop {
        let (best, score) = match choice.take() {
            Some(choice) => choice,
            None => player.choose(&board, &played)?,
        };
        let white = match board.position().side_to_move() {
            Color::White => score,
            Color::Black => -score,
        };
        let ply = played.len() as u32;
        let random = ply < rules.random_until
            && rules.random_one_in > 0
            && rng.random_range(0..rules.random_one_in) == 0;
        let mv = match random {
            true => {
                let moves = board.position().legal_moves();
                moves[rng.random_range(0..moves.len())]
            }
            false => best,
        };
        game.moves.push((mv, white));
        played.push(mv);
        board.play(mv);
        if let Some(result) = over(&board).or_else(|| streak.add(rules, white, ply)) {
            game.result = result;
            return Ok(game);
        }
    }
}

/// How the rules have ended the game, if they have.
fn over(board: &Board) -> Option<GameResult> {
    let position = board.position();
    if !position.has_legal_move() {
        let winner = position.in_check().then_some(!position.side_to_move());
        return Some(GameResult::of_winner(winner));
    }
    let drawn = board.repetitions() >= 2
        || position.halfmove_clock() >= 100
        || position.occupied().count() == 2;
    drawn.then_some(GameResult::Draw)
}

/// Running scores that end a game.
#[derive(Default)]
struct Streak {
    won: i32,
    level: u32,
}

impl Streak {
    fn add(&mut self, rules: &Rules, white: i16, ply: u32) -> Option<GameResult> {
        let side = match white {
            score if score >= rules.win_score => 1,
            score if score <= -rules.win_score => -1,
            _ => 0,
        };
        self.won = if side * self.won > 0 { self.won + side } else { side };
        let level =
            white.unsigned_abs() <= rules.draw_score.unsigned_abs() && ply >= rules.draw_from;
        self.level = if level { self.level + 1 } else { 0 };
        if self.won.unsigned_abs() >= rules.win_plies {
            let winner = if self.won > 0 { Color::White } else { Color::Black };
            return Some(GameResult::of_winner(Some(winner)));
        }
        let drawn = self.level >= rules.draw_plies || ply + 1 >= rules.max_plies;
        drawn.then_some(GameResult::Draw)
    }
}

/// Gives every position of a game a new score; moves and result stay.
///
/// # Errors
/// If the player cannot go on.
pub fn relabel(game: &mut ScoredGame, player: &mut dyn Player) -> Result<(), PlayerError> {
    player.new_game(&game.start)?;
    let mut board = Board::new(game.start);
    let mut played = Vec::new();
    for (mv, score) in &mut game.moves {
        let (_, own) = player.choose(&board, &played)?;
        *score = if board.position().side_to_move() == Color::White { own } else { -own };
        board.play(*mv);
        played.push(*mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Plays the first legal move and gives scores by the ply.
    struct Scripted(fn(usize) -> i16);

    impl Player for Scripted {
        fn new_game(&mut self, _: &Position) -> Result<(), PlayerError> {
            Ok(())
        }

        fn choose(&mut self, board: &Board, moves: &[Move]) -> Result<(Move, i16), PlayerError> {
            let white = self.0(moves.len());
            let side = board.position().side_to_move();
            let own = if side == Color::White { white } else { -white };
            Ok((board.position().legal_moves()[0], own))
        }

        fn fan(&mut self, position: &Position) -> Result<Vec<(Move, i16)>, PlayerError> {
            Ok(position.legal_moves().into_iter().map(|mv| (mv, self.0(0))).collect())
        }
    }

    fn run(rules: &Rules, scores: fn(usize) -> i16) -> ScoredGame {
        let starts = Starts::new(1, 0, &[]).unwrap();
        play(&starts, rules, &mut Scripted(scores), &mut ChaCha8Rng::seed_from_u64(3)).unwrap()
    }

    #[test]
    fn scores_decide_games() {
        let rules = Rules { win_plies: 3, ..Rules::default() };
        let won = run(&rules, |ply| if ply >= 2 { 1600 } else { 0 });
        assert_eq!((won.result, won.moves.len()), (GameResult::White, 5));
        assert_eq!(won.moves[4].1, 1600);
        let lost = run(&rules, |ply| if ply >= 2 { -1600 } else { 0 });
        assert_eq!((lost.result, lost.moves.len()), (GameResult::Black, 5));
        let level = Rules { draw_from: 2, draw_plies: 2, ..rules };
        assert_eq!(run(&level, |_| 1).moves.len(), 4);
        let short = Rules { max_plies: 3, ..rules };
        let cut = run(&short, |_| 100);
        assert_eq!((cut.result, cut.moves.len()), (GameResult::Draw, 3));
    }

    #[test]
    fn new_scores_leave_moves_and_result() {
        let rules = Rules { max_plies: 6, ..Rules::default() };
        let before = run(&rules, |_| 100);
        let mut after = before.clone();
        relabel(&mut after, &mut Scripted(|ply| ply as i16)).unwrap();
        assert_eq!(after.result, before.result);
        let scores: Vec<i16> = after.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [0, 1, 2, 3, 4, 5]);
        assert!(after.moves.iter().zip(&before.moves).all(|(a, b)| a.0 == b.0));
    }
}
