//! The numbers of the evaluation, fitted to engine games by gradient descent.
//!
//! Pairs are centipawns for a full and an empty board. Ranks are counted from the side that owns
//! the man. Danger is measured in units of its own, which `danger_value` turns into centipawns.

use super::tapered::Tapered;

const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The right to move.
pub(super) const TEMPO: Tapered = s(47, 43);

/// A man by kind, pawn to queen.
pub(super) const MATERIAL: [Tapered; 5] =
    [s(35, 119), s(348, 414), s(375, 425), s(380, 716), s(1013, 1219)];

/// A man on a square as its side sees it, by kind; a1 first.
#[rustfmt::skip]
pub(super) const SQUARE: [[Tapered; 64]; 6] = [
    [
        s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0),
        s(-20, 16), s(-6, 8), s(-4, 5), s(-6, 4), s(-2, 2), s(1, 2), s(15, 0), s(-10, -1),
        s(-22, 3), s(-17, 3), s(-8, -9), s(-9, -10), s(-3, -10), s(-4, -7), s(7, -12), s(-18, -5),
        s(-17, 7), s(-16, 19), s(1, -14), s(4, -15), s(7, -10), s(7, -13), s(-9, 13), s(-18, 5),
        s(-1, 11), s(6, 8), s(4, 8), s(11, 2), s(15, -5), s(14, 2), s(11, 6), s(-4, 11),
        s(7, 17), s(14, 23), s(25, 16), s(44, 13), s(44, 7), s(20, 14), s(22, 10), s(11, 12),
        s(46, 41), s(39, 61), s(47, 44), s(35, 47), s(56, 80), s(70, 42), s(42, 53), s(34, 62),
        s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    ],
    [
        s(-30, -24), s(-16, -3), s(-11, 19), s(-4, 4), s(1, -7), s(-17, -3), s(-19, -3), s(-17, -68),
        s(-16, 26), s(-9, -2), s(0, -2), s(-6, 11), s(2, 16), s(4, 5), s(-11, 10), s(-19, 13),
        s(-8, 6), s(-1, 18), s(6, 18), s(12, 25), s(15, 21), s(11, 14), s(8, 10), s(-5, 10),
        s(4, 24), s(15, 17), s(19, 25), s(16, 33), s(11, 41), s(28, 21), s(16, 6), s(12, 6),
        s(14, 41), s(15, 27), s(17, 35), s(28, 37), s(26, 41), s(20, 33), s(19, 30), s(19, 10),
        s(-9, 18), s(12, 12), s(21, 37), s(22, 29), s(18, 23), s(45, 14), s(10, 20), s(10, 7),
        s(-22, -18), s(-14, 35), s(36, -4), s(26, -2), s(36, -12), s(55, -6), s(-2, -2), s(-11, 6),
        s(-123, -32), s(-133, 35), s(-77, 1), s(-94, 20), s(-34, -9), s(-147, 17), s(-105, -14), s(-86, -62),
    ],
    [
        s(2, -22), s(3, -11), s(-7, 5), s(-12, 11), s(-5, 2), s(-21, 12), s(-3, -17), s(4, -32),
        s(11, 1), s(7, -24), s(14, 6), s(5, 11), s(5, 9), s(16, 4), s(9, -28), s(18, -26),
        s(3, 14), s(26, 8), s(7, -4), s(17, 23), s(15, 25), s(-1, 1), s(22, 6), s(1, 11),
        s(6, -4), s(6, 5), s(17, 20), s(21, 19), s(22, 16), s(20, 21), s(-1, 10), s(16, -3),
        s(1, -1), s(6, 19), s(12, 16), s(4, 39), s(25, 21), s(8, 23), s(23, -5), s(-6, 0),
        s(-20, 3), s(7, 15), s(-21, -6), s(10, 6), s(-8, 34), s(-3, -1), s(9, 3), s(5, 5),
        s(-16, 7), s(-20, -1), s(-2, 10), s(-39, 20), s(-11, 6), s(0, -9), s(-39, -6), s(-6, 1),
        s(-77, 4), s(-51, 43), s(-125, 41), s(-174, 64), s(-118, 23), s(-154, 26), s(-102, 47), s(-60, -25),
    ],
    [
        s(-18, 1), s(-12, 5), s(-3, -1), s(4, -5), s(8, -6), s(-1, -3), s(-5, -5), s(2, -23),
        s(-26, 1), s(-21, 7), s(-8, 1), s(5, -8), s(3, -6), s(-3, -3), s(9, -20), s(-28, -2),
        s(-24, 14), s(-11, 10), s(-9, 9), s(5, -1), s(-6, 5), s(4, -3), s(9, -15), s(3, -12),
        s(-16, 20), s(-25, 21), s(-16, 20), s(-13, 15), s(-15, 12), s(-3, 1), s(27, -4), s(-22, 12),
        s(-25, 24), s(-1, 22), s(-18, 30), s(-13, 24), s(-3, 22), s(-8, 16), s(6, 3), s(-13, 6),
        s(-4, 12), s(-10, 22), s(4, 13), s(14, 12), s(-4, 13), s(4, 2), s(8, 15), s(20, 9),
        s(4, 17), s(-14, 29), s(9, 20), s(35, 9), s(-30, 35), s(22, 2), s(-9, 38), s(22, 14),
        s(22, 20), s(11, 39), s(-17, 47), s(-26, 51), s(10, 35), s(35, 27), s(-27, 44), s(24, 12),
    ],
    [
        s(-7, -29), s(1, -48), s(8, -67), s(8, -61), s(13, -74), s(4, -77), s(1, -94), s(6, -107),
        s(4, -56), s(4, -45), s(17, -55), s(13, -42), s(12, -19), s(19, -83), s(15, -72), s(20, -121),
        s(-2, -15), s(7, -3), s(3, 21), s(4, 12), s(2, 20), s(6, 22), s(13, -35), s(11, 0),
        s(-1, 3), s(-15, 50), s(-3, 22), s(-17, 69), s(-17, 61), s(-4, 46), s(-2, 26), s(2, 4),
        s(-5, -4), s(-4, 14), s(-7, 30), s(-36, 65), s(-27, 73), s(-13, 40), s(-7, 40), s(6, 20),
        s(0, -37), s(3, 6), s(-9, 26), s(-7, 36), s(-22, 61), s(-25, 74), s(4, 34), s(1, 27),
        s(-32, 38), s(-27, 19), s(-19, 36), s(-14, 31), s(-46, 79), s(15, 39), s(-3, 59), s(-3, 44),
        s(-75, 23), s(-51, 10), s(11, -22), s(31, -12), s(-1, 19), s(52, -29), s(-14, 6), s(-45, 17),
    ],
    [
        s(29, -76), s(50, -60), s(31, -38), s(-3, -46), s(12, -48), s(5, -32), s(44, -49), s(58, -69),
        s(37, -60), s(15, -27), s(-6, -18), s(-37, -8), s(-37, -4), s(-14, -13), s(24, -35), s(45, -52),
        s(-15, -30), s(10, -8), s(-58, 18), s(-90, 24), s(-98, 31), s(-52, 18), s(-12, -9), s(-22, -31),
        s(-72, 12), s(-58, 15), s(-116, 48), s(-164, 55), s(-139, 50), s(-93, 35), s(-66, 21), s(-79, 0),
        s(-143, 16), s(-25, 43), s(-108, 57), s(-194, 71), s(-150, 75), s(-124, 64), s(-72, 37), s(-89, 14),
        s(-6, 27), s(-13, 42), s(-31, 66), s(-160, 81), s(-133, 93), s(-100, 76), s(-26, 50), s(-135, 7),
        s(-20, 6), s(-65, 67), s(-82, 56), s(-83, 55), s(0, 65), s(-18, 65), s(25, 39), s(6, -11),
        s(-86, -19), s(25, 15), s(-35, 37), s(1, 39), s(-9, 40), s(-39, 35), s(54, 32), s(72, -44),
    ],
];

