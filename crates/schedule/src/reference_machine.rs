//! The reference machine: abstract threads, run under any order by exactly the rules that the runtime in the JVM follows.
//!
//! The rules are those of a plan's run. Thread 0 runs the prefix; then the plan's threads come into being and thread 0
//! waits until all of them have ended; then it runs the calls after. A thread announces an operation, and does it when it
//! is picked; whether it can be picked depends on the operation alone. Every announcement and every end of a thread is a
//! scheduling point, if any thread can run. A thread that was picked for the first time has no operation to do: it goes to
//! its first one and announces that. Points are numbered from 0, and at each:
//!
//! 1. Under [`Order::Pos`], the thread that announced draws a priority. (Threads also draw when they come into being.)
//! 2. If the number of points has reached the limit, the run ends; likewise if no thread is enabled.
//! 3. The order picks an enabled thread:
//!    - [`Order::Tape`]: the thread of the entry for this point, which must be enabled; without an entry,
//!      [`stay_or_next`].
//!    - [`Order::Random`]: the only one, or else the one that [`Rng::below`] picks from those in order of their ids.
//!    - [`Order::Pct`]: first, for every change point reached, and once more if the current thread yields or has run
//!      [`PATIENCE`] points in a row while others were enabled, its priority becomes one lower than the lowest ever; that
//!      begins at 0, so the priorities given must be positive. Then the highest priority, of equals the lower id.
//!    - [`Order::Pos`]: first, if the current thread yields or has run [`PATIENCE`] points in a row while others were
//!      enabled, all others that have not ended draw again, in order of ids: a thread that spins would draw until all that
//!      could end its wait are below it. Then the highest priority as a signed number, of equals the lower id. Then every other thread that has
//!      not ended and is about to do something conflicting draws again, in order of ids. Accesses of one location
//!      conflict if one of them writes; operations on one lock conflict.
//!    - [`Order::Serial`]: the current thread, while it can go on and is inside a call. Otherwise there is a choice, if more
//!      than one can go on: threads inside a call, and if there are none, threads whose next call may begin. A thread
//!      that has yielded more than [`SPINS`] times in a call waits until another one has gone on. Only choices are
//!      recorded, in place of points.
//! 4. The thread does its operation and goes to its next one.
//!
//! A lock is given up when the thread comes to the operation [`Op::Unlock`], before that point, as the hook of
//! `monitorexit` comes after it.

use raddle_plan::{Blocked, Order, Run, Step, Switch, Touch, TouchKind};

use crate::fixed_schedule::{PATIENCE, count_in_a_row, stay_or_next};
use crate::rng::Rng;

/// A thread that yields so often within one call is waiting for another one. A single yield says nothing: it is often put
/// where a bug is to be provoked.
pub const SPINS: u32 = 32;

/// What an abstract thread does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A call of the plan begins.
    Call,
    /// Reads a location.
    Read(u32),
    /// Writes a location.
    Write(u32),
    /// Takes a lock, perhaps once more.
    Lock(u32),
    /// Gives a lock up.
    Unlock(u32),
    /// Offers to let others run.
    Yield,
    /// Offers to let others run, again and again until someone has written the location.
    Spin(u32),
}

/// A plan in the abstract. Thread numbers must be below 64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// What runs first, alone.
    pub prefix: Vec<Op>,
    /// What runs concurrently.
    pub threads: Vec<Vec<Op>>,
    /// What runs last, alone.
    pub after: Vec<Op>,
}

/// How a run ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All came to their end.
    Completed,
    /// No thread could go on.
    Stuck,
    /// The limit of points was reached.
    StepBound,
    /// The tape asked, at this point, for a thread that could not run.
    Diverged(u32),
    /// The order leaves the threads to themselves, which has no meaning here.
    Uncontrolled,
}

/// An operation that was done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Done {
    /// By this thread.
    pub thread: u32,
    /// Its number among the operations of the thread; those after come after the prefix.
    pub op: u32,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// How it ended.
    pub ending: Ending,
    /// Its points.
    pub run: Run,
    /// The tape that repeats it.
    pub switches: Vec<Switch>,
    /// What was done, in order.
    pub trace: Vec<Done>,
}

impl Program {
    /// Only concurrent threads.
    pub fn of(threads: Vec<Vec<Op>>) -> Program {
        Program {
            threads,
            ..Program::default()
        }
    }

