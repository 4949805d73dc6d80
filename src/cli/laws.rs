//! `ferz laws`: what the laws say of a position, for people and for scripts.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use super::Failure;
use crate::board::Position;
use crate::laws::mating::{Answer, CheapRule, Doubt, Grounds, Possible, Proof, Solver, Verdict};
use crate::laws::{History, Reason, Ruleset};
use crate::notation::to_san;
use crate::types::{Color, Move};

/// The arguments of `ferz laws`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// The position, in quotes or not; the initial one if absent
    #[arg(conflicts_with = "batch")]
    fen: Vec<String>,
    /// Read one FEN a line and write, tab-separated: FEN, White can mate, Black can mate, dead,
    /// nodes, microseconds
    #[arg(long)]
    batch: bool,
    /// Longest time for one question about mating, in milliseconds
    #[arg(long, default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
}

#[derive(clap::Subcommand, Debug)]
enum Task {
    /// Show a line by which each side could mate, or why there is none
    MatePossible {
        /// The position, in quotes or not; the initial one if absent
        fen: Vec<String>,
        /// Longest time for one question about mating, in milliseconds
        #[arg(long, default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(1..))]
        budget: u64,
    },
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(Task::MatePossible { fen, budget }) = &arguments.task {
        let position = super::position(fen)?;
        return mate_possible(&position, &Solver::new(Duration::from_millis(*budget)), out);
    }
    let solver = Solver::new(Duration::from_millis(arguments.budget));
    if arguments.batch {
        return batch(io::stdin().lock(), &solver, out);
    }
    let position = super::position(&arguments.fen)?;
    out.write_all(describe(&position, &solver).as_bytes())?;
    Ok(())
}

/// Whether no series of moves mates either king, from the answers for both sides.
fn dead(white: Possible, black: Possible) -> Possible {
    match (white, black) {
        (Possible::Yes, _) | (_, Possible::Yes) => Possible::No,
        (Possible::No, Possible::No) => Possible::Yes,
        _ => Possible::Undecided,
    }
}

fn batch(mut input: impl BufRead, solver: &Solver, out: &mut impl Write) -> Result<(), Failure> {
    let (mut line, mut number, mut bad) = (Vec::new(), 0_u64, 0_u64);
    while {
        line.clear();
        input.read_until(b'\n', &mut line)? > 0
    } {
        number += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        match Position::from_fen(text) {
            Ok(position) => writeln!(out, "{text}\t{}", batch_answer(&position, solver))?,
            Err(error) => {
                bad += 1;
                writeln!(out, "{text}\terror\terror\terror\t-\t-")?;
                writeln!(io::stderr(), "ferz: line {number}: {error}")?;
            }
        }
        out.flush()?;
    }
    match bad {
        0 => Ok(()),
        _ => Err(Failure::Input(format!("{bad} line(s) hold no position"))),
    }
}

/// The columns behind the FEN.
fn batch_answer(position: &Position, solver: &Solver) -> String {
    let start = Instant::now();
    let [white, black] = Color::ALL.map(|color| solver.can_mate(position, color));
    let micros = start.elapsed().as_micros();
    let (w, b) = (white.answer.possible(), black.answer.possible());
    let nodes = match (white.nodes, black.nodes) {
        (None, None) => "-".to_owned(),
        (white, black) => (white.unwrap_or(0) + black.unwrap_or(0)).to_string(),
    };
    format!("{w}\t{b}\t{}\t{nodes}\t{micros}", dead(w, b))
}

fn mate_possible(
    position: &Position,
    solver: &Solver,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for color in Color::ALL {
        let verdict = solver.can_mate(position, color);
        write!(out, "{color} can mate: {}", verdict.answer.possible())?;
        writeln!(out, ", {}", why(&verdict))?;
        if let Answer::Yes(_) = verdict.answer {
            match solver.helpmate(position, color) {
                Some(line) if line.is_empty() => {}
                Some(line) => writeln!(out, "    {}", san_line(position, &line))?,
                None => writeln!(out, "    (no line found within the time)")?,
            }
        }
    }
    Ok(())
}

fn why(verdict: &Verdict) -> &'static str {
    match &verdict.answer {
        Answer::Yes(Proof::OnBoard) => "it stands on the board",
        Answer::Yes(_) => "for example",
        Answer::No(Grounds::GameOver) => "the game is over",
        Answer::No(Grounds::Material) => "material: these men can never mate",
        Answer::No(Grounds::Static) => "static: forced play or a locked position rules it out",
        Answer::No(Grounds::Search) => "search: nothing that can still happen is a mate",
        Answer::Undecided(Doubt::Budget) => "the time was used up",
        Answer::Undecided(Doubt::GaveUp) => "the solver gave up",
        Answer::Undecided(Doubt::Failed) => "the solver failed",
        Answer::Undecided(Doubt::LineRefuted) => "the solver's line is no helpmate",
        Answer::Undecided(Doubt::CastlingRights) => "a Chess960 castling right might matter",
    }
}

/// `1. e4 e5 2. …`
fn san_line(position: &Position, line: &[Move]) -> String {
    let mut now = *position;
    let mut text = String::new();
    for (index, &mv) in line.iter().enumerate() {
        let number = now.fullmove_number();
        // Writing to a String cannot fail.
        let _ = match (now.side_to_move(), index) {
            (Color::White, _) => write!(text, "{number}. "),
            (Color::Black, 0) => write!(text, "{number}... "),
            (Color::Black, _) => Ok(()),
        };
        text += &to_san(&now, mv);
        text.push(' ');
        now.play(mv);
    }
    text.truncate(text.trim_end().len());
    text
}

