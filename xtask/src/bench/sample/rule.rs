//! Which classes could be in the sample: those that look to any reader of the bytecode as if they were meant for threads.
//! No name of a class decides. `bench/sample/README.md` says the same in words.

use raddle_classfile::Insn;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{Class, ClassId, Program};

/// Fewer public methods leave nothing to call at the same time.
const METHODS: usize = 2;
/// How parts of package names begin by which libraries mark what is not for their users.
const PRIVATE: [&str; 3] = ["internal", "repackaged", "shaded"];
/// Types of static fields through which a class changes its instance fields atomically.
const ATOMIC_ACCESS: [&str; 4] = [
    "Ljava/lang/invoke/VarHandle;",
    "Ljava/util/concurrent/atomic/AtomicIntegerFieldUpdater;",
    "Ljava/util/concurrent/atomic/AtomicLongFieldUpdater;",
    "Ljava/util/concurrent/atomic/AtomicReferenceFieldUpdater;",
];

/// Whether a class is in the population.
pub(super) fn is_met_by(program: &Program, class: ClassId) -> bool {
    program
        .load(class)
        .is_ok_and(|class| is_usable(program, class) && takes_precautions(program, class))
}

/// Public, not abstract, no exception, no enum; with a public constructor, or a public static method that returns it; with
/// public instance methods.
fn is_usable(program: &Program, class: &Class) -> bool {
    let access = class.access();
    let name = program.internal_name(class.id());
    let is_throwable = || {
        let mut ancestry = program.ancestry(class.id());
        ancestry.any(|ancestor| program.internal_name(ancestor.id()) == "java/lang/Throwable")
    };
    access.is_public()
        && !access.is_abstract()
        && !access.is_interface()
        && !access.is_enum()
        && !is_private_package(name)
        && is_reachable(program, class)
        && is_made(program, class)
        && own_instance_methods(class).count() >= METHODS
        && !is_throwable()
}

/// Whether a part of the package's name says that it is not for users.
fn is_private_package(internal: &str) -> bool {
    let Some((package, _)) = internal.rsplit_once('/') else {
        return false;
    };
    package
        .split('/')
        .any(|part| PRIVATE.iter().any(|start| part.starts_with(start)))
}

/// Whether other packages can name it and have objects of it alone: a nested class is public and static, and what it is
/// nested in is public.
fn is_reachable(program: &Program, class: &Class) -> bool {
    let name = program.internal_name(class.id());
    let nested = class.file().inner_classes();
    let Some(entry) = nested.iter().find(|entry| entry.inner == name) else {
        return true;
    };
    let outer = entry
        .outer
        .as_deref()
        .and_then(|outer| program.class(program.class_id(outer)));
    entry.access.is_public()
        && entry.access.is_static()
        && outer.is_some_and(|outer| outer.access().is_public() && is_reachable(program, outer))
}

fn is_made(program: &Program, class: &Class) -> bool {
    class
        .methods()
        .iter()
        .filter(|method| method.access.is_public() && !method.access.is_synthetic())
        .any(|method| {
            let name = program.text(method.name);
            let returns_own = || {
                let descriptor = program.text(method.descriptor);
                let result = MethodType::parse(descriptor).ok().and_then(|types| types.result);
                result == Some(FieldType::Object(program.internal_name(class.id())))
            };
            name == "<init>" || (method.access.is_static() && returns_own())
        })
}

fn own_instance_methods(class: &Class) -> impl Iterator<Item = raddle_classfile::MethodView<'_>> {
    class.file().methods().filter(|method| {
        let access = method.access();
        access.is_public()
            && !access.is_static()
            && !access.is_bridge()
            && !access.is_synthetic()
            && method.name() != "<init>"
    })
}

/// What the class does for threads, in its own code or in superclasses that are not public and so part of it: it says so
/// (`@ThreadSafe`); a public instance method is synchronized, and not because the one that it overrides is; an instance field is volatile, or of a type of
/// java.util.concurrent; a static field is a `VarHandle` or a field updater; or an instance method has a synchronized block.
/// One that says `@NotThreadSafe` is not meant.
fn takes_precautions(program: &Program, class: &Class) -> bool {
    if says(class, "/NotThreadSafe;") {
        return false;
    }
    let own = |ancestor: &&Class| ancestor.id() == class.id() || !ancestor.access().is_public();
    program
        .ancestry(class.id())
        .take_while(own)
        .any(|part| has_sign(program, part))
}

fn says(class: &Class, annotation: &str) -> bool {
    class
        .file()
        .annotations()
        .iter()
        .any(|descriptor| descriptor.ends_with(annotation))
}

