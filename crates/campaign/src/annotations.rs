//! Annotations by which people say what their classes promise, by simple name: every library has its own package for them.

use std::fmt;

use raddle_program::{Class, ClassId, Program};

/// What an annotation says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Annotation {
    ThreadSafe,
    Immutable,
    NotThreadSafe,
    GuardedBy,
}

impl Annotation {
    /// Of a class, the first of these that is there counts.
    const ALL: [Annotation; 4] = [
        Annotation::NotThreadSafe,
        Annotation::ThreadSafe,
        Annotation::Immutable,
        Annotation::GuardedBy,
    ];

    const fn name(self) -> &'static str {
        match self {
            Annotation::ThreadSafe => "ThreadSafe",
            Annotation::Immutable => "Immutable",
            Annotation::NotThreadSafe => "NotThreadSafe",
            Annotation::GuardedBy => "GuardedBy",
        }
    }

    /// By a descriptor such as `Lnet/jcip/annotations/ThreadSafe;`.
    fn is(self, descriptor: &str) -> bool {
        simple(descriptor) == self.name()
    }

    /// By a value, as in `@Contract(threading = ThreadingBehavior.SAFE)` of the Apache HTTP components.
    fn of_constant(of: &str, constant: &str) -> Option<Annotation> {
        if simple(of) != "ThreadingBehavior" {
            return None;
        }
        match constant {
            "SAFE" | "SAFE_CONDITIONAL" => Some(Annotation::ThreadSafe),
            "IMMUTABLE" | "IMMUTABLE_CONDITIONAL" | "STATELESS" => Some(Annotation::Immutable),
            "UNSAFE" => Some(Annotation::NotThreadSafe),
            _ => None,
        }
    }
}

/// `ThreadSafe` of `Lnet/jcip/annotations/ThreadSafe;`.
fn simple(descriptor: &str) -> &str {
    let name = descriptor.trim_start_matches('L').trim_end_matches(';');
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name())
    }
}

/// What is annotated to a class, or to the nearest superclass that has any such annotation: the annotation and the
/// sentence, without its end.
pub(crate) fn annotation(program: &Program, class: ClassId) -> Option<(Annotation, String)> {
    program.ancestry(class).find_map(|ancestor| {
        let name = program.name(ancestor.id());
        of_class(ancestor).map(|(annotation, element)| match element {
            Some(element) => (annotation, format!("{name}.{element} is annotated {annotation}")),
            None => (annotation, format!("{name} is annotated {annotation}")),
        })
    })
}

/// The annotation, and the field or method that has it if it is not the class.
fn of_class(class: &Class) -> Option<(Annotation, Option<String>)> {
    let file = class.file();
    let on_class = file.all_annotations();
    let found = Annotation::ALL
        .into_iter()
        .find(|annotation| on_class.iter().any(|descriptor| annotation.is(descriptor)));
    let by_value = || {
        let constants = file.annotation_constants();
        let mut said = constants.iter();
        said.find_map(|(of, constant)| Annotation::of_constant(of, constant))
    };
    if let Some(annotation) = found.or_else(by_value) {
        return Some((annotation, None));
    }
    let is_guarded = |descriptors: &[std::borrow::Cow<'_, str>]| {
        descriptors
            .iter()
            .any(|descriptor| Annotation::GuardedBy.is(descriptor))
    };
    let field = file
        .fields()
        .find(|field| is_guarded(&field.all_annotations()))
        .map(|field| field.name().into_owned());
    let method = || {
        let guarded = file
            .methods()
            .find(|method| is_guarded(&method.all_annotations()));
        guarded.map(|method| method.name().into_owned())
    };
    field
        .or_else(method)
        .map(|element| (Annotation::GuardedBy, Some(element)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    #[test]
    fn annotations_of_any_package_and_retention_are_read() {
        let compiled = compile(&[
            ("p/ThreadSafe.java", "package p; public @interface ThreadSafe {}"),
            (
                "q/NotThreadSafe.java",
                "package q; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME)
                 public @interface NotThreadSafe {}",
            ),
            (
                "r/GuardedBy.java",
                "package r; public @interface GuardedBy { String value(); }",
            ),
            (
                "s/Contract.java",
                "package s; public @interface Contract { ThreadingBehavior threading();
                 enum ThreadingBehavior { SAFE, UNSAFE } }",
            ),
            (
                "Http.java",
                "@s.Contract(threading = s.Contract.ThreadingBehavior.UNSAFE) public class Http {}",
            ),
            ("Safe.java", "@p.ThreadSafe public class Safe {}"),
            ("Below.java", "public class Below extends Safe {}"),
            (
                "Unsafe.java",
                "@q.NotThreadSafe public class Unsafe extends Safe {}",
            ),
            (
                "Guarded.java",
                "public class Guarded { @r.GuardedBy(\"this\") int count; }",
            ),
            ("Plain.java", "public class Plain {}"),
        ])
        .unwrap();
        let program = compiled.program();
        let said = |class: &str| annotation(program, program.class_id(class));
        let safe = (Annotation::ThreadSafe, "Safe is annotated @ThreadSafe".to_owned());
        assert_eq!(said("Safe"), Some(safe.clone()));
        assert_eq!(said("Below"), Some(safe));
        assert_eq!(said("Unsafe").unwrap().0, Annotation::NotThreadSafe);
        assert_eq!(
            said("Guarded"),
            Some((
                Annotation::GuardedBy,
                "Guarded.count is annotated @GuardedBy".to_owned()
            ))
        );
        assert_eq!(said("Http").unwrap().0, Annotation::NotThreadSafe);
        assert_eq!(said("Plain"), None);
    }
}
