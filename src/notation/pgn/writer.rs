//! Writing in the standard's export form.

use std::fmt;

use super::{Game, Ply, after_ply, on_one_line};
use crate::board::Position;
use crate::notation::to_san;
use crate::types::Color;

/// No line of moves is longer, if its words allow.
const COLUMNS: usize = 80;

/// The tags that every game has, in their order, with what stands for "not known".
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

impl fmt::Display for Game {
    /// The seven tag roster, the other tags, set-up tags if the game starts elsewhere than usual,
    /// an empty line, the moves in lines of at most 80 columns with the result last.
    ///
    /// An empty line is to be written between two games of a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, unknown) in ROSTER {
            write_tag(f, name, self.tag(name).unwrap_or(unknown))?;
        }
        write_tag(f, "Result", self.result().text())?;
        let in_roster =
            |name: &str| name == "Result" || ROSTER.iter().any(|(known, _)| *known == name);
        // A start position that could not be read keeps the tags it came with.
        let is_setup = |name: &str| self.start.is_some() && matches!(name, "SetUp" | "FEN");
        for (name, value) in &self.tags {
            if !in_roster(name) && !is_setup(name) {
                write_tag(f, name, value)?;
            }
        }
        let fen = self.start.map(|start| start.fen());
        if let (Some(start), Some(fen)) = (self.start, fen)
            && fen != Position::startpos().fen()
        {
            if start.needs_chess960() && self.tag("Variant").is_none() {
                write_tag(f, "Variant", "Chess960")?;
            }
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &fen)?;
        }
        writeln!(f)?;
        write_lines(f, &self.movetext())
    }
}

impl Game {
    /// The units of the move section between which a line may end.
    fn movetext(&self) -> Vec<String> {
        let mut units = Vec::new();
        push_comments(&mut units, &self.comments);
        let mut position = self.start;
        // The number is repeated for Black where something stands between the moves.
        let mut fresh = true;
        for ply in &self.plies {
            let Some(before) = position else { break };
            if before.side_to_move() == Color::White {
                units.push(format!("{}.", before.fullmove_number()));
            } else if fresh {
                units.push(format!("{}...", before.fullmove_number()));
            }
            units.push(ply.mv.map_or("--".to_string(), |mv| to_san(&before, mv)));
            push_notes(&mut units, ply);
            fresh = !ply.comments.is_empty();
            position = after_ply(&before, ply.mv);
        }
        units.push(self.result().text().to_string());
        units
    }
}

fn push_notes(units: &mut Vec<String>, ply: &Ply) {
    units.extend(ply.nags.iter().map(|nag| format!("${nag}")));
    push_comments(units, &ply.comments);
}

/// Adds comments word by word. PGN knows no escape for a closing brace: it becomes a bracket.
fn push_comments(units: &mut Vec<String>, comments: &[String]) {
    for comment in comments {
        let text = format!("{{{}}}", comment.replace('{', "(").replace('}', ")"));
        let first = units.len();
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
            // A line must not start like a tag, an escape or a comment: simple readers trip on it.
            let clings = word.starts_with(['[', '%', ';'])
                || units.last().is_some_and(|last| is_open_command(last));
            let clings = clings && units.len() > first;
            match units.last_mut() {
                Some(last) if clings => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ if word.is_empty() => {}
                _ => units.push(word.to_string()),
            }
        }
    }
}

/// Whether a unit ends inside a command such as `[%clk 0:01:30]`, which simple readers want on one
/// line; something as long as a line that is still open is no command.
fn is_open_command(unit: &str) -> bool {
    let command = unit.rfind("[%").map(|at| &unit[at..]);
    command.is_some_and(|command| !command.contains(']')) && unit.len() < COLUMNS
}

fn write_lines(f: &mut fmt::Formatter<'_>, units: &[String]) -> fmt::Result {
    let mut column = 0;
    for unit in units {
        let width = unit.chars().count();
        if column > 0 && column + 1 + width > COLUMNS {
            writeln!(f)?;
            column = 0;
        }
        if column > 0 {
            f.write_str(" ")?;
            column += 1;
        }
        f.write_str(unit)?;
        column += width;
    }
    writeln!(f)
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = on_one_line(value);
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::{GameResult, read};
    use super::*;
    use crate::notation::parse_san;

    fn game(fen: &str, moves: &str) -> Game {
        let mut position = Position::from_fen(fen).unwrap();
        let mut game = Game::new(position);
        for san in moves.split_whitespace() {
            let mv = parse_san(&position, san).unwrap();
            game.push(mv);
            position.play(mv);
        }
        game
    }

    #[test]
    fn the_roster_comes_first_and_always() {
        let start = Position::startpos().fen();
        let mut game = game(&start, "e4 e5 Nf3");
        game.set_tag("Termination", "normal");
        game.set_tag("White", "A \"b\" \\");
        game.comment("ends {here}");
        game.set_result(GameResult::Draw);
        let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
            [White \"A \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
            [Termination \"normal\"]\n\n1. e4 e5 2. Nf3 {ends (here)} 1/2-1/2\n";
        assert_eq!(game.to_string(), text);
    }

    #[test]
    fn a_game_from_elsewhere_names_its_start() {
        let fen = "4k3/8/8/8/8/8/8/4K1RR b G - 3 9";
        let text = game(fen, "Kd7 O-O").to_string();
        let tags = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
        assert!(text.contains(&tags), "{text}");
        assert!(text.ends_with("\n\n9... Kd7 10. O-O *\n"), "{text}");
    }

    #[test]
    fn lines_are_short_and_never_start_like_something_else() {
        let mut long = game(&Position::startpos().fen(), "e4 e5 Nf3 Nc6");
        long.comment("word ".repeat(60) + &"[%clk 1:00:00] % ; x ".repeat(20));
        let text = long.to_string();
        let (_, moves) = text.split_once("\n\n").unwrap();
        assert!(moves.lines().all(|line| line.len() <= 80 && !line.starts_with(['[', '%', ';'])));
        let whole = |line: &str| line.matches("[%").count() == line.matches(']').count();
        assert!(moves.lines().all(whole), "{text}");
        let again = read(text.as_bytes()).next().unwrap();
        assert_eq!(again.plies, long.plies.iter().cloned().map(trimmed).collect::<Vec<_>>());
    }

    #[test]
    fn a_tag_reads_the_same_once_it_is_written() {
        let fen = "4k3/8/8/8/8/8/8/4K3\u{b}w - - 0 1";
        let read = |text: &str| read(text.as_bytes()).next().unwrap();
        let first = read(&format!("[FEN \"{fen}\"]\n\n*\n"));
        assert_eq!(first.start, Some(Position::from_fen(&fen.replace('\u{b}', " ")).unwrap()));
        assert_eq!(read(&first.to_string()).start, first.start);
    }

    fn trimmed(mut ply: Ply) -> Ply {
        ply.comments.iter_mut().for_each(|comment| *comment = comment.trim().to_string());
        ply
    }
}
