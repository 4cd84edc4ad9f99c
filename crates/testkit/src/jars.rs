//! Jars that tests need. `.ci/run` fetches them.

use std::env;
use std::path::PathBuf;

use crate::error::KitError;

/// A jar in the cache of the user, `folder/file`.
pub fn cached_jar(path: &str) -> Result<PathBuf, KitError> {
    let variable = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let cache = variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
    let jar = cache.ok_or(KitError::NoCache)?.join("raddle").join(path);
    if jar.is_file() {
        Ok(jar)
    } else {
        Err(KitError::NoJar { jar })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jar_that_is_missing_is_named_with_the_remedy() {
        let error = cached_jar("subjects/no-such.jar").unwrap_err().to_string();
        assert!(
            error.contains("raddle/subjects/no-such.jar") && error.contains(".ci/run fetches it"),
            "{error}"
        );
    }
}
