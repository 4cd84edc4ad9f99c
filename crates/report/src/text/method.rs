//! The methods: one line each, or all their evidence.

use std::fmt::Write;

use raddle_summary::{Access, AccessKind, AccessMode, ClassFacts, MethodFacts, Place};

use super::{TextOptions, place};

/// Columns beyond which a cell no longer pushes the following ones to the right on every line.
const MAX_SIGNATURE: usize = 40;
const MAX_CELL: usize = 28;
/// Members of LS and of DS on the line of a method.
const SHOWN_LOCKS: usize = 2;
const SHOWN_DOUBLE_LOCKS: usize = 1;
const LEGEND: &str = "Methods   LS locks held throughout   DS locks taken inside others   ?n calls not seen through   \
                      AS accesses: R read, W write\n";

/// All methods, numbered from 1.
pub(super) fn section(facts: &ClassFacts, options: TextOptions) -> String {
    let lines: Vec<Line> = facts.methods.iter().map(Line::new).collect();
    let signature_width = widest(lines.iter().map(|line| &line.signature), MAX_SIGNATURE);
    let locks_width = widest(lines.iter().map(|line| &line.locks), MAX_CELL);
    let double_locks_width = widest(lines.iter().map(|line| &line.double_locks), MAX_CELL);
    let unknown_width = widest(lines.iter().map(|line| &line.unknown), MAX_CELL);
    let mut text = LEGEND.to_owned();
    for (index, (line, method)) in lines.iter().zip(&facts.methods).enumerate() {
        let mut head = format!(
            "{:>4}  {:<signature_width$}  LS {:<locks_width$}  DS {:<double_locks_width$}  ",
            index + 1,
            line.signature,
            line.locks,
            line.double_locks
        );
        if unknown_width > 0 {
            let _ = write!(head, "{:<unknown_width$}  ", line.unknown);
        }
        head.push_str("AS ");
        let budget = options.width.saturating_sub(head.chars().count());
        text.push_str(&head);
        text.push_str(&fitting(&compact_accesses(&method.accesses), budget));
        text.push('\n');
        if options.verbose {
            text.push_str(&evidence(facts, method));
        }
    }
    text
}

/// The cells of one line before the accesses.
struct Line {
    signature: String,
    locks: String,
    double_locks: String,
    unknown: String,
}

impl Line {
    fn new(method: &MethodFacts) -> Line {
        let signature = short_signature(method);
        let mut pairs: Vec<String> = Vec::new();
        for lock in &method.double_locks {
            let pair = format!("<{}, {}>", lock.first, lock.second);
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        let unknown = match method.unknown_calls.len() {
            0 => String::new(),
            count => format!("?{count}"),
        };
        Line {
            signature,
            locks: set(&method.locks, SHOWN_LOCKS),
            double_locks: set(&pairs, SHOWN_DOUBLE_LOCKS),
            unknown,
        }
    }
}

/// Signature with simple type names, so that the line has room for the rest: `static of(Object, int[])`. The full
/// one stands beside the method's number in the dependencies.
fn short_signature(method: &MethodFacts) -> String {
    let modifier = if method.is_static { "static " } else { "" };
    let Some((name, parameters)) = method.signature.trim_end_matches(')').split_once('(') else {
        return format!("{modifier}{}", method.signature);
    };
    let types: Vec<&str> = parameters.split(", ").map(place::simple_name).collect();
    format!("{modifier}{name}({})", types.join(", "))
}

fn widest<'a>(cells: impl Iterator<Item = &'a String>, limit: usize) -> usize {
    cells
        .map(|cell| cell.chars().count())
        .filter(|width| *width <= limit)
        .max()
        .unwrap_or(0)
}

/// `{a, b, … +3}`.
fn set(members: &[String], shown: usize) -> String {
    let rest = members.len().saturating_sub(shown);
    let more = (rest > 0).then(|| format!("… +{rest}"));
    let parts: Vec<String> = members.iter().take(shown).cloned().chain(more).collect();
    format!("{{{}}}", parts.join(", "))
}

