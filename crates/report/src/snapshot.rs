//! Expected outputs, kept as files so that a change of the output can be read as a difference.

use std::fs;
use std::path::Path;

/// Compares with `crates/report/snapshots/<name>`, or rewrites that file if `RADDLE_BLESS` is set.
pub(crate) fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(name);
    if std::env::var_os("RADDLE_BLESS").is_some() {
        fs::write(&path, actual).expect("the snapshot can be written");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "{name} has changed; RADDLE_BLESS=1 cargo test accepts it\n--- expected\n{expected}\n--- actual\n{actual}"
    );
}
