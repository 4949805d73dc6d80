//! The numbers of the evaluation, fitted to engine games by gradient descent.
//!
//! Pairs are centipawns for a full and an empty board. Ranks are counted from the side that owns
//! the man. Danger is measured in units of its own, which `danger_value` turns into centipawns.

use super::tapered::Tapered;
use crate::types::Score;

const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The right to move, in centipawns at any phase.
pub(super) const TEMPO: Score = 44;

/// A man by kind, pawn to queen.
pub(super) const MATERIAL: [Tapered; 5] =
    [s(34, 122), s(348, 412), s(375, 426), s(389, 717), s(1008, 1226)];

/// A man on a square as its side sees it, by kind; a1 first.
#[rustfmt::skip]
pub(super) const SQUARE: [[Tapered; 64]; 6] = [
    [
        s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0),
        s(-22, 16), s(-7, 7), s(-5, 5), s(-6, 5), s(-4, 0), s(0, 3), s(14, 1), s(-11, 2),
        s(-22, 3), s(-18, 4), s(-11, -7), s(-12, -10), s(-4, -7), s(-7, -7), s(6, -11), s(-20, -3),
        s(-17, 5), s(-15, 19), s(0, -13), s(3, -15), s(7, -10), s(6, -13), s(-9, 14), s(-20, 4),
        s(-2, 12), s(7, 6), s(3, 9), s(13, 1), s(16, -9), s(16, -3), s(11, 6), s(-8, 17),
        s(5, 21), s(10, 25), s(27, 16), s(42, 10), s(43, 3), s(19, 14), s(21, 7), s(5, 19),
        s(44, 45), s(35, 66), s(49, 48), s(37, 43), s(52, 78), s(68, 42), s(48, 50), s(24, 73),
        s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    ],
    [
        s(-31, -19), s(-18, 2), s(-12, 24), s(-5, 9), s(1, -4), s(-20, 1), s(-20, 3), s(-16, -76),
        s(-13, 34), s(-11, -5), s(-1, -2), s(-7, 15), s(0, 19), s(3, 7), s(-16, 15), s(-21, 14),
        s(-9, 7), s(0, 26), s(5, 21), s(11, 25), s(13, 25), s(9, 15), s(7, 17), s(-5, 14),
        s(2, 26), s(12, 26), s(19, 27), s(15, 37), s(10, 44), s(27, 22), s(16, 3), s(9, 6),
        s(13, 39), s(13, 30), s(17, 39), s(27, 41), s(26, 41), s(19, 36), s(17, 34), s(20, 10),
        s(-8, 13), s(14, 12), s(25, 37), s(25, 25), s(22, 21), s(49, 11), s(9, 20), s(12, 3),
        s(-27, -12), s(-15, 43), s(42, -6), s(28, -2), s(40, -14), s(59, -8), s(7, -9), s(-5, 5),
        s(-134, -24), s(-125, 49), s(-81, 0), s(-89, 17), s(-40, -12), s(-148, 13), s(-52, -22), s(-98, -59),
    ],
    [
        s(1, -18), s(4, -10), s(-6, 10), s(-11, 13), s(-7, 4), s(-21, 16), s(-3, -20), s(5, -31),
        s(14, -4), s(9, -22), s(14, 8), s(4, 14), s(6, 15), s(16, 3), s(9, -23), s(22, -32),
        s(2, 18), s(26, 8), s(7, -5), s(16, 26), s(15, 26), s(-1, -1), s(23, 10), s(1, 9),
        s(8, -2), s(3, 4), s(16, 20), s(23, 22), s(21, 18), s(21, 24), s(-3, 11), s(18, -1),
        s(2, 1), s(6, 17), s(14, 19), s(3, 44), s(28, 22), s(9, 21), s(23, 0), s(-8, 2),
        s(-24, 6), s(5, 15), s(-18, -8), s(12, 5), s(-5, 38), s(0, -1), s(13, 3), s(5, 7),
        s(-10, 8), s(-22, 8), s(-6, 10), s(-34, 13), s(-10, 13), s(2, -12), s(-24, -8), s(2, -1),
        s(-84, 14), s(-41, 49), s(-130, 40), s(-183, 63), s(-124, 24), s(-165, 25), s(-84, 50), s(-57, -27),
    ],
    [
        s(-19, 1), s(-12, 6), s(-5, -2), s(5, -6), s(7, -6), s(0, -3), s(-6, -6), s(2, -24),
        s(-28, -1), s(-24, 5), s(-6, 0), s(7, -10), s(2, -3), s(-5, -6), s(6, -22), s(-31, 2),
        s(-26, 18), s(-13, 9), s(-7, 5), s(9, -3), s(-11, 5), s(4, -2), s(9, -15), s(5, -17),
        s(-12, 18), s(-31, 22), s(-11, 16), s(-11, 16), s(-19, 13), s(-6, -3), s(29, -5), s(-20, 12),
        s(-20, 22), s(-2, 19), s(-14, 27), s(-13, 25), s(0, 20), s(-6, 17), s(3, 2), s(-16, 6),
        s(-2, 12), s(-3, 28), s(10, 7), s(6, 16), s(-8, 12), s(-11, 6), s(-4, 17), s(21, 8),
        s(8, 16), s(-22, 33), s(9, 16), s(41, 3), s(-35, 33), s(35, -6), s(-12, 38), s(17, 18),
        s(17, 20), s(8, 42), s(-19, 43), s(-17, 51), s(16, 34), s(16, 34), s(-24, 48), s(29, 11),
    ],
    [
        s(-9, -26), s(-1, -50), s(8, -62), s(6, -55), s(11, -64), s(2, -77), s(-1, -96), s(5, -87),
        s(-1, -47), s(4, -39), s(14, -51), s(12, -37), s(11, -9), s(20, -91), s(9, -57), s(17, -121),
        s(-8, -3), s(6, 5), s(3, 30), s(0, 18), s(1, 21), s(3, 32), s(10, -38), s(10, 15),
        s(-2, 8), s(-14, 44), s(-1, 19), s(-19, 82), s(-20, 72), s(-6, 47), s(-5, 41), s(1, 17),
        s(-6, 4), s(-4, 5), s(-11, 30), s(-39, 62), s(-22, 56), s(-15, 41), s(-9, 47), s(7, 18),
        s(-3, -47), s(1, 1), s(-9, 22), s(-1, 20), s(-31, 65), s(-32, 70), s(3, 33), s(1, 5),
        s(-30, 35), s(-29, 17), s(-15, 19), s(-8, 23), s(-43, 70), s(16, 33), s(-6, 49), s(0, 38),
        s(-80, 12), s(-58, -17), s(10, -22), s(38, -17), s(-13, 21), s(43, -27), s(-12, 7), s(-54, 11),
    ],
    [
        s(27, -80), s(49, -63), s(30, -39), s(-4, -50), s(10, -47), s(3, -32), s(42, -44), s(57, -62),
        s(37, -59), s(11, -26), s(-5, -18), s(-38, -6), s(-39, -5), s(-15, -13), s(23, -36), s(45, -49),
        s(-27, -29), s(14, -7), s(-63, 21), s(-82, 22), s(-97, 30), s(-48, 18), s(-11, -11), s(-30, -30),
        s(-95, 22), s(-64, 14), s(-113, 50), s(-159, 57), s(-114, 48), s(-77, 33), s(-65, 19), s(-97, 3),
        s(-192, 30), s(-53, 51), s(-113, 61), s(-224, 75), s(-172, 84), s(-119, 65), s(-75, 36), s(-75, 22),
        s(-13, 31), s(-30, 49), s(-64, 75), s(-148, 82), s(-140, 101), s(-131, 88), s(-35, 47), s(-115, -2),
        s(-49, 24), s(-46, 73), s(-102, 61), s(-127, 62), s(5, 67), s(-31, 72), s(-22, 41), s(1, -18),
        s(-72, -22), s(34, 23), s(-66, 53), s(-85, 54), s(-19, 51), s(-75, 32), s(15, 44), s(10, -36),
    ],
];

