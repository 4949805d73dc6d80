//! The transposition table: what is known of positions met before, shared by all threads.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;

use super::report::Bound;
use crate::types::score::{MATE, MATE_BOUND, NO_SCORE, TABLEBASE_BOUND, TABLEBASE_WIN};
use crate::types::{Depth, Move, Score};

const CLUSTER_SIZE: usize = 3;
const GENERATIONS: u8 = 32;

/// Three entries in half a cache line.
///
/// An entry is two atomics, so a reader may meet the halves of two writers. The sixteen bits of
/// the key are therefore stored folded with the data: such a mix is taken for another position,
/// or, once in 65,536, for a colliding one, and then is as harmless as any collision: the move is
/// checked with `is_legal`, score and evaluation are in range.
#[repr(C, align(32))]
struct Cluster {
    data: [AtomicU64; CLUSTER_SIZE],
    keys: [AtomicU16; CLUSTER_SIZE],
}

/// What the table holds of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, not yet checked for legality.
    pub mv: Option<Move>,
    /// The score from the search, mates counted from the root of the present search.
    pub score: Score,
    /// What the score says; `None` if there is no score.
    pub bound: Option<Bound>,
    /// The raw static evaluation, or [`NO_SCORE`].
    pub eval: Score,
    /// The depth searched.
    pub depth: Depth,
    /// Whether the position has been on a principal variation.
    pub pv: bool,
}

/// An entry's 64 bits: move, score, evaluation, depth, and generation, PV flag and bound.
#[derive(Clone, Copy)]
struct Packed {
    mv: u16,
    score: i16,
    eval: i16,
    depth: u8,
    generation: u8,
    pv: bool,
    bound: u8,
}

impl Packed {
    fn bits(self) -> u64 {
        let flags = self.generation << 3 | (self.pv as u8) << 2 | self.bound;
        self.mv as u64
            | (self.score as u16 as u64) << 16
            | (self.eval as u16 as u64) << 32
            | (self.depth as u64) << 48
            | (flags as u64) << 56
    }

    fn from_bits(bits: u64) -> Packed {
        let flags = (bits >> 56) as u8;
        Packed {
            mv: bits as u16,
            score: (bits >> 16) as i16,
            eval: (bits >> 32) as i16,
            depth: (bits >> 48) as u8,
            generation: flags >> 3,
            pv: flags & 4 != 0,
            bound: flags & 3,
        }
    }

    fn bound(self) -> Option<Bound> {
        match self.bound {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }
}

/// The data's contribution to the stored key.
fn fold(bits: u64) -> u16 {
    (bits ^ bits >> 16 ^ bits >> 32 ^ bits >> 48) as u16
}

/// Depths are stored from here up, so that quiescence and "nothing" fit into an unsigned byte.
const DEPTH_OFFSET: Depth = 2;

/// There is not enough memory for a table of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a hash table of {megabytes} MB")]
pub struct TableError {
    /// The size asked for.
    pub megabytes: usize,
}

/// The table.
pub struct Table {
    /// Pages of the system's, zero until they are written.
    memory: MmapMut,
    count: usize,
    megabytes: usize,
    generation: u8,
}

/// Bytes that programs can still use; `None` where the system does not tell.
fn available_memory() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

impl Table {
    /// An empty table of this many megabytes, at least one.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let error = TableError { megabytes };
        let megabytes = megabytes.max(1);
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        // Linux promises memory that is not there and ends the process that uses it.
        if available_memory().is_some_and(|available| bytes > available) {
            return Err(error);
        }
        let memory = MmapMut::map_anon(bytes).map_err(|_| error)?;
        // Nearly every access is to another page; a refusal only costs speed.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let count = bytes / size_of::<Cluster>();
        let mut table = Table { memory, count, megabytes, generation: 0 };
        // The pages are made here, by all processors, and not in the first search by one.
        table.clear(std::thread::available_parallelism().map_or(1, |threads| threads.get()));
        Ok(table)
    }

