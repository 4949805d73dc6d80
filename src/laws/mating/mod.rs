//! Can this side still give checkmate by any series of legal moves? Is the position dead?
//!
//! The full search is that of the crate `chasolver` (M. Ambrona, "A Practical Algorithm for Chess
//! Unwinnability", FUN 2022). This layer adds what proves most answers without it, a time budget,
//! Chess960 castling, and distrust: a line counts when it has been replayed on our own board.
//!
//! Moves are counted as article 6.9 means them: the fifty-move rule and repetition are left out.

mod bare_king;
mod castling;
mod convert;
mod frozen;
mod material;
mod shuttle;
mod walk;
mod worker;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chasolver::Winnability;

pub use material::{CheapRule, insufficient_material, material_forbids_mate};

use crate::board::Position;
use crate::types::{Color, Move};

use worker::{NoReply, Reply, Worker};

/// A three-valued answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Possible {
    /// Proven possible.
    Yes,
    /// Proven impossible.
    No,
    /// Neither was proven within the budget.
    Undecided,
}

impl fmt::Display for Possible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Possible::Yes => "yes",
            Possible::No => "no",
            Possible::Undecided => "undecided",
        })
    }
}

/// Why a mate is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It stands on the board.
    OnBoard,
    /// A queen, a rook or a pawn against a bare king that need not take it.
    BareKing,
    /// The loser can wait while the winner walks up and mates; [`Solver::helpmate`] makes the line
    /// when it is wanted.
    Lemma,
    /// After this series of legal moves it stands on the board or the lemma says so.
    Walk(Vec<Move>),
    /// This series of legal moves ends in it.
    Line(Vec<Move>),
}

/// Why no mate is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grounds {
    /// There is no legal move, and this side has not mated.
    GameOver,
    /// The men on the board prove it.
    Material,
    /// The fast check of forced play and locked structures proves it.
    Static,
    /// A search of everything that can still happen proves it.
    Search,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Doubt {
    /// The time was used up.
    Budget,
    /// The solver gave up.
    GaveUp,
    /// The solver panicked, could not be started, or refused the position.
    Failed,
    /// The solver's line is no helpmate on our board.
    LineRefuted,
    /// A Chess960 castling right might matter and could not be searched to the end.
    CastlingRights,
}

/// An answer with its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes.
    Yes(Proof),
    /// No.
    No(Grounds),
    /// It is not known.
    Undecided(Doubt),
}

impl Answer {
    /// The answer without its reasons.
    pub fn possible(&self) -> Possible {
        match self {
            Answer::Yes(_) => Possible::Yes,
            Answer::No(_) => Possible::No,
            Answer::Undecided(_) => Possible::Undecided,
        }
    }
}

/// The answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// Positions searched by ourselves; the crate does not count its own.
    pub nodes: Option<u64>,
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        Verdict { answer, nodes: None }
    }
}

/// Answers questions, each within a time budget.
///
/// Clones share one solver thread, which starts with the first question that needs it.
#[derive(Clone)]
pub struct Solver {
    budget: Duration,
    worker: Arc<Worker>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl PartialEq for Solver {
    /// Solvers with the same budget answer alike.
    fn eq(&self, other: &Solver) -> bool {
        self.budget == other.budget
    }
}

impl Default for Solver {
    /// A minute a question: many times what the hardest known positions take.
    fn default() -> Solver {
        Solver::new(Duration::from_secs(60))
    }
}

impl Solver {
    /// A solver that spends at most this long on a question.
    pub fn new(budget: Duration) -> Solver {
        Solver { budget, worker: Arc::default() }
    }

    /// Whether this side can checkmate by any series of legal moves.
    pub fn can_mate(&self, position: &Position, winner: Color) -> Verdict {
        match instant_answer(position, winner) {
            Some(answer) => answer.into(),
            None => self.decide(position, winner, self.deadline()),
        }
    }

    /// Whether the position is dead: no series of legal moves mates either king [5.2.2].
    pub fn is_dead(&self, position: &Position) -> Possible {
        // One "yes" is enough, and the side with more men is the likelier one to give it.
        let men = |color| position.by_color(color).count();
        let first =
            if men(Color::White) >= men(Color::Black) { Color::White } else { Color::Black };
        if instant_answer(position, !first).is_some_and(|answer| matches!(answer, Answer::Yes(_))) {
            return Possible::No;
        }
        let can = |color| self.can_mate(position, color).answer.possible();
        let answer = can(first);
        if answer == Possible::Yes {
            return Possible::No;
        }
        match (answer, can(!first)) {
            (_, Possible::Yes) => Possible::No,
            (Possible::No, Possible::No) => Possible::Yes,
            _ => Possible::Undecided,
        }
    }

    /// A series of legal moves that ends in checkmate by this side, replayed on our own board;
    /// `None` if there is none or none was found. It is empty when the mate stands on the board.
    pub fn helpmate(&self, position: &Position, winner: Color) -> Option<Vec<Move>> {
        let deadline = self.deadline();
        match self.decide(position, winner, deadline).answer {
            Answer::Yes(proof) => self.line_of(position, winner, proof, deadline),
            _ => None,
        }
    }

