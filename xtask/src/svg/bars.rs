//! Horizontal bars, each of several parts that are set one behind the other or one below the other.

use super::axis::{Axis, Fitted, number};
use super::document::{Anchor, Document, MARGIN, Swatch, TEXT, WIDTH, length, text_width};

/// Height of a bar of parts that are set one behind the other.
const STACKED: f64 = 20.0;
/// Height of each of the parts that are set one below the other, with its share of the room between.
const GROUPED: f64 = 16.0;
/// Between bars.
const GAP: f64 = 12.0;

/// How the parts of a bar are set.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// One behind the other, for parts of a whole; for linear axes.
    Stacked,
    /// One below the other.
    Grouped,
}

/// Bars with the same parts.
pub(crate) struct Bars {
    pub(crate) title: String,
    /// What can be seen, for those who cannot.
    pub(crate) description: String,
    pub(crate) axis: Axis,
    pub(crate) arrangement: Arrangement,
    /// Names of the parts.
    pub(crate) parts: Vec<String>,
    pub(crate) rows: Vec<Bar>,
}

/// One bar.
pub(crate) struct Bar {
    pub(crate) label: String,
    /// In the order of the parts; none for what is not known.
    pub(crate) values: Vec<Option<f64>>,
}

impl Bar {
    fn known(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().copied()
    }

    fn total(&self) -> f64 {
        self.known().sum()
    }
}

/// Where the plot is.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    axis: Fitted,
}

impl Bars {
    pub(crate) fn render(&self) -> String {
        let mut document = Document::new(&self.title, &self.description);
        let names: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let head = document.head(&names, Swatch::Box);
        let plot = self.plot(head);
        plot.ticks(&mut document);
        let mut y = plot.top + GAP;
        for bar in &self.rows {
            let height = self.height_of(bar);
            document.text(
                plot.left - 8.0,
                y + height / 2.0 + TEXT * 0.35,
                Anchor::End,
                &bar.label,
            );
            match self.arrangement {
                Arrangement::Stacked => plot.stacked(&mut document, bar, y),
                Arrangement::Grouped => plot.grouped(&mut document, bar, y),
            }
            y += height + GAP;
        }
        document.rule("axis", (plot.left, plot.top), (plot.left, plot.bottom));
        document.text(
            f64::midpoint(plot.left, plot.right),
            plot.bottom + 2.0 * TEXT + 16.0,
            Anchor::Middle,
            &self.axis.label,
        );
        document.render(plot.bottom + 2.0 * TEXT + 2.0 * MARGIN)
    }

    fn height_of(&self, bar: &Bar) -> f64 {
        match self.arrangement {
            Arrangement::Stacked => STACKED,
            Arrangement::Grouped => GROUPED * length(bar.values.len().max(1)),
        }
    }

    fn plot(&self, head: f64) -> Plot {
        let ends: Vec<f64> = match self.arrangement {
            Arrangement::Stacked => self.rows.iter().map(Bar::total).collect(),
            Arrangement::Grouped => self.rows.iter().flat_map(Bar::known).collect(),
        };
        let widest = |texts: &mut dyn Iterator<Item = String>| {
            texts.map(|text| text_width(&text, TEXT)).fold(0.0, f64::max)
        };
        let labels = widest(&mut self.rows.iter().map(|bar| bar.label.clone()));
        let values = widest(&mut ends.iter().map(|end| number(*end)));
        let heights: f64 = self.rows.iter().map(|bar| self.height_of(bar) + GAP).sum();
        let top = head + 8.0;
        Plot {
            left: (MARGIN + labels + 8.0).min(WIDTH / 2.0),
            // Behind the longest bar there is room for its number.
            right: WIDTH - MARGIN - values - 8.0,
            top,
            bottom: top + GAP + heights,
            axis: self.axis.fit(ends),
        }
    }
}

impl Plot {
    fn place(&self, value: f64) -> Option<f64> {
        Some(self.left + self.axis.place(value)? * (self.right - self.left))
    }