/// A knight, for each own pawn above five.
pub(super) const KNIGHT_PER_PAWN: Tapered = s(9, 6);

/// A rook, for each own pawn above five.
pub(super) const ROOK_PER_PAWN: Tapered = s(15, -6);

/// Two bishops or more.
pub(super) const BISHOP_PAIR: Tapered = s(36, 45);

/// Two knights or more.
pub(super) const KNIGHT_PAIR: Tapered = s(8, -12);

/// Two rooks or more.
pub(super) const ROOK_PAIR: Tapered = s(89, -64);

/// A knight by the number of squares it can use.
#[rustfmt::skip]
pub(super) const KNIGHT_MOBILITY: [Tapered; 9] = [
    s(-33, -57), s(-18, -29), s(-11, 8), s(-5, 27), s(2, 35), s(6, 43), s(9, 47), s(10, 48),
    s(19, 34),
];

/// A bishop by the number of squares it can use.
#[rustfmt::skip]
pub(super) const BISHOP_MOBILITY: [Tapered; 14] = [
    s(-20, -77), s(-12, -12), s(2, 12), s(8, 25), s(12, 38), s(15, 43), s(14, 51), s(14, 50),
    s(9, 52), s(14, 50), s(18, 44), s(23, 33), s(6, 44), s(-21, 37),
];

