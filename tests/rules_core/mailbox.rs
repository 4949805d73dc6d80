//! A slow move generator that shares nothing with the real one: it walks over squares by file and
//! rank, makes every move on a copy and looks whether the king can be taken.

use ferz::board::Position;
use ferz::types::{CastlingSide, Color, File, Move, MoveKind, Piece, PieceKind, Rank, Square};

type Step = (i32, i32);

const STRAIGHT: [Step; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

#[derive(Clone)]
struct Mailbox {
    men: [Option<Piece>; 64],
}

fn step(from: Square, (files, ranks): Step) -> Option<Square> {
    let file = usize::try_from(from.file().index() as i32 + files).ok()?;
    let rank = usize::try_from(from.rank().index() as i32 + ranks).ok()?;
    Some(Square::new(File::from_index(file)?, Rank::from_index(rank)?))
}

fn ahead(color: Color) -> i32 {
    if color == Color::White { 1 } else { -1 }
}

impl Mailbox {
    fn at(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    /// Every square that the man on a square attacks.
    fn attacked_from(&self, from: Square) -> Vec<Square> {
        let Some(man) = self.at(from) else { return Vec::new() };
        let (steps, far): (Vec<Step>, bool) = match man.kind() {
            PieceKind::Pawn => (vec![(-1, ahead(man.color())), (1, ahead(man.color()))], false),
            PieceKind::Knight => (JUMPS.to_vec(), false),
            PieceKind::Bishop => (DIAGONAL.to_vec(), true),
            PieceKind::Rook => (STRAIGHT.to_vec(), true),
            PieceKind::Queen => ([STRAIGHT, DIAGONAL].concat(), true),
            PieceKind::King => ([STRAIGHT, DIAGONAL].concat(), false),
        };
        let mut found = Vec::new();
        for direction in steps {
            let mut square = from;
            while let Some(next) = step(square, direction) {
                found.push(next);
                if !far || self.at(next).is_some() {
                    break;
                }
                square = next;
            }
        }
        found
    }

    fn is_attacked(&self, target: Square, by: Color) -> bool {
        Square::ALL
            .into_iter()
            .filter(|&from| self.at(from).is_some_and(|man| man.color() == by))
            .any(|from| self.attacked_from(from).contains(&target))
    }

    /// Whether this side's king could be taken once a man has gone elsewhere.
    fn leaves_king_safe(&self, color: Color, mv: Move) -> bool {
        let mut after = self.clone();
        let man = after.men[mv.from().index()].take();
        after.men[mv.to().index()] = man;
        if mv.is_en_passant() {
            after.men[Square::new(mv.to().file(), mv.from().rank()).index()] = None;
        }
        !after.king_attacked(color)
    }

    fn king_attacked(&self, color: Color) -> bool {
        let king = Some(Piece::new(color, PieceKind::King));
        Square::ALL
            .into_iter()
            .find(|&square| self.at(square) == king)
            .is_some_and(|square| self.is_attacked(square, !color))
    }
}

/// Every legal move of a position, sorted by its bits.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    let board = Mailbox { men: Square::ALL.map(|square| position.piece_at(square)) };
    let us = position.side_to_move();
    let mut moves = Vec::new();
    for from in Square::ALL {
        match board.at(from) {
            Some(man) if man.color() == us && man.kind() == PieceKind::Pawn => {
                pawn_moves(&board, us, from, position.double_push(), &mut moves);
            }
            Some(man) if man.color() == us => {
                for to in board.attacked_from(from) {
                    match board.at(to) {
                        None => moves.push(Move::new(from, to, MoveKind::Quiet)),
                        Some(other) if other.color() != us => {
                            moves.push(Move::new(from, to, MoveKind::Capture));
                        }
                        Some(_) => {}
                    }
                }
            }
            _ => {}
        }
    }
    moves.retain(|&mv| board.leaves_king_safe(us, mv));
    for side in CastlingSide::ALL {
        if let Some(rook) = position.castling().rook(us, side) {
            moves.extend(castling(&board, us, side, rook));
        }
    }
    moves.sort_by_key(|mv| mv.bits());
    moves
}

fn pawn_moves(
    board: &Mailbox,
    us: Color,
    from: Square,
    passed: Option<Square>,
    moves: &mut Vec<Move>,
) {
    let forward = ahead(us);
    if let Some(to) = step(from, (0, forward)).filter(|&to| board.at(to).is_none()) {
        push_pawn(from, to, false, moves);
        let home = if us == Color::White { Rank::Second } else { Rank::Seventh };
        let double = step(to, (0, forward)).filter(|&to| board.at(to).is_none());
        if let (true, Some(to)) = (from.rank() == home, double) {
            moves.push(Move::new(from, to, MoveKind::DoublePush));
        }
    }
    for to in board.attacked_from(from) {
        match board.at(to) {
            Some(other) if other.color() != us => push_pawn(from, to, true, moves),
            None if passed == Some(to) => moves.push(Move::new(from, to, MoveKind::EnPassant)),
            _ => {}
        }
    }
}

fn push_pawn(from: Square, to: Square, captures: bool, moves: &mut Vec<Move>) {
    if matches!(to.rank(), Rank::First | Rank::Eighth) {
        for kind in PieceKind::PROMOTIONS {
            moves.push(Move::new(from, to, MoveKind::promotion(kind, captures)));
        }
    } else {
        let kind = if captures { MoveKind::Capture } else { MoveKind::Quiet };
        moves.push(Move::new(from, to, kind));
    }
}

fn castling(board: &Mailbox, us: Color, side: CastlingSide, rook: Square) -> Option<Move> {
    let king_man = Some(Piece::new(us, PieceKind::King));
    let king = Square::ALL.into_iter().find(|&square| board.at(square) == king_man)?;
    let (king_to, rook_to, kind) = match side {
        CastlingSide::Short => (File::G, File::F, MoveKind::CastleShort),
        CastlingSide::Long => (File::C, File::D, MoveKind::CastleLong),
    };
    let files = [king.file(), rook.file(), king_to, rook_to];
    let (west, east) = (files.iter().min()?, files.iter().max()?);
    let on_rank = |file: File| Square::new(file, king.rank());
    for file in File::ALL.into_iter().filter(|file| file >= west && file <= east) {
        let square = on_rank(file);
        if square != king && square != rook && board.at(square).is_some() {
            return None;
        }
    }
    let (from, to) = (king.file().min(king_to), king.file().max(king_to));
    for file in File::ALL.into_iter().filter(|&file| file >= from && file <= to) {
        if board.is_attacked(on_rank(file), !us) {
            return None;
        }
    }
    let mut after = board.clone();
    after.men[king.index()] = None;
    let rook_man = after.men[rook.index()].take();
    after.men[on_rank(king_to).index()] = king_man;
    after.men[on_rank(rook_to).index()] = rook_man;
    (!after.king_attacked(us)).then(|| Move::new(king, rook, kind))
}