/// A knight, for each own pawn above five.
pub(super) const KNIGHT_PER_PAWN: Tapered = s(9, 7);

/// A rook, for each own pawn above five.
pub(super) const ROOK_PER_PAWN: Tapered = s(13, -4);

/// Two bishops or more.
pub(super) const BISHOP_PAIR: Tapered = s(36, 47);

/// Two knights or more.
pub(super) const KNIGHT_PAIR: Tapered = s(7, -11);

/// Two rooks or more.
pub(super) const ROOK_PAIR: Tapered = s(99, -67);

/// A knight by the number of squares it can use.
#[rustfmt::skip]
pub(super) const KNIGHT_MOBILITY: [Tapered; 9] = [
    s(-35, -70), s(-20, -30), s(-11, 11), s(-4, 26), s(3, 35), s(6, 43), s(10, 47), s(11, 47),
    s(20, 33),
];

/// A bishop by the number of squares it can use.
#[rustfmt::skip]
pub(super) const BISHOP_MOBILITY: [Tapered; 14] = [
    s(-20, -75), s(-12, -12), s(1, 11), s(7, 25), s(12, 38), s(13, 43), s(13, 51), s(14, 49),
    s(10, 50), s(13, 49), s(17, 45), s(25, 34), s(3, 41), s(0, 35),
];

