//! One game between two engines.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ferz::laws::mating::Solver;
use ferz::notation::{pgn, to_uci};
use ferz::tablebase::Tablebase;
use ferz::types::Color;
use serde::{Deserialize, Serialize};

use super::adjudicate::{Adjudicator, by_tables};
use super::client::{Answer, Client, Failure};
use super::clock::SideClock;
use super::config::Settings;
use super::fault::{Fault, FaultClass};
use super::info::{EngineScore, Info};
use super::late::{Timeliness, judge};
use super::openings::Opening;
use super::referee::{GameResult, Referee, Verdict};

/// How a game came out.
#[derive(Debug)]
pub enum Played {
    /// It was ruled.
    Over(Box<GameOver>),
    /// It does not count: this process's own threads were late for this side's move.
    Void {
        /// Whose move it was.
        side: Color,
        /// How late the threads were.
        late: Duration,
    },
    /// The run is to end.
    Stopped,
}

/// A game that was ruled.
#[derive(Debug)]
pub struct GameOver {
    /// How it ended.
    pub verdict: Verdict,
    /// The moves, for the PGN.
    pub moves: Vec<PlayedMove>,
    /// The fault that ended it, and whose it was.
    pub fault: Option<(Color, Box<Fault>)>,
    /// What was odd about White and Black, but no fault.
    pub oddities: [Oddities; 2],
    /// What this process took between an answer and the next question, summed up.
    pub overhead: Duration,
    /// How often that was.
    pub gaps: u32,
}

impl GameOver {
    /// A game whose engine of `side` did not start.
    pub fn not_started(plan: GamePlan<'_>, side: Color, fault: Box<Fault>) -> GameOver {
        let mut referee = Referee::new(plan.opening.position, plan.settings.chess960, plan.solver);
        GameOver {
            verdict: referee.fault(side, fault.class, &fault.detail),
            moves: Vec::new(),
            fault: Some((side, fault)),
            oddities: [Oddities::default(); 2],
            overhead: Duration::ZERO,
            gaps: 0,
        }
    }
}

/// What an engine said that was wrong without breaking the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Oddities {
    /// Lines with a move that cannot be played.
    pub illegal_lines: u32,
    /// Mates announced with a line that does not mate.
    pub false_mates: u32,
    /// Answers that are not the first move of the last line.
    pub off_line: u32,
    /// Moves proposed for pondering that cannot be played.
    pub bad_ponder: u32,
    /// Answers that nobody had asked for.
    pub strays: u32,
}

impl Oddities {
    /// Adds the counts of another game.
    pub fn merge(&mut self, other: Oddities) {
        self.illegal_lines += other.illegal_lines;
        self.false_mates += other.false_mates;
        self.off_line += other.off_line;
        self.bad_ponder += other.bad_ponder;
        self.strays += other.strays;
    }

    /// The counts with their names.
    pub fn named(self) -> [(&'static str, u32); 5] {
        [
            ("illegal lines", self.illegal_lines),
            ("false mates", self.false_mates),
            ("move not of the line", self.off_line),
            ("illegal ponder moves", self.bad_ponder),
            ("stray answers", self.strays),
        ]
    }
}

/// A move with what was said about it.
#[derive(Debug)]
pub struct PlayedMove {
    /// The move, as the notation room has it.
    pub mv: ferz::types::Move,
    /// Time it took; `None` for a move of the opening.
    pub used: Option<Duration>,
    /// Time left on the mover's clock after it.
    pub left: Option<Duration>,
    /// The engine's last line.
    pub info: Option<Info>,
}

/// A game that is to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    /// The rules of the run.
    pub settings: &'a Settings,
    /// Where it begins.
    pub opening: &'a Opening,
    /// The engines of White and Black, as numbers in the settings.
    pub engines: [usize; 2],
    /// Answers whether a side can still mate.
    pub solver: &'a Solver,
    /// The endgame tables that decide games, if any.
    pub tables: Option<&'a Tablebase>,
}

/// A game in progress.
struct Table<'a, 'b, 'c> {
    plan: GamePlan<'a>,
    clients: [&'b mut Client<'c>; 2],
    referee: Referee,
    clocks: [SideClock; 2],
    position_line: String,
    adjudicator: Adjudicator,
    over: GameOver,
    answered: Option<Instant>,
}

