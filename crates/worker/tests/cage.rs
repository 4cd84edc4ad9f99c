//! The cage holds. Each test runs its deed in a process of its own, since nobody can leave a cage.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;

use raddle_worker::cage::{Cage, Hold};
use raddle_worker::protocol::CageLimits;

/// The directory of the cage, set in the process that goes in.
const CAGE: &str = "RADDLE_TEST_CAGE";
/// A directory outside.
const OUTSIDE: &str = "RADDLE_TEST_OUTSIDE";
/// A process outside.
const NEIGHBOUR: &str = "RADDLE_TEST_NEIGHBOUR";

/// Runs `deed` inside a cage; `test` is the name of the test that calls this.
#[track_caller]
fn in_a_cage(test: &str, deed: fn(&Path)) {
    if let Some(directory) = std::env::var_os(CAGE) {
        let directory = PathBuf::from(directory);
        let report = Cage::new(&directory, limits())
            .enter()
            .expect("the cage can be entered");
        assert_eq!(report.calls, Hold::Full);
        assert_eq!(
            report.files,
            Hold::Full,
            "Landlock of this kernel is older than the tests need"
        );
        deed(&directory);
        return;
    }
    let inside = tempfile::tempdir().expect("a directory can be made");
    let outside = tempfile::tempdir().expect("a directory can be made");
    let mut neighbour = Neighbour::start();
    let output = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(["--exact", test, "--nocapture"])
        .env(CAGE, inside.path())
        .env(OUTSIDE, outside.path())
        .env(NEIGHBOUR, neighbour.0.id().to_string())
        .output()
        .expect("this program can be started");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(neighbour.is_alive(), "the neighbour was killed");
    let left: Vec<_> = fs::read_dir(outside.path())
        .expect("the directory is still there")
        .collect();
    assert!(left.is_empty(), "something was written outside: {left:?}");
}

/// A process that the caged one must leave alone.
struct Neighbour(Child);

impl Neighbour {
    fn start() -> Neighbour {
        Neighbour(
            Command::new("sleep")
                .arg("60")
                .spawn()
                .expect("sleep can be started"),
        )
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn limits() -> CageLimits {
    CageLimits {
        file_bytes: 1 << 20,
        ..CageLimits::for_heap(64)
    }
}

fn outside() -> PathBuf {
    PathBuf::from(std::env::var_os(OUTSIDE).expect("set by the parent"))
}

#[track_caller]
fn is_denied<T>(result: io::Result<T>) {
    match result {
        Ok(_) => panic!("was allowed"),
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}"),
    }
}

#[test]
fn a_write_outside_fails() {
    in_a_cage("a_write_outside_fails", |_| {
        is_denied(fs::write(outside().join("file"), "x"));
        is_denied(fs::create_dir(outside().join("directory")));
        is_denied(fs::remove_dir(outside()));
        is_denied(fs::write("/tmp/raddle-was-here", "x"));
    });
}

#[test]
fn a_write_to_the_home_directory_fails() {
    in_a_cage("a_write_to_the_home_directory_fails", |_| {
        let home = PathBuf::from(std::env::var_os("HOME").expect("there is a home directory"));
        is_denied(fs::write(home.join(".raddle-was-here"), "x"));
    });
}

#[test]
fn nothing_can_be_moved_or_linked_in_from_outside() {
    in_a_cage("nothing_can_be_moved_or_linked_in_from_outside", |directory| {
        assert!(fs::rename(outside(), directory.join("stolen")).is_err());
        assert!(fs::hard_link("/etc/hostname", directory.join("link")).is_err());
        // A symbolic link can be made, and does not help.
        std::os::unix::fs::symlink(outside(), directory.join("door")).expect("a link can be made");
        is_denied(fs::write(directory.join("door/file"), "x"));
    });
}

#[test]
fn owner_mode_and_times_of_files_cannot_be_changed() {
    in_a_cage("owner_mode_and_times_of_files_cannot_be_changed", |_| {
        is_denied(fs::set_permissions(outside(), fs::Permissions::from_mode(0o777)));
        is_denied(std::os::unix::fs::chown(outside(), Some(12345), None));
    });
}

#[test]
fn a_write_inside_works() {
    in_a_cage("a_write_inside_works", |directory| {
        fs::create_dir(directory.join("inner")).expect("a directory can be made");
        fs::write(directory.join("inner/file"), "x").expect("a file can be written");
        fs::rename(directory.join("inner/file"), directory.join("file")).expect("it can be moved");
        assert_eq!(fs::read(directory.join("file")).expect("it can be read"), b"x");
        fs::remove_file(directory.join("file")).expect("it can be removed");
        fs::write("/dev/null", "x").expect("the void takes everything");
    });
}

#[test]
fn a_read_outside_works() {
    in_a_cage("a_read_outside_works", |_| {
        assert!(fs::read("/proc/self/status").is_ok());
        assert!(fs::read_dir("/").is_ok());
    });
}

#[test]
fn a_socket_fails() {
    in_a_cage("a_socket_fails", |directory| {
        is_denied(TcpStream::connect("127.0.0.1:9"));
        is_denied(TcpListener::bind("127.0.0.1:0"));
        is_denied(UdpSocket::bind("127.0.0.1:0"));
        is_denied(UnixStream::connect("/run/nothing.socket"));
        is_denied(UnixListener::bind(directory.join("socket")));
        is_denied(UnixDatagram::pair());
    });
}

#[test]
fn a_pair_of_connected_streams_works() {
    in_a_cage("a_pair_of_connected_streams_works", |_| {
        let (mut one, _other) = UnixStream::pair().expect("file channels of the JDK need one");
        one.write_all(b"x").expect("it can be written to");
    });
}

#[test]
fn a_process_cannot_be_started() {
    in_a_cage("a_process_cannot_be_started", |_| {
        is_denied(Command::new("/bin/true").spawn());
        is_denied(Command::new("/bin/sh").args(["-c", "true"]).spawn());
    });
}

#[test]
#[expect(unsafe_code, reason = "no safe function forks or replaces the process")]
fn fork_and_exec_fail() {
    use std::os::unix::process::CommandExt;
    in_a_cage("fork_and_exec_fail", |_| {
        // SAFETY: the child, if there is one, only exits.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: ends the process without running anything that the fork may have left half done.
            unsafe { libc::_exit(0) };
        }
        assert_eq!(child, -1);
        assert_eq!(io::Error::last_os_error().kind(), io::ErrorKind::PermissionDenied);
        is_denied::<()>(Err(Command::new("/bin/true").exec()));
    });
}