    fn ticks(&self, document: &mut Document) {
        document.rule("axis", (self.left, self.bottom), (self.right, self.bottom));
        let mut taken = f64::MIN;
        for tick in &self.axis.ticks {
            let Some(x) = self.place(*tick) else { continue };
            // No grid: each bar has its number behind it, and lines would run through that.
            document.rule("axis", (x, self.bottom), (x, self.bottom + 4.0));
            let label = number(*tick);
            let half = text_width(&label, TEXT) / 2.0;
            if x - half > taken {
                document.text(x, self.bottom + TEXT + 8.0, Anchor::Middle, &label);
                taken = x + half + 4.0;
            }
        }
    }

    fn stacked(&self, document: &mut Document, bar: &Bar, y: f64) {
        let mut sum = 0.0;
        let mut x = self.left;
        for (part, value) in bar.values.iter().enumerate() {
            sum += value.unwrap_or(0.0);
            let Some(end) = self.place(sum) else { continue };
            if end - x > 0.0 {
                document.bar_of(part, (x, y), (end - x, STACKED));
            }
            x = end;
        }
        let label = if bar.known().next().is_none() {
            "–".to_owned()
        } else {
            number(sum)
        };
        document.text(x + 6.0, y + STACKED / 2.0 + TEXT * 0.35, Anchor::Start, &label);
    }

    fn grouped(&self, document: &mut Document, bar: &Bar, y: f64) {
        let mut y = y;
        for (part, value) in bar.values.iter().enumerate() {
            let end = value.and_then(|value| self.place(value));
            if let Some(end) = end
                && end > self.left
            {
                document.bar_of(part, (self.left, y + 1.0), (end - self.left, GROUPED - 2.0));
            }
            let label = value.map_or_else(|| "–".to_owned(), number);
            let x = end.unwrap_or(self.left) + 6.0;
            document.text(x, y + GROUPED / 2.0 + TEXT * 0.35, Anchor::Start, &label);
            y += GROUPED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    fn bars(arrangement: Arrangement) -> Bars {
        let bar = |label: &str, values: [Option<f64>; 2]| Bar {
            label: label.to_owned(),
            values: values.to_vec(),
        };
        Bars {
            title: "Memory <MiB>".to_owned(),
            description: "Two bars.".to_owned(),
            axis: Axis::new("MiB", Scale::Linear),
            arrangement,
            parts: vec!["coordinator".to_owned(), "worker".to_owned()],
            rows: vec![
                bar("1 job", [Some(30.0), Some(90.0)]),
                bar("2 jobs", [Some(40.0), None]),
            ],
        }
    }

    /// Position and width of each bar that has no hatch over it or is one.
    fn rectangles(text: &str) -> Vec<(f64, f64)> {
        let number = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        text.lines()
            .filter(|line| line.starts_with("<rect class"))
            .skip(2)
            .map(|line| (number(line, "x"), number(line, "width")))
            .collect()
    }

    #[test]
    fn stacked_parts_begin_where_the_one_before_ends() {
        let text = bars(Arrangement::Stacked).render();
        let rectangles = rectangles(&text);
        assert_eq!(rectangles.len(), 3, "{text}");
        let (first, second) = (rectangles[0], rectangles[1]);
        assert!((first.0 + first.1 - second.0).abs() < 0.2);
        assert!((second.1 / first.1 - 3.0).abs() < 0.01);
        assert!(text.contains(">120</text>"), "{text}");
        assert!(rectangles.iter().all(|(x, width)| x + width < WIDTH - MARGIN));
    }

    #[test]
    fn grouped_parts_begin_together() {
        let text = bars(Arrangement::Grouped).render();
        let rectangles = rectangles(&text);
        assert_eq!(rectangles.len(), 3);
        assert!(rectangles.iter().all(|(x, _)| (x - rectangles[0].0).abs() < 0.01));
        assert!(text.contains(">–</text>"), "what is not known is told: {text}");
    }

    #[test]
    fn parts_differ_in_more_than_colour() {
        let text = bars(Arrangement::Stacked).render();
        assert!(text.contains("<pattern id=\"hmemorymib-1\""), "{text}");
        assert!(text.contains("fill=\"url(#hmemorymib-1)\""), "{text}");
    }

    #[test]
    fn the_same_bars_are_the_same_bytes() {
        let render = || bars(Arrangement::Grouped).render();
        assert_eq!(render(), render());
        assert!(render().contains("<title>Memory &lt;MiB&gt;</title>"));
    }
}
