//! The analysis as published: DepCon+ sections 4 and 5, Algorithms 1 and 2.

mod access;
mod alias;
mod body;
mod callee;
mod depend;
mod double_lock;
mod family;
mod library;
mod monitor;
mod names;
mod path;
mod unroll;

use std::collections::BTreeSet;

use raddle_program::{ClassId, MethodId, Program};

use self::access::{Accessed, Location, Unknown};
use self::family::Family;
use self::library::Library;
use self::names::Names;
use self::path::{Path, Step};
use self::unroll::{Nested, Site};
use crate::facts::{Access, AccessMode, ClassFacts, DoubleLock, MethodFacts, Place, Precision, UnknownCall};
use crate::place::{place, signature};

/// The analysis, with what it has learnt about methods outside the classes under test.
pub(crate) struct PaperAnalyzer<'p> {
    program: &'p Program,
    library: Library<'p>,
}

/// The three summaries of a public method.
struct MethodSummary {
    id: MethodId,
    /// AS(m), ordered as it is printed.
    accesses: Vec<Accessed>,
    /// LS(m).
    locks: Vec<Path>,
    /// DS(m), ordered as it is printed.
    nested: Vec<Nested>,
}

impl<'p> PaperAnalyzer<'p> {
    /// An analysis of `program` that knows nothing yet.
    pub(crate) fn new(program: &'p Program) -> PaperAnalyzer<'p> {
        PaperAnalyzer { program, library: Library::new(program) }
    }

    /// Everything the paper's analysis says about one class.
    pub(crate) fn analyze(&self, class: ClassId) -> ClassFacts {
        let mut missing: BTreeSet<String> = BTreeSet::new();
        missing.extend(callee::missing_ancestor(self.program, class).map(|id| self.program.name(id)));
        let mut family = Family::new(self.program, class);
        let mut methods = Vec::new();
        let mut summaries = Vec::new();
        for id in self.program.public_methods(class) {
            let (summary, facts) = self.method(&mut family, id, &mut missing);
            summaries.push(summary);
            methods.push(facts);
        }
        let (pairs, counts) = depend::pairs(self.program, class, &summaries);
        ClassFacts {
            class: self.program.name(class),
            origin: self.program.class(class).map(|class| class.origin().to_string()).unwrap_or_default(),
            precision: Precision::Paper,
            methods,
            pairs,
            counts,
            missing: missing.into_iter().collect(),
        }
    }

    fn method(
        &self,
        family: &mut Family<'p>,
        id: MethodId,
        missing: &mut BTreeSet<String>,
    ) -> (MethodSummary, MethodFacts) {
        let access = access::summarize(family, &self.library, id);
        let nested = double_lock::summarize(family, &self.library, id);
        missing.extend(access.missing.iter().map(|&class| self.program.name(class)));

        let mut names = Names::new(self.program, id);
        let mut locks: Vec<String> = access.locks.iter().map(|lock| names.path(lock)).collect();
        locks.sort();
        let mut accesses: Vec<(Access, Accessed)> = access
            .accesses
            .iter()
            .map(|accessed| (self.access(&mut names, id, accessed, &locks), *accessed))
            .collect();
        accesses.sort_by(|(a, _), (b, _)| (&a.location, a.kind, &a.place).cmp(&(&b.location, b.kind, &b.place)));
        let (accesses, accessed) = accesses.into_iter().unzip();
        let mut double_locks: Vec<(DoubleLock, Nested)> = nested
            .iter()
            .map(|nested| (self.double_lock(&mut names, nested), *nested))
            .collect();
        double_locks.sort_by(|(a, _), (b, _)| order(a).cmp(&order(b)));
        let (double_locks, nested) = double_locks.into_iter().unzip();
        let mut unknown_calls: Vec<UnknownCall> =
            access.unknown.iter().map(|unknown| self.unknown_call(unknown)).collect();
        unknown_calls.sort();
        unknown_calls.dedup();

        let declared = self.program.method(id);
        let facts = MethodFacts {
            signature: signature(self.program, id),
            declared_in: self.program.name(id.class),
            is_static: declared.is_some_and(|(_, method)| method.access.is_static()),
            accesses,
            locks,
            double_locks,
            unknown_calls,
        };
        (MethodSummary { id, accesses: accessed, locks: access.locks, nested }, facts)
    }

    fn at(&self, site: Site) -> Place {
        place(self.program, site.method, site.pc)
    }

    fn access(&self, names: &mut Names<'p>, method: MethodId, accessed: &Accessed, locks: &[String]) -> Access {
        Access {
            location: names.location(&accessed.location),
            kind: accessed.kind,
            mode: self.mode(&accessed.location),
            held: locks.to_vec(),
            place: self.at(accessed.site),
            via: accessed.via.map(|pc| self.at(Site { method, pc })),
        }
    }

    fn mode(&self, location: &Location) -> AccessMode {
        let field = match (location.path.last(), location.path.root) {
            _ if location.state => None,
            (Some(Step::Field(field)), _) | (None, path::Root::Static(field)) => Some(field),
            _ => None,
        };
        let access = field.and_then(|field| self.program.field(field).access);
        if access.is_some_and(|access| access.is_volatile()) { AccessMode::Volatile } else { AccessMode::Plain }
    }

    fn double_lock(&self, names: &mut Names<'p>, nested: &Nested) -> DoubleLock {
        DoubleLock {
            first: names.path(&nested.outer.lock),
            second: names.path(&nested.inner.lock),
            first_place: self.at(nested.outer.site),
            second_place: self.at(nested.inner.site),
        }
    }

    fn unknown_call(&self, unknown: &Unknown) -> UnknownCall {
        match unknown {
            Unknown::Callee(missing, site) => UnknownCall {
                callee: missing.callee.clone(),
                reason: match missing.class {
                    Some(class) => format!("class {} could not be loaded", self.program.name(class)),
                    None => "there is no such method".to_owned(),
                },
                place: self.at(*site),
            },
            Unknown::Code(method, fault) => UnknownCall {
                callee: format!("{}.{}", self.program.name(method.class), signature(self.program, *method)),
                reason: format!("its code could not be read: {fault}"),
                place: self.at(Site { method: *method, pc: 0 }),
            },
        }
    }
}

fn order(lock: &DoubleLock) -> (&str, &str, &Place, &Place) {
    (&lock.first, &lock.second, &lock.first_place, &lock.second_place)
}
