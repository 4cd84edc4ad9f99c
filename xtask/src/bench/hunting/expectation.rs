//! What a hunt must find, and whether it has.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::calls::Calls;
use super::record::{Also, Found};

const OVERFLOW: &str = "java.lang.StackOverflowError";

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

/// One fault; `bench/hunts.toml` explains the keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Expectation {
    pub(in crate::bench) of: String,
    pub(in crate::bench) kinds: Vec<Kind>,
    exception: Option<String>,
    #[serde(default)]
    methods: Vec<String>,
    pub(in crate::bench) pair: String,
    pub(in crate::bench) published: Published,
    pub(in crate::bench) source: String,
    calls: Vec<Calls>,
    #[serde(default)]
    places: Vec<String>,
    pub(in crate::bench) missed: Option<String>,
}

/// Who names the pair of methods that fails.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::bench) enum Published {
    /// A paper or a tracker.
    Printed,
    /// Nobody, but what a paper counts can be no other.
    Only,
    /// Nobody.
    None,
    /// A paper or a tracker, of a version that is not available.
    Gone,
}

/// How much a finding has to have in common with what is expected.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::bench) enum Likeness {
    /// Any finding of the kind, in whatever pair of methods.
    Kind,
    /// The fault itself: of the kind, and in the pair or at the place that is listed.
    Fault,
}

impl Published {
    /// Whether there is a pair to look for that others have published.
    pub(in crate::bench) fn is_named(self) -> bool {
        matches!(self, Published::Printed | Published::Only)
    }

    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Published::Printed => "printed",
            Published::Only => "only",
            Published::None => "none",
            Published::Gone => "gone",
        }
    }
}

