//! An exhaustive solver for few men, written apart from the product, and the answers against it.
//!
//! White is the side to mate. A state is won if it is checkmate of Black or if any legal move, of
//! either side, leads to a won state.

use std::collections::{HashSet, VecDeque};

use ferz::attacks::attacks;
use ferz::board::{Position, Setup};
use ferz::laws::mating::{self, Answer, Grounds, Possible, Solver};
use ferz::types::{Bitboard, Color, Piece, PieceKind, Rank, Square};

/// A man beside the kings.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Man {
    color: Color,
    kind: PieceKind,
}

const fn white(kind: PieceKind) -> Man {
    Man { color: Color::White, kind }
}

const fn black(kind: PieceKind) -> Man {
    Man { color: Color::Black, kind }
}

/// Kings and up to two men; `None` for a man that has been taken.
#[derive(Clone, Copy, PartialEq, Debug)]
struct State {
    to_move: Color,
    kings: [Square; 2],
    men: [Option<Square>; 2],
}

impl State {
    fn squares(self) -> impl Iterator<Item = Square> {
        self.kings.into_iter().chain(self.men.into_iter().flatten())
    }

    fn occupied(self) -> Bitboard {
        self.squares().collect()
    }
}

/// What the two slots of a state hold; a table of won states.
struct Table {
    slots: [Option<Man>; 2],
    won: Vec<bool>,
    /// Tables for what is left after one of the men is taken, or a pawn promoted.
    smaller: Vec<Table>,
}

impl Table {
    fn index(state: State) -> usize {
        let square = |man: Option<Square>| man.map_or(0, Square::index);
        let mut index = state.to_move.index();
        for part in [state.kings[0].index(), state.kings[1].index()] {
            index = index * 64 + part;
        }
        let [first, second] = state.men;
        match second {
            None => index * 64 + square(first),
            Some(_) => (index * 64 + square(first)) * 64 + square(second),
        }
    }

    fn in_check(&self, state: State, color: Color) -> bool {
        let king = state.kings[color.index()];
        let occupied = state.occupied();
        attacks(PieceKind::King, !color, state.kings[(!color).index()], occupied).has(king)
            || (0..2).any(|slot| match (self.slots[slot], state.men[slot]) {
                (Some(man), Some(square)) if man.color != color => {
                    attacks(man.kind, man.color, square, occupied).has(king)
                }
                _ => false,
            })
    }

    fn is_legal(&self, state: State) -> bool {
        let men = state.squares().count() as u32;
        let pawns_fit = (0..2).all(|slot| match (self.slots[slot], state.men[slot]) {
            (Some(Man { kind: PieceKind::Pawn, .. }), Some(square)) => {
                !matches!(square.rank(), Rank::First | Rank::Eighth)
            }
            _ => true,
        });
        state.occupied().count() == men && pawns_fit && !self.in_check(state, !state.to_move)
    }

