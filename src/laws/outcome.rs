//! How a game ended: the score, the reason, both in words, and PGN's `Result` and `Termination`.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// What each side gets, in half points: 0, 1 or 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "[u8; 2]", into = "[u8; 2]")]
pub struct Score {
    white: u8,
    black: u8,
}

impl Score {
    /// Half a point each.
    pub const DRAW: Score = Score { white: 1, black: 1 };
    /// Both forfeited.
    pub const NONE: Score = Score { white: 0, black: 0 };

    /// A score in half points of White and Black; `None` if a side would get more than a win, or
    /// both together more than there is.
    pub const fn new(white: u8, black: u8) -> Option<Score> {
        if white > 2 || black > 2 || white + black > 2 {
            None
        } else {
            Some(Score { white, black })
        }
    }

    /// A full point for this side.
    pub const fn win(color: Color) -> Score {
        match color {
            Color::White => Score { white: 2, black: 0 },
            Color::Black => Score { white: 0, black: 2 },
        }
    }

    /// The half points of a side.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The side that won, if one did.
    pub const fn winner(self) -> Option<Color> {
        match (self.white, self.black) {
            (2, _) => Some(Color::White),
            (_, 2) => Some(Color::Black),
            _ => None,
        }
    }

    /// PGN's `Result`; PGN has no word for scores such as 0-0: `*`, and the comment says more.
    pub const fn pgn(self) -> &'static str {
        match (self.white, self.black) {
            (2, 0) => "1-0",
            (0, 2) => "0-1",
            (1, 1) => "1/2-1/2",
            _ => "*",
        }
    }
}

/// Half points that no game gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a score is two counts of half points from 0 to 2, together at most 2")]
pub struct ScoreError;

impl TryFrom<[u8; 2]> for Score {
    type Error = ScoreError;

    fn try_from([white, black]: [u8; 2]) -> Result<Score, ScoreError> {
        Score::new(white, black).ok_or(ScoreError)
    }
}

impl From<Score> for [u8; 2] {
    fn from(score: Score) -> [u8; 2] {
        [score.white, score.black]
    }
}

impl fmt::Display for Score {
    /// `1-0`, `½-½`, `½-0`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |half_points| match half_points {
            0 => "0",
            1 => "½",
            _ => "1",
        };
        write!(f, "{}-{}", word(self.white), word(self.black))
    }
}

/// What is wrong with a sealed move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SealedFault {
    /// The envelope is empty.
    Missing,
    /// What is written is no legal move.
    Impossible,
    /// What is written could be more than one move.
    Ambiguous,
}

/// Why the game ended. `by` is the player who did it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// Checkmate [5.1.1].
    Checkmate,
    /// Stalemate [5.2.1].
    Stalemate,
    /// Neither king can be mated by any series of legal moves [5.2.2].
    DeadPosition,
    /// Resignation [5.1.2].
    Resignation {
        /// Who resigned.
        by: Color,
    },
    /// The flag fell [6.9].
    Flag {
        /// Whose flag fell.
        by: Color,
    },
    /// The illegal move that loses [7.5.5].
    IllegalMove {
        /// Who made it.
        by: Color,
    },
    /// Not there at the default time [6.7.1].
    Default {
        /// Who was late.
        by: Color,
    },
    /// Refuses to go on.
    RefusalToPlay {
        /// Who refused.
        by: Color,
    },
    /// Refuses to comply with the Laws [11.7].
    RefusalToComply {
        /// Who refused.
        by: Color,
    },
    /// A gross breach of the rules [12.9].
    GrossBreach {
        /// Who broke them.
        by: Color,
    },
    /// A program crashed or lost its connection.
    Crash {
        /// Whose program.
        by: Color,
    },
    /// The sealed move is worth nothing [Guidelines I].
    SealedMove {
        /// Who sealed.
        by: Color,
        /// What is wrong with it.
        fault: SealedFault,
    },
    /// The players agreed [5.2.3, 9.1].
    Agreement,
    /// A right claim of repetition [9.2].
    RepetitionClaim {
        /// How often the position has stood, the intended move included.
        count: u32,
    },
    /// A right claim of moves without progress [9.3].
    NoProgressClaim {
        /// Plies without capture or pawn move, the intended move included.
        plies: u32,
    },
    /// Repetition that ends the game by itself [9.6.1].
    Repetition {
        /// How often the position has stood.
        count: u32,
    },
    /// Moves without progress that end the game by themselves [9.6.2].
    NoProgress {
        /// Plies without capture or pawn move.
        plies: u32,
    },
    /// The arbiter decided.
    Arbiter {
        /// In the arbiter's words.
        words: String,
    },
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Half points of White and Black.
    pub score: Score,
    /// Why.
    pub reason: Reason,
    /// The score would be a draw if the winner cannot mate by any series of legal moves, and that
    /// could not be decided: the arbiter should look.
    #[serde(default)]
    pub undecided: bool,
}

impl Outcome {
    /// The side that won, if one did.
    pub fn winner(&self) -> Option<Color> {
        self.score.winner()
    }

