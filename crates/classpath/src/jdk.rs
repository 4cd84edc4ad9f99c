//! Finding a JDK and reading its classes.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use crate::bytes::ClassBytes;
use crate::error::{ClassPathError, ImageError, JdkError};
use crate::image::Image;
use crate::{mapping, name};

/// The image within the home directory.
const IMAGE: &str = "lib/modules";
/// More than any `release` file has.
const MAX_RELEASE_SIZE: u64 = 1 << 20;
/// First version with a run-time image.
const FIRST_WITH_IMAGE: u32 = 9;

/// A JDK: home, version from its `release` file, its opened image.
pub struct Jdk {
    home: PathBuf,
    version: String,
    feature: u32,
    image: Image<Mmap>,
}

impl Jdk {
    /// The explicit home directory, else `JAVA_HOME`, else the JDK of `java` on `PATH`.
    ///
    /// The first that is given decides: a wrong `JAVA_HOME` is an error, not a reason to use another JDK.
    pub fn locate(explicit: Option<&Path>) -> Result<Self, JdkError> {
        let (java_home, path) = (env::var_os("JAVA_HOME"), env::var_os("PATH"));
        locate_from(explicit, java_home.as_deref(), path.as_deref())
    }

    /// Opens the JDK at a home directory.
    pub fn open(home: &Path) -> Result<Self, JdkError> {
        match home.metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Err(reason) if reason.kind() == io::ErrorKind::PermissionDenied => {
                return Err(unreadable(home, reason));
            }
            _ => {
                return Err(JdkError::NoDirectory {
                    home: home.to_owned(),
                });
            }
        }
        let bundled = home.join("Contents/Home"); // the home directory proper of a macOS bundle
        let home = if bundled.join(IMAGE).exists() {
            bundled
        } else {
            home.to_owned()
        };
        let version = read_version(&home)?;
        let path = home.join(IMAGE);
        if !path.try_exists().map_err(|reason| unreadable(&path, reason))? {
            return Err(without_image(home, version));
        }
        let Some((version, feature)) = version else {
            return Err(JdkError::NoVersion { home });
        };
        let map = mapping::map(&path).map_err(|reason| unreadable(&path, reason))?;
        let image = Image::new(map)
            .and_then(|image| {
                // Tells a compressed or foreign image now instead of at the first class.
                let object = image.find("java/lang/Object")?.is_some();
                object.then_some(image).ok_or(ImageError::Corrupt {
                    part: "class java/lang/Object",
                })
            })
            .map_err(|reason| JdkError::Image { path, reason })?;
        Ok(Self {
            home,
            version,
            feature,
            image,
        })
    }

    /// The home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Full version, `17.0.15`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Feature version: 17 for `17.0.15`, 8 for `1.8.0_402`.
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// Names of all modules, sorted. Empty if the image is damaged, which
    /// [`try_classes_of`](Self::try_classes_of) reports.
    pub fn modules(&self) -> Vec<&str> {
        self.image.modules().map(Iterator::collect).unwrap_or_default()
    }

    /// Class by internal name (`java/util/Hashtable`), with its module.
    pub fn find(&self, internal_name: &str) -> Result<Option<(ClassBytes<'_>, Arc<str>)>, ClassPathError> {
        if !name::is_safe(internal_name) {
            return Ok(None);
        }
        let found = self
            .image
            .find(internal_name)
            .map_err(|reason| self.image_error(reason))?;
        Ok(found.map(|(bytes, module)| (ClassBytes::Mapped(bytes), Arc::from(module))))
    }

    /// Every class of one module, (internal name, bytes), sorted by name, without `module-info` and
    /// `package-info`.
    ///
    /// Empty if there is no such module, or if the image is damaged or compressed;
    /// [`try_classes_of`](Self::try_classes_of) says which.
    pub fn classes_of(&self, module: &str) -> Vec<(String, ClassBytes<'_>)> {
        self.try_classes_of(module).unwrap_or_default()
    }

    /// [`classes_of`](Self::classes_of), with the reason if there is no answer.
    ///
    /// The bytes are slices of the mapped image; listing does not read them.
    pub fn try_classes_of(&self, module: &str) -> Result<Vec<(String, ClassBytes<'_>)>, ClassPathError> {
        let classes = self
            .image
            .classes_of(module)
            .map_err(|reason| self.image_error(reason))?;
        let classes = classes.ok_or_else(|| ClassPathError::UnknownModule {
            home: self.home.clone(),
            module: module.to_owned(),
        })?;
        Ok(classes
            .into_iter()
            .map(|(name, bytes)| (name, ClassBytes::Mapped(bytes)))
            .collect())
    }

    /// Module that contains the package of a class, without reading the class; whether the module has the
    /// class as well is not looked at.
    pub fn module_of(&self, internal_name: &str) -> Option<Arc<str>> {
        self.image.module_of(internal_name).ok().flatten().map(Arc::from)
    }

    fn image_error(&self, reason: ImageError) -> ClassPathError {
        ClassPathError::Image {
            path: self.home.join(IMAGE),
            reason,
        }
    }
}

