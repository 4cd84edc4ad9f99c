//! Member resolution and method selection, by the rules of the Java virtual machine.

use crate::class::Class;
use crate::ids::{ClassId, FieldId, MethodId, Symbol};
use crate::program::Program;

/// No real hierarchy is deeper; a malformed one (a class that is its own ancestor) must still end.
const MAX_DEPTH: usize = 128;

impl Program {
    /// The class and its superclasses, nearest first, as far as they can be loaded.
    pub fn ancestry(&self, class: ClassId) -> impl Iterator<Item = &Class> {
        std::iter::successors(self.class(class), |class| {
            class.super_class.and_then(|id| self.class(id))
        })
        .take(MAX_DEPTH)
    }

    /// Every superinterface of a class, direct and inherited, each once, nearest first.
    pub fn all_interfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = Vec::new();
        for ancestor in self.ancestry(class) {
            for &interface in &ancestor.interfaces {
                if !found.contains(&interface) {
                    found.push(interface);
                }
            }
        }
        let mut next = 0;
        while let Some(&interface) = found.get(next) {
            next += 1;
            for &parent in self.class(interface).map_or(&[][..], |class| class.interfaces()) {
                if !found.contains(&parent) {
                    found.push(parent);
                }
            }
        }
        found
    }

    /// Whether `sub` is `sup` or below it. `None` when a missing class hides the answer.
    pub fn is_subtype(&self, sub: ClassId, sup: ClassId) -> Option<bool> {
        if sub == sup || sup == self.object() {
            return Some(true);
        }
        let mut complete = true;
        let mut interfaces = Vec::new();
        let mut current = Some(sub);
        let mut depth = 0;
        while let Some(id) = current {
            if id == sup {
                return Some(true);
            }
            depth += 1;
            match self.class(id) {
                Some(class) if depth < MAX_DEPTH => {
                    interfaces.extend_from_slice(&class.interfaces);
                    current = class.super_class;
                }
                _ => {
                    complete = false;
                    break;
                }
            }
        }
        let mut next = 0;
        while let Some(&interface) = interfaces.get(next) {
            if interface == sup {
                return Some(true);
            }
            next += 1;
            match self.class(interface) {
                Some(class) => {
                    for &parent in &class.interfaces {
                        if !interfaces.contains(&parent) {
                            interfaces.push(parent);
                        }
                    }
                }
                None => complete = false,
            }
        }
        complete.then_some(false)
    }

    /// Resolution of a method reference (JVM specification 5.4.3.3 and 5.4.3.4): superclasses, then superinterfaces,
    /// a non-abstract one preferred.
    pub fn resolve_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        if let Some(found) = self
            .ancestry(class)
            .find_map(|class| class.method(name, descriptor))
        {
            return Some(found);
        }
        let mut fallback = None;
        for interface in self.all_interfaces(class) {
            let Some(found) = self
                .class(interface)
                .and_then(|class| class.method(name, descriptor))
            else {
                continue;
            };
            if !self.is_abstract(found) {
                return Some(found);
            }
            fallback = fallback.or(Some(found));
        }
        // An interface's methods include Object's.
        fallback.or_else(|| {
            self.class(self.object())
                .and_then(|object| object.method(name, descriptor))
        })
    }

    /// Selection of the method that runs when the receiver's class is exactly `receiver` (JVM specification 5.4.6).
    pub fn select_method(&self, receiver: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let in_classes = self.ancestry(receiver).find_map(|class| {
            let found = class.method(name, descriptor)?;
            let access = class.methods[usize::from(found.index)].access;
            (!access.is_static()).then_some((found, access.is_abstract()))
        });
        match in_classes {
            Some((found, false)) => return Some(found),
            Some((_, true)) => return None,
            None => {}
        }
        // The most specific default method: one that no other candidate's interface extends.
        let candidates: Vec<MethodId> = self
            .all_interfaces(receiver)
            .into_iter()
            .filter_map(|interface| self.class(interface)?.method(name, descriptor))
            .filter(|&found| {
                self.method(found)
                    .is_some_and(|(_, method)| !method.access.is_static())
            })
            .collect();
        candidates
            .iter()
            .copied()
            .find(|found| {
                !self.is_abstract(*found)
                    && !candidates.iter().any(|other| {
                        other.class != found.class && self.is_subtype(other.class, found.class) == Some(true)
                    })
            })
            .or_else(|| candidates.iter().copied().find(|found| !self.is_abstract(*found)))
    }

    /// The field a reference means: declared in the class, its superinterfaces or superclasses.
    pub fn resolve_field(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> FieldId {
        for ancestor in self.ancestry(class) {
            if let Some(found) = self.declared_field(ancestor, name, descriptor) {
                return found;
            }
        }
        for interface in self.all_interfaces(class) {
            if let Some(found) = self
                .class(interface)
                .and_then(|class| self.declared_field(class, name, descriptor))
            {
                return found;
            }
        }
        self.intern_field(class, name, descriptor, None)
    }

    fn declared_field(&self, class: &Class, name: Symbol, descriptor: Symbol) -> Option<FieldId> {
        class
            .fields
            .iter()
            .find(|field| field.name == name && field.descriptor == descriptor)
            .map(|field| self.intern_field(class.id, name, descriptor, Some(field.access)))
    }

    /// Every field declared in a class.
    pub fn fields_of(&self, class: &Class) -> Vec<FieldId> {
        class
            .fields
            .iter()
            .map(|field| self.intern_field(class.id, field.name, field.descriptor, Some(field.access)))
            .collect()
    }

    /// Whether a method has no body to run.
    pub fn is_abstract(&self, id: MethodId) -> bool {
        self.method(id)
            .is_none_or(|(_, method)| method.access.is_abstract())
    }
}
