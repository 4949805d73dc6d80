//! An instant "yes": the side to be mated waits, and the other side walks up and mates.
//!
//! Lemma. Let no king be in check, and let the loser have a man (the *shuttle*: an officer, or the
//! king itself) that can go from its square to an empty one and back for ever. Let the winner have a
//! *mater* (queen, rook, bishop or knight) and perhaps a *helper* (any other man), such that
//! 1. neither of them nor the shuttle screens a king from a slider, so that their leaving exposes
//!    nobody, and the shuttle can never be pinned or hindered and never gives check;
//! 2. helper, then mater reach their squares by moves over empty squares that give no check and
//!    stay clear of the shuttle's way; a helping king steps on no square that the loser attacks;
//! 3. on its square the mater gives check, no man of the loser but the king attacks that square or
//!    can step in between, and every square next to the king is held by a man of its own that
//!    stands still or is attacked by the mater, the helper or a man of the winner that stands still;
//! 4. a king that shuttles is on the right one of its two squares when the last move comes.
//!
//! Then the winner's moves with the loser's shuttling in between are legal and end in checkmate.
//! Whatever depends on where the shuttle is just then, or on squares left on the way, is demanded
//! for both cases: a square that may be occupied blocks the winner and does not block the loser.

use std::cell::RefCell;

use super::shuttle::{Shuttle, officer_shuttle};
use crate::attacks::{attacks, between, king};
use crate::board::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Rank, Square};

/// How many moves a helper may need, and a helping king.
const HELPER_MOVES: usize = 2;
const KING_MOVES: usize = 6;

/// How many squares next to the king a helper can be hoped to hold.
const MAX_HELD: u32 = 4;

/// How many moves a mater may need: a knight is slow, the others are nearly everywhere in two.
const fn mater_moves(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Knight => 3,
        _ => 2,
    }
}

/// With more men than this a king that shuttles is tried only if no officer can, or thoroughly.
const MAX_MEN_KING_SHUTTLE: u32 = 10;

/// How many squares a shuttling king is tried with.
const KING_SHUTTLES: usize = 2;

/// How hard to look for a shuttle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// The king only where no officer can do it, or few men are left.
    Quick,
    /// An officer, then the king.
    Thorough,
}

/// Whether the lemma proves that this side can mate.
pub(super) fn proves_mate(position: &Position, winner: Color, effort: Effort) -> bool {
    find(position, winner, effort).is_some()
}

/// The series of moves that the lemma promises, if it applies.
pub(super) fn line(position: &Position, winner: Color) -> Option<Vec<Move>> {
    let (scene, plan) = find(position, winner, Effort::Thorough)?;
    Some(scene.moves(&plan))
}

fn find(position: &Position, winner: Color, effort: Effort) -> Option<(Scene<'_>, Plan)> {
    if position.in_check() {
        return None;
    }
    let at_rest = position.king(!winner);
    if let Some(shuttle) = officer_shuttle(position, winner) {
        let scene = Scene::new(position, winner, shuttle, at_rest);
        if let Some(plan) = scene.plan() {
            return Some((scene, plan));
        }
        if effort == Effort::Quick && position.occupied().count() > MAX_MEN_KING_SHUTTLE {
            return None;
        }
    }
    let steps = king(at_rest) & !position.occupied() & !king(position.king(winner));
    let safe = steps.into_iter().filter(|&to| {
        let rest = position.occupied().without(at_rest);
        (position.attackers_to(to, rest) & position.by_color(winner)).is_empty()
    });
    for to in safe.take(KING_SHUTTLES) {
        let shuttle = Shuttle { kind: PieceKind::King, from: at_rest, to };
        for last in [to, at_rest] {
            let scene = Scene::new(position, winner, shuttle, last);
            if let Some(plan) = scene.plan().filter(|plan| scene.king_arrives(plan)) {
                return Some((scene, plan));
            }
        }
    }
    None
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

struct Scene<'a> {
    position: &'a Position,
    winner: Color,
    shuttle: Shuttle,
    /// Where the loser's king is mated.
    king: Square,
    /// Where it may be before that.
    haunts: Bitboard,
    /// Every square that may be occupied before helper and mater arrive.
    occupied: Bitboard,
    /// Squares that nobody of the winner's may step on.
    closed: Bitboard,
    /// The loser's men that stand still, the king left out.
    still: Bitboard,
    /// Where helpers get to, by their squares, as far as it has been asked.
    helpers: RefCell<HelperReach>,
}

