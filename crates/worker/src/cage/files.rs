//! Landlock: write below one directory, read what a JVM and the tests need.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::{CageError, Hold};

/// The newest version whose rights were looked at one by one.
const KNOWN: ABI = ABI::V7;

/// The device that may be written to. Not the one of zeros, which is shared memory when it is mapped.
const VOID: &str = "/dev/null";

/// Where systems keep programs, libraries and what these are set up with. Of `/etc`, `/usr` and `/proc/sys` only what is no
/// secret: rules cannot take back what they have given, and root could read its own secrets there without any special right.
/// A JDK that is elsewhere, as in `/opt`, is named by whoever makes the cage.
const SYSTEM: &[&str] = &[
    "/bin",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/sbin",
    "/snap",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/libx32",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/usr/sbin",
    "/usr/share",
    "/dev/random",
    "/dev/urandom",
    "/etc/alternatives",
    "/etc/crypto-policies",
    "/etc/fonts",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki/ca-trust/extracted",
    "/etc/pki/java",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/timezone",
    "/var/cache/fontconfig",
    // What the machine is like. What other processes are like is nobody's business.
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/fs",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
];

/// Packages of Linux distributions keep the settings of their JDKs here, and link to them.
const SETTINGS: (&str, &str) = ("/etc", "java");

/// Which processes can be looked at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// The one that is restricted.
    Itself,
    /// All that there are: those of others are in another namespace.
    OfTheNamespace,
    /// None, since the list has those of others and whoever is started cannot be told from them.
    None,
}

/// Restricts this thread and every thread it starts. TCP is left to others if it is not to be `without_tcp`.
pub(super) fn restrict(
    directory: &Path,
    readable: &[PathBuf],
    processes: Processes,
    without_tcp: bool,
) -> Result<Hold, CageError> {
    let own = PathFd::new(directory).map_err(|error| unusable(directory, &error))?;
    // What cannot be enforced for other reasons than the directory is a missing cage, which the user may accept.
    let status = match rules(&own, readable, processes, without_tcp) {
        Ok(status) => status,
        Err(error) => return Ok(Hold::Missing(error.to_string())),
    };
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Hold::Full,
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            partial(effective_abi)
        }
        (RulesetStatus::PartiallyEnforced, _) => Hold::Partial(
            "tests may be able to use files of yours: Landlock holds them in part only".to_owned(),
        ),
        (RulesetStatus::NotEnforced, LandlockStatus::NotImplemented) => {
            Hold::Missing("the kernel was built without it".to_owned())
        }
        (RulesetStatus::NotEnforced, _) => Hold::Missing("it is not enabled".to_owned()),
    })
}

/// What an older kernel does not know. Talking to devices, signals and sockets are forbidden by seccomp as well.
fn partial(version: ABI) -> Hold {
    if version < ABI::V3 {
        return Hold::Partial(format!(
            "tests can empty files you can write to: this kernel has version {} of Landlock, and that takes 3, of Linux 6.2",
            i32::from(version == ABI::V2) + 1
        ));
    }
    Hold::Full
}

/// Says which of these files cannot be read from inside: without special rights even root is somebody who may be refused.
pub(super) fn check(directory: &Path, readable: &[PathBuf]) -> Result<(), CageError> {
    for path in readable.iter().map(PathBuf::as_path).chain([directory]) {
        let read = if path.is_dir() {
            fs::read_dir(path).map(drop)
        } else {
            File::open(path).map(drop)
        };
        match read {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(CageError::Unreadable {
                    path: path.to_owned(),
                });
            }
            // Whoever needs one that is not there will say so.
            _ => {}
        }
    }
    Ok(())
}

fn rules(
    own: &PathFd,
    readable: &[PathBuf],
    processes: Processes,
    without_tcp: bool,
) -> Result<landlock::RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?;
    if without_tcp {
        ruleset = ruleset.handle_access(AccessNet::from_all(KNOWN))?;
    }
    let ruleset = ruleset.create()?.add_rule(PathBeneath::new(own, own_rights()))?;
    let mut ruleset = allow(ruleset, Path::new(VOID), AccessFs::WriteFile | AccessFs::ReadFile)?;
    let settings = settings();
    let system = SYSTEM.iter().map(Path::new);
    for path in system.chain(settings.iter().chain(readable).map(PathBuf::as_path)) {
        ruleset = allow(ruleset, path, AccessFs::from_read(KNOWN))?;
    }
    match processes {
        Processes::Itself => ruleset = allow_itself(ruleset)?,
        Processes::OfTheNamespace => ruleset = allow(ruleset, Path::new("/proc"), look())?,
        Processes::None => {}
    }
    ruleset.restrict_self()
}

fn allow_itself(ruleset: RulesetCreated) -> Result<RulesetCreated, RulesetError> {
    let Ok(process) = PathFd::new("/proc/self") else {
        return Ok(ruleset);
    };
    let ruleset = ruleset.add_rule(PathBeneath::new(&process, look()))?;
    // The kernel makes a new node for the process when it has forgotten this one, and no rule is about that. It does not
    // forget what is open.
    std::mem::forget(process);
    Ok(ruleset)
}

fn look() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::ReadDir
}

/// Everything but to make devices, pipes and sockets, to talk to devices, and to start programs.
fn own_rights() -> BitFlags<AccessFs> {
    AccessFs::from_all(KNOWN)
        & !(AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeFifo
            | AccessFs::MakeSock
            | AccessFs::IoctlDev
            | AccessFs::Execute)
}

fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What does not exist cannot be read either.
    let Ok(file) = PathFd::new(path) else {
        return Ok(ruleset);
    };
    let rights = if path.is_dir() {
        rights
    } else {
        rights & AccessFs::from_file(KNOWN)
    };
    ruleset.add_rule(PathBeneath::new(file, rights))
}

fn settings() -> Vec<PathBuf> {
    let (directory, beginning) = SETTINGS;
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| {
            entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(beginning.as_bytes())
        })
        .map(|entry| entry.path())
        .collect()
}

fn unusable(directory: &Path, error: &dyn std::fmt::Display) -> CageError {
    CageError::Directory {
        directory: directory.to_owned(),
        error: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_old_kernel_lacks_is_said() {
        let gap = |version| match partial(version) {
            Hold::Partial(gap) => gap,
            other => format!("{other:?}"),
        };
        assert!(
            gap(ABI::V1).contains("has version 1 of Landlock"),
            "{}",
            gap(ABI::V1)
        );
        assert!(
            gap(ABI::V2).contains("has version 2 of Landlock"),
            "{}",
            gap(ABI::V2)
        );
        assert_eq!(partial(ABI::V3), Hold::Full);
        assert_eq!(partial(ABI::V6), Hold::Full);
    }
}
