//! The picture itself: elements as text, with escaping, fixed formats, and sizes of text as far as they can be guessed.

use super::palette::{COLOURS, DASHES, HATCHES, INK, MARKER, TILE, marker};
use crate::markdown::add;

/// Of a whole picture.
pub(super) const WIDTH: f64 = 720.0;
/// Between the border and anything.
pub(super) const MARGIN: f64 = 16.0;

/// Size of text.
pub(super) const TEXT: f64 = 13.0;
const TITLE: f64 = 16.0;
/// Fonts differ; few have letters that are wider than this on average.
const LETTER: f64 = 0.56;
/// From one line of text to the next.
const LINE: f64 = 20.0;
/// Line and marker, or box, in front of a name in the legend.
const SWATCH: f64 = 28.0;

/// Which end of a text its place is.
#[derive(Copy, Clone)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// What a name in the legend stands for.
#[derive(Copy, Clone)]
pub(super) enum Swatch {
    Line,
    Box,
}

/// Elements, from back to front.
pub(super) struct Document {
    title: String,
    description: String,
    body: String,
    /// How many hatches bars are covered with.
    hatches: usize,
}

impl Document {
    pub(super) fn new(title: &str, description: &str) -> Document {
        Document {
            title: title.to_owned(),
            description: description.to_owned(),
            body: String::new(),
            hatches: 0,
        }
    }

    /// Title and legend; the end of both.
    pub(super) fn head(&mut self, names: &[&str], swatch: Swatch) -> f64 {
        let mut y = MARGIN;
        for line in wrap(&self.title, WIDTH - 2.0 * MARGIN, TITLE) {
            y += LINE;
            let text = escape(&line);
            add(
                &mut self.body,
                format_args!(
                    "<text class=\"title\" x=\"{}\" y=\"{}\">{text}</text>\n",
                    coordinate(MARGIN),
                    coordinate(y - 4.0)
                ),
            );
        }
        // One series is what the title speaks of.
        if names.len() > 1 {
            y = self.legend(names, swatch, y);
        }
        y
    }

    fn legend(&mut self, names: &[&str], swatch: Swatch, top: f64) -> f64 {
        let mut x = MARGIN;
        let mut y = top + LINE;
        for (index, name) in names.iter().enumerate() {
            let width = SWATCH + text_width(name, TEXT) + MARGIN;
            if x > MARGIN && x + width > WIDTH {
                x = MARGIN;
                y += LINE;
            }
            let middle = y - TEXT * 0.35;
            match swatch {
                Swatch::Line => {
                    self.line_of(index, &[(x, middle), (x + SWATCH - 6.0, middle)]);
                    self.marker_of(index, x + (SWATCH - 6.0) / 2.0, middle);
                }
                Swatch::Box => self.bar_of(index, (x, middle - 6.0), (SWATCH - 8.0, 12.0)),
            }
            self.text(x + SWATCH, y, Anchor::Start, name);
            x += width;
        }
        y + 4.0
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        add(
            &mut self.body,
            format_args!(
                "<text x=\"{}\" y=\"{}\"{anchor}>{}</text>\n",
                coordinate(x),
                coordinate(y),
                escape(text)
            ),
        );
    }

    /// Straight lines that belong to axes.
    pub(super) fn rule(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        add(
            &mut self.body,
            format_args!("<path class=\"{class}\" d=\"{}\"/>\n", path(&[from, to])),
        );
    }

    /// The line of a series.
    pub(super) fn line_of(&mut self, series: usize, points: &[(f64, f64)]) {
        let kind = series % COLOURS.len();
        let dash = match DASHES[kind] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        add(
            &mut self.body,
            format_args!("<path class=\"line s{kind}\"{dash} d=\"{}\"/>\n", path(points)),
        );
    }

    pub(super) fn marker_of(&mut self, series: usize, x: f64, y: f64) {
        let kind = series % COLOURS.len();
        add(
            &mut self.body,
            format_args!("<path class=\"f{kind}\" d=\"{}\"/>\n", marker(series, x, y)),
        );
    }

    /// The area between the lowest and the highest values of a series.
    pub(super) fn band_of(&mut self, series: usize, outline: &[(f64, f64)]) {
        let kind = series % COLOURS.len();
        add(
            &mut self.body,
            format_args!("<path class=\"band f{kind}\" d=\"{}Z\"/>\n", path(outline)),
        );
    }

