//! Today's date.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Today, UTC, as `2024-02-29`.
pub(crate) fn today() -> String {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    of_day(since_epoch.as_secs() / SECONDS_PER_DAY)
}

/// The date of a day counted from 1970-01-01.
fn of_day(day: u64) -> String {
    let mut day = day;
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", day + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        assert_eq!(of_day(0), "1970-01-01");
        assert_eq!(of_day(11_016), "2000-02-29");
        assert_eq!(of_day(11_017), "2000-03-01");
        assert_eq!(of_day(19_722), "2023-12-31");
        assert_eq!(of_day(19_723), "2024-01-01");
    }
}