/// Plays a game to its end.
pub fn play(plan: GamePlan<'_>, clients: [&mut Client<'_>; 2]) -> Played {
    let mut table = Table::set_up(plan, clients);
    let mut expected = None;
    for side in Color::ALL {
        if let Err(failure) = table.clients[side.index()].new_game() {
            return table.fail(side, failure);
        }
    }
    loop {
        match table.turn(expected.as_deref()) {
            Turn::Next(played) => expected = Some(played),
            Turn::Over(verdict) => return table.finish(verdict),
            Turn::Failed(side, failure) => return table.fail(side, failure),
            Turn::Void(side, late) => return Played::Void { side, late },
        }
    }
}

enum Turn {
    Next(String),
    Over(Verdict),
    Failed(Color, Failure),
    Void(Color, Duration),
}

impl<'a, 'b, 'c> Table<'a, 'b, 'c> {
    fn set_up(plan: GamePlan<'a>, clients: [&'b mut Client<'c>; 2]) -> Table<'a, 'b, 'c> {
        let (opening, chess960) = (plan.opening, plan.settings.chess960);
        let mut referee = Referee::new(opening.start, chess960, plan.solver);
        let mut moves = Vec::new();
        let fen = match chess960 {
            true => opening.start.shredder_fen(),
            false => opening.start.fen(),
        };
        let mut position_line = format!("position fen {fen}");
        for text in &opening.moves {
            // The opening was played through when it was read.
            let Some(mv) = referee.read(text) else { break };
            append_move(&mut position_line, text);
            moves.push(PlayedMove { mv, used: None, left: None, info: None });
            referee.play(mv);
        }
        Table {
            plan,
            clients,
            referee,
            clocks: plan.engines.map(|engine| SideClock::new(plan.settings.control(engine))),
            position_line,
            adjudicator: Adjudicator::default(),
            over: GameOver {
                verdict: Verdict {
                    result: GameResult::Draw,
                    ending: super::referee::Ending::MaxMoves,
                    words: String::new(),
                },
                moves,
                fault: None,
                oddities: [Oddities::default(); 2],
                overhead: Duration::ZERO,
                gaps: 0,
            },
            answered: None,
        }
    }

    /// Asks the side to move for its move and plays it.
    fn turn(&mut self, expected: Option<&str>) -> Turn {
        let settings = self.plan.settings;
        let side = self.referee.position().side_to_move();
        let (own, other) = (self.clocks[side.index()], self.clocks[(!side).index()]);
        let margin = Duration::from_millis(settings.margin_ms);
        let limit = own.limit().map(|limit| limit + margin);
        let patience = limit.unwrap_or(Duration::from_millis(settings.untimed_ms));
        let go = own.go(&other, side == Color::White, false);
        let client = &mut *self.clients[side.index()];
        let answer = match client.think(&self.position_line, &go, expected, patience) {
            Ok(answer) => answer,
            Err(failure) => return Turn::Failed(side, failure),
        };
        if let Some((asked, answered)) = answer.span {
            if let Some(before) = self.answered {
                self.over.overhead += asked.saturating_duration_since(before);
                self.over.gaps += 1;
            }
            self.answered = Some(answered);
        }
        if let Some(limit) = limit {
            match judge(answer.used, answer.late, limit) {
                Timeliness::InTime => {}
                Timeliness::Void => return Turn::Void(side, answer.late),
                Timeliness::Flag => {
                    let detail = format!(
                        "{:.3} s used, {:.3} s allowed",
                        answer.used.as_secs_f64(),
                        limit.as_secs_f64()
                    );
                    return Turn::Failed(side, client.fault(FaultClass::Flag, detail));
                }
            }
        }
        let Some(mv) = self.referee.read(&answer.best) else {
            let class = match looks_like_move(&answer.best) {
                true => FaultClass::IllegalMove,
                false => FaultClass::BadOutput,
            };
            let fen = self.referee.position().fen();
            let detail = format!("bestmove {:?} in {fen}", answer.best);
            return Turn::Failed(side, client.fault(class, detail));
        };
        self.check_line(side, &answer, mv);
        self.clocks[side.index()].complete(answer.used);
        self.record(side, mv, answer)
    }

    /// Counts what is odd about the answer's line.
    fn check_line(&mut self, side: Color, answer: &Answer, best: ferz::types::Move) {
        let odd = &mut self.over.oddities[side.index()];
        let Some(info) = answer.info.as_ref().filter(|info| !info.pv.is_empty()) else { return };
        let mut line = *self.referee.position();
        let chess960 = self.plan.settings.chess960;
        let mate = match info.score {
            Some(EngineScore::Mate(moves)) if moves > 0 && !info.bound => 2 * moves as usize - 1,
            _ => usize::MAX,
        };
        for (ply, text) in info.pv.iter().enumerate() {
            match ferz::notation::parse_uci(&line, text) {
                Ok(mv) if ply == 0 && mv != best => odd.off_line += 1,
                Ok(mv) => {
                    line.play(mv);
                    if ply + 1 == mate && !line.is_checkmate() {
                        odd.false_mates += 1;
                    }
                    continue;
                }
                Err(_) => odd.illegal_lines += 1,
            }
            break;
        }
        let after = self.referee.position().after(best);
        if let Some(text) = &answer.ponder {
            let legal = ferz::notation::parse_uci(&after, text)
                .is_ok_and(|mv| to_uci(mv, chess960) == text.to_lowercase());
            odd.bad_ponder += u32::from(!legal);
        }
    }

    /// Plays the move and looks whether that was the end.
    fn record(&mut self, side: Color, mv: ferz::types::Move, answer: Answer) -> Turn {
        let text = self.referee.uci(mv);
        let full_move = self.referee.position().fullmove_number();
        let score = answer.info.as_ref().and_then(|info| info.score).map(EngineScore::value);
        self.over.moves.push(PlayedMove {
            mv,
            used: Some(answer.used),
            left: self.clocks[side.index()].left(),
            info: answer.info,
        });
        append_move(&mut self.position_line, &text);
        if let Some(verdict) = self.referee.play(mv) {
            return Turn::Over(verdict);
        }
        let rules = &self.plan.settings.adjudication;
        if let Some(verdict) = self.adjudicator.add(rules, side, score, full_move) {
            return Turn::Over(verdict);
        }
        let position = self.referee.position();
        if let Some(verdict) = self.plan.tables.and_then(|tables| by_tables(tables, position)) {
            return Turn::Over(verdict);
        }
        if self.plan.settings.ponder
            && let Some(reply) = answer.ponder
            && let Some(mv) = self.referee.read(&reply)
        {
            self.ponder(side, &self.referee.uci(mv));
        }
        Turn::Next(text)
    }

    fn ponder(&mut self, side: Color, reply: &str) {
        let mut line = self.position_line.clone();
        append_move(&mut line, reply);
        let (own, other) = (self.clocks[side.index()], self.clocks[(!side).index()]);
        let go = own.go(&other, side == Color::White, true);
        self.clients[side.index()].ponder(reply, &line, &go);
    }

    fn fail(mut self, side: Color, failure: Failure) -> Played {
        match failure {
            Failure::Stopped => Played::Stopped,
            Failure::Fault(fault) => {
                let verdict = self.referee.fault(side, fault.class, &fault.detail);
                self.over.fault = Some((side, fault));
                self.finish(verdict)
            }
        }
    }

    fn finish(mut self, verdict: Verdict) -> Played {
        for side in Color::ALL {
            let strays = std::mem::take(&mut self.clients[side.index()].strays);
            self.over.oddities[side.index()].strays += strays;
        }
        self.over.verdict = verdict;
        Played::Over(Box::new(self.over))
    }
}

fn append_move(position_line: &mut String, text: &str) {
    if !position_line.contains(" moves ") {
        position_line.push_str(" moves");
    }
    position_line.push(' ');
    position_line.push_str(text);
}

/// Whether a text has the shape of a move, so that it is illegal rather than no answer at all.
fn looks_like_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |file: u8, rank: u8| matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match bytes {
        [f, r, g, s] => square(*f, *r) && square(*g, *s) || text == "0000",
        [f, r, g, s, p] => square(*f, *r) && square(*g, *s) && p.is_ascii_lowercase(),
        _ => false,
    }
}

