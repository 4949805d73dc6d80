//! The kernels over any width of vector.
//!
//! Everything here is inlined into a function that enables the instruction set; called from
//! elsewhere, the intrinsics would be calls of their own and slow.

use super::{InputWeights, Neurons, Rows};
use crate::nnue::arch::{HIDDEN, QA};

/// Vectors summed together before they go back to memory.
const BLOCK: usize = 8;

/// A vector register of `i16` (or, in the last step, `i32`) lanes.
///
/// # Safety
/// Every function needs a processor with the vector's instruction set; `load` and `store` need
/// an aligned pointer to `LANES` valid values.
pub(super) unsafe trait Vector: Copy {
    /// How many `i16` it holds.
    const LANES: usize;
    /// All lanes zero.
    unsafe fn zero() -> Self;
    /// All lanes this value.
    unsafe fn splat(value: i16) -> Self;
    /// Reads `LANES` values.
    unsafe fn load(from: *const i16) -> Self;
    /// Writes `LANES` values.
    unsafe fn store(self, to: *mut i16);
    /// Lane-wise sum.
    unsafe fn add(self, other: Self) -> Self;
    /// Lane-wise difference.
    unsafe fn sub(self, other: Self) -> Self;
    /// Lane-wise smaller value.
    unsafe fn min(self, other: Self) -> Self;
    /// Lane-wise larger value.
    unsafe fn max(self, other: Self) -> Self;
    /// Low halves of the products.
    unsafe fn mul(self, other: Self) -> Self;
    /// Unsigned lanes without their lowest `SQUARE_SHIFT` bits.
    unsafe fn shift_right(self) -> Self;
    /// Sums of two neighbouring products each, as `i32`.
    unsafe fn mul_pairs(self, other: Self) -> Self;
    /// Sum of `i32` lanes.
    unsafe fn add_i32(self, other: Self) -> Self;
    /// All `i32` lanes together.
    unsafe fn sum_i32(self) -> i32;
}

/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(super) unsafe fn update<V: Vector>(
    weights: &InputWeights,
    from: &Neurons,
    to: &mut Neurons,
    rows: Rows,
) {
    // SAFETY: the caller vouches for the instruction set.
    unsafe {
        match (rows.added, rows.removed) {
            (&[a], &[b]) => fused::<V, 1, 1>(weights, from, to, [a], [b]),
            (&[a], &[b, c]) => fused::<V, 1, 2>(weights, from, to, [a], [b, c]),
            (&[a, b], &[c, d]) => fused::<V, 2, 2>(weights, from, to, [a, b], [c, d]),
            _ => {
                *to = *from;
                refresh::<V>(weights, to, rows);
            }
        }
    }
}

/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
unsafe fn fused<V: Vector, const ADDED: usize, const REMOVED: usize>(
    weights: &InputWeights,
    from: &Neurons,
    to: &mut Neurons,
    added: [u16; ADDED],
    removed: [u16; REMOVED],
) {
    const { assert!(HIDDEN.is_multiple_of(V::LANES)) };
    let added = added.map(|row| weights[row as usize].0.as_ptr());
    let removed = removed.map(|row| weights[row as usize].0.as_ptr());
    for lane in (0..HIDDEN).step_by(V::LANES) {
        // SAFETY: `lane + LANES <= HIDDEN`; `Neurons` is aligned for every vector; the caller
        // vouches for the instruction set.
        unsafe {
            let mut value = V::load(from.0.as_ptr().add(lane));
            for row in added {
                value = value.add(V::load(row.add(lane)));
            }
            for row in removed {
                value = value.sub(V::load(row.add(lane)));
            }
            value.store(to.0.as_mut_ptr().add(lane));
        }
    }
}

/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(super) unsafe fn refresh<V: Vector>(weights: &InputWeights, neurons: &mut Neurons, rows: Rows) {
    const { assert!(HIDDEN.is_multiple_of(V::LANES * BLOCK)) };
    for start in (0..HIDDEN).step_by(V::LANES * BLOCK) {
        // SAFETY: `start + LANES * BLOCK <= HIDDEN`; `Neurons` is aligned for every vector; the
        // caller vouches for the instruction set.
        unsafe {
            let block = neurons.0.as_mut_ptr().add(start);
            let mut values = [V::zero(); BLOCK];
            for (index, value) in values.iter_mut().enumerate() {
                *value = V::load(block.add(index * V::LANES));
            }
            for &row in rows.added {
                let row = weights[row as usize].0.as_ptr().add(start);
                for (index, value) in values.iter_mut().enumerate() {
                    *value = value.add(V::load(row.add(index * V::LANES)));
                }
            }
            for &row in rows.removed {
                let row = weights[row as usize].0.as_ptr().add(start);
                for (index, value) in values.iter_mut().enumerate() {
                    *value = value.sub(V::load(row.add(index * V::LANES)));
                }
            }
            for (index, value) in values.iter().enumerate() {
                value.store(block.add(index * V::LANES));
            }
        }
    }
}

/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(super) unsafe fn output<V: Vector>(
    own: &Neurons,
    their: &Neurons,
    weights: &[Neurons; 2],
) -> i32 {
    const { assert!(HIDDEN.is_multiple_of(V::LANES * 2)) };
    // SAFETY: every read stays below `HIDDEN`; `Neurons` is aligned for every vector; the caller
    // vouches for the instruction set.
    unsafe {
        let (floor, ceiling) = (V::zero(), V::splat(QA as i16));
        let mut sums = [V::zero(); 2];
        for (neurons, weights) in [(own, &weights[0]), (their, &weights[1])] {
            for start in (0..HIDDEN).step_by(V::LANES * 2) {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let lane = start + index * V::LANES;
                    let active = V::load(neurons.0.as_ptr().add(lane)).max(floor).min(ceiling);
                    let square = active.mul(active).shift_right();
                    let weight = V::load(weights.0.as_ptr().add(lane));
                    *sum = sum.add_i32(square.mul_pairs(weight));
                }
            }
        }
        sums[0].add_i32(sums[1]).sum_i32()
    }
}
