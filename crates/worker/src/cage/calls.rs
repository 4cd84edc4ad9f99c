//! Seccomp: the system calls that a JVM running a test may make.
//!
//! Two filters, and a call must pass both. The first has the list of calls that a JVM needs; any other fails as if the
//! kernel did not know it. The second forbids some of these with some arguments. It also names calls that are on no list:
//! they answer with an error that Java turns into `IOException: Operation not permitted`, which says more. Which files
//! are opened is Landlock's part.
//!
//! Most calls are allowed by their number alone. The kernel works that out once, so that they cost nothing more.
//!
//! A stock JVM may do more, because a debugger starts the test in a second JVM and talks to it: start processes, and use
//! sockets of the internet families. It is in namespaces of its own, where these lead nowhere.

mod allowed;

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use self::allowed::{ALLOWED, ALLOWED_HERE, ALLOWED_STOCK, ALLOWED_STOCK_HERE};
use super::Hold;

/// Whose system calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// A process with a JVM inside, which needs nobody.
    Worker,
    /// A JVM that starts another one.
    Stock,
}

/// Forbidden to those who need nobody, with an answer that says so.
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

/// Forbidden to everybody, whatever the arguments are, with an answer that says so.
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
    libc::SYS_mknodat,
    // Tells what happens in directories that cannot be read; and a user may have few of them, which others need.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    // A lock on a file that can only be read keeps its owner waiting. Java's own locks are others.
    libc::SYS_flock,
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
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    // Ways round this filter, and sources of trouble in kernels.
    libc::SYS_seccomp,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // What outlives the process, or belongs to others of the same user.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Older spellings that only some processors have.
#[cfg(target_arch = "x86_64")]
const FORBIDDEN_ALONE_HERE: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORBIDDEN_ALONE_HERE: &[c_long] = &[];
#[cfg(target_arch = "x86_64")]
const FORBIDDEN_HERE: &[c_long] = &[
    libc::SYS_mknod,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_inotify_init,
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
];
#[cfg(not(target_arch = "x86_64"))]
const FORBIDDEN_HERE: &[c_long] = &[];

/// From the kernel's `fcntl.h`; the C library's may lack them.
const F_SETSIG: i32 = 10;
const F_SETOWN_EX: i32 = 15;
const F_SET_RW_HINT: i32 = 1036;
const F_SET_FILE_RW_HINT: i32 = 1038;
/// From the kernel's `close_range.h`.
const CLOSE_RANGE_UNSHARE: u64 = 2;

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
    forbidden.insert(libc::SYS_ioctl, vec![none_of(1, &requests(caller))?]);
    forbidden.insert(libc::SYS_prctl, process_options()?);
    match caller {
        Caller::Worker => {
            let alone = FORBIDDEN_ALONE.iter().chain(FORBIDDEN_ALONE_HERE);
            forbidden.extend(alone.map(|call| (*call, Vec::new())));
            forbidden.extend(alone_conditional(std::process::id())?);
        }
        Caller::Stock => {
            forbidden.insert(libc::SYS_socket, vec![not_the_internet()?]);
            let mut clone = new_namespaces()?;
            clone.push(hidden_descriptors()?);
            forbidden.insert(libc::SYS_clone, clone);
        }
    }
    Ok(vec![
        needed(caller)?,
        program(
            forbidden,
            SeccompAction::Allow,
            SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        )?,
    ])
}

/// The first filter. Among what it does not know is clone3, whose flags a filter cannot see: the C library turns to clone.
fn needed(caller: Caller) -> Result<BpfProgram, BackendError> {
    let more: [&[c_long]; 2] = match caller {
        Caller::Worker => [&[], &[]],
        Caller::Stock => [ALLOWED_STOCK, ALLOWED_STOCK_HERE],
    };
    let calls = ALLOWED
        .iter()
        .chain(ALLOWED_HERE)
        .chain(more.into_iter().flatten());
    program(
        calls.map(|call| (*call, Vec::new())).collect(),
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
        SeccompAction::Allow,
    )
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
        (
            libc::SYS_clone,
            vec![SeccompRule::new(vec![not_a_thread])?, hidden_descriptors()?],
        ),
        (libc::SYS_kill, someone_else()?),
        (libc::SYS_tgkill, someone_else()?),
    ]))
}

