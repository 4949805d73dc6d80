//! Endings that the general terms misjudge: certain draws, hard wins, and how to mate a bare king.

use crate::attacks::attacks;
use crate::board::Position;
use crate::types::{Bitboard, Color, File, PieceKind, Rank, Score, Square};

/// The scale of an ending that is won as easily as its score says.
pub(super) const FULL_SCALE: i32 = 64;

/// The scale up to which no middlegame value counts either: the men left cannot win.
pub(super) const DRAWISH: i32 = 8;

/// Added for a won ending: above any sum of terms with an undecided result.
const KNOWN_WIN: Score = 3_000;

/// Rough piece values for comparing material, by kind; pawns and kings count nothing.
const PIECE: [i32; 6] = [0, 3, 3, 5, 9, 0];

fn count(position: &Position, color: Color, kind: PieceKind) -> u32 {
    position.of(color, kind).count()
}

fn pieces(position: &Position, color: Color) -> i32 {
    let value = |kind: PieceKind| PIECE[kind.index()] * count(position, color, kind) as i32;
    PieceKind::ALL.into_iter().map(value).sum()
}

/// The value from White's view of an ending that is known to be won or drawn.
pub(super) fn known(position: &Position) -> Option<Score> {
    if position.occupied().count() == 2 {
        return Some(0);
    }
    Color::ALL.into_iter().find_map(|strong| {
        if position.by_color(!strong).many() {
            return None;
        }
        let value = against_bare_king(position, strong)?;
        Some(if strong == Color::White { value } else { -value })
    })
}

/// The value for the side that has men left beside its king when the other has none; `None` where
/// pawns decide and the general terms judge well enough.
fn against_bare_king(position: &Position, strong: Color) -> Option<Score> {
    let of = |kind| count(position, strong, kind) as i32;
    let (knights, bishops) = (of(PieceKind::Knight), of(PieceKind::Bishop));
    let pawns = of(PieceKind::Pawn);
    let heavy = of(PieceKind::Rook) + of(PieceKind::Queen);
    let bishop_set = position.of(strong, PieceKind::Bishop);
    let both_shades = (bishop_set & Bitboard::DARK).any() && (bishop_set & Bitboard::LIGHT).any();
    let mates = heavy > 0 || both_shades || (knights > 0 && bishops > 0) || knights > 2;
    if !mates {
        let dead = pawns == 0 || (knights == 0 && wrong_corner(position, strong));
        return dead.then_some(0);
    }
    let weak_king = position.king(!strong);
    let near = 7 - position.king(strong).distance(weak_king) as Score;
    let confined = confinement(position, strong);
    let drive = if heavy == 0 && !both_shades && knights < 3 && pawns == 0 {
        // Only the corners that the bishop reaches are mating corners; on the way from another one
        // the king gets more room for a while.
        100 * corner_nearness(weak_king, (bishop_set & Bitboard::DARK).any()) + 3 * confined
    } else {
        20 * edge_nearness(weak_king) + 8 * confined
    };
    let material = 100 * pieces(position, strong) + 100 * pawns;
    Some(KNOWN_WIN + material + drive + 20 * near)
}

/// How many squares are out of reach for the bare king, however often it moves while the strong
/// side's men stand still: what a net leaves it shrinks before any man comes nearer.
fn confinement(position: &Position, strong: Color) -> Score {
    let king = position.king(!strong).bitboard();
    let open_lines = position.occupied() - king;
    let mut attacked = Bitboard::EMPTY;
    for kind in PieceKind::ALL {
        for square in position.of(strong, kind) {
            attacked |= attacks(kind, strong, square, open_lines);
        }
    }
    let mut region = king;
    loop {
        let row = region | region.west() | region.east();
        let grown = region | ((row | row << 8 | row >> 8) - attacked);
        if grown == region {
            return 64 - region.count() as Score;
        }
        region = grown;
    }
}

/// 0 in the centre to 6 in a corner.
fn edge_nearness(square: Square) -> Score {
    let off = |index: usize| (index.min(7 - index)) as Score;
    6 - off(square.file().index()) - off(square.rank().index())
}

/// 7 in a corner of this shade down to 0 on the long diagonal between the other two.
fn corner_nearness(square: Square, dark: bool) -> Score {
    let (file, rank) = (square.file().index() as Score, square.rank().index() as Score);
    // a1 and h8 are dark: far from the anti-diagonal; the light corners far from the diagonal.
    if dark { (file + rank - 7).abs() } else { (file - rank).abs() }
}

/// Whether all pawns stand on one rook file, no bishop guards its corner, and the weak king is there
/// first.
fn wrong_corner(position: &Position, strong: Color) -> bool {
    let pawns = position.of(strong, PieceKind::Pawn);
    let bishops = position.of(strong, PieceKind::Bishop);
    let king = position.king(!strong);
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, Rank::Eighth.relative_to(strong));
        let shade = if corner.is_dark() { Bitboard::DARK } else { Bitboard::LIGHT };
        let helps = (bishops & shade).any();
        pawns.is_subset(file.bitboard()) && !helps && king.distance(corner) <= 1
    })
}

/// How much of its endgame advantage the better side can hope to turn into a win, of
/// [`FULL_SCALE`].
pub(super) fn scale(position: &Position, strong: Color) -> i32 {
    let weak = !strong;
    let pawns = count(position, strong, PieceKind::Pawn) as i32;
    let (ours, theirs) = (pieces(position, strong), pieces(position, weak));
    if pawns == 0 && ours - theirs <= PIECE[PieceKind::Bishop.index()] {
        // A minor piece more, or less than that, and no pawn to promote.
        return if ours < PIECE[PieceKind::Rook.index()] { 0 } else { DRAWISH };
    }
    if pawns == 0 && ours == 6 && count(position, strong, PieceKind::Knight) == 2 {
        return DRAWISH;
    }
    let knights = count(position, strong, PieceKind::Knight);
    if ours <= 3 && theirs == 0 && knights == 0 && wrong_corner(position, strong) {
        return 0;
    }
    if ours + theirs == 0 {
        return FULL_SCALE;
    }
    let few_pawns = FULL_SCALE.min(40 + 6 * pawns);
    if opposite_bishops(position) {
        let alone = ours == 3 && theirs == 3;
        return few_pawns.min(if alone { 16 + 4 * pawns } else { 40 + 2 * pawns });
    }
    few_pawns
}

/// Whether each side has one bishop, on squares of different shades.
fn opposite_bishops(position: &Position) -> bool {
    let [white, black] = Color::ALL.map(|color| position.of(color, PieceKind::Bishop));
    white.count() == 1
        && black.count() == 1
        && (white & Bitboard::DARK).any() != (black & Bitboard::DARK).any()
}