#[test]
#[expect(unsafe_code, reason = "no safe function sends a signal")]
fn killing_another_process_fails() {
    in_a_cage("killing_another_process_fails", |_| {
        let neighbour: i32 = std::env::var(NEIGHBOUR)
            .ok()
            .and_then(|text| text.parse().ok())
            .expect("set by the parent");
        for target in [neighbour, -neighbour, 0, -1] {
            // SAFETY: sends a signal, nothing else.
            let result = unsafe { libc::kill(target, libc::SIGKILL) };
            assert_eq!(result, -1, "to {target}");
            assert_eq!(io::Error::last_os_error().kind(), io::ErrorKind::PermissionDenied);
        }
        // SAFETY: signal 0 only asks whether it could be sent.
        let own = unsafe { libc::kill(libc::getpid(), 0) };
        assert_eq!(own, 0, "a process may signal itself");
    });
}

#[test]
fn a_file_beyond_the_limit_is_an_error_and_not_the_end() {
    in_a_cage(
        "a_file_beyond_the_limit_is_an_error_and_not_the_end",
        |directory| {
            let mut file = fs::File::create(directory.join("large")).expect("a file can be made");
            let error = (0..3)
                .find_map(|_| file.write_all(&vec![0; 1 << 20]).err())
                .expect("the limit holds");
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{error}");
        },
    );
}

#[test]
#[expect(unsafe_code, reason = "no safe function sets a limit")]
fn limits_cannot_be_raised() {
    in_a_cage("limits_cannot_be_raised", |_| {
        let limit = libc::rlimit {
            rlim_cur: libc::RLIM_INFINITY,
            rlim_max: libc::RLIM_INFINITY,
        };
        // SAFETY: the limit lives as long as the call.
        let result = unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) };
        assert_eq!(result, -1);
    });
}

#[test]
fn threads_still_work() {
    in_a_cage("threads_still_work", |directory| {
        let directory = directory.to_owned();
        let other = thread::spawn(move || {
            is_denied(TcpStream::connect("127.0.0.1:9"));
            is_denied(fs::write(outside().join("file"), "x"));
            fs::write(directory.join("file"), "x").expect("a file can be written");
            7
        });
        assert_eq!(other.join().expect("the thread ends well"), 7);
    });
}