    fn deadline(&self) -> Instant {
        // A budget beyond what a clock can count is a year.
        let now = Instant::now();
        now.checked_add(self.budget).unwrap_or(now + Duration::from_secs(365 * 24 * 3600))
    }

    fn decide(&self, position: &Position, winner: Color, deadline: Instant) -> Verdict {
        if let Some(answer) = instant_answer(position, winner) {
            return answer.into();
        }
        let Some(board) = convert::board(position) else {
            return Answer::Undecided(Doubt::Failed).into();
        };
        let color = convert::color(winner);
        let fast = catch_unwind(AssertUnwindSafe(|| chasolver::is_unwinnable_fast(&board, color)));
        let answer = match fast {
            Ok(true) => Answer::No(Grounds::Static),
            Ok(false) => match walk::find(position, winner) {
                Some(found) => {
                    return Verdict {
                        answer: Answer::Yes(Proof::Walk(found.moves)),
                        nodes: Some(found.nodes),
                    };
                }
                None => self.full_search(position, board, winner, deadline),
            },
            Err(_) => Answer::Undecided(Doubt::Failed),
        };
        if matches!(answer, Answer::No(_)) && convert::has_foreign_right(position) {
            return castling::search(self, position, winner, deadline);
        }
        answer.into()
    }

    fn full_search(
        &self,
        position: &Position,
        board: chess::Board,
        winner: Color,
        deadline: Instant,
    ) -> Answer {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.worker.ask(board, convert::color(winner), left) {
            Ok(Reply::Answer(Some(Winnability::Winnable { helpmate }))) => {
                match convert::replay(position, winner, &helpmate) {
                    Some(line) => Answer::Yes(Proof::Line(line)),
                    None => Answer::Undecided(Doubt::LineRefuted),
                }
            }
            Ok(Reply::Answer(Some(Winnability::Unwinnable))) => Answer::No(Grounds::Search),
            Ok(Reply::Answer(None)) => Answer::Undecided(Doubt::GaveUp),
            Ok(Reply::Panicked) | Err(NoReply::NoThread) => Answer::Undecided(Doubt::Failed),
            Err(NoReply::Timeout) => Answer::Undecided(Doubt::Budget),
        }
    }

    /// The line that a proof stands for, if it is one.
    fn line_of(
        &self,
        position: &Position,
        winner: Color,
        proof: Proof,
        deadline: Instant,
    ) -> Option<Vec<Move>> {
        let line = match proof {
            Proof::OnBoard => Vec::new(),
            Proof::Line(line) => line,
            Proof::Lemma => frozen::line(position, winner)?,
            Proof::Walk(line) => finish_walk(position, winner, line)?,
            Proof::BareKing => match walk::find(position, winner) {
                Some(found) => finish_walk(position, winner, found.moves)?,
                None => {
                    let board = convert::board(position)?;
                    match self.full_search(position, board, winner, deadline) {
                        Answer::Yes(Proof::Line(line)) => line,
                        _ => return None,
                    }
                }
            },
        };
        ends_in_mate(position, winner, &line).then_some(line)
    }
}

/// A walk with the lemma's line behind it, where it does not end in mate by itself.
fn finish_walk(position: &Position, winner: Color, mut walk: Vec<Move>) -> Option<Vec<Move>> {
    let end = walk.iter().fold(*position, |position, &mv| position.after(mv));
    if end.has_legal_move() {
        walk.extend(frozen::line(&end, winner)?);
    }
    Some(walk)
}

/// The answers that need no solver.
fn instant_answer(position: &Position, winner: Color) -> Option<Answer> {
    if material_forbids_mate(position, winner) {
        return Some(Answer::No(Grounds::Material));
    }
    if !position.has_legal_move() {
        let mated = position.in_check() && position.side_to_move() != winner;
        return Some(match mated {
            true => Answer::Yes(Proof::OnBoard),
            false => Answer::No(Grounds::GameOver),
        });
    }
    if bare_king::proves_mate(position, winner) {
        return Some(Answer::Yes(Proof::BareKing));
    }
    frozen::proves_mate(position, winner, frozen::Effort::Quick)
        .then_some(Answer::Yes(Proof::Lemma))
}

/// Whether the position is dead by what the men alone prove: cheap enough for a search's leaves.
pub fn is_dead_by_material(position: &Position) -> bool {
    material_forbids_mate(position, Color::White) && material_forbids_mate(position, Color::Black)
}

/// Whether a series of moves is legal and ends in checkmate by this side.
pub fn ends_in_mate(position: &Position, winner: Color, line: &[Move]) -> bool {
    let mut now = *position;
    for &mv in line {
        if !now.is_legal(mv) {
            return false;
        }
        now.play(mv);
    }
    now.side_to_move() != winner && now.is_checkmate()
}
