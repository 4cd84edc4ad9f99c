//! Seccomp: the system calls that a JVM running a test has no business with.
//!
//! Everything else is allowed, because what a JVM needs differs from version to version, and because file access is
//! Landlock's part. What is forbidden answers with an error that Java turns into an exception, so that a test sees
//! `IOException: Operation not permitted` and the run goes on.
//!
//! A stock JVM may do more, because a debugger starts the test in a second JVM and talks to it: start processes, and use
//! sockets of the internet families. It is in namespaces of its own, where these lead nowhere.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use super::Hold;

/// Whose system calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// A process with a JVM inside, which needs nobody.
    Worker,
    /// A JVM that starts another one.
    Stock,
}

/// Forbidden to those who need nobody.
const FORBIDDEN_ALONE: &[c_long] = &[
    // Network. `socketpair` is below: file channels of the JDK use one.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Processes.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_tkill,
];

/// Forbidden to everybody, whatever the arguments are.
const FORBIDDEN: &[c_long] = &[
    // Processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kcmp,
    // The supervisor knows who belongs together by the group.
    libc::SYS_setpgid,
    libc::SYS_setsid,
    // Whose rights it has.
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setgroups,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_capset,
    libc::SYS_setrlimit,
    // Files, where Landlock does not look: owner, mode, times, attributes.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // The machine.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    // Ways round this filter, and sources of trouble in kernels.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // What outlives the process.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
];

/// Older spellings that only some processors have.
#[cfg(target_arch = "x86_64")]
const FORBIDDEN_ALONE_HERE: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORBIDDEN_ALONE_HERE: &[c_long] = &[];
#[cfg(target_arch = "x86_64")]
const FORBIDDEN_HERE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
];
#[cfg(not(target_arch = "x86_64"))]
const FORBIDDEN_HERE: &[c_long] = &[];

/// Restricts every thread of this process.
pub(super) fn restrict(caller: Caller) -> Hold {
    let programs = match programs(caller) {
        Ok(programs) => programs,
        Err(error) => return Hold::Missing(error.to_string()),
    };
    for program in &programs {
        if let Err(error) = seccompiler::apply_filter_all_threads(program) {
            return Hold::Missing(error.to_string());
        }
    }
    Hold::Full
}

fn programs(caller: Caller) -> Result<Vec<BpfProgram>, BackendError> {
    let mut forbidden: BTreeMap<c_long, Vec<SeccompRule>> = FORBIDDEN
        .iter()
        .chain(FORBIDDEN_HERE)
        .map(|call| (*call, Vec::new()))
        .collect();
    forbidden.extend(conditional()?);
    match caller {
        Caller::Worker => {
            let alone = FORBIDDEN_ALONE.iter().chain(FORBIDDEN_ALONE_HERE);
            forbidden.extend(alone.map(|call| (*call, Vec::new())));
            forbidden.extend(alone_conditional(std::process::id())?);
        }
        Caller::Stock => {
            forbidden.insert(libc::SYS_socket, vec![not_the_internet()?]);
        }
    }
    // The C library tries clone3 first, whose flags a filter cannot see, and turns to clone if there is none.
    let absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok(vec![
        program(forbidden, libc::EPERM.unsigned_abs())?,
        program(absent, libc::ENOSYS.unsigned_abs())?,
    ])
}

/// Forbidden with some arguments to those who need nobody. The rules of one call are alternatives.
fn alone_conditional(pid: u32) -> Result<BTreeMap<c_long, Vec<SeccompRule>>, BackendError> {
    let not_a_thread = condition(
        0,
        SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64),
        0,
        SeccompCmpArgLen::Qword,
    )?;
    let someone_else = || {
        let someone_else = condition(0, SeccompCmpOp::Ne, u64::from(pid), SeccompCmpArgLen::Dword)?;
        Ok(vec![SeccompRule::new(vec![someone_else])?])
    };
    Ok(BTreeMap::from([
        (libc::SYS_clone, vec![SeccompRule::new(vec![not_a_thread])?]),
        (libc::SYS_kill, someone_else()?),
        (libc::SYS_tgkill, someone_else()?),
        (libc::SYS_rt_sigqueueinfo, someone_else()?),
        (libc::SYS_rt_tgsigqueueinfo, someone_else()?),
    ]))
}

/// A socket of another family than those that the namespace of the network is about: one with a path leads outside.
fn not_the_internet() -> Result<SeccompRule, BackendError> {
    let other_than = |family: i32| {
        condition(
            0,
            SeccompCmpOp::Ne,
            u64::from(family.unsigned_abs()),
            SeccompCmpArgLen::Dword,
        )
    };
    SeccompRule::new(vec![other_than(libc::AF_INET)?, other_than(libc::AF_INET6)?])
}

/// Forbidden to everybody with some arguments. The rules of one call are alternatives.
fn conditional() -> Result<BTreeMap<c_long, Vec<SeccompRule>>, BackendError> {
    // A pair of datagram sockets can be sent elsewhere; a pair of streams is only good for talking to oneself.
    let not_a_stream = condition(
        1,
        SeccompCmpOp::Ne,
        libc::SOCK_STREAM as u64,
        SeccompCmpArgLen::Dword,
    )?;
    let not_a_stream_either = condition(
        1,
        SeccompCmpOp::Ne,
        (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as u64,
        SeccompCmpArgLen::Dword,
    )?;
    let sets_a_limit = condition(2, SeccompCmpOp::Ne, 0, SeccompCmpArgLen::Qword)?;
    let mut conditional = BTreeMap::from([
        (
            libc::SYS_socketpair,
            vec![SeccompRule::new(vec![not_a_stream, not_a_stream_either])?],
        ),
        (libc::SYS_prlimit64, vec![SeccompRule::new(vec![sets_a_limit])?]),
        (libc::SYS_mkdirat, closed_directory(2)?),
        (libc::SYS_umask, owner_bits(0, |bit| bit)?),
    ]);
    #[cfg(target_arch = "x86_64")]
    conditional.insert(libc::SYS_mkdir, closed_directory(1)?);
    Ok(conditional)
}

/// A new directory that its owner cannot list or empty: what is in it would escape the supervisor, which is its owner
/// too, and would stay when the worker has gone.
fn closed_directory(mode: u8) -> Result<Vec<SeccompRule>, BackendError> {
    owner_bits(mode, |_| 0)
}

/// One of the owner's three bits of a mode is as said.
fn owner_bits(mode: u8, value: impl Fn(u64) -> u64) -> Result<Vec<SeccompRule>, BackendError> {
    [libc::S_IRUSR, libc::S_IWUSR, libc::S_IXUSR]
        .into_iter()
        .map(|bit| {
            let bit = u64::from(bit);
            let is_so = condition(
                mode,
                SeccompCmpOp::MaskedEq(bit),
                value(bit),
                SeccompCmpArgLen::Dword,
            )?;
            SeccompRule::new(vec![is_so])
        })
        .collect()
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
    length: SeccompCmpArgLen,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, length, operator, value)
}

fn program(rules: BTreeMap<c_long, Vec<SeccompRule>>, errno: u32) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno),
        architecture,
    )?;
    filter.try_into()
}
