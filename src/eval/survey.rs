//! What each side attacks, gathered once per evaluation while the pieces are scored.

use super::tapered::Tapered;
use super::weights as w;
use crate::attacks;
use crate::board::Position;
use crate::types::{Bitboard, Color, File, PieceKind, Rank, Square};

/// The four middle files.
const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
/// The long diagonals' four squares in the centre.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Attack maps, king zones and running totals of both sides, indexed by colour.
pub(super) struct Survey<'a> {
    pub position: &'a Position,
    pub occupied: Bitboard,
    pub pawns: [Bitboard; 2],
    /// Squares that this side's pawns attack now or after advances.
    pub pawn_span: [Bitboard; 2],
    /// Attacked squares by kind of attacker.
    pub by: [[Bitboard; 6]; 2],
    pub all: [Bitboard; 2],
    pub twice: [Bitboard; 2],
    /// The squares round the king that the other side's attack counts on.
    pub zone: [Bitboard; 2],
    /// Squares where a move counts as mobility.
    pub area: [Bitboard; 2],
    pub score: [Tapered; 2],
    /// Danger to this side's king, in units of its own.
    pub danger: [i32; 2],
}

/// The set and all squares ahead of it, as this side moves.
pub(super) fn fill(set: Bitboard, color: Color) -> Bitboard {
    let mut bits = set.0;
    match color {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    Bitboard(bits)
}

/// The rank as this side counts it, 0 to 7.
pub(super) fn rank_of(square: Square, color: Color) -> usize {
    square.rank().relative_to(color).index()
}

/// The nearest square that is not on the board's edge: the middle of the king's zone.
fn zone_centre(king: Square) -> Square {
    let file = File::ALL[king.file().index().clamp(1, 6)];
    Square::new(file, Rank::ALL[king.rank().index().clamp(1, 6)])
}

impl<'a> Survey<'a> {
    /// Pawn and king maps; the pieces' come with [`Survey::pieces`].
    pub fn new(position: &'a Position) -> Survey<'a> {
        let mut survey = Survey {
            position,
            occupied: position.occupied(),
            pawns: Color::ALL.map(|color| position.of(color, PieceKind::Pawn)),
            pawn_span: [Bitboard::EMPTY; 2],
            by: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            zone: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            score: [Tapered::default(); 2],
            danger: [w::DANGER_BASE; 2],
        };
        for us in Color::ALL {
            survey.pawns_and_king(us);
        }
        survey
    }

    /// Adds to this side's score.
    #[inline]
    pub fn add(&mut self, color: Color, value: Tapered) {
        self.score[color.index()] += value;
    }

    /// Adds to the danger of this side's king.
    #[inline]
    pub fn endanger(&mut self, color: Color, units: i32) {
        self.danger[color.index()] += units;
    }

    /// Squares this side attacks with that kind of man.
    #[inline]
    pub fn attacked(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by[color.index()][kind.index()]
    }

    fn pawns_and_king(&mut self, us: Color) {
        let (i, them) = (us.index(), !us);
        let (own, enemy) = (self.pawns[i], self.pawns[them.index()]);
        let king = self.position.king(us);
        let ahead = own.forward(us);
        let by_pawns = own.pawn_attacks(us);
        let twice = ahead.west() & ahead.east();
        let steps = attacks::king(king);
        let centre = zone_centre(king);

        self.by[i][PieceKind::Pawn.index()] = by_pawns;
        self.by[i][PieceKind::King.index()] = steps;
        self.all[i] = by_pawns | steps;
        self.twice[i] = twice | (by_pawns & steps);
        self.pawn_span[i] = fill(by_pawns, us);
        // Squares that two own pawns defend are no target.
        self.zone[i] = attacks::king(centre).with(centre) - twice;

        let blocked = own & self.occupied.forward(them);
        let low = Rank::Second.relative_to(us).bitboard() | Rank::Third.relative_to(us).bitboard();
        let queens = self.position.of(us, PieceKind::Queen);
        let shut = (own & (blocked | low)) | queens | king.bitboard() | enemy.pawn_attacks(them);
        self.area[i] = !shut;
    }

    /// Scores this side's knights, bishops, rooks and queens and adds their attacks to the maps.
    pub fn pieces(&mut self, us: Color) {
        let queens = self.position.by_kind(PieceKind::Queen);
        let rooks = self.position.of(us, PieceKind::Rook);
        for square in self.position.of(us, PieceKind::Knight) {
            let reach = attacks::knight(square);
            let moves = self.piece(us, PieceKind::Knight, square, reach);
            self.add(us, w::KNIGHT_MOBILITY[moves]);
            self.minor(us, PieceKind::Knight, square, reach);
        }
        for square in self.position.of(us, PieceKind::Bishop) {
            // Sliders see through the men they would follow to the same target.
            let reach = attacks::bishop(square, self.occupied ^ queens);
            let moves = self.piece(us, PieceKind::Bishop, square, reach);
            self.add(us, w::BISHOP_MOBILITY[moves]);
            self.minor(us, PieceKind::Bishop, square, reach);
            self.bishop(us, square);
        }
        for square in rooks {
            let reach = attacks::rook(square, self.occupied ^ queens ^ rooks);
            let moves = self.piece(us, PieceKind::Rook, square, reach);
            self.add(us, w::ROOK_MOBILITY[moves]);
            self.rook(us, square, moves);
        }
        for square in self.position.of(us, PieceKind::Queen) {
            let reach = attacks::queen(square, self.occupied);
            let moves = self.piece(us, PieceKind::Queen, square, reach);
            self.add(us, w::QUEEN_MOBILITY[moves]);
            if rank_of(square, us) >= 4 && !self.pawn_span[(!us).index()].has(square) {
                self.add(us, w::QUEEN_INVADES);
            }
        }
    }

    /// What all pieces share: square value, attack maps, attack on the king. Returns the mobility.
    #[inline]
    fn piece(&mut self, us: Color, kind: PieceKind, square: Square, reach: Bitboard) -> usize {
        let (i, them) = (us.index(), !us);
        self.add(us, w::SQUARE[kind.index()][square.relative_to(us).index()]);
        self.by[i][kind.index()] |= reach;
        self.twice[i] |= self.all[i] & reach;
        self.all[i] |= reach;

        let on_zone = reach & self.zone[them.index()];
        if on_zone.any() {
            let ring = attacks::king(self.position.king(them));
            self.endanger(them, w::ATTACKER[kind.index()]);
            self.endanger(them, w::RING_ATTACK * (reach & ring).count() as i32);
        }
        (reach & self.area[i]).count() as usize
    }

    fn minor(&mut self, us: Color, kind: PieceKind, square: Square, reach: Bitboard) {
        let i = us.index();
        let which = (kind == PieceKind::Bishop) as usize;
        let ranks = fill(Rank::Fourth.relative_to(us).bitboard(), us)
            - fill(Rank::Seventh.relative_to(us).bitboard(), us);
        let outposts = ranks - self.pawn_span[(!us).index()];
        let defended = self.by[i][PieceKind::Pawn.index()];
        if outposts.has(square) {
            self.add(us, w::OUTPOST[which][defended.has(square) as usize]);
        } else if (reach & outposts & defended & self.area[i]).any() {
            self.add(us, w::OUTPOST_IN_REACH[which]);
        }
        if self.position.by_kind(PieceKind::Pawn).forward(!us).has(square) {
            self.add(us, w::BEHIND_PAWN[which]);
        }
        let away = square.distance(self.position.king(us));
        self.add(us, w::MINOR_FROM_KING[which] * away as i32);
    }

    fn bishop(&mut self, us: Color, square: Square) {
        let pawns = self.pawns[us.index()];
        let shade = if square.is_dark() { Bitboard::DARK } else { Bitboard::LIGHT };
        let fixed = (pawns & self.occupied.forward(!us) & CENTRE_FILES).count() as i32;
        self.add(us, w::BISHOP_PAWNS * ((pawns & shade).count() as i32 * (1 + fixed)));
        let enemy = self.pawns[(!us).index()];
        let through = attacks::bishop(square, pawns | enemy);
        if (through & CENTRE).many() {
            self.add(us, w::LONG_DIAGONAL);
        }
        let aims = attacks::bishop(square, Bitboard::EMPTY) & enemy;
        self.add(us, w::BISHOP_AIMS_AT_PAWNS * aims.count() as i32);
    }

    fn rook(&mut self, us: Color, square: Square, moves: usize) {
        let file = square.file().bitboard();
        if (file & self.pawns[us.index()]).is_empty() {
            let open = (file & self.pawns[(!us).index()]).is_empty();
            self.add(us, w::ROOK_FILE[open as usize]);
        } else if moves <= 3 {
            let king = self.position.king(us).file();
            if (king < File::E) == (square.file() < king) {
                let homeless = !self.position.castling().any(us) as i32;
                self.add(us, w::ROOK_SHUT_IN * (1 + homeless));
            }
        }
    }
}
