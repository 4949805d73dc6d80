//! The vectors of x86-64 and the kernels compiled for each.

use std::arch::x86_64::*;

use super::vector::{self, Vector};
use super::{InputWeights, Neurons, Rows};
use crate::nnue::arch::SQUARE_SHIFT;

/// Spells one vector type and its three kernels: the intrinsics differ only in their prefix.
macro_rules! instruction_set {
    (
        $(#[$doc:meta])* $name:ident($register:ty), $lanes:literal lanes, $features:literal,
        load $load:ident, store $store:ident, zero $zero:ident, splat $splat:ident,
        add $add:ident, sub $sub:ident, min $min:ident, max $max:ident,
        mul $mul:ident, shift $shift:ident, mul_pairs $mul_pairs:ident, add_i32 $add_i32:ident, sum $sum:ident,
        kernels $update:ident, $refresh:ident, $output:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name($register);

        // SAFETY: each function does what the trait says, with instructions of $features only.
        unsafe impl Vector for $name {
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($zero()) }
            }

            #[inline(always)]
            unsafe fn splat(value: i16) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($splat(value)) }
            }

            #[inline(always)]
            unsafe fn load(from: *const i16) -> Self {
                // SAFETY: the caller vouches for the instruction set and the pointer.
                unsafe { Self($load(from.cast())) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut i16) {
                // SAFETY: the caller vouches for the instruction set and the pointer.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($add(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($sub(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($min(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($max(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($mul(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn shift_right(self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($shift::<{ SQUARE_SHIFT as _ }>(self.0)) }
            }

            #[inline(always)]
            unsafe fn mul_pairs(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($mul_pairs(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn add_i32(self, other: Self) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { Self($add_i32(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn sum_i32(self) -> i32 {
                // SAFETY: the caller vouches for the instruction set.
                unsafe { $sum(self.0) }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn $update(
            weights: &InputWeights,
            from: &Neurons,
            to: &mut Neurons,
            rows: Rows,
        ) {
            // SAFETY: this function enables the instruction set.
            unsafe { vector::update::<$name>(weights, from, to, rows) }
        }

        #[target_feature(enable = $features)]
        pub(super) fn $refresh(weights: &InputWeights, neurons: &mut Neurons, rows: Rows) {
            // SAFETY: this function enables the instruction set.
            unsafe { vector::refresh::<$name>(weights, neurons, rows) }
        }

        #[target_feature(enable = $features)]
        pub(super) fn $output(own: &Neurons, their: &Neurons, weights: &[Neurons; 2]) -> i32 {
            // SAFETY: this function enables the instruction set.
            unsafe { vector::output::<$name>(own, their, weights) }
        }
    };
}

instruction_set! {
    /// 128-bit vectors.
    Sse(__m128i), 8 lanes, "sse4.1",
    load _mm_load_si128, store _mm_store_si128, zero _mm_setzero_si128, splat _mm_set1_epi16,
    add _mm_add_epi16, sub _mm_sub_epi16, min _mm_min_epi16, max _mm_max_epi16,
    mul _mm_mullo_epi16, shift _mm_srli_epi16, mul_pairs _mm_madd_epi16, add_i32 _mm_add_epi32, sum sum_sse41,
    kernels update_sse41, refresh_sse41, output_sse41
}

instruction_set! {
    /// 256-bit vectors.
    Avx(__m256i), 16 lanes, "avx2",
    load _mm256_load_si256, store _mm256_store_si256, zero _mm256_setzero_si256, splat _mm256_set1_epi16,
    add _mm256_add_epi16, sub _mm256_sub_epi16, min _mm256_min_epi16, max _mm256_max_epi16,
    mul _mm256_mullo_epi16, shift _mm256_srli_epi16, mul_pairs _mm256_madd_epi16, add_i32 _mm256_add_epi32, sum sum_avx2,
    kernels update_avx2, refresh_avx2, output_avx2
}

instruction_set! {
    /// 512-bit vectors.
    Avx512(__m512i), 32 lanes, "avx512f,avx512bw",
    load _mm512_load_si512, store _mm512_store_si512, zero _mm512_setzero_si512, splat _mm512_set1_epi16,
    add _mm512_add_epi16, sub _mm512_sub_epi16, min _mm512_min_epi16, max _mm512_max_epi16,
    mul _mm512_mullo_epi16, shift _mm512_srli_epi16, mul_pairs _mm512_madd_epi16, add_i32 _mm512_add_epi32, sum sum_avx512,
    kernels update_avx512, refresh_avx512, output_avx512
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn sum_sse41(lanes: __m128i) -> i32 {
    let pairs = _mm_add_epi32(lanes, _mm_shuffle_epi32::<0b01_00_11_10>(lanes));
    let all = _mm_add_epi32(pairs, _mm_shuffle_epi32::<0b10_11_00_01>(pairs));
    _mm_cvtsi128_si32(all)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_avx2(lanes: __m256i) -> i32 {
    let (low, high) = (_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    sum_sse41(_mm_add_epi32(low, high))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum_avx512(lanes: __m512i) -> i32 {
    _mm512_reduce_add_epi32(lanes)
}
