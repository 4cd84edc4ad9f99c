//! Places in bytecode as a person reads them.

use raddle_summary::Place;

/// `Hashtable.equals(java.lang.Object) Hashtable.java:815 @12`.
pub(super) fn full(place: &Place) -> String {
    let method = format!("{}.{}", simple_name(&place.class), place.method);
    match source_line(place) {
        Some(source) => format!("{method} {source} @{}", place.bci),
        None => format!("{method} @{}", place.bci),
    }
}

/// `Hashtable.java:815`, or as much as the class file tells.
pub(super) fn short(place: &Place) -> String {
    match (source_line(place), place.line) {
        (Some(source), Some(_)) => source,
        (Some(source), None) => format!("{source} @{}", place.bci),
        (None, _) => full(place),
    }
}

fn source_line(place: &Place) -> Option<String> {
    let source = place.source.as_deref()?;
    Some(
        place
            .line
            .map_or_else(|| source.to_owned(), |line| format!("{source}:{line}")),
    )
}

/// `Map$Entry` of `java.util.Map$Entry`.
pub(super) fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_place_is_told_as_far_as_the_class_file_goes() {
        let known = sample::place("add(int)", 5, 30);
        assert_eq!(full(&known), "Account.add(int) Account.java:30 @5");
        assert_eq!(short(&known), "Account.java:30");
        let without_line = Place {
            line: None,
            ..known.clone()
        };
        assert_eq!(full(&without_line), "Account.add(int) Account.java @5");
        assert_eq!(short(&without_line), "Account.java @5");
        let without_source = Place {
            source: None,
            ..known
        };
        assert_eq!(full(&without_source), "Account.add(int) @5");
        assert_eq!(short(&without_source), "Account.add(int) @5");
    }
}
