//! The network file: a header, then the numbers, all little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | [`MAGIC`] |
//! | 4 × 4 | inputs, hidden neurons, output buckets, scale |
//! | 8 | [`hash`] of everything behind the header |
//! | 2 each | input weights, row by row; hidden biases (both in units of 1 / `QA`) |
//! | 2 each | output weights, per bucket own then their side (1 / `QB`) |
//! | 4 each | output biases, per bucket (1 / (`QA` · `QB`)) |

use super::arch::{HIDDEN, INPUTS, MAX_MEN, MAX_SQUARE, OUTPUT_BUCKETS};

/// The first bytes of every network file; the digit counts the versions of the format.
pub const MAGIC: [u8; 8] = *b"FERZNET1";

/// Bytes before the numbers.
pub const HEADER: usize = 32;

/// Bytes of a whole file.
pub const LENGTH: usize =
    HEADER + 2 * (INPUTS * HIDDEN + HIDDEN + OUTPUT_BUCKETS * 2 * HIDDEN) + 4 * OUTPUT_BUCKETS;

/// Scales a file may have, in centipawns per unit of the logistic curve.
pub const SCALES: std::ops::RangeInclusive<u32> = 50..=1000;

/// What a header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Input rows.
    pub inputs: u32,
    /// Neurons of one perspective.
    pub hidden: u32,
    /// Output rows.
    pub output_buckets: u32,
    /// Centipawns per unit of the logistic curve the network was trained on.
    pub scale: u32,
    /// [`hash`] of the numbers.
    pub hash: u64,
}

impl Header {
    /// Reads the header, or nothing when the file is too short or of another kind.
    pub const fn read(file: &[u8]) -> Option<Header> {
        let Some((words, _)) = file.split_first_chunk::<HEADER>() else { return None };
        let words = words.as_chunks::<4>().0;
        let magic = MAGIC.as_chunks::<4>().0;
        if u32::from_le_bytes(words[0]) != u32::from_le_bytes(magic[0])
            || u32::from_le_bytes(words[1]) != u32::from_le_bytes(magic[1])
        {
            return None;
        }
        Some(Header {
            inputs: u32::from_le_bytes(words[2]),
            hidden: u32::from_le_bytes(words[3]),
            output_buckets: u32::from_le_bytes(words[4]),
            scale: u32::from_le_bytes(words[5]),
            hash: u32::from_le_bytes(words[6]) as u64 | (u32::from_le_bytes(words[7]) as u64) << 32,
        })
    }

    /// The header as a file begins with it.
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        let sizes = [self.inputs, self.hidden, self.output_buckets, self.scale];
        for (word, size) in bytes[8..24].chunks_exact_mut(4).zip(sizes) {
            word.copy_from_slice(&size.to_le_bytes());
        }
        bytes[24..].copy_from_slice(&self.hash.to_le_bytes());
        bytes
    }

    /// Whether the sizes are those this program is compiled for.
    pub const fn has_shape(&self) -> bool {
        self.inputs as usize == INPUTS
            && self.hidden as usize == HIDDEN
            && self.output_buckets as usize == OUTPUT_BUCKETS
    }
}

/// FNV-1a over eight bytes at a time (Fowler, Noll, Vo), the last ones singly.
pub const fn hash(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut index = 0;
    while index < words.len() {
        hash = (hash ^ u64::from_le_bytes(words[index])).wrapping_mul(PRIME);
        hash ^= hash >> 32;
        index += 1;
    }
    index = 0;
    while index < rest.len() {
        hash = (hash ^ rest[index] as u64).wrapping_mul(PRIME);
        index += 1;
    }
    hash
}

/// Which numbers of a file of full [`LENGTH`] are so large that the sums of some position could
/// leave their integers.
pub const fn too_large(file: &[u8]) -> Option<&'static str> {
    let numbers = file.split_at(HEADER).1.as_chunks::<2>().0;
    let mut largest = [0; HIDDEN];
    let mut index = 0;
    while index < INPUTS * HIDDEN {
        let weight = (i16::from_le_bytes(numbers[index]) as i32).abs();
        if weight > largest[index % HIDDEN] {
            largest[index % HIDDEN] = weight;
        }
        index += 1;
    }
    while index < INPUTS * HIDDEN + HIDDEN {
        let bias = (i16::from_le_bytes(numbers[index]) as i32).abs();
        if bias + largest[index % HIDDEN] * MAX_MEN as i32 > i16::MAX as i32 {
            return Some("input weights");
        }
        index += 1;
    }
    let mut bucket = 0;
    while bucket < OUTPUT_BUCKETS {
        let end = index + 2 * HIDDEN;
        let mut sum = 0;
        while index < end {
            sum += (i16::from_le_bytes(numbers[index]) as i64).abs();
            index += 1;
        }
        if sum * MAX_SQUARE as i64 > i32::MAX as i64 {
            return Some("output weights");
        }
        bucket += 1;
    }
    None
}

/// Whether a file has this program's magic, shape and length, its own hash, a scale in range, and
/// numbers that are safe to sum.
pub const fn is_intact(file: &[u8]) -> bool {
    match Header::read(file) {
        Some(header) => {
            file.len() == LENGTH
                && header.has_shape()
                && header.scale >= *SCALES.start()
                && header.scale <= *SCALES.end()
                && header.hash == hash(file.split_at(HEADER).1)
                && too_large(file).is_none()
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_survive_a_round_trip() {
        let header =
            Header { inputs: 768, hidden: 32, output_buckets: 8, scale: 240, hash: u64::MAX - 5 };
        assert_eq!(Header::read(&header.to_bytes()), Some(header));
        assert_eq!(Header::read(&header.to_bytes()[1..]), None);
        assert_eq!(Header::read(&[]), None);
    }

    #[test]
    fn the_hash_sees_every_bit_and_the_order() {
        let bytes: Vec<u8> = (0..45).collect();
        let whole = hash(&bytes);
        for index in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[index] ^= 1 << bit;
                assert_ne!(hash(&changed), whole, "byte {index} bit {bit}");
            }
        }
        let mut swapped = bytes.clone();
        swapped.swap(3, 11);
        assert_ne!(hash(&swapped), whole);
        assert_ne!(hash(&bytes[..44]), whole);
    }
}
