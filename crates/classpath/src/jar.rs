//! A jar of the class path.
//!
//! The central directory is read once, when the jar is opened, and kept; the file is opened again for each
//! class. Mapping the jar would save that, but a build that rewrites a mapped jar in place would end this
//! process with SIGBUS, and holding it open would run into the limit of open files with long class paths.
//! Opening again costs some microseconds, shares nothing between threads, and lets us see that the jar has
//! changed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use zip::read::ZipReadOptions;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::MAX_CLASS_SIZE;
use crate::error::ClassPathError;
use crate::fingerprint::Fingerprint;
use crate::manifest::Manifest;
use crate::name;

const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";
/// More jars than a manifest can name in earnest: each of them is looked for.
const MAX_REFERENCES: usize = 1 << 16;

/// One jar of the class path.
pub(crate) struct Jar {
    pub(crate) path: Arc<Path>,
    /// Only its directory is used, its reader is closed.
    archive: ZipArchive<JarReader>,
    stamp: Stamp,
    /// Versions of a multi-release jar that count, highest first; empty for others.
    versions: Vec<u32>,
    /// The `Class-Path` attribute of the manifest, as written.
    pub(crate) class_path: Vec<String>,
}

impl Jar {
    /// Reads the directory and the manifest. The caller knows that the path is a regular file.
    pub(crate) fn open(path: Arc<Path>, feature: u32) -> Result<Self, ClassPathError> {
        let unreadable = |reason| ClassPathError::Unreadable {
            path: path.to_path_buf(),
            reason,
        };
        let file = File::open(&path).map_err(unreadable)?;
        let stamp = Stamp::of(&file).map_err(unreadable)?;
        let mut reader = JarReader::new(file, stamp, 1 << 16);
        let mut magic = Vec::new();
        (&mut reader)
            .take(2)
            .read_to_end(&mut magic)
            .map_err(unreadable)?;

        let archive = ZipArchive::new(reader).map_err(|error| match magic.as_slice() {
            b"PK" => ClassPathError::CorruptJar {
                path: path.to_path_buf(),
                reason: reason(&error),
            },
            b"JM" => ClassPathError::Jmod {
                path: path.to_path_buf(),
            },
            _ => ClassPathError::NotAJar {
                path: path.to_path_buf(),
            },
        })?;
        if magic == b"JM" {
            return Err(ClassPathError::Jmod {
                path: path.to_path_buf(),
            });
        }
        // The clone is closed, see `JarReader::clone`.
        let mut jar = Self {
            path,
            archive: archive.clone(),
            stamp,
            versions: Vec::new(),
            class_path: Vec::new(),
        };
        if let Some(index) = jar.manifest_index() {
            let manifest = Manifest::parse(&jar.read(index)?);
            if manifest.class_path().count() > MAX_REFERENCES {
                return Err(ClassPathError::CorruptJar {
                    path: jar.path.to_path_buf(),
                    reason: format!("its manifest names more than {MAX_REFERENCES} jars"),
                });
            }
            jar.class_path = manifest.class_path().map(str::to_owned).collect();
            if manifest.is_multi_release {
                jar.versions = jar.versions_up_to(feature);
            }
        }
        Ok(jar)
    }

    /// A class by its file name (`p/C.class`), which the caller has found safe.
    pub(crate) fn find(&self, file: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        let index_of = |entry: &str| self.archive.index_for_name_raw(entry.as_bytes());
        let versioned = self
            .versions
            .iter()
            .find_map(|version| index_of(&format!("{VERSIONS}{version}/{file}")));
        let index = versioned.or_else(|| index_of(file));
        index.map(|index| self.read(index)).transpose()
    }

    /// Adds the names of all classes, in no particular order; a versioned class may appear more than once.
    pub(crate) fn class_names(&self, names: &mut Vec<String>) {
        for entry in self.entry_names() {
            let file = match versioned(entry) {
                Some((version, file)) if self.versions.contains(&version) => file,
                _ => entry,
            };
            names.extend(name::of_class_file(file).map(str::to_owned));
        }
    }

    /// Adds what the directory says of all entries. The checksums stand for the contents, so nothing need be read.
    pub(crate) fn add_to(&self, fingerprint: &mut Fingerprint) {
        for index in 0..self.archive.len() {
            if let Ok(entry) = self.archive.by_index_data(index) {
                fingerprint.add(entry.name_raw());
                fingerprint.add(&entry.size().to_le_bytes());
                fingerprint.add(&entry.crc32().to_le_bytes());
            }
        }
    }

    /// Bytes of one entry.
    fn read(&self, index: usize) -> Result<Vec<u8>, ClassPathError> {
        self.inflate(index).map_err(|fault| {
            let path = self.path.to_path_buf();
            let name = self
                .archive
                .by_index_data(index)
                .map(|entry| entry.name_raw().to_vec());
            let entry = String::from_utf8_lossy(&name.unwrap_or_default()).into_owned();
            match fault {
                Fault::Corrupt(reason) => ClassPathError::CorruptEntry { path, entry, reason },
                Fault::Encrypted => ClassPathError::Encrypted { path, entry },
                Fault::Compression => ClassPathError::Compression { path, entry },
                Fault::TooLarge => ClassPathError::TooLarge {
                    name: entry,
                    jar: Some(path),
                },
                Fault::Unreadable(reason) => ClassPathError::Unreadable { path, reason },
                Fault::Changed => ClassPathError::Changed { path },
            }
        })
    }