    /// A part of a bar, from its upper left corner.
    pub(super) fn bar_of(&mut self, part: usize, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let kind = part % COLOURS.len();
        let place = format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            coordinate(x),
            coordinate(y),
            coordinate(width),
            coordinate(height)
        );
        add(
            &mut self.body,
            format_args!("<rect class=\"f{kind}\" {place}/>\n"),
        );
        if !HATCHES[kind].is_empty() {
            self.hatches = self.hatches.max(kind + 1);
            let id = self.id();
            add(
                &mut self.body,
                format_args!("<rect fill=\"url(#{id}-{kind})\" {place}/>\n"),
            );
        }
    }

    /// Several pictures can be in one page, where what they define must not be confused.
    fn id(&self) -> String {
        let letters = self.title.chars().filter(char::is_ascii_alphanumeric);
        format!("h{}", letters.collect::<String>().to_ascii_lowercase())
    }

    pub(super) fn render(self, height: f64) -> String {
        let mut text = String::new();
        add(
            &mut text,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
                 aria-label=\"{title}\">\n<title>{title}</title>\n<desc>{}</desc>\n<style>\n{}</style>\n",
                escape(&self.description),
                style(),
                w = coordinate(WIDTH),
                h = coordinate(height),
                title = escape(&self.title),
            ),
        );
        if self.hatches > 0 {
            let id = self.id();
            text.push_str("<defs>\n");
            for (kind, hatch) in HATCHES.iter().enumerate().take(self.hatches).skip(1) {
                add(
                    &mut text,
                    format_args!(
                        "<pattern id=\"{id}-{kind}\" width=\"{TILE}\" height=\"{TILE}\" patternUnits=\"userSpaceOnUse\">\
                         <path class=\"hatch\" d=\"{hatch}\"/></pattern>\n"
                    ),
                );
            }
            text.push_str("</defs>\n");
        }
        text.push_str(&self.body);
        text.push_str("</svg>\n");
        text
    }
}

fn style() -> String {
    let mut text = format!(
        "text{{font:{TEXT}px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:{ink}}}\n\
         .title{{font-size:{TITLE}px;font-weight:600}}\n\
         .axis{{fill:none;stroke:{ink}}}\n.grid{{fill:none;stroke:{ink};stroke-opacity:.25}}\n\
         .line{{fill:none;stroke-width:2;stroke-linejoin:round}}\n.band{{fill-opacity:.18}}\n\
         .hatch{{fill:none;stroke:#fff;stroke-opacity:.45}}\n",
        ink = INK.any
    );
    for (kind, colour) in COLOURS.iter().enumerate() {
        add(
            &mut text,
            format_args!(
                ".s{kind}{{stroke:{any}}}.f{kind}{{fill:{any}}}\n",
                any = colour.any
            ),
        );
    }
    add(
        &mut text,
        format_args!(
            "@media (prefers-color-scheme:dark){{\ntext{{fill:{ink}}}.axis,.grid{{stroke:{ink}}}\n",
            ink = INK.dark
        ),
    );
    for (kind, colour) in COLOURS.iter().enumerate() {
        add(
            &mut text,
            format_args!(
                ".s{kind}{{stroke:{dark}}}.f{kind}{{fill:{dark}}}\n",
                dark = colour.dark
            ),
        );
    }
    text.push_str("}\n");
    text
}

fn path(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        add(
            &mut text,
            format_args!("{command}{} {}", coordinate(*x), coordinate(*y)),
        );
    }
    text
}

/// To a tenth, which nobody sees.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// At least as wide as most fonts make it.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    length(text.chars().count()) * size * LETTER
}

/// A count of things in a picture.
pub(super) fn length(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Lines that are no wider than this, unless a word is.
fn wrap(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write the others.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// How far markers reach out of the place of their point.
pub(super) const OVERHANG: f64 = MARKER + 1.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b> & \"c\"\u{7}"), "a&lt;b&gt; &amp; &quot;c&quot; ");
        let mut document = Document::new("List<T> & co", "x < y");
        document.text(1.0, 2.0, Anchor::End, "<script>");
        let text = document.render(100.0);
        assert!(
            text.contains("<title>List&lt;T&gt; &amp; co</title>\n<desc>x &lt; y</desc>"),
            "{text}"
        );
        assert!(
            text.contains("<text x=\"1\" y=\"2\" text-anchor=\"end\">&lt;script&gt;</text>"),
            "{text}"
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(coordinate(12.0), "12");
        assert_eq!(coordinate(12.345), "12.3");
        assert_eq!(coordinate(-0.01), "0");
    }

    #[test]
    fn long_titles_are_broken_between_words() {
        assert_eq!(wrap("one two three", 70.0, 10.0), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 10.0, 10.0), ["unbreakable"]);
    }

    #[test]
    fn a_legend_that_is_too_long_goes_on_below() {
        let names = ["a name of some length"; 5];
        let mut one = Document::new("t", "");
        let mut five = Document::new("t", "");
        let least = one.head(&names[..2], Swatch::Line);
        assert!(five.head(&names, Swatch::Line) > least);
        for part in five.body.split("<text x=\"").skip(1) {
            let x: f64 = part.split('"').next().unwrap().parse().unwrap();
            assert!(x + text_width(names[0], TEXT) <= WIDTH, "{x}");
        }
    }
}