/// A rook by the number of squares it can use.
#[rustfmt::skip]
pub(super) const ROOK_MOBILITY: [Tapered; 15] = [
    s(-57, -113), s(-26, -9), s(-13, 24), s(-9, 36), s(-9, 45), s(-7, 53), s(-6, 61), s(0, 68),
    s(2, 70), s(2, 73), s(6, 76), s(11, 74), s(11, 79), s(10, 81), s(45, 57),
];

/// A queen by the number of squares it can use.
#[rustfmt::skip]
pub(super) const QUEEN_MOBILITY: [Tapered; 28] = [
    s(-89, -63), s(-18, -65), s(-7, -123), s(0, -11), s(8, -34), s(12, 40), s(18, 44), s(21, 55),
    s(23, 68), s(25, 80), s(26, 94), s(29, 101), s(29, 104), s(30, 113), s(31, 105), s(29, 102),
    s(31, 95), s(33, 90), s(25, 95), s(41, 65), s(27, 69), s(82, 1), s(79, -19), s(95, -46),
    s(17, 1), s(54, -19), s(-10, -44), s(-22, -66),
];

/// A knight, then a bishop, where no pawn can drive it away: undefended, defended by a pawn.
#[rustfmt::skip]
pub(super) const OUTPOST: [[Tapered; 2]; 2] = [
    [s(14, -12), s(25, 3)],
    [s(12, 0), s(28, 11)],
];

/// A knight, then a bishop, that can go to a defended outpost.
pub(super) const OUTPOST_IN_REACH: [Tapered; 2] = [s(16, 6), s(9, 7)];

/// A knight, then a bishop, with a pawn right before it.
pub(super) const BEHIND_PAWN: [Tapered; 2] = [s(4, 16), s(5, 13)];

/// A knight, then a bishop, for each step from its king.
pub(super) const MINOR_FROM_KING: [Tapered; 2] = [s(-5, -5), s(-3, -3)];

/// A bishop, for each own pawn on its shade, counted more often when centre pawns are fixed.
pub(super) const BISHOP_PAWNS: Tapered = s(-1, -2);

/// A bishop, for each enemy pawn on its diagonals.
pub(super) const BISHOP_AIMS_AT_PAWNS: Tapered = s(-5, -4);

/// A bishop that sees two squares of the centre past the pieces.
pub(super) const LONG_DIAGONAL: Tapered = s(18, 24);

/// A rook on a file without own pawns: half open, open.
pub(super) const ROOK_FILE: [Tapered; 2] = [s(14, 8), s(32, 7)];

/// A rook with few moves on its king's side, counted twice without castling rights.
pub(super) const ROOK_SHUT_IN: Tapered = s(-11, -7);

/// A queen in the enemy half where no pawn can attack it.
pub(super) const QUEEN_INVADES: Tapered = s(3, 30);

/// A pawn with an own one ahead on its file and none defending it.
pub(super) const DOUBLED: Tapered = s(-6, -19);

/// A pawn without neighbours: opposed, on a half-open file.
pub(super) const ISOLATED: [Tapered; 2] = [s(1, -3), s(-7, -9)];

/// A pawn that lags behind its neighbours and cannot advance safely: opposed, on a half-open file.
pub(super) const BACKWARD: [Tapered; 2] = [s(3, -4), s(-1, -5)];

/// A pawn beside another, by rank.
pub(super) const PHALANX: [Tapered; 8] =
    [s(0, 0), s(4, 2), s(7, 3), s(9, 6), s(18, 20), s(92, 33), s(166, 223), s(0, 0)];

/// A pawn that a pawn defends, by rank.
pub(super) const DEFENDED_PAWN: [Tapered; 8] =
    [s(0, 0), s(0, 0), s(13, 10), s(10, 10), s(18, 20), s(63, 34), s(237, 71), s(0, 0)];