/// What the laws say of a position, in sentences.
fn describe(position: &Position, solver: &Solver) -> String {
    let rules = Ruleset::standard();
    let history = History::new(*position);
    let mover = position.side_to_move();
    let count = position.count_legal();
    let mut text = format!("{}\n", position.fen());
    let checked = if position.in_check() { " and is in check" } else { "" };
    let moves = match count {
        1 => "one legal move".to_owned(),
        _ => format!("{count} legal moves"),
    };
    text += &format!("{mover} is to move{checked}: {moves}.\n");
    let end = history.automatic_end(&rules, solver);
    match end.as_ref().map(|(_, reason)| reason) {
        Some(Reason::Checkmate) => {
            text += &format!("Checkmate: {} has won [5.1.1].\n", !mover);
            return text;
        }
        Some(Reason::Stalemate) => {
            text += "Stalemate: the game is drawn [5.2.1].\n";
            return text;
        }
        Some(Reason::NoProgress { .. }) => {
            text += "Seventy-five moves without capture or pawn move: the game is drawn [9.6.2].\n";
        }
        Some(Reason::DeadPosition) => {
            text += "Dead position: no series of legal moves mates either king; \
                     the game is drawn [5.2.2].\n";
        }
        _ => text += "The game goes on.\n",
    }
    for color in Color::ALL {
        text += &describe_side(position, color, solver);
    }
    if end.is_none() {
        text += &describe_claims(&history, &rules);
    }
    text
}

fn describe_side(position: &Position, color: Color, solver: &Solver) -> String {
    let verdict = solver.can_mate(position, color);
    let possible = verdict.answer.possible();
    let flag = format!("if {}'s flag falls", !color);
    let mut text = match possible {
        Possible::Yes => format!("{color} can still mate: {flag}, {color} wins [6.9].\n"),
        Possible::No => {
            format!("{color} cannot mate ({}): {flag}, it is a draw [6.9].\n", why(&verdict))
        }
        Possible::Undecided => format!(
            "Whether {color} can still mate is undecided ({}): {flag}, the arbiter decides.\n",
            why(&verdict)
        ),
    };
    let differs = |rule: &CheapRule| match possible {
        Possible::Yes => !rule.can_win(position, color),
        Possible::No => rule.can_win(position, color),
        Possible::Undecided => false,
    };
    let others: Vec<&str> =
        CheapRule::ALL.into_iter().filter(differs).map(CheapRule::name).collect();
    if !others.is_empty() {
        text += &format!("    Cheap rules that say otherwise: {}.\n", others.join(", "));
    }
    text
}

fn describe_claims(history: &History, rules: &Ruleset) -> String {
    let position = history.position();
    let mover = position.side_to_move();
    let plies = position.halfmove_clock();
    let mut text = format!(
        "Without capture or pawn move: {plies} plies; {mover} may claim from 100 on [9.3], \
         the game is drawn at 150 [9.6.2].\n"
    );
    let with: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|&mv| history.claims_with(mv, rules).any())
        .map(|mv| to_san(position, mv))
        .collect();
    if history.claims(rules).fifty_moves {
        text += &format!("{mover} may claim a draw by the fifty-move rule now.\n");
    } else if with.is_empty() {
        text += &format!("{mover} may claim nothing by the fifty-move rule, now or with a move.\n");
    } else {
        text += &format!("{mover} may claim a draw now by writing down: {}.\n", with.join(", "));
    }
    text + "Repetition cannot be seen from a position alone.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch_text(input: &str) -> (String, Result<(), Failure>) {
        let mut out = Vec::new();
        let result = batch(input.as_bytes(), &Solver::default(), &mut out);
        (String::from_utf8(out).unwrap(), result)
    }

    #[test]
    fn batch_writes_six_columns_in_order_and_names_bad_lines() {
        let fens = "7k/8/8/8/8/8/6q1/7K w - - 0 1\n\n8/8/3rk3/8/8/2K5/8/8 w - -\n";
        let (text, result) = batch_text(fens);
        assert!(result.is_ok());
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(rows[0][..4], ["7k/8/8/8/8/8/6q1/7K w - - 0 1", "no", "no", "yes"]);
        assert_eq!(rows[1][..4], ["8/8/3rk3/8/8/2K5/8/8 w - -", "no", "yes", "no"]);
        assert!(rows.iter().all(|row| row.len() == 6 && row[5].parse::<u64>().is_ok()));
        let (text, result) = batch_text("8/8/8/8/8/8/8/8 w - - 0 1\n");
        assert!(result.is_err());
        assert!(text.ends_with("\terror\terror\terror\t-\t-\n"), "{text}");
    }

    #[test]
    fn words_for_people_name_the_articles() {
        let text = |fen: &str| describe(&Position::from_fen(fen).unwrap(), &Solver::default());
        assert!(text("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").contains("White has won [5.1.1]"));
        assert!(text("7k/8/8/8/8/8/6q1/7K w - - 0 1").contains("Dead position"));
        let flag = text("8/8/8/4k3/4p3/4N3/4K3/8 w - - 0 1");
        assert!(flag.contains("White can still mate"), "{flag}");
        assert!(flag.contains("Cheap rules that say otherwise: material-only, US Chess"), "{flag}");
        let claim = text("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
        assert!(claim.contains("by writing down") && !claim.contains("e4"), "{claim}");
        assert!(text("4k3/8/8/8/8/8/4P3/R3K3 w - - 100 80").contains("fifty-move rule now"));
    }
}
