//! The start positions of Chess960, by Scharnagl's numbers.
//!
//! Source: Reinhard Scharnagl, "Fischer-Random-Schach (FRC / Chess960)", 2004.

use super::Setup;
use crate::types::{CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

/// How many start positions Chess960 has; number 518 is that of ordinary chess.
pub const CHESS960_COUNT: u16 = 960;

/// The two of the last five free squares that the knights take, by knight number.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The men of a back rank from the a-file to the h-file; `None` from number 960 on.
fn back_rank(number: u16) -> Option<[PieceKind; 8]> {
    if number >= CHESS960_COUNT {
        return None;
    }
    let number = number as usize;
    let mut rank: [Option<PieceKind>; 8] = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    place(&mut rank, &[number / 16 % 6], PieceKind::Queen);
    place(&mut rank, &KNIGHTS[number / 96], PieceKind::Knight);
    // Rook, king and rook fill what is left.
    place(&mut rank, &[1], PieceKind::King);
    Some(rank.map(|man| man.unwrap_or(PieceKind::Rook)))
}

/// Puts men on free squares, counted from the a-file before any of them is put there.
fn place(rank: &mut [Option<PieceKind>; 8], free: &[usize], kind: PieceKind) {
    let squares: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
    for &nth in free {
        rank[squares[nth]] = Some(kind);
    }
}

/// The start position with these numbers for White and for Black; `None` from number 960 on.
pub(crate) fn setup(white: u16, black: u16) -> Option<Setup> {
    let mut setup = Setup::empty();
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        let men = back_rank(number)?;
        let square = |file, rank: Rank| Square::new(file, rank.relative_to(color)).index();
        for (file, kind) in File::ALL.into_iter().zip(men) {
            setup.pieces[square(file, Rank::First)] = Some(Piece::new(color, kind));
            setup.pieces[square(file, Rank::Second)] = Some(Piece::new(color, PieceKind::Pawn));
        }
        let mut rooks = File::ALL.into_iter().filter(|file| men[file.index()] == PieceKind::Rook);
        // The king stands between its rooks: the first of them is the long one.
        for side in [CastlingSide::Long, CastlingSide::Short] {
            setup.castling.grant(color, side, rooks.next()?);
        }
    }
    Some(setup)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn letters(number: u16) -> String {
        back_rank(number).unwrap().iter().map(|kind| kind.letter()).collect()
    }

    #[test]
    fn known_numbers() {
        assert_eq!(letters(0), "bbqnnrkr");
        assert_eq!(letters(518), "rnbqkbnr");
        assert_eq!(letters(959), "rkrnnqbb");
        assert_eq!(back_rank(960), None);
    }

    #[test]
    fn every_number_has_its_own_array() {
        let mut seen: Vec<String> = (0..CHESS960_COUNT).map(letters).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 960);
    }
}
