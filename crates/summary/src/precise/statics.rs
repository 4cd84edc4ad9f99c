//! Static state that a call changes, by the classes that have it.

use std::collections::BTreeSet;

use raddle_program::{ClassId, Symbol};

use super::depend::PreciseAnalyzer;
use super::path::Root;
use super::summary::Key;
use crate::facts::AccessKind;

impl PreciseAnalyzer<'_> {
    /// Java names of the classes outside the platform of which a call of this method, on an object of this class, sets
    /// static fields or changes what they hold.
    pub(crate) fn changed_statics(
        &self,
        class: ClassId,
        (name, descriptor): (Symbol, Symbol),
    ) -> BTreeSet<String> {
        let engine = &self.engine;
        let program = engine.program;
        let selected = program.select_method(class, name, descriptor);
        let called = selected.or_else(|| program.resolve_method(class, name, descriptor));
        let Some(method) = called.filter(|method| !program.is_abstract(*method)) else {
            return BTreeSet::new();
        };
        let receiver = (!engine.is_static(method)).then_some(class);
        let summary = engine.summary(Key { method, receiver });
        summary
            .accesses
            .iter()
            .filter(|fact| fact.kind == AccessKind::Write)
            .filter_map(|fact| match fact.location.root {
                Root::Static(field) => Some(program.field(field).owner),
                _ => None,
            })
            .filter(|owner| program.class(*owner).is_some_and(|class| !class.is_platform()))
            .map(|owner| program.name(owner))
            .collect()
    }
}
