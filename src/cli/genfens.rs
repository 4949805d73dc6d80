//! `ferz genfens`: start positions for matches and data, as OpenBench asks for them.

use std::fs;
use std::io::Write;

use super::Failure;
use crate::board::{Board, Position};
use crate::search::{Control, Limits, Options, Searcher};
use crate::types::Score;

/// The nodes of the search that judges a position.
const NODES: u64 = 1000;
/// A position with a score beyond this, either way, is not given, in centipawns.
const MAX_SCORE: Score = 350;
/// Random plies from the initial position; one more in half of the cases.
const PLIES: u64 = 8;
/// Random plies after a line of a book; one more in half of the cases.
const BOOK_PLIES: u64 = 4;
/// The most positions tried for each one that is asked for.
const TRIES: u64 = 10_000;

/// The arguments of `ferz genfens`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// N seed S book <None|FILE> [plies P] [chess960]
    #[arg(trailing_var_arg = true, required = true, value_name = "WORDS")]
    words: Vec<String>,
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    count: u64,
    seed: u64,
    book: Option<String>,
    plies: Option<u64>,
    chess960: bool,
}

impl Order {
    /// Reads the words; unknown ones are passed over, `quit` ends them.
    fn read(words: &[String]) -> Result<Order, Failure> {
        let mut order = Order { count: 0, seed: 0, book: None, plies: None, chess960: false };
        let mut words = words.iter().map(String::as_str).take_while(|&word| word != "quit");
        order.count = number("the count", words.next())?;
        while let Some(word) = words.next() {
            match word {
                "seed" => order.seed = number("seed", words.next())?,
                "plies" => order.plies = Some(number("plies", words.next())?),
                "chess960" => order.chess960 = true,
                "book" => {
                    let file = words.next().ok_or_else(|| missing("book"))?;
                    order.book = (!file.eq_ignore_ascii_case("none")).then(|| file.to_owned());
                }
                _ => {}
            }
        }
        Ok(order)
    }
}

fn missing(what: &str) -> Failure {
    Failure::Input(format!("genfens: no value for {what}"))
}

fn number(what: &str, text: Option<&str>) -> Result<u64, Failure> {
    let text = text.ok_or_else(|| missing(what))?;
    text.parse().map_err(|_| Failure::Input(format!("genfens: {what}: {text:?} is no number")))
}

/// Prints the positions, one `info string genfens FEN` each.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let order = Order::read(&arguments.words)?;
    let book = match &order.book {
        Some(file) => read_book(file)?,
        None => Vec::new(),
    };
    let mut judge = Judge::new()?;
    let mut random = SplitMix(order.seed);
    for _ in 0..order.count {
        let position = (0..TRIES)
            .find_map(|_| draw(&order, &book, &mut random).filter(|start| judge.accepts(start)))
            .ok_or_else(|| Failure::Input("genfens: no level position to be found".to_owned()))?;
        let fen = if order.chess960 { position.shredder_fen() } else { position.fen() };
        writeln!(out, "info string genfens {fen}")?;
        out.flush()?;
    }
    Ok(())
}

/// The positions of an EPD or FEN file, broken lines left out.
fn read_book(file: &str) -> Result<Vec<Position>, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::Input(format!("genfens: {file}: {error}")))?;
    let fen = |line: &str| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let counters =
            words.iter().skip(4).take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
        words[..words.len().min(4 + counters)].join(" ")
    };
    let positions: Vec<Position> =
        text.lines().filter_map(|line| Position::from_fen(&fen(line)).ok()).collect();
    match positions.is_empty() {
        true => Err(Failure::Input(format!("genfens: {file}: no position in it"))),
        false => Ok(positions),
    }
}

/// Plays random moves from a start; `None` if the game is over with them.
fn draw(order: &Order, book: &[Position], random: &mut SplitMix) -> Option<Position> {
    let (root, plies) = match book.is_empty() {
        false => (book[random.below(book.len() as u64) as usize], BOOK_PLIES),
        true if order.chess960 => {
            (Position::chess960(random.below(960) as u16).unwrap_or_else(Position::startpos), PLIES)
        }
        true => (Position::startpos(), PLIES),
    };
    let mut board = Board::new(root);
    for _ in 0..order.plies.unwrap_or(plies + random.below(2)) {
        let moves = board.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.play(moves[random.below(moves.len() as u64) as usize]);
    }
    board.position().has_legal_move().then(|| *board.position())
}

/// Looks whether a position is still level.
struct Judge {
    searcher: Searcher,
    limits: Limits,
    options: Options,
}

impl Judge {
    fn new() -> Result<Judge, Failure> {
        let searcher =
            Searcher::new(1).map_err(|error| Failure::Input(format!("genfens: {error}")))?;
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        Ok(Judge { searcher, limits, options: Options::default() })
    }

    fn accepts(&mut self, position: &Position) -> bool {
        self.searcher.clear();
        let board = Board::new(*position);
        let control = Control::new();
        let outcome = self.searcher.search(&board, &self.limits, &self.options, &control, &|_| {});
        outcome.info.line.score.abs() <= MAX_SCORE
    }
}

/// Random numbers by SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn generate(text: &str) -> Result<Vec<String>, Failure> {
        let words = text.split_ascii_whitespace().map(str::to_owned).collect();
        let mut out = Vec::new();
        run(&Arguments { words }, &mut out)?;
        let text = String::from_utf8(out).unwrap();
        Ok(text.lines().map(|line| line["info string genfens ".len()..].to_owned()).collect())
    }

    #[test]
    fn positions_come_in_number_and_again_with_the_seed() {
        let fens = generate("5 seed 42 book None quit ignored").unwrap();
        assert_eq!(fens.len(), 5);
        assert_eq!(fens, generate("5 seed 42 book none").unwrap());
        assert_ne!(fens, generate("5 seed 43 book None").unwrap());
        let distinct: HashSet<&String> = fens.iter().collect();
        assert!(distinct.len() > 1);
        for fen in &fens {
            assert_eq!(fen.split(' ').count(), 6);
            let position = Position::from_fen_strict(fen).unwrap();
            assert!(position.has_legal_move() && position.fullmove_number() == 5);
        }
    }

    #[test]
    fn books_and_chess960_are_served() {
        let path = std::env::temp_dir().join(format!("ferz-genfens-{}.epd", std::process::id()));
        let line = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - hmvc 3; fmvn 20;\nno position\n";
        fs::write(&path, line).unwrap();
        let fens = generate(&format!("3 seed 1 book {} plies 0", path.display())).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(fens, vec!["4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"; 3]);
        let shuffled = generate("4 seed 1 book None chess960 plies 0").unwrap();
        assert!(shuffled.iter().any(|fen| Position::from_fen(fen).unwrap().needs_chess960()));
    }

    #[test]
    fn wrong_words_are_named() {
        for (text, word) in [
            ("x", "the count"),
            ("3 seed y", "seed"),
            ("3 book", "book"),
            ("3 seed", "seed"),
            ("3 seed 1 book /no/such/file.epd", "/no/such/file.epd"),
        ] {
            let message = generate(text).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}
