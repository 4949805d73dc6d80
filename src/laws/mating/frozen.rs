//! An instant "yes": the side to be mated stands still, and the other side walks up and mates.
//!
//! Lemma. Let no king be in check, let the loser have an officer (the *shuttle*) that can go from
//! its square to an empty one and back for ever, and let the winner have a *mater* (queen, rook,
//! bishop or knight) and perhaps a *helper* (any man but the king), such that
//! 1. neither of them nor the shuttle screens a king from a slider, so that their leaving exposes
//!    nobody, and the shuttle can never be pinned and never gives check;
//! 2. helper, then mater reach their squares by moves over empty squares that give no check and
//!    stay clear of the shuttle's way;
//! 3. on its square the mater gives check, no man of the loser but the king attacks that square or
//!    can step in between, and every square next to the king is held by a man of its own that
//!    stands still or is attacked by the mater, the helper or a man of the winner that stands still.
//!
//! Then the winner's moves with the loser's shuttling in between are legal and end in checkmate.
//! Whatever depends on where the shuttle is just then, or on squares left on the way, is demanded
//! for both cases: a square that may be occupied blocks the winner and does not block the loser.

use crate::attacks::{attacks, between, king, line as line_through, pawn};
use crate::board::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Rank, Square};

/// How many moves mater and helper may need each.
const MATER_MOVES: usize = 3;
const HELPER_MOVES: usize = 2;

/// Whether the lemma proves that this side can mate.
pub(super) fn proves_mate(position: &Position, winner: Color) -> bool {
    Scene::new(position, winner).and_then(|scene| scene.plan()).is_some()
}

/// The series of moves that the lemma promises, if it applies.
pub(super) fn line(position: &Position, winner: Color) -> Option<Vec<Move>> {
    let scene = Scene::new(position, winner)?;
    let plan = scene.plan()?;
    scene.moves(&plan)
}

/// A man on its way from one square to another.
#[derive(Clone, Copy)]
struct Walk {
    kind: PieceKind,
    from: Square,
    to: Square,
}

struct Plan {
    mater: Walk,
    helper: Option<Walk>,
}

/// The shuttle's two squares.
#[derive(Clone, Copy)]
struct Shuttle {
    kind: PieceKind,
    from: Square,
    to: Square,
}

impl Shuttle {
    fn squares(self) -> Bitboard {
        self.from.bitboard().with(self.to)
    }

    /// Where nobody may stand.
    fn way(self) -> Bitboard {
        self.squares() | between(self.from, self.to)
    }
}

struct Scene<'a> {
    position: &'a Position,
    winner: Color,
    king: Square,
    shuttle: Shuttle,
    /// Every square that may be occupied before helper and mater arrive.
    occupied: Bitboard,
    /// Squares that helper and mater may step on, but for the checks they would give.
    free: Bitboard,
}

