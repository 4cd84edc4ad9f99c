//! The file `hunt.json`: what a hunt was asked to do, so that it can be resumed; `docs/raddle-out.md` describes it.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use raddle_campaign::{Strength, UseStockJvm};
use raddle_oracle::Kind;
use raddle_plan::MAX_THREADS;
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::resume_state::ResumeError;
use crate::shard::Shard;

/// Changes its number whenever a reader of the old file would misread the new one.
const VERSION: u32 = 1;
/// JVMs at the same time. No machine has so many CPUs.
const MOST_JOBS: usize = 1 << 12;

/// What a hunt was asked to do.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are flags of the command line, in a file"
)]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HuntRequest {
    /// The version of the program. Another may make other plans.
    pub raddle: String,
    /// The JDK.
    pub jdk_version: String,
    /// Its home directory.
    pub jdk_home: PathBuf,
    /// Where the classes are, as absolute paths, in the order in which they are searched.
    pub class_path: Vec<PathBuf>,
    /// Changes with what is found there.
    pub class_path_fingerprint: String,
    /// Names and patterns, as typed.
    pub classes: Vec<String>,
    /// When a class is left.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The strategy by its name.
    pub strategy: String,
    /// Its seed.
    pub seed: u64,
    /// Classes with sequential tests, as typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Methods that are invariants, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<String>,
    /// What is looked for, in the order of [`Kind::ALL`].
    pub kinds: Vec<Kind>,
    /// Whether what the documentation excuses counts all the same.
    pub strict: bool,
    /// The weakest promise whose findings count, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<Strength>,
    /// Files of contracts that the user has written, as absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<PathBuf>,
    /// Whether the operating system schedules the threads.
    pub stress: bool,
    /// Threads of a test.
    pub threads: NonZeroUsize,
    /// JVMs at the same time.
    pub jobs: NonZeroUsize,
    /// Whether the first finding ends the hunt.
    pub stop_at_first: bool,
    /// Whether reproducers are run.
    pub confirm: UseStockJvm,
    /// Whether what a stock JVM does not show counts all the same.
    #[serde(default)]
    pub count_unconfirmed: bool,
    /// Whether tests are caged.
    pub cage: bool,
    /// Classes that are left uninstrumented on purpose.
    pub unplugged: Vec<String>,
    /// Packages that are opened to the tests, each as `module/package`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opens: Vec<String>,
    /// The part of the classes that is hunted, if it is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Directories with the classes of a project: a pattern means only what is in them. None for the whole class path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub project: Vec<PathBuf>,
}

/// When a class is left. These may change when a hunt is resumed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// How long it is hunted, in milliseconds.
    pub budget_ms: u64,
    /// Plans after which it is left.
    pub max_plans: Option<u64>,
    /// Findings after which it is left.
    pub max_findings: usize,
}

#[derive(Serialize, Deserialize)]
struct Document<R> {
    raddle_hunt: u32,
    #[serde(flatten)]
    request: R,
}

#[derive(Deserialize)]
struct Version {
    raddle_hunt: u32,
}

impl HuntRequest {
    /// The file's text.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        let document = Document {
            raddle_hunt: VERSION,
            request: self,
        };
        let mut text = serde_json::to_string_pretty(&document)?;
        text.push('\n');
        Ok(text)
    }

    /// What differs from another hunt, by its name in the file, if that could make a difference to what is found: not where
    /// things are, how fast it goes, or which part of the classes is hunted.
    pub(crate) fn difference(&self, other: &HuntRequest) -> Option<String> {
        let members = |request: &HuntRequest| {
            let request = HuntRequest {
                jdk_home: PathBuf::new(),
                class_path: Vec::new(),
                contracts: Vec::new(),
                jobs: NonZeroUsize::MIN,
                stop_at_first: false,
                confirm: UseStockJvm::default(),
                shard: None,
                project: Vec::new(),
                ..request.clone()
            };
            serde_json::to_value(request).unwrap_or_default()
        };
        let (one, other) = (members(self), members(other));
        let names = one.as_object()?.keys().chain(other.as_object()?.keys());
        names
            .into_iter()
            .find(|name| one.get(name.as_str()) != other.get(name.as_str()))
            .cloned()
    }

    /// Whether another hunt had the same options: what differs, if anything, is the classes that it found.
    pub fn has_options_of(&self, other: &HuntRequest) -> bool {
        let other = HuntRequest {
            class_path_fingerprint: self.class_path_fingerprint.clone(),
            ..other.clone()
        };
        self.difference(&other).is_none()
    }

    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<HuntRequest, ResumeError> {
        let text = bounded::read_text(path).map_err(|reason| match reason.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ResumeError::Nothing {
                folder: path.parent().unwrap_or(path).to_owned(),
            },
            _ => ResumeError::unreadable(path, &reason),
        })?;
        let damaged = |reason: serde_json::Error| ResumeError::unreadable(path, &reason);
        let Version { raddle_hunt } = serde_json::from_str(&text).map_err(damaged)?;
        if raddle_hunt != VERSION {
            return Err(ResumeError::unreadable(
                path,
                &format!("it is of version {raddle_hunt}, and this program reads version {VERSION}"),
            ));
        }
        let document: Document<HuntRequest> = serde_json::from_str(&text).map_err(damaged)?;
        let request = document.request;
        if request.threads.get() > MAX_THREADS || request.jobs.get() > MOST_JOBS {
            return Err(ResumeError::unreadable(path, &"a number in it is too large"));
        }
        Ok(request)
    }
}