impl Expectation {
    /// The first finding that is meant. Findings are in the order in which they were found.
    pub(in crate::bench) fn first_in<'f>(
        &self,
        findings: &'f [Found],
        likeness: Likeness,
    ) -> Option<&'f Found> {
        findings.iter().find(|finding| self.is_met_by(finding, likeness))
    }

    /// The pair among other calls that show the fault of a finding.
    pub(super) fn listed_in<'f>(&self, findings: &'f [Found]) -> Option<&'f Also> {
        let is_it = |also: &&Also| {
            let threads: Vec<Vec<String>> = also.methods.iter().map(|method| vec![method.clone()]).collect();
            self.calls.iter().any(|calls| calls.are_among(&threads))
        };
        // Which methods take part is told by the pair.
        let of_kind = findings.iter().filter(|finding| {
            let is_thrown = self.exception.is_none() || finding.exception == self.exception;
            is_thrown && self.kinds.contains(&finding.kind)
        });
        of_kind.flat_map(|finding| &finding.also_shown).find(is_it)
    }

    pub(in crate::bench) fn is_met_by(&self, finding: &Found, likeness: Likeness) -> bool {
        match likeness {
            Likeness::Kind => self.is_of_kind(finding),
            Likeness::Fault => {
                self.is_of_kind(finding)
                    && (self.calls.iter().any(|calls| calls.are_among(&finding.threads()))
                        || self.is_at_place(finding))
            }
        }
    }

    /// The pairs that are looked for.
    pub(in crate::bench) fn calls(&self) -> String {
        let calls: Vec<String> = self.calls.iter().map(Calls::to_string).collect();
        calls.join(", or ")
    }

    /// An exception is thrown where its stack leaves the class that is named, and a stack overflows in what calls itself,
    /// since where it ends is an accident; a deadlock is where all locks were taken.
    fn is_at_place(&self, finding: &Found) -> bool {
        if finding.kind == Kind::Deadlock {
            let is_listed = |place: &String| self.places.contains(place);
            return !finding.places.is_empty() && finding.places.iter().all(is_listed);
        }
        let is_overflow = finding.exception.as_deref() == Some(OVERFLOW);
        self.places.iter().any(|wanted| {
            if is_overflow {
                return finding.places.iter().filter(|place| *place == wanted).count() > 1;
            }
            let class = wanted.rsplit_once('.').map_or("", |(class, _)| class);
            let innermost = finding.places.iter().find(|place| is_of(class, place));
            innermost == Some(wanted)
        })
    }

    fn is_of_kind(&self, finding: &Found) -> bool {
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
pub(in crate::bench) fn are_all_met(
    expected: &[Expectation],
    findings: &[Found],
    likeness: Likeness,
) -> bool {
    !expected.is_empty()
        && expected
            .iter()
            .all(|one| one.first_in(findings, likeness).is_some() || one.listed_in(findings).is_some())
}

/// Whether a method, such as `a.B.c`, is of the class or of one nested in it.
fn is_of(class: &str, place: &str) -> bool {
    place.rsplit_once('.').is_some_and(|(owner, _)| {
        owner
            .strip_prefix(class)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    })
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
        let rest = "pair = ''\npublished = 'printed'\nsource = ''\n";
        let calls = if text.contains("calls =") {
            ""
        } else {
            "calls = []\n"
        };
        toml::from_str(&format!("{text}\n{rest}{calls}")).unwrap()
    }

    fn found(kind: Kind, methods: &[&str], exception: Option<&str>) -> Found {
        Found {
            methods: methods.iter().map(|&method| method.to_owned()).collect(),
            exception: exception.map(str::to_owned),
            ..Found::sample(kind, 1.0)
        }
    }

    fn is_of_kind(expected: &Expectation, finding: &Found) -> bool {
        expected.is_met_by(finding, Likeness::Kind)
    }

    #[test]
    fn any_of_the_kinds_will_do() {
        let expected = expectation("of = 'S24'\nkinds = ['exception', 'result']");
        assert!(is_of_kind(
            &expected,
            &found(Kind::Exception, &["a()"], Some("a.B"))
        ));
        assert!(is_of_kind(&expected, &found(Kind::Result, &["a()"], None)));
        assert!(!is_of_kind(&expected, &found(Kind::Deadlock, &["a()"], None)));
        assert!(!expected.is_deadlock());
        assert_eq!(expected.to_string(), "exception or result");
    }

    #[test]
    fn every_method_must_take_part_whatever_its_parameters() {
        let expected = expectation("of = 'S17'\nkinds = ['deadlock']\nmethods = ['equals', 'get']");
        let pair = ["get(java.lang.Object)", "equals(java.lang.Object)", "size()"];
        assert!(is_of_kind(&expected, &found(Kind::Deadlock, &pair, None)));
        assert!(!is_of_kind(&expected, &found(Kind::Deadlock, &pair[..1], None)));
        assert!(!is_of_kind(
            &expected,
            &found(Kind::Deadlock, &["getOrDefault(int)", "equals(int)"], None)
        ));
        assert!(expected.is_deadlock());
        assert_eq!(expected.to_string(), "deadlock of equals and get");
    }

    #[test]
    fn an_exception_that_is_named_must_be_that_one() {
        let expected =
            expectation("of = 'S21'\nkinds = ['exception']\nexception = 'java.lang.StackOverflowError'");
        let thrown = |class| found(Kind::Exception, &["putAll(java.util.Map)"], Some(class));
        assert!(is_of_kind(&expected, &thrown("java.lang.StackOverflowError")));
        assert!(!is_of_kind(&expected, &thrown("java.lang.NullPointerException")));
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
        assert!(!are_all_met(
            &expected,
            std::slice::from_ref(&deadlock),
            Likeness::Kind
        ));
        assert!(are_all_met(&expected, &[deadlock, exception], Likeness::Kind));
        assert!(!are_all_met(&[], &[], Likeness::Fault));
    }

    #[test]
    fn the_first_finding_that_is_meant_counts() {
        let expected = expectation("of = 'S17'\nkinds = ['deadlock']\nmethods = ['equals']");
        let findings = [
            found(Kind::Deadlock, &["get(int)"], None),
            Found::sample(Kind::Deadlock, 2.0),
            found(Kind::Deadlock, &["equals(int)"], None),
        ];
        let first = expected.first_in(&findings, Likeness::Kind).unwrap();
        assert_eq!(first.methods, ["equals(int)"]);
    }

    #[test]
    fn the_fault_itself_is_of_the_pair() {
        let expected =
            expectation("of = 'S04'\nkinds = ['exception']\ncalls = ['lookup ∥ remove', 'lookup ∥ clear']");
        let is_fault = |threads: [&str; 2], kind: Kind| {
            let mut finding = found(kind, &[], None);
            finding.threads = threads.iter().map(|&method| vec![method.to_owned()]).collect();
            expected.is_met_by(&finding, Likeness::Fault)
        };
        assert!(is_fault(["remove(int)", "lookup(int)"], Kind::Exception));
        assert!(is_fault(["lookup(int)", "clear()"], Kind::Exception));
        assert!(!is_fault(["copy()", "remove(int)"], Kind::Exception));
        assert!(
            !is_fault(["remove(int)", "lookup(int)"], Kind::Result),
            "of another kind"
        );
        assert_eq!(expected.calls(), "lookup ∥ remove, or lookup ∥ clear");
    }

    #[test]
    fn a_pair_may_be_listed_with_another_finding_of_the_fault() {
        let expected = expectation("of = 'S04'\nkinds = ['deadlock']\ncalls = ['equals ∥ equals']");
        let is_listed = |kind: Kind, also: &[&str]| {
            let mut finding = found(kind, &["get(int)"], None);
            finding.also_shown.push(Also {
                methods: also.iter().map(|&method| method.to_owned()).collect(),
                seconds: 1.0,
            });
            expected.listed_in(&[finding]).is_some()
        };
        assert!(is_listed(Kind::Deadlock, &["equals(int)", "equals(int)"]));
        assert!(!is_listed(Kind::Deadlock, &["equals(int)", "get(int)"]));
        assert!(!is_listed(Kind::Exception, &["equals(int)", "equals(int)"]));
    }

    #[test]
    fn results_of_earlier_versions_tell_methods_only() {
        let expected = expectation("of = 'S04'\nkinds = ['result']\ncalls = ['a ∥ a', 'b ∥ c']");
        let is_fault =
            |methods: &[&str]| expected.is_met_by(&found(Kind::Result, methods, None), Likeness::Fault);
        assert!(is_fault(&["a()"]));
        assert!(is_fault(&["c()", "b()"]));
        assert!(!is_fault(&["a()", "b()"]));
    }

    #[test]
    fn an_exception_is_thrown_where_its_stack_leaves_the_class() {
        let expected = expectation("of = 'S22'\nkinds = ['exception']\nplaces = ['a.B.insert']");
        let is_fault = |stack: &[&str]| {
            let mut finding = found(Kind::Exception, &["set(int)", "insert(int)"], None);
            finding.places = stack.iter().map(|&place| place.to_owned()).collect();
            expected.is_met_by(&finding, Likeness::Fault)
        };
        assert!(is_fault(&[
            "java.util.Objects.check",
            "a.B.insert",
            "a.B.replace"
        ]));
        assert!(!is_fault(&[
            "java.util.Objects.check",
            "a.B.replace",
            "a.B.insert"
        ]));
        assert!(!is_fault(&["a.B$Nested.check", "a.B.insert"]));
        assert!(is_fault(&["a.Base.check", "a.B.insert"]));
        assert!(!is_fault(&[]));
    }

    #[test]
    fn a_stack_overflows_in_what_calls_itself() {
        let expected = expectation("of = 'S21'\nkinds = ['exception']\nplaces = ['a.B.hash']");
        let is_fault = |stack: &[&str]| {
            let mut finding = found(Kind::Exception, &["put(int)", "clear()"], Some(OVERFLOW));
            finding.places = stack.iter().map(|&place| place.to_owned()).collect();
            expected.is_met_by(&finding, Likeness::Fault)
        };
        assert!(is_fault(&["a.B.get", "a.B.hash", "a.B.hash", "a.B.hash"]));
        assert!(!is_fault(&["a.B.equals", "a.B.equals", "a.B.hash"]));
    }

    #[test]
    fn a_deadlock_is_where_all_its_locks_were_taken() {
        let expected = expectation("of = 'S17'\nkinds = ['deadlock']\nplaces = ['a.B.equals', 'a.B.get']");
        let is_fault = |places: &[&str]| {
            let mut finding = found(Kind::Deadlock, &[], None);
            finding.places = places.iter().map(|&place| place.to_owned()).collect();
            expected.is_met_by(&finding, Likeness::Fault)
        };
        assert!(is_fault(&["a.B.equals", "a.B.equals"]));
        assert!(is_fault(&["a.B.get", "a.B.equals"]));
        assert!(!is_fault(&["a.B.equals", "a.B.put"]));
        assert!(!is_fault(&[]));
    }
}