impl<'a> Scene<'a> {
    fn new(position: &'a Position, winner: Color) -> Option<Scene<'a>> {
        if position.in_check() {
            return None;
        }
        let shuttle = find_shuttle(position, winner)?;
        let occupied = position.occupied() | shuttle.squares();
        Some(Scene {
            position,
            winner,
            king: position.king(!winner),
            shuttle,
            occupied,
            free: !(occupied | shuttle.way()),
        })
    }

    fn plan(&self) -> Option<Plan> {
        const MATERS: [PieceKind; 4] =
            [PieceKind::Queen, PieceKind::Rook, PieceKind::Knight, PieceKind::Bishop];
        for kind in MATERS {
            for from in self.position.of(self.winner, kind) {
                if let Some(plan) = self.plan_with(kind, from) {
                    return Some(plan);
                }
            }
        }
        None
    }

    fn plan_with(&self, kind: PieceKind, from: Square) -> Option<Plan> {
        if self.screens(from.bitboard()) {
            return None;
        }
        let reach = self.reach(kind, from, MATER_MOVES, self.occupied);
        for to in reach & attacks(kind, !self.winner, self.king, self.occupied.without(from)) {
            let mater = Walk { kind, from, to };
            if !self.is_untouchable(mater, from.bitboard()) {
                continue;
            }
            let open = self.open_squares(mater);
            if open.is_empty() {
                return Some(Plan { mater, helper: None });
            }
            if let Some(helper) = self.find_helper(mater, open) {
                return Some(Plan { mater, helper: Some(helper) });
            }
        }
        None
    }

    /// Whether a slider would see a king if these men and the shuttle were gone.
    fn screens(&self, leaving: Bitboard) -> bool {
        let rest = self.position.occupied() & !(leaving.with(self.shuttle.from));
        let sees = |king: Square, by: Color| {
            let sliders = self.position.attackers_to(king, rest) & self.position.by_color(by);
            (sliders & !leaving).any()
        };
        let own_king = self.position.king(self.winner);
        sees(self.king, self.winner)
            || sees(own_king, !self.winner)
            || attacks(self.shuttle.kind, !self.winner, self.shuttle.to, rest).has(own_king)
    }

    /// Where a man gets in this many quiet moves without checking on the way, and where it could
    /// give its check with the last of them.
    fn reach(&self, kind: PieceKind, from: Square, moves: usize, occupied: Bitboard) -> Bitboard {
        let takable = self.position.by_color(!self.winner)
            & !self.position.by_kind(PieceKind::King)
            & !self.shuttle.squares();
        let checking = attacks(kind, !self.winner, self.king, occupied.without(from));
        let mut visited = from.bitboard();
        let mut frontier = visited;
        let mut seen = Bitboard::EMPTY;
        for _ in 0..moves {
            let next = frontier
                .into_iter()
                .fold(Bitboard::EMPTY, |set, square| set | attacks(kind, self.winner, square, occupied));
            seen |= next;
            frontier = next & self.free & !occupied & !checking & !visited;
            visited |= frontier;
        }
        seen & (self.free & !occupied | takable)
    }

    /// Whether no man of the loser but the king can take the mater or step in between, when these
    /// men have left their squares.
    fn is_untouchable(&self, mater: Walk, leaving: Bitboard) -> bool {
        let loser = !self.winner;
        let rest = self.position.occupied() & !leaving & !self.shuttle.squares();
        let still = self.position.by_color(loser).without(self.king) & !self.shuttle.squares();
        let lane = between(mater.to, self.king);
        let pushes = self.position.of(loser, PieceKind::Pawn).forward(loser);
        let third = Rank::Third.relative_to(loser).bitboard();
        if ((pushes | (pushes & third).forward(loser)) & lane).any() {
            return false;
        }
        let shuttle_sees = |square| {
            let mut posts = self.shuttle.squares().into_iter();
            posts.any(|from| attacks(self.shuttle.kind, loser, from, rest).has(square))
        };
        lane.with(mater.to).into_iter().all(|square| {
            (self.position.attackers_to(square, rest) & still).is_empty() && !shuttle_sees(square)
        })
    }

    /// The squares that the king could go to although the mater checks from its square.
    fn open_squares(&self, mater: Walk) -> Bitboard {
        let loser = self.position.by_color(!self.winner);
        let blockers = loser & !self.shuttle.squares();
        let flights = king(self.king) & (!blockers).with(mater.to);
        let occupied = self.occupied.with(mater.to).without(self.king);
        let covered = attacks(mater.kind, self.winner, mater.to, occupied).without(mater.to);
        let still = self.position.by_color(self.winner).without(mater.from);
        let mut open = Bitboard::EMPTY;
        for square in flights & !covered {
            if (self.position.attackers_to(square, occupied) & still).is_empty() {
                open = open.with(square);
            }
        }
        open
    }

    /// A man that can come and hold the open squares, without getting into the mater's way.
    fn find_helper(&self, mater: Walk, open: Bitboard) -> Option<Walk> {
        const HELPERS: [PieceKind; 5] = [
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
            PieceKind::Pawn,
        ];
        let occupied = self.occupied.with(mater.to).without(self.king);
        for kind in HELPERS {
            let posts = open.into_iter().fold(Bitboard::ALL, |set, square| {
                set & attacks(kind, !self.winner, square, occupied)
            });
            if posts.is_empty() {
                continue;
            }
            for from in self.position.of(self.winner, kind).without(mater.from) {
                let reach = match kind {
                    PieceKind::Pawn => self.pawn_reach(from),
                    _ => self.reach(kind, from, HELPER_MOVES, self.occupied) & self.free,
                };
                let lane = between(mater.to, self.king).with(mater.to);
                for to in reach & posts & !lane {
                    let helper = Walk { kind, from, to };
                    if self.fits(mater, helper, open) {
                        return Some(helper);
                    }
                }
            }
        }
        None
    }

    /// Where a pawn's quiet advances lead, short of the last rank and of checks.
    fn pawn_reach(&self, from: Square) -> Bitboard {
        let checking = pawn(!self.winner, self.king);
        let last = Rank::Eighth.relative_to(self.winner).bitboard();
        let mut reach = Bitboard::EMPTY;
        let mut square = from;
        for _ in 0..HELPER_MOVES {
            match square.forward(self.winner) {
                Some(ahead) if (self.free & !last & !checking).has(ahead) => {
                    reach = reach.with(ahead);
                    square = ahead;
                }
                _ => break,
            }
        }
        reach
    }

    /// Whether helper and mater work together: nobody is exposed, the helper's post gives no check,
    /// it does not block the mater or what holds the other squares, and holds the open ones.
    fn fits(&self, mater: Walk, helper: Walk, open: Bitboard) -> bool {
        let leaving = mater.from.bitboard().with(helper.from);
        if self.screens(leaving) {
            return false;
        }
        let occupied = self.occupied.with(helper.to);
        if attacks(helper.kind, self.winner, helper.to, occupied).has(self.king)
            || !self.reach(mater.kind, mater.from, MATER_MOVES, occupied).has(mater.to)
            || !self.is_untouchable(mater, leaving)
        {
            return false;
        }
        let occupied = occupied.with(mater.to).without(self.king);
        let holds = attacks(helper.kind, self.winner, helper.to, occupied);
        let loser = self.position.by_color(!self.winner) & !self.shuttle.squares();
        let flights = king(self.king) & (!loser).with(mater.to);
        let covered = attacks(mater.kind, self.winner, mater.to, occupied).without(mater.to);
        let still = self.position.by_color(self.winner) & !leaving;
        open.is_subset(holds)
            && (flights & !covered & !holds)
                .into_iter()
                .all(|square| (self.position.attackers_to(square, occupied) & still).any())
    }

    /// The plan as legal moves, the shuttle going to and fro in between.
    fn moves(&self, plan: &Plan) -> Option<Vec<Move>> {
        let mut own = Vec::new();
        let mut occupied = self.occupied;
        if let Some(helper) = plan.helper {
            own.extend(self.route(helper, HELPER_MOVES, occupied)?);
            occupied = occupied.with(helper.to);
        }
        own.extend(self.route(plan.mater, MATER_MOVES, occupied)?);
        let mut moves = Vec::new();
        let Shuttle { mut from, mut to, .. } = self.shuttle;
        let mut shuttle = || {
            let mv = Move::new(from, to, MoveKind::Quiet);
            std::mem::swap(&mut from, &mut to);
            mv
        };
        if self.position.side_to_move() != self.winner {
            moves.push(shuttle());
        }
        for (index, mv) in own.into_iter().enumerate() {
            if index > 0 {
                moves.push(shuttle());
            }
            moves.push(mv);
        }
        Some(moves)
    }

    /// The shortest way of a walk as moves.
    fn route(&self, walk: Walk, moves: usize, occupied: Bitboard) -> Option<Vec<Move>> {
        if walk.kind == PieceKind::Pawn {
            return Some(pawn_route(walk));
        }
        let checking = attacks(walk.kind, !self.winner, self.king, occupied.without(walk.from));
        let steps = self.free & !occupied & !checking;
        let mut layers = vec![walk.from.bitboard()];
        let see = |from: Square| attacks(walk.kind, self.winner, from, occupied);
        while layers.len() <= moves {
            let last = *layers.last()?;
            if last.into_iter().any(|from| see(from).has(walk.to)) {
                break;
            }
            layers.push(last.into_iter().fold(Bitboard::EMPTY, |set, from| set | see(from)) & steps);
        }
        let mut squares = vec![walk.to];
        for layer in layers.iter().rev() {
            let next = *squares.last()?;
            squares.push(layer.into_iter().find(|&from| see(from).has(next))?);
        }
        squares.reverse();
        Some(
            squares
                .windows(2)
                .map(|pair| {
                    let takes = self.position.piece_at(pair[1]).is_some() && pair[1] == walk.to;
                    Move::new(pair[0], pair[1], if takes { MoveKind::Capture } else { MoveKind::Quiet })
                })
                .collect(),
        )
    }
}

/// A pawn's single steps.
fn pawn_route(walk: Walk) -> Vec<Move> {
    let path = between(walk.from, walk.to).with(walk.from).with(walk.to);
    let mut squares: Vec<Square> = path.into_iter().collect();
    if walk.to < walk.from {
        squares.reverse();
    }
    squares.windows(2).map(|pair| Move::new(pair[0], pair[1], MoveKind::Quiet)).collect()
}

/// An officer of the loser that can go to and fro whatever the winner's helper and mater do.
fn find_shuttle(position: &Position, winner: Color) -> Option<Shuttle> {
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
            let exposes = position.attackers_to(their_king, rest) & position.by_color(loser);
            if exposes.without(from).any() {
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