/// One item per location, writes first: `RW this.table[]`, `R this.count`.
fn compact_accesses(accesses: &[Access]) -> Vec<String> {
    let mut locations: Vec<(&str, bool, bool)> = Vec::new();
    for access in accesses {
        let (reads, writes) = (access.kind == AccessKind::Read, access.kind == AccessKind::Write);
        match locations
            .iter_mut()
            .find(|(location, ..)| *location == access.location)
        {
            Some((_, read, written)) => {
                *read |= reads;
                *written |= writes;
            }
            None => locations.push((&access.location, reads, writes)),
        }
    }
    locations.sort_by_key(|(_, _, written)| !written);
    let kind = |read, written| match (read, written) {
        (true, true) => "RW",
        (false, true) => "W",
        _ => "R",
    };
    locations
        .into_iter()
        .map(|(location, read, written)| format!("{} {location}", kind(read, written)))
        .collect()
}

/// As many items as fit in `budget` columns, at least one, then how many more there are.
fn fitting(items: &[String], budget: usize) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        let separator = if index == 0 { "" } else { "  " };
        let more = |rest: usize| {
            if rest == 0 {
                String::new()
            } else {
                format!("  … +{rest}")
            }
        };
        let needed =
            [&text, separator, item, &more(items.len() - index - 1)].map(|part| part.chars().count());
        if index > 0 && needed.iter().sum::<usize>() > budget {
            text.push_str(&more(items.len() - index));
            break;
        }
        text.push_str(separator);
        text.push_str(item);
    }
    text
}

/// Every fact of a method with its place, one line each.
fn evidence(facts: &ClassFacts, method: &MethodFacts) -> String {
    let mut text = String::new();
    if method.declared_in != facts.class {
        let _ = writeln!(text, "        from {}", method.declared_in);
    }
    for access in &method.accesses {
        let _ = writeln!(text, "        {}", access_text(access));
    }
    for lock in &method.double_locks {
        let _ = writeln!(
            text,
            "        <{}, {}>  {} → {}{}",
            lock.first,
            lock.second,
            place::full(&lock.first_place),
            place::full(&lock.second_place),
            via_text(lock.via.as_ref())
        );
    }
    for call in &method.unknown_calls {
        let _ = writeln!(
            text,
            "        ? {}  {}  {}",
            call.callee,
            place::full(&call.place),
            call.reason
        );
    }
    text
}

/// `  via Account.move(int) Account.java:12 @3`, or nothing.
fn via_text(via: Option<&Place>) -> String {
    via.map(|via| format!("  via {}", place::full(via)))
        .unwrap_or_default()
}

/// `W to.amount volatile {this, to}  Account.add(int) Account.java:30 @5  via …`.
fn access_text(access: &Access) -> String {
    let mode = match access.mode {
        AccessMode::Plain => "",
        AccessMode::Volatile => " volatile",
        AccessMode::Atomic => " atomic",
    };
    let via = via_text(access.via.as_ref());
    format!(
        "{} {}{mode}  held {{{}}}  {}{via}",
        kind_text(access.kind),
        access.location,
        access.held.join(", "),
        place::full(&access.place)
    )
}

pub(super) fn kind_text(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "R",
        AccessKind::Write => "W",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn items(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn accesses_are_cut_where_the_line_ends() {
        let all = items(&["R this.a", "R this.b", "R this.c"]);
        assert_eq!(fitting(&all, 28), "R this.a  R this.b  R this.c");
        assert_eq!(fitting(&all, 27), "R this.a  R this.b  … +1");
        assert_eq!(fitting(&all, 0), "R this.a  … +2");
        assert_eq!(fitting(&[], 10), "none");
    }

    #[test]
    fn accesses_are_merged_by_location_and_writes_come_first() {
        let at = || sample::place("m()", 0, 1);
        let accesses = [
            sample::read("this.a", at()),
            sample::read("this.b", at()),
            sample::write("this.b", at()),
        ];
        assert_eq!(compact_accesses(&accesses), ["RW this.b", "R this.a"]);
    }

    #[test]
    fn long_sets_are_cut() {
        assert_eq!(set(&[], 2), "{}");
        assert_eq!(set(&items(&["this", "o"]), 2), "{this, o}");
        assert_eq!(set(&items(&["this", "o", "p", "q"]), 2), "{this, o, … +2}");
    }

    #[test]
    fn signatures_are_listed_with_simple_type_names() {
        let listed = |signature| short_signature(&sample::method(signature));
        assert_eq!(listed("size()"), "size()");
        assert_eq!(
            listed("put(java.lang.Object, int[], a.B$C[])"),
            "put(Object, int[], B$C[])"
        );
    }
}