    /// Runs it under an order, for at most so many points.
    pub fn run(&self, order: &Order, most_steps: u32) -> Trial {
        let mut machine = Machine::new(self, order);
        let ending = machine.run(most_steps);
        Trial {
            ending,
            run: Run {
                blocked: matches!(ending, Ending::Completed | Ending::Stuck).then(|| machine.blocked()),
                length: machine.points,
                steps: machine.steps,
            },
            switches: machine.switches,
            trace: machine.trace,
        }
    }
}

/// What a thread is about to do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Pending {
    Unborn,
    Begin,
    Op(Op),
    Join,
    Finished,
}

struct Thread<'a> {
    ops: Vec<&'a [Op]>,
    /// How many operations it has begun to do.
    at: u32,
    pending: Pending,
    priority: i64,
}

struct Machine<'a> {
    order: &'a Order,
    threads: Vec<Thread<'a>>,
    /// Whether the main thread has come to the end of the prefix.
    joined: bool,
    /// Lock, owner, how often.
    locks: Vec<(u32, usize, u32)>,
    written: Vec<u32>,
    rng: Rng,
    /// Of the tape or the change points, the next.
    next_entry: usize,
    lowest: i64,
    in_a_row: u32,
    /// Of [`Order::Serial`]: points so far, the thread that has just come to its first call, yields in the current call by
    /// thread, and threads that wait for others to go on.
    points: u32,
    fresh: Option<usize>,
    yields: [u32; 64],
    spinning: u64,
    steps: Vec<Step>,
    switches: Vec<Switch>,
    trace: Vec<Done>,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, order: &'a Order) -> Machine<'a> {
        let thread = |ops, pending| Thread {
            ops,
            at: 0,
            pending,
            priority: 0,
        };
        let main = thread(vec![&program.prefix[..], &program.after[..]], Pending::Begin);
        let others = program
            .threads
            .iter()
            .map(|ops| thread(vec![&ops[..]], Pending::Unborn));
        let seed = match order {
            Order::Random { seed } | Order::Pos { seed } => *seed,
            _ => 0,
        };
        Machine {
            order,
            threads: std::iter::once(main).chain(others).collect(),
            joined: false,
            locks: Vec::new(),
            written: Vec::new(),
            rng: Rng::new(seed),
            next_entry: 0,
            lowest: 0,
            in_a_row: 0,
            points: 0,
            fresh: None,
            yields: [0; 64],
            spinning: 0,
            steps: Vec::new(),
            switches: Vec::new(),
            trace: Vec::new(),
        }
    }

    fn run(&mut self, most_steps: u32) -> Ending {
        if matches!(self.order, Order::Stress { .. }) {
            return Ending::Uncontrolled;
        }
        self.born(0);
        self.go_on(0);
        let mut current = 0;
        loop {
            if self.threads[0].pending == Pending::Finished {
                return Ending::Completed;
            }
            if self.threads[current].pending != Pending::Finished {
                self.announced(current);
            }
            let step = self.points;
            if step >= most_steps {
                return Ending::StepBound;
            }
            let enabled = self.enabled();
            let yields = matches!(
                self.threads[current].pending,
                Pending::Op(Op::Yield | Op::Spin(_))
            );
            if enabled == 0 {
                return Ending::Stuck;
            }
            let Some(chosen) = self.pick(step, enabled, current, yields) else {
                return Ending::Diverged(step);
            };
            self.record(step, enabled, current, chosen, yields);
            self.points += 1;
            self.execute(chosen);
            current = chosen;
        }
    }

    fn born(&mut self, t: usize) {
        if let Order::Pct { priorities, .. } = self.order {
            let priority = (!priorities.is_empty()).then(|| priorities[t % priorities.len()]);
            self.threads[t].priority = priority.map_or(0, i64::from);
        } else {
            self.announced(t);
        }
    }

    fn announced(&mut self, t: usize) {
        if matches!(self.order, Order::Pos { .. }) {
            self.threads[t].priority = self.rng.draw().cast_signed();
        }
    }

    /// Takes the thread to its next operation.
    fn go_on(&mut self, t: usize) {
        let thread = &self.threads[t];
        let mut at = thread.at as usize;
        let mut next = Pending::Finished;
        for (part, ops) in thread.ops.iter().enumerate() {
            if let Some(op) = ops.get(at) {
                next = Pending::Op(*op);
                break;
            }
            at -= ops.len();
            if t == 0 && part == 0 && !self.joined {
                next = Pending::Join;
                break;
            }
        }
        self.threads[t].pending = next;
        match next {
            Pending::Op(Op::Unlock(lock)) => self.release(lock, t),
            Pending::Join => {
                self.joined = true;
                for other in 1..self.threads.len() {
                    self.threads[other].pending = Pending::Begin;
                    self.born(other);
                }
            }
            _ => {}
        }
    }

    fn enabled(&self) -> u64 {
        (0..self.threads.len().min(64))
            .filter(|t| self.is_enabled(*t))
            .fold(0, |all, t| all | 1 << t)
    }

    fn is_enabled(&self, t: usize) -> bool {
        match self.threads[t].pending {
            Pending::Unborn | Pending::Finished => false,
            Pending::Join => self.threads[1..]
                .iter()
                .all(|other| other.pending == Pending::Finished),
            Pending::Op(Op::Lock(wanted)) => !self
                .locks
                .iter()
                .any(|(lock, owner, _)| *lock == wanted && *owner != t),
            Pending::Begin | Pending::Op(_) => true,
        }
    }

    fn pick(&mut self, step: u32, enabled: u64, current: usize, yields: bool) -> Option<usize> {
        match self.order {
            Order::Tape(tape) => {
                if let Some(entry) = tape.get(self.next_entry)
                    && entry.step == step
                {
                    self.next_entry += 1;
                    let wanted = 1u64.checked_shl(entry.thread).unwrap_or(0);
                    return (enabled & wanted != 0).then_some(entry.thread as usize);
                }
                stay_or_next(enabled, current as u32, yields, self.in_a_row).map(|t| t as usize)
            }
            Order::Random { .. } => {
                let count = enabled.count_ones();
                let nth = if count == 1 { 0 } else { self.rng.below(count) };
                members(enabled).nth(nth as usize)
            }
            Order::Pct { changes, .. } => {
                while changes.get(self.next_entry).is_some_and(|change| *change <= step) {
                    self.next_entry += 1;
                    self.fall(current);
                }
                if yields || self.in_a_row >= PATIENCE {
                    self.fall(current);
                }
                self.highest(enabled)
            }
            Order::Pos { .. } => {
                if yields || self.in_a_row >= PATIENCE {
                    for other in 0..self.threads.len() {
                        let pending = self.threads[other].pending;
                        if other != current && !matches!(pending, Pending::Finished | Pending::Unborn) {
                            self.announced(other);
                        }
                    }
                }
                let chosen = self.highest(enabled)?;
                for other in 0..self.threads.len() {
                    if other != chosen && conflict(self.threads[other].pending, self.threads[chosen].pending)
                    {
                        self.announced(other);
                    }
                }
                Some(chosen)
            }
            Order::Serial { choices, .. } => self.serial(choices, enabled, current, yields),
            Order::Stress { .. } => None,
        }
    }

    /// Whether a call of the thread is under way.
    fn is_inside(&self, t: usize) -> bool {
        t > 0 && !matches!(self.threads[t].pending, Pending::Begin | Pending::Op(Op::Call))
    }

    fn serial(&mut self, choices: &[u8], enabled: u64, current: usize, yields: bool) -> Option<usize> {
        let at_call = self.threads[current].pending == Pending::Op(Op::Call);
        if at_call {
            self.yields[current] = 0;
        }
        self.yields[current] += u32::from(yields);
        if self.yields[current] > SPINS {
            self.yields[current] = 0;
            self.spinning |= 1 << current;
        }
        let is_fresh = self.fresh.take() == Some(current);
        let may_stay = enabled >> current & 1 == 1 && self.spinning >> current & 1 == 0;
        if may_stay && (current == 0 || is_fresh || !at_call) {
            return Some(current);
        }
        let calm = enabled & !self.spinning;
        let able = if calm == 0 { enabled } else { calm };
        let inside = members(able)
            .filter(|t| self.is_inside(*t))
            .fold(0u64, |all, t| all | 1 << t);
        let options = if inside == 0 { able } else { inside };
        let is_choice = options.count_ones() > 1;
        let wanted = if is_choice {
            let at = self.next_entry;
            self.next_entry += 1;
            choices.get(at).copied()
        } else {
            None
        };
        let chosen = match wanted {
            Some(wanted) if options >> wanted & 1 == 1 => usize::from(wanted),
            Some(_) => return None,
            None => options.trailing_zeros() as usize,
        };
        if is_choice {
            self.choice(options, chosen);
        }
        self.spinning = if chosen == current {
            0
        } else {
            self.spinning & 1 << current
        };
        self.fresh = (self.threads[chosen].pending == Pending::Begin).then_some(chosen);
        Some(chosen)
    }

    fn choice(&mut self, options: u64, chosen: usize) {
        self.steps.push(Step {
            enabled: options,
            chosen: chosen as u8,
            could_stay: false,
            boundary: false,
            yielded: false,
            shared: false,
            touch: None,
        });
    }

    fn fall(&mut self, t: usize) {
        self.lowest -= 1;
        self.threads[t].priority = self.lowest;
    }

    fn highest(&self, enabled: u64) -> Option<usize> {
        // Of equals `reduce` keeps the first.
        members(enabled).reduce(|best, t| {
            if self.threads[t].priority > self.threads[best].priority {
                t
            } else {
                best
            }
        })
    }

    fn record(&mut self, step: u32, enabled: u64, current: usize, chosen: usize, yields: bool) {
        let by_itself = stay_or_next(enabled, current as u32, yields, self.in_a_row);
        if chosen != current || by_itself != Some(chosen as u32) {
            self.switches.push(Switch {
                step,
                thread: chosen as u32,
            });
        }
        self.in_a_row = count_in_a_row(enabled, chosen == current, self.in_a_row);
        if matches!(self.order, Order::Serial { .. }) {
            return;
        }
        self.steps.push(Step {
            enabled,
            chosen: chosen as u8,
            could_stay: enabled >> current & 1 == 1,
            boundary: self.threads[current].pending == Pending::Op(Op::Call),
            yielded: yields,
            shared: false,
            touch: Some(touch(self.threads[chosen].pending)),
        });
    }

    fn blocked(&self) -> Vec<Blocked> {
        (0u8..)
            .zip(&self.threads)
            .filter(|(_, thread)| !matches!(thread.pending, Pending::Unborn | Pending::Finished))
            .map(|(number, thread)| Blocked {
                thread: number,
                touch: touch(thread.pending),
            })
            .collect()
    }

    fn execute(&mut self, t: usize) {
        if let Pending::Op(op) = self.threads[t].pending {
            self.trace.push(Done {
                thread: t as u32,
                op: self.threads[t].at,
            });
            match op {
                Op::Lock(lock) => match self.locks.iter_mut().find(|(taken, ..)| *taken == lock) {
                    Some((.., depth)) => *depth += 1,
                    None => self.locks.push((lock, t, 1)),
                },
                Op::Write(location) => self.written.push(location),
                _ => {}
            }
            let spins = matches!(op, Op::Spin(location) if !self.written.contains(&location));
            if !spins {
                self.threads[t].at += 1;
            }
        }
        self.go_on(t);
    }

    fn release(&mut self, lock: u32, by: usize) {
        let held = self
            .locks
            .iter()
            .position(|(taken, owner, _)| *taken == lock && *owner == by);
        if let Some(at) = held {
            self.locks[at].2 -= 1;
            if self.locks[at].2 == 0 {
                self.locks.remove(at);
            }
        }
    }
}

/// In order of ids.
fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        next
    })
}

fn touch(pending: Pending) -> Touch {
    let at = |kind, location: u32| Touch::new(kind, u64::from(location));
    match pending {
        Pending::Op(Op::Read(location) | Op::Spin(location)) => at(TouchKind::Read, location),
        Pending::Op(Op::Write(location)) => at(TouchKind::Write, location),
        Pending::Op(Op::Lock(lock)) => at(TouchKind::Lock, lock),
        Pending::Op(Op::Unlock(lock)) => at(TouchKind::Unlock, lock),
        Pending::Join => Touch::new(TouchKind::Join, Touch::ALL_THREADS),
        Pending::Op(Op::Call | Op::Yield) | Pending::Begin | Pending::Unborn | Pending::Finished => {
            Touch::LOCAL
        }
    }
}

fn conflict(one: Pending, other: Pending) -> bool {
    let (Pending::Op(one), Pending::Op(other)) = (one, other) else {
        return false;
    };
    matches!((one, other),
        (Op::Write(a), Op::Read(b) | Op::Write(b))
        | (Op::Read(a), Op::Write(b))
        | (Op::Lock(a) | Op::Unlock(a), Op::Lock(b) | Op::Unlock(b))
        if a == b)
}
