//! Where the sources are, as far as it can be seen from the current directory: code hosts want paths from the root of the
//! repository, and class files know only those from the root of their package.

use std::fmt::Write;
use std::path::PathBuf;

use crate::location::Location;

/// Directories that build tools keep sources in.
const USUAL: [&str; 4] = ["src/main/java", "src/main/kotlin", "src/test/java", "src"];

/// Directories with sources, in the order in which they are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    roots: Vec<PathBuf>,
}

impl Default for Sources {
    fn default() -> Sources {
        Sources {
            roots: USUAL.map(PathBuf::from).to_vec(),
        }
    }
}

impl Sources {
    /// These directories, or those that build tools use if there are none.
    pub fn new(roots: Vec<PathBuf>) -> Sources {
        if roots.is_empty() {
            Sources::default()
        } else {
            Sources { roots }
        }
    }

    /// The directories.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// The file of a place: below the directory that has it, else from the root of its package.
    pub(crate) fn path(&self, location: &Location) -> String {
        let found = self.roots.iter().find(|root| root.join(&location.file).is_file());
        match found {
            Some(root) => format!("{}/{}", root.display(), location.file),
            None => location.file.clone(),
        }
    }

    /// The same as a relative reference of a URI.
    pub(crate) fn uri(&self, location: &Location) -> String {
        escaped(&self.path(location))
    }
}

/// A path as part of a URI.
fn escaped(path: &str) -> String {
    let mut text = String::new();
    for byte in path.trim_start_matches("./").bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte);
        // What Windows writes between directories.
        match byte {
            b'\\' => text.push('/'),
            byte if is_plain => text.push(char::from(byte)),
            byte => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_looked_for_where_sources_are() {
        let root = tempfile::tempdir().unwrap();
        let sources = root.path().join("java");
        std::fs::create_dir_all(sources.join("a")).unwrap();
        std::fs::write(sources.join("a/B.java"), "").unwrap();
        let roots = Sources::new(vec![root.path().join("none"), sources.clone()]);
        let uri = roots.uri(&Location::of_class("a.B$C"));
        assert!(uri.ends_with("/java/a/B.java"), "{uri}");
        assert_eq!(roots.uri(&Location::of_class("a.C")), "a/C.java");
    }

    #[test]
    fn a_path_is_escaped() {
        assert_eq!(escaped("./a b/Größe:%.java"), "a%20b/Gr%C3%B6%C3%9Fe%3A%25.java");
    }
}
