//! A cheap search for a helpmate: both sides walk where the lemma of [`frozen`] soon applies.
//!
//! No move is judged by searching behind it: the winner promotes, opens lines and brings the king
//! near, the loser keeps the winner's men alive and goes into a corner. What is found is a series
//! of legal moves; what is not found says nothing.

use super::frozen::{self, Effort};
use crate::board::Position;
use crate::types::{Color, File, Move, PieceKind, Square};

/// How long a walk may become, in plies.
const MAX_PLIES: usize = 20;

/// With so few men every corner is tried and the lemma is asked after every ply, not only after the
/// winner's: a minor officer that stands well had better stay there.
const FEW_MEN: u32 = 8;

/// A series of legal moves after which the lemma applies or the mate stands on the board.
pub(super) struct Found {
    /// The walk.
    pub moves: Vec<Move>,
    /// How many positions it looked at.
    pub nodes: u64,
}

/// Looks for a walk that ends in a position with a proven mate.
pub(super) fn find(position: &Position, winner: Color) -> Option<Found> {
    let mut nodes = 0;
    let [near, second, third, far] = corners(position.king(!winner));
    let tries = [
        (near, Effort::Quick),
        (near, Effort::Thorough),
        (far, Effort::Thorough),
        (second, Effort::Thorough),
        (third, Effort::Thorough),
    ];
    let count = if has_few_men(position) { tries.len() } else { 3 };
    for (corner, effort) in tries.into_iter().take(count) {
        if let Some(moves) = walk(position, winner, corner, effort, &mut nodes) {
            return Some(Found { moves, nodes });
        }
    }
    None
}

fn has_few_men(position: &Position) -> bool {
    position.occupied().count() <= FEW_MEN
}

/// The corners, the nearest to the king first.
fn corners(king: Square) -> [Square; 4] {
    let mut corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    corners.sort_by_key(|&corner| king.distance(corner));
    corners
}

fn walk(
    start: &Position,
    winner: Color,
    corner: Square,
    effort: Effort,
    nodes: &mut u64,
) -> Option<Vec<Move>> {
    let mut position = *start;
    let mut moves = Vec::with_capacity(MAX_PLIES);
    let mut seen = Vec::with_capacity(MAX_PLIES);
    while moves.len() < MAX_PLIES {
        seen.push(position.key());
        let guide = Guide::new(&position, winner, corner);
        let legal = position.legal_moves();
        let mut best: Option<(i32, Move)> = None;
        for &mv in &legal {
            let score = guide.score(mv);
            if best.is_none_or(|(top, _)| score > top) && !seen.contains(&position.key_after(mv)) {
                best = Some((score, mv));
            }
        }
        let (_, mv) = best?;
        position.play(mv);
        moves.push(mv);
        *nodes += 1;
        if super::material_forbids_mate(&position, winner) {
            return None;
        }
        if !position.has_legal_move() {
            let mated = position.in_check() && position.side_to_move() != winner;
            return mated.then_some(moves);
        }
        let asked = position.side_to_move() != winner || has_few_men(&position);
        if asked && frozen::proves_mate(&position, winner, effort) {
            return Some(moves);
        }
    }
    None
}

/// Pawns in the middle open lines, those at the wings do not.
fn opening_pawn(mv: Move) -> i32 {
    match mv.from().file() {
        File::E => 14,
        File::D => 12,
        File::C | File::F => 8,
        _ => 1,
    }
}

/// What makes a move of the side to move welcome.
struct Guide<'a> {
    position: &'a Position,
    winner: Color,
    corner: Square,
    /// The winner has no queen and no rook.
    needs_promotion: bool,
    /// The winner has knights and bishops only, which cannot mate without the king's help.
    minors_only: bool,
}

impl<'a> Guide<'a> {
    fn new(position: &'a Position, winner: Color, corner: Square) -> Guide<'a> {
        let majors = position.of(winner, PieceKind::Queen) | position.of(winner, PieceKind::Rook);
        let minors_only = (majors | position.of(winner, PieceKind::Pawn)).is_empty();
        Guide { position, winner, corner, needs_promotion: majors.is_empty(), minors_only }
    }

    fn score(&self, mv: Move) -> i32 {
        let kind = self.position.piece_at(mv.from()).map_or(PieceKind::Pawn, |piece| piece.kind());
        if self.position.side_to_move() == self.winner {
            self.winners_score(mv, kind)
        } else {
            self.losers_score(mv, kind)
        }
    }

    fn winners_score(&self, mv: Move, kind: PieceKind) -> i32 {
        let capture = if mv.is_capture() { 40 } else { 0 };
        let promotion = match mv.promotion() {
            Some(PieceKind::Queen) => 1_000,
            Some(_) => -500,
            None => 0,
        };
        let goal = self.position.king(!self.winner);
        let gain = mv.from().distance(goal) as i32 - mv.to().distance(goal) as i32;
        let near_enough = if self.minors_only { 2 } else { 3 };
        let step = match kind {
            PieceKind::Pawn if self.needs_promotion => {
                200 + 20 * mv.to().rank().relative_to(self.winner).index() as i32
            }
            PieceKind::Pawn => opening_pawn(mv),
            PieceKind::King if mv.is_castling() => 5,
            PieceKind::King if mv.from().distance(goal) > near_enough => 20 * gain,
            PieceKind::King => 0,
            PieceKind::Queen | PieceKind::Rook => 2,
            PieceKind::Knight | PieceKind::Bishop if self.minors_only => 6 + gain,
            PieceKind::Knight | PieceKind::Bishop => 6,
        };
        capture + promotion + step
    }

    fn losers_score(&self, mv: Move, kind: PieceKind) -> i32 {
        let taken = match self.position.piece_at(mv.to()) {
            Some(piece) if mv.is_capture() => match piece.kind() {
                PieceKind::Pawn if self.needs_promotion => -300,
                PieceKind::Pawn => -20,
                _ => -300,
            },
            _ => 0,
        };
        let step = match kind {
            PieceKind::King => {
                let gain =
                    mv.from().distance(self.corner) as i32 - mv.to().distance(self.corner) as i32;
                10 * gain
            }
            PieceKind::Pawn => -10,
            _ => 4,
        };
        let promotion = if mv.is_promotion() { -50 } else { 0 };
        taken + step + promotion
    }
}
