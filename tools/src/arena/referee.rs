//! Who has won, and why: the rules of a match between programs.

use std::fmt;
use std::time::Duration;

use ferz::board::Position;
use ferz::laws::mating::Solver;
use ferz::laws::{Event, Game, Outcome, Reason, Ruleset};
use ferz::notation::{parse_uci, to_uci};
use ferz::types::{Color, Move};
use serde::{Deserialize, Serialize};

use super::fault::FaultClass;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// No series of legal moves mates either king.
    DeadPosition,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves of each side without capture or pawn move.
    NoProgress,
    /// A flag fell.
    Flag,
    /// An illegal move.
    IllegalMove,
    /// An answer that is no UCI, or a flood of output.
    BadOutput,
    /// An engine crashed or did not start.
    Crash,
    /// An engine did not answer.
    Stall,
    /// Lost by the loser's own scores.
    AdjudicatedWin,
    /// Drawn by both sides' scores.
    AdjudicatedDraw,
    /// Decided by endgame tables.
    Tablebase,
    /// Drawn at the limit of moves.
    MaxMoves,
}

impl Ending {
    /// The name used in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead position",
            Ending::Repetition => "repetition",
            Ending::NoProgress => "fifty moves",
            Ending::Flag => "flag",
            Ending::IllegalMove => "illegal move",
            Ending::BadOutput => "bad output",
            Ending::Crash => "crash",
            Ending::Stall => "stall",
            Ending::AdjudicatedWin => "win by score",
            Ending::AdjudicatedDraw => "draw by score",
            Ending::Tablebase => "tablebase",
            Ending::MaxMoves => "move limit",
        }
    }

    /// Every ending.
    pub const ALL: [Ending; 14] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::DeadPosition,
        Ending::Repetition,
        Ending::NoProgress,
        Ending::Flag,
        Ending::IllegalMove,
        Ending::BadOutput,
        Ending::Crash,
        Ending::Stall,
        Ending::AdjudicatedWin,
        Ending::AdjudicatedDraw,
        Ending::Tablebase,
        Ending::MaxMoves,
    ];

    /// The ending of a name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// PGN's `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            Ending::Flag => "time forfeit",
            Ending::IllegalMove | Ending::BadOutput => "rules infraction",
            Ending::Crash | Ending::Stall => "abandoned",
            Ending::AdjudicatedWin
            | Ending::AdjudicatedDraw
            | Ending::Tablebase
            | Ending::MaxMoves => "adjudication",
            _ => "normal",
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White has won.
    #[serde(rename = "1-0")]
    White,
    /// Black has won.
    #[serde(rename = "0-1")]
    Black,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win for this side, or a draw.
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::White,
            Some(Color::Black) => GameResult::Black,
            None => GameResult::Draw,
        }
    }

    /// White's half points: 0, 1 or 2.
    pub fn white_half_points(self) -> u8 {
        match self {
            GameResult::White => 2,
            GameResult::Black => 0,
            GameResult::Draw => 1,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who has won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// The same for people.
    pub words: String,
}

/// Follows a game move by move; the laws rule it, by the profile for matches between programs.
#[derive(Debug)]
pub struct Referee {
    game: Game,
    chess960: bool,
}

impl Referee {
    /// A game from a position; `solver` answers whether a side can still mate.
    pub fn new(start: Position, chess960: bool, solver: &Solver) -> Referee {
        let game = Game::with_solver(start, Ruleset::engine(), [None, None], solver.clone())
            .expect("the ready profile without clocks is sound");
        Referee { game, chess960 }
    }

    /// A solver with the time that the profile allows for a question.
    pub fn solver() -> Solver {
        Solver::new(Duration::from_millis(Ruleset::engine().mating_budget_ms))
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Reads a move as an engine writes it: lower case, castling as the run has it.
    pub fn read(&self, text: &str) -> Option<Move> {
        let mv = parse_uci(self.position(), text).ok()?;
        let exact = to_uci(mv, self.chess960) == text;
        // In ordinary chess the king's move onto its own rook is understood as castling too.
        (exact || !self.chess960 && mv.is_castling() && to_uci(mv, true) == text).then_some(mv)
    }

    /// The move as engines of this run write it.
    pub fn uci(&self, mv: Move) -> String {
        to_uci(mv, self.chess960)
    }

    /// Plays a legal move; how the game ended, if it did.
    pub fn play(&mut self, mv: Move) -> Option<Verdict> {
        // A legal move of the side to move in a game that goes on makes sense.
        let _ = self.game.play(mv, 0);
        self.over()
    }

    /// How the game has ended on the board, if it has.
    pub fn over(&self) -> Option<Verdict> {
        let outcome = self.game.outcome()?;
        Some(verdict(outcome, ending(&outcome.reason)))
    }

    /// The ruling on a fault of `by`: lost, unless the opponent can mate by no legal series.
    pub fn fault(&mut self, by: Color, class: FaultClass, detail: &str) -> Verdict {
        let crash = Event::Crash { player: by };
        let (event, ending) = match class {
            FaultClass::Start | FaultClass::Crash => (crash.clone(), Ending::Crash),
            FaultClass::Stall => (crash.clone(), Ending::Stall),
            FaultClass::Flag => (Event::Flag { player: by }, Ending::Flag),
            FaultClass::IllegalMove => (illegal(by, detail), Ending::IllegalMove),
            FaultClass::BadOutput => (illegal(by, detail), Ending::BadOutput),
        };
        // Only the side to move can make an illegal move: off its move, its program has failed.
        if self.game.apply(0, event).is_err() {
            let _ = self.game.apply(0, crash);
        }
        let mut verdict = match self.game.outcome() {
            Some(outcome) => verdict(outcome, ending),
            None => Verdict {
                result: GameResult::of_winner(Some(!by)),
                ending,
                words: format!("{} wins", !by),
            },
        };
        verdict.words.push_str(&format!(" ({detail})"));
        verdict
    }
}

fn illegal(player: Color, words: &str) -> Event {
    Event::IllegalAction { player, words: words.to_owned() }
}

fn verdict(outcome: &Outcome, ending: Ending) -> Verdict {
    let result = GameResult::of_winner(outcome.winner());
    Verdict { result, ending, words: outcome.to_string() }
}

fn ending(reason: &Reason) -> Ending {
    match reason {
        Reason::Checkmate => Ending::Checkmate,
        Reason::Stalemate => Ending::Stalemate,
        Reason::DeadPosition => Ending::DeadPosition,
        Reason::RepetitionClaim { .. } | Reason::Repetition { .. } => Ending::Repetition,
        Reason::NoProgressClaim { .. } | Reason::NoProgress { .. } => Ending::NoProgress,
        Reason::Flag { .. } => Ending::Flag,
        Reason::IllegalMove { .. } => Ending::IllegalMove,
        _ => Ending::Crash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(fen: &str) -> Referee {
        Referee::new(Position::from_fen(fen).unwrap(), false, &Referee::solver())
    }

    fn played(fen: &str, moves: &str) -> Option<(GameResult, Ending)> {
        let mut referee = referee(fen);
        let mut last = None;
        for text in moves.split_ascii_whitespace() {
            assert_eq!(last, None, "over before {text}");
            let mv = referee.read(text).unwrap();
            last = referee.play(mv);
        }
        last.map(|verdict| (verdict.result, verdict.ending))
    }

    #[test]
    fn games_end_by_the_laws() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let draw = GameResult::Draw;
        for (fen, moves, end) in [
            (start, "f2f3 e7e5 g2g4 d8h4", Some((GameResult::Black, Ending::Checkmate))),
            (start, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", Some((draw, Ending::Repetition))),
            (start, "e2e4 e7e5", None),
            ("8/8/8/8/8/k7/p7/2K5 w - - 0 1", "c1c2", None),
            ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", Some((draw, Ending::Stalemate))),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", Some((draw, Ending::DeadPosition))),
            // Locked pawns: no material table calls it dead.
            (
                "4k3/8/8/p1p1p1p1/P1P1PpPp/5P1P/8/4K3 b - - 0 1",
                "e8e7",
                Some((draw, Ending::DeadPosition)),
            ),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", Some((draw, Ending::NoProgress))),
        ] {
            assert_eq!(played(fen, moves), end, "{fen} {moves}");
        }
    }

    #[test]
    fn faults_lose_unless_the_opponent_cannot_mate() {
        use FaultClass::*;
        let (white, draw) = (GameResult::White, GameResult::Draw);
        for (fen, by, class, result, ending) in [
            ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", Color::Black, Flag, white, Ending::Flag),
            ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", Color::Black, Flag, draw, Ending::Flag),
            ("3qk3/8/8/8/8/8/8/4KN2 b - - 0 1", Color::Black, Flag, draw, Ending::Flag),
            ("3rk3/8/8/8/8/8/8/4KN2 b - - 0 1", Color::Black, Flag, white, Ending::Flag),
            (
                "3rk3/8/8/8/8/8/8/4KB2 b - - 0 1",
                Color::Black,
                IllegalMove,
                draw,
                Ending::IllegalMove,
            ),
            ("3rk3/8/8/8/8/8/8/4KN2 b - - 0 1", Color::Black, BadOutput, white, Ending::BadOutput),
            ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::Black, BadOutput, white, Ending::BadOutput),
            ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::Black, Crash, draw, Ending::Crash),
            ("3qk3/8/8/8/8/8/4P3/4K3 w - - 0 1", Color::Black, Stall, white, Ending::Stall),
        ] {
            let verdict = referee(fen).fault(by, class, "why");
            assert_eq!((verdict.result, verdict.ending), (result, ending), "{fen} {class:?}");
            assert!(verdict.words.ends_with("(why)"));
        }
    }

    #[test]
    fn only_the_protocols_own_spelling_is_read() {
        let referee = referee("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (text, legal) in
            [("e1g1", true), ("e1h1", true), ("E1G1", false), ("e1e3", false), ("0000", false)]
        {
            assert_eq!(referee.read(text).is_some(), legal, "{text}");
        }
    }
}