/// A rook by the number of squares it can use.
#[rustfmt::skip]
pub(super) const ROOK_MOBILITY: [Tapered; 15] = [
    s(-60, -112), s(-28, -3), s(-15, 28), s(-10, 38), s(-10, 48), s(-6, 55), s(-6, 63),
    s(-2, 67), s(2, 70), s(2, 73), s(7, 76), s(11, 75), s(14, 79), s(9, 79), s(44, 58),
];

/// A queen by the number of squares it can use.
#[rustfmt::skip]
pub(super) const QUEEN_MOBILITY: [Tapered; 28] = [
    s(-94, -63), s(-20, -78), s(-7, -101), s(0, -24), s(7, -23), s(12, 40), s(17, 51), s(19, 62),
    s(22, 76), s(25, 85), s(26, 101), s(28, 107), s(28, 113), s(30, 117), s(31, 112), s(30, 108),
    s(29, 102), s(33, 96), s(24, 99), s(43, 69), s(35, 66), s(100, -12), s(86, -23), s(122, -53),
    s(77, -24), s(79, -39), s(6, -55), s(1, -68),
];

/// A knight, then a bishop, where no pawn can drive it away: undefended, defended by a pawn.
#[rustfmt::skip]
pub(super) const OUTPOST: [[Tapered; 2]; 2] = [
    [s(14, -13), s(25, 3)],
    [s(12, 0), s(28, 11)],
];

/// A knight, then a bishop, that can go to a defended outpost.
pub(super) const OUTPOST_IN_REACH: [Tapered; 2] = [s(17, 7), s(9, 7)];

/// A knight, then a bishop, with a pawn right before it.
pub(super) const BEHIND_PAWN: [Tapered; 2] = [s(4, 15), s(4, 14)];

/// A knight, then a bishop, for each step from its king.
pub(super) const MINOR_FROM_KING: [Tapered; 2] = [s(-4, -5), s(-2, -2)];

/// A bishop, for each own pawn on its shade, counted more often when centre pawns are fixed.
pub(super) const BISHOP_PAWNS: Tapered = s(-1, -2);

/// A bishop, for each enemy pawn on its diagonals.
pub(super) const BISHOP_AIMS_AT_PAWNS: Tapered = s(-5, -4);

/// A bishop that sees two squares of the centre past the pieces.
pub(super) const LONG_DIAGONAL: Tapered = s(18, 24);

/// A rook on a file without own pawns: half open, open.
pub(super) const ROOK_FILE: [Tapered; 2] = [s(13, 7), s(31, 7)];

/// A rook with few moves on its king's side, counted twice without castling rights.
pub(super) const ROOK_SHUT_IN: Tapered = s(-9, -10);

/// A queen in the enemy half where no pawn can attack it.
pub(super) const QUEEN_INVADES: Tapered = s(4, 16);

/// A pawn with an own one ahead on its file and none defending it.
pub(super) const DOUBLED: Tapered = s(-6, -19);

/// A pawn without neighbours: opposed, on a half-open file.
pub(super) const ISOLATED: [Tapered; 2] = [s(0, -4), s(-8, -10)];

/// A pawn that lags behind its neighbours and cannot advance safely: opposed, on a half-open file.
pub(super) const BACKWARD: [Tapered; 2] = [s(4, -6), s(-2, -5)];

/// A pawn beside another, by rank.
pub(super) const PHALANX: [Tapered; 8] =
    [s(0, 0), s(4, 2), s(6, 3), s(8, 5), s(18, 20), s(79, 39), s(88, 222), s(0, 0)];

/// A pawn that a pawn defends, by rank.
pub(super) const DEFENDED_PAWN: [Tapered; 8] =
    [s(0, 0), s(0, 0), s(13, 9), s(10, 9), s(18, 21), s(58, 34), s(228, 53), s(0, 0)];

