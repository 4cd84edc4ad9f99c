//! The cage holds. Each test runs its deed in a process of its own, since nobody can leave a cage.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
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
/// A directory that nobody may read, set in one process.
const UNREADABLE: &str = "RADDLE_TEST_UNREADABLE";

/// Runs `deed` inside a cage; `test` is the name of the test that calls this.
#[track_caller]
fn in_a_cage(test: &str, deed: fn(&Path)) {
    in_a_cage_that(test, |cage| cage, deed);
}

/// The same with another cage.
#[track_caller]
fn in_a_cage_that(test: &str, cage: fn(Cage) -> Cage, deed: fn(&Path)) {
    if let Some(directory) = std::env::var_os(CAGE) {
        let directory = PathBuf::from(directory);
        let report = cage(Cage::new(&directory, limits()))
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

fn neighbour() -> i32 {
    let number = std::env::var(NEIGHBOUR).ok().and_then(|text| text.parse().ok());
    number.expect("set by the parent")
}

/// A system call that is forbidden, or that there is none of in here.
#[track_caller]
fn is_refused(result: libc::c_long) {
    let error = io::Error::last_os_error();
    assert_eq!(result, -1, "was allowed");
    let errno = error.raw_os_error();
    assert!(
        errno == Some(libc::EPERM) || errno == Some(libc::ENOSYS),
        "{error}"
    );
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
fn only_what_a_jvm_needs_can_be_read() {
    in_a_cage("only_what_a_jvm_needs_can_be_read", |directory| {
        assert!(fs::read("/proc/self/status").is_ok());
        assert!(
            fs::read("/proc/self/task/self/stat").is_err(),
            "there is no such thread"
        );
        assert!(fs::read("/proc/meminfo").is_ok());
        assert!(fs::read_dir("/usr/lib").is_ok());
        assert!(fs::read_dir(directory).is_ok());
        is_denied(fs::read_dir("/"));
        is_denied(fs::read_dir("/etc"));
        is_denied(fs::read_dir("/opt"));
        is_denied(fs::read_dir("/usr/local/etc"));
        is_denied(fs::read_dir("/proc/sys/net"));
        is_denied(fs::read("/dev/zero"));
        is_denied(fs::read_dir(outside()));
        is_denied(fs::read("/etc/shadow"));
        let home = PathBuf::from(std::env::var_os("HOME").expect("there is a home directory"));
        is_denied(fs::read_dir(home));
        for file in ["cmdline", "environ", "status"] {
            is_denied(fs::read(format!("/proc/{}/{file}", neighbour())));
        }
    });
}

#[test]
fn what_is_named_can_be_read() {
    in_a_cage_that(
        "what_is_named_can_be_read",
        |cage| cage.reading([outside()]),
        |_| {
            assert!(fs::read_dir(outside()).is_ok());
            is_denied(fs::write(outside().join("file"), "x"));
        },
    );
}

/// A file that only special rights would let root read is no mystery later on.
#[test]
fn what_cannot_be_read_is_named() {
    let cage = tempfile::tempdir().expect("a directory can be made");
    let secret = tempfile::tempdir().expect("a directory can be made");
    fs::set_permissions(secret.path(), fs::Permissions::from_mode(0o0)).expect("it is ours");
    let test = "inner_what_cannot_be_read_is_named";
    let output = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(["--exact", test, "--nocapture"])
        .env(UNREADABLE, secret.path())
        .env(CAGE, cage.path())
        .output()
        .expect("this program can be started");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("was refused"),
        "{output:?}"
    );
}

/// Not a test: what the one above runs. Without the variable it does nothing.
#[test]
fn inner_what_cannot_be_read_is_named() {
    if let (Some(secret), Some(directory)) = (std::env::var_os(UNREADABLE), std::env::var_os(CAGE)) {
        let cage = Cage::new(Path::new(&directory), limits()).reading([PathBuf::from(&secret)]);
        let error = cage.enter().expect_err("it cannot be read").to_string();
        let named = secret.to_string_lossy().into_owned();
        assert!(error.starts_with(&named), "{error}");
        writeln!(io::stdout(), "was refused").expect("somebody listens");
    }
}

#[test]
fn nobody_has_special_rights() {
    in_a_cage("nobody_has_special_rights", |_| {
        let status = fs::read_to_string("/proc/thread-self/status").expect("it can be read");
        let value = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name));
            let value = line.and_then(|line| line.split_whitespace().last());
            value.expect("the kernel tells").to_owned()
        };
        let is_root = value("Uid:") == "0";
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            assert_eq!(value(set), "0000000000000000", "{set}");
        }
        // Somebody without rights cannot narrow what programs could get, but gets nothing from them.
        assert!(!is_root || value("CapBnd:") == "0000000000000000");
        assert_eq!(value("NoNewPrivs:"), "1");
    });
}

