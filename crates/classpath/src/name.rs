//! Which file names are classes, and the way between file names and internal names.

/// Whether an internal name can be looked up as a relative path without leaving the place it is looked up in.
pub(crate) fn is_safe(name: &str) -> bool {
    // Both are legal in class names, but Windows takes them for directories and drives.
    let illegal: &[char] = if cfg!(windows) {
        &['\0', '\\', ':']
    } else {
        &['\0']
    };
    !name.contains(illegal) && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Whether the name is that of a descriptor, which has the form of a class file but is no class.
pub(crate) fn is_descriptor(name: &str) -> bool {
    matches!(name.rsplit('/').next(), Some("module-info" | "package-info"))
}

/// Internal name of the class in a file of a jar or image, if it is one that `java` would load from there.
pub(crate) fn of_class_file(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".class")?;
    (is_safe(name) && !is_descriptor(name) && !is_reserved(name)).then_some(name)
}

/// Directories of archives whose class files have other names than their paths: versioned classes, web and
/// Spring Boot archives. `java` does not find them by these paths.
fn is_reserved(name: &str) -> bool {
    ["META-INF/", "WEB-INF/", "BOOT-INF/"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Whether a class of this name may be asked for at all.
pub(crate) fn is_loadable(name: &str) -> bool {
    is_safe(name) && !is_reserved(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_files_have_internal_names() {
        assert_eq!(of_class_file("p/Outer$Inner.class"), Some("p/Outer$Inner"));
        assert_eq!(of_class_file("C.class"), Some("C"));
        assert_eq!(of_class_file("p/ä-b.class"), Some("p/ä-b"));
    }

    #[test]
    fn other_files_are_none() {
        for file in [
            "",
            ".class",
            "p/.class",
            "p/C.java",
            "p/C.CLASS",
            "/p/C.class",
            "p//C.class",
            "../C.class",
            "p/../C.class",
            "./C.class",
            "p/C\0.class",
            "module-info.class",
            "p/package-info.class",
            "META-INF/versions/9/p/C.class",
            "WEB-INF/classes/p/C.class",
            "BOOT-INF/classes/p/C.class",
        ] {
            assert_eq!(of_class_file(file), None, "{file}");
        }
    }
}