/// A thread with descriptors of its own: those of the process are all that the supervisor sees.
fn hidden_descriptors() -> Result<SeccompRule, BackendError> {
    let (thread, files) = (libc::CLONE_THREAD as u64, libc::CLONE_FILES as u64);
    SeccompRule::new(vec![
        condition(0, SeccompCmpOp::MaskedEq(thread), thread, SeccompCmpArgLen::Qword)?,
        condition(0, SeccompCmpOp::MaskedEq(files), 0, SeccompCmpArgLen::Qword)?,
    ])
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

/// What may be asked of a descriptor: whether it is a terminal, how much there is to read, whether it blocks. All else,
/// such as to type for the user or to change what file systems say of a file, is forbidden.
const REQUESTS: [u64; 6] = [
    libc::TCGETS,
    libc::TIOCGWINSZ,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
];

/// Of the network, where nobody else is: what interfaces there are.
const NETWORK_REQUESTS: [u64; 9] = [
    libc::SIOCGIFCONF,
    libc::SIOCGIFFLAGS,
    libc::SIOCGIFADDR,
    libc::SIOCGIFBRDADDR,
    libc::SIOCGIFNETMASK,
    libc::SIOCGIFINDEX,
    libc::SIOCGIFHWADDR,
    libc::SIOCGIFMTU,
    libc::SIOCGIFNAME,
];

fn requests(caller: Caller) -> Vec<u64> {
    match caller {
        Caller::Worker => REQUESTS.to_vec(),
        Caller::Stock => [&REQUESTS[..], &NETWORK_REQUESTS].concat(),
    }
}

/// What a process may change of itself, and ask. Not: who may look at it, and that it dies with the coordinator.
fn process_options() -> Result<Vec<SeccompRule>, BackendError> {
    let options: Vec<u64> = [
        libc::PR_SET_NAME,
        libc::PR_GET_NAME,
        libc::PR_GET_DUMPABLE,
        libc::PR_CAPBSET_READ,
        libc::PR_GET_TIMERSLACK,
        libc::PR_SET_TIMERSLACK,
        libc::PR_GET_NO_NEW_PRIVS,
        libc::PR_GET_THP_DISABLE,
        libc::PR_SET_THP_DISABLE,
        libc::PR_SET_VMA,
    ]
    .into_iter()
    .map(|option| u64::from(option.unsigned_abs()))
    .collect();
    Ok(vec![none_of(0, &options)?])
}

/// A process in namespaces of its own has all rights there, and finds ways into the kernel that are closed to others.
fn new_namespaces() -> Result<Vec<SeccompRule>, BackendError> {
    [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ]
    .into_iter()
    .map(|flag| {
        let flag = u64::from(flag.unsigned_abs());
        let is_set = condition(0, SeccompCmpOp::MaskedEq(flag), flag, SeccompCmpArgLen::Qword)?;
        SeccompRule::new(vec![is_set])
    })
    .collect()
}

/// The argument is none of these.
fn none_of(argument: u8, values: &[u64]) -> Result<SeccompRule, BackendError> {
    let others = values
        .iter()
        .map(|value| condition(argument, SeccompCmpOp::Ne, *value, SeccompCmpArgLen::Dword));
    SeccompRule::new(others.collect::<Result<_, _>>()?)
}

/// The argument is one of these, an alternative each.
fn one_of(argument: u8, values: &[i32]) -> Result<Vec<SeccompRule>, BackendError> {
    let one = |value: &i32| {
        let value = u64::from(value.unsigned_abs());
        SeccompRule::new(vec![condition(
            argument,
            SeccompCmpOp::Eq,
            value,
            SeccompCmpArgLen::Dword,
        )?])
    };
    values.iter().map(one).collect()
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
    let anonymous = u64::from(libc::MAP_ANONYMOUS.unsigned_abs());
    let shared_memory = condition(
        3,
        SeccompCmpOp::MaskedEq(anonymous | u64::from(libc::MAP_TYPE.unsigned_abs())),
        anonymous | u64::from(libc::MAP_SHARED.unsigned_abs()),
        SeccompCmpArgLen::Dword,
    )?;
    // As a thread with descriptors of its own.
    let unshares = condition(
        2,
        SeccompCmpOp::MaskedEq(CLOSE_RANGE_UNSHARE),
        CLOSE_RANGE_UNSHARE,
        SeccompCmpArgLen::Dword,
    )?;
    let sets_a_limit = condition(2, SeccompCmpOp::Ne, 0, SeccompCmpArgLen::Qword)?;
    let mut conditional = BTreeMap::from([
        (
            libc::SYS_socketpair,
            vec![
                SeccompRule::new(vec![not_a_stream, not_a_stream_either])?,
                none_of(0, &[u64::from(libc::AF_UNIX.unsigned_abs())])?,
            ],
        ),
        // Memory that stays when the process has let go of its pages, so that nobody sees how much there is.
        (libc::SYS_mmap, vec![SeccompRule::new(vec![shared_memory])?]),
        (libc::SYS_close_range, vec![SeccompRule::new(vec![unshares])?]),
        (libc::SYS_prlimit64, vec![SeccompRule::new(vec![sets_a_limit])?]),
        (libc::SYS_mkdirat, closed_directory(2)?),
        // Signals to the owner of a descriptor, who may be anybody; what keeps others waiting who open a file; and what is told
        // to the disk of a file that can only be read.
        (
            libc::SYS_fcntl,
            one_of(
                1,
                &[
                    libc::F_SETOWN,
                    F_SETOWN_EX,
                    F_SETSIG,
                    libc::F_SETLEASE,
                    libc::F_NOTIFY,
                    F_SET_RW_HINT,
                    F_SET_FILE_RW_HINT,
                ],
            )?,
        ),
        // The calling thread has the number 0, and every other number may be somebody else's.
        (libc::SYS_sched_setaffinity, vec![none_of(0, &[0])?]),
        (
            libc::SYS_setpriority,
            vec![none_of(0, &[u64::from(libc::PRIO_PROCESS)])?, none_of(1, &[0])?],
        ),
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

fn program(
    rules: BTreeMap<c_long, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    then: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, then, architecture)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forbidden_is_not_needed() {
        let forbidden = FORBIDDEN.iter().chain(FORBIDDEN_HERE);
        let alone = FORBIDDEN_ALONE.iter().chain(FORBIDDEN_ALONE_HERE);
        for call in forbidden.chain(alone).filter(|call| **call != libc::SYS_seccomp) {
            assert!(!ALLOWED.contains(call) && !ALLOWED_HERE.contains(call), "{call}");
        }
    }

    #[test]
    fn both_filters_can_be_made() {
        for caller in [Caller::Worker, Caller::Stock] {
            assert_eq!(programs(caller).unwrap().len(), 2, "{caller:?}");
        }
    }
}