    /// Inflates one entry, within the size limit and with its checksum verified.
    fn inflate(&self, index: usize) -> Result<Vec<u8>, Fault> {
        let entry = self.archive.by_index_data(index)?;
        if entry.encrypted() {
            return Err(Fault::Encrypted);
        }
        // Asked here, because other crates may add methods to the zip reader that java does not know.
        if !matches!(
            entry.compression(),
            CompressionMethod::Stored | CompressionMethod::Deflated
        ) {
            return Err(Fault::Compression);
        }
        let size = entry.size();
        if size > MAX_CLASS_SIZE {
            return Err(Fault::TooLarge);
        }
        let file = File::open(&self.path).map_err(Fault::Unreadable)?;
        if Stamp::of(&file).map_err(Fault::Unreadable)? != self.stamp {
            return Err(Fault::Changed);
        }
        // The local header before the data has variable length; with this much most entries need one read.
        let chunk = entry.compressed_size().min(1 << 16) as usize + 256;
        let mut reader = JarReader::new(file, self.stamp, chunk);
        // The declared size may be a lie, so no more than a usual amount is reserved on its word.
        let mut bytes = Vec::with_capacity(size.min(1 << 20) as usize + 1);
        let content = entry.with_reader(&mut reader, ZipReadOptions::new())?;
        content
            .take(MAX_CLASS_SIZE + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Fault::Corrupt(error.to_string()))?;
        match bytes.len() as u64 {
            actual if actual > MAX_CLASS_SIZE => Err(Fault::TooLarge),
            actual if actual != size => {
                Err(Fault::Corrupt(format!("it has {actual} bytes instead of {size}")))
            }
            _ => Ok(bytes),
        }
    }

    fn manifest_index(&self) -> Option<usize> {
        // The JDK takes any spelling of the name.
        let exact = self.archive.index_for_name_raw(MANIFEST);
        exact.or_else(|| {
            self.archive
                .file_names_raw()
                .position(|name| name.eq_ignore_ascii_case(MANIFEST))
        })
    }

    fn versions_up_to(&self, feature: u32) -> Vec<u32> {
        let versions = self.entry_names().filter_map(|entry| Some(versioned(entry)?.0));
        // Before 9 there were no multi-release jars, and the specification ignores lower versions.
        let mut versions: Vec<u32> = versions
            .filter(|version| (9..=feature).contains(version))
            .collect();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        versions.dedup();
        versions
    }

    /// Entry names, taken as UTF-8 as the JDK does; others cannot be class names.
    fn entry_names(&self) -> impl Iterator<Item = &str> {
        self.archive
            .file_names_raw()
            .filter_map(|name| str::from_utf8(name).ok())
    }
}

/// Splits `META-INF/versions/11/p/C.class` into 11 and `p/C.class`.
fn versioned(entry: &str) -> Option<(u32, &str)> {
    let (version, file) = entry.strip_prefix(VERSIONS)?.split_once('/')?;
    // `find` writes the number back, so only the plain spelling counts.
    let number = version.parse().ok()?;
    (version == u32::to_string(&number)).then_some((number, file))
}

/// What is wrong with an entry, before it is known how to name it.
enum Fault {
    Corrupt(String),
    Encrypted,
    Compression,
    TooLarge,
    Unreadable(io::Error),
    Changed,
}

impl From<ZipError> for Fault {
    fn from(error: ZipError) -> Self {
        Self::Corrupt(reason(&error))
    }
}

/// What an error of the zip reader says, without its preamble.
fn reason(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => error.to_string(),
        ZipError::InvalidArchive(reason) => reason.to_string(),
        other => other.to_string(),
    }
}

/// What tells whether a file is still the one whose directory was read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

/// Buffered reader that keeps its buffer over seeks within it, which `BufReader` does not.
struct JarReader {
    file: Option<File>,
    length: u64,
    position: u64,
    chunk: usize,
    buffer: Vec<u8>,
    buffer_start: u64,
}

impl JarReader {
    fn new(file: File, stamp: Stamp, chunk: usize) -> Self {
        Self {
            file: Some(file),
            length: stamp.length,
            position: 0,
            chunk,
            buffer: Vec::new(),
            buffer_start: 0,
        }
    }
}

impl Clone for JarReader {
    /// A closed reader: `ZipArchive` wants to own one, and must not keep the file open.
    fn clone(&self) -> Self {
        Self {
            file: None,
            length: self.length,
            position: 0,
            chunk: 0,
            buffer: Vec::new(),
            buffer_start: 0,
        }
    }
}

impl JarReader {
    /// What is buffered at the position.
    fn buffered(&self) -> &[u8] {
        let at = self
            .position
            .checked_sub(self.buffer_start)
            .and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.buffer.get(at..)).unwrap_or_default()
    }

    fn fill(&mut self) -> io::Result<()> {
        let file = self
            .file
            .as_mut()
            .ok_or_else(|| io::Error::other("the jar is closed"))?;
        file.seek(SeekFrom::Start(self.position))?;
        self.buffer_start = self.position;
        self.buffer.resize(self.chunk, 0);
        let result = file.read(&mut self.buffer);
        self.buffer.truncate(*result.as_ref().unwrap_or(&0));
        result.map(|_| ())
    }
}

impl Read for JarReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.buffered().is_empty() {
            self.fill()?;
        }
        let count = self.buffered().read(out)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for JarReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = position.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