/// A pawn with helpers and no enemy pawn on its file, by rank.
pub(super) const CANDIDATE: [Tapered; 8] =
    [s(0, 0), s(7, -15), s(6, 2), s(5, 13), s(6, 23), s(5, 139), s(0, 0), s(0, 0)];

/// A passed pawn, by rank.
pub(super) const PASSED: [Tapered; 8] =
    [s(0, 0), s(9, 44), s(-2, 47), s(-51, 77), s(-12, 87), s(49, 84), s(112, 174), s(0, 0)];

/// For each step from its own king to the square before a passed pawn, by rank.
pub(super) const PASSED_OWN_KING: [Tapered; 8] =
    [s(0, 0), s(0, -2), s(8, -11), s(9, -18), s(5, -20), s(-6, -19), s(-7, -37), s(0, 0)];

/// For each step from the enemy king to the square before a passed pawn, by rank.
pub(super) const PASSED_ENEMY_KING: [Tapered; 8] =
    [s(0, 0), s(-6, -7), s(-7, -1), s(0, 6), s(-2, 17), s(-1, 30), s(-6, 44), s(0, 0)];

/// A passed pawn with an own man, then with an enemy man before it, by rank.
#[rustfmt::skip]
pub(super) const PASSED_BLOCKED: [[Tapered; 8]; 2] = [
    [s(0, 0), s(-1, 13), s(-8, 4), s(1, -4), s(-2, 7), s(17, 20), s(45, -26), s(0, 0)],
    [s(0, 0), s(16, 6), s(0, 0), s(3, -1), s(5, -3), s(-2, -21), s(-46, -50), s(0, 0)],
];

/// A passed pawn whose whole path is clear of enemy men and attacks, by rank.
pub(super) const PASSED_FREE: [Tapered; 8] =
    [s(0, 0), s(-62, 32), s(-83, 30), s(-67, 49), s(-72, 69), s(54, 118), s(122, 204), s(0, 0)];

/// A passed pawn that can safely advance one square but not all, by rank.
pub(super) const PASSED_CAN_STEP: [Tapered; 8] =
    [s(0, 0), s(3, 3), s(2, -4), s(5, 6), s(9, 9), s(27, 21), s(20, 30), s(0, 0)];

/// A passed pawn whose next square is defended or that a heavy piece follows, by rank.
pub(super) const PASSED_HELPED: [Tapered; 8] =
    [s(0, 0), s(12, 0), s(4, 7), s(15, 5), s(11, 15), s(22, 40), s(27, 76), s(0, 0)];

/// A passed pawn that outruns a lone king.
pub(super) const PASSED_UNSTOPPABLE: Tapered = s(-616, 112);

/// An enemy man attacked by a pawn that is not just lost, by kind.
pub(super) const THREAT_BY_PAWN: [Tapered; 6] =
    [s(0, -41), s(73, 62), s(74, 64), s(91, 40), s(67, 36), s(0, 0)];

/// An enemy man attacked by a knight or bishop, by kind.
pub(super) const THREAT_BY_MINOR: [Tapered; 6] =
    [s(6, 10), s(22, 38), s(43, 28), s(60, 33), s(53, -11), s(151, 412)];

/// A weak enemy man attacked by a rook, by kind.
pub(super) const THREAT_BY_ROOK: [Tapered; 6] =
    [s(4, 12), s(23, 22), s(28, 36), s(4, 14), s(38, -18), s(211, 312)];

/// The king attacks something weak.
pub(super) const THREAT_BY_KING: Tapered = s(33, 20);

/// An enemy man that can be taken for nothing or with superior force.
pub(super) const HANGING: Tapered = s(18, 34);

/// A square that both sides attack and the enemy does not firmly hold.
pub(super) const RESTRICTED: Tapered = s(4, 1);

/// An enemy piece that a safe pawn advance would attack.
pub(super) const THREAT_BY_PUSH: Tapered = s(17, 24);

/// A safe square from which a knight would attack the queen.
pub(super) const KNIGHT_HUNTS_QUEEN: Tapered = s(9, -4);

/// A safe square from which a bishop or rook would attack the queen.
pub(super) const SLIDER_HUNTS_QUEEN: Tapered = s(16, 7);

/// A safe square behind the centre pawns, for each four pieces that can use it.
pub(super) const SPACE: Tapered = s(2, -7);

