//! A bar chart of the slider comparison.

use std::{error::Error, fmt::Display};

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{
    comparison::Comparison,
    workload::{Density, Setting},
};

/// Pixels.
const WIDTH: u32 = 900;
const ROW_HEIGHT: u32 = 34;
/// Pixels for the title above the bars and the axis below them.
const FRAME: u32 = 90;
/// Pixels for the backends' names at the left.
const NAMES: u32 = 110;
/// The length of the axis in units of the longest bar, which leaves space for the number beside it.
const AXIS: f64 = 1.1;

/// The legend, cache pressure, and the color of the bars of each setting that is shown.
const SHOWN: [(&str, bool, RGBColor); 2] =
    [("warm caches", false, RGBColor(46, 94, 140)), ("caches under pressure", true, RGBColor(222, 133, 50))];

impl Comparison {
    /// The game-like settings as a bar chart in SVG: for each backend, million queens per second with warm caches and
    /// under cache pressure.
    ///
    /// # Errors
    /// When the drawing library fails.
    pub(crate) fn svg(&self) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        self.draw(&SVGBackend::with_string(&mut svg, (WIDTH, FRAME + ROW_HEIGHT * self.measured.len() as u32)).into())
            .map_err(|error| error.to_string())?;
        Ok(svg)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), impl Display + use<B>> {
        let settings = SHOWN.map(|(_, cache_pressure, _)| Setting { density: Density::Game, cache_pressure });
        let shown = settings.map(|setting| Setting::ALL.iter().position(|&s| s == setting).unwrap_or_default());
        let most = shown.into_iter().map(|setting| self.best(setting)).fold(1.0, f64::max);
        area.fill(&WHITE)?;
        let rows = self.measured.len() as f64;
        let mut chart = ChartBuilder::on(area)
            .caption("Million queens per second, boards of random games", ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(0.0..most * AXIS, rows..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .y_labels(0)
            .max_light_lines(0)
            .x_label_formatter(&|queens| format!("{queens:.0}"))
            .draw()?;
        let text = ("sans-serif", 14).into_font().color(&BLACK);
        let plot = chart.plotting_area();
        for (row, measured) in self.measured.iter().enumerate() {
            let top = row as f64;
            let (x, y) = plot.map_coordinate(&(0.0, top + 0.5));
            let name = text.pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(measured.backend.name(), (x - 8, y), &name))?;
            for (bar, (&setting, (.., color))) in shown.iter().zip(SHOWN).enumerate() {
                let queens = measured.queens[setting];
                let top = top + 0.1 + 0.4 * bar as f64;
                plot.draw(&Rectangle::new([(0.0, top), (queens, top + 0.4)], color.filled()))?;
                let (x, y) = plot.map_coordinate(&(queens, top + 0.2));
                let number = text.pos(Pos::new(HPos::Left, VPos::Center));
                area.draw(&Text::new(format!("{queens:.0}"), (x + 4, y), &number))?;
            }
        }
        for (line, (name, _, color)) in SHOWN.into_iter().enumerate() {
            let (x, y) = plot.map_coordinate(&(most * 0.8, 0.5 + 0.5 * line as f64));
            area.draw(&Rectangle::new([(x, y - 5), (x + 10, y + 5)], color.filled()))?;
            area.draw(&Text::new(name, (x + 16, y), text.pos(Pos::new(HPos::Left, VPos::Center))))?;
        }
        area.present()
    }
}

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

#[cfg(test)]
mod tests {
    use super::super::{
        backends::Backend,
        comparison::{Comparison, Measured},
    };

    #[test]
    fn every_backend_has_its_bars() {
        let measured = Backend::ALL.map(|backend| Measured { backend, queens: [123.4; 6] }).to_vec();
        let svg = Comparison { measured, rounds: 1 }.svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        for backend in Backend::ALL {
            assert!(svg.contains(backend.name()), "{backend}");
        }
        assert_eq!(svg.matches("123").count(), 2 * Backend::ALL.len());
    }
}
