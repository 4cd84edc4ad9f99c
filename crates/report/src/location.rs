//! Where in the sources something is: the package of a class as a path, and the file that its class file names.

use raddle_plan::{Frame, Place};
use serde::{Deserialize, Serialize};

/// A place in the sources, as far as class files tell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// Binary name of the class, with dots.
    pub class: String,
    /// Name of the method; none if only the class is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The file, relative to the root of the sources: `com/acme/Cache.java`.
    pub file: String,
    /// The line, if the class file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Location {
    /// Of a place in a program.
    pub(crate) fn of_place(place: &Place) -> Location {
        Location {
            class: place.class.clone(),
            method: Some(place.method.clone()),
            file: file(&place.class, place.source.as_deref()),
            line: place.line,
        }
    }

    /// Of a frame as Java prints it: `java.base/java.util.Vector.get(Vector.java:749)`.
    pub(crate) fn of_frame(frame: &Frame) -> Option<Location> {
        let (member, source) = frame.0.trim().strip_suffix(')')?.rsplit_once('(')?;
        // The module, and before it perhaps the class loader.
        let member = member.rsplit('/').next()?;
        let (class, method) = member.rsplit_once('.')?;
        let (source, line) = match source.rsplit_once(':') {
            Some((source, line)) => (Some(source), line.parse().ok()),
            None => (
                Some(source).filter(|source| !source.contains(' ') && !source.is_empty()),
                None,
            ),
        };
        Some(Location {
            class: class.to_owned(),
            method: Some(method.to_owned()),
            file: file(class, source),
            line,
        })
    }

    /// Of a class of which no line is known.
    pub(crate) fn of_class(class: &str) -> Location {
        Location {
            class: class.to_owned(),
            method: None,
            file: file(class, None),
            line: None,
        }
    }

    /// Whether it is in the class or one nested in it.
    pub(crate) fn is_in(&self, class: &str) -> bool {
        self.class
            .strip_prefix(class)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    /// `Cache.java:31`, or as much of it as is known.
    pub(crate) fn short(&self) -> String {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        match self.line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_owned(),
        }
    }
}

/// A class file names its source without the directory, which is that of the package by every build tool's custom. Where it
/// names none, the file is that of the outermost class.
fn file(class: &str, source: Option<&str>) -> String {
    let (package, name) = match class.rsplit_once('.') {
        Some((package, name)) => (format!("{}/", package.replace('.', "/")), name),
        None => (String::new(), class),
    };
    if let Some(source) = source {
        return format!("{package}{source}");
    }
    let outermost = name.split('$').find(|part| !part.is_empty()).unwrap_or(name);
    format!("{package}{outermost}.java")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Option<Location> {
        Location::of_frame(&Frame(text.to_owned()))
    }

    #[test]
    fn frames_name_files_below_the_root_of_the_sources() {
        let location = frame("java.base/java.util.Vector.get(Vector.java:749)").unwrap();
        assert_eq!(location.file, "java/util/Vector.java");
        assert_eq!(location.line, Some(749));
        assert_eq!(location.method.as_deref(), Some("get"));
        assert_eq!(location.short(), "Vector.java:749");
        let nested = frame("app//com.acme.Cache$Entry.<init>(Cache.kt:3)").unwrap();
        assert_eq!(
            (nested.class.as_str(), nested.file.as_str()),
            ("com.acme.Cache$Entry", "com/acme/Cache.kt")
        );
        assert!(nested.is_in("com.acme.Cache") && !nested.is_in("com.acme.Ca"));
    }

    #[test]
    fn frames_without_lines_name_at_least_a_file() {
        for text in [
            "a.B$C.run(Native Method)",
            "a.B$C.run(Unknown Source)",
            "a.B.run()",
        ] {
            let location = frame(text).unwrap();
            assert_eq!(
                (location.file.as_str(), location.line),
                ("a/B.java", None),
                "{text}"
            );
        }
        assert_eq!(frame("a.B.run(B.java)").unwrap().file, "a/B.java");
        assert_eq!(frame("no frame"), None);
        assert_eq!(frame("(:)"), None);
    }

    #[test]
    fn a_class_without_package_is_at_the_root() {
        assert_eq!(Location::of_class("Counter$1").file, "Counter.java");
        assert_eq!(Location::of_class("$Odd").file, "Odd.java");
    }
}
