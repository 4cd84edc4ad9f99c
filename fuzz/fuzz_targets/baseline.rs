//! A file of accepted findings.
#![no_main]
#![allow(dead_code, reason = "each target reads one kind of document")]

#[path = "../../xtask/tests/mutation/whole_document.rs"]
mod whole_document;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

fuzz_target!(|bytes: &[u8]| {
    whole_document::baseline(bytes, DIRECTORY.path());
});
