//! What keeps findings from failing a hunt although they count.

use std::collections::BTreeSet;

use raddle_campaign::{Conclusion, Finding};
use raddle_oracle::Kind;

use crate::baseline::Baseline;
use crate::hunt::{FoundHere, HuntReport};

/// What keeps findings from failing a hunt although they count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// Findings that are known.
    pub baseline: Baseline,
    /// Kinds that fail a hunt; none for all of them.
    pub fail_on: Option<BTreeSet<Kind>>,
    /// Methods that are not to be called at the same time as others.
    pub excluded_methods: Vec<ExcludedMethod>,
}

/// A method whose findings do not count: `com.acme.Cache.close`, or `com.acme.Cache.put(int)` for one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedMethod {
    class: String,
    method: String,
}

/// A name is not that of a method of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no method of a class, as in com.acme.Cache.close or com.acme.Cache.put(int)")]
pub struct NoMethod(String);

impl std::str::FromStr for ExcludedMethod {
    type Err = NoMethod;

    fn from_str(text: &str) -> Result<ExcludedMethod, NoMethod> {
        let (name, parameters) = match text.find('(') {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let is_list = parameters.is_empty() || parameters.ends_with(')');
        match name.rsplit_once('.') {
            Some((class, method)) if is_list && !class.is_empty() && !method.is_empty() => {
                Ok(ExcludedMethod {
                    class: class.to_owned(),
                    method: format!("{method}{}", parameters.replace(' ', "")),
                })
            }
            _ => Err(NoMethod(text.to_owned())),
        }
    }
}

impl ExcludedMethod {
    fn is_in(&self, finding: &Finding) -> bool {
        let is_it = |method: &String| {
            let method = method.replace(' ', "");
            method == self.method
                || method
                    .split_once('(')
                    .is_some_and(|(name, _)| name == self.method)
        };
        finding.class == self.class && finding.methods.iter().any(is_it)
    }
}

impl HuntReport {
    /// Why a finding is accepted, if it is.
    pub(crate) fn accepted_because(&self, finding: &Finding) -> Option<String> {
        let Acceptance {
            baseline,
            excluded_methods,
            ..
        } = &self.acceptance;
        if let Some(reason) = baseline.reason(finding) {
            return Some(format!("accepted: {reason}"));
        }
        let excluded = excluded_methods.iter().find(|method| method.is_in(finding))?;
        Some(format!("{}.{} is excluded", excluded.class, excluded.method))
    }

    /// Whether a finding fails the hunt.
    pub(crate) fn fails(&self, found: &FoundHere) -> bool {
        let Finding { violation, .. } = &found.finding;
        found.counts(self.counting())
            && self.accepted_because(&found.finding).is_none()
            && self.acceptance.fails_on(violation.kind)
    }

    /// What the exit code says: as [`HuntReport::conclusion`], without what is accepted.
    pub fn verdict(&self) -> Conclusion {
        let findings = self.classes.iter().flat_map(|class| &class.findings);
        if findings.into_iter().any(|found| self.fails(found)) {
            return Conclusion::Violations;
        }
        let mut conclusions = self.classes.iter().map(|class| class.conclusion(self.counting()));
        if self.classes.is_empty() || conclusions.any(|conclusion| conclusion == Conclusion::Inconclusive) {
            Conclusion::Inconclusive
        } else {
            Conclusion::NothingFound
        }
    }
}

impl Acceptance {
    fn fails_on(&self, kind: Kind) -> bool {
        self.fail_on.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn only_what_is_new_and_of_the_right_kind_fails() {
        let mut report = hunt_sample::several();
        assert_eq!(report.verdict(), Conclusion::Violations);
        report.acceptance.fail_on = Some(BTreeSet::from([Kind::Livelock]));
        assert_eq!(report.verdict(), Conclusion::NothingFound);
        assert_eq!(report.conclusion(), Conclusion::Violations);
        report.acceptance.fail_on = Some(BTreeSet::from([Kind::Deadlock]));
        assert_eq!(report.verdict(), Conclusion::Violations);
        let deadlock = hunt_sample::deadlock();
        report.acceptance.baseline.accept(&deadlock, "known");
        assert_eq!(report.verdict(), Conclusion::NothingFound);
        assert_eq!(
            report.accepted_because(&deadlock).as_deref(),
            Some("accepted: known")
        );
        report.classes.push(hunt_sample::report().classes.remove(2));
        assert_eq!(report.verdict(), Conclusion::Inconclusive);
    }

    #[test]
    fn findings_of_excluded_methods_are_accepted() {
        let mut report = hunt_sample::several();
        let excluded = |name: &str| name.parse::<ExcludedMethod>();
        report.acceptance.excluded_methods = vec![excluded("java.util.ArrayList.clear").unwrap()];
        let exception = hunt_sample::exception();
        assert_eq!(
            report.accepted_because(&exception).as_deref(),
            Some("java.util.ArrayList.clear is excluded")
        );
        report.acceptance.excluded_methods = vec![excluded("java.util.ArrayList.clear(int)").unwrap()];
        assert_eq!(report.accepted_because(&exception), None);
        report.acceptance.excluded_methods = vec![excluded("java.util.ArrayList.clear( )").unwrap()];
        assert!(report.accepted_because(&exception).is_some());
        for wrong in ["clear", "", ".clear", "a.B.c(int"] {
            assert!(excluded(wrong).is_err(), "{wrong}");
        }
    }
}
