//! Looking at a worker from outside: memory, threads, time on a CPU, the size of its directory.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::options::Limits;
use crate::scratch::PREFIX;

/// Memory and threads grow fast, and cost little to look at.
const PROCESS_INTERVAL: Duration = Duration::from_millis(50);
/// Walking a directory costs more.
const DIRECTORY_INTERVAL: Duration = Duration::from_millis(250);
/// A directory with more entries than this is over any limit, and not worth walking to the end.
const MOST_ENTRIES: u64 = 10_000;
/// So is one with directories within directories deeper than this: paths have an end, and nobody sees what lies beyond it.
const DEEPEST: usize = 64;

/// How large a file without a name is taken to be that is mapped and not open: as large as one can be, since nobody but root
/// could look.
const MAPPED_BYTES: u64 = 16 << 20;
/// What waits in a socket to be read, at most: the usual limit of Linux.
const SOCKET_BYTES: u64 = 208 << 10;

/// Linux shows times in hundredths of a second, whatever the kernel counts in.
const MILLISECONDS_PER_TICK: u64 = 10;

/// Looks at one worker, now and then.
#[derive(Debug)]
pub(crate) struct Watch {
    process_at: Option<Instant>,
    directory_at: Option<Instant>,
}

/// A limit that was passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// What, as the end of a sentence that begins with "the worker used".
    pub(crate) what: String,
    /// Whether it is memory.
    pub(crate) is_memory: bool,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch {
            process_at: None,
            directory_at: None,
        }
    }

    /// What is over its limit, if it is time to look.
    pub(crate) fn look(&mut self, pid: u32, directory: &Path, limits: &Limits) -> Option<Excess> {
        if is_due(&mut self.process_at, PROCESS_INTERVAL)
            && let Some(usage) = Usage::of(pid)
            && let Some(excess) = usage.excess(limits)
        {
            return Some(excess);
        }
        self.look_at_directory(directory, limits, || deleted_size(pid))
    }

    /// The same for all processes of a group, which the first of them gave its number.
    pub(crate) fn look_at_group(
        &mut self,
        group: u32,
        most_processes: u64,
        directory: &Path,
        limits: &Limits,
    ) -> Option<Excess> {
        if is_due(&mut self.process_at, PROCESS_INTERVAL) {
            let members = members(group);
            let usages = members.iter().filter_map(|pid| Usage::of(*pid));
            let all = usages.fold(Usage::default(), |sum, one| Usage {
                memory_bytes: sum.memory_bytes + one.memory_bytes,
                threads: sum.threads + one.threads,
            });
            if let Some(excess) = all.excess(limits) {
                return Some(excess);
            }
            if members.len() as u64 > most_processes {
                return Some(Excess {
                    what: format!(
                        "{} processes, more than the {most_processes} it may",
                        members.len()
                    ),
                    is_memory: false,
                });
            }
        }
        self.look_at_directory(directory, limits, || {
            members(group).into_iter().map(deleted_size).sum()
        })
    }

    fn look_at_directory(
        &mut self,
        directory: &Path,
        limits: &Limits,
        deleted: impl FnOnce() -> u64,
    ) -> Option<Excess> {
        if !is_due(&mut self.directory_at, DIRECTORY_INTERVAL) {
            return None;
        }
        let mut entries = 0;
        let size = directory_size(directory, DEEPEST, &mut entries) + deleted();
        (size > limits.directory_bytes || entries > MOST_ENTRIES).then(|| Excess {
            what: format!(
                "{} MiB in {entries} files, more than the {} MiB in {MOST_ENTRIES} files it may",
                size >> 20,
                limits.directory_bytes >> 20
            ),
            is_memory: false,
        })
    }
}

fn is_due(last: &mut Option<Instant>, interval: Duration) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= interval);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// What processes use.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Usage {
    memory_bytes: u64,
    threads: u64,
}

impl Usage {
    /// None if the process has gone or the system has no `/proc`.
    fn of(pid: u32) -> Option<Usage> {
        Usage::parse(&text_of(&format!("/proc/{pid}/status"))?)
    }

    fn parse(status: &str) -> Option<Usage> {
        let number = |name: &str| -> Option<u64> {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line[name.len()..].split_whitespace().next()?.parse().ok()
        };
        Some(Usage {
            // Kernels without swap do not say how much of it there is.
            memory_bytes: (number("VmRSS:")? + number("VmSwap:").unwrap_or_default()) << 10,
            threads: number("Threads:")?,
        })
    }

    fn excess(&self, limits: &Limits) -> Option<Excess> {
        if self.memory_bytes > limits.memory_bytes {
            return Some(Excess {
                what: format!(
                    "{} MiB of memory, more than the {} MiB it may",
                    self.memory_bytes >> 20,
                    limits.memory_bytes >> 20
                ),
                is_memory: true,
            });
        }
        (self.threads > limits.threads).then(|| Excess {
            what: format!(
                "{} threads, more than the {} it may",
                self.threads, limits.threads
            ),
            is_memory: false,
        })
    }
}

