//! Class paths that cannot be opened.

use std::fs;
use std::process::Command;

use crate::raddle::{Run, analyze, command};

#[test]
fn a_missing_jar_is_named() {
    analyze(&["-cp", "no-such.jar", "com.acme.Cache"]).is_refused(&["no-such.jar", "does not exist"]);
}

#[test]
fn a_directory_named_like_a_jar_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("x.jar");
    fs::create_dir(&jar).unwrap();
    let jar = jar.to_str().unwrap();
    analyze(&["-cp", jar, "com.acme.Cache"]).is_refused(&[jar, "is a directory"]);
}

#[test]
fn a_file_that_is_no_jar_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("x.jar");
    fs::write(&jar, "just some text").unwrap();
    let jar = jar.to_str().unwrap();
    analyze(&["-cp", jar, "com.acme.Cache"]).is_refused(&[jar, "not a jar"]);
}

#[test]
fn a_damaged_jar_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("x.jar");
    fs::write(&jar, b"PK\x03\x04 and then nothing that belongs there").unwrap();
    let jar = jar.to_str().unwrap();
    analyze(&["-cp", jar, "com.acme.Cache"]).is_refused(&[jar, "damaged"]);
}

#[test]
fn a_lone_class_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("Cache.class");
    fs::write(&file, b"\xca\xfe\xba\xbe").unwrap();
    let file = file.to_str().unwrap();
    analyze(&["-cp", file, "Cache"]).is_refused(&[file, "directory"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_jar_without_permission_to_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("x.jar");
    fs::write(&jar, "PK").unwrap();
    fs::set_permissions(&jar, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read(&jar).is_ok();
    let jar = jar.to_str().unwrap();
    let run = if is_root {
        // Without the capabilities that let root read what nobody may.
        let program = command();
        let mut confined = Command::new("setpriv");
        confined
            .arg("--bounding-set=-dac_override,-dac_read_search")
            .arg(program.get_program());
        Run::of(confined.args(["analyze", "-cp", jar, "com.acme.Cache"]))
    } else {
        analyze(&["-cp", jar, "com.acme.Cache"])
    };
    run.is_refused(&[jar, "cannot read"]);
}

#[cfg(unix)]
#[test]
fn a_jar_that_nobody_can_open_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("x.jar");
    std::os::unix::fs::symlink(&jar, &jar).unwrap();
    let jar = jar.to_str().unwrap();
    analyze(&["-cp", jar, "com.acme.Cache"]).is_refused(&[jar, "cannot read", "symbolic links"]);
}
