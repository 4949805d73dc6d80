//! A picture of a match: score and log-likelihood ratio over its games.

use std::path::Path;

use plotters::prelude::*;
use thiserror::Error;

/// Where a match stood after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Games counted.
    pub games: u64,
    /// The first engine's share of points, 0 to 1.
    pub score: f64,
    /// The log-likelihood ratio, if a test is run.
    pub llr: Option<f64>,
}

/// The picture cannot be drawn.
#[derive(Debug, Error)]
#[error("picture: {0}")]
pub struct PictureError(String);

const WIDTH: u32 = 900;
const PANEL: u32 = 320;

/// Draws the way of a match; `bounds` are those of the log-likelihood ratio.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(
    path: &Path,
    title: &str,
    points: &[Point],
    bounds: Option<(f64, f64)>,
) -> Result<(), PictureError> {
    let panels = if bounds.is_some() { 2 } else { 1 };
    let root = SVGBackend::new(path, (WIDTH, PANEL * panels)).into_drawing_area();
    let fail = |error: &dyn std::fmt::Display| PictureError(error.to_string());
    root.fill(&WHITE).map_err(|error| fail(&error))?;
    let areas = root.split_evenly((panels as usize, 1));
    let scores: Vec<(f64, f64)> =
        points.iter().map(|point| (point.games as f64, 100.0 * point.score)).collect();
    let caption = format!("{title}: score in %");
    panel(&areas[0], &caption, &scores, &[50.0]).map_err(|error| fail(&error))?;
    if let Some((lower, upper)) = bounds {
        let ratios: Vec<(f64, f64)> =
            points.iter().filter_map(|point| Some((point.games as f64, point.llr?))).collect();
        panel(&areas[1], "log-likelihood ratio", &ratios, &[lower, upper])
            .map_err(|error| fail(&error))?;
    }
    root.present().map_err(|error| fail(&error))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// One curve with level marks.
fn panel(
    area: &Area<'_>,
    caption: &str,
    curve: &[(f64, f64)],
    marks: &[f64],
) -> Result<(), Box<dyn std::error::Error>> {
    let most = curve.last().map_or(1.0, |point| point.0.max(1.0));
    let values = || curve.iter().map(|point| point.1).chain(marks.iter().copied());
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let space = (high - low).max(1.0) * 0.08;
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..most, low - space..high + space)?;
    chart.configure_mesh().x_desc("games").light_line_style(WHITE).draw()?;
    for &mark in marks {
        chart.draw_series(LineSeries::new([(0.0, mark), (most, mark)], BLACK.mix(0.5)))?;
    }
    chart.draw_series(LineSeries::new(curve.iter().copied(), BLUE.stroke_width(2)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_drawn_with_and_without_a_test() {
        let folder = tempfile::tempdir().unwrap();
        let points: Vec<Point> = (1..50)
            .map(|games| Point {
                games,
                score: 0.5 + 0.1 / games as f64,
                llr: Some(games as f64 / 40.0),
            })
            .collect();
        for (name, points, bounds, texts) in [
            ("a.svg", &points[..], Some((-2.94, 2.94)), 2),
            ("b.svg", &points[..], None, 1),
            ("c.svg", &[][..], Some((-2.94, 2.94)), 2),
        ] {
            let path = folder.path().join(name);
            draw(&path, "A - B", points, bounds).unwrap();
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.starts_with("<svg") && text.contains("A - B: score in %"));
            let captions =
                text.matches("score in %").count() + text.matches("log-likelihood ratio").count();
            assert_eq!(captions, texts);
        }
        assert!(draw(&folder.path().join("no/such/x.svg"), "x", &points, None).is_err());
    }
}