impl std::fmt::Debug for Jdk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jdk")
            .field("home", &self.home)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

fn unreadable(path: &Path, reason: io::Error) -> JdkError {
    JdkError::Unreadable {
        path: path.to_owned(),
        reason,
    }
}

/// [`Jdk::locate`] with the environment as arguments, so that it can be tested.
fn locate_from(
    explicit: Option<&Path>,
    java_home: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<Jdk, JdkError> {
    if let Some(home) = explicit {
        return Jdk::open(home);
    }
    if let Some(home) = java_home.filter(|home| !home.is_empty()) {
        return Jdk::open(Path::new(home));
    }
    let java = path.and_then(java_on).ok_or(JdkError::NotFound)?;
    let home = home_of(&java).ok_or_else(|| JdkError::Wrapper { java: java.clone() })?;
    Jdk::open(home).map_err(|error| match error {
        // `/usr/bin/java` that is a script makes `/usr` look like an incomplete JDK.
        JdkError::NoImage { home } if !home.join("release").exists() => JdkError::Wrapper { java },
        other => other,
    })
}

/// First `java` on a search path, symbolic links resolved.
fn java_on(path: &OsStr) -> Option<PathBuf> {
    let file = format!("java{}", env::consts::EXE_SUFFIX);
    let candidates = env::split_paths(path).map(|directory| directory.join(&file));
    candidates
        .filter(|java| java.is_file())
        .find_map(|java| java.canonicalize().ok())
}

/// Home directory of `home/bin/java`.
fn home_of(java: &Path) -> Option<&Path> {
    let bin = java.parent()?;
    if bin.file_name()? == "bin" {
        bin.parent()
    } else {
        None
    }
}

/// Says what a directory without image is instead of a JDK.
fn without_image(home: PathBuf, version: Option<(String, u32)>) -> JdkError {
    let has = |relative: &str| home.join(relative).exists();
    match version {
        Some((version, feature)) if feature < FIRST_WITH_IMAGE => JdkError::TooOld { home, version },
        // Some packagings of Java 8 come without `release` file.
        None if has("lib/rt.jar") || has("jre/lib/rt.jar") => JdkError::TooOld {
            home,
            version: "8 or older".to_owned(),
        },
        _ if has("modules/java.base") => JdkError::Exploded { home },
        None if !has("bin/java") && !has("bin/java.exe") => JdkError::NotAJdk { home },
        _ => JdkError::NoImage { home },
    }
}

/// `JAVA_VERSION` of the `release` file, with the feature version; `None` if there is none.
fn read_version(home: &Path) -> Result<Option<(String, u32)>, JdkError> {
    let path = home.join("release");
    if !path.is_file() {
        return Ok(None);
    }
    let read = |path: &Path| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_RELEASE_SIZE).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read(&path).map_err(|reason| unreadable(&path, reason))?;
    Ok(version_in(&String::from_utf8_lossy(&bytes)))
}

