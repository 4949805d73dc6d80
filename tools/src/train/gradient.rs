//! Forward and backward pass of one network over many samples, in `f32`.

use ferz::nnue::arch;

use super::data::{Inputs, Sample};
use super::shape::Shape;

/// What the network is to predict: the expected points of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    /// The score, in centipawns, of one unit of the logistic curve.
    pub scale: f32,
    /// Weight of the game's result against the score, 0 to 1.
    pub result_weight: f32,
}

impl Objective {
    /// The expected points the network should predict for this sample.
    pub fn target(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score) / self.scale);
        let by_result = f32::from(sample.result) / 2.0;
        by_score + self.result_weight * (by_result - by_score)
    }
}

/// The logistic curve.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Neurons of both perspectives and their gradients, kept between samples.
struct Scratch {
    sums: [Vec<f32>; 2],
    deltas: Vec<f32>,
}

/// Adds the gradient of the squared error over `samples` to `gradient` and returns the summed error.
pub fn accumulate_gradient(
    shape: &Shape,
    parameters: &[f32],
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [f32],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as just asked.
        return unsafe { gradient_avx2(shape, parameters, samples, objective, gradient) };
    }
    gradient_body(shape, parameters, samples, objective, gradient)
}

/// The network's outputs, in units of the logistic curve, for each sample.
pub fn predict(shape: &Shape, parameters: &[f32], samples: &[Sample]) -> Vec<f32> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as just asked.
        return unsafe { predict_avx2(shape, parameters, samples) };
    }
    predict_body(shape, parameters, samples)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn gradient_avx2(
    shape: &Shape,
    parameters: &[f32],
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [f32],
) -> f64 {
    gradient_body(shape, parameters, samples, objective, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn predict_avx2(shape: &Shape, parameters: &[f32], samples: &[Sample]) -> Vec<f32> {
    predict_body(shape, parameters, samples)
}

#[inline(always)]
fn predict_body(shape: &Shape, parameters: &[f32], samples: &[Sample]) -> Vec<f32> {
    let mut scratch = scratch(shape);
    let predict = |sample: &Sample| forward(shape, parameters, &sample.inputs(shape), &mut scratch);
    samples.iter().map(predict).collect()
}

#[inline(always)]
fn gradient_body(
    shape: &Shape,
    parameters: &[f32],
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [f32],
) -> f64 {
    let mut scratch = scratch(shape);
    let mut total = 0.0;
    for sample in samples {
        let inputs = sample.inputs(shape);
        let predicted = sigmoid(forward(shape, parameters, &inputs, &mut scratch));
        let error = predicted - objective.target(sample);
        total += f64::from(error * error);
        let slope = 2.0 * error * predicted * (1.0 - predicted);
        backward(shape, parameters, &inputs, &mut scratch, slope, gradient);
    }
    total
}

fn scratch(shape: &Shape) -> Scratch {
    let zeros = || vec![0.0; shape.hidden];
    Scratch { sums: [zeros(), zeros()], deltas: zeros() }
}

#[inline(always)]
fn forward(shape: &Shape, parameters: &[f32], inputs: &Inputs, scratch: &mut Scratch) -> f32 {
    let hidden = shape.hidden;
    let bucket = arch::output_bucket(inputs.men, shape.output_buckets);
    let weights = &parameters[shape.output()][bucket * 2 * hidden..][..2 * hidden];
    let mut output = parameters[shape.output_bias()][bucket];
    for (side, sums) in scratch.sums.iter_mut().enumerate() {
        sums.copy_from_slice(&parameters[shape.hidden_bias()]);
        let row = |index: u16| &parameters[index as usize * hidden..][..hidden];
        let (fours, rest) = inputs.rows(side).as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = four.map(row);
            for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sum += (a + b) + (c + d);
            }
        }
        for &index in rest {
            for (sum, weight) in sums.iter_mut().zip(row(index)) {
                *sum += weight;
            }
        }
        output += screlu_dot(sums, &weights[side * hidden..][..hidden]);
    }
    output
}

/// Sixteen partial sums let the compiler use vectors.
#[inline(always)]
fn screlu_dot(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (sums, weights) in sums.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        for lane in 0..16 {
            let active = sums[lane].clamp(0.0, 1.0);
            lanes[lane] += active * active * weights[lane];
        }
    }
    lanes.iter().sum()
}

#[inline(always)]
fn backward(
    shape: &Shape,
    parameters: &[f32],
    inputs: &Inputs,
    scratch: &mut Scratch,
    slope: f32,
    gradient: &mut [f32],
) {
    let hidden = shape.hidden;
    let bucket = arch::output_bucket(inputs.men, shape.output_buckets);
    gradient[shape.output_bias()][bucket] += slope;
    for (side, sums) in scratch.sums.iter().enumerate() {
        let start = shape.output().start + (bucket * 2 + side) * hidden;
        let weights = &parameters[start..][..hidden];
        let weight_gradient = &mut gradient[start..][..hidden];
        for (((sum, weight), into), delta) in
            sums.iter().zip(weights).zip(weight_gradient).zip(&mut scratch.deltas)
        {
            let active = sum.clamp(0.0, 1.0);
            let open = if active == *sum { 2.0 * slope } else { 0.0 };
            *into += slope * active * active;
            *delta = open * active * weight;
        }
        add(&mut gradient[shape.hidden_bias()], &scratch.deltas);
        for &index in inputs.rows(side) {
            add(&mut gradient[index as usize * hidden..][..hidden], &scratch.deltas);
        }
    }
}

#[inline(always)]
fn add(into: &mut [f32], values: &[f32]) {
    for (into, value) in into.iter_mut().zip(values) {
        *into += value;
    }
}
