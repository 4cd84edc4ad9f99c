//! What a test says may come of it, outcome by outcome, and what did come of it.

use std::collections::BTreeSet;

use raddle_plan::{CallResult, End, Outcome};
use regex_lite::Regex;

use crate::own_test::{TestCalls, TestVerdict, judge_test};
use crate::verdict::{Evidence, Kind, Violation};

/// What comes of a run of which only the end counts.
const TERMINATED: &str = "TERMINATED";
const STALE: &str = "STALE";

/// What a test says of outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Texts, or regular expressions; an empty one is about whatever the others are not.
    pub ids: Vec<String>,
    /// Whether that may happen.
    pub is_acceptable: bool,
    /// In the words of whoever wrote it.
    pub description: String,
}

/// All that a test says of outcomes.
#[derive(Clone, Debug)]
pub struct DeclaredOutcomes {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    id: String,
    pattern: Regex,
    is_acceptable: bool,
    description: String,
}

impl DeclaredOutcomes {
    /// Reads the regular expressions; a sentence if one of them cannot be read.
    pub fn new(declared: Vec<Declared>) -> Result<DeclaredOutcomes, String> {
        let mut rules = Vec::new();
        for one in declared {
            for id in one.ids {
                let pattern = Regex::new(&format!("^(?:{id})$"))
                    .map_err(|_| format!("the regular expression `{id}` of an outcome cannot be read"))?;
                rules.push(Rule {
                    id,
                    pattern,
                    is_acceptable: one.is_acceptable,
                    description: one.description.clone(),
                });
            }
        }
        Ok(DeclaredOutcomes { rules })
    }

    /// What the run says, and what came of it, if it came to its end: what the last call returned.
    pub fn judge(&self, outcome: &Outcome, calls: &TestCalls) -> (TestVerdict, Option<String>) {
        let verdict = judge_test(outcome, calls, None);
        let text = outcome.calls.last().and_then(|call| match &call.result {
            CallResult::Returned(text) => Some(plain(text)),
            _ => None,
        });
        let (TestVerdict::Passed, Some(text)) = (&verdict, text) else {
            return (verdict, None);
        };
        (self.judge_text(&text, outcome.calls.len()), Some(text))
    }

    /// The same of a test in which only counts whether it comes to an end.
    pub fn judge_end(&self, outcome: &Outcome, calls: &TestCalls) -> (TestVerdict, Option<String>) {
        let verdict = judge_test(outcome, calls, None);
        let text = match (&verdict, &outcome.end) {
            (TestVerdict::Passed, _) => TERMINATED,
            (_, End::Stuck) => STALE,
            _ => return (verdict, None),
        };
        match self.judge_text(text, outcome.calls.len()) {
            // Why it is stuck is told better by what looks at threads.
            TestVerdict::Failed(_) if text == STALE => (verdict, Some(text.to_owned())),
            other => (other, Some(text.to_owned())),
        }
    }

    fn judge_text(&self, text: &str, calls: usize) -> TestVerdict {
        let rule = self.rule(text);
        let summary = match rule {
            Some(rule) if rule.is_acceptable => return TestVerdict::Passed,
            Some(rule) if rule.description.is_empty() => format!("The outcome `{text}` is forbidden."),
            Some(rule) => format!(
                "The outcome `{text}` is forbidden: {}",
                sentence(&rule.description)
            ),
            None => format!("The outcome `{text}` is none that the test lists."),
        };
        TestVerdict::Failed(Violation {
            kind: Kind::Result,
            summary,
            evidence: Evidence::Result {
                results: Vec::new(),
                differences: Vec::new(),
                decisive: vec![calls.saturating_sub(1)],
            },
        })
    }

    /// What is said of an outcome: by its text, by a regular expression, or of all others.
    fn rule(&self, text: &str) -> Option<&Rule> {
        let find = |is_it: &dyn Fn(&&Rule) -> bool| self.rules.iter().find(is_it);
        find(&|rule| rule.id == text && !rule.id.is_empty())
            .or_else(|| find(&|rule| !rule.id.is_empty() && rule.pattern.is_match(text)))
            .or_else(|| find(&|rule| rule.id.is_empty()))
    }

    /// What may happen and did not, in the order of the test, with what the test says of it.
    pub fn unseen(&self, seen: &BTreeSet<String>) -> Vec<String> {
        let rules = self.rules.iter();
        rules
            .filter(|rule| rule.is_acceptable && !rule.id.is_empty())
            .filter(|rule| !seen.contains(&rule.id) && !seen.iter().any(|text| rule.pattern.is_match(text)))
            .map(|rule| match &*rule.description {
                "" => format!("`{}`", rule.id),
                description => format!("`{}` ({})", rule.id, description.trim_end_matches('.')),
            })
            .collect()
    }
}

/// With a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A string as it was before it was quoted.
fn plain(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = inner else {
        return quoted.to_owned();
    };
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => text.push(c),
            (_, true) => match chars.next() {
                Some('u') => {
                    let hex: String = chars.by_ref().take(4).collect();
                    let unit = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
                    text.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(escaped) => text.push(escaped),
                None => {}
            },
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(id: &str, is_acceptable: bool, description: &str) -> Declared {
        Declared {
            ids: vec![id.to_owned()],
            is_acceptable,
            description: description.to_owned(),
        }
    }

    #[test]
    fn texts_go_before_patterns_and_patterns_before_the_rest() {
        let outcomes = DeclaredOutcomes::new(vec![
            declared("", false, "Anything else"),
            declared("1, .*", true, "Seen"),
            declared("1, 3", false, ""),
        ])
        .unwrap();
        let summary = |text: &str| match outcomes.judge_text(text, 1) {
            TestVerdict::Failed(violation) => Some(violation.summary),
            _ => None,
        };
        assert_eq!(summary("1, 2"), None);
        assert_eq!(summary("1, 3").unwrap(), "The outcome `1, 3` is forbidden.");
        assert_eq!(
            summary("11, 2").unwrap(),
            "The outcome `11, 2` is forbidden: Anything else."
        );
    }

    #[test]
    fn what_may_happen_and_did_not_is_listed() {
        let outcomes = DeclaredOutcomes::new(vec![
            declared("0, 0", true, "Reordered."),
            declared("1, [12]", true, ""),
            declared("9, 9", false, ""),
        ])
        .unwrap();
        let seen = BTreeSet::from(["1, 2".to_owned()]);
        assert_eq!(outcomes.unseen(&seen), ["`0, 0` (Reordered)"]);
    }

    #[test]
    fn a_quoted_text_is_read_as_it_was() {
        assert_eq!(plain("\"a\\\"\\u00e9\""), "a\"é");
    }
}
