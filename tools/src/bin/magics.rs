//! Finds the multipliers of the magic bitboards in `src/attacks/magics.rs`.
//!
//! Deterministic from its seed: the same seed prints the same two tables.

use ferz::attacks::rays::{bishop_mask, bishop_rays, rook_mask, rook_rays};
use ferz::types::{Bitboard, Square};

/// The seed of the multipliers that Ferz ships.
const DEFAULT_SEED: u64 = 20_261_129;

/// SplitMix64: a small generator whose every seed is good.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    }

    /// A word with few bits set: such words are magic far more often.
    fn sparse(&mut self) -> u64 {
        self.next() & self.next() & self.next()
    }
}

/// Tries multipliers until one maps no two blocker patterns with different attacks to one index.
fn find(
    square: Square,
    mask: Bitboard,
    rays: fn(Square, Bitboard) -> Bitboard,
    random: &mut Random,
) -> u64 {
    let mut patterns = Vec::new();
    let mut blockers = 0_u64;
    loop {
        patterns.push((blockers, rays(square, Bitboard(blockers))));
        blockers = blockers.wrapping_sub(mask.0) & mask.0;
        if blockers == 0 {
            break;
        }
    }
    let shift = 64 - mask.count();
    // Each slot remembers the try that filled it, so that nothing is cleared between tries.
    let mut slots = vec![(0_u32, Bitboard::EMPTY); patterns.len()];
    for attempt in 1.. {
        let multiplier = random.sparse();
        // The top byte of a magic product is well filled; skip the hopeless.
        if (mask.0.wrapping_mul(multiplier) >> 56).count_ones() < 6 {
            continue;
        }
        let clash = patterns.iter().any(|&(blockers, attacks)| {
            let slot = &mut slots[(blockers.wrapping_mul(multiplier) >> shift) as usize];
            let clash = slot.0 == attempt && slot.1 != attacks;
            *slot = (attempt, attacks);
            clash
        });
        if !clash {
            return multiplier;
        }
    }
    unreachable!("every square has magics")
}

fn print(
    name: &str,
    mask: fn(Square) -> Bitboard,
    rays: fn(Square, Bitboard) -> Bitboard,
    random: &mut Random,
) {
    println!("const {name}_MAGICS: [u64; 64] = [");
    for row in Square::ALL.chunks(4) {
        let words: Vec<String> = row
            .iter()
            .map(|&square| format!("{:#018x},", find(square, mask(square), rays, random)))
            .collect();
        println!("    {}", words.join(" "));
    }
    println!("];");
}

fn main() {
    let seed = match std::env::args().nth(1).map(|text| text.parse()) {
        None => DEFAULT_SEED,
        Some(Ok(seed)) => seed,
        Some(Err(error)) => {
            eprintln!("magics: the seed is not a number: {error}");
            std::process::exit(2);
        }
    };
    let mut random = Random(seed);
    print("ROOK", rook_mask, rook_rays, &mut random);
    print("BISHOP", bishop_mask, bishop_rays, &mut random);
}