fn has_sign(program: &Program, class: &Class) -> bool {
    let has_field = || {
        class.fields().iter().any(|field| {
            let descriptor = program.text(field.descriptor);
            if field.access.is_static() {
                ATOMIC_ACCESS.contains(&descriptor)
            } else {
                field.access.is_volatile() || descriptor.starts_with("Ljava/util/concurrent/")
            }
        })
    };
    let has_block = || {
        class.file().methods().any(|method| {
            let code = method.code().ok().flatten();
            !method.access().is_static()
                && code.is_some_and(|code| {
                    code.instructions()
                        .any(|insn| matches!(insn, Ok((_, Insn::MonitorEnter))))
                })
        })
    };
    says(class, "/ThreadSafe;") || has_synchronized_method(program, class) || has_field() || has_block()
}

/// A method that overrides a synchronized one, as `mark` of every input stream does, follows a habit.
fn has_synchronized_method(program: &Program, class: &Class) -> bool {
    own_instance_methods(class)
        .filter(|method| method.access().is_synchronized())
        .any(|method| {
            let name = program.symbol(&method.name());
            let descriptor = program.symbol(&method.descriptor());
            !program.ancestry(class.id()).skip(1).any(|ancestor| {
                let overridden = ancestor
                    .method(name, descriptor)
                    .and_then(|id| program.method(id));
                overridden.is_some_and(|(_, overridden)| overridden.access.is_synchronized())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: &str = "public void a() {} public void b() {}";

    /// Which of these sources, each of a class `C`, are of classes in the population. They are compiled together, each in a
    /// package of its own.
    fn met<'s>(sources: &[&'s str]) -> Vec<&'s str> {
        let files: Vec<(String, String)> = sources
            .iter()
            .enumerate()
            .map(|(index, source)| {
                let source = source.replace("METHODS", METHODS);
                (format!("p{index}/C.java"), format!("package p{index}; {source}"))
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let compiled = raddle_testkit::compile(&files).unwrap();
        let program = compiled.program();
        let is_met = |index: usize| is_met_by(program, program.class_id(&format!("p{index}/C")));
        let sources = sources.iter().copied().enumerate();
        sources
            .filter(|(index, _)| is_met(*index))
            .map(|(_, source)| source)
            .collect()
    }

    #[test]
    fn a_class_is_meant_for_threads_by_what_it_does_for_them() {
        let meant = [
            "public class C { volatile int x; METHODS }",
            "public class C { final java.util.concurrent.atomic.AtomicLong x = null; METHODS }",
            "public class C { static java.lang.invoke.VarHandle x; METHODS }",
            "public class C { int x; public synchronized void c() { x++; } METHODS }",
            "public class C { void c() { synchronized (this) { hashCode(); } } METHODS }",
            "public class C extends B { METHODS } class B { volatile int x; }",
            "import java.lang.annotation.*; @ThreadSafe public class C { METHODS } \
             @Retention(RetentionPolicy.RUNTIME) @interface ThreadSafe {}",
        ];
        let others = [
            "public class C { int x; METHODS }",
            "public class C { static volatile int x; METHODS }",
            "public class C { static synchronized void c() {} METHODS }",
            "public class C extends java.io.InputStream { public int read() { return 0; } \
             public synchronized void mark(int x) {} METHODS }",
            "public class C extends Thread { METHODS }",
            "import java.lang.annotation.*; @NotThreadSafe public class C { volatile int x; METHODS } \
             @Retention(RetentionPolicy.RUNTIME) @interface NotThreadSafe {}",
        ];
        let all: Vec<&str> = meant.into_iter().chain(others).collect();
        assert_eq!(met(&all), meant);
    }

    #[test]
    fn a_class_has_to_be_of_use_to_a_test() {
        let useful =
            "public class C { volatile int x; private C() {} public static C of() { return null; } METHODS }";
        let all = [
            "class C { volatile int x; METHODS }",
            "public abstract class C { volatile int x; METHODS }",
            "public class C { volatile int x; private C() {} METHODS }",
            "public class C { volatile int x; public void a() {} }",
            "public class C extends Exception { volatile int x; METHODS }",
            "public enum C { ONE; volatile int x; METHODS }",
            useful,
        ];
        assert_eq!(met(&all), [useful]);
    }

    #[test]
    fn packages_that_are_not_for_users_are_left_out() {
        assert!(is_private_package("a/internal/B"));
        assert!(is_private_package("a/internals/B"));
        assert!(is_private_package("a/shaded/b/C"));
        assert!(!is_private_package("a/b/Internal"));
    }
}
