//! Line charts.

use super::axis::{Axis, Fitted, number};
use super::document::{Anchor, Document, MARGIN, OVERHANG, Swatch, TEXT, WIDTH, text_width};

/// Of the plot without anything round it.
const PLOT_HEIGHT: f64 = 260.0;

/// Several series over the same axes.
pub(crate) struct LineChart {
    pub(crate) title: String,
    /// What can be seen, for those who cannot.
    pub(crate) description: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

/// A line with a marker at each point.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// The spread of the values; empty for none.
    pub(crate) band: Vec<Range>,
}

/// The lowest and the highest value at a place.
#[derive(Copy, Clone)]
pub(crate) struct Range {
    pub(crate) x: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Where the plot is.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Fitted,
    y: Fitted,
}

impl LineChart {
    pub(crate) fn render(&self) -> String {
        let mut document = Document::new(&self.title, &self.description);
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let head = document.head(&names, Swatch::Line);
        let plot = self.plot(head);
        plot.axes(&mut document, self);
        for (index, series) in self.series.iter().enumerate() {
            let low = series
                .band
                .iter()
                .filter_map(|range| plot.place(range.x, range.low));
            let high = series
                .band
                .iter()
                .rev()
                .filter_map(|range| plot.place(range.x, range.high));
            let outline: Vec<(f64, f64)> = low.chain(high).collect();
            if !outline.is_empty() {
                document.band_of(index, &outline);
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            let points: Vec<(f64, f64)> = series
                .points
                .iter()
                .filter_map(|(x, y)| plot.place(*x, *y))
                .collect();
            if points.len() > 1 {
                document.line_of(index, &points);
            }
            for (x, y) in points {
                document.marker_of(index, x, y);
            }
        }
        document.render(plot.bottom + 2.0 * TEXT + 2.0 * MARGIN)
    }

    fn plot(&self, head: f64) -> Plot {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let ranges = || self.series.iter().flat_map(|series| &series.band);
        let x = self
            .x
            .fit(points().map(|point| point.0).chain(ranges().map(|range| range.x)));
        let y = self.y.fit(
            points()
                .map(|point| point.1)
                .chain(ranges().flat_map(|range| [range.low, range.high])),
        );
        let widest = |axis: &Fitted| {
            let widths = axis.ticks.iter().map(|tick| text_width(&number(*tick), TEXT));
            widths.fold(0.0, f64::max)
        };
        // The label of the last tick is half beyond the plot.
        let right = WIDTH - MARGIN - (widest(&x) / 2.0).max(OVERHANG);
        let top = head + TEXT + MARGIN + 6.0;
        Plot {
            left: MARGIN + (widest(&y) + 8.0).max(widest(&x) / 2.0),
            right,
            top,
            bottom: top + PLOT_HEIGHT,
            x,
            y,
        }
    }
}

impl Plot {
    /// None if one of the axes cannot show it.
    fn place(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let x = self.left + self.x.place(x)? * (self.right - self.left);
        let y = self.bottom - self.y.place(y)? * (self.bottom - self.top);
        Some((x, y))
    }

    fn axes(&self, document: &mut Document, chart: &LineChart) {
        document.text(MARGIN, self.top - 14.0, Anchor::Start, &chart.y.label);
        for tick in &self.y.ticks {
            let Some(place) = self.y.place(*tick) else {
                continue;
            };
            let y = self.bottom - place * (self.bottom - self.top);
            document.rule("grid", (self.left, y), (self.right, y));
            document.text(self.left - 8.0, y + TEXT * 0.35, Anchor::End, &number(*tick));
        }
        document.rule("axis", (self.left, self.bottom), (self.right, self.bottom));
        let mut taken = f64::MIN;
        for tick in &self.x.ticks {
            let Some(place) = self.x.place(*tick) else {
                continue;
            };
            let x = self.left + place * (self.right - self.left);
            document.rule("axis", (x, self.bottom), (x, self.bottom + 5.0));
            let label = number(*tick);
            let half = text_width(&label, TEXT) / 2.0;
            // Labels that would run into each other are left out, their ticks are not.
            if x - half > taken {
                document.text(x, self.bottom + TEXT + 8.0, Anchor::Middle, &label);
                taken = x + half + 4.0;
            }
        }
        document.text(
            f64::midpoint(self.left, self.right),
            self.bottom + 2.0 * TEXT + 16.0,
            Anchor::Middle,
            &chart.x.label,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    fn chart(scale: Scale) -> LineChart {
        let series = |name: &str, factor: f64| Series {
            name: name.to_owned(),
            points: [1.0, 10.0, 100.0, 5_000.0].map(|x| (x, x * factor)).to_vec(),
            band: [1.0, 5_000.0]
                .map(|x| Range {
                    x,
                    low: x * factor / 2.0,
                    high: x * factor * 3.0,
                })
                .to_vec(),
        };
        LineChart {
            title: "Time".to_owned(),
            description: "Two lines that rise.".to_owned(),
            x: Axis::new("classes", scale),
            y: Axis::new("ms", scale),
            series: vec![series("one", 0.1), series("another", 30.0)],
        }
    }

    #[test]
    fn all_points_are_inside_the_plot() {
        for scale in [Scale::Linear, Scale::Log] {
            let chart = chart(scale);
            let plot = chart.plot(40.0);
            assert!(plot.left > 0.0 && plot.right < WIDTH && plot.top > 40.0);
            let points = chart.series.iter().flat_map(|series| {
                let ends = series
                    .band
                    .iter()
                    .flat_map(|range| [(range.x, range.low), (range.x, range.high)]);
                series.points.iter().copied().chain(ends)
            });
            let mut count = 0;
            for (x, y) in points {
                let (x, y) = plot.place(x, y).unwrap();
                assert!((plot.left..=plot.right).contains(&x), "{x}");
                assert!((plot.top..=plot.bottom).contains(&y), "{y}");
                count += 1;
            }
            assert_eq!(count, 16);
        }
    }

    #[test]
    fn the_same_chart_is_the_same_bytes() {
        assert_eq!(chart(Scale::Log).render(), chart(Scale::Log).render());
        assert_ne!(chart(Scale::Log).render(), chart(Scale::Linear).render());
    }

    #[test]
    fn series_differ_in_more_than_colour() {
        let text = chart(Scale::Log).render();
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("class=\"line"))
            .collect();
        assert_eq!(lines.len(), 4, "two in the legend and two in the plot: {text}");
        assert!(!lines[0].contains("dasharray") && lines[1].contains("stroke-dasharray=\"7 4\""));
        assert_eq!(text.matches("class=\"band").count(), 2);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let mut chart = chart(Scale::Log);
        chart.series.truncate(1);
        let whole = chart.render().matches("class=\"f0\"").count();
        chart.series[0].points.push((0.0, 1.0));
        chart.series[0].points.push((1.0, f64::NAN));
        assert_eq!(chart.render().matches("class=\"f0\"").count(), whole);
        chart.series.clear();
        assert!(chart.render().ends_with("</svg>\n"));
    }

    #[test]
    fn labels_that_would_overlap_are_left_out() {
        let mut chart = chart(Scale::Linear);
        chart.x = Axis::new("classes", Scale::Linear).with_ticks(&[1.0, 2.0, 5_000.0]);
        let text = chart.render();
        assert!(
            text.contains(">1</text>") && text.contains(">5,000</text>"),
            "{text}"
        );
        assert!(!text.contains(">2</text>"), "{text}");
    }
}
