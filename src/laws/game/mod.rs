//! A game under the laws: fed with events, it answers with rulings.

mod adjourn;
mod claims;
mod ends;
mod illegal;
mod moves;
mod record;
mod store;

pub use store::StoreError;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::types::{Color, Move, MoveList, Square};

use super::history::{Claims, History};
use super::mating::Solver;
use super::touch::{Duty, Obligation, obligation};
use super::{
    Clock, Completion, Decision, Event, EventError, Outcome, Reason, Ruleset, Ruling, Score,
    SetupError, TimeControl, WrittenMove,
};

/// An event with its time and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When, in ms since the start of the game.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// What became of it.
    pub ruling: Ruling,
}

/// A ply as it stands in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// A legal move.
    Legal(Move),
    /// An illegal move that nobody has put right.
    Illegal(WrittenMove),
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Legal(mv) => WrittenMove::from(*mv).fmt(f),
            Ply::Illegal(written) => write!(f, "{written} (illegal)"),
        }
    }
}

/// A text that is no name of a PGN tag.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is no name of a PGN tag: letters, digits and underscores only")]
pub struct TagError(String);

/// The two clocks and which of them runs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Clocks {
    clocks: [Option<Clock>; 2],
    running: Option<Color>,
    now_ms: u64,
}

impl Clocks {
    fn advance(&mut self, at_ms: u64) {
        if let Some(clock) = self.running.and_then(|color| self.clocks[color.index()].as_mut()) {
            clock.run_ms(at_ms - self.now_ms);
        }
        self.now_ms = at_ms;
    }

    /// The player whose running clock has reached zero.
    fn flagged(&self) -> Option<Color> {
        let color = self.running?;
        self.clocks[color.index()].as_ref().is_some_and(Clock::is_flagged).then_some(color)
    }
}

/// What the player on the move has done on this move so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Turn {
    /// Men touched with intent, in order.
    touched: Vec<Square>,
    /// "Adjust" was said.
    adjusting: bool,
    /// The castling king or the pawn on the last rank has been let go.
    released: Option<WrittenMove>,
    /// An illegal move stands on the board; the clock has not been pressed.
    illegal: Option<WrittenMove>,
    /// The move declared in a wrong claim.
    declared: Option<WrittenMove>,
}

/// A move made whose clock has not been pressed yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unpressed {
    player: Color,
    two_hands: bool,
}

/// A sealed move in its envelope.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sealed {
    player: Color,
    text: Option<String>,
}

/// A game of chess and its referee.
///
/// ```
/// use ferz::laws::{Event, Game, Ruleset, TimeControl};
/// use ferz::types::Color;
///
/// let minutes = TimeControl::fischer(300_000, 3_000);
/// let mut game = Game::new(Ruleset::engine(), [Some(minutes.clone()), Some(minutes)])?;
/// for (at_ms, player, mv) in [
///     (900, Color::White, "f2f3"),
///     (1_500, Color::Black, "e7e5"),
///     (2_000, Color::White, "g2g4"),
///     (2_300, Color::Black, "d8h4"),
/// ] {
///     game.apply(at_ms, Event::Move { player, mv: mv.parse()?, two_hands: false })?;
/// }
/// assert_eq!(game.outcome().unwrap().to_string(), "Black wins: checkmate [5.1.1]");
/// assert!(game.pgn().contains("Qh4#"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    rules: Ruleset,
    tags: Vec<(String, String)>,
    history: History,
    plies: Vec<Ply>,
    /// What the mover's clock showed after each ply, where the game keeps that clock.
    left_ms: Vec<Option<u64>>,
    clocks: Clocks,
    turn: Turn,
    unpressed: Option<Unpressed>,
    illegal_moves: [u32; 2],
    offers: [bool; 2],
    sealed: Option<Sealed>,
    present: [bool; 2],
    outcome: Option<Outcome>,
    log: Vec<Entry>,
    solver: Solver,
    /// While a stored game is replayed, positions that did not end it need no second look.
    trusted: bool,
}

