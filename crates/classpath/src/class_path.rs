//! The user's class path: jars and directories in search order.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bytes::ClassBytes;
use crate::directory::Directory;
use crate::error::ClassPathError;
use crate::fingerprint::Fingerprint;
use crate::jar::Jar;
use crate::name;
use crate::origin::Origin;

/// User class path, opened once.
pub struct ClassPath {
    entries: Vec<Entry>,
}

/// All classes of a class path, and what could not be listed.
#[derive(Debug)]
pub struct Listing {
    /// Internal names with the place each class is loaded from, sorted and deduplicated.
    pub classes: Vec<(String, Origin)>,
    /// Directories that could not be read; their classes are missing above.
    pub problems: Vec<ClassPathError>,
}

struct Entry {
    index: usize,
    place: Place,
}

enum Place {
    Jar(Box<Jar>),
    Directory(Directory),
}

impl ClassPath {
    /// Opens the entries, and the jars that their manifests name.
    ///
    /// `feature` is the JDK feature version that selects `META-INF/versions/N` of multi-release jars.
    pub fn open(entries: &[PathBuf], feature: u32) -> Result<Self, ClassPathError> {
        let mut opened = Vec::new();
        let mut seen = HashSet::new();
        for (index, path) in entries.iter().enumerate() {
            // As in java, the `Class-Path` of a jar is searched right after it, depth first, each file once.
            let mut pending = vec![Pending {
                path: path.clone(),
                is_referenced: false,
            }];
            while let Some(next) = pending.pop() {
                let Some(place) = next.open(&mut seen, feature)? else {
                    continue;
                };
                if let Place::Jar(jar) = &place {
                    let references = jar
                        .class_path
                        .iter()
                        .rev()
                        .filter_map(|url| resolve(&jar.path, url));
                    pending.extend(references.map(|path| Pending {
                        path,
                        is_referenced: true,
                    }));
                }
                opened.push(Entry { index, place });
            }
        }
        Ok(Self { entries: opened })
    }

    /// Class by internal name; the first entry that has it wins.
    pub fn find(&self, internal_name: &str) -> Result<Option<(ClassBytes<'_>, Origin)>, ClassPathError> {
        if !name::is_loadable(internal_name) {
            return Ok(None);
        }
        let file = format!("{internal_name}.class");
        for entry in &self.entries {
            let found = match &entry.place {
                Place::Jar(jar) => jar.find(&file)?,
                Place::Directory(directory) => directory.find(&file)?,
            };
            if let Some(bytes) = found {
                return Ok(Some((ClassBytes::Owned(bytes), entry.origin())));
            }
        }
        Ok(None)
    }

    /// All class names, sorted and deduplicated, without `module-info` and `package-info`, with the origin
    /// that [`find`](Self::find) would give. Subdirectories that cannot be read are left out;
    /// [`list`](Self::list) names them.
    pub fn class_names(&self) -> Vec<(String, Origin)> {
        self.list().classes
    }

    /// All class names, and what could not be listed.
    pub fn list(&self) -> Listing {
        let mut classes = Vec::new();
        let mut problems = Vec::new();
        for entry in &self.entries {
            let mut names = Vec::new();
            match &entry.place {
                Place::Jar(jar) => jar.class_names(&mut names),
                Place::Directory(directory) => directory.class_names(&mut names, &mut problems),
            }
            let origin = entry.origin();
            classes.extend(names.into_iter().map(|name| (name, origin.clone())));
        }
        // Stable, so that of equal names the one from the first entry stays.
        classes.sort_by(|a, b| a.0.cmp(&b.0));
        classes.dedup_by(|later, first| later.0 == first.0);
        Listing { classes, problems }
    }

    /// The jars and directories in search order, with those that were reached through `Class-Path`.
    pub fn entries(&self) -> impl Iterator<Item = Origin> + '_ {
        self.entries.iter().map(Entry::origin)
    }

    /// A number that is equal as long as the same classes are found in the same order, wherever the entries are and
    /// whenever they were written. What cannot be read counts as absent.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::new();
        for entry in &self.entries {
            fingerprint.add(b"entry");
            match &entry.place {
                Place::Jar(jar) => jar.add_to(&mut fingerprint),
                Place::Directory(directory) => directory.add_to(&mut fingerprint),
            }
        }
        fingerprint.finish()
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl std::fmt::Debug for ClassPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}

impl Entry {
    fn origin(&self) -> Origin {
        let path = match &self.place {
            Place::Jar(jar) => &jar.path,
            Place::Directory(directory) => &directory.path,
        };
        Origin::Entry {
            index: self.index,
            path: Arc::clone(path),
        }
    }
}