/// The own pawn next to the king on a file, by the file's distance from the edge and by rank; 0 for
/// none.
#[rustfmt::skip]
pub(super) const SHELTER: [[Tapered; 8]; 4] = [
    [s(11, 6), s(7, -30), s(12, -14), s(27, 3), s(32, 12), s(-33, -9), s(47, -18), s(0, 0)],
    [s(7, 3), s(14, -11), s(14, -4), s(7, 3), s(-8, 9), s(-2, 35), s(22, 11), s(0, 0)],
    [s(-9, -2), s(18, -7), s(-2, 1), s(-3, -3), s(4, -6), s(6, 20), s(-22, 18), s(0, 0)],
    [s(-20, 2), s(0, 6), s(2, -6), s(-7, 3), s(8, -1), s(-11, 5), s(-19, 39), s(0, 0)],
];

/// The enemy pawn nearest to the king on a file, likewise, by rank as the king's side counts.
#[rustfmt::skip]
pub(super) const STORM: [[Tapered; 8]; 4] = [
    [s(-12, -4), s(69, -20), s(3, 2), s(-28, 23), s(-4, 2), s(-4, -3), s(-10, -1), s(0, 0)],
    [s(-5, 11), s(71, 28), s(28, 25), s(3, 23), s(-14, 26), s(-11, -4), s(-8, 8), s(0, 0)],
    [s(6, 3), s(52, 27), s(-9, 17), s(0, 18), s(-7, -8), s(-6, -5), s(-2, -5), s(0, 0)],
    [s(-1, 3), s(46, 12), s(59, -4), s(-5, -11), s(-14, -12), s(-1, -11), s(-10, -11), s(0, 0)],
];

/// An enemy pawn that stands right before an own one near the king, by rank.
pub(super) const STORM_BLOCKED: [Tapered; 8] =
    [s(0, 0), s(0, 0), s(27, -25), s(2, -18), s(-2, -21), s(0, -25), s(46, -15), s(0, 0)];

/// An attack on the king's flank.
pub(super) const FLANK_PRESSURE: Tapered = s(1, 5);

/// A king's flank without any pawn.
pub(super) const PAWNLESS_FLANK: Tapered = s(2, -54);

/// Danger that every king is in.
pub(super) const DANGER_BASE: i32 = 114;

/// A man that attacks the zone, by kind.
pub(super) const ATTACKER: [i32; 6] = [0, 65, 28, 6, -3, 0];

/// A square beside the king attacked by a piece, for each piece.
pub(super) const RING_ATTACK: i32 = 2;

/// Safe checks by kind: one, several.
#[rustfmt::skip]
pub(super) const SAFE_CHECK: [[i32; 2]; 6] = [
    [0, 0],
    [178, 207],
    [112, 197],
    [182, 274],
    [132, 215],
    [0, 0],
];

/// A check that loses the checking piece, by kind.
pub(super) const CHECK: [i32; 6] = [0, 21, 35, 42, 26, 0];

/// A square of the zone that is poorly defended.
pub(super) const WEAK_RING: i32 = 16;

/// The enemy has no queen.
pub(super) const NO_QUEEN: i32 = -48;

/// A knight defends a square beside the king.
pub(super) const KNIGHT_DEFENDS: i32 = -12;

/// A man alone between the king and a slider.
pub(super) const PINNED: i32 = 86;

/// An attack on the king's flank.
pub(super) const FLANK_ATTACK: i32 = 14;

/// A defended square on the king's flank.
pub(super) const FLANK_DEFENCE: i32 = -10;

/// The own pawn next to the king on a file, as in [`SHELTER`].
#[rustfmt::skip]
pub(super) const SHELTER_DANGER: [[i32; 8]; 4] = [
    [90, -23, -13, 82, 105, -71, -30, 0],
    [87, -11, 23, 61, 20, 60, 29, 0],
    [61, 1, 18, 45, 43, 77, -11, 0],
    [19, 6, 6, 11, 44, 74, 41, 0],
];

/// The enemy pawn nearest to the king on a file, as in [`STORM`].
#[rustfmt::skip]
pub(super) const STORM_DANGER: [[i32; 8]; 4] = [
    [35, -36, 70, 53, 52, 6, 4, 0],
    [68, 81, 126, 75, 47, -20, 33, 0],
    [54, 56, 112, 66, -4, -17, -6, 0],
    [52, 72, 156, 20, -14, -20, -34, 0],
];

/// An enemy pawn that stands right before an own one, by rank.
pub(super) const STORM_BLOCKED_DANGER: [i32; 8] = [0, 0, 165, 27, -27, -5, 104, 0];