impl Game {
    /// A game from the start position. A side without a time control has no clock.
    ///
    /// The time is zero when White's clock is started.
    ///
    /// # Errors
    /// When the rules or a time control are not sound.
    pub fn new(rules: Ruleset, controls: [Option<TimeControl>; 2]) -> Result<Game, SetupError> {
        Game::from_position(Position::startpos(), rules, controls)
    }

    /// A game from any position. It may be over before it begins: mate, stalemate, dead position.
    ///
    /// # Errors
    /// When the rules or a time control are not sound.
    pub fn from_position(
        start: Position,
        rules: Ruleset,
        controls: [Option<TimeControl>; 2],
    ) -> Result<Game, SetupError> {
        let solver = Solver::new(Duration::from_millis(rules.mating_budget_ms));
        Game::with_solver(start, rules, controls, solver)
    }

    /// The same with a solver shared by many games.
    ///
    /// # Errors
    /// When the rules or a time control are not sound.
    pub fn with_solver(
        start: Position,
        rules: Ruleset,
        controls: [Option<TimeControl>; 2],
        solver: Solver,
    ) -> Result<Game, SetupError> {
        rules.validate()?;
        let [white, black] = controls;
        let clocks = [white.map(Clock::new).transpose()?, black.map(Clock::new).transpose()?];
        let running = Some(start.side_to_move());
        let mut game = Game {
            rules,
            tags: Vec::new(),
            history: History::new(start),
            plies: Vec::new(),
            left_ms: Vec::new(),
            clocks: Clocks { clocks, running, now_ms: 0 },
            turn: Turn::default(),
            unpressed: None,
            illegal_moves: [0; 2],
            offers: [false; 2],
            sealed: None,
            present: [false; 2],
            outcome: None,
            log: Vec::new(),
            solver,
            trusted: false,
        };
        game.end_by_position();
        Ok(game)
    }

    /// Reports an event and how many ms after the start of the game it happened.
    ///
    /// A flag that fell before is ruled on first; the event then comes too late and has no effect.
    ///
    /// # Errors
    /// When the event makes no sense now. Nothing has changed then.
    pub fn apply(&mut self, at_ms: u64, event: Event) -> Result<Ruling, EventError> {
        if let Some(outcome) = &self.outcome {
            return Err(EventError::GameOver(outcome.to_string()));
        }
        let last = self.clocks.now_ms;
        if at_ms < last {
            return Err(EventError::TimeRunsBack { at: at_ms, last });
        }
        let clocks = self.clocks.clone();
        self.clocks.advance(at_ms);
        let ruling = match self.clocks.flagged() {
            Some(player) => Ok(self.finish_against(player, Reason::Flag { by: player })),
            None => self.judge(&event),
        };
        match ruling {
            Ok(ruling) => {
                self.log.push(Entry { at_ms, event, ruling: ruling.clone() });
                Ok(ruling)
            }
            Err(error) => {
                self.clocks = clocks;
                Err(error)
            }
        }
    }

    /// Makes a move that took this long and completes it: all that a match of programs needs.
    ///
    /// # Errors
    /// When it is not a game that can go on.
    pub fn play(&mut self, mv: Move, thought_ms: u64) -> Result<Ruling, EventError> {
        let player = self.on_move();
        let at_ms = self.clocks.now_ms.saturating_add(thought_ms);
        let event = Event::Move { player, mv: mv.into(), two_hands: false };
        let ruling = self.apply(at_ms, event)?;
        match (self.rules.completion, ruling.is_accepted()) {
            (Completion::Press, true) => self.apply(at_ms, Event::Press { player }),
            _ => Ok(ruling),
        }
    }