/// A pawn with helpers and no enemy pawn on its file, by rank.
pub(super) const CANDIDATE: [Tapered; 8] =
    [s(0, 0), s(8, -15), s(6, 1), s(5, 12), s(5, 24), s(-1, 145), s(0, 0), s(0, 0)];

/// A passed pawn, by rank.
pub(super) const PASSED: [Tapered; 8] =
    [s(0, 0), s(11, 42), s(1, 46), s(-41, 73), s(-3, 88), s(41, 89), s(104, 180), s(0, 0)];

/// For each step from its own king to the square before a passed pawn, by rank.
pub(super) const PASSED_OWN_KING: [Tapered; 8] =
    [s(0, 0), s(1, -3), s(7, -12), s(8, -17), s(2, -20), s(-4, -21), s(-5, -38), s(0, 0)];

/// For each step from the enemy king to the square before a passed pawn, by rank.
pub(super) const PASSED_ENEMY_KING: [Tapered; 8] =
    [s(0, 0), s(-5, -7), s(-7, 0), s(-1, 7), s(-3, 17), s(-2, 31), s(-7, 45), s(0, 0)];

/// A passed pawn with an own man, then with an enemy man before it, by rank.
#[rustfmt::skip]
pub(super) const PASSED_BLOCKED: [[Tapered; 8]; 2] = [
    [s(0, 0), s(3, 13), s(-12, 3), s(-1, -6), s(2, 10), s(9, 24), s(-16, -16), s(0, 0)],
    [s(0, 0), s(22, 7), s(1, 0), s(-4, 0), s(9, -5), s(2, -22), s(-51, -49), s(0, 0)],
];

/// A passed pawn whose whole path is clear of enemy men and attacks, by rank.
pub(super) const PASSED_FREE: [Tapered; 8] =
    [s(0, 0), s(-82, 40), s(-82, 29), s(-78, 55), s(-71, 70), s(52, 121), s(114, 213), s(0, 0)];

/// A passed pawn that can safely advance one square but not all, by rank.
pub(super) const PASSED_CAN_STEP: [Tapered; 8] =
    [s(0, 0), s(6, 1), s(3, -5), s(2, 8), s(12, 6), s(27, 22), s(20, 30), s(0, 0)];

/// A passed pawn whose next square is defended or that a heavy piece follows, by rank.
pub(super) const PASSED_HELPED: [Tapered; 8] =
    [s(0, 0), s(11, -2), s(5, 5), s(15, 5), s(12, 13), s(18, 42), s(26, 73), s(0, 0)];

/// A passed pawn that outruns a lone king.
pub(super) const PASSED_UNSTOPPABLE: Tapered = s(-614, 147);

/// An enemy man attacked by a pawn that is not just lost, by kind.
pub(super) const THREAT_BY_PAWN: [Tapered; 6] =
    [s(2, -47), s(70, 67), s(71, 67), s(94, 30), s(66, 14), s(0, 0)];

/// An enemy man attacked by a knight or bishop, by kind.
pub(super) const THREAT_BY_MINOR: [Tapered; 6] =
    [s(5, 10), s(21, 40), s(44, 29), s(58, 35), s(48, -4), s(147, 334)];

/// A weak enemy man attacked by a rook, by kind.
pub(super) const THREAT_BY_ROOK: [Tapered; 6] =
    [s(4, 14), s(23, 25), s(27, 36), s(1, 14), s(33, -3), s(217, 300)];

/// The king attacks something weak.
pub(super) const THREAT_BY_KING: Tapered = s(34, 20);

/// An enemy man that can be taken for nothing or with superior force.
pub(super) const HANGING: Tapered = s(17, 37);

/// A square that both sides attack and the enemy does not firmly hold.
pub(super) const RESTRICTED: Tapered = s(4, 1);

/// An enemy piece that a safe pawn advance would attack.
pub(super) const THREAT_BY_PUSH: Tapered = s(18, 23);

/// A safe square from which a knight would attack the queen.
pub(super) const KNIGHT_HUNTS_QUEEN: Tapered = s(9, -5);

/// A safe square from which a bishop or rook would attack the queen.
pub(super) const SLIDER_HUNTS_QUEEN: Tapered = s(15, 7);

/// A safe square behind the centre pawns, for each four pieces that can use it.
pub(super) const SPACE: Tapered = s(1, -6);

