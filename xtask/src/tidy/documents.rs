//! Every repository path that a document names exists.

use std::path::{Path, PathBuf};

use super::Problem;
use crate::workspace;

/// Names what was, so its paths may be gone.
const HISTORY: &str = "CHANGELOG.md";
/// A path that starts with one of these is meant to be in the repository, whether it exists or not.
const TOP_LEVEL: [&str; 8] = [
    ".cargo",
    ".ci",
    "bench",
    "crates",
    "docs",
    "fixtures",
    "packaging",
    "xtask",
];
/// A path that ends in one of these is meant to be in the repository, whatever it starts with.
const OWN_EXTENSIONS: [&str; 3] = ["md", "rs", "toml"];
/// What Raddle reads and writes where it is used.
const ELSEWHERE: [&str; 3] = ["raddle.toml", "raddle-baseline.toml", "report.md"];

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for document in workspace::files_with_extension(root, "md")? {
        if document == Path::new(HISTORY) {
            continue;
        }
        let text = workspace::read(root, &document)?;
        for mention in mentions(&text) {
            if !mention.exists(root, &document) {
                problems.push(Problem {
                    file: document.clone(),
                    line: Some(mention.line),
                    message: format!("`{}` does not exist; correct the document", mention.path),
                });
            }
        }
    }
    Ok(problems)
}

/// A path named in a document.
#[derive(Debug, PartialEq, Eq)]
struct Mention {
    line: usize,
    path: String,
    /// Links are relative to the document, code spans to the root.
    is_link: bool,
}

impl Mention {
    fn exists(&self, root: &Path, document: &Path) -> bool {
        let base = if self.is_link {
            document.parent().unwrap_or(Path::new(""))
        } else {
            Path::new("")
        };
        root.join(base).join(concrete_part(&self.path)).exists()
    }
}

/// The part of a path before the first pattern or placeholder: `docs` of `docs/*.md`.
fn concrete_part(path: &str) -> PathBuf {
    path.split('/')
        .take_while(|part| !part.contains(['*', '<', '{', '…']))
        .collect()
}

/// All paths named in the text, outside fenced code.
fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let mention = |path: &str, is_link| Mention {
            line: index + 1,
            path: path.to_owned(),
            is_link,
        };
        found.extend(
            code_spans(line)
                .filter(|span| is_repository_path(span))
                .map(|path| mention(path, false)),
        );
        found.extend(link_targets(line).map(|path| mention(path, true)));
    }
    found
}

fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Targets of `[text](target)`, without those on the web and those within the document.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.is_empty() && !target.contains(':'))
}

fn is_repository_path(span: &str) -> bool {
    if ELSEWHERE.contains(&span)
        || span.starts_with('/')
        || span.contains(|c: char| c.is_whitespace() || "()=:\"'$".contains(c))
    {
        return false;
    }
    let starts_at_root = span
        .split_once('/')
        .is_some_and(|(first, _)| TOP_LEVEL.contains(&first));
    let extension = Path::new(span)
        .extension()
        .and_then(|extension| extension.to_str());
    starts_at_root
        || (!span.starts_with('.') && extension.is_some_and(|found| OWN_EXTENSIONS.contains(&found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        mentions(text).into_iter().map(|mention| mention.path).collect()
    }

    #[test]
    fn repository_paths_are_told_from_other_code() {
        assert_eq!(
            paths("see `crates/cli/src/main.rs` and `README.md`"),
            ["crates/cli/src/main.rs", "README.md"]
        );
        assert_eq!(paths("run `.ci/run`, read `docs/*.md`"), [".ci/run", "docs/*.md"]);
        assert!(
            paths("`cargo test`, `java/util/Map`, `raddle-out/run.json`, `lib/modules`, `/usr/lib/x.toml`")
                .is_empty()
        );
        assert!(paths("`.rs` and `a.b.Day.FORMAT`").is_empty());
    }

    #[test]
    fn links_count_unless_they_leave_the_repository() {
        assert_eq!(
            paths("[a](docs/a.md#part), [b](https://example.org/b.md), [c](#c)"),
            ["docs/a.md"]
        );
    }

    #[test]
    fn fenced_code_is_not_read() {
        assert!(paths("```\n`crates/nothing`\n```").is_empty());
    }

    #[test]
    fn patterns_are_checked_up_to_the_pattern() {
        assert_eq!(concrete_part("crates/*/src"), Path::new("crates"));
        assert_eq!(concrete_part("fixtures/<group>/A.java"), Path::new("fixtures"));
    }

    #[test]
    fn a_missing_path_is_found_with_its_line() {
        let found = mentions("fine\n`docs/no-such-page.md`");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
        assert!(!found[0].exists(workspace::root(), Path::new("README.md")));
    }
}
