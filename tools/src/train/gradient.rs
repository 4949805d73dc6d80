//! Forward and backward pass of one network over many samples, in `f32`.

use ferz::nnue::arch;

use super::data::{Inputs, Sample};
use super::shape::{LANE, Shape};

/// Sixteen numbers at the start of a cache line: the compiler splits vector loads that may not be
/// aligned when it builds for old processors.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(align(64))]
pub struct Lane(pub [f32; LANE]);

/// Copies parameters into aligned lanes.
pub fn lanes(parameters: &[f32]) -> Vec<Lane> {
    parameters.as_chunks::<LANE>().0.iter().map(|&values| Lane(values)).collect()
}

/// A network in training as the kernels read it.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Its sizes.
    pub shape: &'a Shape,
    /// Its parameters.
    pub parameters: &'a [Lane],
}

impl<'a> Model<'a> {
    fn width(&self) -> usize {
        self.shape.hidden / LANE
    }

    fn row(&self, row: usize) -> &'a [Lane] {
        &self.parameters[row * self.width()..][..self.width()]
    }
}

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
        sample.result.map_or(by_score, |result| {
            let by_result = f32::from(result) / 2.0;
            by_score + self.result_weight * (by_result - by_score)
        })
    }
}

/// The logistic curve.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Neurons of both perspectives and their gradients, kept between samples.
struct Scratch {
    sums: [Vec<Lane>; 2],
    deltas: Vec<Lane>,
}

impl Scratch {
    fn new(model: Model) -> Scratch {
        let zeros = || vec![Lane::default(); model.width()];
        Scratch { sums: [zeros(), zeros()], deltas: zeros() }
    }
}

/// Adds the gradient of the squared error over `samples` to `gradient` and returns the summed error.
pub fn accumulate_gradient(
    model: Model,
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [Lane],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as just asked.
        return unsafe { gradient_avx2(model, samples, objective, gradient) };
    }
    gradient_body(model, samples, objective, gradient)
}

/// The network's outputs, in units of the logistic curve, for each sample.
pub fn predict(model: Model, samples: &[Sample]) -> Vec<f32> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as just asked.
        return unsafe { predict_avx2(model, samples) };
    }
    predict_body(model, samples)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn gradient_avx2(
    model: Model,
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [Lane],
) -> f64 {
    gradient_body(model, samples, objective, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn predict_avx2(model: Model, samples: &[Sample]) -> Vec<f32> {
    predict_body(model, samples)
}

#[inline(always)]
fn predict_body(model: Model, samples: &[Sample]) -> Vec<f32> {
    let mut scratch = Scratch::new(model);
    let mut outputs = Vec::with_capacity(samples.len());
    for sample in samples {
        outputs.push(forward(model, &sample.inputs(model.shape), &mut scratch));
    }
    outputs
}

#[inline(always)]
fn gradient_body(
    model: Model,
    samples: &[Sample],
    objective: Objective,
    gradient: &mut [Lane],
) -> f64 {
    let mut scratch = Scratch::new(model);
    let mut total = 0.0;
    for sample in samples {
        let inputs = sample.inputs(model.shape);
        let predicted = sigmoid(forward(model, &inputs, &mut scratch));
        let error = predicted - objective.target(sample);
        total += f64::from(error * error);
        let slope = 2.0 * error * predicted * (1.0 - predicted);
        backward(model, &inputs, &mut scratch, slope, gradient);
    }
    total
}

#[inline(always)]
fn forward(model: Model, inputs: &Inputs, scratch: &mut Scratch) -> f32 {
    let shape = model.shape;
    let bucket = arch::output_bucket(inputs.men, shape.output_buckets);
    let bias = shape.output_bias().start + bucket;
    let mut output = model.parameters[bias / LANE].0[bias % LANE];
    let mut parts = Lane::default();
    for (side, sums) in scratch.sums.iter_mut().enumerate() {
        sums.copy_from_slice(model.row(shape.rows()));
        let (fours, rest) = inputs.rows(side).as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = four.map(|row| model.row(row as usize));
            for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                for lane in 0..LANE {
                    sum.0[lane] += (a.0[lane] + b.0[lane]) + (c.0[lane] + d.0[lane]);
                }
            }
        }
        for &row in rest {
            add(sums, model.row(row as usize));
        }
        for (sum, weight) in sums.iter().zip(model.row(shape.output_row(bucket, side))) {
            for lane in 0..LANE {
                let active = sum.0[lane].clamp(0.0, 1.0);
                parts.0[lane] += active * active * weight.0[lane];
            }
        }
    }
    output += parts.0.iter().sum::<f32>();
    output
}

