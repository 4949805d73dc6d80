//! How much less deeply late moves are searched. Reductions count 1024ths of a ply.

use super::params::Params;
use crate::types::Depth;

/// One ply, in the unit of reductions.
pub(super) const PLY: i32 = 1024;

const SIZE: usize = 64;

/// 1024 times the natural logarithm of 0 to 63, in whole numbers so that every machine agrees;
/// that of 0 is taken to be 0.
static LOGARITHMS: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let mut n = 1;
    while n < SIZE {
        table[n] = ((log2(n as u64) * 45_426) >> 16) as i32;
        n += 1;
    }
    table
};

/// 1024 times the binary logarithm of a positive number, by repeated squaring.
const fn log2(n: u64) -> u64 {
    const ONE: u64 = 1 << 30;
    let whole = n.ilog2();
    let mut fraction = (n << 30) >> whole;
    let mut result = whole as u64;
    let mut bit = 0;
    while bit < 10 {
        fraction = (fraction * fraction) >> 30;
        result <<= 1;
        if fraction >= 2 * ONE {
            fraction >>= 1;
            result |= 1;
        }
        bit += 1;
    }
    result
}

/// The reduction of a move by depth and number alone.
#[inline]
pub(super) fn base(params: &Params, depth: Depth, number: usize, quiet: bool) -> i32 {
    let product = LOGARITHMS[(depth as usize).min(SIZE - 1)] * LOGARITHMS[number.min(SIZE - 1)];
    let (base, divisor) = match quiet {
        true => (params.lmr_quiet_base(), params.lmr_quiet_divisor()),
        false => (params.lmr_noisy_base(), params.lmr_noisy_divisor()),
    };
    base + product / 1024 * 100 / divisor
}

/// What is known of a late move when its reduction is decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct LateMove {
    pub quiet: bool,
    pub pv: bool,
    pub table_pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub noisy_table_move: bool,
    pub gives_check: bool,
    /// Cut-offs at the next ply.
    pub cutoffs: u32,
    pub history: i32,
    /// The size of the static evaluation's correction, in centipawns.
    pub correction: i32,
}

/// The reduction of a late move, in whole plies; may be negative.
pub(super) fn late_move(params: &Params, base: i32, late: LateMove) -> Depth {
    let mut reduction = base;
    let divisor = match late.quiet {
        true => params.lmr_history_divisor(),
        false => params.lmr_noisy_history_divisor(),
    };
    reduction -= late.history * PLY / divisor;
    reduction -= late.correction * params.lmr_correction() / 100;
    for (holds, change) in [
        (late.pv, -params.lmr_pv()),
        (late.table_pv, -params.lmr_table_pv()),
        (late.cut_node, params.lmr_cut_node()),
        (!late.improving, params.lmr_not_improving()),
        (late.noisy_table_move, params.lmr_noisy_table_move()),
        (late.gives_check, -params.lmr_check()),
        (late.cutoffs > 2, params.lmr_cutoffs()),
    ] {
        if holds {
            reduction += change;
        }
    }
    reduction.div_euclid(PLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for (n, &value) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(value) - exact).abs() < 2.0, "{n}: {value} {exact}");
        }
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let params = Params::default();
        for depth in 2..40 {
            for number in 2..40 {
                for quiet in [true, false] {
                    let here = base(&params, depth, number, quiet);
                    assert!(base(&params, depth + 1, number, quiet) >= here);
                    assert!(base(&params, depth, number + 1, quiet) >= here);
                }
            }
        }
    }
}