#[test]
#[expect(unsafe_code, reason = "no safe function makes devices or talks to them")]
fn devices_cannot_be_made_or_talked_to() {
    in_a_cage("devices_cannot_be_made_or_talked_to", |directory| {
        let path = |name: &str| {
            let path = directory.join(name).into_os_string().into_encoded_bytes();
            std::ffi::CString::new(path).expect("no path has zeros")
        };
        for kind in [libc::S_IFCHR, libc::S_IFBLK, libc::S_IFIFO] {
            // SAFETY: the path lives as long as the call.
            let made = unsafe { libc::mknod(path("device").as_ptr(), kind | 0o600, libc::makedev(5, 0)) };
            is_refused(made.into());
        }
        let file = fs::File::create(directory.join("file")).expect("a file can be made");
        // To type for the user; a terminal's console; flags of a file; shutting a file system down.
        for request in [libc::TIOCSTI, libc::TIOCLINUX, libc::FS_IOC_SETFLAGS, 0x8004_587d] {
            let mut argument: u32 = 0;
            // SAFETY: the argument outlives the call, which looks at no more than its four bytes.
            let done = unsafe { libc::ioctl(file.as_raw_fd(), request, &raw mut argument) };
            is_refused(done.into());
        }
        let mut left: i32 = 0;
        // SAFETY: as above.
        let done = unsafe { libc::ioctl(file.as_raw_fd(), libc::FIONREAD, &raw mut left) };
        assert_eq!(done, 0, "how much there is to read may be asked");
    });
}

