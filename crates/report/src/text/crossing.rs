//! Evidence for pairs: crossing double locks, conflicting accesses.

use std::fmt::Write;

use raddle_summary::{Access, ClassFacts, DoubleLock, PairFacts};

use super::method::kind_text;
use super::{numbers, place};

/// Pairs listed unless everything is asked for.
const SHOWN_PAIRS: usize = 20;
/// Longer pair names no longer push the evidence of all pairs to the right.
const MAX_PAIR: usize = 70;

/// Every ⇌D pair with the lock pairs that cross; then the methods without such partner. The pairs that are easiest to
/// check come first: definite locks before vague ones, a method with itself before two methods.
pub(super) fn section(facts: &ClassFacts, verbose: bool) -> String {
    let mut crossed: Vec<Crossed> = facts
        .pairs
        .iter()
        .filter_map(|pair| Crossed::of(facts, pair))
        .collect();
    crossed.sort_by_key(Crossed::rank);
    let all: Vec<(&PairFacts, String)> = crossed
        .iter()
        .map(|crossed| (crossed.pair, crossed.text()))
        .collect();
    if all.is_empty() {
        return String::new();
    }
    let shown = if verbose { all.len() } else { SHOWN_PAIRS };
    let mut text = format!("Double-lock dependent pairs: {}\n", all.len());
    text.push_str(&pair_lines(facts, "⇌D", all.iter().take(shown)));
    if let Some(rest @ 1..) = all.len().checked_sub(shown) {
        let _ = writeln!(text, "  … +{rest}; -v lists all");
    }
    let mut has_partner = vec![false; facts.methods.len()];
    for (pair, _) in &all {
        has_partner[pair.first] = true;
        has_partner[pair.second] = true;
    }
    let alone: Vec<usize> = (0..facts.methods.len())
        .filter(|&index| !has_partner[index])
        .collect();
    if !alone.is_empty() {
        let _ = writeln!(text, "  methods without ⇌D partner: {}", numbers::ranges(alone));
    }
    text
}

/// A ⇌D pair and the double lock of each method.
struct Crossed<'f> {
    pair: &'f PairFacts,
    first: &'f DoubleLock,
    second: &'f DoubleLock,
}

impl<'f> Crossed<'f> {
    fn of(facts: &'f ClassFacts, pair: &'f PairFacts) -> Option<Crossed<'f>> {
        let crossing = pair.double_lock?;
        let first = &facts.methods[pair.first].double_locks[crossing.first_lock];
        let second = &facts.methods[pair.second].double_locks[crossing.second_lock];
        Some(Crossed { pair, first, second })
    }

    /// A lock is vague when it is only known as one of several objects: elements of an array, parts of another object.
    fn rank(&self) -> (usize, bool) {
        let locks = [
            &self.first.first,
            &self.first.second,
            &self.second.first,
            &self.second.second,
        ];
        let vague = locks.into_iter().filter(|name| name.contains(['*', '[']));
        (vague.count(), self.pair.first != self.pair.second)
    }

    fn text(&self) -> String {
        both(&lock_text(self.first), &lock_text(self.second))
    }
}

/// Every pair of M_pc with the two accesses that conflict.
pub(super) fn conflicts_section(facts: &ClassFacts) -> String {
    let all: Vec<(&PairFacts, String)> = facts
        .pairs
        .iter()
        .filter(|pair| pair.mpc)
        .map(|pair| {
            let evidence = pair.conflict.map(|conflict| {
                let first = &facts.methods[pair.first].accesses[conflict.first_access];
                let second = &facts.methods[pair.second].accesses[conflict.second_access];
                both(&access_text(first), &access_text(second))
            });
            (pair, evidence.unwrap_or_default())
        })
        .collect();
    if all.is_empty() {
        return String::new();
    }
    format!(
        "Conflicting pairs: {}\n{}",
        all.len(),
        pair_lines(facts, "⇌PC", all.iter())
    )
}

fn pair_lines<'a>(
    facts: &ClassFacts,
    relation: &str,
    pairs: impl Iterator<Item = &'a (&'a PairFacts, String)>,
) -> String {
    let named: Vec<(String, &str)> = pairs
        .map(|(pair, evidence)| {
            let [first, second] = [pair.first, pair.second].map(|index| &facts.methods[index].signature);
            (format!("{first} {relation} {second}"), evidence.as_str())
        })
        .collect();
    let widths = named.iter().map(|(name, _)| name.chars().count());
    let width = widths.filter(|width| *width <= MAX_PAIR).max().unwrap_or(0);
    named.iter().fold(String::new(), |mut text, (name, evidence)| {
        let line = format!("  {name:<width$}   {evidence}");
        let _ = writeln!(text, "{}", line.trim_end());
        text
    })
}

/// Two pieces of evidence; equal ones are told once.
fn both(first: &str, second: &str) -> String {
    if first == second {
        first.to_owned()
    } else {
        format!("{first}  against  {second}")
    }
}

/// `<this, o> Hashtable.java:814 → Hashtable.java:819`.
fn lock_text(lock: &DoubleLock) -> String {
    format!(
        "<{}, {}> {} → {}",
        lock.first,
        lock.second,
        place::short(&lock.first_place),
        place::short(lock.via.as_ref().unwrap_or(&lock.second_place))
    )
}

/// `W this.table[] Hashtable.java:460`.
fn access_text(access: &Access) -> String {
    format!(
        "{} {} {}",
        kind_text(access.kind),
        access.location,
        place::short(&access.place)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let pairs: Vec<_> = (0..25).map(|index| (index, index, false, true)).collect();
        let facts = sample::class_of(26, &pairs);
        let brief = section(&facts, false);
        assert!(
            brief.starts_with("Double-lock dependent pairs: 25\n  m1() ⇌D m1()     <this, o> "),
            "{brief}"
        );
        assert!(
            brief.ends_with("  … +5; -v lists all\n  methods without ⇌D partner: 26\n"),
            "{brief}"
        );
        assert_eq!(section(&facts, true).matches("⇌D m").count(), 25);
    }

    #[test]
    fn the_pairs_that_are_easiest_to_check_come_first() {
        let pairs = [(0, 0), (0, 1), (1, 2), (2, 2)];
        let mut facts = sample::class_of(3, &pairs.map(|(first, second)| (first, second, false, true)));
        facts.methods[0].double_locks[0].second = "this.table[].*".to_owned();
        let text = section(&facts, false);
        let order: Vec<&str> = text
            .lines()
            .skip(1)
            .take(4)
            .filter_map(|line| line.split("   ").next())
            .collect();
        assert_eq!(
            order,
            [
                "  m3() ⇌D m3()",
                "  m2() ⇌D m3()",
                "  m1() ⇌D m2()",
                "  m1() ⇌D m1()"
            ]
        );
    }

    #[test]
    fn a_class_without_such_pairs_has_no_such_section() {
        assert_eq!(section(&sample::class_of(2, &[(0, 1, true, false)]), false), "");
    }

    #[test]
    fn different_evidence_is_told_for_both_methods() {
        assert_eq!(
            both("<this, o> A.java:1 → A.java:2", "<o, this> A.java:5 → A.java:6"),
            "<this, o> A.java:1 → A.java:2  against  <o, this> A.java:5 → A.java:6"
        );
    }
}