struct HelperReach {
    known: Bitboard,
    reach: [Bitboard; Square::COUNT],
}

impl<'a> Scene<'a> {
    fn new(position: &'a Position, winner: Color, shuttle: Shuttle, last: Square) -> Scene<'a> {
        let at_rest = position.king(!winner);
        let occupied = position.occupied() | shuttle.squares();
        Scene {
            position,
            winner,
            shuttle,
            king: last,
            haunts: if shuttle.is_king() { shuttle.squares() } else { at_rest.bitboard() },
            occupied,
            closed: occupied | between(shuttle.from, shuttle.to),
            still: position.by_color(!winner).without(at_rest) & !shuttle.squares(),
            helpers: RefCell::new(HelperReach {
                known: Bitboard::EMPTY,
                reach: [Bitboard::EMPTY; Square::COUNT],
            }),
        }
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
        let leaving = from.bitboard();
        let checks = attacks(kind, self.winner, self.king, self.at_the_end(leaving));
        let targets = checks & (!self.closed | self.still);
        if targets.is_empty() {
            return None;
        }
        let seen_by_loser = self.seen_by_loser(leaving);
        let guarded = self.guarded(leaving);
        let mut reach = None;
        for to in targets - seen_by_loser {
            let mater = Walk { kind, from, to };
            if !self.is_untouchable(mater, seen_by_loser) {
                continue;
            }
            let open = self.open_squares(mater, None, guarded);
            if open.count() > MAX_HELD {
                continue;
            }
            // The dearer questions are asked only now, and once.
            let reach = *reach.get_or_insert_with(|| match self.screens(leaving) {
                true => Bitboard::EMPTY,
                false => self.reach(kind, from, mater_moves(kind), self.occupied, leaving),
            });
            if reach.is_empty() {
                return None;
            }
            if !reach.has(to) {
                continue;
            }
            if open.is_empty() {
                return Some(Plan { mater, helper: None });
            }
            if let Some(helper) = self.find_helper(mater, open) {
                return Some(Plan { mater, helper: Some(helper) });
            }
        }
        None
    }

    /// What may be occupied when the last move is made: a shuttling king is on its last square.
    fn at_the_end(&self, left: Bitboard) -> Bitboard {
        let occupied =
            if self.shuttle.is_king() { self.occupied & !self.haunts } else { self.occupied };
        (occupied & !left).with(self.king)
    }

    /// Whether a slider would see a king if these men and the shuttle were gone.
    fn screens(&self, leaving: Bitboard) -> bool {
        let rest = self.position.occupied() & !leaving & !self.shuttle.squares();
        let sees = |king: Square, by: Color| {
            let attackers = self.position.attackers_to(king, rest) & self.position.by_color(by);
            (attackers & !leaving).any()
        };
        let own_king = self.position.king(self.winner);
        let exposes_own = !leaving.has(own_king)
            && (sees(own_king, !self.winner)
                || attacks(self.shuttle.kind, !self.winner, self.shuttle.to, rest).has(own_king));
        exposes_own || self.haunts.into_iter().any(|haunt| sees(haunt, self.winner))
    }

    /// From where a man of this kind would check the king on any square where it may be.
    fn checking(&self, kind: PieceKind, leaving: Bitboard) -> Bitboard {
        let rest = self.position.occupied() & !leaving & !self.shuttle.squares();
        self.haunts
            .into_iter()
            .fold(Bitboard::EMPTY, |set, haunt| set | attacks(kind, !self.winner, haunt, rest))
    }

    /// The layers of squares that a man gets to by 0, 1, … quiet moves without giving check, when
    /// these men have left.
    fn layers(
        &self,
        kind: PieceKind,
        from: Square,
        moves: usize,
        occupied: Bitboard,
        leaving: Bitboard,
    ) -> Layers {
        let open = !(self.closed | occupied | self.checking(kind, leaving));
        let mut layers = Layers { sets: [Bitboard::EMPTY; KING_MOVES + 1], len: 1 };
        layers.sets[0] = from.bitboard();
        let mut visited = from.bitboard();
        while layers.len < moves {
            let next = self.seen(kind, layers.sets[layers.len - 1], occupied) & open & !visited;
            if next.is_empty() {
                break;
            }
            visited |= next;
            layers.sets[layers.len] = next;
            layers.len += 1;
        }
        layers
    }

    fn seen(&self, kind: PieceKind, from: Bitboard, occupied: Bitboard) -> Bitboard {
        from.into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | attacks(kind, self.winner, square, occupied))
    }