/// The game as PGN, with clocks and scores as comments. `names` are those of White and Black,
/// `round` is the number of the pair and of the game in it.
pub fn to_pgn(
    plan: GamePlan<'_>,
    over: &GameOver,
    names: [&str; 2],
    round: (u32, u32),
    date: &str,
) -> String {
    let settings = plan.settings;
    let mut game = pgn::Game::new(plan.opening.start);
    game.set_tag("Event", settings.event.as_str());
    game.set_tag("Site", "?");
    game.set_tag("Date", date);
    game.set_tag("Round", format!("{}.{}", round.0, round.1));
    game.set_tag("White", names[0]);
    game.set_tag("Black", names[1]);
    let controls = plan.engines.map(|engine| settings.control(engine).to_string());
    if controls[0] == controls[1] {
        game.set_tag("TimeControl", controls[0].as_str());
    } else {
        game.set_tag("WhiteTimeControl", controls[0].as_str());
        game.set_tag("BlackTimeControl", controls[1].as_str());
    }
    if settings.chess960 {
        game.set_tag("Variant", "Chess960");
    }
    game.set_tag("PlyCount", over.moves.len().to_string());
    game.set_tag("Termination", over.verdict.ending.termination());
    game.set_tag("Ending", over.verdict.ending.name());
    let mut mover = plan.opening.start.side_to_move();
    for played in &over.moves {
        game.push(played.mv);
        if let Some(used) = played.used {
            game.comment(comment(played, used, mover));
        }
        mover = !mover;
    }
    game.comment(over.verdict.words.replace(['{', '}'], ""));
    game.set_result(match over.verdict.result {
        GameResult::White => pgn::GameResult::WhiteWins,
        GameResult::Black => pgn::GameResult::BlackWins,
        GameResult::Draw => pgn::GameResult::Draw,
    });
    game.to_string()
}

