//! Everything that Raddle reads besides classes, read in every way there is: what people write, what hunts leave behind, and
//! what workers say. Each function says whether the bytes made sense.

use std::fs;
use std::path::Path;

use raddle_campaign::Contracts;
use raddle_plan::{Recording, TestPlan};
use raddle_report::{Baseline, HuntFolder, read_hunt};
use raddle_worker::protocol::{Request, Response, read_line};

/// A test plan: checked, printed as Java, and written again.
pub(crate) fn plan(bytes: &[u8]) -> bool {
    let Some(Ok(plan)) = str::from_utf8(bytes).ok().map(TestPlan::from_json) else {
        return false;
    };
    if plan.check().is_ok() {
        let _ = (plan.to_java("p.Fuzzed"), plan.to_json());
    }
    true
}

/// A recording.
pub(crate) fn recording(bytes: &[u8]) -> bool {
    let Some(Ok(recording)) = str::from_utf8(bytes).ok().map(Recording::from_json) else {
        return false;
    };
    let _ = (recording.plan.check(), recording.to_json());
    true
}

/// What a worker says, or is told: all lines up to the first that makes no sense.
pub(crate) fn messages(bytes: &[u8]) -> bool {
    let mut has_any = false;
    let mut said = bytes;
    while let Ok(Some(response)) = read_line::<Response>(&mut said) {
        has_any |= !format!("{response:?}").is_empty();
    }
    let mut told = bytes;
    while let Ok(Some(request)) = read_line::<Request>(&mut told) {
        has_any |= !format!("{request:?}").is_empty();
    }
    has_any
}

/// A file of contracts; `place` is a directory for it.
pub(crate) fn contracts(bytes: &[u8], place: &Path) -> bool {
    let path = place.join("contracts.toml");
    fs::write(&path, bytes).expect("a writable temporary directory");
    Contracts::default().add_file(&path).is_ok()
}

/// A file of accepted findings.
pub(crate) fn baseline(bytes: &[u8], place: &Path) -> bool {
    let path = place.join("baseline.toml");
    fs::write(&path, bytes).expect("a writable temporary directory");
    let read = Baseline::read(&path);
    read.is_ok_and(|baseline| baseline.write(&path).is_ok())
}

/// The folder of a hunt that is to be resumed, or reported once more.
pub(crate) fn hunt_folder(root: &Path) -> bool {
    let folder = HuntFolder::new(root);
    let request = folder.request();
    if let Ok(request) = &request {
        for class in request.classes.iter().take(8) {
            let _ = folder.memory(class, request.bounds);
        }
    }
    read_hunt(root, ("raddle", "0")).is_ok() && request.is_ok()
}
