//! Hands out moves in the order in which they are worth trying, making as few as possible.

use arrayvec::ArrayVec;

use super::thread::Thread;
use crate::types::{MAX_MOVES, Move, MoveList, PieceKind, Score};

/// What the next move is taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Which captures come before the quiet moves, and whether there are quiet moves at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    /// All moves; captures that lose material come last.
    All,
    /// Captures and promotions to a queen only.
    Noisy,
    /// Captures that win at least this much, in centipawns.
    Winning(Score),
}

/// The moves of one node, one by one.
pub(super) struct MovePicker {
    stage: Stage,
    plan: Plan,
    ply: usize,
    table_move: Option<Move>,
    skip_quiets: bool,
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad: MoveList,
    next_bad: usize,
}

impl MovePicker {
    fn with_plan(plan: Plan, ply: usize, table_move: Option<Move>) -> MovePicker {
        MovePicker {
            stage: Stage::TableMove,
            plan,
            ply,
            table_move,
            skip_quiets: false,
            moves: ArrayVec::new(),
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// All moves, the table's move, which must be legal, first.
    pub fn all(ply: usize, table_move: Option<Move>) -> MovePicker {
        MovePicker::with_plan(Plan::All, ply, table_move)
    }

    /// Captures and promotions to a queen, the table's move first.
    pub fn noisy(ply: usize, table_move: Option<Move>) -> MovePicker {
        MovePicker::with_plan(Plan::Noisy, ply, table_move.filter(|mv| mv.is_noisy()))
    }

    /// Captures and promotions that win at least this many centipawns.
    pub fn winning(ply: usize, table_move: Option<Move>, margin: Score) -> MovePicker {
        MovePicker::with_plan(Plan::Winning(margin), ply, table_move)
    }

    /// From now on hands out no further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, thread: &mut Thread) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.make_noisy(thread);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(mv) = self.next_good(thread) {
                        return Some(mv);
                    }
                    self.stage = match self.plan {
                        Plan::All => Stage::MakeQuiet,
                        Plan::Noisy | Plan::Winning(_) => Stage::Done,
                    };
                }
                Stage::MakeQuiet => {
                    self.stage = Stage::Quiet;
                    if !self.skip_quiets {
                        self.make_quiet(thread);
                    }
                }
                Stage::Quiet => match self.best().filter(|_| !self.skip_quiets) {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the move with the highest score out of the list; of equals the first made.
    fn best(&mut self) -> Option<Scored> {
        let (mut best, first) = (0, self.moves.first()?);
        let mut highest = first.score;
        for (index, scored) in self.moves.iter().enumerate().skip(1) {
            if scored.score > highest {
                (best, highest) = (index, scored.score);
            }
        }
        Some(self.moves.swap_remove(best))
    }

    /// The next capture that does not lose material; the others are put aside.
    fn next_good(&mut self, thread: &Thread) -> Option<Move> {
        while let Some(scored) = self.best() {
            let margin = match self.plan {
                Plan::All => thread.shared.options.params.picker_see() - scored.score / 64,
                Plan::Noisy => return Some(scored.mv),
                Plan::Winning(margin) => margin,
            };
            if thread.board.see(scored.mv, margin) {
                return Some(scored.mv);
            }
            if self.plan == Plan::All {
                self.bad.push(scored.mv);
            }
        }
        None
    }

    fn make_noisy(&mut self, thread: &mut Thread) {
        for mv in thread.board.noisy_moves() {
            if Some(mv) != self.table_move {
                let gain = thread.board.exchange_gain(mv);
                let score = gain * 8 + thread.noisy_history(mv);
                self.moves.push(Scored { mv, score });
            }
        }
    }

    fn make_quiet(&mut self, thread: &mut Thread) {
        self.moves.clear();
        for mv in thread.board.quiet_moves() {
            if Some(mv) != self.table_move {
                let score = match mv.promotion() {
                    // Under-promotions are hardly ever wanted.
                    Some(kind) if kind != PieceKind::Queen => i32::MIN / 2,
                    _ => thread.quiet_order(mv, self.ply),
                };
                self.moves.push(Scored { mv, score });
            }
        }
    }
}