    /// Where a man can go with the last of at most this many moves, captures included.
    fn reach(
        &self,
        kind: PieceKind,
        from: Square,
        moves: usize,
        occupied: Bitboard,
        leaving: Bitboard,
    ) -> Bitboard {
        let layers = self.layers(kind, from, moves, occupied, leaving);
        let seen = layers.sets[..layers.len]
            .iter()
            .fold(Bitboard::EMPTY, |set, &layer| set | self.seen(kind, layer, occupied));
        seen & (!(self.closed | occupied) | self.still)
    }

    /// Every square that a man of the loser but the king attacks when these men have left, the
    /// shuttle from both its posts.
    fn seen_by_loser(&self, leaving: Bitboard) -> Bitboard {
        let loser = !self.winner;
        let rest = self.position.occupied() & !leaving & !self.shuttle.squares();
        let mut seen = Bitboard::EMPTY;
        for kind in PieceKind::ALL {
            for square in self.position.of(loser, kind) & self.still {
                seen |= attacks(kind, loser, square, rest);
            }
        }
        if !self.shuttle.is_king() {
            for post in self.shuttle.squares() {
                seen |= attacks(self.shuttle.kind, loser, post, rest);
            }
        }
        seen
    }

    /// The squares next to the king that the winner's men attack when these have left and the
    /// mater is not there yet to block a line.
    fn guarded(&self, leaving: Bitboard) -> Bitboard {
        let occupied = self.at_the_end(Bitboard::EMPTY).without(self.king);
        let mut guarded = Bitboard::EMPTY;
        for kind in PieceKind::ALL {
            for square in self.position.of(self.winner, kind) & !leaving {
                guarded |= attacks(kind, self.winner, square, occupied);
            }
        }
        guarded
    }

    /// Whether no man of the loser but the king can take the mater or step in between, given the
    /// squares they attack.
    fn is_untouchable(&self, mater: Walk, seen_by_loser: Bitboard) -> bool {
        let loser = !self.winner;
        let lane = between(mater.to, self.king);
        if lane.any() {
            let pushes = self.position.of(loser, PieceKind::Pawn).forward(loser);
            let third = Rank::Third.relative_to(loser).bitboard();
            if ((pushes | (pushes & third).forward(loser)) & lane).any() {
                return false;
            }
        }
        (lane.with(mater.to) & seen_by_loser).is_empty()
    }

    /// The squares that the king could go to when mater and helper have arrived. `guarded` is what
    /// the other men guard as long as neither blocks a line: only that has to be looked at again.
    fn open_squares(&self, mater: Walk, helper: Option<Walk>, guarded: Bitboard) -> Bitboard {
        let mut leaving = mater.from.bitboard();
        let mut occupied = self.at_the_end(Bitboard::EMPTY).with(mater.to).without(self.king);
        let mut held = Bitboard::EMPTY;
        if let Some(helper) = helper {
            leaving = leaving.with(helper.from);
            occupied = occupied.with(helper.to);
            held = attacks(helper.kind, self.winner, helper.to, occupied);
        }
        held |= attacks(mater.kind, self.winner, mater.to, occupied);
        let flights = king(self.king) & (!self.still).with(mater.to) & !held;
        let mut open = flights - guarded;
        if open.count() > MAX_HELD {
            return open;
        }
        let guards = self.position.by_color(self.winner) & !leaving;
        for square in flights & guarded {
            if (self.position.attackers_to(square, occupied) & guards).is_empty() {
                open = open.with(square);
            }
        }
        open
    }

