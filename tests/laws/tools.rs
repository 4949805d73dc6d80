//! Short words for events.

use ferz::board::Position;
use ferz::laws::{
    ClaimKind, Event, EventError, Game, Outcome, Ruleset, Ruling, Score, Touch, Verdict,
};
use ferz::types::{Color, Square};

pub use ferz::types::Color::{Black, White};

/// A game from a FEN without clocks.
pub fn game(rules: Ruleset, fen: &str) -> Game {
    Game::from_position(Position::from_fen(fen).unwrap(), rules, [None, None]).unwrap()
}

/// A game from the start position with the same time control for both.
pub fn timed(rules: Ruleset, control: &str) -> Game {
    let control = Some(control.parse().unwrap());
    Game::new(rules, [control.clone(), control]).unwrap()
}

/// Shorthands for the events of the player on the move and others.
pub trait Play {
    /// Reports an event at the time of the last one.
    fn does(&mut self, event: Event) -> Ruling;
    /// The error an event is refused with; nothing may have changed.
    fn refuses(&mut self, event: Event) -> EventError;
    /// The player on the move makes a move and presses the clock.
    fn plays(&mut self, moves: &str) -> Ruling;
    /// The player on the move makes a move and does not press the clock.
    fn moves(&mut self, mv: &str) -> Ruling;
    /// How the game ended.
    fn end(&self) -> &Outcome;
}

impl Play for Game {
    fn does(&mut self, event: Event) -> Ruling {
        self.apply(self.now_ms(), event).unwrap()
    }

    fn refuses(&mut self, event: Event) -> EventError {
        let before = self.clone();
        let error = self.apply(self.now_ms(), event).unwrap_err();
        assert!(*self == before, "an error has changed the game: {error}");
        error
    }

    fn plays(&mut self, moves: &str) -> Ruling {
        let mut last = None;
        for mv in moves.split_whitespace() {
            let player = self.on_move();
            let ruling = self.moves(mv);
            let pressed = ruling.is_accepted() && self.rules().name != "engine";
            last = Some(if pressed { self.does(press(player)) } else { ruling });
        }
        last.unwrap()
    }

    fn moves(&mut self, mv: &str) -> Ruling {
        let player = self.on_move();
        self.does(mv_event(player, mv))
    }

    fn end(&self) -> &Outcome {
        self.outcome().expect("the game is over")
    }
}

pub fn mv_event(player: Color, mv: &str) -> Event {
    Event::Move { player, mv: mv.parse().unwrap(), two_hands: false }
}

pub fn press(player: Color) -> Event {
    Event::Press { player }
}

pub fn squares(text: &str) -> Vec<Square> {
    text.split_whitespace().map(|square| square.parse().unwrap()).collect()
}

/// Touches squares one after the other, with intent.
pub fn touch(game: &mut Game, player: Color, text: &str) -> Ruling {
    let mut last = None;
    for square in squares(text) {
        let event = Event::Touch { player, squares: vec![square], how: Touch::Plain };
        last = Some(game.does(event));
    }
    last.unwrap()
}

pub fn claim(player: Color, claim: ClaimKind, mv: Option<&str>) -> Event {
    Event::Claim { player, claim, mv: mv.map(|mv| mv.parse().unwrap()) }
}

/// The moves that the game allows now, by their squares, sorted.
pub fn allowed(game: &Game) -> Vec<String> {
    let mut moves: Vec<String> = game
        .obligation()
        .moves
        .iter()
        .map(|mv| ferz::laws::WrittenMove::from(*mv).to_string())
        .collect();
    moves.sort();
    moves
}

pub fn assert_rejected(ruling: &Ruling, article: &str) {
    assert_eq!(ruling.verdict, Verdict::Rejected, "{ruling}");
    assert_eq!(ruling.article, article, "{ruling}");
}

pub fn assert_draw(game: &Game) {
    assert_eq!(game.end().score, Score::DRAW, "{}", game.end());
}

pub fn assert_won_by(game: &Game, color: Color) {
    assert_eq!(game.end().score, Score::win(color), "{}", game.end());
}
