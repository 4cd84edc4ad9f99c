//! Files of contracts, as `docs/contracts.md` describes them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::contract::{Contract, Methods, Term};

/// Why a file of contracts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContractError {
    /// It cannot be read.
    #[error("cannot read the contracts in {}: {reason}; check what --contracts names", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Something in it is wrong.
    #[error("{file}:{line}: {problem}")]
    Malformed {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and the remedy.
        problem: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    contract: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    types: Spanned<Vec<String>>,
    methods: Option<Spanned<Vec<String>>>,
    promise: Spanned<Term>,
    says: Spanned<String>,
    at: String,
    #[serde(default = "always")]
    subtypes: bool,
}

const fn always() -> bool {
    true
}

/// Reads a file that the user has written.
pub(crate) fn read(path: &Path) -> Result<Vec<Contract>, ContractError> {
    let text = fs::read_to_string(path).map_err(|reason| ContractError::Unreadable {
        path: path.to_owned(),
        reason,
    })?;
    parse(&path.display().to_string(), &text, true)
}

/// Reads the text of a file.
pub(crate) fn parse(file: &str, text: &str, is_users: bool) -> Result<Vec<Contract>, ContractError> {
    let malformed = |at: usize, problem: String| ContractError::Malformed {
        file: file.to_owned(),
        line: 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count(),
        problem,
    };
    let document: Document = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        malformed(
            at,
            format!("{}; docs/contracts.md describes the format", error.message()),
        )
    })?;
    let mut contracts = Vec::new();
    for entry in document.contract {
        let Entry {
            types,
            methods,
            promise,
            says,
            at,
            subtypes,
        } = entry;
        let term = *promise.get_ref();
        match (&methods, term.is_of_type()) {
            (Some(methods), true) => {
                return Err(malformed(
                    methods.span().start,
                    "this promise is about the whole type; leave `methods` out".to_owned(),
                ));
            }
            (None, false) => {
                return Err(malformed(
                    promise.span().start,
                    "this promise is about methods; name them in `methods`, or all of them with [\"*\"]"
                        .to_owned(),
                ));
            }
            _ => {}
        }
        if types.get_ref().is_empty() {
            return Err(malformed(
                types.span().start,
                "`types` is empty; name a class".to_owned(),
            ));
        }
        if let Some(name) = types.get_ref().iter().find(|name| !is_class(name)) {
            return Err(malformed(
                types.span().start,
                format!("`{name}` is no name of a class; write it as in java.util.Map$Entry"),
            ));
        }
        if says.get_ref().trim().is_empty() {
            return Err(malformed(
                says.span().start,
                "`says` is empty; give the sentence of the documentation in short".to_owned(),
            ));
        }
        for name in types.get_ref() {
            contracts.push(Contract {
                of: name.replace('.', "/"),
                methods: Methods(
                    methods
                        .as_ref()
                        .map(|list| list.get_ref().clone())
                        .unwrap_or_default(),
                ),
                term,
                says: says.get_ref().clone(),
                at: at.clone(),
                subtypes,
                is_users,
            });
        }
    }
    Ok(contracts)
}

fn is_class(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(|c: char| " /*;[()".contains(c));
    name.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[[contract]]
types = ["a.B", "a.C"]
methods = ["size"]
promise = "snapshot"
says = "an estimate"
at = "size"
"#;

    #[test]
    fn an_entry_speaks_of_each_of_its_types() {
        let contracts = parse("mine.toml", GOOD, true).unwrap();
        let of: Vec<&str> = contracts.iter().map(|contract| &*contract.of).collect();
        assert_eq!(of, ["a/B", "a/C"]);
        assert!(
            contracts
                .iter()
                .all(|contract| contract.is_users && contract.subtypes)
        );
        assert_eq!(
            contracts[0].sentence_of("size"),
            "the documentation of a.B.size says: an estimate (size)"
        );
    }

    #[test]
    fn mistakes_are_named_with_file_line_and_remedy() {
        for (from, to, line, says) in [
            ("snapshot", "snapshoot", 5, "unknown variant"),
            ("says = \"an estimate\"\n", "", 2, "missing field `says`"),
            ("methods = [\"size\"]\n", "", 4, "name them in `methods`"),
            ("snapshot", "thread-safe", 4, "leave `methods` out"),
            ("\"a.B\"", "\"a/B\"", 3, "`a/B` is no name of a class"),
            ("[\"a.B\", \"a.C\"]", "[]", 3, "`types` is empty"),
            ("an estimate", " ", 6, "`says` is empty"),
            ("at = ", "where = ", 7, "unknown field `where`"),
        ] {
            let message = parse("mine.toml", &GOOD.replace(from, to), true)
                .unwrap_err()
                .to_string();
            assert!(message.starts_with(&format!("mine.toml:{line}: ")), "{message}");
            assert!(message.contains(says), "{message}");
        }
        let missing = read(Path::new("/nowhere/mine.toml")).unwrap_err().to_string();
        assert!(
            missing.contains("/nowhere/mine.toml") && missing.contains("--contracts"),
            "{missing}"
        );
    }
}