fn version_in(release: &str) -> Option<(String, u32)> {
    let value = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version = value.trim().trim_matches('"');
    let mut numbers = version
        .split(|c: char| !c.is_ascii_digit())
        .map(str::parse::<u32>);
    let feature = match numbers.next()?.ok()? {
        1 => numbers.next()?.ok()?,
        feature => feature,
    };
    Some((version.to_owned(), feature))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn versions_of_all_ages_are_understood() {
        let parse = |value: &str| {
            version_in(&format!(
                "IMPLEMENTOR=\"x\"\nJAVA_VERSION={value}\nOS_NAME=\"y\"\n"
            ))
        };
        assert_eq!(parse("\"17.0.15\""), Some(("17.0.15".to_owned(), 17)));
        assert_eq!(parse("\"25\""), Some(("25".to_owned(), 25)));
        assert_eq!(parse("\"26-ea\"\r"), Some(("26-ea".to_owned(), 26)));
        assert_eq!(parse("\"1.8.0_402\""), Some(("1.8.0_402".to_owned(), 8)));
        assert_eq!(parse("9"), Some(("9".to_owned(), 9)));
        for nonsense in ["", "\"\"", "\"1\"", "\"x17\"", "\"99999999999\""] {
            assert_eq!(parse(nonsense), None, "{nonsense}");
        }
        assert_eq!(version_in("JAVA_RUNTIME_VERSION=\"17\""), None);
    }

    #[test]
    fn no_java_at_all() {
        let empty = tempfile::tempdir().unwrap();
        for path in [None, Some(OsStr::new("")), Some(empty.path().as_os_str())] {
            let error = locate_from(None, None, path).unwrap_err();
            assert!(matches!(error, JdkError::NotFound), "{error}");
            assert!(error.to_string().contains("install a JDK 17 or later"), "{error}");
        }
    }

    #[test]
    fn explicit_home_comes_before_java_home_before_path() {
        let [explicit, java_home] = ["/no/explicit", "/no/java_home"].map(Path::new);
        let home_of = |result: Result<Jdk, JdkError>| match result {
            Err(JdkError::NoDirectory { home }) => Some(home),
            _ => None,
        };
        let both = locate_from(Some(explicit), Some(java_home.as_os_str()), None);
        assert_eq!(home_of(both).as_deref(), Some(explicit));
        let one = locate_from(None, Some(java_home.as_os_str()), env::var_os("PATH").as_deref());
        assert_eq!(home_of(one).as_deref(), Some(java_home));
        let unset = locate_from(None, Some(OsStr::new("")), None);
        assert!(matches!(unset, Err(JdkError::NotFound)));
    }

    #[test]
    fn java_that_is_a_script_is_a_wrapper() {
        let directory = tempfile::tempdir().unwrap();
        for within in ["bin", "shims"] {
            let bin = directory.path().join(within);
            fs::create_dir(&bin).unwrap();
            fs::write(
                bin.join(format!("java{}", env::consts::EXE_SUFFIX)),
                "#!/bin/sh\n",
            )
            .unwrap();
            let error = locate_from(None, None, Some(bin.as_os_str())).unwrap_err();
            assert!(matches!(error, JdkError::Wrapper { .. }), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_to_java_are_resolved() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("jdk");
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        fs::write(home.join("release"), "JAVA_VERSION=\"1.8.0_402\"\n").unwrap();
        let [hop, link] = ["hop", "path/java"].map(|name| directory.path().join(name));
        fs::create_dir(directory.path().join("path")).unwrap();
        std::os::unix::fs::symlink(home.join("bin/java"), &hop).unwrap();
        std::os::unix::fs::symlink(&hop, &link).unwrap();
        let error = locate_from(None, None, Some(directory.path().join("path").as_os_str())).unwrap_err();
        assert!(
            matches!(&error, JdkError::TooOld { version, .. } if version == "1.8.0_402"),
            "{error}"
        );
    }
}