/// Score from the mover's view with depth, time used, nodes; then score from White's view and clock
/// in the form that viewers read.
fn comment(played: &PlayedMove, used: Duration, mover: Color) -> String {
    let mut text = String::new();
    let info = played.info.as_ref();
    let score = info.and_then(|info| info.score);
    let depth = info.and_then(|info| info.depth);
    // Writing to a string cannot fail.
    if let Some(score) = score {
        let _ = write!(text, "{score}/{} ", depth.unwrap_or(0));
    }
    let _ = write!(text, "{:.3}s", used.as_secs_f64());
    if let Some(nodes) = info.and_then(|info| info.nodes) {
        let _ = write!(text, " n={nodes}");
    }
    if let Some(score) = score {
        let sign = if mover == Color::White { 1 } else { -1 };
        let _ = match score {
            EngineScore::Centipawns(value) => {
                write!(text, " [%eval {:.2}", f64::from(sign * value) / 100.0)
            }
            EngineScore::Mate(moves) => write!(text, " [%eval #{}", sign * moves),
        };
        let _ = match depth {
            Some(depth) => write!(text, ",{depth}]"),
            None => write!(text, "]"),
        };
    }
    if let Some(left) = played.left {
        let seconds = left.as_secs_f64();
        let whole = left.as_secs();
        let (hours, minutes) = (whole / 3600, whole / 60 % 60);
        let rest = seconds - (hours * 3600 + minutes * 60) as f64;
        let _ = write!(text, " [%clk {hours}:{minutes:02}:{rest:06.3}]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_tell_score_time_and_clock() {
        let start = ferz::board::Position::startpos();
        let mv = ferz::notation::parse_uci(&start, "e2e4").unwrap();
        let ms = Duration::from_millis;
        let mut played = PlayedMove {
            mv,
            used: Some(ms(123)),
            left: Some(ms(3_725_040)),
            info: Some(Info::parse("info depth 12 score cp -35 nodes 77 pv e2e4")),
        };
        assert_eq!(
            comment(&played, ms(123), Color::Black),
            "-0.35/12 0.123s n=77 [%eval 0.35,12] [%clk 1:02:05.040]"
        );
        played.info = Some(Info::parse("info score mate 3"));
        played.left = None;
        assert_eq!(comment(&played, ms(5), Color::White), "+M3/0 0.005s [%eval #3]");
        played.info = None;
        assert_eq!(comment(&played, ms(5), Color::White), "0.005s");
    }

    #[test]
    fn answers_without_the_shape_of_a_move_are_bad_output() {
        for text in ["e2e4", "e7e8q", "a1a1", "0000", "e1h1"] {
            assert!(looks_like_move(text), "{text}");
        }
        for text in ["", "(none)", "E2E4", "e2-e4", "i9i9", "Nf3", "é2e4"] {
            assert!(!looks_like_move(text), "{text}");
        }
    }
}