#[inline(always)]
fn backward(
    model: Model,
    inputs: &Inputs,
    scratch: &mut Scratch,
    slope: f32,
    gradient: &mut [Lane],
) {
    let shape = model.shape;
    let bucket = arch::output_bucket(inputs.men, shape.output_buckets);
    let bias = shape.output_bias().start + bucket;
    gradient[bias / LANE].0[bias % LANE] += slope;
    let width = model.width();
    for (side, sums) in scratch.sums.iter().enumerate() {
        let row = shape.output_row(bucket, side);
        let into = &mut gradient[row * width..][..width];
        for (((sum, weight), into), delta) in
            sums.iter().zip(model.row(row)).zip(into).zip(&mut scratch.deltas)
        {
            for lane in 0..LANE {
                let active = sum.0[lane].clamp(0.0, 1.0);
                let open = if active == sum.0[lane] { 2.0 * slope } else { 0.0 };
                into.0[lane] += slope * active * active;
                delta.0[lane] = open * active * weight.0[lane];
            }
        }
        add(&mut gradient[shape.rows() * width..][..width], &scratch.deltas);
        for &row in inputs.rows(side) {
            add(&mut gradient[row as usize * width..][..width], &scratch.deltas);
        }
    }
}

#[inline(always)]
fn add(into: &mut [Lane], values: &[Lane]) {
    for (into, value) in into.iter_mut().zip(values) {
        for lane in 0..LANE {
            into.0[lane] += value.0[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use ferz::board::Position;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const OBJECTIVE: Objective = Objective { scale: 240.0, result_weight: 0.1 };

    /// Positions of random games.
    fn samples(count: usize, random: &mut ChaCha8Rng) -> Vec<Sample> {
        let mut position = Position::startpos();
        let mut sample = || {
            for _ in 0..7 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.halfmove_clock() > 30 {
                    position = Position::startpos();
                } else {
                    position.play(moves[random.random_range(0..moves.len())]);
                }
            }
            let score = random.random_range(-600..600);
            Sample::new(&position, score, Some(random.random_range(0..3)))
        };
        (0..count).map(|_| sample()).collect()
    }

    fn parameters(shape: &Shape, random: &mut ChaCha8Rng) -> Vec<f32> {
        (0..shape.parameters()).map(|_| random.random_range(-0.2..0.25)).collect()
    }

    fn error(shape: &Shape, parameters: &[f32], samples: &[Sample]) -> f64 {
        let lanes = lanes(parameters);
        let outputs = predict(Model { shape, parameters: &lanes }, samples);
        let error = |(output, sample): (f32, &Sample)| {
            let output = f64::from(output);
            let predicted = 1.0 / (1.0 + (-output).exp());
            (predicted - f64::from(OBJECTIVE.target(sample))).powi(2)
        };
        outputs.into_iter().zip(samples).map(error).sum()
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for (buckets, kings) in [(1, 1), (8, 1), (2, 4)] {
            let shape = Shape::new(32, buckets, kings).expect("a sound shape");
            let samples = samples(40, &mut random);
            let parameters = parameters(&shape, &mut random);
            let packed = lanes(&parameters);
            let mut gradient = vec![Lane::default(); packed.len()];
            let model = Model { shape: &shape, parameters: &packed };
            accumulate_gradient(model, &samples, OBJECTIVE, &mut gradient);
            let gradient: Vec<f32> = gradient.iter().flat_map(|lane| lane.0).collect();
            let largest = gradient.iter().fold(0.0f32, |a, b| a.max(b.abs()));
            for range in [shape.input(), shape.hidden_bias(), shape.output(), shape.output_bias()] {
                let mut compared = 0;
                for _ in 0..400 {
                    let index = random.random_range(range.clone());
                    if gradient[index].abs() < largest * 1e-3 {
                        continue;
                    }
                    let moved = |step: f32| {
                        let mut moved = parameters.clone();
                        moved[index] += step;
                        error(&shape, &moved, &samples)
                    };
                    let step = 1e-3;
                    let (below, here, above) = (moved(-step), moved(0.0), moved(step));
                    let (left, right) = (here - below, above - here);
                    if (left - right).abs() > 0.02 * (left + right).abs() {
                        // The activation has a corner inside this step.
                        continue;
                    }
                    let slope = (above - below) / f64::from(2.0 * step);
                    let off = (slope - f64::from(gradient[index])).abs();
                    let bound = 0.02 * slope.abs() + 2e-3 * f64::from(largest);
                    assert!(off < bound, "{index} of {range:?}: {slope} {}", gradient[index]);
                    compared += 1;
                }
                assert!(compared > 10, "{range:?}: {compared} compared");
            }
        }
    }

    #[test]
    fn a_thousand_positions_are_learned_by_heart() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let shape = Shape::new(64, 1, 1).expect("a sound shape");
        let samples = samples(1000, &mut random);
        let mut parameters = parameters(&shape, &mut random);
        let before = error(&shape, &parameters, &samples) / 1000.0;
        let mut optimiser = super::super::optimiser::AdamW::new(parameters.len(), 0.0);
        let mut gradients = [vec![Lane::default(); parameters.len() / LANE]];
        for _ in 0..150 {
            let packed = lanes(&parameters);
            let model = Model { shape: &shape, parameters: &packed };
            accumulate_gradient(model, &samples, OBJECTIVE, &mut gradients[0]);
            optimiser.step(&mut parameters, &mut gradients, 1e-3, 5e-3);
        }
        let after = error(&shape, &parameters, &samples) / 1000.0;
        assert!(before > 0.05 && after < 0.001, "{before} to {after}");
    }
}
