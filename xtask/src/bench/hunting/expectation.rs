//! What a hunt must find, and whether it has.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::record::Found;

/// What is wrong, as `docs/hunt-json.md` names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::bench) enum Kind {
    Exception,
    Deadlock,
    LostWakeup,
    Livelock,
    Result,
}

/// One fault, described as loosely as the papers do; `bench/hunts.toml` explains the keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Expectation {
    pub(in crate::bench) of: String,
    pub(in crate::bench) kinds: Vec<Kind>,
    exception: Option<String>,
    #[serde(default)]
    methods: Vec<String>,
    pub(in crate::bench) pair: Option<String>,
    pub(in crate::bench) missed: Option<String>,
}

impl Expectation {
    /// The first finding that is meant. Findings are in the order in which they were found.
    pub(in crate::bench) fn first_in<'f>(&self, findings: &'f [Found]) -> Option<&'f Found> {
        findings.iter().find(|finding| self.is_met_by(finding))
    }

    pub(in crate::bench) fn is_met_by(&self, finding: &Found) -> bool {
        let is_thrown = |wanted: &String| finding.exception.as_ref() == Some(wanted);
        self.kinds.contains(&finding.kind)
            && self.exception.as_ref().is_none_or(is_thrown)
            && self
                .methods
                .iter()
                .all(|wanted| finding.methods.iter().any(|method| name_of(method) == wanted))
    }

    /// Whether a deadlock and nothing else is meant: the papers have tables of their own for these.
    pub(in crate::bench) fn is_deadlock(&self) -> bool {
        self.kinds == [Kind::Deadlock]
    }
}

/// Whether all have been found. What is not expected cannot be found, so a hunt for nothing never ends early.
pub(in crate::bench) fn are_all_met(expected: &[Expectation], findings: &[Found]) -> bool {
    !expected.is_empty() && expected.iter().all(|one| one.first_in(findings).is_some())
}

/// `equals` of `equals(java.lang.Object)`.
pub(in crate::bench) fn name_of(method: &str) -> &str {
    method.split('(').next().unwrap_or(method)
}

impl Kind {
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Kind::Exception => "exception",
            Kind::Deadlock => "deadlock",
            Kind::LostWakeup => "lost-wakeup",
            Kind::Livelock => "livelock",
            Kind::Result => "result",
        }
    }
}

impl fmt::Display for Expectation {
    /// Such as `deadlock of equals`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(class) = &self.exception {
            formatter.write_str(class.rsplit('.').next().unwrap_or(class))?;
        } else {
            let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
            formatter.write_str(&names.join(" or "))?;
        }
        if !self.methods.is_empty() {
            write!(formatter, " of {}", self.methods.join(" and "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation(text: &str) -> Expectation {
        toml::from_str(text).unwrap()
    }

    fn found(kind: Kind, methods: &[&str], exception: Option<&str>) -> Found {
        Found {
            methods: methods.iter().map(|&method| method.to_owned()).collect(),
            exception: exception.map(str::to_owned),
            ..Found::sample(kind, 1.0)
        }
    }

    #[test]
    fn any_of_the_kinds_will_do() {
        let expected = expectation("of = 'S24'\nkinds = ['exception', 'result']");
        assert!(expected.is_met_by(&found(Kind::Exception, &["a()"], Some("a.B"))));
        assert!(expected.is_met_by(&found(Kind::Result, &["a()"], None)));
        assert!(!expected.is_met_by(&found(Kind::Deadlock, &["a()"], None)));
        assert!(!expected.is_deadlock());
        assert_eq!(expected.to_string(), "exception or result");
    }

    #[test]
    fn every_method_must_take_part_whatever_its_parameters() {
        let expected = expectation("of = 'S17'\nkinds = ['deadlock']\nmethods = ['equals', 'get']");
        let pair = ["get(java.lang.Object)", "equals(java.lang.Object)", "size()"];
        assert!(expected.is_met_by(&found(Kind::Deadlock, &pair, None)));
        assert!(!expected.is_met_by(&found(Kind::Deadlock, &pair[..1], None)));
        assert!(!expected.is_met_by(&found(
            Kind::Deadlock,
            &["getOrDefault(int)", "equals(int)"],
            None
        )));
        assert!(expected.is_deadlock());
        assert_eq!(expected.to_string(), "deadlock of equals and get");
    }

    #[test]
    fn an_exception_that_is_named_must_be_that_one() {
        let expected =
            expectation("of = 'S21'\nkinds = ['exception']\nexception = 'java.lang.StackOverflowError'");
        let thrown = |class| found(Kind::Exception, &["putAll(java.util.Map)"], Some(class));
        assert!(expected.is_met_by(&thrown("java.lang.StackOverflowError")));
        assert!(!expected.is_met_by(&thrown("java.lang.NullPointerException")));
        assert_eq!(expected.to_string(), "StackOverflowError");
    }

    #[test]
    fn all_are_met_only_if_there_are_any() {
        let expected = [
            expectation("of = 'S16'\nkinds = ['deadlock']"),
            expectation("of = 'S22'\nkinds = ['exception']"),
        ];
        let deadlock = found(Kind::Deadlock, &["append(int)"], None);
        let exception = found(Kind::Exception, &["insert(int)"], Some("a.B"));
        assert!(!are_all_met(&expected, std::slice::from_ref(&deadlock)));
        assert!(are_all_met(&expected, &[deadlock, exception]));
        assert!(!are_all_met(&[], &[]));
    }

    #[test]
    fn the_first_finding_that_is_meant_counts() {
        let expected = expectation("of = 'S17'\nkinds = ['deadlock']\nmethods = ['equals']");
        let findings = [
            found(Kind::Deadlock, &["get(int)"], None),
            Found::sample(Kind::Deadlock, 2.0),
            found(Kind::Deadlock, &["equals(int)"], None),
        ];
        let first = expected.first_in(&findings).unwrap();
        assert_eq!(first.methods, ["equals(int)"]);
    }
}
