//! Summaries as facts: names and places instead of ids, in a fixed order.

use raddle_classfile::AccessFlags;
use raddle_program::{MethodId, Program};
use rustc_hash::FxHashMap;

use super::MethodSummary;
use super::access::{AccessSummary, Accessed, Location, Unknown};
use super::names::Names;
use super::path::{Root, Step};
use super::unroll::{Nested, Site};
use crate::facts::{Access, AccessMode, DoubleLock, MethodFacts, Place, UnknownCall};
use crate::place::{place, signature};

/// Prints the methods of one class. Places recur, so they are worked out once.
pub(super) struct Printer<'p> {
    program: &'p Program,
    places: FxHashMap<Site, Place>,
}

impl<'p> Printer<'p> {
    pub(super) fn new(program: &'p Program) -> Printer<'p> {
        Printer {
            program,
            places: FxHashMap::default(),
        }
    }

    /// A method's facts, and its summaries in the same order.
    pub(super) fn method(
        &mut self,
        id: MethodId,
        access: AccessSummary,
        nested: &[Nested],
    ) -> (MethodSummary, MethodFacts) {
        let mut names = Names::new(self.program, id);
        let mut locks: Vec<String> = access.locks.iter().map(|lock| names.path(lock)).collect();
        locks.sort();
        let mut accesses: Vec<(Access, Accessed)> = access
            .accesses
            .iter()
            .map(|accessed| (self.access(&mut names, id, accessed, &locks), *accessed))
            .collect();
        accesses
            .sort_by(|(a, _), (b, _)| (&a.location, a.kind, &a.place).cmp(&(&b.location, b.kind, &b.place)));
        let (accesses, accessed) = accesses.into_iter().unzip();
        let mut double_locks: Vec<(DoubleLock, Nested)> = nested
            .iter()
            .map(|nested| (self.double_lock(&mut names, nested), *nested))
            .collect();
        double_locks.sort_by(|(a, _), (b, _)| order(a).cmp(&order(b)));
        let (double_locks, nested) = double_locks.into_iter().unzip();
        let mut unknown_calls: Vec<UnknownCall> = access
            .unknown
            .iter()
            .map(|unknown| self.unknown_call(unknown))
            .collect();
        unknown_calls.sort();
        unknown_calls.dedup();

        let facts = MethodFacts {
            signature: signature(self.program, id),
            declared_in: self.program.name(id.class),
            is_static: self
                .program
                .method(id)
                .is_some_and(|(_, method)| method.access.is_static()),
            accesses,
            locks,
            double_locks,
            unknown_calls,
        };
        (
            MethodSummary {
                id,
                accesses: accessed,
                locks: access.locks,
                nested,
            },
            facts,
        )
    }

    fn at(&mut self, site: Site) -> Place {
        let program = self.program;
        self.places
            .entry(site)
            .or_insert_with(|| place(program, site.method, site.pc))
            .clone()
    }

    fn access(
        &mut self,
        names: &mut Names<'p>,
        method: MethodId,
        accessed: &Accessed,
        locks: &[String],
    ) -> Access {
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
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
            _ => None,
        };
        let access = field.and_then(|field| self.program.field(field).access);
        if access.is_some_and(AccessFlags::is_volatile) {
            AccessMode::Volatile
        } else {
            AccessMode::Plain
        }
    }

    fn double_lock(&mut self, names: &mut Names<'p>, nested: &Nested) -> DoubleLock {
        DoubleLock {
            first: names.path(&nested.outer.lock),
            second: names.path(&nested.inner.lock),
            first_place: self.at(nested.outer.site),
            second_place: self.at(nested.inner.site),
            via: None,
        }
    }

    fn unknown_call(&mut self, unknown: &Unknown) -> UnknownCall {
        let program = self.program;
        match unknown {
            Unknown::Callee(missing, site) => UnknownCall {
                callee: missing.callee.clone(),
                reason: match missing.class {
                    Some(class) => format!("class {} could not be loaded", program.name(class)),
                    None => "there is no such method".to_owned(),
                },
                place: self.at(*site),
            },
            Unknown::Code(method, fault) => UnknownCall {
                callee: format!("{}.{}", program.name(method.class), signature(program, *method)),
                reason: format!("its code could not be read: {fault}"),
                place: self.at(Site {
                    method: *method,
                    pc: 0,
                }),
            },
        }
    }
}

fn order(lock: &DoubleLock) -> (&str, &str, &Place, &Place) {
    (&lock.first, &lock.second, &lock.first_place, &lock.second_place)
}