    fn judge(&mut self, event: &Event) -> Result<Ruling, EventError> {
        if self.sealed.is_some() {
            self.check_adjourned(event)?;
        }
        match event {
            Event::Tick => Ok(Ruling::accepted("", "the game goes on")),
            &Event::Arrive { player } => self.arrive(player),
            &Event::Adjust { player } => self.adjust(player),
            &Event::Touch { player, ref squares, how } => self.touch(player, squares, how),
            &Event::Release { player, from, to } => self.release(player, from, to),
            &Event::Promote { player, piece } => self.promote(player, piece),
            &Event::Move { player, mv, two_hands } => self.make_move(player, mv, two_hands),
            &Event::UnnoticedIllegalMove { player, mv } => self.unnoticed_illegal(player, mv),
            &Event::IllegalAction { player, ref words } => self.illegal_action(player, words),
            &Event::FoundIllegalMove { ply } => self.found_illegal(ply),
            &Event::TouchComplaint { player, ref squares } => self.complain(player, squares),
            &Event::Press { player } => self.press(player),
            &Event::OfferDraw { player } => self.offer(player),
            &Event::AcceptDraw { player } => self.accept(player),
            &Event::DeclineDraw { player } => self.decline(player),
            &Event::Claim { player, claim, mv } => self.claim(player, claim, mv),
            &Event::Resign { player } => {
                Ok(self.finish_against(player, Reason::Resignation { by: player }))
            }
            &Event::Flag { player } => self.flag(player),
            &Event::Default { player, score } => self.default(player, score),
            &Event::RefusePlay { player, score } => {
                Ok(self.finish_by_arbiter(player, score, Reason::RefusalToPlay { by: player }))
            }
            &Event::RefuseComply { player, score } => {
                Ok(self.finish_by_arbiter(player, score, Reason::RefusalToComply { by: player }))
            }
            &Event::GrossBreach { player, score } => {
                Ok(self.finish_by_arbiter(player, score, Reason::GrossBreach { by: player }))
            }
            &Event::Crash { player } => {
                Ok(self.finish_against(player, Reason::Crash { by: player }))
            }
            &Event::Seal { player, ref text } => self.seal(player, text.as_deref()),
            Event::Resume => self.resume(),
            Event::Arbiter(decision) => self.decide(decision),
        }
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// All positions of the game, the start position first.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The moves made, in order.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Everything that happened, in order, with its rulings.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The player who has the move [1.3]: the opponent's last move has been made, pressed or not.
    pub fn on_move(&self) -> Color {
        self.history.on_move()
    }

    /// The legal moves; none when the game is over.
    pub fn legal_moves(&self) -> MoveList {
        match self.outcome {
            Some(_) => MoveList::new(),
            None => self.position().legal_moves(),
        }
    }

    /// What the player on the move has to do, and the moves that do it.
    pub fn obligation(&self) -> Obligation {
        let position = self.position();
        if let Some(mv) = self.turn.declared.and_then(|declared| declared.resolve(position)) {
            return Obligation { duty: Duty::Move(mv.from()), moves: MoveList::from_iter([mv]) };
        }
        let touch = || obligation(position, &self.turn.touched, self.rules.touch);
        match self.turn.released {
            Some(released) => self.after_release(released).unwrap_or_else(touch),
            None => touch(),
        }
    }

    /// How many illegal moves this player has completed.
    pub fn illegal_moves(&self, player: Color) -> u32 {
        self.illegal_moves[player.index()]
    }

    /// Whether this player's draw offer stands.
    pub fn offer_stands(&self, player: Color) -> bool {
        self.offers[player.index()]
    }

    /// Whether the game is adjourned.
    pub fn is_adjourned(&self) -> bool {
        self.sealed.is_some()
    }

    /// What a player's clock showed at the last event, in ms.
    pub fn clock_ms(&self, player: Color) -> Option<u64> {
        self.clocks.clocks[player.index()].as_ref().map(Clock::left_ms)
    }

    /// A player's clock as it stood at the last event.
    pub fn clock(&self, player: Color) -> Option<&Clock> {
        self.clocks.clocks[player.index()].as_ref()
    }

    /// The player whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.clocks.running
    }

