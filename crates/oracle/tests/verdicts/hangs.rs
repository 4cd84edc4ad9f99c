//! Deadlocks, lost wake-ups, livelocks.

use raddle_oracle::{Baseline, Evidence, Judgement, Kind, judge};
use raddle_plan::{CallResult, End, Outcome, ThreadEnd, ThreadState};

use crate::made::{baseline, completed, plan, reason, returned, run, stuck, thread, violation};

fn both_hang(threads: Vec<ThreadEnd>) -> Outcome {
    stuck(
        vec![
            returned(""),
            CallResult::Unfinished,
            CallResult::Unfinished,
            CallResult::NotBegun,
        ],
        threads,
    )
}

fn take_hangs(threads: Vec<ThreadEnd>) -> Outcome {
    stuck(
        vec![
            returned(""),
            CallResult::Unfinished,
            returned(""),
            CallResult::NotBegun,
        ],
        threads,
    )
}

fn finished(name: &str) -> ThreadEnd {
    thread(name, ThreadState::Finished, None, 2, &[])
}

fn sane() -> Baseline {
    baseline(&[completed(&["", "5", "", "0"]), completed(&["", "5", "", "1"])]).of_plan(&plan())
}

fn crossed() -> Vec<ThreadEnd> {
    vec![
        thread("thread 1", ThreadState::Blocked, Some("Box $1"), 12, &["Box $0"]),
        thread(
            "thread 2",
            ThreadState::Blocked,
            Some("Box $0"),
            22,
            &["Other $5", "Box $1"],
        ),
    ]
}

#[test]
fn a_cycle_of_locks_is_a_deadlock() {
    let found = violation(&sane(), &both_hang(crossed()));
    assert_eq!(found.kind, Kind::Deadlock);
    assert_eq!(
        found.summary,
        "Deadlock: thread 1 holds Box $0 (since Box.open (Box.java:11)) and waits for Box $1 at Box.take (Box.java:12); \
         thread 2 holds Box $1 (since Box.open (Box.java:21)) and waits for Box $0 at Box.take (Box.java:22). \
         In both sequential orders of the calls every call completes."
    );
    let Evidence::Deadlock { cycle, calls } = &found.evidence else {
        panic!("{found:?}")
    };
    let links: Vec<(u32, &str, &str)> = cycle
        .iter()
        .map(|link| {
            (
                link.thread,
                link.wants.as_str(),
                link.holds.as_ref().unwrap().lock.as_str(),
            )
        })
        .collect();
    assert_eq!(links, [(1, "Box $1", "Box $0"), (2, "Box $0", "Box $1")]);
    assert_eq!(*calls, [1, 2]);
    assert_eq!(found.signature(), "deadlock a.Box.take()V@120 a.Box.take()V@220");
}

#[test]
fn a_cycle_of_three_threads_is_found_behind_a_thread_that_only_waits_for_it() {
    let outcome = both_hang(vec![
        thread("thread 1", ThreadState::Blocked, Some("A"), 12, &["D"]),
        thread("thread 2", ThreadState::Blocked, Some("B"), 22, &["A"]),
        thread("thread 3", ThreadState::Parked, Some("C"), 32, &["B"]),
        thread("thread 4", ThreadState::Blocked, Some("A"), 42, &["C"]),
    ]);
    let Evidence::Deadlock { cycle, .. } = violation(&sane(), &outcome).evidence else {
        panic!()
    };
    assert_eq!(
        cycle.iter().map(|link| link.thread).collect::<Vec<_>>(),
        [2, 3, 4]
    );
}