    /// A man that can come and hold the open squares, without getting into the mater's way.
    fn find_helper(&self, mater: Walk, open: Bitboard) -> Option<Walk> {
        const HELPERS: [PieceKind; 6] = [
            PieceKind::King,
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
            PieceKind::Pawn,
        ];
        let occupied = self.at_the_end(Bitboard::EMPTY).with(mater.to).without(self.king);
        let lane = between(mater.to, self.king).with(mater.to);
        for kind in HELPERS {
            let posts = open.into_iter().fold(!lane & !self.closed, |set, square| {
                set & attacks(kind, !self.winner, square, occupied)
            });
            if posts.is_empty() {
                continue;
            }
            for from in self.position.of(self.winner, kind).without(mater.from) {
                for to in posts & self.helper_reach(kind, from, mater) {
                    let helper = Walk { kind, from, to };
                    if self.fits(mater, helper) {
                        return Some(helper);
                    }
                }
            }
        }
        None
    }

    fn helper_reach(&self, kind: PieceKind, from: Square, mater: Walk) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.pawn_reach(from),
            PieceKind::King => {
                let layers = self.king_layers(from, mater.from);
                layers.sets[1..layers.len].iter().fold(Bitboard::EMPTY, |set, &layer| set | layer)
            }
            _ => {
                let mut helpers = self.helpers.borrow_mut();
                if !helpers.known.has(from) {
                    let away = from.bitboard();
                    let reach = self.reach(kind, from, HELPER_MOVES, self.occupied, away);
                    helpers.reach[from.index()] = reach & !self.closed;
                    helpers.known = helpers.known.with(from);
                }
                helpers.reach[from.index()]
            }
        }
    }

    /// Where a pawn's quiet advances lead, short of the last rank and of checks.
    fn pawn_reach(&self, from: Square) -> Bitboard {
        let last = Rank::Eighth.relative_to(self.winner).bitboard();
        let barred = self.closed | last | self.checking(PieceKind::Pawn, from.bitboard());
        let mut reach = Bitboard::EMPTY;
        let mut square = from;
        for _ in 0..HELPER_MOVES {
            match square.forward(self.winner) {
                Some(ahead) if !barred.has(ahead) => {
                    reach = reach.with(ahead);
                    square = ahead;
                }
                _ => break,
            }
        }
        reach
    }

    /// The layers of squares that the winner's king gets to, nowhere attacked by the loser.
    fn king_layers(&self, from: Square, mater_from: Square) -> Layers {
        let loser = !self.winner;
        let rest =
            self.position.occupied().without(from).without(mater_from) & !self.shuttle.squares();
        let mut attacked = self.closed;
        for haunt in self.haunts {
            attacked |= king(haunt);
        }
        for square in self.still {
            if let Some(piece) = self.position.piece_at(square) {
                attacked |= attacks(piece.kind(), loser, square, rest);
            }
        }
        for square in self.shuttle.squares() {
            attacked |= attacks(self.shuttle.kind, loser, square, rest);
        }
        let mut layers = Layers { sets: [Bitboard::EMPTY; KING_MOVES + 1], len: 1 };
        layers.sets[0] = from.bitboard();
        let mut visited = attacked.with(from);
        while layers.len <= KING_MOVES {
            let last = layers.sets[layers.len - 1];
            let next = self.seen(PieceKind::King, last, Bitboard::EMPTY) & !visited;
            if next.is_empty() {
                break;
            }
            visited |= next;
            layers.sets[layers.len] = next;
            layers.len += 1;
        }
        layers
    }

    /// Whether helper and mater work together: nobody is exposed, the helper's post gives no check,
    /// it does not block the mater or what holds the other squares, and leaves none open.
    fn fits(&self, mater: Walk, helper: Walk) -> bool {
        let leaving = mater.from.bitboard().with(helper.from);
        let checks =
            helper.kind != PieceKind::King && self.checking(helper.kind, leaving).has(helper.to);
        // While the helper is away and the mater is not, the mater must not see the king.
        let uncovers = self.checking(mater.kind, leaving).has(mater.from);
        let occupied = self.occupied.with(helper.to);
        !checks
            && !uncovers
            && !self.screens(leaving)
            && self
                .reach(mater.kind, mater.from, mater_moves(mater.kind), occupied, leaving)
                .has(mater.to)
            && self.is_untouchable(mater, self.seen_by_loser(leaving))
            && self.open_squares(mater, Some(helper), self.guarded(leaving)).is_empty()
    }

    /// Whether a shuttling king is on its last square when the mater moves.
    fn king_arrives(&self, plan: &Plan) -> bool {
        let own = self.own_moves(plan).len();
        let first = self.position.side_to_move() != self.winner;
        let shuttled = own - 1 + first as usize;
        (shuttled % 2 == 1) == (self.king == self.shuttle.to)
    }

    fn own_moves(&self, plan: &Plan) -> Vec<Move> {
        let mut own = Vec::with_capacity(12);
        let mater = plan.mater;
        let mut occupied = self.occupied;
        let mut leaving = mater.from.bitboard();
        if let Some(helper) = plan.helper {
            leaving = leaving.with(helper.from);
            match helper.kind {
                PieceKind::Pawn => pawn_route(helper, &mut own),
                PieceKind::King => {
                    let layers = self.king_layers(helper.from, plan.mater.from);
                    self.route(helper, &layers, Bitboard::EMPTY, &mut own);
                }
                kind => {
                    let away = helper.from.bitboard();
                    let layers = self.layers(kind, helper.from, HELPER_MOVES, occupied, away);
                    self.route(helper, &layers, occupied, &mut own);
                }
            }
            occupied = occupied.with(helper.to);
        }
        let moves = mater_moves(mater.kind);
        let layers = self.layers(mater.kind, mater.from, moves, occupied, leaving);
        self.route(mater, &layers, occupied, &mut own);
        own
    }

    /// Adds the shortest way of a walk.
    fn route(&self, walk: Walk, layers: &Layers, occupied: Bitboard, moves: &mut Vec<Move>) {
        let sees =
            |from: Square, to: Square| attacks(walk.kind, self.winner, from, occupied).has(to);
        let before = |layer: Bitboard, to: Square| layer.into_iter().find(|&from| sees(from, to));
        let sets = &layers.sets[..layers.len];
        let Some(depth) = sets.iter().position(|&layer| before(layer, walk.to).is_some()) else {
            return;
        };
        let first = moves.len();
        let mut to = walk.to;
        for &layer in sets[..=depth].iter().rev() {
            let Some(from) = before(layer, to) else { return };
            let takes = to == walk.to && self.position.piece_at(to).is_some();
            let kind = if takes { MoveKind::Capture } else { MoveKind::Quiet };
            moves.insert(first, Move::new(from, to, kind));
            to = from;
        }
    }

    /// The plan as legal moves, the shuttle going to and fro in between.
    fn moves(&self, plan: &Plan) -> Vec<Move> {
        let own = self.own_moves(plan);
        let mut moves = Vec::with_capacity(2 * own.len());
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
        moves
    }
}

/// Sets of squares by the number of moves that lead there.
struct Layers {
    sets: [Bitboard; KING_MOVES + 1],
    len: usize,
}

/// Adds a pawn's single steps.
fn pawn_route(walk: Walk, moves: &mut Vec<Move>) {
    let path = between(walk.from, walk.to).with(walk.from).with(walk.to);
    let mut squares: Vec<Square> = path.into_iter().collect();
    if walk.to < walk.from {
        squares.reverse();
    }
    moves.extend(squares.windows(2).map(|pair| Move::new(pair[0], pair[1], MoveKind::Quiet)));
}
