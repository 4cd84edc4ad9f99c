//! Class names as people write them.

use std::sync::Arc;

use crate::error::{LoadError, NameError};
use crate::ids::ClassId;
use crate::program::Program;

/// `java/util/Map$Entry` as `java.util.Map$Entry`.
pub fn java_name(internal: &str) -> String {
    internal.replace('/', ".")
}

/// Whether a name is a pattern.
pub fn is_glob(name: &str) -> bool {
    name.contains('*')
}

/// Names farther away than this many edits are not what was meant.
const MAX_DISTANCE: usize = 3;
const MAX_SUGGESTIONS: usize = 3;

impl Program {
    /// The class a person means: `java.util.Map$Entry`, `java.util.Map.Entry` and `java/util/Map$Entry` are the same.
    pub fn find_class(&self, typed: &str) -> Result<ClassId, NameError> {
        if typed.ends_with(']') || typed.starts_with('[') {
            return Err(NameError::Array {
                name: typed.to_owned(),
            });
        }
        // As files are called.
        let typed = [".class", ".java"]
            .iter()
            .find_map(|ending| typed.strip_suffix(ending))
            .unwrap_or(typed);
        let mut candidate = typed.replace('.', "/");
        loop {
            let id = self.class_id(&candidate);
            match self.load(id) {
                Ok(_) => return Ok(id),
                Err(error) if matches!(**error, LoadError::Missing { .. }) => {}
                Err(error) => return Err(NameError::Load(Arc::clone(error))),
            }
            // Outer.Inner: from the right, a dot may have been meant as a dollar sign.
            match candidate.rfind('/') {
                Some(at) => candidate.replace_range(at..=at, "$"),
                None => break,
            }
        }
        let package = format!("{}.", typed.replace('/', "."));
        if self.all_names().iter().any(|name| name.starts_with(&package)) {
            return Err(NameError::Package {
                name: typed.replace('/', "."),
            });
        }
        Err(NameError::Unknown {
            name: typed.to_owned(),
            suggestions: self.suggestions(typed),
        })
    }

    /// Every class that matches a pattern: `*` is one part of a name, `**` any number. Java names, sorted.
    pub fn find_matching(&self, pattern: &str) -> Result<Vec<String>, NameError> {
        let wanted: Vec<&str> = pattern.split('.').collect();
        let matching = |names: Vec<String>| {
            let is_wanted = |name: &String| matches_parts(&wanted, &name.split('.').collect::<Vec<&str>>());
            names.into_iter().filter(is_wanted).collect::<Vec<String>>()
        };
        // `com.**` is about what people have brought along, and not about `com.sun`. Who names no package at all means nothing else.
        let mut found = matching(self.own_names());
        let is_anything = wanted.first().is_some_and(|first| is_glob(first));
        if found.is_empty() && (!is_anything || self.class_path().is_empty()) {
            found = matching(self.all_names());
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            return Err(NameError::NoMatch {
                pattern: pattern.to_owned(),
            });
        }
        Ok(found)
    }

    /// Java names of all classes of the class path and the JDK, in no particular order.
    fn all_names(&self) -> Vec<String> {
        let mut names = self.own_names();
        for module in self.jdk().modules() {
            names.extend(
                self.jdk()
                    .classes_of(module)
                    .iter()
                    .map(|(name, _)| java_name(name)),
            );
        }
        names
    }

    /// Java names of all classes of the class path, in no particular order.
    fn own_names(&self) -> Vec<String> {
        let names = self.class_path().class_names();
        names.iter().map(|(name, _)| java_name(name)).collect()
    }

    fn suggestions(&self, typed: &str) -> Vec<String> {
        let flat = typed.replace(['$', '/'], ".");
        let simple = flat.rsplit('.').next().unwrap_or_default().to_lowercase();
        let mut ranked: Vec<(usize, String)> = self
            .all_names()
            .into_iter()
            .filter_map(|name| {
                let other = name.replace('$', ".");
                let distance = strsim::levenshtein(&flat.to_lowercase(), &other.to_lowercase());
                let same_simple = other
                    .rsplit('.')
                    .next()
                    .is_some_and(|other| other.to_lowercase() == simple);
                if distance <= MAX_DISTANCE {
                    Some((distance, name))
                } else if same_simple {
                    // The right class in the wrong package: worse than a slip of the pen, better than nothing.
                    Some((MAX_DISTANCE + distance, name))
                } else {
                    None
                }
            })
            .collect();
        ranked.sort();
        ranked
            .into_iter()
            .map(|(_, name)| name)
            .take(MAX_SUGGESTIONS)
            .collect()
    }
}

/// Whether a Java name matches a pattern, or is the same name.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    let wanted: Vec<&str> = pattern.split('.').collect();
    let parts: Vec<&str> = name.split('.').collect();
    matches_parts(&wanted, &parts)
}

fn matches_parts(pattern: &[&str], name: &[&str]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=name.len()).any(|skip| matches_parts(rest, name.get(skip..).unwrap_or_default()))
                && !(rest.is_empty() && name.is_empty())
        }
        (Some((part, rest)), Some((head, tail))) => matches_part(part, head) && matches_parts(rest, tail),
        _ => false,
    }
}

/// One part, where `*` stands for any characters.
fn matches_part(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last_was_star = false;
    for piece in pieces {
        last_was_star = true;
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
        if !piece.is_empty() {
            last_was_star = false;
        }
    }
    rest.is_empty()
        || last_was_star
        || (pattern.contains('*') && text.ends_with(pattern.rsplit('*').next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(pattern: &str, name: &str) -> bool {
        matches_parts(
            &pattern.split('.').collect::<Vec<_>>(),
            &name.split('.').collect::<Vec<_>>(),
        )
    }

    #[test]
    fn one_star_is_one_part_and_two_are_any_number() {
        assert!(glob("java.util.*", "java.util.Map"));
        assert!(!glob("java.util.*", "java.util.concurrent.Future"));
        assert!(glob("java.util.**", "java.util.concurrent.locks.Lock"));
        assert!(glob("**.Hash*", "java.util.Hashtable"));
        assert!(glob("java.**.*Lock", "java.util.concurrent.locks.ReentrantLock"));
        assert!(!glob("java.**.*Lock", "java.util.concurrent.locks.LockSupport"));
        assert!(!glob("java.util.**", "java.util"));
    }
}
