//! A set of rules as one plain value, and the five that are ready to use.

use serde::{Deserialize, Serialize};

/// When a draw by repetition or by moves without progress is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// From this count on, the player to move may claim; `None`: claims are not provided for.
    pub claim: Option<u32>,
    /// From this count on, the game is drawn at once; `None`: never.
    pub automatic: Option<u32>,
}

/// How long after an illegal move it can still be put right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundWithin {
    /// At any time before the game ends [7.5.1].
    Game,
    /// Only before the opponent has made the next move [A.5, B.4]; afterwards it stands.
    NextMove,
}

/// What follows from a completed illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IllegalMoveRule {
    /// Extra time for the opponent, in ms.
    pub bonus_ms: u64,
    /// The completed illegal move of a player that loses the game: 1 is the first.
    pub loses_at: u32,
    /// How long it can be put right.
    pub found_within: FoundWithin,
}

/// When a move counts as completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Completion {
    /// When the player presses the clock [6.2.1].
    Press,
    /// When it is made: there is no clock to press, an illegal move is completed at once.
    Made,
}

/// What touching men obliges to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TouchRule {
    /// Article 4 of the FIDE Laws.
    Fide,
    /// As FIDE, but with men of both colours touched any touched man may have to take any touched
    /// man, then the own men count, then the opponent's.
    AnyPair,
    /// Touching obliges to nothing (play on screens).
    Free,
}

/// When draws may be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferRule {
    /// Whether draws by agreement exist at all in this event [9.1.1].
    pub allowed: bool,
    /// How many moves each player must have made first; at least 1 under the Laws [5.2.3].
    pub after_moves: u32,
}

/// Everything in which one event's rules differ from another's. Times are in ms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// What people call it.
    pub name: String,
    /// Repetition: how often the same position has stood on the board [9.2, 9.6.1].
    pub repetition: DrawRule,
    /// Plies without a capture or a pawn's move [9.3, 9.6.2].
    pub no_progress: DrawRule,
    /// Illegal moves [7.5].
    pub illegal_move: IllegalMoveRule,
    /// Extra time for the opponent after a wrong claim [9.5.3].
    pub wrong_claim_bonus_ms: u64,
    /// Touch-move [4].
    pub touch: TouchRule,
    /// What completes a move.
    pub completion: Completion,
    /// Draws by agreement [9.1].
    pub offers: OfferRule,
    /// How late a player may come [6.7.1]; `None`: there is no such rule.
    pub default_time_ms: Option<u64>,
    /// Whether a player whose opponent flags, resigns or makes the last illegal move gets only a
    /// draw when no series of legal moves mates [5.1.2, 6.9, 7.5.5].
    pub win_needs_possible_mate: bool,
    /// Whether the game ends at once when neither king can be mated any more [5.2.2].
    pub dead_position_ends: bool,
    /// How long one question "can this side still mate?" may be searched.
    pub mating_budget_ms: u64,
}

/// A rule set that no game can be played by.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("rule set field {field}: {reason}")]
pub struct RulesetError {
    /// The field at fault.
    pub field: &'static str,
    /// Why.
    pub reason: &'static str,
}

