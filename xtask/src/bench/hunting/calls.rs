//! The pair of methods that somebody has published, and whether a finding is of that pair; the head of
//! `bench/hunts.toml` says what agrees.

use std::fmt;

use serde::Deserialize;

use super::expectation::name_of;

/// Between the calls of one thread and those of the other.
pub(super) const BESIDE: &str = " ∥ ";
/// Between calls of one thread.
const THEN: &str = "; ";

/// What two threads call at the same time, such as `clear; hashCode ∥ putAll`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::bench) struct Calls([Vec<Method>; 2]);

/// A method, or all that have its name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Method {
    name: String,
    /// Types of the parameters, without blanks; none stands for every overload.
    parameters: Option<String>,
}

impl Calls {
    /// Whether different threads call the two sides, whatever else they call. A thread is given as the methods that it
    /// calls, such as `insert(int, java.lang.CharSequence)`.
    pub(super) fn are_among(&self, threads: &[Vec<String>]) -> bool {
        let [first, second] = &self.0;
        let calls = |side: &[Method], thread: &[String]| {
            side.iter()
                .all(|wanted| thread.iter().any(|method| wanted.is(method)))
        };
        threads.iter().enumerate().any(|(index, one)| {
            calls(first, one)
                && threads
                    .iter()
                    .enumerate()
                    .any(|(other, thread)| other != index && calls(second, thread))
        })
    }
}

impl Method {
    fn parse(text: &str) -> Method {
        Method {
            name: name_of(text).to_owned(),
            parameters: parameters(text),
        }
    }

    fn is(&self, method: &str) -> bool {
        let is_overload = |wanted: &String| parameters(method).as_ref() == Some(wanted);
        self.name == name_of(method) && self.parameters.as_ref().is_none_or(is_overload)
    }
}

/// Without blanks and parentheses; none if there are no parentheses.
fn parameters(method: &str) -> Option<String> {
    let (_, rest) = method.split_once('(')?;
    let inner = rest.strip_suffix(')').unwrap_or(rest);
    Some(inner.chars().filter(|c| !c.is_whitespace()).collect())
}

impl TryFrom<String> for Calls {
    type Error = String;

    fn try_from(text: String) -> Result<Calls, String> {
        let sides: Vec<Vec<Method>> = text
            .split(BESIDE)
            .map(|side| {
                side.split(THEN)
                    .map(|method| Method::parse(method.trim()))
                    .collect()
            })
            .collect();
        if sides.iter().flatten().any(|method| method.name.is_empty()) {
            return Err(format!("{text:?} has a method without a name"));
        }
        let sides: [Vec<Method>; 2] = sides
            .try_into()
            .map_err(|_| format!("{text:?} is not of the form \"first{BESIDE}second\""))?;
        Ok(Calls(sides))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        match &self.parameters {
            Some(parameters) => write!(formatter, "({parameters})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |methods: &[Method]| {
            let methods: Vec<String> = methods.iter().map(Method::to_string).collect();
            methods.join(THEN)
        };
        write!(formatter, "{}{BESIDE}{}", side(&self.0[0]), side(&self.0[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_among(calls: &str, threads: &[&[&str]]) -> bool {
        let threads: Vec<Vec<String>> = threads
            .iter()
            .map(|thread| thread.iter().map(|&method| method.to_owned()).collect())
            .collect();
        Calls::try_from(calls.to_owned()).unwrap().are_among(&threads)
    }

    #[test]
    fn a_pair_is_the_same_in_either_order() {
        assert!(are_among(
            "lookup ∥ remove",
            &[&["remove(int)"], &["lookup(int)"]]
        ));
        assert!(are_among(
            "lookup ∥ remove",
            &[&["lookup(int)"], &["remove(int)"]]
        ));
    }

    #[test]
    fn both_calls_in_one_thread_are_no_pair() {
        assert!(!are_among(
            "lookup ∥ remove",
            &[&["lookup(int)", "remove(int)"], &["size()"]]
        ));
        assert!(!are_among("add ∥ add", &[&["add(int)", "add(int)"], &["size()"]]));
        assert!(are_among(
            "add ∥ add",
            &[&["add(int)"], &["size()"], &["add(int)"]]
        ));
    }

    #[test]
    fn what_else_a_thread_calls_does_not_matter() {
        let threads: [&[&str]; 2] = [&["clear()", "trimToSize()"], &["sample(int)"]];
        assert!(are_among("sample ∥ clear", &threads));
        assert!(are_among("sample ∥ clear; trimToSize", &threads));
        assert!(!are_among("sample ∥ clear; size", &threads));
    }

    #[test]
    fn an_overload_counts_if_it_is_named() {
        let threads: [&[&str]; 2] = [&["add(int, java.util.List)"], &["add(int, java.util.List)"]];
        assert!(are_among("add ∥ add", &threads));
        assert!(are_among(
            "add(int,java.util.List) ∥ add(int, java.util.List)",
            &threads
        ));
        assert!(!are_among("add(int) ∥ add", &threads));
        assert!(!are_among("add() ∥ add()", &threads));
        assert!(!are_among("addAll ∥ addAll", &threads));
    }

    #[test]
    fn a_pair_has_two_sides() {
        for wrong in ["add", "add ∥ add ∥ add", "add ∥ ", " ∥ add", ""] {
            assert!(Calls::try_from(wrong.to_owned()).is_err(), "{wrong:?}");
        }
        let calls = Calls::try_from("clear; hashCode ∥ get(int, a.B)".to_owned()).unwrap();
        assert_eq!(calls.to_string(), "clear; hashCode ∥ get(int,a.B)");
    }
}
