//! The loss by epoch, as a table and as a plot.

use std::fmt::Write as _;

use plotters::prelude::*;

/// The figures of one epoch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Epoch {
    /// From 1.
    pub(super) number: u64,
    /// The learning rate at its end.
    pub(super) learning_rate: f64,
    /// The share of the games' results in the target at its end, 0 to 1.
    pub(super) wdl_share: f64,
    /// The mean loss over the training positions, each before the step that used it.
    pub(super) training_loss: f64,
    /// The mean loss over the validation set after the epoch.
    pub(super) validation_loss: f64,
    pub(super) positions_per_second: f64,
}

impl Epoch {
    /// The fields in the order of their declaration.
    pub(super) fn to_fields(self) -> [f64; 6] {
        let Self { number, learning_rate, wdl_share, training_loss, validation_loss, positions_per_second } = self;
        [number as f64, learning_rate, wdl_share, training_loss, validation_loss, positions_per_second]
    }

    pub(super) fn from_fields(fields: &[f64; 6]) -> Self {
        let [number, learning_rate, wdl_share, training_loss, validation_loss, positions_per_second] = *fields;
        let number = number as u64;
        Self { number, learning_rate, wdl_share, training_loss, validation_loss, positions_per_second }
    }
}

/// The epochs as comma-separated values, with a header line.
pub(super) fn to_csv(epochs: &[Epoch]) -> String {
    let mut table = String::from("epoch,learning_rate,wdl_share,training_loss,validation_loss,positions_per_second\n");
    for epoch in epochs {
        let [number, learning_rate, wdl_share, training, validation, speed] = epoch.to_fields();
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{number},{learning_rate:.8},{wdl_share:.4},{training:.8},{validation:.8},{speed:.0}");
    }
    table
}

/// A plot of training and validation loss over the epochs, as an SVG document.
///
/// # Errors
/// If the plot cannot be drawn.
pub(super) fn plot(epochs: &[Epoch], title: &str) -> Result<String, String> {
    let mut svg = String::new();
    draw(epochs, title, &mut svg).map_err(|error| format!("cannot draw the losses: {error}"))?;
    Ok(svg)
}

fn draw(epochs: &[Epoch], title: &str, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    // Two points at least make a line, and the scale's ends must differ.
    let (Some(last), Some(least), Some(most)) = (epochs.last(), bound(epochs, f64::min), bound(epochs, f64::max))
    else {
        return Ok(());
    };
    let margin = (most - least).max(1e-6) * 0.05;
    let area = SVGBackend::with_string(svg, (900, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(1.0..(last.number as f64).max(2.0), least - margin..most + margin)?;
    chart.configure_mesh().x_desc("epoch").y_desc("loss").y_label_formatter(&|loss| format!("{loss:.5}")).draw()?;
    let losses = |choose: fn(&Epoch) -> f64| epochs.iter().map(choose).collect::<Vec<_>>();
    let curves = [
        ("training", BLUE, losses(|epoch| epoch.training_loss)),
        ("validation", RED, losses(|epoch| epoch.validation_loss)),
    ];
    for (name, color, losses) in curves {
        let points = epochs.iter().map(|epoch| epoch.number as f64).zip(losses);
        let line = chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
        line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().border_style(BLACK.mix(0.3)).background_style(WHITE.mix(0.8)).draw()?;
    Ok(area.present()?)
}

/// The minimum or maximum of all losses.
fn bound(epochs: &[Epoch], choose: fn(f64, f64) -> f64) -> Option<f64> {
    epochs.iter().flat_map(|epoch| [epoch.training_loss, epoch.validation_loss]).reduce(choose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_both_curves_and_a_table_all_rows() {
        let epochs: Vec<_> = (1..=5)
            .map(|number| Epoch {
                number,
                training_loss: 0.1 / number as f64,
                validation_loss: 0.12 / number as f64,
                ..Epoch::default()
            })
            .collect();
        assert_eq!(to_csv(&epochs).lines().count(), 6);
        assert!(epochs.iter().all(|epoch| Epoch::from_fields(&epoch.to_fields()) == *epoch));
        let svg = plot(&epochs, "test").unwrap();
        assert!(svg.matches("<polyline").count() >= 2 && svg.contains("validation"), "{svg}");
    }
}
