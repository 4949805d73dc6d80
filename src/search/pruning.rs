//! When a node or a move is not worth searching: one small function for each reason.

use super::params::Params;
use crate::types::{Depth, Score};

/// Reverse futility: how far above beta the static evaluation must be to fail high unseen.
#[inline]
pub(super) fn reverse_futility_margin(params: &Params, depth: Depth, improving: bool) -> Score {
    params.reverse_futility_margin() * depth
        - if improving { params.reverse_futility_improving() } else { 0 }
}

/// Razoring: how far below alpha the static evaluation must be to look at captures only.
#[inline]
pub(super) fn razoring_margin(params: &Params, depth: Depth) -> Score {
    params.razoring_base() + params.razoring_margin() * depth * depth / 2
}

/// Null move: the static evaluation from which passing is tried.
#[inline]
pub(super) fn null_move_threshold(params: &Params, beta: Score, depth: Depth) -> Score {
    beta + params.null_move_base_margin() - params.null_move_depth_margin() * depth
}

/// Null move: plies of reduction.
#[inline]
pub(super) fn null_move_reduction(params: &Params, depth: Depth, above_beta: Score) -> Depth {
    params.null_move_base()
        + depth / params.null_move_depth_divisor()
        + (above_beta / params.null_move_eval_divisor()).min(params.null_move_eval_max())
}

/// Late move pruning: the number of moves after which quiet ones are left out.
#[inline]
pub(super) fn late_move_count(params: &Params, depth: Depth, improving: bool) -> usize {
    let count = params.late_move_base() + params.late_move_factor() * depth * depth;
    (if improving { count } else { count / 2 } / 100) as usize
}

/// Futility of a quiet move: what the static evaluation may at most lack to alpha.
#[inline]
pub(super) fn futility_margin(params: &Params, depth: Depth, history: i32) -> Score {
    params.futility_base()
        + params.futility_margin() * depth
        + history / params.futility_history_divisor()
}

/// Static exchange pruning: what a move may lose, below zero.
#[inline]
pub(super) fn see_margin(params: &Params, depth: Depth, quiet: bool, history: i32) -> Score {
    match quiet {
        true => -params.see_quiet_margin() * depth * depth,
        false => -params.see_noisy_margin() * depth - history / params.see_noisy_history_divisor(),
    }
}

/// History pruning: the least history of a quiet move that is searched.
#[inline]
pub(super) fn history_margin(params: &Params, depth: Depth) -> i32 {
    -params.history_pruning_margin() * depth
}

/// Singular extension: the bound that all other moves must stay below.
#[inline]
pub(super) fn singular_beta(params: &Params, table_score: Score, depth: Depth) -> Score {
    table_score - params.singular_margin() * depth / 16
}
