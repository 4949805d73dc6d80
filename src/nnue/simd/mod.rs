//! The network's inner loops, once per instruction set, chosen at run time.
//!
//! [`scalar`] is the reference; every other kernel gives the same numbers bit for bit.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::env;
use std::fmt;

use super::arch::{HIDDEN, INPUTS};

/// The environment variable that forces an instruction set.
pub const VARIABLE: &str = "FERZ_SIMD";

/// One value per neuron, at the start of a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Neurons(pub [i16; HIDDEN]);

/// The input weights, one row per input.
pub type InputWeights = [Neurons; INPUTS];

/// An instruction set the kernels are written for, from the plainest to the widest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Plain Rust: every processor.
    Scalar,
    /// 128-bit vectors.
    Sse41,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors (F and BW).
    Avx512,
}

/// The instruction set asked for by [`VARIABLE`] cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SimdError {
    /// The name means nothing.
    #[error("{VARIABLE}: {0:?} is not one of scalar, sse41, avx2, avx512")]
    Unknown(String),
    /// The processor lacks it.
    #[error("{VARIABLE}: this processor has no {0}")]
    Missing(Level),
}

impl Level {
    /// All of them, the plainest first.
    pub const ALL: [Level; 4] = [Level::Scalar, Level::Sse41, Level::Avx2, Level::Avx512];

    /// The name as [`VARIABLE`] spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Sse41 => "sse41",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Whether this processor has it.
    pub fn is_supported(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            Level::Scalar => true,
            Level::Sse41 => is_x86_feature_detected!("sse4.1"),
            Level::Avx2 => is_x86_feature_detected!("avx2"),
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Level::Scalar
        }
    }

    /// The widest this processor has.
    pub fn best() -> Level {
        Level::ALL.into_iter().rfind(|level| level.is_supported()).unwrap_or(Level::Scalar)
    }

    /// The one [`VARIABLE`] asks for, or the widest when it is unset or empty.
    pub fn chosen() -> Result<Level, SimdError> {
        match env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Level::forced(&name.to_string_lossy()),
            _ => Ok(Level::best()),
        }
    }

    /// The one of this name, in either case, if the processor has it.
    pub fn forced(name: &str) -> Result<Level, SimdError> {
        let level = Level::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| SimdError::Unknown(name.to_owned()))?;
        if level.is_supported() { Ok(level) } else { Err(SimdError::Missing(level)) }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The input rows that a change of the board adds and takes away.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Rows of men placed.
    pub added: &'a [u16],
    /// Rows of men removed.
    pub removed: &'a [u16],
}

