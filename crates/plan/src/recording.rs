//! Recorded runs on disk: all that is needed to make one again, and what came of it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::{self, Document};
use crate::{Outcome, PlanError, Schedule, TestPlan};

/// Changes its number whenever a reader of the old file would misread the new one.
pub const RECORDING_VERSION: u32 = 1;

/// A recorded run: all that is needed to make it again, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// [`RECORDING_VERSION`].
    pub raddle_recording: u32,
    /// The version of the program that made it. Another may count scheduling points differently.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub raddle: String,
    /// The JDK's version, such as `17.0.15`. Another has other code, and so other scheduling points.
    pub jdk: String,
    /// Where the classes were, in the order in which they are searched.
    pub class_path: Vec<PathBuf>,
    /// The bound on scheduling points, if there was one; a run that reached it needs it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u32>,
    /// Classes that were left uncontrolled on purpose, by internal name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unplugged: Vec<String>,
    /// Packages that were opened to the tests, each as `module/package`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opens: Vec<String>,
    /// Classes whose static state was made anew before the run, by binary name with dots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resets: Vec<String>,
    /// The name of the test that it is a run of, if somebody wrote that test. Then it is judged by the test alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What was run.
    pub plan: TestPlan,
    /// How: the switches that make the run again.
    pub schedule: Schedule,
    /// What came of it.
    pub outcome: Outcome,
}

impl Document for Recording {
    const WHAT: &'static str = "recording";
    const MEMBER: &'static str = "raddle_recording";
    const VERSION: u32 = RECORDING_VERSION;

    fn check_all(&self) -> Result<(), PlanError> {
        self.plan.check()?;
        let (expected, found) = (self.plan.call_count(), self.outcome.calls.len());
        if expected == found {
            Ok(())
        } else {
            Err(PlanError::ResultCount { expected, found })
        }
    }
}

impl Recording {
    /// Reads and checks a recording.
    pub fn read(path: &Path) -> Result<Recording, PlanError> {
        document::read(path)
    }

    /// Reads and checks a recording.
    pub fn from_json(text: &str) -> Result<Recording, PlanError> {
        document::from_json(text)
    }

    /// The recording as a file has it.
    pub fn to_json(&self) -> Result<String, PlanError> {
        document::to_json(self)
    }

    /// Writes the file, as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), PlanError> {
        document::write(self, path)
    }
}