    /// Calls back for every legal move: the state behind it, and what its slots hold.
    fn successors(
        &self,
        state: State,
        mut visit: impl FnMut([Option<Man>; 2], State) -> bool,
    ) -> bool {
        let mover = state.to_move;
        let occupied = state.occupied();
        let mut play = |from: Square, to: Square, promoted: Option<(usize, PieceKind)>| {
            let (mut slots, mut next) = (self.slots, state);
            next.to_move = !mover;
            for slot in 0..2 {
                if next.men[slot] == Some(to) {
                    next.men[slot] = None;
                    slots[slot] = None;
                } else if next.men[slot] == Some(from) {
                    next.men[slot] = Some(to);
                }
            }
            if state.kings[mover.index()] == from {
                next.kings[mover.index()] = to;
            }
            if let Some((slot, kind)) = promoted {
                slots[slot] = Some(Man { color: mover, kind });
            }
            let probe = Table { slots, won: Vec::new(), smaller: Vec::new() };
            !probe.in_check(next, mover) && visit(slots, next)
        };
        let own: Bitboard = (0..2)
            .filter(|&slot| self.slots[slot].is_some_and(|man| man.color == mover))
            .filter_map(|slot| state.men[slot])
            .collect();
        let king = state.kings[mover.index()];
        let enemy_king = state.kings[(!mover).index()];
        let barred = own.with(king).with(enemy_king);
        for to in attacks(PieceKind::King, mover, king, occupied) & !barred {
            if play(king, to, None) {
                return true;
            }
        }
        for slot in 0..2 {
            let (Some(man), Some(from)) = (self.slots[slot], state.men[slot]) else { continue };
            if man.color != mover {
                continue;
            }
            if man.kind != PieceKind::Pawn {
                for to in attacks(man.kind, mover, from, occupied) & !barred {
                    if play(from, to, None) {
                        return true;
                    }
                }
                continue;
            }
            let mut targets = attacks(PieceKind::Pawn, mover, from, occupied) & occupied & !barred;
            if let Some(one) = from.forward(mover).filter(|&one| !occupied.has(one)) {
                targets = targets.with(one);
                if from.rank() == Rank::Second.relative_to(mover) {
                    let two = one.forward(mover).filter(|&two| !occupied.has(two));
                    targets |= two.map_or(Bitboard::EMPTY, Square::bitboard);
                }
            }
            for to in targets {
                let kinds: &[Option<PieceKind>] = match to.rank().relative_to(mover) {
                    Rank::Eighth => &[
                        Some(PieceKind::Queen),
                        Some(PieceKind::Rook),
                        Some(PieceKind::Bishop),
                        Some(PieceKind::Knight),
                    ],
                    _ => &[None],
                };
                for kind in kinds {
                    if play(from, to, kind.map(|kind| (slot, kind))) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn is_won(&self, slots: [Option<Man>; 2], state: State) -> bool {
        let men: Vec<(Man, Square)> =
            (0..2).filter_map(|slot| Some((slots[slot]?, state.men[slot]?))).collect();
        if men.iter().all(|(man, _)| man.color == Color::Black) {
            return false;
        }
        let shape: Vec<Man> = men.iter().map(|(man, _)| *man).collect();
        let fits = |table: &&Table| table.slots.iter().flatten().copied().eq(shape.iter().copied());
        let mut tables = std::iter::once(self).chain(&self.smaller);
        match tables.find(fits) {
            Some(table) => {
                let square = |slot: usize| men.get(slot).map(|(_, square)| *square);
                table.won[Table::index(State { men: [square(0), square(1)], ..state })]
            }
            // A single knight or bishop against a bare king.
            None => false,
        }
    }

    fn states(&self) -> impl Iterator<Item = State> {
        let slots = self.slots.iter().flatten().count();
        (0..2_usize << (6 * (2 + slots))).map(move |index| {
            let square = |part: usize| Square::ALL[index >> (6 * part) & 63];
            State {
                to_move: Color::ALL[index >> (6 * (2 + slots))],
                kings: [square(0), square(1)],
                men: [(slots > 0).then(|| square(2)), (slots > 1).then(|| square(3))],
            }
        })
    }

    /// Solves by sweeps until nothing changes.
    fn three_men(man: Man, smaller: Vec<Table>) -> Table {
        let slots = [Some(man), None];
        let mut table = Table { slots, won: vec![false; 2 * 64 * 64 * 64], smaller };
        let mut open: Vec<State> = table.states().filter(|&s| table.is_legal(s)).collect();
        loop {
            let before = open.len();
            open.retain(|&state| {
                let won = table.is_mate(state)
                    || table.successors(state, |slots, next| table.is_won(slots, next));
                table.won[Table::index(state)] = won;
                !won
            });
            if open.len() == before {
                return table;
            }
        }
    }

    fn is_mate(&self, state: State) -> bool {
        state.to_move == Color::Black
            && self.in_check(state, Color::Black)
            && !self.successors(state, |_, _| true)
    }

    fn position(&self, state: State) -> Position {
        let mut setup = Setup::empty();
        setup.side_to_move = state.to_move;
        for color in Color::ALL {
            let king = Piece::new(color, PieceKind::King);
            setup.pieces[state.kings[color.index()].index()] = Some(king);
        }
        for slot in 0..2 {
            if let (Some(man), Some(square)) = (self.slots[slot], state.men[slot]) {
                setup.pieces[square.index()] = Some(Piece::new(man.color, man.kind));
            }
        }
        Position::from_setup(&setup).unwrap()
    }
}

fn expected(won: bool) -> Possible {
    if won { Possible::Yes } else { Possible::No }
}

/// Every legal state of one man against a bare king, both sides to move, both colours.
fn compare_three_men(table: &Table) -> [usize; 2] {
    let solver = Solver::default();
    let mut counts = [0; 2];
    for state in table.states().filter(|&state| table.is_legal(state)) {
        let position = table.position(state);
        let won = table.won[Table::index(state)];
        let answer = solver.can_mate(&position, Color::White).answer;
        assert_eq!(answer.possible(), expected(won), "{position:?}");
        assert!(mating::material_forbids_mate(&position, Color::Black), "{position:?}");
        counts[won as usize] += 1;
    }
    counts
}

#[test]
fn every_position_of_queen_rook_or_pawn_against_a_bare_king() {
    let queen = Table::three_men(white(PieceKind::Queen), Vec::new());
    let rook = Table::three_men(white(PieceKind::Rook), Vec::new());
    let [lost, won] = compare_three_men(&queen);
    assert!(lost > 0 && won > 100_000, "{lost} {won}");
    let [lost, won] = compare_three_men(&rook);
    assert!(lost > 0 && won > 100_000, "{lost} {won}");
    let pawn = Table::three_men(white(PieceKind::Pawn), vec![queen, rook]);
    let [lost, won] = compare_three_men(&pawn);
    assert!(lost > 0 && won > 100_000, "{lost} {won}");
}

#[test]
fn a_lone_minor_piece_never_mates_a_bare_king() {
    for kind in [PieceKind::Bishop, PieceKind::Knight] {
        let table =
            Table { slots: [Some(white(kind)), None], won: Vec::new(), smaller: Vec::new() };
        for state in table.states().filter(|&state| table.is_legal(state)) {
            assert!(!table.is_mate(state));
            let position = table.position(state);
            assert!(mating::is_dead_by_material(&position), "{position:?}");
        }
    }
}

/// A small generator for reproducible samples (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn state(&mut self) -> State {
        let mut square = || Square::ALL[self.below(64)];
        let kings = [square(), square()];
        let men = [Some(square()), Some(square())];
        State { to_move: Color::ALL[self.below(2)], kings, men }
    }
}

/// Whether White can mate, by trying everything that can happen; `None` if that is too much.
fn exhaust(start: &Position, limit: usize) -> Option<bool> {
    let mut seen = HashSet::from([start.key()]);
    let mut queue = VecDeque::from([*start]);
    while let Some(position) = queue.pop_front() {
        // A bare king never mates, nor does a lone minor piece a bare king (see above).
        let [own, enemy] = Color::ALL.map(|color| position.by_color(color).count());
        let minors = position.by_kind(PieceKind::Knight) | position.by_kind(PieceKind::Bishop);
        if own == 1 || own == 2 && enemy == 1 && minors.any() {
            continue;
        }
        if position.side_to_move() == Color::Black && position.is_checkmate() {
            return Some(true);
        }
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if seen.insert(next.key()) {
                if seen.len() > limit {
                    return None;
                }
                queue.push_back(next);
            }
        }
    }
    Some(false)
}

/// Two men beside the kings: a "yes" shows its line, a "no" is exhausted or proven by material.
#[test]
fn sampled_positions_of_four_men() {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    let kinds = [Pawn, Knight, Bishop, Rook, Queen];
    let solver = Solver::default();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = [0_usize; 3];
    for _ in 0..6_000 {
        let first = white(kinds[random.below(5)]);
        let second = Man { color: Color::ALL[random.below(2)], kind: kinds[random.below(5)] };
        let slots = [Some(first), Some(second)];
        let table = Table { slots, won: Vec::new(), smaller: Vec::new() };
        let state = random.state();
        if !table.is_legal(state) {
            continue;
        }
        let position = table.position(state);
        match solver.can_mate(&position, Color::White).answer {
            Answer::Yes(_) => {
                let line = solver.helpmate(&position, Color::White).unwrap();
                assert!(mating::ends_in_mate(&position, Color::White, &line), "{position:?}");
                counts[0] += 1;
            }
            Answer::No(Grounds::Material) => counts[1] += 1,
            Answer::No(_) => {
                assert_eq!(exhaust(&position, 40_000), Some(false), "{position:?}");
                counts[2] += 1;
            }
            Answer::Undecided(doubt) => panic!("{doubt:?} {position:?}"),
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

/// Positions where a capture is about to be forced: the solver's "no" and "yes" against everything
/// that can happen.
#[test]
fn four_men_with_hanging_pieces_are_exhausted() {
    use PieceKind::{Bishop, Knight, Queen, Rook};
    let kinds = [Knight, Bishop, Rook, Queen];
    let solver = Solver::default();
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let mut counts = [0_usize; 2];
    for _ in 0..60_000 {
        let slots = [Some(white(kinds[random.below(4)])), Some(black(kinds[random.below(4)]))];
        let table = Table { slots, won: Vec::new(), smaller: Vec::new() };
        let state = State { to_move: Color::Black, ..random.state() };
        if !table.is_legal(state) || !table.in_check(state, Color::Black) {
            continue;
        }
        let position = table.position(state);
        if position.count_legal() > 2 {
            continue;
        }
        if let Some(won) = exhaust(&position, 3_000) {
            let answer = solver.can_mate(&position, Color::White).answer;
            assert_eq!(answer.possible(), expected(won), "{position:?}");
            counts[won as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}
