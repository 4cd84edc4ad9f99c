//! A reader that sees a state in between: another call stores one state on its way to the next, as in `STARTING` and then
//! `STARTED`, where everybody may look.
//!
//! That is by design where the variable is made to be read without a lock, and holds an object: whoever stores a name for what
//! is going on means it to be seen. A number that is raised and lowered again is none of this.

use super::calls::{Access, Calls, Span};
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

/// Only readers of such a state came to something else.
pub(super) struct InBetween;

impl Rule for InBetween {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        if case.violation.kind != Kind::Result || differences.is_empty() {
            return None;
        }
        let readers: Vec<usize> = differences.iter().map(|difference| difference.call).collect();
        let mut writer = None;
        for reader in &readers {
            writer = Some(passing(case, calls, calls.find(*reader)?)?);
        }
        Some(Weakness {
            rule: WeakKind::Snapshot,
            sentence: format!(
                "state in between: {} sees what {} stores on its way",
                case.name(*readers.first()?),
                case.name(writer?)
            ),
            calls: readers,
        })
    }
}

/// The call whose passing state a call reads, if that is all it reads of what others change.
fn passing(case: &Case<'_>, calls: &Calls, reader: &Span) -> Option<usize> {
    if !calls.only_reads(reader) {
        return None;
    }
    let others = || calls.spans.iter().filter(|other| other.thread != reader.thread);
    let is_changed = |access: &&Access| {
        let mut writes = others()
            .flat_map(|other| &other.accesses)
            .filter(|other| other.is_write);
        writes.any(|write| write.variable == access.variable)
    };
    let met: Vec<&Access> = reader.accesses.iter().filter(is_changed).collect();
    let [read] = met[..] else {
        return None;
    };
    let field = case.run.events.get(read.at)?.field()?;
    let is_open = read.locks.is_empty() && (case.run.is_volatile)(field) && field.descriptor.ends_with(';');
    let writes = |span: &Span, is_wanted: &dyn Fn(usize) -> bool| {
        let mut own = span.accesses.iter().filter(|access| access.is_write);
        own.any(|access| access.variable == read.variable && is_wanted(access.at))
    };
    others()
        .find(|other| writes(other, &|at| at < read.at) && writes(other, &|at| at > read.at))
        .filter(|_| is_open)
        .map(|other| other.call)
}