/// An entry still to be opened.
struct Pending {
    path: PathBuf,
    /// Named by a manifest instead of the user.
    is_referenced: bool,
}

impl Pending {
    /// Opens the entry, unless it was opened before or may be skipped.
    fn open(self, seen: &mut HashSet<PathBuf>, feature: u32) -> Result<Option<Place>, ClassPathError> {
        let Self { path, is_referenced } = self;
        let canonical = match fs::canonicalize(&path) {
            Ok(canonical) => canonical,
            // Manifests name jars that may or may not be there, and java does not mind.
            Err(_) if is_referenced => return Ok(None),
            Err(reason) => {
                return Err(match reason.kind() {
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                        ClassPathError::Missing { path }
                    }
                    _ => ClassPathError::Unreadable { path, reason },
                });
            }
        };
        if seen.contains(&canonical) {
            return Ok(None);
        }
        let kind = match fs::metadata(&canonical) {
            Ok(metadata) => metadata.file_type(),
            Err(reason) => return Err(ClassPathError::Unreadable { path, reason }),
        };
        // A trailing slash says that a directory is meant. In a manifest only that makes a reference to one.
        let says_directory = path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator);
        if kind.is_dir() {
            if is_referenced && !says_directory {
                return Ok(None);
            }
            if has_extension(&path, "jar") && !says_directory {
                return Err(ClassPathError::DirectoryNamedJar { path });
            }
            seen.insert(canonical);
            return Ok(Some(Place::Directory(Directory {
                path: Arc::from(path),
            })));
        }
        if !kind.is_file() {
            return if is_referenced {
                Ok(None)
            } else {
                Err(ClassPathError::NotAFile { path })
            };
        }
        if has_extension(&path, "class") {
            return if is_referenced {
                Ok(None)
            } else {
                Err(ClassPathError::ClassFile { path })
            };
        }
        let place = match Jar::open(Arc::from(path), feature) {
            Ok(jar) => Some(Place::Jar(Box::new(jar))),
            // Old manifests name property files and native libraries as well; java finds no classes in them.
            Err(ClassPathError::NotAJar { .. }) if is_referenced => None,
            Err(error) => return Err(error),
        };
        seen.insert(canonical);
        Ok(place)
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// File that a URL in the manifest of a jar means; `None` if it is no local file.
fn resolve(jar: &Path, url: &str) -> Option<PathBuf> {
    let local = match url.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
            rest.strip_prefix("//").unwrap_or(rest)
        }
        // One letter is a Windows drive, which java does not take either; other schemes are not local.
        Some((scheme, _)) if !scheme.contains('/') => return None,
        _ => url,
    };
    let path = percent_decode(local)?;
    Some(jar.parent().unwrap_or(Path::new("")).join(path))
}

/// Undoes URL escapes; `None` if they make no sense.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let (digits, tail) = tail.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
            rest = tail;
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Splits a class path as the `java` command does.
///
/// Entries are separated by `:` (`;` on Windows). `dir/*` stands for the jars in `dir`, sorted by name. An
/// empty entry between separators means the current directory; an empty text means no class path at all. A
/// wildcard whose directory cannot be read is kept as it is, so that [`ClassPath::open`] names it.
pub fn split_class_path(text: &str) -> Vec<PathBuf> {
    if text.is_empty() {
        return Vec::new();
    }
    let separator = if cfg!(windows) { ';' } else { ':' };
    text.split(separator)
        .flat_map(|entry| match wildcard_directory(entry) {
            Some(directory) => jars_in(directory).unwrap_or_else(|| vec![PathBuf::from(entry)]),
            None if entry.is_empty() => vec![PathBuf::from(".")],
            None => vec![PathBuf::from(entry)],
        })
        .collect()
}

/// The directory of `dir/*`; empty for a lone `*`.
fn wildcard_directory(entry: &str) -> Option<&str> {
    let directory = entry.strip_suffix('*')?;
    let ends_well =
        directory.is_empty() || directory.ends_with('/') || (cfg!(windows) && directory.ends_with('\\'));
    ends_well.then_some(directory)
}

fn jars_in(directory: &str) -> Option<Vec<PathBuf>> {
    let listed = if directory.is_empty() { "." } else { directory };
    let files = fs::read_dir(listed).ok()?;
    let mut jars: Vec<PathBuf> = files
        .filter_map(|file| Some(Path::new(directory).join(file.ok()?.file_name())))
        // Exactly these two spellings, as in java.
        .filter(|path| path.extension().is_some_and(|end| end == "jar" || end == "JAR") && path.is_file())
        .collect();
    jars.sort_unstable();
    Some(jars)
}
