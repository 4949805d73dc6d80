//! Ending games before the rules do: by the engines' own scores, by endgame tables, by length.

use ferz::board::Position;
use ferz::tablebase::Tablebase;
use ferz::types::Color;

use super::config::Adjudication;
use super::referee::{Ending, GameResult, Verdict};

/// Follows the scores of both sides.
#[derive(Debug, Default)]
pub struct Adjudicator {
    /// Running own moves of White and Black with a lost score.
    lost: [u32; 2],
    /// The same with a won score.
    won: [u32; 2],
    /// Running plies with a level score.
    level: u32,
}

impl Adjudicator {
    /// Takes the score of the move that `mover` has just played, in centipawns from its own view;
    /// `None` resets what counts on it. `full_move` is the number of that move.
    pub fn add(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        score: Option<i32>,
        full_move: u32,
    ) -> Option<Verdict> {
        if let Some(rule) = rules.resign {
            let side = mover.index();
            let count = |running: u32, holds: bool| if holds { running + 1 } else { 0 };
            self.lost[side] = count(self.lost[side], score.is_some_and(|s| s <= -rule.score));
            self.won[side] = count(self.won[side], score.is_some_and(|s| s >= rule.score));
            for loser in Color::ALL {
                let admitted = self.lost[loser.index()] >= rule.moves;
                let agreed = !rule.two_sided || self.won[(!loser).index()] >= rule.moves;
                if admitted && agreed {
                    return Some(Verdict {
                        result: GameResult::of_winner(Some(!loser)),
                        ending: Ending::AdjudicatedWin,
                        words: format!("{loser} has lost by its own scores"),
                    });
                }
            }
        }
        if let Some(rule) = rules.draw {
            let level = score.is_some_and(|s| s.abs() <= rule.score);
            self.level = if level && full_move >= rule.from_move { self.level + 1 } else { 0 };
            if self.level >= 2 * rule.moves {
                return Some(Verdict {
                    result: GameResult::Draw,
                    ending: Ending::AdjudicatedDraw,
                    words: "drawn by both sides' scores".to_owned(),
                });
            }
        }
        if rules.max_moves.is_some_and(|most| full_move >= most && mover == Color::Black) {
            return Some(Verdict {
                result: GameResult::Draw,
                ending: Ending::MaxMoves,
                words: "drawn at the limit of moves".to_owned(),
            });
        }
        None
    }
}

/// The result of a position by endgame tables, under the fifty-move rule and with the moves already
/// made without capture or pawn move; `None` if they do not know it or the count is too near its end.
pub fn by_tables(tables: &Tablebase, position: &Position) -> Option<Verdict> {
    if !tables.covers(position) {
        return None;
    }
    let distance = tables.probe_dtz(position)?;
    let winner = match distance {
        0 => None,
        // The distance may be one ply short.
        d if d.unsigned_abs() + position.halfmove_clock() < 100 => match d > 0 {
            true => Some(position.side_to_move()),
            false => Some(!position.side_to_move()),
        },
        _ => return None,
    };
    let words = match winner {
        Some(winner) => format!("{winner} wins by endgame tables"),
        None => "drawn by endgame tables".to_owned(),
    };
    Some(Verdict { result: GameResult::of_winner(winner), ending: Ending::Tablebase, words })
}

#[cfg(test)]
mod tests {
    use super::super::config::{DrawByScore, Resign};
    use super::*;

    fn run(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::default();
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = Color::ALL[ply % 2];
            let verdict = adjudicator.add(rules, mover, score, ply as u32 / 2 + 1)?;
            Some((ply, verdict.result))
        })
    }

    #[test]
    fn only_the_loser_can_admit_a_loss() {
        let rules = Adjudication {
            resign: Some(Resign { moves: 2, score: 500, two_sided: false }),
            ..Default::default()
        };
        let claims = [Some(9000), Some(0), Some(9000), Some(0), Some(9000), Some(0)];
        assert_eq!(run(&rules, &claims), None);
        let lost = [Some(0), Some(-600), Some(0), Some(-600)];
        assert_eq!(run(&rules, &lost), Some((3, GameResult::White)));
        let gap = [Some(-600), Some(0), None, Some(0), Some(-600), Some(0), Some(-600)];
        assert_eq!(run(&rules, &gap), Some((6, GameResult::Black)));
    }

    #[test]
    fn two_sided_needs_both() {
        let resign = Some(Resign { moves: 2, score: 500, two_sided: true });
        let rules = Adjudication { resign, ..Default::default() };
        assert_eq!(run(&rules, &[Some(0), Some(-600), Some(0), Some(-600)]), None);
        let agreed = [Some(600), Some(-600), Some(600), Some(-600)];
        assert_eq!(run(&rules, &agreed), Some((3, GameResult::White)));
    }

    #[test]
    fn level_and_long_games_are_drawn() {
        let rules = Adjudication {
            draw: Some(DrawByScore { from_move: 2, moves: 2, score: 10 }),
            ..Default::default()
        };
        assert_eq!(run(&rules, &[Some(5); 9]), Some((5, GameResult::Draw)));
        assert_eq!(run(&rules, &[Some(5), Some(5), Some(5), Some(11), Some(5), None]), None);
        let rules = Adjudication { max_moves: Some(3), ..Default::default() };
        assert_eq!(run(&rules, &[None; 9]), Some((5, GameResult::Draw)));
    }

    #[test]
    fn tables_decide_what_the_fifty_moves_leave_time_for() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");
        let tables = Tablebase::open(folder).tablebase;
        assert!(tables.max_men() >= 3, "the tables of the tests are not there");
        let result = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            by_tables(&tables, &position).map(|verdict| verdict.result)
        };
        assert_eq!(result("8/8/8/8/4k3/8/8/KQ6 b - - 0 1"), Some(GameResult::White));
        assert_eq!(result("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), Some(GameResult::White));
        assert_eq!(result("k7/8/8/8/8/8/P7/K7 w - - 0 1"), Some(GameResult::Draw));
        assert_eq!(result("8/8/8/4k3/8/8/8/KQ6 w - - 95 90"), None);
        assert_eq!(result("4k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1"), None);
    }
}
