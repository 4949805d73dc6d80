//! The reference: plain Rust for every processor.

use super::{InputWeights, Neurons, Rows};
use crate::nnue::arch::{QA, SQUARE_SHIFT};

pub(super) fn update(weights: &InputWeights, from: &Neurons, to: &mut Neurons, rows: Rows) {
    *to = *from;
    refresh(weights, to, rows);
}

pub(super) fn refresh(weights: &InputWeights, neurons: &mut Neurons, rows: Rows) {
    for &row in rows.added {
        for (value, weight) in neurons.0.iter_mut().zip(&weights[row as usize].0) {
            *value = value.wrapping_add(*weight);
        }
    }
    for &row in rows.removed {
        for (value, weight) in neurons.0.iter_mut().zip(&weights[row as usize].0) {
            *value = value.wrapping_sub(*weight);
        }
    }
}

pub(super) fn output(own: &Neurons, their: &Neurons, weights: &[Neurons; 2]) -> i32 {
    let side = |neurons: &Neurons, weights: &Neurons| -> i32 {
        let products = neurons.0.iter().zip(&weights.0).map(|(&value, &weight)| {
            let active = i32::from(value).clamp(0, QA);
            ((active * active) >> SQUARE_SHIFT) * i32::from(weight)
        });
        products.sum()
    };
    side(own, &weights[0]) + side(their, &weights[1])
}