#[test]
#[expect(unsafe_code, reason = "no safe function does any of this")]
fn what_belongs_to_the_user_and_not_to_a_file_is_out_of_reach() {
    in_a_cage(
        "what_belongs_to_the_user_and_not_to_a_file_is_out_of_reach",
        |directory| {
            let neighbour = libc::c_long::from(neighbour());
            let set = [u64::MAX; 16];
            let file = fs::File::create(directory.join("file")).expect("a file can be made");
            let file = libc::c_long::from(file.as_raw_fd());
            let name = c"user.name".as_ptr() as libc::c_long;
            let set_address = set.as_ptr() as libc::c_long;
            // The numbers of the two newest calls are the same on all processors.
            for (call, arguments) in [
                (libc::SYS_shmget, [1, 4096, 0]),
                (libc::SYS_shmat, [0, 0, 0]),
                (libc::SYS_shmctl, [0, 0, 0]),
                (libc::SYS_msgget, [1, 0, 0]),
                (libc::SYS_msgctl, [0, 0, 0]),
                (libc::SYS_semget, [1, 1, 0]),
                (libc::SYS_semop, [0, set_address, 1]),
                (libc::SYS_semctl, [0, 0, 0]),
                (libc::SYS_mq_open, [name, 0, 0]),
                (libc::SYS_mq_unlink, [name, 0, 0]),
                (463, [file, name, 0]),
                (469, [file, name, set_address]),
                (libc::SYS_setpriority, [0, neighbour, 19]),
                (libc::SYS_setpriority, [2, 0, 19]),
                (libc::SYS_ioprio_set, [1, neighbour, 3 << 13]),
                (libc::SYS_sched_setaffinity, [neighbour, 128, set_address]),
                (libc::SYS_flock, [file, 2, 0]),
                (libc::SYS_fcntl, [file, 8, neighbour]),
                (libc::SYS_prctl, [1, 0, 0]),
                (libc::SYS_prctl, [4, 0, 0]),
                (libc::SYS_seccomp, [0, 0, 0]),
                (libc::SYS_fanotify_init, [0, 0, 0]),
            ] {
                // SAFETY: pointers among the arguments are to what outlives the call, and none of the calls writes to it.
                let done = unsafe { libc::syscall(call, arguments[0], arguments[1], arguments[2]) };
                is_refused(done);
            }
            for (call, arguments) in [
                (libc::SYS_setpriority, [0, 0, 19]),
                (libc::SYS_sched_setaffinity, [0, 128, set_address]),
            ] {
                // SAFETY: as above.
                let done = unsafe { libc::syscall(call, arguments[0], arguments[1], arguments[2]) };
                assert_eq!(done, 0, "of itself: {call}");
            }
        },
    );
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
        let neighbour = neighbour();
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

/// What nobody who runs a JVM needs, with arguments that would work outside.
#[test]
#[expect(unsafe_code, reason = "no safe function does any of this")]
fn ways_into_other_processes_and_into_the_kernel_are_closed() {
    in_a_cage(
        "ways_into_other_processes_and_into_the_kernel_are_closed",
        |directory| {
            let neighbour = libc::c_long::from(neighbour());
            let file = fs::File::create(directory.join("file")).expect("a file can be made");
            let file = libc::c_long::from(file.as_raw_fd());
            let memory = [0_u64; 32];
            let zeros = memory.as_ptr() as libc::c_long;
            let name = c"name".as_ptr() as libc::c_long;
            let limits = [0_u64; 2];
            let limits = limits.as_ptr() as libc::c_long;
            let time = libc::c_long::from(libc::RLIMIT_CPU);
            // PTRACE_ATTACH, PTRACE_SEIZE, PR_SET_PTRACER, PR_SET_MM, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_KEEPCAPS,
            // PR_CAP_AMBIENT, PR_SET_SYSCALL_USER_DISPATCH.
            for (call, arguments) in [
                (libc::SYS_ptrace, [16, neighbour, 0, 0]),
                (libc::SYS_ptrace, [0x4206, neighbour, 0, 0]),
                (libc::SYS_prctl, [0x5961_6d61, neighbour, 0, 0]),
                (libc::SYS_prctl, [35, 1, 0, 0]),
                (libc::SYS_prctl, [22, 0, 0, 0]),
                (libc::SYS_prctl, [36, 1, 0, 0]),
                (libc::SYS_prctl, [8, 1, 0, 0]),
                (libc::SYS_prctl, [47, 2, 0, 0]),
                (libc::SYS_prctl, [59, 0, 0, 0]),
                (libc::SYS_process_vm_readv, [neighbour, zeros, 1, zeros]),
                (libc::SYS_process_vm_writev, [neighbour, zeros, 1, zeros]),
                (libc::SYS_pidfd_open, [neighbour, 0, 0, 0]),
                (libc::SYS_pidfd_getfd, [file, 0, 0, 0]),
                (libc::SYS_pidfd_send_signal, [file, 9, 0, 0]),
                (libc::SYS_prlimit64, [neighbour, time, limits, 0]),
                (libc::SYS_rt_sigqueueinfo, [neighbour, 9, zeros, 0]),
                (libc::SYS_rt_tgsigqueueinfo, [neighbour, neighbour, 9, zeros]),
                (libc::SYS_tgkill, [neighbour, neighbour, 9, 0]),
                (libc::SYS_tkill, [neighbour, 9, 0, 0]),
                (libc::SYS_sched_setscheduler, [neighbour, 0, zeros, 0]),
                (libc::SYS_migrate_pages, [neighbour, 1, zeros, zeros]),
                (libc::SYS_memfd_create, [name, 0, 0, 0]),
                (libc::SYS_execveat, [file, name, zeros, zeros]),
                (libc::SYS_clone3, [zeros, 88, 0, 0]),
                (libc::SYS_clone, [libc::c_long::from(libc::SIGCHLD), 0, 0, 0]),
                (
                    libc::SYS_clone,
                    [libc::c_long::from(libc::CLONE_NEWUSER), 0, 0, 0],
                ),
                (
                    libc::SYS_unshare,
                    [libc::c_long::from(libc::CLONE_NEWUSER), 0, 0, 0],
                ),
                (libc::SYS_setns, [file, 0, 0, 0]),
                (libc::SYS_userfaultfd, [0, 0, 0, 0]),
                (libc::SYS_io_uring_setup, [1, zeros, 0, 0]),
                (libc::SYS_io_setup, [1, zeros, 0, 0]),
                (libc::SYS_bpf, [0, zeros, 72, 0]),
                (libc::SYS_perf_event_open, [zeros, 0, -1, -1]),
                (libc::SYS_keyctl, [0, -3, 0, 0]),
                (libc::SYS_add_key, [name, name, zeros, 8]),
                (libc::SYS_request_key, [name, name, 0, 0]),
                (libc::SYS_personality, [0x0004_0000, 0, 0, 0]),
                (libc::SYS_timer_create, [0, zeros, zeros, 0]),
                (libc::SYS_signalfd4, [-1, zeros, 8, 0]),
                (libc::SYS_vmsplice, [file, zeros, 1, 0]),
                (libc::SYS_name_to_handle_at, [file, name, zeros, zeros]),
                (libc::SYS_open_by_handle_at, [file, zeros, 0, 0]),
                (libc::SYS_landlock_create_ruleset, [zeros, 8, 0, 0]),
                (libc::SYS_socket, [1, 1, 0, 0]),
                (libc::SYS_socket, [16, 3, 0, 0]),
                (libc::SYS_socket, [38, 5, 0, 0]),
                (libc::SYS_fcntl, [file, 1024, 1, 0]),
                (libc::SYS_fcntl, [file, 15, zeros, 0]),
                (libc::SYS_fcntl, [file, 1036, zeros, 0]),
                (libc::SYS_fcntl, [file, 1038, zeros, 0]),
            ] {
                // SAFETY: pointers among the arguments are to what outlives the call, and no call that is let through would
                // write to more than that.
                let done =
                    unsafe { libc::syscall(call, arguments[0], arguments[1], arguments[2], arguments[3]) };
                is_refused(done);
            }
        },
    );
}

/// Links of the kernel into processes lead past no rule.
#[test]
fn no_link_of_proc_leads_out() {
    in_a_cage("no_link_of_proc_leads_out", |directory| {
        let parent = std::os::unix::process::parent_id();
        for path in [
            "/proc/self/root/etc/shadow".to_owned(),
            "/proc/thread-self/root/etc/shadow".to_owned(),
            format!("/proc/self/../{parent}/environ"),
            format!("/proc/self/task/../../{parent}/mem"),
            format!("/proc/{parent}/mem"),
            format!("/proc/{parent}/maps"),
            format!("/proc/{parent}/fd/0"),
            format!("/proc/{parent}/cwd/x"),
            format!("/proc/{}/root/etc/shadow", neighbour()),
        ] {
            assert!(fs::read(&path).is_err(), "{path}");
        }
        for path in [
            "/proc/self/mem",
            "/proc/self/oom_score_adj",
            "/proc/self/coredump_filter",
            "/proc/self/clear_refs",
            "/proc/self/attr/current",
            "/proc/sys/kernel/core_pattern",
            "/proc/sysrq-trigger",
            "/dev/tty",
            "/dev/kmsg",
            "/dev/shm/raddle-was-here",
        ] {
            let opened = fs::OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(path);
            assert!(opened.is_err(), "{path}");
        }
        let inner = directory.join("root");
        std::os::unix::fs::symlink("/proc/self/root", &inner).expect("a link can be made");
        assert!(fs::read(inner.join("etc/shadow")).is_err());
    });
}

/// What a file is called and has written beside it is for those who may read it, and so is what happens in a directory.
#[test]
#[expect(unsafe_code, reason = "no safe function does any of this")]
fn nothing_is_told_of_files_that_cannot_be_read() {
    in_a_cage("nothing_is_told_of_files_that_cannot_be_read", |directory| {
        let outside = std::ffi::CString::new(outside().into_os_string().into_encoded_bytes());
        let outside = outside.expect("no path has zeros");
        let path = outside.as_ptr() as libc::c_long;
        let name = c"user.name".as_ptr() as libc::c_long;
        let file = fs::File::create(directory.join("file")).expect("a file can be made");
        let file = libc::c_long::from(file.as_raw_fd());
        let mut buffer = [0_u8; 64];
        let buffer = buffer.as_mut_ptr() as libc::c_long;
        for (call, arguments) in [
            (libc::SYS_inotify_init1, [0, 0, 0, 0]),
            (libc::SYS_inotify_add_watch, [file, path, 0x100, 0]),
            (libc::SYS_getxattr, [path, name, buffer, 64]),
            (libc::SYS_lgetxattr, [path, name, buffer, 64]),
            (libc::SYS_listxattr, [path, buffer, 64, 0]),
            (libc::SYS_llistxattr, [path, buffer, 64, 0]),
        ] {
            // SAFETY: what the arguments point to outlives the call, and no call is told of more bytes than there are.
            let done = unsafe { libc::syscall(call, arguments[0], arguments[1], arguments[2], arguments[3]) };
            is_refused(done);
        }
    });
}

/// The supervisor sees the memory, the descriptors and the files of the process. Whatever is none of these has no limit.
#[test]
#[expect(unsafe_code, reason = "no safe function does any of this")]
fn nothing_can_be_kept_where_the_supervisor_does_not_look() {
    in_a_cage("nothing_can_be_kept_where_the_supervisor_does_not_look", |_| {
        let zeros = [0_u64; 32];
        let zeros = zeros.as_ptr() as libc::c_long;
        let own = libc::c_long::from(std::process::id().cast_signed());
        let shared = libc::c_long::from(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        let private = libc::c_long::from(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let thread = libc::c_long::from(libc::CLONE_THREAD | libc::CLONE_SIGHAND | libc::CLONE_VM);
        let (one, other) = UnixStream::pair().expect("a pair can be made");
        let (one, other) = (
            libc::c_long::from(one.as_raw_fd()),
            libc::c_long::from(other.as_raw_fd()),
        );
        // Shared memory; a thread with descriptors of its own, in two ways; descriptors and signals on their way; pairs of
        // another family, AF_TIPC.
        for (call, arguments) in [
            (libc::SYS_mmap, [0, 4096, 3, shared, -1]),
            (libc::SYS_clone, [thread, 0, 0, 0, 0]),
            (libc::SYS_close_range, [1 << 20, 1 << 20, 2, 0, 0]),
            (libc::SYS_sendmsg, [one, zeros, 0, 0, 0]),
            (libc::SYS_recvmsg, [other, zeros, 0, 0, 0]),
            (libc::SYS_sendmmsg, [one, zeros, 1, 0, 0]),
            (libc::SYS_rt_sigqueueinfo, [own, 64, zeros, 0, 0]),
            (libc::SYS_rt_tgsigqueueinfo, [own, own, 64, zeros, 0]),
            (libc::SYS_socketpair, [30, 1, 0, zeros, 0]),
        ] {
            // SAFETY: pointers among the arguments are to zeros that outlive the call; no call that is let through would do
            // anything with them.
            let done = unsafe {
                libc::syscall(
                    call,
                    arguments[0],
                    arguments[1],
                    arguments[2],
                    arguments[3],
                    arguments[4],
                    0,
                )
            };
            is_refused(done);
        }
        // SAFETY: memory that nobody else has.
        let mapped = unsafe { libc::syscall(libc::SYS_mmap, 0, 4096, 3, private, -1, 0) };
        assert_ne!(mapped, -1, "memory of its own can be had");
        // SAFETY: closes nothing, since no descriptor has the number.
        let closed = unsafe { libc::syscall(libc::SYS_close_range, 1 << 20, 1 << 20, 0) };
        assert_eq!(closed, 0);
        let limits = fs::read_to_string("/proc/self/limits").expect("it can be read");
        let limit = |name: &str| {
            let line = limits.lines().find_map(|line| line.strip_prefix(name));
            let value = line.and_then(|line| line.split_whitespace().next());
            value.and_then(|value| value.parse::<u64>().ok())
        };
        assert!(limit("Max pending signals").is_some_and(|most| most <= 1024));
        assert!(limit("Max core file size").is_some_and(|most| most <= 1));
    });
}
