//! The network: its numbers, where they come from, and its output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::Lazy;

use super::arch::{HIDDEN, INPUTS, OUTPUT_BUCKETS, QA, QB, SQUARE_SHIFT, output_bucket};
use super::format::{self, Header, SCALES};
use super::simd::{InputWeights, Kernels, Level, Neurons, SimdError};
use crate::types::Score;
use crate::types::score::TABLEBASE_BOUND;

/// The network of the build: `src/nnue/ferz.nnue`, or the file that EVALFILE named at build time.
static EMBEDDED: &[u8] = include_bytes!(env!("EVALFILE"));

#[allow(long_running_const_eval)]
const _: () =
    assert!(format::is_intact(EMBEDDED), "EVALFILE names no intact network of this shape");

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The first bytes are not those of a network file.
    #[error("not a network file of Ferz")]
    Magic,
    /// The network has another architecture.
    #[error(
        "the network is {0} inputs, {1} neurons, {2} output buckets; this program needs \
         {INPUTS}, {HIDDEN}, {OUTPUT_BUCKETS}"
    )]
    Shape(u32, u32, u32),
    /// The file is cut short or has something behind its end.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// The numbers are not those the header was written for.
    #[error("the file is damaged: its hash is {found:016x} instead of {expected:016x}")]
    Hash {
        /// The hash of the numbers.
        found: u64,
        /// The hash in the header.
        expected: u64,
    },
    /// The scale makes no sense.
    #[error("the scale is {0}, not from {min} to {max}", min = SCALES.start(), max = SCALES.end())]
    Scale(u32),
    /// A sum could leave its integer.
    #[error("the {0} are too large to be summed safely")]
    Overflow(&'static str),
    /// The instruction set asked for cannot be used.
    #[error(transparent)]
    Simd(#[from] SimdError),
}

/// A network and the kernels that run it.
#[derive(Debug)]
pub struct Network {
    input: Box<InputWeights>,
    hidden_bias: Neurons,
    output: Box<[[Neurons; 2]; OUTPUT_BUCKETS]>,
    output_bias: [i32; OUTPUT_BUCKETS],
    scale: i64,
    hash: u64,
    kernels: Kernels,
}

impl Network {
    /// The network of the build, read once for the whole process.
    ///
    /// If the instruction set asked for cannot be used, the widest one is: a program that wants to
    /// say so asks [`Level::chosen`] first.
    pub fn built_in() -> Arc<Network> {
        static BUILT_IN: Lazy<Arc<Network>> = Lazy::new(|| {
            let level = Level::chosen().unwrap_or_else(|_| Level::best());
            let network = Network::with_level(EMBEDDED, level);
            Arc::new(network.expect("the compiler has checked the network"))
        });
        Arc::clone(&BUILT_IN)
    }

    /// The file of the build's network, to be read with other kernels.
    pub fn embedded_file() -> &'static [u8] {
        EMBEDDED
    }

    /// Reads a network file.
    pub fn load(path: &Path) -> Result<Arc<Network>, NetworkError> {
        let bytes =
            fs::read(path).map_err(|source| NetworkError::Io { path: path.to_owned(), source })?;
        Network::from_bytes(&bytes).map(Arc::new)
    }

    /// Reads a network and chooses the kernels by [`Level::chosen`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::with_level(bytes, Level::chosen()?)
    }

    /// Reads a network to be run with this instruction set.
    pub fn with_level(bytes: &[u8], level: Level) -> Result<Network, NetworkError> {
        let kernels = Kernels::new(level)?;
        let header = check_header(bytes)?;
        let mut numbers = bytes[format::HEADER..].as_chunks::<2>().0.iter();
        let mut neurons = || {
            let mut values = Neurons([0; HIDDEN]);
            for (value, bytes) in values.0.iter_mut().zip(numbers.by_ref()) {
                *value = i16::from_le_bytes(*bytes);
            }
            values
        };
        let mut input = boxed(Neurons([0; HIDDEN]));
        input.fill_with(&mut neurons);
        let hidden_bias = neurons();
        let mut output = boxed([Neurons([0; HIDDEN]); 2]);
        output.fill_with(|| [neurons(), neurons()]);
        let mut output_bias = [0; OUTPUT_BUCKETS];
        let biases = bytes[format::LENGTH - 4 * OUTPUT_BUCKETS..].as_chunks::<4>().0;
        for (bias, bytes) in output_bias.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes(*bytes);
        }
        Ok(Network {
            input,
            hidden_bias,
            output,
            output_bias,
            scale: i64::from(header.scale),
            hash: header.hash,
            kernels,
        })
    }

    /// The instruction set its kernels use.
    pub fn level(&self) -> Level {
        self.kernels.level()
    }

    /// The hash of its numbers: two networks with the same hash are the same.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    pub(super) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    pub(super) fn input(&self) -> &InputWeights {
        &self.input
    }

    pub(super) fn hidden_bias(&self) -> &Neurons {
        &self.hidden_bias
    }

    /// The score, in centipawns for the owner of `own`, of a board with this many men.
    #[inline]
    pub(super) fn output(&self, own: &Neurons, their: &Neurons, men: usize) -> Score {
        let bucket = output_bucket(men, OUTPUT_BUCKETS);
        let sum = i64::from(self.kernels.output(own, their, &self.output[bucket]));
        let units = (sum << SQUARE_SHIFT) / i64::from(QA) + i64::from(self.output_bias[bucket]);
        let score = units * self.scale / i64::from(QA * QB);
        let bound = i64::from(TABLEBASE_BOUND - 1);
        score.clamp(-bound, bound) as Score
    }
}

fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("a vector of N elements is an array of N"),
    }
}

fn check_header(bytes: &[u8]) -> Result<Header, NetworkError> {
    let header = Header::read(bytes).ok_or(NetworkError::Magic)?;
    if !header.has_shape() {
        return Err(NetworkError::Shape(header.inputs, header.hidden, header.output_buckets));
    }
    if bytes.len() != format::LENGTH {
        return Err(NetworkError::Length { found: bytes.len(), expected: format::LENGTH });
    }
    if !SCALES.contains(&header.scale) {
        return Err(NetworkError::Scale(header.scale));
    }
    let found = format::hash(&bytes[format::HEADER..]);
    if found != header.hash {
        return Err(NetworkError::Hash { found, expected: header.hash });
    }
    if let Some(numbers) = format::too_large(bytes) {
        return Err(NetworkError::Overflow(numbers));
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The embedded file with some of its numbers changed and its hash made right again.
    fn changed(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
        let mut bytes = EMBEDDED.to_vec();
        change(&mut bytes[format::HEADER..]);
        let hash = format::hash(&bytes[format::HEADER..]);
        bytes[24..format::HEADER].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    fn error(bytes: &[u8]) -> String {
        match Network::with_level(bytes, Level::Scalar) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_embedded_network_loads() {
        assert_eq!(error(EMBEDDED), "none");
        assert_eq!(error(&changed(|_| {})), "none");
    }

    #[test]
    fn damaged_files_are_refused_in_words() {
        assert_eq!(error(b""), "not a network file of Ferz");
        assert_eq!(error(&EMBEDDED[1..]), "not a network file of Ferz");
        assert_eq!(
            error(&EMBEDDED[..EMBEDDED.len() - 1]),
            format!("the file has {} bytes instead of {}", format::LENGTH - 1, format::LENGTH)
        );
        let mut longer = EMBEDDED.to_vec();
        longer.push(0);
        assert!(error(&longer).contains(&format!("{} bytes", format::LENGTH + 1)));
        let mut wider = EMBEDDED.to_vec();
        wider[12..16].copy_from_slice(&1024u32.to_le_bytes());
        assert!(error(&wider).contains("1024 neurons"));
        let mut scale = EMBEDDED.to_vec();
        scale[20..24].copy_from_slice(&0u32.to_le_bytes());
        assert_eq!(error(&scale), "the scale is 0, not from 50 to 1000");
        let mut flipped = EMBEDDED.to_vec();
        flipped[format::HEADER + 1000] ^= 1;
        assert!(error(&flipped).starts_with("the file is damaged"));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let input = changed(|numbers| numbers[..2].copy_from_slice(&30_000i16.to_le_bytes()));
        assert_eq!(error(&input), "the input weights are too large to be summed safely");
        let at = 2 * (INPUTS * HIDDEN + HIDDEN);
        let output = changed(|numbers| {
            for weight in numbers[at..at + 4 * HIDDEN].chunks_exact_mut(2) {
                weight.copy_from_slice(&1000i16.to_le_bytes());
            }
        });
        assert_eq!(error(&output), "the output weights are too large to be summed safely");
    }

    #[test]
    fn a_missing_file_is_named() {
        let found = Network::load(Path::new("no/such.nnue")).map(|_| ()).unwrap_err().to_string();
        assert!(found.starts_with("no/such.nnue: "), "{found}");
    }

    #[test]
    fn scores_stay_below_tablebase_wins() {
        let at = 2 * (INPUTS * HIDDEN + HIDDEN + OUTPUT_BUCKETS * 2 * HIDDEN);
        let bytes = changed(|numbers| {
            for bias in numbers[at..].chunks_exact_mut(4) {
                bias.copy_from_slice(&i32::MAX.to_le_bytes());
            }
        });
        let network = Network::with_level(&bytes, Level::Scalar).expect("a sound file");
        let none = Neurons([0; HIDDEN]);
        assert_eq!(network.output(&none, &none, 32), TABLEBASE_BOUND - 1);
    }
}
