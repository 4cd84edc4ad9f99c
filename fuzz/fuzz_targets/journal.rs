//! The journal of a hunt that is to be resumed, in a folder that is whole otherwise.
#![no_main]
#![allow(dead_code, reason = "each target reads one kind of document")]

#[path = "../../xtask/tests/mutation/whole_document.rs"]
mod whole_document;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

const CLASS: &str = "java.lang.StringBuffer";

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/hunt-folder");
    fs::create_dir(directory.path().join(CLASS)).expect("a writable temporary directory");
    for file in ["hunt.json", "java.lang.StringBuffer/run.json", "java.lang.StringBuffer/events.jsonl"] {
        fs::copy(sample.join(file), directory.path().join(file)).expect("a copy of the sample");
    }
    directory
});

fuzz_target!(|bytes: &[u8]| {
    let journal = DIRECTORY.path().join(CLASS).join("journal.jsonl");
    fs::write(journal, bytes).expect("a writable temporary directory");
    whole_document::hunt_folder(DIRECTORY.path());
});
