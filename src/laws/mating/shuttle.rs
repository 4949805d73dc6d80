//! The man that waits in the lemma of [`frozen`](super::frozen): it goes to and fro while the winner
//! walks up.

use crate::attacks::{attacks, between, line as line_through};
use crate::board::Position;
use crate::types::{Bitboard, Color, PieceKind, Square};

/// The man of the loser that goes to and fro, and its two squares.
#[derive(Clone, Copy)]
pub(super) struct Shuttle {
    pub kind: PieceKind,
    pub from: Square,
    pub to: Square,
}

impl Shuttle {
    pub fn squares(self) -> Bitboard {
        self.from.bitboard().with(self.to)
    }

    pub fn is_king(self) -> bool {
        self.kind == PieceKind::King
    }
}

/// An officer of the loser that can go to and fro whatever the winner's helper and mater do.
pub(super) fn officer_shuttle(position: &Position, winner: Color) -> Option<Shuttle> {
    const OFFICERS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop, PieceKind::Queen];
    let loser = !winner;
    let (own_king, their_king) = (position.king(loser), position.king(winner));
    for kind in OFFICERS {
        for from in position.of(loser, kind) {
            let screen = position.by_color(loser).without(from).without(own_king);
            let unpinnable = |square: Square| {
                line_through(own_king, square).is_empty()
                    || (between(own_king, square) & screen).any()
            };
            if !unpinnable(from) {
                continue;
            }
            let rest = position.occupied().without(from);
            let exposed = position.attackers_to(their_king, rest) & position.by_color(loser);
            if exposed.without(from).any() {
                continue;
            }
            let checks = attacks(kind, winner, their_king, rest);
            let targets = attacks(kind, loser, from, position.occupied()) & !position.occupied();
            if let Some(to) = (targets & !checks).into_iter().find(|&to| unpinnable(to)) {
                return Some(Shuttle { kind, from, to });
            }
        }
    }
    None
}
