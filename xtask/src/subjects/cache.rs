//! The subjects' jars: fetched once, kept outside the repository.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// The directory with the jars.
pub(crate) struct Cache {
    directory: PathBuf,
    offline: bool,
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
            jars.push(jar);
        }
        Ok(Ok(jars))
    }

    /// Whether Maven has fetched the artifact; its own messages say why not.
    fn fetch(&self, artifact: &str) -> anyhow::Result<bool> {
        fs::create_dir_all(&self.directory)
            .with_context(|| format!("cannot make {}", self.directory.display()))?;
        let mut maven = Command::new("mvn");
        maven
            .arg("-q")
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
        };
        let answer = cache.jars(&["g:a:1".to_owned()]).unwrap();
        assert_eq!(answer, Err("g:a:1 is not in the cache".to_owned()));
        assert_eq!(cache.jars(&[]).unwrap(), Ok(Vec::new()));
    }
}
