//! State besides the receiver's that a call changes: static state by the classes that have it, and arguments.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_program::{ClassId, Symbol};

use super::depend::PreciseAnalyzer;
use super::path::Root;
use super::summary::{Key, Summary};
use crate::facts::AccessKind;

/// Methods that one call of a test is worth, besides those that the analysis of its class has looked at: what makes an
/// argument may be a whole library. What such a call changes is not known then, which is said.
const MOST_METHODS: usize = 600;

impl PreciseAnalyzer<'_> {
    /// Java names of the classes outside the platform of which a call of this method, on an object of this class, sets
    /// static fields or changes what they hold.
    pub(crate) fn changed_statics(
        &self,
        class: ClassId,
        (name, descriptor): (Symbol, Symbol),
    ) -> Option<BTreeSet<String>> {
        let program = self.engine.program;
        let (_, summary) = self.called(class, (name, descriptor))?;
        let owners = summary
            .accesses
            .iter()
            .filter(|fact| fact.kind == AccessKind::Write)
            .filter_map(|fact| match fact.location.root {
                Root::Static(field) => Some(program.field(field).owner),
                _ => None,
            })
            .filter(|owner| program.class(*owner).is_some_and(|class| !class.is_platform()))
            .map(|owner| program.name(owner));
        Some(owners.collect())
    }

    /// Positions of the arguments whose state a call of this method, on an object of this class, can change.
    pub(crate) fn changed_arguments(
        &self,
        class: ClassId,
        name: (Symbol, Symbol),
    ) -> Option<BTreeSet<usize>> {
        let (key, summary) = self.called(class, name)?;
        let receiver = u16::from(key.receiver.is_some());
        let written = summary
            .accesses
            .iter()
            .filter(|fact| fact.kind == AccessKind::Write);
        let positions = written.filter_map(|fact| match fact.location.root {
            Root::Param(index) => index.checked_sub(receiver).map(usize::from),
            _ => None,
        });
        Some(positions.collect())
    }

    /// The method that a call runs on an object of this class, and what it does.
    fn called(&self, class: ClassId, (name, descriptor): (Symbol, Symbol)) -> Option<(Key, Arc<Summary>)> {
        let engine = &self.engine;
        let program = engine.program;
        let selected = program.select_method(class, name, descriptor);
        let called = selected.or_else(|| program.resolve_method(class, name, descriptor));
        let method = called.filter(|method| !program.is_abstract(*method))?;
        let receiver = (!engine.is_static(method)).then_some(class);
        let key = Key { method, receiver };
        Some((key, engine.summary_within(key, MOST_METHODS)?))
    }
}