    /// The article it rests on.
    pub fn article(&self) -> &'static str {
        match &self.reason {
            Reason::Checkmate => "5.1.1",
            Reason::Stalemate => "5.2.1",
            Reason::DeadPosition => "5.2.2",
            Reason::Resignation { .. } => "5.1.2",
            Reason::Flag { .. } => "6.9",
            Reason::IllegalMove { .. } => "7.5.5",
            Reason::Default { .. } => "6.7.1",
            Reason::RefusalToPlay { .. } | Reason::RefusalToComply { .. } => "11.7",
            Reason::GrossBreach { .. } => "12.9",
            Reason::Crash { .. } => "11.7",
            Reason::SealedMove { .. } => "Guidelines I.10",
            Reason::Agreement => "5.2.3",
            Reason::RepetitionClaim { .. } => "9.2",
            Reason::NoProgressClaim { .. } => "9.3",
            Reason::Repetition { .. } => "9.6.1",
            Reason::NoProgress { .. } => "9.6.2",
            Reason::Arbiter { .. } => "12.9",
        }
    }

    /// PGN's `Termination`.
    pub fn termination(&self) -> &'static str {
        match self.reason {
            Reason::Flag { .. } => "time forfeit",
            Reason::IllegalMove { .. }
            | Reason::RefusalToComply { .. }
            | Reason::GrossBreach { .. }
            | Reason::SealedMove { .. } => "rules infraction",
            Reason::Arbiter { .. } => "adjudication",
            Reason::Default { .. } | Reason::RefusalToPlay { .. } | Reason::Crash { .. } => {
                "abandoned"
            }
            _ => "normal",
        }
    }

    /// What happened, without the score.
    fn cause(&self) -> Cow<'static, str> {
        let text = match &self.reason {
            Reason::Checkmate => return "checkmate".into(),
            Reason::Stalemate => return "stalemate".into(),
            Reason::DeadPosition => {
                return "dead position: no series of legal moves mates either king".into();
            }
            Reason::Agreement => return "draw by agreement".into(),
            Reason::Resignation { by } => format!("{by} resigned"),
            Reason::Flag { by } => format!("{by}'s flag fell"),
            Reason::IllegalMove { by } => format!("{by} completed an illegal move that loses"),
            Reason::Default { by } => format!("{by} was not there at the default time"),
            Reason::RefusalToPlay { by } => format!("{by} refused to go on"),
            Reason::RefusalToComply { by } => format!("{by} refused to comply with the Laws"),
            Reason::GrossBreach { by } => format!("{by} broke the rules grossly"),
            Reason::Crash { by } => format!("{by}'s program stopped playing"),
            Reason::SealedMove { by, fault } => format!(
                "{by}'s sealed move is {}",
                match fault {
                    SealedFault::Missing => "missing",
                    SealedFault::Impossible => "impossible",
                    SealedFault::Ambiguous => "ambiguous",
                }
            ),
            Reason::RepetitionClaim { count } => {
                format!("claimed: the same position for the {} time", ordinal(*count))
            }
            Reason::Repetition { count } => {
                format!("the same position for the {} time", ordinal(*count))
            }
            Reason::NoProgressClaim { plies } => {
                format!("claimed: {} moves by each player without capture or pawn move", plies / 2)
            }
            Reason::NoProgress { plies } => {
                format!("{} moves by each player without capture or pawn move", plies / 2)
            }
            Reason::Arbiter { words } => format!("the arbiter decided: {words}"),
        };
        text.into()
    }

    /// Whether only the missing possibility of mate made a draw of it.
    fn saved_by_no_mate(&self) -> bool {
        self.score == Score::DRAW
            && matches!(
                self.reason,
                Reason::Resignation { .. }
                    | Reason::Flag { .. }
                    | Reason::IllegalMove { .. }
                    | Reason::Crash { .. }
            )
    }
}

fn ordinal(count: u32) -> String {
    let suffix = match (count % 10, count % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{count}{suffix}")
}

impl fmt::Display for Outcome {
    /// A sentence for people: who won, why, by which article.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.score.winner(), self.score) {
            (Some(winner), _) => write!(f, "{winner} wins: {}", self.cause())?,
            (None, Score::DRAW) => write!(f, "Draw: {}", self.cause())?,
            (None, score) => write!(f, "Score {score}: {}", self.cause())?,
        }
        if self.saved_by_no_mate() {
            f.write_str(", but no series of legal moves lets the opponent mate")?;
        }
        write!(f, " [{}]", self.article())?;
        if self.undecided {
            f.write_str("; whether the winner can still mate at all is undecided")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_who_why_and_which_article() {
        let outcome = |score, reason| Outcome { score, reason, undecided: false };
        let mate = outcome(Score::win(Color::White), Reason::Checkmate);
        assert_eq!(mate.to_string(), "White wins: checkmate [5.1.1]");
        let flag = outcome(Score::DRAW, Reason::Flag { by: Color::Black });
        assert!(flag.to_string().contains("Black's flag fell, but no series"), "{flag}");
        assert_eq!(flag.termination(), "time forfeit");
        let both = outcome(Score::NONE, Reason::Default { by: Color::White });
        assert!(both.to_string().starts_with("Score 0-0"), "{both}");
        assert_eq!((both.score.pgn(), both.termination()), ("*", "abandoned"));
        let third = outcome(Score::DRAW, Reason::RepetitionClaim { count: 3 });
        assert!(third.to_string().contains("3rd time"), "{third}");
    }

    #[test]
    fn impossible_scores_are_refused() {
        assert_eq!(Score::new(2, 1), None);
        assert!(serde_json::from_str::<Score>("[2,2]").is_err());
        assert_eq!(serde_json::from_str::<Score>("[1,0]").unwrap(), Score::new(1, 0).unwrap());
    }
}
