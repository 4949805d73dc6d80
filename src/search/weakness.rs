//! Playing below full strength.

/// How strongly to play, and which game's misjudgements to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weakness {
    /// The strength wanted, on the scale of `UCI_Elo`.
    pub elo: u32,
    /// Equal seeds misjudge equally: one game, one seed.
    pub seed: u64,
}
