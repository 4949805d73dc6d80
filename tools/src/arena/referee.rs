//! Who has won, and why: the rules of a match between programs.

use std::fmt;

use ferz::board::{Board, Position};
use ferz::notation::{parse_uci, to_san, to_uci};
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

/// Follows a game move by move and rules it.
#[derive(Debug)]
pub struct Referee {
    board: Board,
    chess960: bool,
}

impl Referee {
    /// A game from a position.
    pub fn new(start: Position, chess960: bool) -> Referee {
        Referee { board: Board::new(start), chess960 }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.board.position()
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

    /// The move in algebraic notation, before it is played.
    pub fn san(&self, mv: Move) -> String {
        to_san(self.position(), mv)
    }

    /// Plays a legal move; how the game ended, if it did.
    pub fn play(&mut self, mv: Move) -> Option<Verdict> {
        self.board.play(mv);
        self.over()
    }

    /// How the game has ended on the board, if it has.
    pub fn over(&self) -> Option<Verdict> {
        let position = self.position();
        let mover = !position.side_to_move();
        let draw = |ending: Ending| Verdict {
            result: GameResult::Draw,
            ending,
            words: format!("draw by {}", ending.name()),
        };
        if position.is_checkmate() {
            return Some(Verdict {
                result: GameResult::of_winner(Some(mover)),
                ending: Ending::Checkmate,
                words: format!("{mover} mates"),
            });
        }
        if position.is_stalemate() {
            return Some(draw(Ending::Stalemate));
        }
        if is_bare(position) {
            return Some(draw(Ending::DeadPosition));
        }
        if self.board.repetitions() >= 2 {
            return Some(draw(Ending::Repetition));
        }
        (position.halfmove_clock() >= 100).then(|| draw(Ending::NoProgress))
    }

    /// The ruling on a fault of `by`: lost, unless the opponent can mate by no legal series.
    pub fn fault(&self, by: Color, class: FaultClass, detail: &str) -> Verdict {
        let ending = match class {
            FaultClass::Start | FaultClass::Crash => Ending::Crash,
            FaultClass::Stall => Ending::Stall,
            FaultClass::IllegalMove => Ending::IllegalMove,
            FaultClass::BadOutput => Ending::BadOutput,
            FaultClass::Flag => Ending::Flag,
        };
        let can_mate = self.position().by_color(!by).count() > 1;
        let winner = can_mate.then_some(!by);
        let mut words = format!("{by}: {detail}");
        if winner.is_none() {
            words.push_str(", but the opponent cannot mate");
        }
        Verdict { result: GameResult::of_winner(winner), ending, words }
    }
}

fn is_bare(position: &Position) -> bool {
    position.occupied().count() == 2
}
