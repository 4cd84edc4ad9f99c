//! Any bytes as a jar of the class path.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use raddle_classpath::ClassPath;
use tempfile::TempDir;

const FEATURE: u32 = 17;

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

fuzz_target!(|bytes: &[u8]| {
    let path: PathBuf = DIRECTORY.path().join("fuzzed.jar");
    fs::write(&path, bytes).expect("a writable temporary directory");
    let Ok(class_path) = ClassPath::open(&[path], FEATURE) else {
        return;
    };
    for (name, _) in class_path.list().classes {
        let _ = class_path.find(&name);
    }
    let _ = class_path.find("java/lang/Object");
});
