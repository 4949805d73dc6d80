//! The game as PGN, with its result, its termination and the exact reason.

use super::{Game, Ply};
use crate::laws::{Score, TimeControl};
use crate::notation::pgn::{self, GameResult};
use crate::types::Color;

impl Game {
    /// The game in portable game notation.
    pub fn pgn(&self) -> String {
        self.to_pgn().to_string()
    }

    /// The game as PGN has it: `Result` and `Termination` of the standard, the clocks as `%clk`,
    /// the exact reason of the end in the last comment.
    pub fn to_pgn(&self) -> pgn::Game {
        let mut game = match self.history.after_plies(0) {
            Some(start) => pgn::Game::new(*start),
            None => pgn::Game::default(),
        };
        game.set_tag("TimeControl", self.time_control_tag());
        for (name, value) in &self.tags {
            game.set_tag(name, value);
        }
        game.set_tag(
            "Termination",
            match &self.outcome {
                Some(outcome) => outcome.termination(),
                None => "unterminated",
            },
        );
        self.write_moves(&mut game);
        match &self.outcome {
            Some(outcome) => {
                game.set_result(result(outcome.score));
                game.comment(outcome.to_string());
            }
            None => game.set_result(GameResult::Unknown),
        }
        game
    }

    /// The moves up to the first illegal one: what comes after that PGN cannot hold, so it follows
    /// in words.
    fn write_moves(&self, game: &mut pgn::Game) {
        for (index, ply) in self.plies.iter().enumerate() {
            match ply {
                Ply::Legal(mv) => {
                    game.push(*mv);
                    if let Some(ms) = self.left_ms[index] {
                        game.comment(format!("[%clk {}]", clock_text(ms)));
                    }
                }
                Ply::Illegal(written) => {
                    let rest: Vec<String> =
                        self.plies[index + 1..].iter().map(Ply::to_string).collect();
                    let mut words = format!("the illegal move {written} stands on the board");
                    if !rest.is_empty() {
                        words += &format!("; then {}", rest.join(" "));
                    }
                    game.comment(words);
                    return;
                }
            }
        }
    }

    fn time_control_tag(&self) -> String {
        let control = |color| self.clock(color).map(|clock| clock.control().to_string());
        match (control(Color::White), control(Color::Black)) {
            (None, None) => "-".to_owned(),
            (white, black) if white == black => white.unwrap_or_default(),
            _ => "?".to_owned(),
        }
    }

    /// The time control of a player, if the game keeps that clock.
    pub fn time_control(&self, player: Color) -> Option<&TimeControl> {
        self.clock(player).map(|clock| clock.control())
    }
}

fn result(score: Score) -> GameResult {
    match score.winner() {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None if score == Score::DRAW => GameResult::Draw,
        None => GameResult::Unknown,
    }
}

/// `0:01:30`, with tenths of a second where there are some.
fn clock_text(ms: u64) -> String {
    let (seconds, tenths) = (ms / 1000, ms % 1000 / 100);
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if tenths == 0 { text } else { format!("{text}.{tenths}") }
}
