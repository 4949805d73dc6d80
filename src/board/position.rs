//! One position with its counters, keys, checkers and pins, but without a past.

use std::fmt;

use super::generate::{
    All, Count, Listing, Noisy, Quiet, Which, generate, has_neighbour, pawn_can_reach,
};
use super::keys::KEYS;
use super::placement::{Placement, Side};
use crate::attacks::{attacks, between, line};
use crate::types::{
    Bitboard, Castling, CastlingSide, Color, File, Move, MoveKind, MoveList, Piece, PieceKind,
    Square,
};

/// Keys of a position and of parts of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PositionKeys {
    pub all: u64,
    pub pawns: u64,
    pub non_pawns: [u64; 2],
    pub minors: u64,
}

impl PositionKeys {
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let key = KEYS.piece(piece, square);
        self.all ^= key;
        match piece.kind() {
            PieceKind::Pawn => self.pawns ^= key,
            kind => {
                self.non_pawns[piece.color().index()] ^= key;
                if matches!(kind, PieceKind::Knight | PieceKind::Bishop) {
                    self.minors ^= key;
                }
            }
        }
    }
}

/// Is told of every man that leaves or reaches a square while a move is made, in that order.
///
/// A man that moves is first removed, then placed; a man that is taken is removed; a pawn that
/// promotes is removed and its new self placed; castling moves both men.
pub trait Observer {
    /// A man has left a square.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A man has come to a square.
    fn placed(&mut self, piece: Piece, square: Square);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn placed(&mut self, _: Piece, _: Square) {}
}

/// A legal position: men, side to move, rights, counters, and what follows from them.
///
/// Two positions are equal if all of that is equal, move counters included; for the sameness that
/// the laws mean by repetition compare [`key`](Position::key)s.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) men: Placement,
    mailbox: [Option<Piece>; 64],
    checkers: Bitboard,
    pinned: Bitboard,
    en_passant: Option<Square>,
    pub(super) keys: PositionKeys,
    halfmove_clock: u32,
    fullmove_number: u32,
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.shredder_fen())
    }
}

/// Runs generic code for the side to move.
macro_rules! for_side {
    ($color:expr, $side:ident => $body:expr) => {
        match $color {
            $crate::types::Color::White => {
                type $side = $crate::board::placement::White;
                $body
            }
            $crate::types::Color::Black => {
                type $side = $crate::board::placement::Black;
                $body
            }
        }
    };
}
pub(super) use for_side;

impl Position {
    /// Joins checked facts into a position; see `Setup`, which checks them.
    pub(super) fn assemble(men: Placement, halfmove_clock: u32, fullmove_number: u32) -> Position {
        let mut mailbox = [None; 64];
        for piece in Piece::ALL {
            for square in men.of(piece.color(), piece.kind()) {
                mailbox[square.index()] = Some(piece);
            }
        }
        let mut position = Position {
            men,
            mailbox,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            en_passant: None,
            keys: PositionKeys::default(),
            halfmove_clock,
            fullmove_number,
        };
        for_side!(men.side_to_move, S => position.refresh::<S>());
        position.keys = position.keys_from_scratch();
        position
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.men.side_to_move
    }