#[test]
fn a_thread_that_waits_for_the_end_of_the_thread_it_blocks_is_a_deadlock() {
    let outcome = both_hang(vec![
        thread("thread 1", ThreadState::Joining, Some("thread 2"), 12, &["A"]),
        thread("thread 2", ThreadState::Blocked, Some("A"), 22, &[]),
    ]);
    let found = violation(&sane(), &outcome);
    assert_eq!(found.kind, Kind::Deadlock);
    assert!(
        found.summary.starts_with(
            "Deadlock: thread 1 holds A (since Box.open (Box.java:11)) and waits for the end of thread 2 at Box.take \
             (Box.java:12); thread 2 waits for A at Box.take (Box.java:22)."
        ),
        "{}",
        found.summary
    );
}

#[test]
fn a_thread_that_waits_for_a_lock_it_holds_itself_is_a_deadlock() {
    let outcome = take_hangs(vec![
        thread(
            "thread 1",
            ThreadState::Parked,
            Some("Mutex $1"),
            12,
            &["Mutex $1"],
        ),
        finished("thread 2"),
    ]);
    assert_eq!(violation(&sane(), &outcome).kind, Kind::Deadlock);
}

#[test]
fn a_deadlock_of_the_same_calls_in_a_linearization_is_none() {
    let outcome = both_hang(crossed());
    let baseline = baseline(&[completed(&["", "5", "", "0"]), outcome.clone()]);
    assert_eq!(judge(&baseline, &outcome), Judgement::Clean);
}

#[test]
fn a_thread_that_nobody_wakes_is_a_lost_wake_up() {
    let outcome = take_hangs(vec![
        thread("thread 1", ThreadState::Waiting, Some("Box $0"), 12, &[]),
        finished("thread 2"),
    ]);
    let found = violation(&sane(), &outcome);
    assert_eq!(found.kind, Kind::LostWakeup);
    assert_eq!(
        found.summary,
        "Lost wake-up: thread 1 waits in Object.wait on Box $0 at Box.take (Box.java:12); and no thread is left that \
         could change that. In both sequential orders of the calls every call completes."
    );
    let Evidence::LostWakeup { threads, calls } = &found.evidence else {
        panic!("{found:?}")
    };
    assert_eq!((threads.len(), calls.as_slice()), (1, &[1][..]));
}

#[test]
fn parked_and_joining_threads_wait_to_be_woken_too() {
    for (state, text) in [
        (
            ThreadState::Parked,
            "Lost wake-up: thread 1 is parked, waiting for Queue $3 at",
        ),
        (
            ThreadState::Joining,
            "Lost wake-up: thread 1 waits for the end of Queue $3 at",
        ),
    ] {
        let outcome = take_hangs(vec![
            thread("thread 1", state, Some("Queue $3"), 12, &[]),
            finished("thread 2"),
        ]);
        let found = violation(&sane(), &outcome);
        assert_eq!(found.kind, Kind::LostWakeup);
        assert!(found.summary.starts_with(text), "{}", found.summary);
    }
}

#[test]
fn who_waits_with_a_lock_in_hand_is_named() {
    // Nested monitors: the one who could wake thread 1 needs the lock that thread 1 kept.
    let outcome = both_hang(vec![
        thread("thread 1", ThreadState::Waiting, Some("Box $1"), 12, &["Box $0"]),
        thread("thread 2", ThreadState::Blocked, Some("Box $0"), 22, &[]),
    ]);
    let found = violation(&sane(), &outcome);
    assert_eq!(found.kind, Kind::LostWakeup);
    assert!(
        found.summary.contains(
            "; thread 2 waits for Box $0 at Box.take (Box.java:22), which thread 1 holds; and no thread"
        ),
        "{}",
        found.summary
    );
}

#[test]
fn a_thread_that_waits_for_the_monitor_of_its_own_wait_makes_no_cycle() {
    // The monitor's name is the same, but thread 1 waits for a notification.
    let outcome = both_hang(vec![
        thread("thread 1", ThreadState::Waiting, Some("Box $0"), 12, &["Box $1"]),
        thread("thread 2", ThreadState::Blocked, Some("Box $1"), 22, &["Box $0"]),
    ]);
    assert_eq!(violation(&sane(), &outcome).kind, Kind::LostWakeup);
}

