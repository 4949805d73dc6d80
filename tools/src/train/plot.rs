//! The losses of a training as a picture.

use std::path::Path;

use plotters::prelude::*;

use super::checkpoint::EpochLoss;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("no finished epoch to draw")]
    Empty,
    /// The picture cannot be drawn or written.
    #[error("picture: {0}")]
    Drawing(String),
}

/// Draws the mean squared error of each epoch into an SVG file.
pub fn losses(losses: &[EpochLoss], title: &str, path: &Path) -> Result<(), PlotError> {
    let values = || losses.iter().flat_map(|loss| [loss.train, loss.held_out]);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    if losses.is_empty() || !high.is_finite() {
        return Err(PlotError::Empty);
    }
    draw(losses, title, path, low * 0.95..high * 1.05)
        .map_err(|error| PlotError::Drawing(error.to_string()))
}

fn draw(
    losses: &[EpochLoss],
    title: &str,
    path: &Path,
    range: std::ops::Range<f64>,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::new(path, (800, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(70)
        .build_cartesian_2d(1.0..losses.len().max(2) as f64, range)?;
    chart.configure_mesh().x_desc("epoch").y_desc("mean squared error").draw()?;
    type Value = fn(&EpochLoss) -> f64;
    let curves: [(&str, RGBColor, Value); 2] =
        [("train", BLUE, |loss| loss.train), ("held out", RED, |loss| loss.held_out)];
    for (name, color, value) in curves {
        let points =
            losses.iter().enumerate().map(|(epoch, loss)| (epoch as f64 + 1.0, value(loss)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_become_a_picture() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("losses.svg");
        let losses = [0.02, 0.01].map(|train| EpochLoss { train, held_out: train + 0.001 });
        super::losses(&losses, "a title", &path).expect("a picture");
        let picture = std::fs::read_to_string(&path).expect("a file");
        assert!(picture.contains("a title") && picture.contains("held out"), "{picture}");
        assert!(matches!(super::losses(&[], "", &path), Err(PlotError::Empty)));
    }
}
