//! What the tests have in common: a directory to work in, jars, and the JDKs of this machine.

#![allow(dead_code)] // no test uses all of it

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use raddle_classpath::{ClassPath, ClassPathError, Jdk, Origin};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A temporary directory that makes what tests need.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with its directories.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    /// Writes a jar of deflated entries.
    pub(crate) fn jar(&self, name: &str, entries: &[(&str, &[u8])]) -> PathBuf {
        self.jar_with(name, entries, CompressionMethod::Deflated)
    }

    pub(crate) fn jar_with(
        &self,
        name: &str,
        entries: &[(&str, &[u8])],
        method: CompressionMethod,
    ) -> PathBuf {
        let path = self.file(name, "");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        let options = SimpleFileOptions::default().compression_method(method);
        for (entry, content) in entries {
            writer.start_file(*entry, options).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        path
    }
}

pub(crate) fn open(entries: &[&Path]) -> ClassPath {
    try_open(entries).unwrap()
}

pub(crate) fn try_open(entries: &[&Path]) -> Result<ClassPath, ClassPathError> {
    ClassPath::open(
        &entries.iter().map(|path| path.to_path_buf()).collect::<Vec<_>>(),
        17,
    )
}

/// Content of a class, as text.
pub(crate) fn content(class_path: &ClassPath, name: &str) -> Option<String> {
    let found = class_path.find(name).unwrap();
    found.map(|(bytes, _)| String::from_utf8(bytes.to_vec()).unwrap())
}

pub(crate) fn names(class_path: &ClassPath) -> Vec<String> {
    class_path
        .class_names()
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

pub(crate) fn origin_path(origin: &Origin) -> &Path {
    match origin {
        Origin::Entry { path, .. } => path,
        Origin::Jdk { .. } => Path::new(""),
    }
}

/// The JDK of `JAVA_HOME` or `PATH`, and others installed next to it.
pub(crate) fn jdks() -> Vec<Jdk> {
    let first = Jdk::locate(None).unwrap();
    let home = first.home().canonicalize().unwrap();
    let mut homes: Vec<PathBuf> = fs::read_dir(home.parent().unwrap())
        .unwrap()
        .filter_map(|entry| entry.ok()?.path().canonicalize().ok())
        .filter(|path| path.join("lib/modules").is_file() && path.join("release").is_file())
        .collect();
    homes.push(home);
    homes.sort();
    homes.dedup();
    homes.iter().map(|home| Jdk::open(home).unwrap()).collect()
}
