//! Every number of the search, by name, with the range and the step in which it may be tuned.
//!
//! In a normal build the values are constants; with the feature `tune` they are fields that UCI
//! options set.

/// One number as `tune` and OpenBench see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value that ships.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The change that a tuner tries at its end.
    pub step: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// All numbers, with their ranges.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name), default: $default, min: $min, max: $max, step: $step,
        }),*];

        /// The values in force.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Params(());

        #[cfg(not(feature = "tune"))]
        impl Params {
            $($(#[$doc])* #[inline] pub const fn $name(&self) -> i32 { $default })*
        }

        /// The values in force.
        #[cfg(feature = "tune")]
        #[derive(Clone, Copy, Debug)]
        pub struct Params { $($name: i32),* }

        #[cfg(feature = "tune")]
        impl Default for Params {
            fn default() -> Params { Params { $($name: $default),* } }
        }

        #[cfg(feature = "tune")]
        impl Params {
            $($(#[$doc])* #[inline] pub const fn $name(&self) -> i32 { self.$name })*

            /// Sets a value by its name, kept within its range; false if there is no such name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => { self.$name = value.clamp($min, $max); true })*
                    _ => false,
                }
            }
        }
    };
}

params! {
    /// The network's share of the static evaluation, in percent; the rest is the hand-made one's.
    network_weight = 50, 0..=100, 10;

    /// Half the first aspiration window, in centipawns.
    aspiration_window = 14, 5..=50, 3;
    /// By how much, in percent of itself, a failed window widens.
    aspiration_growth = 50, 20..=200, 15;

    /// Reverse futility: centipawns a depth.
    reverse_futility_margin = 78, 40..=140, 8;
    /// Reverse futility: centipawns less when the side is improving.
    reverse_futility_improving = 70, 20..=140, 8;
    /// Reverse futility: the greatest depth.
    reverse_futility_depth = 9, 5..=14, 1;

    /// Razoring: centipawns at once.
    razoring_base = 230, 100..=500, 25;
    /// Razoring: centipawns a depth.
    razoring_margin = 210, 100..=400, 20;
    /// Razoring: the greatest depth.
    razoring_depth = 4, 2..=7, 1;

    /// Null move: reduction in plies at once.
    null_move_base = 4, 2..=6, 1;
    /// Null move: depth that adds a ply of reduction.
    null_move_depth_divisor = 4, 2..=7, 1;
    /// Null move: centipawns above beta that add a ply of reduction.
    null_move_eval_divisor = 180, 80..=350, 20;
    /// Null move: plies of reduction that the evaluation may add.
    null_move_eval_max = 4, 2..=6, 1;
    /// Null move: centipawns a depth by which the static evaluation may be below beta.
    null_move_depth_margin = 18, 0..=40, 4;
    /// Null move: centipawns at once by which the static evaluation must be above that.
    null_move_base_margin = 130, 0..=300, 20;
    /// Null move: from this depth on its cut-offs are verified.
    null_move_verify_depth = 14, 10..=20, 1;

    /// ProbCut: centipawns above beta.
    probcut_margin = 190, 100..=350, 15;
    /// ProbCut: the least depth.
    probcut_depth = 5, 3..=8, 1;
    /// ProbCut: plies of reduction.
    probcut_reduction = 4, 3..=5, 1;

    /// Internal iterative reduction: the least depth.
    iir_depth = 4, 3..=7, 1;

    /// Hindsight: reduction before, in plies, from which a bad turn deepens the search again.
    hindsight_deeper_reduction = 3, 2..=5, 1;
    /// Hindsight: centipawns by which both evaluations together must please to search shallower.
    hindsight_shallower_margin = 150, 60..=300, 20;

    /// Late move pruning: moves at once, in hundredths.
    late_move_base = 300, 100..=600, 40;
    /// Late move pruning: moves for the square of the depth, in hundredths.
    late_move_factor = 100, 50..=200, 10;

    /// Futility of quiet moves: centipawns at once.
    futility_base = 95, 40..=250, 15;
    /// Futility of quiet moves: centipawns a reduced depth.
    futility_margin = 85, 40..=200, 10;
    /// Futility of quiet moves: the greatest reduced depth.
    futility_depth = 10, 6..=14, 1;
    /// Futility of quiet moves: history that is worth a centipawn.
    futility_history_divisor = 130, 60..=400, 20;

    /// Static exchange pruning of quiet moves: centipawns for the square of the reduced depth.
    see_quiet_margin = 22, 10..=50, 3;
    /// Static exchange pruning of captures: centipawns a depth.
    see_noisy_margin = 95, 50..=200, 10;
    /// Static exchange pruning of captures: history that is worth a centipawn.
    see_noisy_history_divisor = 40, 15..=120, 6;

    /// History pruning: the least history, for each reduced depth.
    history_pruning_margin = 3400, 1500..=7000, 300;
    /// History pruning: the greatest reduced depth.
    history_pruning_depth = 5, 2..=8, 1;

    /// Singular extension: the least depth.
    singular_depth = 6, 4..=9, 1;
    /// Singular extension: centipawns a depth below the table's score, in sixteenths.
    singular_margin = 20, 8..=48, 3;
    /// Double extension: centipawns below the singular bound.
    double_margin = 12, 2..=40, 3;
    /// Triple extension: centipawns below the singular bound.
    triple_margin = 85, 40..=200, 10;

    /// Reductions of quiet moves: at once, in 1024ths of a ply.
    lmr_quiet_base = 1000, 200..=1800, 80;
    /// Reductions of quiet moves: the divisor of the product of the logarithms, in hundredths.
    lmr_quiet_divisor = 230, 150..=350, 12;
    /// Reductions of captures: at once, in 1024ths of a ply.
    lmr_noisy_base = 100, 0..=1000, 80;
    /// Reductions of captures: the divisor of the product of the logarithms, in hundredths.
    lmr_noisy_divisor = 330, 200..=450, 15;
    /// Reduction less on the principal variation, in 1024ths.
    lmr_pv = 900, 300..=2000, 90;
    /// Reduction less where the table once saw a principal variation, in 1024ths.
    lmr_table_pv = 700, 200..=1800, 90;
    /// Reduction more at an expected cut node, in 1024ths.
    lmr_cut_node = 1700, 700..=2800, 120;
    /// Reduction more while not improving, in 1024ths.
    lmr_not_improving = 800, 200..=1600, 80;
    /// Reduction more when the table's move is a capture, in 1024ths.
    lmr_noisy_table_move = 900, 200..=1800, 90;
    /// Reduction more when the next ply has often been cut off, in 1024ths.
    lmr_cutoffs = 800, 200..=1800, 90;
    /// Reduction less when the move gives check, in 1024ths.
    lmr_check = 900, 200..=1800, 90;
    /// Reduction less, in 1024ths, for each 100 centipawns of correction.
    lmr_correction = 900, 0..=2500, 120;
    /// History of a quiet move that takes a ply off its reduction.
    lmr_history_divisor = 8500, 4000..=16000, 600;
    /// History of a capture that takes a ply off its reduction.
    lmr_noisy_history_divisor = 7000, 3000..=16000, 600;
    /// Deeper re-search: centipawns above the best score at once.
    lmr_deeper_base = 40, 10..=100, 8;
    /// Deeper re-search: centipawns above the best score for each new depth.
    lmr_deeper_margin = 2, 0..=8, 1;

    /// History bonus a depth.
    history_bonus = 170, 80..=350, 15;
    /// History bonus at once, taken away.
    history_bonus_base = 80, 0..=300, 20;
    /// The greatest history bonus.
    history_bonus_max = 1700, 800..=3000, 120;
    /// History malus a depth.
    history_malus = 190, 80..=400, 18;
    /// History malus at once, taken away.
    history_malus_base = 60, 0..=300, 20;
    /// The greatest history malus.
    history_malus_max = 1300, 600..=3000, 120;

    /// Weight of the pawn correction, in 1024ths.
    correction_pawn = 70, 20..=160, 8;
    /// Weight of each side's non-pawn correction, in 1024ths.
    correction_non_pawn = 80, 20..=160, 8;
    /// Weight of the minor-piece correction, in 1024ths.
    correction_minor = 60, 20..=160, 8;
    /// Weight of the continuation correction, in 1024ths.
    correction_continuation = 60, 20..=160, 8;

    /// Quiescence: centipawns above the static evaluation that a capture's gain must bridge.
    quiescence_futility = 120, 50..=300, 15;
    /// Quiescence: the least exchange value of a capture, in centipawns.
    quiescence_see = -30, -150..=50, 15;

    /// Move ordering: exchange value, in centipawns, that a capture may lose and still be good, at
    /// once.
    picker_see = -20, -150..=50, 15;
}
