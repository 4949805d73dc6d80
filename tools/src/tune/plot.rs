//! The ways of the numbers through a tuning, as a picture.

use std::path::Path;

use ferz::search::Parameter;
use plotters::prelude::*;
use thiserror::Error;

use super::record::Step;

/// The picture cannot be drawn or written.
#[derive(Debug, Error)]
#[error("picture: {0}")]
pub struct PlotError(String);

/// Points of a curve: a picture needs no more.
const POINTS: usize = 500;

/// Draws how far each number has gone from its default, in steps, into an SVG file.
///
/// # Errors
/// If the file cannot be written.
pub fn paths(knobs: &[Parameter], steps: &[Step], path: &Path) -> Result<(), PlotError> {
    draw(knobs, steps, path).map_err(|error| PlotError(error.to_string()))
}

fn draw(
    knobs: &[Parameter],
    steps: &[Step],
    path: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let every = steps.len().div_ceil(POINTS).max(1);
    let gone = |knob: usize, step: &Step| {
        (step.values[knob] - f64::from(knobs[knob].default)) / f64::from(knobs[knob].step)
    };
    let farthest = steps
        .iter()
        .flat_map(|step| (0..knobs.len()).map(move |knob| gone(knob, step).abs()))
        .fold(1.0, f64::max);
    let height = 200 + 18 * knobs.len() as u32;
    let area = SVGBackend::new(path, (1100, height.max(480))).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("numbers of the search", ("sans-serif", 18))
        .margin(12)
        .margin_right(260)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..steps.len().max(1) as f64, -farthest * 1.05..farthest * 1.05)?;
    chart.configure_mesh().x_desc("iteration").y_desc("steps from the default").draw()?;
    for (index, knob) in knobs.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let way = steps.iter().step_by(every);
        let points = way.map(|step| (f64::from(step.iteration), gone(index, step)));
        chart
            .draw_series(LineSeries::new(std::iter::once((0.0, 0.0)).chain(points), color))?
            .label(knob.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::Coordinate(830, 10))
        .border_style(BLACK)
        .background_style(WHITE)
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_curve() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("paths.svg");
        let knobs = ferz::search::PARAMETERS;
        let step = |iteration: u32| Step {
            iteration,
            balance: 0,
            values: knobs.iter().map(|knob| f64::from(knob.default) + 0.5).collect(),
        };
        paths(knobs, &[step(1), step(2)], &path).unwrap();
        let picture = std::fs::read_to_string(&path).unwrap();
        assert!(knobs.iter().all(|knob| picture.contains(knob.name)));
        paths(&knobs[..1], &[], &path).unwrap();
    }
}
