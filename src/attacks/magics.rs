//! Magic bitboards: a multiplication gathers the blockers that matter into an index.

use super::rays::{bishop_mask, bishop_rays, rook_mask, rook_rays};
use crate::types::{Bitboard, Square};

/// Multipliers found by `cargo run -p ferz-tools --bin magics` (ours, from its default seed).
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x3480004000802810, 0x0840001000402000, 0x0100100b00c1a000, 0x0100100021000804,
    0x0200040201200810, 0x0200100401020008, 0x040022082400a110, 0x0100004081000022,
    0x008880004002ec80, 0x8900400050002008, 0x0001002001004010, 0x0020040100804201,
    0x0022001004200a00, 0x4262000810040200, 0x0424808002002100, 0x000a000182024c11,
    0x0080014000402009, 0x2050024000200440, 0x0010002000280400, 0x9000828008001000,
    0x2028008004008008, 0x00b2008002800400, 0x0102140010485122, 0x808002000050950c,
    0x2a40002080004090, 0x4000200180400280, 0x0889001100402000, 0x00d4100100082100,
    0x8081000500080012, 0x0000040080800200, 0x1300e80c00020910, 0x0f80048a00041141,
    0x0880002000404000, 0x0010002004400040, 0x8441821008802000, 0x0140400a02001020,
    0x091180a402800800, 0x0520020080800400, 0x400408d204000110, 0x0804004402000081,
    0xa008308040008000, 0x0001201002424000, 0x2000100020008080, 0x8010040008004040,
    0x1808005100890004, 0x1002000409020010, 0x1102011002040088, 0x0030008100420004,
    0x4000400080082880, 0x6440210a82400300, 0x2024200441001100, 0x8030080010008080,
    0x8040040008008080, 0x00a0040002008080, 0x0500020910180c00, 0x0000005104008200,
    0x8008802200104902, 0x004c244001008011, 0x40150460004011c9, 0x80401a40200a00d2,
    0x003200a004081082, 0x0002001001040802, 0x2204421800813014, 0x218820204084010a,
];

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0090041088841300, 0x0042080104048400, 0x8044410226000050, 0x0c28060440069000,
    0x0d24052100200000, 0x1058240420a02180, 0x0402460220600005, 0x000100a805084840,
    0x022420250c080044, 0x2200108118088480, 0x0000043842084014, 0x0242190401040014,
    0x080444042000c425, 0x0000020652600200, 0x3802040421080800, 0x0000008084012000,
    0x8010000404084802, 0x0708400222144400, 0x0142000c04001a00, 0x01281020820041c0,
    0x1002000c020a1004, 0x880200c108900400, 0x001c880c02088220, 0x2080820040480800,
    0x0010410010443140, 0x2210480c22488101, 0x4004100108404040, 0x1010802028020020,
    0x2404082004002000, 0x0000420000411014, 0x0008888402084420, 0x04020280044400a1,
    0x0002304004240820, 0x1808610814040801, 0x8522082401120800, 0x0000040401080210,
    0x0000404040140100, 0x0282004900021001, 0x011009420208420c, 0x2104004082065410,
    0x00082808040a0901, 0x0000480490000400, 0x0000201250000801, 0x1a80406018000100,
    0x1000410122000402, 0x0012488902000102, 0x1020120089220a13, 0x0050a40109200645,
    0x4001108820080820, 0x0004421821088004, 0x000042005a282400, 0x5200100041108121,
    0x0002ab200424009a, 0x0008420408108240, 0x2a40108112269002, 0x0210020200620000,
    0x081c2204500410a0, 0x642100405208a006, 0x0108808c42009000, 0x0468080a00840440,
    0x0160000012020200, 0x0050000404081204, 0x208020a004110040, 0x410921040c004200,
];

const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

/// How to look up one square.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    multiplier: u64,
    /// Where its attacks begin in the table.
    offset: u32,
    /// 64 less the number of blockers that matter.
    shift: u32,
}

impl Magic {
    #[inline]
    const fn index(&self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.multiplier) >> self.shift;
        self.offset as usize + hash as usize
    }
}

struct Table<const SIZE: usize> {
    magics: [Magic; 64],
    attacks: [Bitboard; SIZE],
}

impl<const SIZE: usize> Table<SIZE> {
    #[inline]
    fn get(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let index = self.magics[from.index()].index(occupied);
        debug_assert!(index < SIZE);
        // SAFETY: a magic's hash has as many bits as its mask has squares, and `table` lays the
        // squares' ranges of 2^bits entries side by side in exactly SIZE entries, which it checks.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

/// Fills a table: a constant function per kind of slider, as function values are not const.
macro_rules! table {
    ($size:expr, $multipliers:expr, $mask:ident, $rays:ident) => {{
        let mut table = Table::<{ $size }> {
            magics: [Magic { mask: 0, multiplier: 0, offset: 0, shift: 0 }; 64],
            attacks: [Bitboard::EMPTY; $size],
        };
        let mut offset = 0;
        let mut square = 0;
        while square < 64 {
            let from = Square::ALL[square];
            let mask = $mask(from);
            let magic = Magic {
                mask: mask.0,
                multiplier: $multipliers[square],
                offset,
                shift: 64 - mask.count(),
            };
            table.magics[square] = magic;
            let mut blockers = 0_u64;
            loop {
                let attacks = $rays(from, Bitboard(blockers));
                let slot = &mut table.attacks[magic.index(Bitboard(blockers))];
                assert!(slot.is_empty() || slot.0 == attacks.0, "not a magic");
                *slot = attacks;
                blockers = blockers.wrapping_sub(mask.0) & mask.0;
                if blockers == 0 {
                    break;
                }
            }
            offset += 1 << mask.count();
            square += 1;
        }
        assert!(offset as usize == $size);
        table
    }};
}

#[allow(long_running_const_eval)]
static ROOK: Table<ROOK_SIZE> = table!(ROOK_SIZE, ROOK_MAGICS, rook_mask, rook_rays);
#[allow(long_running_const_eval)]
static BISHOP: Table<BISHOP_SIZE> = table!(BISHOP_SIZE, BISHOP_MAGICS, bishop_mask, bishop_rays);

/// The squares a rook attacks over these blockers.
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    ROOK.get(from, occupied)
}

/// The squares a bishop attacks over these blockers.
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP.get(from, occupied)
}

/// The squares a queen attacks over these blockers.
#[inline]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | bishop(from, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blocker_pattern_gives_the_walked_rays() {
        for square in Square::ALL {
            for (mask, magic, walked) in [
                (rook_mask(square), rook as fn(_, _) -> _, rook_rays as fn(_, _) -> _),
                (bishop_mask(square), bishop, bishop_rays),
            ] {
                let mut blockers = 0_u64;
                loop {
                    let set = Bitboard(blockers);
                    assert_eq!(magic(square, set), walked(square, set));
                    assert_eq!(magic(square, set | !mask), walked(square, set | !mask));
                    blockers = blockers.wrapping_sub(mask.0) & mask.0;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
