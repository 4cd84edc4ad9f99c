//! What a class can depend on: the classes of the class path that it refers to, and those that these refer to.

use std::collections::BTreeMap;

use raddle_classfile::ClassFile;
use raddle_classpath::Fingerprint;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::ClassId;
use crate::program::Program;

/// Tells whether classes, or what they depend on, have changed. Each class is looked at once.
///
/// A class refers to those that its constant pool names, in descriptors and signatures, too. What is only named by a text,
/// or found as an implementation, is not seen. The JDK is left out.
pub struct Reach<'a> {
    program: &'a Program,
    known: FxHashMap<ClassId, Seen>,
}

/// A class that was looked at.
struct Seen {
    /// Of its bytes; none if the class is not there, or of the JDK.
    bytes: Option<u64>,
    refers_to: Vec<ClassId>,
}

impl<'a> Reach<'a> {
    /// Nothing is looked at yet.
    pub fn new(program: &'a Program) -> Reach<'a> {
        Reach {
            program,
            known: FxHashMap::default(),
        }
    }

    /// A number that is equal as long as the class, and all that it depends on, have the same bytes.
    pub fn fingerprint(&mut self, class: ClassId) -> u64 {
        let mut reached = FxHashSet::default();
        let mut open = vec![class];
        // By name, since ids depend on what was asked before.
        let mut parts = BTreeMap::new();
        while let Some(class) = open.pop() {
            if !reached.insert(class) {
                continue;
            }
            let program = self.program;
            let seen = self.known.entry(class).or_insert_with(|| look(program, class));
            parts.insert(program.internal_name(class), seen.bytes);
            open.extend(seen.refers_to.iter().filter(|next| !reached.contains(next)));
        }
        let mut fingerprint = Fingerprint::new();
        for (name, bytes) in parts {
            fingerprint.add(name.as_bytes());
            fingerprint.add(&bytes.unwrap_or_default().to_le_bytes());
        }
        fingerprint.finish()
    }
}

fn look(program: &Program, class: ClassId) -> Seen {
    match program.class(class) {
        Some(class) if !class.is_platform() => {
            let mut bytes = Fingerprint::new();
            bytes.add(class.file().bytes());
            Seen {
                bytes: Some(bytes.finish()),
                refers_to: references(program, class.file()),
            }
        }
        _ => Seen {
            bytes: None,
            refers_to: Vec::new(),
        },
    }
}

/// Every class that the constant pool names.
fn references(program: &Program, file: &ClassFile) -> Vec<ClassId> {
    let pool = file.pool();
    let mut names = FxHashSet::default();
    for index in 1..pool.len() {
        if let Ok(name) = pool.class_name(index)
            && !name.starts_with('[')
        {
            names.insert(name.into_owned());
        } else if let Ok(text) = pool.utf8(index) {
            names.extend(described(&text).map(str::to_owned));
        }
    }
    let mut ids: Vec<ClassId> = names
        .iter()
        .filter(|name| program.jdk().module_of(name).is_none())
        .map(|name| program.class_id(name))
        .collect();
    ids.sort_unstable_by_key(|id| id.raw());
    ids
}

/// Names between `L` and `;` or `<`, as descriptors and signatures have them. A text that only looks like one adds a name of
/// no class, which does no harm.
fn described(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c == ';' || c == '<';
    text.match_indices('L').filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let begins = before.is_none_or(|c| !c.is_alphanumeric() && c != '/' && c != '$' && c != '_')
            || before.is_some_and(|c| "BCDFIJSZV".contains(c));
        let rest = &text[at + 1..];
        let name = &rest[..rest.find(ends)?];
        let is_name = !name.is_empty() && !name.contains([' ', '.', '(', ')', '[']);
        (begins && is_name).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_and_signatures_name_classes() {
        let names = |text| described(text).collect::<Vec<_>>();
        assert_eq!(names("(ILa/B;[Lc/D$E;)V"), ["a/B", "c/D$E"]);
        assert_eq!(
            names("Ljava/util/Map<La/K;[La/V;>;"),
            ["java/util/Map", "a/K", "a/V"]
        );
        assert_eq!(names("(JLa/B;La/L;)La/R;"), ["a/B", "a/L", "a/R"]);
        assert!(names("Look at this; it is a text.").is_empty());
    }
}