#[test]
fn a_take_from_an_empty_queue_that_also_blocks_without_concurrency_is_no_violation() {
    let waiting = vec![
        thread("thread 1", ThreadState::Parked, Some("Queue"), 12, &[]),
        finished("thread 2"),
    ];
    let baseline = baseline(&[take_hangs(waiting.clone())]);
    // Elsewhere in the method, under other locks: what counts is that the call does not end.
    let mut outcome = take_hangs(waiting);
    outcome.threads[1].place = None;
    outcome.threads[1].wants = None;
    assert_eq!(judge(&baseline, &outcome), Judgement::Clean);
}

#[test]
fn a_hang_of_other_calls_than_in_the_linearizations_is_a_violation() {
    let waiting = || {
        vec![
            thread("thread 1", ThreadState::Parked, Some("Queue"), 12, &[]),
            thread("thread 2", ThreadState::Parked, Some("Queue"), 12, &[]),
        ]
    };
    // Two takers and one element: one of them has to wait, but not both.
    let one = |first: CallResult, second: CallResult| stuck(vec![returned(""), first, second], waiting());
    let baseline = baseline(&[
        one(returned("5"), CallResult::Unfinished),
        one(CallResult::Unfinished, returned("5")),
    ]);
    let outcome = one(CallResult::Unfinished, CallResult::Unfinished);
    let found = violation(&baseline, &outcome);
    assert_eq!(found.kind, Kind::LostWakeup);
    assert!(
        found.summary.ends_with(
            "In no sequential order of the calls do exactly these hang: call 2 of 3 and call 3 of 3."
        ),
        "{}",
        found.summary
    );
}

#[test]
fn hangs_are_not_judged_when_linearizations_hang_at_random() {
    let outcome = take_hangs(vec![
        thread("thread 1", ThreadState::Waiting, Some("Box $0"), 12, &[]),
        finished("thread 2"),
    ]);
    let fine = completed(&["", "5", "", "0"]);
    let mut other = outcome.clone();
    other.calls[2].result = CallResult::Unfinished;
    let baseline = Baseline::new(vec![(fine.clone(), fine.clone()), (fine, other)]);
    assert!(
        baseline
            .nondeterminism()
            .iter()
            .any(|note| note.contains("hangs are not judged"))
    );
    assert!(reason(&baseline, &outcome).contains("end in different ways"));
}

#[test]
fn a_hang_without_a_reason_is_no_violation() {
    let outcome = both_hang(vec![
        thread("thread 1", ThreadState::Blocked, None, 12, &[]),
        thread("thread 2", ThreadState::Sleeping, None, 22, &[]),
    ]);
    assert!(reason(&sane(), &outcome).contains("does not say why"));
}

fn cut_short(steps: u32) -> Outcome {
    let mut outcome = run(
        End::StepBound,
        vec![
            returned(""),
            CallResult::Unfinished,
            CallResult::Unfinished,
            CallResult::NotBegun,
        ],
    );
    outcome.steps = steps;
    outcome
}

#[test]
fn a_run_that_does_not_end_is_a_suspicion() {
    let found = violation(&sane(), &cut_short(20_000));
    assert_eq!(found.kind, Kind::Livelock);
    assert_eq!(
        found.summary,
        "Suspected livelock: after 20000 scheduling points, not yet at an end: Box.take in thread 1 and Box.put in \
         thread 2. In both sequential orders of the calls every call completes, after at most 100 points. The \
         limit cannot tell a run that never ends from a very long one."
    );
}

#[test]
fn a_run_that_linearizations_do_not_end_either_is_none() {
    let baseline = baseline(&[cut_short(20_000)]);
    assert!(reason(&baseline, &cut_short(20_000)).contains("as are sequential orders"));
}

#[test]
fn a_limit_that_linearizations_hardly_keep_says_nothing() {
    assert!(reason(&sane(), &cut_short(150)).ends_with("take up to 100. Raise the limit."));
}
