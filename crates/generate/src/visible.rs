//! Which classes a plan may name. A plan is code of another package, so it sees what is public all the way up.

use raddle_program::{ClassId, Program};

/// Deeper nesting is a damaged class file.
const MAX_NESTING: usize = 16;

/// Whether any code may name the class.
pub(crate) fn is_visible(program: &Program, class: ClassId) -> bool {
    let mut current = class;
    for _ in 0..MAX_NESTING {
        let Some(loaded) = program.class(current) else {
            return false;
        };
        let name = program.internal_name(current);
        // What a JDK module exports is not known here; these packages nearly always are.
        if loaded.is_platform() && !name.starts_with("java/") && !name.starts_with("javax/") {
            return false;
        }
        if !loaded.access().is_public() || loaded.access().is_synthetic() {
            return false;
        }
        // A nested class's own flags make protected ones public; those of the source are in this table.
        let nested = loaded.file().inner_classes();
        let Some(entry) = nested.iter().find(|entry| entry.inner == name) else {
            return true;
        };
        match &entry.outer {
            Some(outer) if entry.access.is_public() => current = program.class_id(outer),
            _ => return false,
        }
    }
    false
}

/// The package, by its Java name, whose code may name a class that others may not: one of the class path that is nowhere
/// private, and that somebody wrote.
pub(crate) fn seen_in(program: &Program, class: ClassId) -> Option<String> {
    let mut current = class;
    for _ in 0..MAX_NESTING {
        let loaded = program.class(current)?;
        if loaded.is_platform() || loaded.access().is_synthetic() {
            return None;
        }
        let name = program.internal_name(current);
        let nested = loaded.file().inner_classes();
        let Some(entry) = nested.iter().find(|entry| entry.inner == name) else {
            let package = package(program.internal_name(class)).trim_end_matches('/');
            return Some(package.replace('/', "."));
        };
        if entry.access.is_private() {
            return None;
        }
        current = program.class_id(entry.outer.as_deref()?);
    }
    None
}

/// The class around all others of its file: `java/util/Map` of `java/util/Map$Entry`.
pub(crate) fn top_level(internal: &str) -> &str {
    let simple = internal.rfind('/').map_or(0, |slash| slash + 1);
    // A leading dollar sign is part of a name.
    match internal[simple..].char_indices().skip(1).find(|(_, c)| *c == '$') {
        Some((at, _)) => &internal[..simple + at],
        None => internal,
    }
}

/// The package with its slash: `java/util/`.
pub(crate) fn package(internal: &str) -> &str {
    &internal[..internal.rfind('/').map_or(0, |slash| slash + 1)]
}

/// Internal names of the classes of a class's package, those of its own file first.
pub(crate) fn package_classes(program: &Program, class: ClassId) -> Vec<String> {
    let own = program.internal_name(class);
    let package = package(own);
    let top = top_level(own);
    let mut names: Vec<String> = match program.class(class).map(raddle_program::Class::origin) {
        Some(raddle_classpath::Origin::Jdk { module }) => program
            .jdk()
            .classes_of(module)
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
        _ => program
            .class_path()
            .class_names()
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
    };
    names.retain(|name| self::package(name) == package);
    names.sort_by(|a, b| (top_level(a) != top, a).cmp(&(top_level(b) != top, b)));
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_package_and_a_class_around_them() {
        assert_eq!(top_level("java/util/Map$Entry"), "java/util/Map");
        assert_eq!(top_level("a/$Dollar$Inner"), "a/$Dollar");
        assert_eq!(top_level("Top"), "Top");
        assert_eq!(package("java/util/Map"), "java/util/");
        assert_eq!(package("Top"), "");
    }

    #[test]
    fn private_nested_classes_and_internal_packages_are_hidden() {
        let program = raddle_testkit::program(&[]).unwrap();
        let visible = |name: &str| is_visible(&program, program.class_id(name));
        assert!(visible("java/util/Map$Entry"));
        assert!(visible("java/lang/StringBuffer"));
        assert!(!visible("java/lang/AbstractStringBuilder"));
        assert!(!visible("java/util/Collections$SynchronizedMap"));
        assert!(!visible("java/util/concurrent/ConcurrentHashMap$CollectionView"));
        assert!(!visible("sun/misc/Unsafe"));
        assert!(!visible("no/such/Class"));
    }
}