type UpdateFn = unsafe fn(&InputWeights, &Neurons, &mut Neurons, Rows<'_>);
type RefreshFn = unsafe fn(&InputWeights, &mut Neurons, Rows<'_>);
type OutputFn = unsafe fn(&Neurons, &Neurons, &[Neurons; 2]) -> i32;

/// The inner loops for one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    level: Level,
    update: UpdateFn,
    refresh: RefreshFn,
    output: OutputFn,
}

impl Kernels {
    /// The kernels of this instruction set, if the processor has it.
    pub fn new(level: Level) -> Result<Kernels, SimdError> {
        if !level.is_supported() {
            return Err(SimdError::Missing(level));
        }
        let (update, refresh, output): (UpdateFn, RefreshFn, OutputFn) = match level {
            #[cfg(target_arch = "x86_64")]
            Level::Sse41 => (x86::update_sse41, x86::refresh_sse41, x86::output_sse41),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => (x86::update_avx2, x86::refresh_avx2, x86::output_avx2),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => (x86::update_avx512, x86::refresh_avx512, x86::output_avx512),
            _ => (scalar::update, scalar::refresh, scalar::output),
        };
        Ok(Kernels { level, update, refresh, output })
    }

    /// The instruction set.
    pub fn level(&self) -> Level {
        self.level
    }

    /// `to` = `from` with the rows added and removed; quickest for one or two of each.
    #[inline]
    pub fn update(&self, weights: &InputWeights, from: &Neurons, to: &mut Neurons, rows: Rows) {
        // SAFETY: `new` gives out a kernel only when the processor has its instruction set.
        unsafe { (self.update)(weights, from, to, rows) }
    }

    /// Adds and removes any number of rows in place.
    #[inline]
    pub fn refresh(&self, weights: &InputWeights, neurons: &mut Neurons, rows: Rows) {
        // SAFETY: `new` gives out a kernel only when the processor has its instruction set.
        unsafe { (self.refresh)(weights, neurons, rows) }
    }

    /// The sum over both perspectives of weight times squared activation, the square shifted by
    /// `SQUARE_SHIFT`.
    #[inline]
    pub fn output(&self, own: &Neurons, their: &Neurons, weights: &[Neurons; 2]) -> i32 {
        // SAFETY: `new` gives out a kernel only when the processor has its instruction set.
        unsafe { (self.output)(own, their, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::arch::MAX_SQUARE;

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % bound
        }

        fn neurons(&mut self, bound: i16) -> Neurons {
            let span = bound as u64 * 2 + 1;
            Neurons(std::array::from_fn(|_| (self.below(span) as i32 - i32::from(bound)) as i16))
        }
    }

    fn weights(random: &mut Random) -> Box<InputWeights> {
        let rows: Box<[Neurons]> = (0..INPUTS).map(|_| random.neurons(505)).collect();
        rows.try_into().expect("one row per input")
    }

    fn supported() -> impl Iterator<Item = Kernels> {
        Level::ALL.into_iter().filter_map(|level| Kernels::new(level).ok())
    }

    #[test]
    fn updates_and_refreshes_agree_with_the_scalar_kernel() {
        let mut random = Random(1);
        let weights = weights(&mut random);
        let scalar = Kernels::new(Level::Scalar).expect("plain Rust");
        for kernels in supported() {
            for (adds, subs) in [(0, 0), (1, 1), (1, 2), (2, 2), (2, 1), (0, 1), (5, 9), (32, 0)] {
                let mut pick = |count| -> Vec<u16> {
                    (0..count).map(|_| random.below(INPUTS as u64) as u16).collect()
                };
                let (added, removed) = (pick(adds), pick(subs));
                let rows = Rows { added: &added, removed: &removed };
                let from = random.neurons(2000);
                let (mut expected, mut found) = (from, random.neurons(9));
                scalar.refresh(&weights, &mut expected, rows);
                kernels.update(&weights, &from, &mut found, rows);
                assert_eq!(found, expected, "{} update {adds} {subs}", kernels.level());
                let mut found = from;
                kernels.refresh(&weights, &mut found, rows);
                assert_eq!(found, expected, "{} refresh {adds} {subs}", kernels.level());
            }
        }
    }

    #[test]
    fn outputs_agree_with_the_formula() {
        let mut random = Random(2);
        for round in 0..200 {
            let bound = [300, 600, 32_000][round % 3];
            let (own, their) = (random.neurons(bound), random.neurons(bound));
            // The largest weights that no sum can overflow with.
            let most = (i32::MAX / MAX_SQUARE / (2 * HIDDEN as i32)) as i16;
            let edge = Neurons([[most, -most][round % 2]; HIDDEN]);
            let weights = [random.neurons(most), edge];
            let mut expected = 0i64;
            for (neurons, weights) in [own, their].iter().zip(&weights) {
                for (value, weight) in neurons.0.iter().zip(weights.0) {
                    let square = i64::from(*value).clamp(0, 255).pow(2) / 8;
                    expected += square * i64::from(weight);
                }
            }
            for kernels in supported() {
                let found = kernels.output(&own, &their, &weights);
                assert_eq!(i64::from(found), expected, "{}", kernels.level());
            }
        }
    }

    #[test]
    fn an_instruction_set_is_forced_by_name() {
        assert_eq!(Level::forced("SCALAR"), Ok(Level::Scalar));
        assert_eq!(Level::forced("mmx"), Err(SimdError::Unknown("mmx".to_owned())));
        for level in Level::ALL {
            let expected =
                if level.is_supported() { Ok(level) } else { Err(SimdError::Missing(level)) };
            assert_eq!(Level::forced(level.name()), expected);
            assert_eq!(Kernels::new(level).map(|kernels| kernels.level()), expected);
        }
    }
}