impl Ruleset {
    /// The names of the ready rule sets.
    pub const PROFILES: [&'static str; 5] =
        ["standard", "rapid", "blitz", "blitz-strict", "engine"];

    /// The FIDE Laws of Chess of 1 January 2023, competition rules.
    pub fn standard() -> Ruleset {
        Ruleset {
            name: "standard".to_owned(),
            repetition: DrawRule { claim: Some(3), automatic: Some(5) },
            no_progress: DrawRule { claim: Some(100), automatic: Some(150) },
            illegal_move: IllegalMoveRule {
                bonus_ms: 120_000,
                loses_at: 2,
                found_within: FoundWithin::Game,
            },
            wrong_claim_bonus_ms: 120_000,
            touch: TouchRule::Fide,
            completion: Completion::Press,
            offers: OfferRule { allowed: true, after_moves: 1 },
            default_time_ms: Some(0),
            win_needs_possible_mate: true,
            dead_position_ends: true,
            mating_budget_ms: 60_000,
        }
    }

    /// Appendix A without full supervision.
    pub fn rapid() -> Ruleset {
        Ruleset {
            name: "rapid".to_owned(),
            illegal_move: IllegalMoveRule {
                bonus_ms: 60_000,
                loses_at: 2,
                found_within: FoundWithin::NextMove,
            },
            wrong_claim_bonus_ms: 60_000,
            ..Ruleset::standard()
        }
    }

    /// Appendix B without full supervision.
    pub fn blitz() -> Ruleset {
        Ruleset { name: "blitz".to_owned(), ..Ruleset::rapid() }
    }

    /// Blitz in which the first illegal move loses, whenever it is noticed.
    pub fn blitz_strict() -> Ruleset {
        Ruleset {
            name: "blitz-strict".to_owned(),
            illegal_move: IllegalMoveRule {
                bonus_ms: 0,
                loses_at: 1,
                found_within: FoundWithin::Game,
            },
            ..Ruleset::blitz()
        }
    }

    /// Matches between programs: threefold and fifty moves end the game without a claim, an
    /// illegal move loses at once, nothing is touched and no clock is pressed.
    pub fn engine() -> Ruleset {
        Ruleset {
            name: "engine".to_owned(),
            repetition: DrawRule { claim: None, automatic: Some(3) },
            no_progress: DrawRule { claim: None, automatic: Some(100) },
            illegal_move: IllegalMoveRule {
                bonus_ms: 0,
                loses_at: 1,
                found_within: FoundWithin::NextMove,
            },
            wrong_claim_bonus_ms: 0,
            touch: TouchRule::Free,
            completion: Completion::Made,
            offers: OfferRule { allowed: true, after_moves: 1 },
            default_time_ms: None,
            ..Ruleset::standard()
        }
    }

    /// The ready rule set of this name.
    pub fn profile(name: &str) -> Option<Ruleset> {
        Some(match name {
            "standard" => Ruleset::standard(),
            "rapid" => Ruleset::rapid(),
            "blitz" => Ruleset::blitz(),
            "blitz-strict" => Ruleset::blitz_strict(),
            "engine" => Ruleset::engine(),
            _ => return None,
        })
    }

    /// Whether a game can be played by these rules.
    ///
    /// # Errors
    /// Names the field that makes no sense.
    pub fn validate(&self) -> Result<(), RulesetError> {
        let wrong = |field, reason| Err(RulesetError { field, reason });
        let counts = [("repetition", self.repetition, 2), ("no_progress", self.no_progress, 1)];
        for (field, rule, least) in counts {
            if rule.claim.into_iter().chain(rule.automatic).any(|count| count < least) {
                return wrong(field, "the count is so low that every position is drawn");
            }
        }
        if self.illegal_move.loses_at == 0 {
            return wrong(
                "illegal_move.loses_at",
                "counting starts with the first illegal move: 1",
            );
        }
        if self.mating_budget_ms == 0 {
            return wrong("mating_budget_ms", "a search needs at least a millisecond");
        }
        Ok(())
    }
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset::standard()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_is_found_by_its_name_and_is_sound() {
        for name in Ruleset::PROFILES {
            let rules = Ruleset::profile(name).unwrap();
            assert_eq!(rules.name, name);
            assert_eq!(rules.validate(), Ok(()));
            let json = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<Ruleset>(&json).unwrap(), rules);
        }
        assert_eq!(Ruleset::profile("bullet"), None);
        assert_eq!(Ruleset::default(), Ruleset::standard());
    }

    #[test]
    fn a_rule_set_without_sense_names_its_field() {
        let mut rules = Ruleset::standard();
        rules.repetition.claim = Some(1);
        assert_eq!(rules.validate().unwrap_err().field, "repetition");
        let mut rules = Ruleset::standard();
        rules.illegal_move.loses_at = 0;
        assert_eq!(rules.validate().unwrap_err().field, "illegal_move.loses_at");
    }
}
