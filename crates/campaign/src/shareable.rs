//! Whether threads may share the objects of a type without the class under test being to blame for what comes of it.

use raddle_program::{ClassId, Program};

use crate::annotations::{Annotation, annotation};
use crate::contracts::{Contracts, Term};

/// Fields of fields that are looked at. What is deeper counts as something that changes.
const DEPTH: u32 = 4;

/// Answers for types of one program.
pub(crate) struct Shareable<'a> {
    pub(crate) program: &'a Program,
    pub(crate) contracts: &'a Contracts,
}

impl Shareable<'_> {
    /// Whether threads may share what a variable of this type, given as a descriptor, refers to: nobody can change it, or
    /// it is made to be shared.
    pub(crate) fn is(&self, descriptor: &str) -> bool {
        self.is_to(descriptor, DEPTH)
    }

    fn is_to(&self, descriptor: &str, depth: u32) -> bool {
        match descriptor
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
        {
            Some(name) => self.is_class(self.program.class_id(name), depth),
            // Primitives can be shared, arrays cannot.
            None => !descriptor.starts_with('['),
        }
    }

    fn is_class(&self, class: ClassId, depth: u32) -> bool {
        match annotation(self.program, class) {
            Some((Annotation::ThreadSafe | Annotation::Immutable, _)) => return true,
            Some((Annotation::NotThreadSafe, _)) => return false,
            _ => {}
        }
        if let Some(contract) = self.contracts.of_type(self.program, class) {
            return contract.term != Term::NotThreadSafe;
        }
        let Some(loaded) = self.program.class(class) else {
            return false;
        };
        let access = loaded.access();
        if access.is_enum() {
            return true;
        }
        // Of an interface or an abstract class, nobody knows what its implementations have.
        !access.is_interface()
            && (class == self.program.object() || !access.is_abstract())
            && self.never_changes(class, depth)
    }

    /// Whether all fields of its objects are final and refer to what never changes either.
    fn never_changes(&self, class: ClassId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let mut fields = self
            .program
            .ancestry(class)
            .flat_map(raddle_program::Class::fields)
            .filter(|field| !field.access.is_static());
        fields.all(|field| field.access.is_final() && self.is_to(self.program.text(field.descriptor), depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    #[test]
    fn what_cannot_change_or_is_made_for_threads_may_be_shared() {
        let compiled = compile(&[
            ("Point.java", "public record Point(int x, String name) {}"),
            (
                "Line.java",
                "public final class Line { private final Point a = null; final double w = 1; }",
            ),
            ("Cell.java", "public class Cell { private int x; }"),
            (
                "Box.java",
                "public class Box { private final Cell cell = new Cell(); }",
            ),
            (
                "Bytes.java",
                "public class Bytes { private final byte[] bytes = {}; }",
            ),
            ("Color.java", "public enum Color { RED; int uses; }"),
            (
                "Safe.java",
                "@ThreadSafe public class Safe { int x; } @interface ThreadSafe {}",
            ),
        ])
        .unwrap();
        let contracts = Contracts::bundled().unwrap();
        let shareable = Shareable {
            program: compiled.program(),
            contracts: &contracts,
        };
        for yes in [
            "I",
            "LPoint;",
            "LLine;",
            "LColor;",
            "LSafe;",
            "Ljava/lang/Object;",
            "Ljava/lang/String;",
            "Ljava/lang/Integer;",
            "Ljava/lang/Class;",
            "Ljava/lang/Thread;",
            "Ljava/math/BigDecimal;",
            "Ljava/nio/charset/Charset;",
            "Ljava/util/Locale;",
            "Ljava/util/UUID;",
            "Ljava/time/LocalDateTime;",
            "Ljava/time/Duration;",
            "Ljava/util/concurrent/TimeUnit;",
            "Ljava/util/concurrent/ConcurrentHashMap;",
            "Ljava/util/concurrent/locks/ReentrantLock;",
        ] {
            assert!(shareable.is(yes), "{yes}");
        }
        for no in [
            "[B",
            "LCell;",
            "LBox;",
            "LBytes;",
            "LMissing;",
            "Ljava/util/ArrayList;",
            "Ljava/util/List;",
            "Ljava/util/Date;",
            "Ljava/lang/StringBuilder;",
        ] {
            assert!(!shareable.is(no), "{no}");
        }
    }
}
