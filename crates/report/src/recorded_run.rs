//! The Java files of a finding, with the recorded run as a table in the comment at their tops.

use std::io;
use std::path::{Path, PathBuf};

use raddle_campaign::Finding;
use raddle_oracle::Kind;
use raddle_plan::{Event, Outcome, TestPlan};
use raddle_reproduce::{
    HELPER_FILE, Reproducer, ReproducerInput, events_in_order, helper_file, junit_file, junit_test,
};

use crate::bounded::make_directory;
use crate::hunt_folder::write_whole;
use crate::interleaving::{InterleavingOptions, interleaving};

/// Columns of the table of events, behind the slashes of a comment.
const WIDTH: usize = 114;

/// The reproducer of a finding and its JUnit test, each with its place in the finding's directory.
pub(crate) fn java_files(finding: &Finding) -> [(PathBuf, String); 2] {
    let plan = &finding.recording.plan;
    let outcome = &finding.recording.outcome;
    let input = ReproducerInput {
        plan,
        outcome,
        events: &finding.events,
        violation: &finding.violation,
        class_name: &finding.class,
        id: &finding.id,
        allowed: None,
        told: &recorded_run(plan, outcome, &finding.events, finding.violation.kind),
    };
    let Reproducer { file, text } = Reproducer::of(&input);
    [(file, text), (junit_file(&input), junit_test(&input))]
}

/// Writes the file that all JUnit tests share, into the folder of a hunt or a suite.
pub(crate) fn write_helper(root: &Path) -> io::Result<()> {
    let file = root.join(HELPER_FILE);
    make_directory(root, file.parent().unwrap_or(root))?;
    write_whole(&file, &helper_file())
}

/// What the threads did, one column each, in the order in which the steps make it.
pub(crate) fn recorded_run(plan: &TestPlan, outcome: &Outcome, events: &[Event], kind: Kind) -> String {
    let options = InterleavingOptions {
        all: false,
        width: WIDTH,
    };
    let events = events_in_order(plan, events, kind);
    let text = interleaving(plan, outcome, &events, options);
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.ends_with("--all shows them."))
        .collect();
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    let mut table = lines.join("\n");
    table.push('\n');
    table
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_shared_file_is_written_through_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let (root, elsewhere) = (folder.path().join("out"), folder.path().join("elsewhere"));
        fs::create_dir_all(&elsewhere).unwrap();
        write_helper(&root).unwrap();
        write_helper(&root).unwrap();
        assert_eq!(fs::read_to_string(root.join(HELPER_FILE)).unwrap(), helper_file());

        let directory = root.join(HELPER_FILE).parent().unwrap().to_owned();
        fs::remove_dir_all(&directory).unwrap();
        symlink(&elsewhere, &directory).unwrap();
        write_helper(&root).unwrap_err();
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
