//! Landlock: read everywhere, write below one directory.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::{CageError, Hold};

/// The newest version whose rights were looked at one by one.
const KNOWN: ABI = ABI::V7;

/// Devices that may be written to.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/zero"];

/// Restricts this thread and every thread it starts. TCP is left to others if it is not to be `without_tcp`.
pub(super) fn restrict(directory: &Path, without_tcp: bool) -> Result<Hold, CageError> {
    let root = PathFd::new("/").map_err(|error| unusable(Path::new("/"), &error))?;
    let own = PathFd::new(directory).map_err(|error| unusable(directory, &error))?;
    // What cannot be enforced for other reasons than the directory is a missing cage, which the user may accept.
    let status = match rules(root, own, without_tcp) {
        Ok(status) => status,
        Err(error) => return Ok(Hold::Missing(error.to_string())),
    };
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Hold::Full,
        (RulesetStatus::PartiallyEnforced, _) => Hold::Partial,
        (RulesetStatus::NotEnforced, LandlockStatus::NotImplemented) => {
            Hold::Missing("the kernel was built without it".to_owned())
        }
        (RulesetStatus::NotEnforced, _) => Hold::Missing("it is not enabled".to_owned()),
    })
}

fn rules(root: PathFd, own: PathFd, without_tcp: bool) -> Result<landlock::RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?;
    if without_tcp {
        ruleset = ruleset.handle_access(AccessNet::from_all(KNOWN))?;
    }
    let mut ruleset = ruleset
        .create()?
        .add_rule(PathBeneath::new(root, AccessFs::from_read(KNOWN)))?
        .add_rule(PathBeneath::new(own, AccessFs::from_all(KNOWN)))?;
    for device in DEVICES {
        // One that does not exist cannot be written to either.
        if let Ok(file) = PathFd::new(device) {
            ruleset = ruleset.add_rule(PathBeneath::new(file, AccessFs::WriteFile | AccessFs::ReadFile))?;
        }
    }
    ruleset.restrict_self()
}

fn unusable(directory: &Path, error: &dyn std::fmt::Display) -> CageError {
    CageError::Directory {
        directory: directory.to_owned(),
        error: error.to_string(),
    }
}
