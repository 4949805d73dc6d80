//! The legal move generator. It works from checkers and pins, so that every move it names is legal,
//! and names moves in sets, so that whoever only counts need not list them.

use super::placement::{Placement, Side};
use crate::attacks::rays::{antidiagonal, diagonal};
use crate::attacks::{between, bishop, king, knight, line, rook};
use crate::types::{
    Bitboard, CastlingSide, Color, MAX_MOVES, Move, MoveKind, MoveList, PieceKind, Rank, Square,
};

/// Which moves are wanted.
pub(super) trait Which {
    /// Captures and promotions to a queen.
    const NOISY: bool;
    /// The others.
    const QUIET: bool;
}

/// All moves.
pub(super) struct All;
/// Captures and promotions to a queen.
pub(super) struct Noisy;
/// Neither captures nor promotions to a queen.
pub(super) struct Quiet;

impl Which for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Which for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Which for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Receives the legal moves, set by set.
pub(super) trait Visitor {
    /// A man other than a pawn may go to any of these squares.
    fn piece(&mut self, kind: PieceKind, from: Square, to: Bitboard);
    /// Pawns may reach these squares, each from `by` squares below it.
    fn pawns(&mut self, to: Bitboard, by: i8, kind: MoveKind);
    /// Pawns may reach these squares of the last rank, each from `by` squares below it, and
    /// become any of these kinds.
    fn promotions(&mut self, to: Bitboard, by: i8, captures: bool, kinds: &[PieceKind]);
    /// One special move: castling or en passant.
    fn special(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Names all legal moves of the wanted kind for side `S`, which must be the side to move.
#[inline]
pub(super) fn generate<S: Side, W: Which, V: Visitor>(
    men: &Placement,
    checkers: Bitboard,
    pinned: Bitboard,
    visitor: &mut V,
) {
    let own = men.color(S::COLOR);
    let enemy = men.color(S::Enemy::COLOR);
    let wanted = match (W::NOISY, W::QUIET) {
        (true, true) => !own,
        (true, false) => enemy,
        _ => !(own | enemy),
    };
    let king_square = men.king(S::COLOR);
    king_moves::<S, W, V>(men, king_square, checkers, wanted, visitor);
    if checkers.many() {
        return;
    }
    let evasions = match checkers.first() {
        Some(checker) => between(king_square, checker).with(checker),
        None => Bitboard::ALL,
    };
    piece_moves::<S, V>(men, king_square, pinned, wanted & evasions, visitor);
    pawn_moves::<S, W, V>(men, king_square, pinned, evasions, visitor);
    if W::NOISY {
        for from in men.en_passant_capturers::<S>() {
            if let Some(to) = men.double_push {
                visitor.special(from, to, MoveKind::EnPassant);
            }
        }
    }
}

/// The king's steps and castling: both depend on what the enemy attacks.
#[inline]
fn king_moves<S: Side, W: Which, V: Visitor>(
    men: &Placement,
    from: Square,
    checkers: Bitboard,
    wanted: Bitboard,
    visitor: &mut V,
) {
    let steps = king(from) & wanted;
    let mut paths = [Bitboard::EMPTY; 2];
    if W::QUIET && checkers.is_empty() && men.castling.any(S::COLOR) {
        paths = CastlingSide::ALL.map(|side| men.castling_path::<S>(side));
    }
    let tested = steps | paths[0] | paths[1];
    if tested.is_empty() {
        return;
    }
    let attacked = men.attacked_among::<S>(tested);
    visitor.piece(PieceKind::King, from, steps - attacked);
    if (paths[0] | paths[1]).is_empty() {
        return;
    }
    for (side, kind) in
        [(CastlingSide::Short, MoveKind::CastleShort), (CastlingSide::Long, MoveKind::CastleLong)]
    {
        let path = paths[side.index()];
        if path.any()
            && (path & attacked).is_empty()
            && !men.castling_rook_shields::<S>(side)
            && let Some(rook) = men.castling.rook(S::COLOR, side)
        {
            visitor.special(from, rook, kind);
        }
    }
}

#[inline]
fn piece_moves<S: Side, V: Visitor>(
    men: &Placement,
    king: Square,
    pinned: Bitboard,
    targets: Bitboard,
    visitor: &mut V,
) {
    let occupied = men.occupied();
    // A pinned knight has no move.
    for from in men.of(S::COLOR, PieceKind::Knight) - pinned {
        visitor.piece(PieceKind::Knight, from, knight(from) & targets);
    }
    for from in men.of(S::COLOR, PieceKind::Bishop) {
        let to = bishop(from, occupied) & targets & pin_line(king, from, pinned);
        visitor.piece(PieceKind::Bishop, from, to);
    }
    for from in men.of(S::COLOR, PieceKind::Rook) {
        let to = rook(from, occupied) & targets & pin_line(king, from, pinned);
        visitor.piece(PieceKind::Rook, from, to);
    }
    for from in men.of(S::COLOR, PieceKind::Queen) {
        let attacks = bishop(from, occupied) | rook(from, occupied);
        let to = attacks & targets & pin_line(king, from, pinned);
        visitor.piece(PieceKind::Queen, from, to);
    }
}

/// Where a man may go for the sake of its king: along the pin, or anywhere.
#[inline]
fn pin_line(king: Square, from: Square, pinned: Bitboard) -> Bitboard {
    if pinned.has(from) { line(king, from) } else { Bitboard::ALL }
}

/// The kinds beside the queen: as quiet moves they come without capture.
const UNDERPROMOTIONS: [PieceKind; 3] = [PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

#[inline]
fn pawn_moves<S: Side, W: Which, V: Visitor>(
    men: &Placement,
    king: Square,
    pinned: Bitboard,
    evasions: Bitboard,
    visitor: &mut V,
) {
    let pawns = men.of(S::COLOR, PieceKind::Pawn);
    let empty = !men.occupied();
    let last_rank = Rank::Eighth.relative_to(S::COLOR).bitboard();
    let ahead: i8 = if S::COLOR == Color::White { 8 } else { -8 };

    let pushable = pawns & (!pinned | king.file().bitboard());
    let pushed = pushable.forward(S::COLOR) & empty;
    let push_to = pushed & evasions;
    let promoting = push_to & last_rank;
    if W::QUIET {
        let third_rank = Rank::Third.relative_to(S::COLOR).bitboard();
        let double_to = (pushed & third_rank).forward(S::COLOR) & empty & evasions;
        visitor.pawns(push_to - last_rank, ahead, MoveKind::Quiet);
        visitor.pawns(double_to, 2 * ahead, MoveKind::DoublePush);
    }
    if promoting.any() {
        match (W::NOISY, W::QUIET) {
            (true, true) => visitor.promotions(promoting, ahead, false, &PieceKind::PROMOTIONS),
            (true, false) => visitor.promotions(promoting, ahead, false, &[PieceKind::Queen]),
            _ => visitor.promotions(promoting, ahead, false, &UNDERPROMOTIONS),
        }
    }
    if !W::NOISY {
        return;
    }
    let targets = men.color(S::Enemy::COLOR) & evasions;
    // A pinned pawn may take along its pin; west is along the falling diagonal for White only.
    let (west_line, east_line) = match S::COLOR {
        Color::White => (antidiagonal(king), diagonal(king)),
        Color::Black => (diagonal(king), antidiagonal(king)),
    };
    let west_to = (pawns & (!pinned | west_line)).forward(S::COLOR).west() & targets;
    let east_to = (pawns & (!pinned | east_line)).forward(S::COLOR).east() & targets;
    for (to, by) in [(west_to, ahead - 1), (east_to, ahead + 1)] {
        visitor.pawns(to - last_rank, by, MoveKind::Capture);
        if (to & last_rank).any() {
            visitor.promotions(to & last_rank, by, true, &PieceKind::PROMOTIONS);
        }
    }
}

/// The square `by` below another.
#[inline]
pub(super) fn origin(to: Square, by: i8) -> Square {
    Square::from_low_bits((to as u32).wrapping_sub(by as u32))
}

/// Counts moves without naming them.
#[derive(Default)]
pub(super) struct Count(pub usize);

impl Visitor for Count {
    #[inline]
    fn piece(&mut self, _: PieceKind, _: Square, to: Bitboard) {
        self.0 += to.count() as usize;
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count() as usize;
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8, _: bool, kinds: &[PieceKind]) {
        self.0 += to.count() as usize * kinds.len();
    }

    #[inline]
    fn special(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

/// Writes moves into a list.
pub(super) struct Listing<'a> {
    pub enemy: Bitboard,
    pub list: &'a mut MoveList,
}

impl Listing<'_> {
    #[inline]
    fn push(&mut self, from: Square, to: Square, kind: MoveKind) {
        debug_assert!(self.list.len() < MAX_MOVES);
        self.list.push(Move::new(from, to, kind));
    }
}

impl Visitor for Listing<'_> {
    #[inline]
    fn piece(&mut self, _: PieceKind, from: Square, to: Bitboard) {
        for square in to & self.enemy {
            self.push(from, square, MoveKind::Capture);
        }
        for square in to - self.enemy {
            self.push(from, square, MoveKind::Quiet);
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, by: i8, kind: MoveKind) {
        for square in to {
            self.push(origin(square, by), square, kind);
        }
    }

    fn promotions(&mut self, to: Bitboard, by: i8, captures: bool, kinds: &[PieceKind]) {
        for square in to {
            for &kind in kinds {
                self.push(origin(square, by), square, MoveKind::promotion(kind, captures));
            }
        }
    }

    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(from, to, kind);
    }
}

/// Whether a pawn of this side could make this move if no check and no pin forbade it.
pub(super) fn pawn_can_reach(men: &Placement, color: Color, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    if (to.rank() == Rank::Eighth.relative_to(color)) != mv.is_promotion() {
        return false;
    }
    if mv.is_capture() {
        return crate::attacks::pawn(color, from).has(to);
    }
    let Some(next) = from.forward(color) else { return false };
    match mv.kind() {
        MoveKind::DoublePush => {
            from.rank() == Rank::Second.relative_to(color)
                && next.forward(color) == Some(to)
                && !men.occupied().has(next)
        }
        _ => next == to,
    }
}

/// The file on which a double push ends beside an enemy pawn: only then can en passant matter.
#[inline]
pub(super) fn has_neighbour(men: &Placement, to: Square, enemy: Color) -> bool {
    let pawn = to.bitboard();
    ((pawn.west() | pawn.east()) & men.of(enemy, PieceKind::Pawn)).any()
}