    /// Its size in megabytes.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    fn clusters(&self) -> &[Cluster] {
        let first = self.memory.as_ptr().cast::<Cluster>();
        // SAFETY: the pages hold `count` clusters, start where a cluster may, and are written only
        // through the atomics, of which all bits are valid.
        unsafe { std::slice::from_raw_parts(first, self.count) }
    }

    /// Forgets everything; the work is shared among this many threads.
    pub fn clear(&mut self, threads: usize) {
        self.generation = 0;
        let share = self.count.div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for clusters in self.clusters().chunks(share) {
                scope.spawn(move || {
                    for cluster in clusters {
                        cluster.data.iter().for_each(|data| data.store(0, Relaxed));
                        cluster.keys.iter().for_each(|key| key.store(0, Relaxed));
                    }
                });
            }
        });
    }

    /// Begins a new search: what earlier ones left counts as older.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.count as u128) >> 64;
        // SAFETY: a 64-bit fraction of `count` is below `count`.
        unsafe { self.clusters().get_unchecked(index as usize) }
    }

    /// Asks the processor to fetch what the table holds of this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: prefetching reads nothing; every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position. `ply` is its distance from the root, `halfmove_clock` its
    /// clock: a mate that the fifty-move rule would come before is no mate.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u32) -> Option<Entry> {
        let cluster = self.cluster(key);
        for slot in 0..CLUSTER_SIZE {
            let bits = cluster.data[slot].load(Relaxed);
            if bits == 0 || cluster.keys[slot].load(Relaxed) ^ fold(bits) != key as u16 {
                continue;
            }
            let packed = Packed::from_bits(bits);
            return Some(Entry {
                mv: Move::from_bits(packed.mv),
                score: from_table(packed.score.into(), ply, halfmove_clock),
                bound: packed.bound(),
                eval: packed.eval.into(),
                depth: Depth::from(packed.depth) - DEPTH_OFFSET,
                pv: packed.pv,
            });
        }
        None
    }

    /// Keeps what was found out about a position, in place of what is worth least.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let cluster = self.cluster(key);
        let mut slot = 0;
        let mut least = i32::MAX;
        let mut old = None;
        for index in 0..CLUSTER_SIZE {
            let bits = cluster.data[index].load(Relaxed);
            let packed = Packed::from_bits(bits);
            if bits != 0 && cluster.keys[index].load(Relaxed) ^ fold(bits) == key as u16 {
                (slot, old) = (index, Some(packed));
                break;
            }
            let worth = if bits == 0 { i32::MIN } else { self.worth(packed) };
            if worth < least {
                (slot, least) = (index, worth);
            }
        }
        if let Some(old) = old
            && entry.bound != Some(Bound::Exact)
            && old.generation == self.generation
            && entry.depth + DEPTH_OFFSET + 4 + 2 * Depth::from(entry.pv) <= Depth::from(old.depth)
        {
            return;
        }
        let mv = entry.mv.map(Move::bits).or(old.map(|old| old.mv)).unwrap_or(0);
        let packed = Packed {
            mv,
            score: to_table(entry.score, ply) as i16,
            eval: entry.eval as i16,
            depth: (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u8,
            generation: self.generation,
            pv: entry.pv,
            bound: match entry.bound {
                None => 0,
                Some(Bound::Upper) => 1,
                Some(Bound::Lower) => 2,
                Some(Bound::Exact) => 3,
            },
        };
        let bits = packed.bits();
        cluster.data[slot].store(bits, Relaxed);
        cluster.keys[slot].store(key as u16 ^ fold(bits), Relaxed);
    }

    /// Deep and recent entries are worth more.
    fn worth(&self, packed: Packed) -> i32 {
        let age = (self.generation + GENERATIONS - packed.generation) % GENERATIONS;
        i32::from(packed.depth) - 4 * i32::from(age)
    }

    /// How full the table is with entries of this search, in permille, by a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters()[..1000.min(self.count)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|data| data.load(Relaxed))
            .filter(|&bits| bits != 0 && Packed::from_bits(bits).generation == self.generation)
            .count();
        (used * 1000 / (sample.len() * CLUSTER_SIZE)) as u32
    }
}

/// Mates and tablebase results are stored as seen from the position, not from the root.
fn to_table(score: Score, ply: usize) -> Score {
    match score {
        NO_SCORE => score,
        _ if score >= TABLEBASE_BOUND => score + ply as Score,
        _ if score <= -TABLEBASE_BOUND => score - ply as Score,
        _ => score,
    }
}

fn from_table(score: Score, ply: usize, halfmove_clock: u32) -> Score {
    const LIMIT: Score = 100;
    let clock = (halfmove_clock as Score).min(LIMIT);
    if score == NO_SCORE || score.abs() < TABLEBASE_BOUND {
        return score;
    }
    let ply = ply as Score;
    let magnitude = score.abs();
    let too_late = match magnitude >= MATE_BOUND {
        true => MATE - magnitude > LIMIT - clock,
        false => TABLEBASE_WIN - magnitude > LIMIT - clock,
    };
    let seen = if too_late { TABLEBASE_BOUND - 1 } else { magnitude - ply };
    seen * score.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};
    use crate::types::{MoveKind, Square};

    fn entry(score: Score) -> Entry {
        let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        Entry { mv, score, bound: Some(Bound::Exact), eval: -31, depth: 7, pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(77, 0, 0), None);
        table.store(77, 3, entry(mate_in(10)));
        assert_eq!(table.probe(77, 3, 0), Some(entry(mate_in(10))));
        assert_eq!(table.probe(77, 1, 0), Some(entry(mate_in(8))));
        table.store(78, 3, entry(mated_in(9)));
        assert_eq!(table.probe(78, 5, 0), Some(entry(mated_in(11))));
        assert_eq!(table.probe(79, 0, 0), None);
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_limit_is_none() {
        let table = Table::new(1).unwrap();
        table.store(5, 0, entry(mate_in(21)));
        assert_eq!(table.probe(5, 0, 79), Some(entry(mate_in(21))));
        assert_eq!(table.probe(5, 0, 80), Some(entry(TABLEBASE_BOUND - 1)));
    }

    #[test]
    fn a_mix_of_two_writers_is_not_found() {
        let table = Table::new(1).unwrap();
        table.store(5, 0, entry(10));
        let cluster = table.cluster(5);
        let slot = (0..3).find(|&slot| cluster.data[slot].load(Relaxed) != 0).unwrap();
        cluster.data[slot].fetch_xor(1 << 20, Relaxed);
        assert_eq!(table.probe(5, 0, 0), None);
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        assert_eq!(Table::new(usize::MAX).err(), Some(TableError { megabytes: usize::MAX }));
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::new(1).unwrap();
        for key in 0..1000_u64 {
            table.store(key << 50, 0, entry(1));
        }
        table.clear(2);
        assert!((0..1000_u64).all(|key| table.probe(key << 50, 0, 0).is_none()));
        assert_eq!(table.hashfull(), 0);
    }
}