/// The own pawn next to the king on a file, by the file's distance from the edge and by rank; 0 for
/// none.
#[rustfmt::skip]
pub(super) const SHELTER: [[Tapered; 8]; 4] = [
    [s(7, 8), s(5, -30), s(10, -12), s(23, 5), s(30, 12), s(-34, -14), s(53, -15), s(0, 0)],
    [s(4, 3), s(12, -11), s(14, -1), s(9, 3), s(-7, 5), s(6, 34), s(17, 8), s(0, 0)],
    [s(-8, -1), s(18, -7), s(-1, 1), s(-3, -3), s(2, -7), s(-4, 24), s(-34, 34), s(0, 0)],
    [s(-21, 0), s(-1, 7), s(3, -4), s(-9, 3), s(7, -1), s(-7, 5), s(-22, 48), s(0, 0)],
];

/// The enemy pawn nearest to the king on a file, likewise, by rank as the king's side counts.
#[rustfmt::skip]
pub(super) const STORM: [[Tapered; 8]; 4] = [
    [s(-9, -5), s(61, -13), s(0, -2), s(-30, 27), s(-1, 3), s(-1, -4), s(-6, -1), s(0, 0)],
    [s(-8, 12), s(52, 31), s(10, 25), s(6, 23), s(-13, 26), s(-10, -1), s(-8, 9), s(0, 0)],
    [s(5, 3), s(42, 27), s(-15, 14), s(4, 19), s(-7, -11), s(-4, -4), s(0, -4), s(0, 0)],
    [s(-2, 5), s(39, 13), s(45, -6), s(-3, -13), s(-14, -9), s(0, -9), s(-9, -11), s(0, 0)],
];

/// An enemy pawn that stands right before an own one near the king, by rank.
pub(super) const STORM_BLOCKED: [Tapered; 8] =
    [s(0, 0), s(0, 0), s(19, -29), s(3, -21), s(-2, -19), s(2, -22), s(39, -15), s(0, 0)];

/// An attack on the king's flank.
pub(super) const FLANK_PRESSURE: Tapered = s(1, 5);

/// A king's flank without any pawn.
pub(super) const PAWNLESS_FLANK: Tapered = s(10, -59);

/// Danger that every king is in.
pub(super) const DANGER_BASE: i32 = 93;

/// A man that attacks the zone, by kind.
pub(super) const ATTACKER: [i32; 6] = [0, 69, 28, 6, -1, 0];

/// A square beside the king attacked by a piece, for each piece.
pub(super) const RING_ATTACK: i32 = 0;

/// Safe checks by kind: one, several.
#[rustfmt::skip]
pub(super) const SAFE_CHECK: [[i32; 2]; 6] = [
    [0, 0],
    [184, 212],
    [114, 202],
    [187, 280],
    [139, 221],
    [0, 0],
];

/// A check that loses the checking piece, by kind.
pub(super) const CHECK: [i32; 6] = [0, 22, 34, 45, 26, 0];

/// A square of the zone that is poorly defended.
pub(super) const WEAK_RING: i32 = 16;

/// The enemy has no queen.
pub(super) const NO_QUEEN: i32 = -47;

/// A knight defends a square beside the king.
pub(super) const KNIGHT_DEFENDS: i32 = -11;

/// A man alone between the king and a slider.
pub(super) const PINNED: i32 = 89;

/// An attack on the king's flank.
pub(super) const FLANK_ATTACK: i32 = 14;

/// A defended square on the king's flank.
pub(super) const FLANK_DEFENCE: i32 = -9;

/// The own pawn next to the king on a file, as in [`SHELTER`].
#[rustfmt::skip]
pub(super) const SHELTER_DANGER: [[i32; 8]; 4] = [
    [90, -25, -23, 73, 97, -86, -32, 0],
    [86, -14, 25, 69, 17, 83, 20, 0],
    [59, -3, 13, 42, 30, 72, 2, 0],
    [17, 7, 7, 10, 40, 94, 43, 0],
];

/// The enemy pawn nearest to the king on a file, as in [`STORM`].
#[rustfmt::skip]
pub(super) const STORM_DANGER: [[i32; 8]; 4] = [
    [32, -30, 53, 60, 55, 10, 9, 0],
    [57, 45, 90, 77, 50, -23, 31, 0],
    [50, 46, 96, 75, -8, -18, -4, 0],
    [50, 38, 125, 20, -17, -21, -35, 0],
];

/// An enemy pawn that stands right before an own one, by rank.
pub(super) const STORM_BLOCKED_DANGER: [i32; 8] = [0, 0, 151, 25, -29, 6, 89, 0];
