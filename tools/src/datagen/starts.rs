//! Where training games begin.

use std::path::PathBuf;
use std::str::FromStr;

use ferz::board::{Board, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::arena::config::{OpeningOrder, Openings};
use crate::arena::openings::{OpeningError, load};

/// Kinds of start positions with their shares.
#[derive(Clone, Debug)]
pub struct Starts {
    sources: Vec<(Source, u32)>,
}

#[derive(Clone, Debug)]
enum Source {
    /// The usual start position.
    Standard,
    /// A Chess960 or double Chess960 set-up.
    Chess960,
    /// A line of a book.
    Book(Vec<Position>),
}

impl Source {
    /// The random plies that follow, least and most.
    fn plies(&self) -> (u32, u32) {
        match self {
            Source::Standard => (6, 9),
            Source::Chess960 => (5, 9),
            Source::Book(_) => (0, 3),
        }
    }
}

/// A book of openings and how often it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct BookShare {
    /// An EPD, FEN or PGN file.
    pub file: PathBuf,
    /// Its share.
    pub share: u32,
}

impl FromStr for BookShare {
    type Err = String;

    /// Reads `FILE=SHARE`.
    fn from_str(text: &str) -> Result<BookShare, String> {
        let (file, share) = text.rsplit_once('=').ok_or("not of the form FILE=SHARE")?;
        let share = share.parse().map_err(|_| format!("the share {share:?} is no number"))?;
        Ok(BookShare { file: file.into(), share })
    }
}

/// Why there is nothing to begin with.
#[derive(Debug, Error)]
pub enum StartError {
    /// A book cannot be used.
    #[error(transparent)]
    Book(#[from] OpeningError),
    /// All shares are zero.
    #[error("the shares of all kinds of start positions are zero")]
    Nothing,
}

impl Starts {
    /// Start positions in these shares.
    ///
    /// # Errors
    /// If a book cannot be read or all shares are zero.
    pub fn new(standard: u32, chess960: u32, books: &[BookShare]) -> Result<Starts, StartError> {
        let mut sources = vec![(Source::Standard, standard), (Source::Chess960, chess960)];
        for book in books {
            let openings = Openings {
                file: Some(book.file.clone()),
                order: OpeningOrder::Sequential,
                ..Openings::default()
            };
            let lines = load(&openings, 0, true)?;
            let positions = lines.into_iter().map(|line| line.position).collect();
            sources.push((Source::Book(positions), book.share));
        }
        sources.retain(|(_, share)| *share > 0);
        match sources.is_empty() {
            true => Err(StartError::Nothing),
            false => Ok(Starts { sources }),
        }
    }

    /// Draws a position that is not over.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> Position {
        loop {
            let source = self.source(rng);
            let root = match source {
                Source::Standard => Position::startpos(),
                Source::Chess960 => chess960(rng),
                Source::Book(positions) => positions[rng.random_range(0..positions.len())],
            };
            let (least, most) = source.plies();
            if let Some(position) = walk(root, rng.random_range(least..=most), rng) {
                return position;
            }
        }
    }

    fn source(&self, rng: &mut ChaCha8Rng) -> &Source {
        let total: u32 = self.sources.iter().map(|(_, share)| share).sum();
        let mut draw = rng.random_range(0..total);
        for (source, share) in &self.sources {
            match draw.checked_sub(*share) {
                Some(rest) => draw = rest,
                None => return source,
            }
        }
        &self.sources[0].0
    }
}

/// A set-up of Chess960, or in half of the cases one for each side.
fn chess960(rng: &mut ChaCha8Rng) -> Position {
    let white = rng.random_range(0..960);
    let black = if rng.random_range(0..2) == 0 { white } else { rng.random_range(0..960) };
    Position::double_chess960(white, black).unwrap_or_else(Position::startpos)
}

/// Plays random legal moves; `None` if the game is over after them.
fn walk(root: Position, plies: u32, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut board = Board::new(root);
    for _ in 0..plies {
        let moves = board.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.play(moves[rng.random_range(0..moves.len())]);
    }
    let position = *board.position();
    position.has_legal_move().then_some(position)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn starts_have_their_shares_and_repeat_with_the_seed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("book.epd");
        std::fs::write(&file, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n").unwrap();
        let starts = Starts::new(50, 25, &[BookShare { file, share: 25 }]).unwrap();
        let draw = |seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            (0..400).map(|_| starts.draw(&mut rng)).collect::<Vec<_>>()
        };
        let positions = draw(1);
        assert_eq!(positions, draw(1));
        assert_ne!(positions, draw(2));
        let endgames = positions.iter().filter(|p| p.occupied().count() <= 3).count();
        assert!((60..140).contains(&endgames), "{endgames}");
        assert!(positions.iter().any(Position::needs_chess960));
        assert!(positions.iter().all(Position::has_legal_move));
    }

    #[test]
    fn wrong_shares_are_refused() {
        assert!(matches!(Starts::new(0, 0, &[]), Err(StartError::Nothing)));
        assert!("book.epd".parse::<BookShare>().is_err());
        assert!("book.epd=x".parse::<BookShare>().is_err());
        let share: BookShare = "a=b.epd=3".parse().unwrap();
        assert_eq!((share.file, share.share), (PathBuf::from("a=b.epd"), 3));
    }
}
