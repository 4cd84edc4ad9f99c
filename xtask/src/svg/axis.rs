//! Axes: what range they show, where their ticks are, and how numbers are written.

/// How values are spread over an axis.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// Zero is always shown.
    Linear,
    /// Values that are not positive cannot be shown and are left out.
    Log,
}

/// One axis of a chart.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    /// Where ticks are; empty for ticks at round numbers.
    pub(crate) ticks: Vec<f64>,
}

/// About so many steps are made of a linear axis.
const STEPS: f64 = 5.0;
/// More decades than this are marked at powers of ten only.
const CROWDED: f64 = 3.0;

impl Axis {
    /// With ticks at round numbers.
    pub(crate) fn new(label: &str, scale: Scale) -> Axis {
        Axis {
            label: label.to_owned(),
            scale,
            ticks: Vec::new(),
        }
    }

    /// With ticks at these values.
    pub(crate) fn with_ticks(self, ticks: &[f64]) -> Axis {
        Axis {
            ticks: ticks.to_vec(),
            ..self
        }
    }

    /// Fits the axis to values.
    pub(super) fn fit(&self, values: impl IntoIterator<Item = f64>) -> Fitted {
        let values = values.into_iter().chain(self.ticks.iter().copied());
        let shown = values.filter(|value| self.scale.shows(*value));
        let bounds = shown.fold(None, |bounds: Option<(f64, f64)>, value| {
            let (low, high) = bounds.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (low, high) = match (self.scale, bounds) {
            (Scale::Linear, bounds) => {
                let (low, high) = bounds.unwrap_or((0.0, 1.0));
                (low.min(0.0), high.max(0.0))
            }
            (Scale::Log, bounds) => bounds.unwrap_or((1.0, 10.0)),
        };
        let (round, round_low, round_high) = match self.scale {
            Scale::Linear => linear(low, high),
            Scale::Log => logarithmic(low, high),
        };
        // An axis with ticks of its own ends at the last of them, unless there is nothing between.
        let (ticks, low, high) = if self.ticks.is_empty() || low >= high {
            (round, round_low, round_high)
        } else {
            let ticks = self.ticks.iter().copied();
            (ticks.filter(|tick| self.scale.shows(*tick)).collect(), low, high)
        };
        Fitted {
            scale: self.scale,
            low,
            high,
            ticks,
        }
    }
}

impl Scale {
    pub(super) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Scale::Linear || value > 0.0)
    }
}

/// An axis that knows what it shows.
pub(super) struct Fitted {
    scale: Scale,
    low: f64,
    high: f64,
    pub(super) ticks: Vec<f64>,
}

impl Fitted {
    /// Where a value is: 0 at the beginning of the axis, 1 at its end. None if it cannot be shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        if !self.scale.shows(value) {
            return None;
        }
        let place = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        Some(place.clamp(0.0, 1.0))
    }
}

/// Ticks, and the range they span.
fn linear(low: f64, high: f64) -> (Vec<f64>, f64, f64) {
    let high = if high > low { high } else { low + 1.0 };
    let step = round_up((high - low) / STEPS);
    let first = (low / step).floor();
    let mut ticks = Vec::new();
    for number in 0_u32.. {
        let tick = (first + f64::from(number)) * step;
        ticks.push(tick);
        // What is lost in division must not add a tick.
        if tick >= high - step * 1e-9 {
            break;
        }
    }
    let end = ticks.last().copied().unwrap_or(high);
    (ticks, first * step, end)
}

