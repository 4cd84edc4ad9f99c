//! Numbers of several hunts as one.

/// Of an even number of values, the mean of the two in the middle; none of no values.
pub(in crate::bench) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *values.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(lower, upper))
}

pub(in crate::bench) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len() as u64))
}

/// A count as a number to divide by.
#[expect(
    clippy::cast_precision_loss,
    reason = "hunts, plans and schedules are far fewer than 2^52"
)]
pub(in crate::bench) fn count(count: u64) -> f64 {
    count as f64
}

/// Seconds to a tenth, or that there are none.
pub(in crate::bench) fn seconds_cell(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}"))
}

/// A whole number, or that there is none.
pub(in crate::bench) fn whole_cell(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
    }

    #[test]
    fn a_mean_of_nothing_is_none() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(seconds_cell(mean(&[])), "–");
    }
}
