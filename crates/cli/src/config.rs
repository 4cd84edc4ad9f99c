//! The file `raddle.toml`: what a project always says on the command line; `docs/configuration.md` describes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_campaign::Strength;
use raddle_classpath::split_class_path;
use raddle_oracle::Kind;
use raddle_report::{ExcludedMethod, ReportFormat};
use serde::Deserialize;

use crate::build_tool::BuildTool;
use crate::failure::Failure;
use crate::run_arguments::duration;

/// Looked for in the current directory.
pub(crate) const CONFIG: &str = "raddle.toml";

/// What the file says. Paths are as seen from the current directory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) class_path: Option<Vec<PathBuf>>,
    pub(crate) build_tool: Option<BuildTool>,
    pub(crate) classes: Vec<String>,
    pub(crate) budget: Option<Duration>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) fail_on: Option<Vec<Kind>>,
    pub(crate) promise: Option<Strength>,
    pub(crate) contracts: Vec<PathBuf>,
    pub(crate) exclude_classes: Vec<String>,
    pub(crate) exclude_methods: Vec<ExcludedMethod>,
    pub(crate) baseline: Option<PathBuf>,
    pub(crate) report: Vec<ReportFormat>,
    pub(crate) source_roots: Vec<PathBuf>,
}

/// The file as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Document {
    class_path: Option<Entries>,
    build_tool: Option<BuildTool>,
    classes: Vec<String>,
    budget: Option<String>,
    kinds: Vec<Kind>,
    fail_on: Option<Vec<Kind>>,
    promise: Option<String>,
    contracts: Vec<PathBuf>,
    exclude_classes: Vec<String>,
    exclude_methods: Vec<String>,
    baseline: Option<PathBuf>,
    report: Vec<String>,
    source_roots: Vec<PathBuf>,
}

/// A class path as for `java`, or its entries.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entries {
    Path(String),
    List(Vec<String>),
}

impl Config {
    /// The file that is named, else the one of the current directory, else nothing.
    pub(crate) fn find(named: Option<&Path>) -> Result<Config, Failure> {
        let path = named.unwrap_or(Path::new(CONFIG));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(Config::default());
            }
            Err(error) => return Err(unusable(path, &error)),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        Config::parse(&text, folder).map_err(|reason| unusable(path, &reason))
    }

    /// Paths are relative to the folder that the file is in.
    fn parse(text: &str, folder: &Path) -> Result<Config, String> {
        let document: Document = toml::from_str(text).map_err(|error| error.to_string())?;
        let here = |path: PathBuf| folder.join(path);
        let all_here = |paths: Vec<PathBuf>| paths.into_iter().map(here).collect::<Vec<_>>();
        let member = |name: &str, problem: String| format!("{name}: {problem}");
        Ok(Config {
            class_path: document
                .class_path
                .map(|entries| match entries {
                    Entries::Path(path) => split_class_path(&path),
                    Entries::List(list) => list.iter().flat_map(|entry| split_class_path(entry)).collect(),
                })
                .map(all_here),
            build_tool: document.build_tool,
            classes: document.classes,
            budget: document
                .budget
                .map(|text| duration(&text).map_err(|problem| member("budget", problem)))
                .transpose()?,
            kinds: document.kinds,
            fail_on: document.fail_on,
            promise: document
                .promise
                .map(|text| {
                    text.parse::<Strength>()
                        .map_err(|problem| member("promise", problem))
                })
                .transpose()?,
            contracts: all_here(document.contracts),
            exclude_classes: document.exclude_classes,
            exclude_methods: document
                .exclude_methods
                .iter()
                .map(|name| {
                    name.parse()
                        .map_err(|problem: raddle_report::NoMethod| problem.to_string())
                })
                .collect::<Result<_, String>>()
                .map_err(|problem| member("exclude-methods", problem))?,
            baseline: document.baseline.map(here),
            report: document
                .report
                .iter()
                .map(|name| crate::report::format(name))
                .collect::<Result<_, String>>()
                .map_err(|problem| member("report", problem))?,
            source_roots: all_here(document.source_roots),
        })
    }
}

fn unusable(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::bad_input(vec![format!("{} cannot be used: {reason}", path.display())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_can_be_said_and_paths_are_those_of_the_file() {
        let text = r#"
            class-path = ["target/classes", "lib/a.jar:lib/b.jar"]
            build-tool = "gradle"
            classes = ["com.acme.**"]
            budget = "2m"
            kinds = ["deadlock", "lost-wakeup"]
            fail-on = ["deadlock"]
            promise = "built"
            contracts = ["contracts.toml"]
            exclude-classes = ["com.acme.legacy.**"]
            exclude-methods = ["com.acme.Cache.close"]
            baseline = "raddle-baseline.toml"
            report = ["sarif", "html"]
            source-roots = ["core/src"]
        "#;
        let config = Config::parse(text, Path::new("project")).unwrap();
        // Windows separates entries by another character.
        if cfg!(unix) {
            let paths = ["project/target/classes", "project/lib/a.jar", "project/lib/b.jar"];
            assert_eq!(config.class_path, Some(paths.map(PathBuf::from).to_vec()));
        }
        assert_eq!(config.build_tool, Some(BuildTool::Gradle));
        assert_eq!(config.budget, Some(Duration::from_mins(2)));
        assert_eq!(config.kinds, [Kind::Deadlock, Kind::LostWakeup]);
        assert_eq!(config.fail_on, Some(vec![Kind::Deadlock]));
        assert_eq!(config.promise, Some(Strength::Built));
        assert_eq!(config.contracts, [Path::new("project/contracts.toml")]);
        assert_eq!(config.report, [ReportFormat::Sarif, ReportFormat::Html]);
        assert_eq!(Config::parse("", Path::new("")).unwrap(), Config::default());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_name() {
        for (text, part) in [
            ("budgets = \"2m\"", "unknown field `budgets`"),
            ("budget = \"2 minutes\"", "budget: "),
            ("kinds = [\"race\"]", "unknown variant `race`"),
            (
                "exclude-methods = [\"close\"]",
                "exclude-methods: `close` is no method",
            ),
            ("report = [\"pdf\"]", "report: choose from sarif"),
            ("promise = \"some\"", "promise: "),
            ("budget = ", "1"),
        ] {
            let problem = Config::parse(text, Path::new("")).unwrap_err();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }

    /// Bytes changed, taken out and doubled, in files that say everything.
    #[test]
    fn damaged_files_are_read_or_refused() {
        let whole = "class-path = [\"a\", \"b.jar:c.jar\"]\nclasses = [\"a.B\"]\nbudget = \"1m30s\"\nkinds = [\"deadlock\"]\n\
                     fail-on = [\"result\"]\npromise = \"documented\"\nexclude-methods = [\"a.B.c\"]\nreport = [\"sarif\"]\n";
        let mut state = 1_u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % bound.max(1)
        };
        let more = std::env::var("RADDLE_MUTATION_CASES").ok();
        let cases: u32 = more.and_then(|text| text.parse().ok()).unwrap_or(5_000);
        let mut readable = 0;
        for _ in 0..cases {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..=below(3) {
                let at = below(bytes.len());
                match below(4) {
                    0 => bytes[at] = u8::try_from(below(256)).unwrap(),
                    1 => bytes.truncate(at),
                    2 => drop(bytes.drain(at..)),
                    _ => bytes.insert(at, b"\"[]{}=\n9-"[below(9)]),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            readable += u32::from(Config::parse(&text, Path::new("")).is_ok());
        }
        assert!(readable > cases / 100, "{readable}");
    }
}
