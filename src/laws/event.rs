//! What can happen at the board, as a program reports it to a [`Game`](super::Game).

use serde::{Deserialize, Serialize};

use crate::types::{Color, PieceKind, Square};

use super::{Score, WrittenMove};

/// How a man was touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touch {
    /// As one sees it: with intent, unless the player has said "adjust" before.
    #[default]
    Plain,
    /// With the intention of moving or capturing, whatever was said before.
    Intent,
    /// Clearly by accident.
    Accident,
}

/// What a draw is claimed by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// The same position for the third time [9.2].
    Threefold,
    /// Fifty moves by each player without a capture or a pawn's move [9.3].
    FiftyMoves,
}

/// What the arbiter decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum Decision {
    /// Ends the game with this score.
    End {
        /// Half points of White and Black.
        score: Score,
        /// Why, in the arbiter's words.
        words: String,
    },
    /// Adds time to a player's clock [12.9].
    AddTime {
        /// Whose clock.
        player: Color,
        /// How much, in ms.
        ms: u64,
    },
    /// Sets a player's clock [6.10.2].
    SetClock {
        /// Whose clock.
        player: Color,
        /// What it shows then, in ms.
        ms: u64,
    },
    /// Warns a player [12.9.1].
    Warn {
        /// Who is warned.
        player: Color,
        /// About what.
        words: String,
    },
    /// Puts back the position in which this many plies had been played [7.2 to 7.5].
    Restore {
        /// Plies from the start of the game.
        plies: usize,
    },
    /// Stops both clocks [6.11].
    StopClocks,
    /// Lets the clock of the player to move run again [6.11.4].
    StartClock,
}

/// Something that happened. `player` is who did it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// Time has passed and nothing else happened: a flag may have fallen.
    Tick,
    /// A player comes to the board.
    Arrive {
        /// Who.
        player: Color,
    },
    /// A player says "adjust" [4.2.1].
    Adjust {
        /// Who.
        player: Color,
    },
    /// A player touches men; several squares: in an order nobody can tell [4.3].
    Touch {
        /// Who.
        player: Color,
        /// Where the touched men stand.
        squares: Vec<Square>,
        /// How they were touched.
        #[serde(default)]
        how: Touch,
    },
    /// A man is let go on a square while the move is not complete: the castling king, a pawn on the
    /// last rank [4.7].
    Release {
        /// Who.
        player: Color,
        /// Where it stood.
        from: Square,
        /// Where it was let go.
        to: Square,
    },
    /// The pawn on the last rank gives way to this piece [4.4.4, 4.7.3].
    Promote {
        /// Who.
        player: Color,
        /// The piece that has touched the square.
        piece: PieceKind,
    },
    /// A move is made on the board; a legal one is thereby final [4.7].
    Move {
        /// Who.
        player: Color,
        /// Its squares.
        #[serde(rename = "move")]
        mv: WrittenMove,
        /// Made with both hands [7.5.4].
        #[serde(default)]
        two_hands: bool,
    },
    /// An illegal move is made and nobody objects.
    UnnoticedIllegalMove {
        /// Who.
        player: Color,
        /// Its squares.
        #[serde(rename = "move")]
        mv: WrittenMove,
    },
    /// A player completes anything else that counts as an illegal move, as a program does that
    /// answers with no move at all.
    IllegalAction {
        /// Who.
        player: Color,
        /// What it was.
        words: String,
    },
    /// It is found that an illegal move stands on the board [7.5.1].
    FoundIllegalMove {
        /// The ply that was illegal, 1 for the first of the game; the last illegal one if left out.
        #[serde(default)]
        ply: Option<usize>,
    },
    /// The opponent is found to have touched these men before the last move [4.3, 4.8].
    TouchComplaint {
        /// Who complains.
        player: Color,
        /// What the opponent touched, in this order.
        squares: Vec<Square>,
    },
    /// A player presses the clock [6.2.1].
    Press {
        /// Who.
        player: Color,
    },
    /// A player offers a draw [9.1.2].
    OfferDraw {
        /// Who.
        player: Color,
    },
    /// A player accepts the offer that stands.
    AcceptDraw {
        /// Who.
        player: Color,
    },
    /// A player declines the offer that stands.
    DeclineDraw {
        /// Who.
        player: Color,
    },
    /// A player claims a draw [9.2, 9.3].
    Claim {
        /// Who.
        player: Color,
        /// By which article.
        claim: ClaimKind,
        /// The move written down and not yet made that brings the position about.
        #[serde(default, rename = "move")]
        mv: Option<WrittenMove>,
    },
    /// A player resigns.
    Resign {
        /// Who.
        player: Color,
    },
    /// A player's flag is said to have fallen [6.8]. Where the game keeps that clock, it is asked.
    Flag {
        /// Whose flag.
        player: Color,
    },
    /// A player is not there at the default time [6.7.1].
    Default {
        /// Who is missing.
        player: Color,
        /// The arbiter's score, if it is not a win for the opponent.
        #[serde(default)]
        score: Option<Score>,
    },
    /// A player refuses to go on with the game.
    RefusePlay {
        /// Who.
        player: Color,
        /// The arbiter's score, if it is not a win for the opponent.
        #[serde(default)]
        score: Option<Score>,
    },
    /// A player refuses to comply with the Laws [11.7].
    RefuseComply {
        /// Who.
        player: Color,
        /// The arbiter's score, if it is not a win for the opponent.
        #[serde(default)]
        score: Option<Score>,
    },
    /// A player breaks the rules grossly.
    GrossBreach {
        /// Who.
        player: Color,
        /// The arbiter's score, if it is not a win for the opponent.
        #[serde(default)]
        score: Option<Score>,
    },
    /// A player's program crashes or loses its connection.
    Crash {
        /// Whose program.
        player: Color,
    },
    /// The player to move seals a move and the game is adjourned [Guidelines I].
    Seal {
        /// Who.
        player: Color,
        /// What is written in the envelope, in algebraic notation or as squares.
        #[serde(default)]
        text: Option<String>,
    },
    /// The adjourned game goes on: the envelope is opened.
    Resume,
    /// The arbiter decides.
    Arbiter(Decision),
}

impl Event {
    /// The player it is about, if it is about one.
    pub fn player(&self) -> Option<Color> {
        match self {
            Event::Tick | Event::FoundIllegalMove { .. } | Event::Resume | Event::Arbiter(_) => {
                None
            }
            Event::Arrive { player }
            | Event::Adjust { player }
            | Event::Touch { player, .. }
            | Event::Release { player, .. }
            | Event::Promote { player, .. }
            | Event::Move { player, .. }
            | Event::UnnoticedIllegalMove { player, .. }
            | Event::IllegalAction { player, .. }
            | Event::TouchComplaint { player, .. }
            | Event::Press { player }
            | Event::OfferDraw { player }
            | Event::AcceptDraw { player }
            | Event::DeclineDraw { player }
            | Event::Claim { player, .. }
            | Event::Resign { player }
            | Event::Flag { player }
            | Event::Default { player, .. }
            | Event::RefusePlay { player, .. }
            | Event::RefuseComply { player, .. }
            | Event::GrossBreach { player, .. }
            | Event::Crash { player }
            | Event::Seal { player, .. } => Some(*player),
        }
    }
}