/// A file of `/proc`. Processes choose their names, which are in there and may be any bytes: one that is no text must not make
/// whoever has it invisible.
fn text_of(path: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())
}

/// The processes of a group; none if the system has no `/proc`.
fn members(group: u32) -> Vec<u32> {
    let is_member = |pid: &u32| {
        let stat = text_of(&format!("/proc/{pid}/stat")).unwrap_or_default();
        parse_group(&stat) == Some(group)
    };
    let Ok(list) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    list.flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(is_member)
        .collect()
}

/// What follows the program's name, which may contain anything in its brackets.
fn after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn parse_group(stat: &str) -> Option<u32> {
    after_name(stat)?.nth(2)?.parse().ok()
}

/// How much a process has worked, and how much it would have on a computer of its own.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Activity {
    /// Time on CPUs.
    worked: Duration,
    /// Time in the queue for a CPU, of the threads that are still there.
    waited: Duration,
    /// The same, and on CPUs.
    wanted: Duration,
}

impl Activity {
    #[cfg(test)]
    pub(crate) fn new(worked: Duration, waited: Duration) -> Activity {
        Activity {
            worked,
            waited,
            wanted: worked + waited,
        }
    }

    /// Nothing if the process has gone or the system has no `/proc`.
    pub(crate) fn of(pid: u32) -> Activity {
        let stat = text_of(&format!("/proc/{pid}/stat")).unwrap_or_default();
        let mut activity = Activity {
            worked: parse_cpu_time(&stat).unwrap_or_default(),
            ..Activity::default()
        };
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
        for thread in threads.flatten() {
            let schedstat = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            let (running, waiting) = parse_schedstat(&schedstat).unwrap_or_default();
            activity.waited += waiting;
            activity.wanted += running + waiting;
        }
        activity
    }

    /// What was done since then.
    pub(crate) fn since(self, before: Activity) -> Activity {
        Activity {
            worked: self.worked.saturating_sub(before.worked),
            // Threads that have ended since are not in the sums any more.
            waited: self.waited.saturating_sub(before.waited),
            wanted: self.wanted.saturating_sub(before.wanted),
        }
    }

    /// Time on CPUs.
    pub(crate) fn worked(self) -> Duration {
        self.worked
    }

    /// Time in the queue for a CPU.
    pub(crate) fn waited(self) -> Duration {
        self.waited
    }

    /// Whether a thread was at work or wanted to be for a fair share of the time in which this was done.
    pub(crate) fn is_busy(self, time: Duration) -> bool {
        self.worked.max(self.wanted) > time / 4
    }
}

/// How long the processes of a group have waited for a CPU: each as long as the thread of it that waited most.
pub(crate) fn waited_of_group(group: u32) -> Duration {
    let waited = members(group).into_iter().map(|pid| {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
        let of_threads = threads.flatten().filter_map(|thread| {
            let schedstat = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            parse_schedstat(&schedstat).map(|(_, waiting)| waiting)
        });
        of_threads.max().unwrap_or_default()
    });
    waited.sum()
}

/// `schedstat` has the nanoseconds on a CPU, those in its queue, and a count.
fn parse_schedstat(schedstat: &str) -> Option<(Duration, Duration)> {
    let mut fields = schedstat.split_whitespace();
    let mut next = || Some(Duration::from_nanos(fields.next()?.parse().ok()?));
    Some((next()?, next()?))
}

fn parse_cpu_time(stat: &str) -> Option<Duration> {
    let fields: Vec<&str> = after_name(stat)?.collect();
    let user: u64 = fields.get(11)?.parse().ok()?;
    let system: u64 = fields.get(12)?.parse().ok()?;
    Some(Duration::from_millis((user + system) * MILLISECONDS_PER_TICK))
}

/// Bytes of files that have no name any more, which no directory shows: of those that are still open and those that are
/// mapped. Also what sockets can hold, which is memory that no process seems to have.
fn deleted_size(pid: u32) -> u64 {
    let list = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
    let open = list.flatten().filter_map(|entry| fs::metadata(entry.path()).ok());
    let open: u64 = open
        .map(|metadata| {
            if metadata.file_type().is_socket() {
                SOCKET_BYTES
            } else if metadata.is_file() && metadata.nlink() == 0 {
                metadata.blocks() * 512
            } else {
                0
            }
        })
        .sum();
    let maps = text_of(&format!("/proc/{pid}/maps")).unwrap_or_default();
    open + mapped_files(&maps) * MAPPED_BYTES
}

/// How many files without a name are mapped. A page of a file keeps the whole of it on the disk.
fn mapped_files(maps: &str) -> u64 {
    let files: BTreeSet<(&str, &str)> = maps
        .lines()
        // Not those of a JDK that was replaced meanwhile.
        .filter(|line| line.ends_with(" (deleted)") && line.contains(PREFIX))
        .filter_map(|line| {
            let mut fields = line.split_ascii_whitespace().skip(3);
            Some((fields.next()?, fields.next()?))
        })
        .collect();
    files.len() as u64
}