/// Ticks at 1, 2 and 5 times powers of ten, or at powers of ten if these are many, and the range they span.
fn logarithmic(low: f64, high: f64) -> (Vec<f64>, f64, f64) {
    let crowded = (high / low).log10() > CROWDED;
    let steps: &[f64] = if crowded { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let mut ticks: Vec<f64> = Vec::new();
    let mut exponent = low.log10().floor();
    loop {
        for step in steps {
            let tick = step * 10_f64.powf(exponent);
            // The one before the lowest value is where the axis begins.
            if tick <= low * (1.0 + 1e-9) {
                ticks.clear();
            }
            ticks.push(tick);
            if tick >= high * (1.0 - 1e-9) && ticks.len() > 1 {
                let first = ticks.first().copied().unwrap_or(tick);
                return (ticks, first, tick);
            }
        }
        exponent += 1.0;
    }
}

/// The next of 1, 2 and 5 times a power of ten.
fn round_up(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A number with three digits that count, and thousands set apart: `12,300`, `1.5`, `0.002`.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let mut decimals = 2;
    let mut size = value.abs();
    while size >= 9.995 && decimals > 0 {
        size /= 10.0;
        decimals -= 1;
    }
    while size < 0.995 && decimals < 9 {
        size *= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("−", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if fraction.is_empty() {
        format!("{sign}{grouped}")
    } else {
        format!("{sign}{grouped}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, values: &[f64]) -> Vec<String> {
        let fitted = Axis::new("", scale).fit(values.iter().copied());
        fitted.ticks.iter().map(|tick| number(*tick)).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_reach_beyond_the_values() {
        assert_eq!(ticks(Scale::Linear, &[3.0, 9.7]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            ticks(Scale::Linear, &[0.3]),
            ["0", "0.1", "0.2", "0.3"],
            "no tick more for what division loses"
        );
        assert_eq!(
            ticks(Scale::Linear, &[-4.0, 5.0]),
            ["−4", "−2", "0", "2", "4", "6"]
        );
        assert_eq!(ticks(Scale::Linear, &[]).first().map(String::as_str), Some("0"));
        assert_eq!(ticks(Scale::Linear, &[0.0, f64::NAN]).len(), 6);
    }

    #[test]
    fn logarithmic_ticks_are_dense_only_where_there_is_room() {
        assert_eq!(
            ticks(Scale::Log, &[10.0, 250.0]),
            ["10", "20", "50", "100", "200", "500"]
        );
        assert_eq!(
            ticks(Scale::Log, &[0.5, 5_000.0]),
            ["0.1", "1", "10", "100", "1,000", "10,000"]
        );
        assert_eq!(ticks(Scale::Log, &[-1.0, 0.0, 3.0]), ["2", "5"]);
        assert_eq!(ticks(Scale::Log, &[1.0]), ["1", "2"]);
        assert_eq!(ticks(Scale::Log, &[]), ["1", "2", "5", "10"]);
    }

    #[test]
    fn values_have_their_place() {
        let log = Axis::new("", Scale::Log).fit([1.0, 100.0]);
        assert_eq!(log.place(0.0), None);
        assert_eq!(log.place(f64::INFINITY), None);
        assert!((log.place(10.0).unwrap() - 0.5).abs() < 1e-9);
        let linear = Axis::new("", Scale::Linear).fit([2.0, 10.0]);
        assert_eq!(linear.place(0.0), Some(0.0));
        assert!((linear.place(5.0).unwrap() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn given_ticks_are_used_as_they_are() {
        let axis = Axis::new("jobs", Scale::Log).with_ticks(&[1.0, 2.0, 4.0, 0.0]);
        let fitted = axis.fit([1.0, 4.0]);
        assert_eq!(fitted.ticks, [1.0, 2.0, 4.0]);
        assert_eq!((fitted.place(1.0), fitted.place(4.0)), (Some(0.0), Some(1.0)));
        assert_eq!(
            axis.with_ticks(&[3.0]).fit([3.0]).ticks.len(),
            2,
            "one tick makes no axis"
        );
    }

    #[test]
    fn numbers_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (1.5, "1.5"),
            (9.999, "10"),
            (12.345, "12.3"),
            (99.96, "100"),
            (1234.5, "1,234"),
            (0.001_234, "0.00123"),
            (0.999_9, "1"),
            (-2.5, "−2.5"),
            (1_000_000.0, "1,000,000"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected, "{value}");
        }
    }
}