    /// The time of the last event, in ms since the start.
    pub fn now_ms(&self) -> u64 {
        self.clocks.now_ms
    }

    /// Whether the position on the board draws the game by itself, and why: the first of the three
    /// questions about draws.
    pub fn draw_now(&self) -> Option<Reason> {
        let (score, reason) = self.history.automatic_end(&self.rules, &self.solver)?;
        (score == Score::DRAW).then_some(reason)
    }

    /// What the player on the move may claim for the position on the board: the second question.
    pub fn claims(&self) -> Claims {
        match self.outcome.is_some() || self.claim_is_barred(self.on_move()).is_some() {
            true => Claims::default(),
            false => self.history.claims(&self.rules),
        }
    }

    /// What the player on the move may claim with this move: the third question. Nothing for an
    /// illegal move.
    pub fn claims_with(&self, mv: Move) -> Claims {
        let barred = self.outcome.is_some() || self.claim_is_barred(self.on_move()).is_some();
        match barred || !self.position().is_legal(mv) {
            true => Claims::default(),
            false => self.history.claims_with(mv, &self.rules),
        }
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Sets a PGN tag such as `Event` or `White`.
    ///
    /// # Errors
    /// When the name is empty or has other signs than letters, digits and underscores.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(fits) {
            return Err(TagError(name.to_owned()));
        }
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
        Ok(())
    }

    /// The PGN tags that were set.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    fn check_on_move(&self, player: Color) -> Result<(), EventError> {
        if player == self.on_move() {
            Ok(())
        } else if self.unpressed.is_some_and(|made| made.player == player) {
            Err(EventError::AlreadyMoved(player))
        } else {
            Err(EventError::NotOnMove(self.on_move()))
        }
    }

    /// Goes back to the position after this many plies; the player on the move begins anew.
    fn restore(&mut self, plies: usize, touched: Vec<Square>) {
        self.history.truncate(plies);
        self.plies.truncate(plies);
        self.left_ms.truncate(plies);
        self.unpressed = None;
        self.offers = [false; 2];
        self.turn = Turn { touched, ..Turn::default() };
        if self.clocks.running.is_some() {
            self.clocks.running = Some(self.on_move());
        }
    }

    fn decide(&mut self, decision: &Decision) -> Result<Ruling, EventError> {
        let accepted = |words: String| Ok(Ruling::accepted("12.9", words));
        match decision {
            Decision::End { score, words } => {
                Ok(self.finish(*score, Reason::Arbiter { words: words.clone() }, false))
            }
            &Decision::AddTime { player, ms } => {
                let clock = self.clocks.clocks[player.index()].as_mut();
                clock.ok_or(EventError::NoClock(player))?.add_ms(ms);
                accepted(format!("{player} gets {} s more", ms as f64 / 1000.0))
            }
            &Decision::SetClock { player, ms } => {
                let clock = self.clocks.clocks[player.index()].as_mut();
                clock.ok_or(EventError::NoClock(player))?.set_ms(ms);
                accepted(format!("{player}'s clock is set to {} s", ms as f64 / 1000.0))
            }
            Decision::Warn { player, words } => accepted(format!("{player} is warned: {words}")),
            &Decision::Restore { plies } => {
                if plies > self.plies.len() {
                    return Err(EventError::NoSuchPly(self.plies.len()));
                }
                self.restore(plies, Vec::new());
                accepted(format!("the position after {plies} plies is put back"))
            }
            Decision::StopClocks => {
                self.clocks.running = None;
                accepted("both clocks are stopped".to_owned())
            }
            Decision::StartClock => {
                let player = self.unpressed.map_or(self.on_move(), |made| made.player);
                self.clocks.running = Some(player);
                accepted(format!("{player}'s clock runs"))
            }
        }
    }
}
