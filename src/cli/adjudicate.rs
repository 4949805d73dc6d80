//! `ferz adjudicate`: recorded games against the laws.

use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;

use super::Failure;
use crate::laws::mating::{Possible, Solver};
use crate::laws::{Claims, History, Outcome, Reason, Ruleset, Score};
use crate::notation::pgn::{self, FaultKind, GameResult};
use crate::types::Color;

/// The arguments of `ferz adjudicate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Files of games in portable game notation
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write one JSON object a line instead of sentences
    #[arg(long)]
    json: bool,
}

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// The text cannot be read at this place.
    Fault,
    /// A move is against the laws.
    IllegalMove,
    /// The recorded result is not the one that the laws give.
    Result,
    /// A flag fall or a resignation won although the winner could not mate any more.
    ShouldBeDraw,
    /// The game went on after it had ended.
    PlayedOn,
    /// A player could have claimed a draw and did not.
    MissedClaim,
}

impl Kind {
    /// Whether something is wrong; a claim is a right, not a duty.
    fn is_wrong(self) -> bool {
        self != Kind::MissedClaim
    }

    fn words(self) -> &'static str {
        match self {
            Kind::Fault => "fault",
            Kind::IllegalMove => "illegal move",
            Kind::Result => "wrong result",
            Kind::ShouldBeDraw => "should be a draw",
            Kind::PlayedOn => "played on",
            Kind::MissedClaim => "missed claim",
        }
    }
}

/// Something to be said about a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Finding {
    kind: Kind,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    words: String,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: usize,
    white: &'a str,
    black: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// What became of one game.
struct Judged {
    number: usize,
    white: String,
    black: String,
    plies: usize,
    findings: Vec<Finding>,
}

/// Judges all games of all files.
///
/// The answer is whether nothing was wrong: missed claims are reported but not wrong.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<bool, Failure> {
    let (mut games, mut plies, mut wrong, mut claims) = (0, 0, 0, 0);
    for path in &arguments.files {
        let name = path.display().to_string();
        let text =
            std::fs::read(path).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for judged in judge_file(&text) {
            games += 1;
            plies += judged.plies;
            for finding in &judged.findings {
                match finding.kind.is_wrong() {
                    true => wrong += 1,
                    false => claims += 1,
                }
                write_finding(&name, &judged, finding, arguments.json, out)?;
            }
        }
    }
    if arguments.json {
        let summary = serde_json::json!({
            "games": games, "plies": plies, "wrong": wrong, "missed_claims": claims
        });
        writeln!(out, "{summary}")?;
    } else {
        writeln!(out, "{games} games, {plies} plies: {wrong} wrong, {claims} missed claims")?;
    }
    Ok(wrong == 0)
}

fn write_finding(
    file: &str,
    game: &Judged,
    finding: &Finding,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if json {
        let Judged { number, white, black, .. } = game;
        let report = Report { file, game: *number, white, black, finding };
        let text = serde_json::to_string(&report);
        writeln!(out, "{}", text.map_err(|error| Failure::Input(error.to_string()))?)?;
        return Ok(());
    }
    let Finding { kind, line, column, words } = finding;
    let column = column.map_or(String::new(), |column| format!(":{column}"));
    let Judged { number, white, black, .. } = game;
    let kind = kind.words();
    writeln!(out, "{file}:{line}{column}: game {number} ({white} - {black}): {kind}: {words}")?;
    Ok(())
}

