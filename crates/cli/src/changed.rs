//! `raddle hunt --changed`: of what bytes the classes of a hunt are, so that a later one can tell which have changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use raddle_campaign::HuntTarget;
use raddle_classpath::Fingerprint;
use raddle_program::{Program, Reach};
use raddle_report::{ClassRecord, HuntFolder, HuntRequest, RecordedClass, ResumeError, day};

/// The classes as they are now, and today. What else decides what is found in them, and is neither an option nor of the JDK,
/// is in their fingerprints: the files of contracts, and the tests to begin with.
pub(crate) fn record(program: &Program, request: &HuntRequest, classes: &[HuntTarget]) -> ClassRecord {
    let mut reach = Reach::new(program);
    let mut common = Fingerprint::new();
    for file in &request.contracts {
        common.add(&fs::read(file).unwrap_or_default());
    }
    for seed in &request.seeds {
        let class = program.class_id(&seed.replace('.', "/"));
        common.add(&reach.fingerprint(class).to_le_bytes());
    }
    let common = common.finish().to_le_bytes();
    let hunted = day(SystemTime::now());
    let mut recorded = BTreeMap::new();
    for target in classes {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(&common);
        fingerprint.add(&reach.fingerprint(target.class).to_le_bytes());
        recorded.insert(
            program.name(target.class),
            RecordedClass {
                fingerprint: format!("{:016x}", fingerprint.finish()),
                hunted: hunted.clone(),
            },
        );
    }
    ClassRecord::new(recorded)
}

/// Classes that are as they were in the latest hunt of a folder, with the day of that; none if it had other options.
pub(crate) fn unchanged(
    out: &Path,
    request: &HuntRequest,
    record: &ClassRecord,
) -> Result<BTreeMap<String, String>, ResumeError> {
    let latest = match HuntFolder::new(out).request() {
        Ok(latest) => latest,
        Err(ResumeError::Nothing { .. }) => return Ok(BTreeMap::new()),
        Err(error) => return Err(error),
    };
    if !request.has_options_of(&latest) {
        return Ok(BTreeMap::new());
    }
    let before = ClassRecord::read(out)?.map_or_else(BTreeMap::new, |record| record.classes);
    let is_same = |name: &String, then: &RecordedClass| {
        let now = record.classes.get(name);
        now.is_some_and(|now| now.fingerprint == then.fingerprint)
    };
    Ok(before
        .into_iter()
        .filter(|(name, then)| is_same(name, then))
        .map(|(name, then)| (name, then.hunted))
        .collect())
}
