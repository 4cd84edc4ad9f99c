//! The subjects' jars: fetched once, kept outside the repository.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use crate::{maven, workspace};

/// SHA-256 by coordinates, relative to the root of the workspace.
const CHECKSUMS: &str = "bench/checksums.toml";

/// The directory with the jars.
pub(crate) struct Cache {
    directory: PathBuf,
    offline: bool,
    /// By coordinates.
    checksums: BTreeMap<String, String>,
}

impl Cache {
    /// `${XDG_CACHE_HOME:-$HOME/.cache}/raddle/subjects`.
    pub(crate) fn open(offline: bool) -> anyhow::Result<Cache> {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let base = match (variable("XDG_CACHE_HOME"), variable("HOME")) {
            (Some(cache), _) => PathBuf::from(cache),
            (None, Some(home)) => Path::new(&home).join(".cache"),
            (None, None) => bail!("neither XDG_CACHE_HOME nor HOME is set, so there is nowhere to keep jars"),
        };
        Ok(Cache {
            directory: base.join("raddle/subjects"),
            offline,
            checksums: checksums()?,
        })
    }

    /// The jars in order; or, as a sentence, which of them cannot be had.
    pub(crate) fn jars(&self, coordinates: &[String]) -> anyhow::Result<Result<Vec<PathBuf>, String>> {
        let mut jars = Vec::with_capacity(coordinates.len());
        for artifact in coordinates {
            let jar = self.directory.join(file_name(artifact)?);
            if !jar.is_file() {
                if self.offline {
                    return Ok(Err(format!("{artifact} is not in the cache")));
                }
                if !self.fetch(artifact)? || !jar.is_file() {
                    return Ok(Err(format!("{artifact} could not be fetched")));
                }
            }
            self.check(artifact, &jar)?;
            jars.push(jar);
        }
        Ok(Ok(jars))
    }

    /// A jar of another content would be another subject.
    fn check(&self, artifact: &str, jar: &Path) -> anyhow::Result<()> {
        let Some(expected) = self.checksums.get(artifact) else {
            bail!("{CHECKSUMS} has no checksum of {artifact}; add it");
        };
        let bytes = fs::read(jar).with_context(|| format!("cannot read {}", jar.display()))?;
        let found = sha256(&bytes);
        if found != *expected {
            bail!(
                "{} is not the jar that {CHECKSUMS} means: its SHA-256 is {found}; delete it, and it is fetched again",
                jar.display()
            );
        }
        Ok(())
    }

    /// Whether Maven has fetched the artifact; its own messages say why not.
    fn fetch(&self, artifact: &str) -> anyhow::Result<bool> {
        fs::create_dir_all(&self.directory)
            .with_context(|| format!("cannot make {}", self.directory.display()))?;
        let mut maven = maven::quiet();
        maven
            .arg("dependency:copy")
            .arg(format!("-Dartifact={artifact}"))
            .arg(format!("-DoutputDirectory={}", self.directory.display()));
        match maven.status() {
            Ok(status) => Ok(status.success()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "{artifact} is not in {} and mvn is not on the PATH to fetch it; install Maven, or pass --offline to \
                 leave out what is missing",
                self.directory.display()
            ),
            Err(error) => Err(error).context("cannot run mvn"),
        }
    }
}

fn checksums() -> anyhow::Result<BTreeMap<String, String>> {
    let text = workspace::read(workspace::root(), CHECKSUMS.as_ref())?;
    toml::from_str(&text).with_context(|| format!("cannot parse {CHECKSUMS}"))
}

/// In hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// `artifact-version.jar` of `group:artifact:version`.
fn file_name(coordinates: &str) -> anyhow::Result<String> {
    match coordinates.split(':').collect::<Vec<_>>()[..] {
        [_, artifact, version] => Ok(format!("{artifact}-{version}.jar")),
        _ => bail!("{coordinates} is not of the form group:artifact:version; correct bench/subjects.toml"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jars_are_named_as_maven_names_them() {
        assert_eq!(file_name("colt:colt:1.2.0").unwrap(), "colt-1.2.0.jar");
        assert!(file_name("colt:1.2.0").is_err());
    }

    #[test]
    fn offline_a_missing_jar_is_named() {
        let cache = Cache {
            directory: PathBuf::from("/nowhere"),
            offline: true,
            checksums: BTreeMap::new(),
        };
        let answer = cache.jars(&["g:a:1".to_owned()]).unwrap();
        assert_eq!(answer, Err("g:a:1 is not in the cache".to_owned()));
        assert_eq!(cache.jars(&[]).unwrap(), Ok(Vec::new()));
    }

    #[test]
    fn a_jar_of_another_content_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a-1.jar"), "abc").unwrap();
        let mut cache = Cache {
            directory: directory.path().to_owned(),
            offline: true,
            checksums: BTreeMap::new(),
        };
        let refused = |cache: &Cache| cache.jars(&["g:a:1".to_owned()]).unwrap_err().to_string();
        assert!(refused(&cache).contains("no checksum"));
        cache.checksums.insert("g:a:1".to_owned(), "00".to_owned());
        assert!(
            refused(&cache).contains("ba7816bf8f01cfea"),
            "{}",
            refused(&cache)
        );
        cache.checksums.insert("g:a:1".to_owned(), sha256(b"abc"));
        assert_eq!(cache.jars(&["g:a:1".to_owned()]).unwrap().unwrap().len(), 1);
    }
}
