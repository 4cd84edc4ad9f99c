//! Colours, after the palette of Okabe and Ito for people who see colours differently, and what tells series apart
//! without any colour.

/// A colour for pages of any kind, and one for a reader who prefers dark ones. Both are of medium lightness: a picture
/// in a page is told what the reader prefers, and not how the page looks.
pub(super) struct Colour {
    pub(super) any: &'static str,
    pub(super) dark: &'static str,
}

const fn colour(any: &'static str, dark: &'static str) -> Colour {
    Colour { any, dark }
}

/// Of text, axes and grid.
pub(super) const INK: Colour = colour("#6e7781", "#8b949e");

/// Blue, vermilion, bluish green, reddish purple, ochre and grey.
pub(super) const COLOURS: [Colour; 6] = [
    colour("#0072b2", "#2b8fd6"),
    colour("#d55e00", "#e0671a"),
    colour("#00936b", "#0a9f76"),
    colour("#b8609a", "#c56fa8"),
    colour("#a87400", "#b98300"),
    colour("#6e7781", "#8b949e"),
];

/// Of the lines in the order of the colours; the first is drawn through.
pub(super) const DASHES: [&str; 6] = ["", "7 4", "2 3", "9 3 2 3", "4 2", "1 4"];

/// What a part of a bar is covered with, as a path in a square of [`TILE`]; the first is plain.
pub(super) const HATCHES: [&str; 6] = ["", "M0 6L6 0", "M0 3H6", "M0 0L6 6", "M3 0V6", "M0 6L6 0M0 0L6 6"];
pub(super) const TILE: u32 = 6;

/// The size of a marker, from its middle.
pub(super) const MARKER: f64 = 4.0;

/// A shape round a point, as a path.
pub(super) fn marker(series: usize, x: f64, y: f64) -> String {
    use super::document::coordinate as c;
    let r = MARKER;
    match series % COLOURS.len() {
        0 => format!(
            "M{} {}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
            c(x - r),
            c(y),
            c(2.0 * r),
            c(-2.0 * r)
        ),
        1 => format!("M{} {}h{s}v{s}h-{s}Z", c(x - r), c(y - r), s = c(2.0 * r)),
        2 => format!("M{} {}L{} {}H{}Z", c(x), c(y - r), c(x + r), c(y + r), c(x - r)),
        3 => format!("M{} {}l{r} {r}l-{r} {r}l-{r} -{r}Z", c(x), c(y - r)),
        4 => format!("M{} {}L{} {}H{}Z", c(x), c(y + r), c(x + r), c(y - r), c(x - r)),
        _ => format!(
            "M{} {}h{s}v{t}h-{s}Z",
            c(x - r / 2.0),
            c(y - r),
            s = c(r),
            t = c(2.0 * r)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as the guidelines for accessible web content define it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn every_colour_can_be_told_from_white_and_from_dark_pages() {
        for colour in COLOURS.iter().chain([&INK]) {
            for page in ["#ffffff", "#0d1117"] {
                for shade in [colour.any, colour.dark] {
                    assert!(
                        contrast(shade, page) >= 3.0,
                        "{shade} on {page}: {:.2}",
                        contrast(shade, page)
                    );
                }
            }
            assert!(contrast(colour.dark, "#0d1117") > contrast(colour.any, "#0d1117"));
        }
        assert!(contrast(INK.any, "#ffffff") >= 4.5 && contrast(INK.dark, "#0d1117") >= 4.5);
    }
}
