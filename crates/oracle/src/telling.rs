//! What calls came to, as it is told to people: values as values, and nothing of a method that returns none.

use raddle_plan::plain::plain_value;

use crate::words;

/// More values than this are not listed.
const MOST_VALUES: usize = 8;

/// How the results of one call are told.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Telling {
    pub(crate) is_void: bool,
    /// Whether values that differ only in their class are among them.
    pub(crate) with_classes: bool,
}

impl Telling {
    /// Of a call that returned these, which are all to be told.
    pub(crate) fn of<'r>(is_void: bool, results: impl Iterator<Item = &'r str>) -> Telling {
        let mut all: Vec<&str> = results.collect();
        all.sort_unstable();
        all.dedup();
        let mut plain: Vec<&str> = all
            .iter()
            .map(|result| result.strip_prefix("returned ").map_or(*result, plain_value))
            .collect();
        plain.sort_unstable();
        plain.dedup();
        Telling {
            is_void,
            with_classes: plain.len() < all.len(),
        }
    }

    /// `returned 20`.
    pub(crate) fn past(self, result: &str) -> String {
        match self.value(result) {
            None => result.to_owned(),
            Some(value) => format!("returned {value}"),
        }
    }

    /// `returns 1, 10 or 11`, or `returns 1 or throws java.lang.IllegalStateException`.
    pub(crate) fn present<'r>(self, results: impl Iterator<Item = &'r str>) -> String {
        let mut values = Vec::new();
        let mut others = Vec::new();
        for result in results {
            match self.value(result) {
                Some(value) if !values.contains(&value) => values.push(value),
                Some(_) => {}
                None => others.push(present_tense(result)),
            }
        }
        if values.len() > MOST_VALUES {
            let more = values.len() - MOST_VALUES;
            values.truncate(MOST_VALUES);
            values.push(format!("one of {more} more values"));
        }
        let mut parts = Vec::new();
        if !values.is_empty() {
            parts.push(format!("returns {}", words::list(&values, "or")));
        }
        parts.extend(others);
        words::list(&parts, "or")
    }

    /// What was returned, if anything was.
    fn value(self, result: &str) -> Option<String> {
        if result == "returned" || (self.is_void && result.starts_with("returned ")) {
            return Some("normally".to_owned());
        }
        let value = result.strip_prefix("returned ")?;
        let value = if self.with_classes {
            value
        } else {
            plain_value(value)
        };
        Some(words::short(value))
    }
}

fn present_tense(result: &str) -> String {
    match result.strip_prefix("threw ") {
        Some(class) => format!("throws {class}"),
        None if result == "did not end" => "does not end".to_owned(),
        None if result == "did not begin" => "is never made".to_owned(),
        None => result.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling(results: &[&str]) -> Telling {
        Telling::of(false, results.iter().copied())
    }

    #[test]
    fn a_value_is_told_without_its_class() {
        let results = [
            "returned java.math.BigDecimal 20",
            "returned java.math.BigDecimal 1",
        ];
        assert_eq!(telling(&results).past(results[0]), "returned 20");
    }

    #[test]
    fn classes_stay_where_nothing_else_differs() {
        let results = ["returned a.Cents 20", "returned a.Euros 20"];
        assert_eq!(telling(&results).past(results[0]), "returned a.Cents 20");
    }

    #[test]
    fn values_are_listed_once_and_not_without_end() {
        let results = ["returned 1", "returned 10", "returned 11"];
        assert_eq!(
            telling(&results).present(results.into_iter()),
            "returns 1, 10 or 11"
        );
        let mixed = ["returned 1", "threw a.B", "did not end"];
        assert_eq!(
            telling(&mixed).present(mixed.into_iter()),
            "returns 1, throws a.B or does not end"
        );
        let many: Vec<String> = (0..20).map(|number| format!("returned {number}")).collect();
        let told = telling(&[]).present(many.iter().map(String::as_str));
        assert_eq!(told, "returns 0, 1, 2, 3, 4, 5, 6, 7 or one of 12 more values");
    }

    #[test]
    fn a_method_without_result_returns_normally() {
        let void = Telling::of(true, ["returned null", "threw a.B"].into_iter());
        assert_eq!(void.past("returned null"), "returned normally");
        assert_eq!(
            void.present(["returned null", "threw a.B"].into_iter()),
            "returns normally or throws a.B"
        );
    }
}
