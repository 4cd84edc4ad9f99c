//! Makes the program's functions for a JVM visible to the JVM, which looks them up by name in the executable, and tells the
//! program which commit it is built from.

use std::env;
use std::path::Path;
use std::process::Command;

/// The entry point, and the two that stand between the JVM and the classes it is given.
const FUNCTIONS: [&str; 3] = [
    "Agent_OnLoad_raddle",
    "JVM_DefineClassWithSource",
    "JVM_LookupDefineClass",
];

/// Says the commit where there is no repository, as in a container.
const COMMIT: &str = "RADDLE_COMMIT";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for function in FUNCTIONS {
        println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol={function}");
    }
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let told = env::var(COMMIT).ok().filter(|commit| !commit.is_empty());
    let version = match told.or_else(commit) {
        Some(commit) => format!("{version} (commit {})", commit.get(..12).unwrap_or(&commit)),
        None => version,
    };
    println!("cargo::rustc-env=RADDLE_LONG_VERSION={version}");
}

/// The commit that is checked out, if these sources are those of a repository and not merely inside of some other one.
fn commit() -> Option<String> {
    let output = Command::new("git")
        .args(["rev-parse", "--show-cdup", "--absolute-git-dir", "HEAD"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let [up, git, commit] = text.lines().collect::<Vec<_>>().try_into().ok()?;
    if !output.status.success() || up != "../../" {
        return None;
    }
    // Changes with every commit and checkout. One that does not exist would have this run each time.
    let log = Path::new(git).join("logs/HEAD");
    if log.is_file() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    Some(commit.to_owned())
}