    /// The man on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.men.occupied()
    }

    /// The squares of a side's men.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.men.color(color)
    }

    /// The squares of the men of a kind, of both sides.
    #[inline]
    pub fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.men.kind(kind)
    }

    /// The squares of a side's men of a kind.
    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.men.of(color, kind)
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.men.king(color)
    }

    /// The castling rights that are left.
    #[inline]
    pub fn castling(&self) -> Castling {
        self.men.castling
    }

    /// The square on which a pawn can legally be taken en passant now.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The square behind a pawn that has just moved two squares, whether it can be taken or not.
    #[inline]
    pub fn double_push(&self) -> Option<Square> {
        self.men.double_push
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the move that is to be made, counted from 1 and raised after Black's.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The men that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The men of the side to move that are pinned to its king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The men of both sides that attack a square over these blockers.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.men.attackers_to(square, occupied)
    }

    /// Whether a man of this side attacks a square. A pinned man attacks too [FIDE 3.1].
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.men.is_attacked(square, by, self.occupied())
    }

    /// Every square that the side not to move attacks.
    pub fn threats(&self) -> Bitboard {
        for_side!(self.side_to_move(), S => self.men.attacks::<<S as Side>::Enemy>(self.occupied()))
    }

    /// The key of the position: equal for the same men, side to move, castling rights and legal
    /// en passant capture, which is what the laws call the same position [FIDE 9.2.3].
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.all
    }

    /// The key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// The key of a side's men other than pawns, its king included.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawns[color.index()]
    }

    /// The key of the knights and bishops of both sides.
    #[inline]
    pub fn minor_key(&self) -> u64 {
        self.keys.minors
    }

    /// Whether a side has a man other than pawns and king.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let plain = self.men.kind(PieceKind::Pawn) | self.men.kind(PieceKind::King);
        (self.men.color(color) - plain).any()
    }

    /// Whether a castling right is left that ordinary chess does not know: with the king off the
    /// e-file, or a rook that stands on neither the a- nor the h-file.
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let ordinary = |side, file| {
                self.men.castling.rook_file(color, side).is_none_or(|rook| rook == file)
            };
            self.men.castling.any(color) && self.king(color).file() != File::E
                || !ordinary(CastlingSide::Short, File::H)
                || !ordinary(CastlingSide::Long, File::A)
        })
    }

    fn list<W: Which>(&self) -> MoveList {
        let mut list = MoveList::new();
        for_side!(self.side_to_move(), S => {
            let enemy = self.men.color(<S as Side>::Enemy::COLOR);
            let mut listing = Listing { enemy, list: &mut list };
            generate::<S, W, _>(&self.men, self.checkers, self.pinned, &mut listing);
        });
        list
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.list::<All>()
    }

    /// The legal captures and promotions to a queen.
    pub fn noisy_moves(&self) -> MoveList {
        self.list::<Noisy>()
    }

    /// The legal moves that [`noisy_moves`](Position::noisy_moves) leaves out.
    pub fn quiet_moves(&self) -> MoveList {
        self.list::<Quiet>()
    }

    /// How many legal moves there are.
    pub fn count_legal(&self) -> usize {
        let mut count = Count::default();
        for_side!(self.side_to_move(), S => {
            generate::<S, All, _>(&self.men, self.checkers, self.pinned, &mut count);
        });
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move has no legal move and is not in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether a move, of whatever origin, is one of the legal moves.
    pub fn is_legal(&self, mv: Move) -> bool {
        for_side!(self.side_to_move(), S => self.is_legal_for::<S>(mv))
    }

    fn is_legal_for<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == S::COLOR) else {
            return false;
        };
        let king = self.king(S::COLOR);
        match mv.kind() {
            MoveKind::CastleShort | MoveKind::CastleLong => {
                let side = match mv.kind() {
                    MoveKind::CastleShort => CastlingSide::Short,
                    _ => CastlingSide::Long,
                };
                return from == king
                    && !self.in_check()
                    && self.men.castling.rook(S::COLOR, side) == Some(to)
                    && self.men.can_castle::<S>(side);
            }
            MoveKind::EnPassant => {
                return piece.kind() == PieceKind::Pawn
                    && self.men.double_push == Some(to)
                    && self.men.en_passant_capturers::<S>().has(from);
            }
            _ => {}
        }
        let takes = self.piece_at(to).is_some_and(|target| target.color() != S::COLOR);
        let free = self.piece_at(to).is_none();
        if mv.is_capture() != takes || !(takes || free) {
            return false;
        }
        let reaches = match piece.kind() {
            PieceKind::Pawn => pawn_can_reach(&self.men, S::COLOR, mv),
            kind => {
                matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
                    && attacks(kind, S::COLOR, from, self.occupied()).has(to)
            }
        };
        reaches && self.leaves_king_safe::<S>(piece.kind(), from, to)
    }

    /// Whether an ordinary move of a man heeds checks and pins.
    fn leaves_king_safe<S: Side>(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        let king = self.king(S::COLOR);
        if kind == PieceKind::King {
            return !self.men.is_attacked(to, S::Enemy::COLOR, self.occupied().without(from));
        }
        let meets_check = match self.checkers.first() {
            None => true,
            Some(checker) => !self.checkers.many() && between(king, checker).with(checker).has(to),
        };
        meets_check && (!self.pinned.has(from) || line(king, from).has(to))
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Position {
        let mut position = *self;
        position.play(mv);
        position
    }

    /// Makes a legal move. In debug builds an illegal one panics.
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut NoObserver);
    }

    /// Makes a legal move and tells the observer what changes.
    #[inline]
    pub(super) fn play_observed(&mut self, mv: Move, observer: &mut impl Observer) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self:?}");
        for_side!(self.side_to_move(), S => self.play_for::<S>(mv, observer));
        debug_assert!(self.keys == self.keys_from_scratch());
    }

    fn play_for<S: Side>(&mut self, mv: Move, observer: &mut impl Observer) {
        let (from, to) = (mv.from(), mv.to());
        let castling_before = self.men.castling;
        if let Some(square) = self.en_passant.take() {
            self.keys.all ^= KEYS.en_passant(square.file());
        }
        self.men.double_push = None;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.men.end_castling(from.bitboard() | to.bitboard());
        if mv.is_castling() {
            self.castle::<S>(from, to, mv.kind(), observer);
        } else if let Some(piece) = self.piece_at(from) {
            if mv.is_capture() {
                self.halfmove_clock = 0;
                let captured = match mv.is_en_passant() {
                    true => to.forward(S::Enemy::COLOR).unwrap_or(to),
                    false => to,
                };
                self.remove(captured, observer);
            }
            self.remove(from, observer);
            let placed = mv.promotion().map_or(piece, |kind| Piece::new(S::COLOR, kind));
            self.place(placed, to, observer);
            if piece.kind() == PieceKind::Pawn {
                self.halfmove_clock = 0;
                if mv.kind() == MoveKind::DoublePush {
                    self.men.double_push = to.forward(S::Enemy::COLOR);
                }
            }
        }
        if castling_before != self.men.castling {
            self.keys.all ^= KEYS.castling(castling_before) ^ KEYS.castling(self.men.castling);
        }
        if S::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.men.side_to_move = S::Enemy::COLOR;
        self.keys.all ^= KEYS.side;
        let can_matter =
            self.men.double_push.is_some() && has_neighbour(&self.men, to, S::Enemy::COLOR);
        self.checkers_for::<S::Enemy>();
        if can_matter {
            self.refresh_en_passant::<S::Enemy>();
            if let Some(square) = self.en_passant {
                self.keys.all ^= KEYS.en_passant(square.file());
            }
        }
    }

    fn castle<S: Side>(
        &mut self,
        king: Square,
        rook: Square,
        kind: MoveKind,
        observer: &mut impl Observer,
    ) {
        let side = match kind {
            MoveKind::CastleShort => CastlingSide::Short,
            _ => CastlingSide::Long,
        };
        // Both leave first: in Chess960 one may stand where the other goes.
        self.remove(king, observer);
        self.remove(rook, observer);
        self.place(Piece::new(S::COLOR, PieceKind::King), side.king_to(S::COLOR), observer);
        self.place(Piece::new(S::COLOR, PieceKind::Rook), side.rook_to(S::COLOR), observer);
    }

    #[inline]
    fn remove(&mut self, square: Square, observer: &mut impl Observer) {
        if let Some(piece) = self.mailbox[square.index()].take() {
            self.men.toggle(piece.color(), piece.kind(), square.bitboard());
            self.keys.toggle(piece, square);
            observer.removed(piece, square);
        }
    }

    #[inline]
    fn place(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.mailbox[square.index()] = Some(piece);
        self.men.toggle(piece.color(), piece.kind(), square.bitboard());
        self.keys.toggle(piece, square);
        observer.placed(piece, square);
    }

    /// Passes the move: for the search's null move, never while in check.
    pub(super) fn pass(&mut self) {
        debug_assert!(!self.in_check());
        if let Some(square) = self.en_passant.take() {
            self.keys.all ^= KEYS.en_passant(square.file());
        }
        self.men.double_push = None;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.men.side_to_move = !self.men.side_to_move;
        self.keys.all ^= KEYS.side;
        for_side!(self.side_to_move(), S => self.checkers_for::<S>());
    }

    /// Works out what follows from the men for the side to move.
    fn refresh<S: Side>(&mut self) {
        self.checkers_for::<S>();
        self.refresh_en_passant::<S>();
    }

    #[inline]
    fn checkers_for<S: Side>(&mut self) {
        (self.checkers, self.pinned) = self.men.checkers_and_pinned::<S>();
    }

    fn refresh_en_passant<S: Side>(&mut self) {
        let possible = self.men.en_passant_capturers::<S>().any();
        self.en_passant = self.men.double_push.filter(|_| possible);
    }

    /// The key that `key()` will have after a move that leaves castling rights and en passant as they
    /// are; castling, promotions and en passant captures differ too. Good enough to fetch a table
    /// entry early.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.keys.all ^ KEYS.side;
        if let Some(piece) = self.piece_at(from) {
            key ^= KEYS.piece(piece, from) ^ KEYS.piece(piece, to);
        }
        if let Some(captured) = self.piece_at(to) {
            key ^= KEYS.piece(captured, to);
        }
        key
    }

    pub(super) fn keys_from_scratch(&self) -> PositionKeys {
        let mut keys = PositionKeys::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        keys.all ^= KEYS.castling(self.men.castling);
        if let Some(square) = self.en_passant {
            keys.all ^= KEYS.en_passant(square.file());
        }
        if self.side_to_move() == Color::Black {
            keys.all ^= KEYS.side;
        }
        keys
    }
}
