//! From summaries by number to facts in words.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, FieldId, Program};
use rustc_hash::FxHashSet;

use super::depend::{Method, PreciseAnalyzer};
use super::role::Speaker;
use super::summary::Opaque;
use crate::facts::{Access, ClassFacts, Counts, DoubleLock, MethodFacts, PairFacts, Precision, UnknownCall};
use crate::place::{place, signature};

impl PreciseAnalyzer<'_> {
    /// Everything, for one class. `changed` are the fields that its public methods write.
    pub(crate) fn facts(
        &self,
        class: ClassId,
        methods: &[Method],
        changed: &FxHashSet<FieldId>,
        pairs: Vec<PairFacts>,
    ) -> ClassFacts {
        let program = self.engine.program;
        let n = methods.len();
        let mpc = pairs.iter().filter(|pair| pair.mpc).count();
        let md = pairs.iter().filter(|pair| pair.double_lock.is_some()).count();
        let union = pairs
            .iter()
            .filter(|pair| pair.mpc || pair.double_lock.is_some())
            .count();
        ClassFacts {
            class: program.name(class),
            origin: program
                .class(class)
                .map_or_else(String::new, |class| class.origin().to_string()),
            precision: Precision::Precise,
            methods: methods
                .iter()
                .map(|method| self.method_facts(method, changed))
                .collect(),
            pairs,
            counts: Counts {
                m: n * (n + 1) / 2,
                mpc,
                md,
                union,
            },
            missing: self.missing(class, methods),
        }
    }

    /// Classes that were called or inherited from and could not be loaded.
    fn missing(&self, class: ClassId, methods: &[Method]) -> Vec<String> {
        let program = self.engine.program;
        let called = methods
            .iter()
            .flat_map(|method| &method.summary.opaque)
            .map(|fact| fact.class);
        let above = program
            .ancestry(class)
            .filter_map(raddle_program::Class::super_class);
        let mut names: Vec<String> = called
            .chain(above)
            .chain(program.all_interfaces(class))
            .filter(|class| program.class(*class).is_none())
            .map(|class| program.name(class))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    fn method_facts(&self, method: &Method, changed: &FxHashSet<FieldId>) -> MethodFacts {
        let program = self.engine.program;
        let speaker = Speaker::new(&self.engine, method.key);
        let own = method.key.method;
        let accesses = method
            .summary
            .accesses
            .iter()
            .map(|fact| Access {
                location: speaker.say(fact.location),
                kind: fact.kind,
                mode: fact.mode,
                held: fact
                    .held
                    .iter()
                    .map(|(lock, _)| speaker.say_lock(*lock))
                    .collect(),
                place: place(program, fact.place.0, fact.place.1),
                via: (fact.place.0 != own).then(|| place(program, own, fact.via)),
            })
            .collect();
        let mut locks: Vec<String> = self
            .lock_summary(&method.summary, Some(changed))
            .iter()
            .map(|lock| speaker.say_lock(*lock))
            .collect();
        locks.sort();
        let double_locks = method
            .nested
            .iter()
            .map(|(first, second, fact)| DoubleLock {
                first: first.text.clone(),
                second: second.text.clone(),
                first_place: place(program, fact.first_place.0, fact.first_place.1),
                second_place: place(program, fact.second_place.0, fact.second_place.1),
                via: (fact.second_place.0 != own).then(|| place(program, own, fact.via)),
            })
            .collect();
        let mut unknown_calls: Vec<UnknownCall> = method
            .summary
            .opaque
            .iter()
            .map(|fact| UnknownCall {
                callee: callee_name(program, fact),
                reason: fact.reason.to_owned(),
                place: place(program, fact.place.0, fact.place.1),
            })
            .collect();
        unknown_calls.sort();
        MethodFacts {
            signature: signature(program, own),
            declared_in: program.name(own.class),
            is_static: self.engine.is_static(own),
            accesses,
            locks,
            double_locks,
            unknown_calls,
        }
    }
}

fn callee_name(program: &Program, fact: &Opaque) -> String {
    let parameters = MethodType::parse(program.text(fact.descriptor))
        .map(|types| {
            types
                .parameters
                .iter()
                .map(FieldType::java)
                .collect::<Vec<_>>()
                .join(", ")
        })
        .unwrap_or_default();
    format!(
        "{}.{}({parameters})",
        program.name(fact.class),
        program.text(fact.name)
    )
}
