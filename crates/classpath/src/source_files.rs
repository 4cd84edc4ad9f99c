//! Sources of classes, where they are at hand: directories, archives beside jars, and those of the JDK.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use zip::ZipArchive;

/// Longer files are not written by hand.
const LONGEST: u64 = 8 << 20;
/// What a jar with the sources of another one is called, after the name of that.
const BESIDE: &str = "-sources.jar";

/// Where sources may be, in the order in which they are searched.
#[derive(Debug, Default)]
pub struct SourceFiles {
    places: Vec<PathBuf>,
    /// Archives that have been opened; none for what is no archive.
    archives: Mutex<BTreeMap<PathBuf, Option<Archive>>>,
    /// Texts by file, without a place if there is none.
    known: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

#[derive(Debug)]
struct Archive {
    zip: ZipArchive<BufReader<File>>,
    /// By file below the root of its module, where archives have a directory for each module.
    names: BTreeMap<String, usize>,
}

impl SourceFiles {
    /// In these directories and archives, then beside the jars of a class path, then in the sources of a JDK. What is not there
    /// is passed over.
    pub fn new(places: &[PathBuf], class_path: &[PathBuf], jdk_home: Option<&Path>) -> SourceFiles {
        let beside = class_path.iter().filter_map(|jar| {
            let stem = jar
                .file_stem()
                .filter(|_| jar.extension() == Some(OsStr::new("jar")))?;
            let mut name = stem.to_owned();
            name.push(BESIDE);
            Some(jar.with_file_name(name))
        });
        let of_jdk = jdk_home
            .into_iter()
            .flat_map(|home| [home.join("lib/src.zip"), home.join("src.zip")]);
        let all = places.iter().cloned().chain(beside).chain(of_jdk);
        SourceFiles {
            places: all.filter(|place| place.exists()).collect(),
            ..SourceFiles::default()
        }
    }

    /// A line of a file that is named from the root of its package, as `com/acme/Cache.java`.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let text = self.text(file)?;
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        text.lines().nth(at).map(|line| line.trim_end().to_owned())
    }

    fn text(&self, file: &str) -> Option<Arc<str>> {
        // A class file may name whatever it wants to.
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !Path::new(file).components().all(is_plain) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || self.places.iter().find_map(|place| self.read(place, file));
        known.entry(file.to_owned()).or_insert_with(find).clone()
    }

    fn read(&self, place: &Path, file: &str) -> Option<Arc<str>> {
        if place.is_dir() {
            // A link out of the directory would put a line of any file into a report.
            let path = place.join(file).canonicalize().ok()?;
            if !path.starts_with(place.canonicalize().ok()?) {
                return None;
            }
            let is_short = fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
            return is_short.then(|| bounded(File::open(path).ok()?)).flatten();
        }
        let mut archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = archives
            .entry(place.to_owned())
            .or_insert_with(|| Archive::open(place));
        opened.as_mut()?.read(file)
    }
}

impl Archive {
    fn open(path: &Path) -> Option<Archive> {
        let zip = ZipArchive::new(BufReader::new(File::open(path).ok()?)).ok()?;
        let names = zip.file_names().filter_map(|name| {
            let name = name.ok()?;
            let below_module = name.split_once('/').filter(|(module, _)| module.contains('.'));
            let short = below_module.map_or(&*name, |(_, rest)| rest).to_owned();
            Some((short, zip.index_for_name(&name)?))
        });
        let names = names.collect();
        Some(Archive { zip, names })
    }

    fn read(&mut self, file: &str) -> Option<Arc<str>> {
        let number = *self.names.get(file)?;
        bounded(self.zip.by_index(number).ok()?)
    }
}

fn bounded(file: impl Read) -> Option<Arc<str>> {
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(path: &Path, files: &[(&str, &str)]) {
        let mut zip = ZipWriter::new(File::create(path).unwrap());
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    }

    #[test]
    fn lines_are_found_in_directories_beside_jars_and_in_the_jdk() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("src");
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/B.java"), "package a;\n  class B { } \n").unwrap();
        archive(
            &root.path().join("lib-1.0-sources.jar"),
            &[("c/D.java", "one\ntwo")],
        );
        fs::create_dir_all(root.path().join("jdk/lib")).unwrap();
        let jdk = root.path().join("jdk");
        archive(&jdk.join("lib/src.zip"), &[("x.base/y/List.java", "list")]);
        let class_path = [root.path().join("lib-1.0.jar"), root.path().join("classes")];
        let sources = SourceFiles::new(&[folder], &class_path, Some(&jdk));
        assert_eq!(sources.line("a/B.java", 2).as_deref(), Some("  class B { }"));
        assert_eq!(sources.line("c/D.java", 2).as_deref(), Some("two"));
        assert_eq!(sources.line("y/List.java", 1).as_deref(), Some("list"));
        assert_eq!(sources.line("a/B.java", 9), None);
        assert_eq!(sources.line("a/C.java", 1), None);
        assert_eq!(sources.line("../src/a/B.java", 1), None);
        assert_eq!(sources.line("/etc/hostname", 1), None);
    }

    #[test]
    #[cfg(unix)]
    fn no_link_leads_out_of_a_directory() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("src");
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/B.java"), "class B { }").unwrap();
        fs::write(root.path().join("key"), "secret").unwrap();
        symlink(root.path().join("key"), folder.join("a/Key.java")).unwrap();
        symlink(root.path(), folder.join("out")).unwrap();
        symlink("a", folder.join("b")).unwrap();
        let linked = root.path().join("linked");
        symlink(&folder, &linked).unwrap();
        for place in [folder, linked] {
            let sources = SourceFiles::new(&[place], &[], None);
            assert_eq!(sources.line("a/Key.java", 1), None);
            assert_eq!(sources.line("out/key", 1), None);
            assert_eq!(sources.line("b/B.java", 1).as_deref(), Some("class B { }"));
        }
    }
}