/// Bytes below a directory, to a depth of so many levels. Whatever vanishes meanwhile counts as nothing.
fn directory_size(directory: &Path, levels: usize, entries: &mut u64) -> u64 {
    if levels == 0 {
        *entries = MOST_ENTRIES + 1;
        return 0;
    }
    let Ok(list) = fs::read_dir(directory) else {
        return 0;
    };
    let mut size = 0;
    for entry in list.flatten() {
        *entries += 1;
        if *entries > MOST_ENTRIES {
            break;
        }
        let Ok(metadata) = entry.metadata() else { continue };
        size += if metadata.is_dir() {
            directory_size(&entry.path(), levels - 1, entries)
        } else {
            metadata.len()
        };
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_threads_are_read_from_the_status() {
        let status = "Name:\tjava\nVmPeak:\t 100 kB\nVmRSS:\t  2048 kB\nThreads:\t17\n";
        assert_eq!(
            Usage::parse(status),
            Some(Usage {
                memory_bytes: 2 << 20,
                threads: 17
            })
        );
    }

    #[test]
    fn time_on_a_cpu_is_read_behind_any_name() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 25 5 0 0 20 0 1 0 100 0 0";
        assert_eq!(parse_cpu_time(stat), Some(Duration::from_millis(300)));
        assert_eq!(parse_group(stat), Some(7));
    }

    #[test]
    fn a_process_that_waits_for_a_cpu_is_busy() {
        let before = Activity::of(std::process::id());
        let second = Duration::from_secs(1);
        let (running, waiting) = parse_schedstat("100000000 200000000 17").unwrap();
        let queued = Activity {
            waited: before.waited + waiting,
            wanted: before.wanted + running + waiting,
            ..before
        };
        assert_eq!(queued.since(before).waited(), waiting);
        assert!(queued.since(before).is_busy(second));
        assert!(!before.since(before).is_busy(second));
        let worked = Activity {
            worked: before.worked + second / 3,
            ..Activity::default()
        };
        assert!(worked.since(before).is_busy(second), "some threads have ended");
    }

    #[test]
    fn a_process_is_a_member_of_its_group() {
        let group = rustix::process::getpgrp().as_raw_nonzero().get().unsigned_abs();
        assert!(members(group).contains(&std::process::id()));
    }

    /// Whoever could be no text would be seen by nobody.
    #[test]
    fn a_process_is_seen_whatever_its_name_is() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::process::CommandExt;
        let directory = tempfile::tempdir().unwrap();
        let name = directory.path().join(std::ffi::OsStr::from_bytes(b")\xff\n("));
        std::os::unix::fs::symlink("/bin/sleep", &name).unwrap();
        let mut child = std::process::Command::new(&name)
            .arg("60")
            .process_group(0)
            .spawn()
            .unwrap();
        let (usage, members) = (Usage::of(child.id()), members(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(usage.is_some());
        assert_eq!(members, [child.id()]);
    }

    #[test]
    fn files_without_a_name_are_counted_once_each() {
        let maps = "\
7f01-7f02 rw-s 00000000 fe:00 11                         /tmp/raddle-scratch-worker-a/x (deleted)
7f02-7f03 rw-s 00001000 fe:00 11                         /tmp/raddle-scratch-worker-a/x (deleted)
7f03-7f04 rw-s 00000000 fe:00 12                         /tmp/raddle-scratch-worker-a/x y (deleted)
7f04-7f05 rw-s 00000000 fe:00 13                         /tmp/raddle-scratch-worker-a/z
7f05-7f06 r-xp 00000000 fe:00 14                         /usr/lib/libold.so (deleted)
7f06-7f07 rw-p 00000000 00:00 0
";
        assert_eq!(mapped_files(maps), 2);
    }

    #[test]
    fn this_process_uses_something() {
        let usage = Usage::of(std::process::id()).unwrap();
        assert!(usage.memory_bytes > 0 && usage.threads > 0);
    }

    #[test]
    fn a_directory_has_the_size_of_all_its_files() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("inner")).unwrap();
        fs::write(directory.path().join("a"), [0; 1000]).unwrap();
        fs::write(directory.path().join("inner/b"), [0; 500]).unwrap();
        let mut entries = 0;
        assert_eq!(directory_size(directory.path(), DEEPEST, &mut entries), 1500);
        assert_eq!(entries, 3);
    }

    #[test]
    fn what_is_nested_too_deep_to_be_seen_is_over_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("d/".repeat(1000))).unwrap();
        let limits = Limits::for_heap(64);
        let excess = Watch::new().look_at_directory(directory.path(), &limits, || 0);
        assert!(excess.is_some());
        assert_eq!(
            Watch::new().look_at_directory(&directory.path().join("d/".repeat(990)), &limits, || 0),
            None
        );
    }
}