fn judge_file(text: &[u8]) -> Vec<Judged> {
    let raw: Vec<pgn::RawGame<'_>> = pgn::Games::new(text).collect();
    let bar = ProgressBar::new(raw.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    let rules = Ruleset::standard();
    let judged = raw
        .par_iter()
        .map_init(Solver::default, |solver, raw| {
            let judged = judge(raw.number, &raw.parse(), &rules, solver);
            bar.inc(1);
            judged
        })
        .collect();
    bar.finish_and_clear();
    judged
}

fn judge(number: usize, game: &pgn::Game, rules: &Ruleset, solver: &Solver) -> Judged {
    let mut judge = Judge { game, rules, solver, findings: Vec::new() };
    let plies = judge.run();
    let tag = |name| game.tag(name).unwrap_or("?").to_owned();
    Judged { number, white: tag("White"), black: tag("Black"), plies, findings: judge.findings }
}

struct Judge<'a> {
    game: &'a pgn::Game,
    rules: &'a Ruleset,
    solver: &'a Solver,
    findings: Vec<Finding>,
}

/// `12... Nf6` before the move: where in the game something happened.
fn place(history: &History) -> String {
    let position = history.position();
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("before move {}{dots}", position.fullmove_number())
}

impl Judge<'_> {
    fn report(&mut self, kind: Kind, words: String) {
        self.findings.push(Finding { kind, line: self.game.line, column: None, words });
    }

    /// Replays the game; the answer is how many plies could be replayed.
    fn run(&mut self) -> usize {
        for fault in &self.game.faults {
            let illegal =
                matches!(fault.kind, FaultKind::Move { .. } | FaultKind::NullMoveInCheck { .. });
            self.findings.push(Finding {
                kind: if illegal { Kind::IllegalMove } else { Kind::Fault },
                line: fault.line,
                column: Some(fault.column),
                words: fault.kind.to_string(),
            });
        }
        let Some(start) = self.game.start else { return 0 };
        let mut history = History::new(start);
        let mut ended = None;
        let mut seen = Claims::default();
        for ply in &self.game.plies {
            let Some(mv) = ply.mv else {
                let words =
                    format!("{}: a null move is no move; the rest is not judged", place(&history));
                self.report(Kind::IllegalMove, words);
                return history.plies();
            };
            self.before_move(&history, &mut ended, &mut seen);
            history.play(mv);
        }
        let cut = self.game.faults.iter().any(|fault| {
            matches!(
                fault.kind,
                FaultKind::Move { .. }
                    | FaultKind::NullMoveInCheck { .. }
                    | FaultKind::UnclosedComment
                    | FaultKind::UnclosedVariation
            )
        });
        if !cut {
            self.at_the_end(&history, ended.is_some(), seen);
        }
        history.plies()
    }

    /// The game goes on from here: it should not have ended, and a claim is not taken.
    fn before_move(&mut self, history: &History, ended: &mut Option<Reason>, seen: &mut Claims) {
        if ended.is_none()
            && let Some((score, reason)) = history.automatic_end(self.rules, self.solver)
        {
            let outcome = Outcome { score, reason: reason.clone(), undecided: false };
            self.report(Kind::PlayedOn, format!("{}: {outcome}", place(history)));
            *ended = Some(reason);
        }
        self.missed(history, seen);
    }

    /// Reports each kind of claim the first time it could be made.
    fn missed(&mut self, history: &History, seen: &mut Claims) {
        let claims = history.claims(self.rules);
        let mover = history.on_move();
        if claims.threefold && !seen.threefold {
            let count = history.occurrences();
            let words = format!(
                "{}: {mover} could claim: the position stands {count} times [9.2]",
                place(history)
            );
            self.report(Kind::MissedClaim, words);
        }
        if claims.fifty_moves && !seen.fifty_moves {
            let plies = history.position().halfmove_clock();
            let words = format!(
                "{}: {mover} could claim: {plies} plies without capture or pawn move [9.3]",
                place(history)
            );
            self.report(Kind::MissedClaim, words);
        }
        seen.threefold |= claims.threefold;
        seen.fifty_moves |= claims.fifty_moves;
    }

    fn at_the_end(&mut self, history: &History, ended_before: bool, mut seen: Claims) {
        let result = self.game.result();
        if ended_before {
            return;
        }
        if let Some((score, reason)) = history.automatic_end(self.rules, self.solver) {
            if result.text() != score.pgn() {
                let outcome = Outcome { score, reason, undecided: false };
                let words = format!("recorded {result}, but {outcome}");
                self.report(Kind::Result, words);
            }
            return;
        }
        let winner = match result {
            GameResult::WhiteWins => Color::White,
            GameResult::BlackWins => Color::Black,
            GameResult::Draw => return self.drawn(history),
            GameResult::Unknown => return,
        };
        if history.on_move() != winner {
            self.missed(history, &mut seen);
        }
        self.won(history, winner);
    }

    fn termination(&self) -> String {
        self.game.tag("Termination").unwrap_or_default().to_ascii_lowercase()
    }

    /// A win off the board needs a winner who can still mate.
    fn won(&mut self, history: &History, winner: Color) {
        let termination = self.termination();
        let (what, article) = if termination.contains("time") {
            ("flag fell", "6.9")
        } else if termination.contains("infraction") {
            ("illegal move was punished", "7.5.5")
        } else if matches!(termination.as_str(), "" | "normal") {
            ("game was given up", "5.1.2")
        } else {
            return;
        };
        match self.solver.can_mate(history.position(), winner).answer.possible() {
            Possible::Yes => {}
            Possible::No => {
                let words = format!(
                    "recorded {} when {}'s {what}, but no series of legal moves lets {winner} mate [{article}]",
                    Score::win(winner).pgn(),
                    !winner
                );
                self.report(Kind::ShouldBeDraw, words);
            }
            Possible::Undecided => {
                let words = format!("whether {winner} could still mate is undecided [{article}]");
                self.report(Kind::ShouldBeDraw, words);
            }
        }
    }

    /// A draw by a flag fall needs an opponent who cannot mate, whoever flagged.
    fn drawn(&mut self, history: &History) {
        if !self.termination().contains("time forfeit") {
            return;
        }
        let can = |color| {
            self.solver.can_mate(history.position(), color).answer.possible() == Possible::Yes
        };
        if can(Color::White) && can(Color::Black) {
            let words = "recorded 1/2-1/2 by time forfeit, but both could still mate: \
                         the flag loses [6.9]";
            self.report(Kind::Result, words.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<(Kind, String)> {
        let judged = judge_file(text.as_bytes());
        judged.into_iter().flat_map(|game| game.findings).map(|f| (f.kind, f.words)).collect()
    }

    #[test]
    fn results_against_the_laws_are_found() {
        let mate = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n";
        let found = findings(mate);
        assert_eq!(found[0].0, Kind::Result, "{found:?}");
        let flag = "[FEN \"8/8/3rk3/8/8/2K5/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n\
                    [Termination \"Time forfeit\"]\n[Result \"1-0\"]\n\n1. Kc4 1-0\n";
        let found = findings(flag);
        assert_eq!(found[0].0, Kind::ShouldBeDraw, "{found:?}");
        let fine =
            "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
        assert_eq!(findings(fine), []);
    }

    #[test]
    fn an_illegal_move_costs_only_its_own_game() {
        let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let judged = judge_file(text.as_bytes());
        assert_eq!(judged.len(), 2);
        assert_eq!(judged[0].plies, 2);
        let fault = &judged[0].findings[0];
        assert_eq!((fault.kind, fault.line, fault.column), (Kind::IllegalMove, 3, Some(13)));
        assert!(fault.words.contains("move 2 of White"), "{}", fault.words);
        assert!(judged[1].findings.is_empty());
    }

    #[test]
    fn missed_claims_are_told_once_and_are_nothing_wrong() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
        let text = format!("{shuffle} e4 e5 1-0\n");
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, Kind::MissedClaim);
        assert!(!Kind::MissedClaim.is_wrong());
    }

    #[test]
    fn playing_on_after_the_end_is_found() {
        let text = "[FEN \"7k/8/8/8/8/8/6q1/7K w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kxg2 Kg7 0-1\n";
        let found = findings(text);
        assert_eq!(found[0].0, Kind::PlayedOn, "{found:?}");
    }
}
