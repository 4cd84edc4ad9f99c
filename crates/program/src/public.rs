//! The public method set M of a class.
//!
//! Definition (it reproduces CovCon's Table II on the original jars): public, non-abstract, declared or inherited
//! without those of `java.lang.Object`, one per signature, statics included. Signature means name and parameter
//! types, so an override and the bridge the compiler adds beside it count once. Default methods of interfaces count for
//! classes compiled for Java 8 or later: an older class was written, and counted, without them.

use rustc_hash::FxHashSet;

use crate::class::Class;
use crate::ids::{ClassId, MethodId, Symbol};
use crate::program::Program;

/// Class-file version of Java 8.
const JAVA_8: u16 = 52;

impl Program {
    /// M, in declaration order: the class's own methods, then inherited ones, then defaults of interfaces.
    pub fn public_methods(&self, class: ClassId) -> Vec<MethodId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for ancestor in self
            .ancestry(class)
            .filter(|ancestor| ancestor.id() != self.object())
        {
            self.collect(ancestor, false, &mut seen, &mut found);
        }
        let knows_defaults = self
            .class(class)
            .is_some_and(|class| class.file().major() >= JAVA_8);
        for interface in self.all_interfaces(class).into_iter().filter(|_| knows_defaults) {
            if let Some(interface) = self.class(interface) {
                self.collect(interface, true, &mut seen, &mut found);
            }
        }
        found
    }

    fn collect(
        &self,
        class: &Class,
        is_interface: bool,
        seen: &mut FxHashSet<(Symbol, String)>,
        found: &mut Vec<MethodId>,
    ) {
        let mut candidates: Vec<usize> = (0..class.methods.len()).collect();
        // The method a person wrote stands for its bridges.
        candidates.sort_by_key(|&index| class.methods[index].access.is_bridge());
        let mut chosen = Vec::new();
        for index in candidates {
            let method = class.methods[index];
            let name = self.text(method.name);
            if name.starts_with('<') || !method.access.is_public() {
                continue;
            }
            if is_interface && method.access.is_static() {
                continue; // static methods of interfaces are not inherited
            }
            if method.access.is_abstract() {
                continue;
            }
            if self.overridden_below(class, index, found) {
                continue;
            }
            let parameters = self
                .text(method.descriptor)
                .split(')')
                .next()
                .unwrap_or_default()
                .to_owned();
            if seen.insert((method.name, parameters)) {
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        found.extend(chosen.into_iter().map(|index| MethodId {
            class: class.id(),
            index: index as u16,
        }));
    }

    /// A superclass method is hidden by an equal signature found nearer; `seen` covers public ones, and Java forbids
    /// hiding a public method by a less visible one, so nothing else is left to check here but exact repeats.
    fn overridden_below(&self, class: &Class, index: usize, found: &[MethodId]) -> bool {
        let method = class.methods[index];
        found.iter().any(|id| {
            self.method(*id)
                .is_some_and(|(_, other)| other.name == method.name && other.descriptor == method.descriptor)
        })
    }
}
