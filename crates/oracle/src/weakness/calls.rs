//! The calls of a run, as its events show them: what each does to which variables, and which locks it holds meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, EventKind, FieldRef};

use crate::evidence::location::Location;

/// A variable of the heap, coarse enough for every way to reach it: an atomic operation names a method and an offset
/// where another access names a field. So of an object with atomic operations, whatever these may be about is one
/// variable: all volatile fields, or all elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// A field of an object, by name.
    Field(u32, String),
    /// An element of an array.
    Element(u32, i32),
    /// A static field.
    Static(String),
    /// What atomic operations on an object may be about.
    Atomic(u32),
}

impl Variable {
    /// The object that it is a part of.
    pub(crate) fn object(&self) -> Option<u32> {
        match self {
            Variable::Field(object, _) | Variable::Element(object, _) | Variable::Atomic(object) => {
                Some(*object)
            }
            Variable::Static(_) => None,
        }
    }
}

/// One access of a call.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Its position among the events.
    pub(crate) at: usize,
    pub(crate) variable: Variable,
    /// Reads and writes in one are writes.
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
    /// The locks that the thread holds.
    pub(crate) locks: BTreeSet<u32>,
}

/// A call of a plan's thread.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Its number in the plan.
    pub(crate) call: usize,
    pub(crate) thread: u32,
    pub(crate) accesses: Vec<Access>,
    /// Accesses of objects that the call has made itself, which others may have come by since.
    pub(crate) made: Vec<Access>,
    /// Backward jumps, and the locks that the thread holds there.
    pub(crate) loops: Vec<(usize, BTreeSet<u32>)>,
}

/// A final field that holds an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The class that declares it, with dots.
    pub class: String,
    /// Its name.
    pub field: String,
}

/// What is known of a run.
#[derive(Copy, Clone)]
pub struct RunEvents<'r> {
    /// What the threads did.
    pub events: &'r [Event],
    /// Objects that threads come by without a read that is recorded: through final fields.
    pub known: &'r BTreeMap<u32, Holder>,
    /// Asked with fields that are accessed.
    pub is_volatile: &'r dyn Fn(&FieldRef) -> bool,
}

/// The calls of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// In the order in which they begin.
    pub(crate) spans: Vec<Span>,
}

impl Calls {
    pub(crate) fn of(run: &RunEvents<'_>) -> Calls {
        let RunEvents { events, known, .. } = *run;
        let mut reader = Reader {
            is_volatile: run.is_volatile,
            atomics: atomics(events),
            by_handle: events
                .iter()
                .filter_map(|event| Some((event.object, event.changed_field()?)))
                .collect(),
            locks: BTreeMap::new(),
            given_up: BTreeMap::new(),
            known: known.keys().copied().chain(old(events)).collect(),
            made: BTreeMap::new(),
            spans: Vec::new(),
            open: BTreeMap::new(),
        };
        for (at, event) in events.iter().enumerate() {
            reader.take(at, event);
        }
        let mut owners = owners(events);
        owners.extend(queues(events));
        let mut spans = reader.spans;
        for span in &mut spans {
            // Whoever asks for a lock touches it; that is no state of the class.
            span.accesses.retain(|access| {
                access
                    .variable
                    .object()
                    .is_none_or(|object| !owners.contains(&object))
            });
        }
        Calls { spans }
    }

    /// The calls of one thread that are under way while a call of another one is.
    pub(crate) fn overlapping<'s>(&'s self, span: &'s Span) -> impl Iterator<Item = &'s Span> {
        let meets = move |other: &&Span| {
            let (Some(begin), Some(end)) = (span.begin(), span.end()) else {
                return false;
            };
            let (Some(from), Some(to)) = (other.begin(), other.end()) else {
                return false;
            };
            other.thread != span.thread && from < end && begin < to
        };
        self.spans.iter().filter(meets)
    }

    /// Whether a conditional operation finds something else than the call has read before: another thread has written
    /// the variable in between.
    pub(crate) fn fails(&self, events: &[Event], span: &Span, access: &Access) -> bool {
        if !events.get(access.at).is_some_and(is_conditional) {
            return false;
        }
        let is_same = |other: &&Access| other.variable == access.variable;
        let read = span
            .accesses
            .iter()
            .filter(is_same)
            .rfind(|other| other.at < access.at && !other.is_write);
        let others = self.spans.iter().filter(|other| other.thread != span.thread);
        let mut writes = others
            .flat_map(|other| &other.accesses)
            .filter(|other| other.is_write)
            .filter(is_same);
        read.is_some_and(|read| writes.any(|write| read.at < write.at && write.at < access.at))
    }

    /// Whether a call changes nothing that a call of another thread touches: to keep what was once computed, as the hash code
    /// of a text, is no change to the others.
    pub(crate) fn only_reads(&self, span: &Span) -> bool {
        self.reads_but_for(span, &|_| false)
    }

    /// The same, but for changes of variables that do not count.
    pub(crate) fn reads_but_for(&self, span: &Span, is_left_out: &dyn Fn(&Variable) -> bool) -> bool {
        let others = || self.spans.iter().filter(|other| other.thread != span.thread);
        let is_touched = |access: &Access| {
            let mut touched = others().flat_map(|other| &other.accesses);
            touched.any(|other| other.variable == access.variable)
        };
        !span
            .accesses
            .iter()
            .any(|access| access.is_write && is_touched(access) && !is_left_out(&access.variable))
    }

    /// Whether others can get in where a call holds these locks: there are none, or all that the call shares with others who do
    /// not take them is guarded by another lock, which it does not hold there. A lock that the others forget is no such lock.
    pub(crate) fn lets_others_in(&self, span: &Span, held: &BTreeSet<u32>) -> bool {
        if held.is_empty() {
            return true;
        }
        let others = || {
            let foreign = self.spans.iter().filter(|other| other.thread != span.thread);
            let accesses = foreign.flat_map(|other| &other.accesses);
            accesses.filter(|access| access.locks.is_disjoint(held))
        };
        let mut is_shared = false;
        for own in &span.accesses {
            let guards: BTreeSet<&u32> = own.locks.difference(held).collect();
            for met in others().filter(|met| met.variable == own.variable && (met.is_write || own.is_write)) {
                is_shared = true;
                if !met.locks.iter().any(|lock| guards.contains(lock)) {
                    return false;
                }
            }
        }
        is_shared
    }

    /// Whether a variable keeps a view or the like that one method makes for whoever asks first: nobody else touches it.
    pub(crate) fn is_kept(&self, events: &[Event], variable: &Variable) -> bool {
        let accesses = self.spans.iter().flat_map(|span| &span.accesses);
        let places = accesses
            .filter(|access| access.variable == *variable)
            .map(|access| {
                let place = events.get(access.at)?.place.as_ref()?;
                Some((&place.class, &place.method, &place.descriptor))
            });
        places.collect::<BTreeSet<_>>().len() == 1
    }

    /// Whether a call changes something: a compare-and-set that fails does not, nor does keeping a view that was made for whoever
    /// asks first.
    pub(crate) fn changes(&self, events: &[Event], span: &Span) -> bool {
        let is_view = |access: &Access| {
            let referred = events.get(access.at).and_then(Event::referred);
            referred.is_some() && self.is_kept(events, &access.variable)
        };
        let mut writes = span.accesses.iter().filter(|access| access.is_write);
        writes.any(|access| !self.fails(events, span, access) && !is_view(access))
    }

    pub(crate) fn find(&self, call: usize) -> Option<&Span> {
        self.spans.iter().find(|span| span.call == call)
    }
}

/// The name of the method that an atomic operation is, in lower case; empty for anything else.
pub(crate) fn operation(event: &Event) -> String {
    let method = event.method().filter(|_| event.kind == EventKind::Atomic);
    method
        .map(|method| method.name.to_ascii_lowercase())
        .unwrap_or_default()
}

/// Whether an event is an atomic operation that does nothing unless it finds what it expects.
pub(crate) fn is_conditional(event: &Event) -> bool {
    let name = operation(event);
    name.starts_with("compareand") || name.starts_with("weakcompareand")
}

/// Whether an access leaves something else behind than was there.
pub(crate) fn changes(event: &Event) -> bool {
    matches!(event.kind, EventKind::Write | EventKind::Atomic) && !is_look(event) && !event.is_idle()
}

/// Whether an event is an atomic operation that only reads: `getVolatile`, `getAcquire`, but not `getAndSet`.
fn is_look(event: &Event) -> bool {
    let name = operation(event);
    name.starts_with("get")
        && !name.starts_with("getand")
        && !name.contains("andset")
        && !name.contains("andadd")
}

impl Span {
    pub(crate) fn begin(&self) -> Option<usize> {
        self.accesses.first().map(|access| access.at)
    }

    pub(crate) fn end(&self) -> Option<usize> {
        self.accesses.last().map(|access| access.at)
    }

    /// Whether it changes nothing that others could see.
    pub(crate) fn only_reads(&self) -> bool {
        self.accesses.iter().all(|access| !access.is_write)
    }
}

/// Objects that are locks of `java.util.concurrent.locks`, by the field that says who has them. Monitors are not among
/// them, as nothing of them is read or written.
fn owners(events: &[Event]) -> BTreeSet<u32> {
    let owning = events.iter().filter(|event| event.is_lock_taken().is_some());
    owning.map(|event| event.object).collect()
}

/// What those who wait for such locks stand in: how a call got hold of a lock is no state of the class either. They are of
/// classes within those of the package of locks, which the field that says who has one is declared in.
fn queues(events: &[Event]) -> BTreeSet<u32> {
    let package = |owner: &str| owner.rsplit_once('.').map(|(package, _)| package.to_owned());
    let taken = events.iter().find(|event| event.is_lock_taken().is_some());
    let Some(of_locks) = taken
        .and_then(Event::field)
        .and_then(|field| package(&field.owner))
    else {
        return BTreeSet::new();
    };
    let is_queue = |event: &&Event| {
        let field = event.field();
        field.is_some_and(|field| {
            field.owner.contains('$') && package(&field.owner).as_ref() == Some(&of_locks)
        })
    };
    let queues = events.iter().filter(is_queue);
    queues
        .map(|event| event.object)
        .filter(|object| *object > 0)
        .collect()
}

/// Objects on which there are atomic operations.
fn atomics(events: &[Event]) -> BTreeSet<u32> {
    let atomic = events.iter().filter(|event| event.kind == EventKind::Atomic);
    atomic
        .map(|event| event.object)
        .filter(|object| *object > 0)
        .collect()
}

/// Objects that a thread goes to which it has come by in no way that is recorded, while another one has been there: both know
/// them from a final field of a class, and neither has made them.
fn old(events: &[Event]) -> BTreeSet<u32> {
    let mut first: BTreeMap<u32, u32> = BTreeMap::new();
    let mut told: BTreeSet<u32> = BTreeSet::new();
    let mut old = BTreeSet::new();
    for event in events.iter().filter(|event| event.thread > 0) {
        if event.kind.is_access() && event.object > 0 {
            let there = *first.entry(event.object).or_insert(event.thread);
            if there != event.thread && !told.contains(&event.object) {
                old.insert(event.object);
            }
        }
        match event.kind {
            EventKind::Read => told.extend(event.referred().map(|referred| referred.object)),
            // What is exchanged is told by its text.
            EventKind::Atomic => {
                let value = event.value.as_deref().unwrap_or_default();
                let numbers = value.split('#').skip(1).filter_map(|rest| {
                    let end = rest.find(|at: char| !at.is_ascii_digit()).unwrap_or(rest.len());
                    rest[..end].parse().ok()
                });
                told.extend(numbers.collect::<Vec<u32>>());
            }
            _ => {}
        }
    }
    old
}

struct Reader<'r> {
    is_volatile: &'r dyn Fn(&FieldRef) -> bool,
    atomics: BTreeSet<u32>,
    /// Fields that atomic operations are seen to change, whatever their declaration says.
    by_handle: BTreeSet<(u32, &'r str)>,
    /// By thread, the locks that it holds and how often it has taken each.
    locks: BTreeMap<u32, BTreeMap<u32, u32>>,
    /// The same of monitors that were given up to wait.
    given_up: BTreeMap<(u32, u32), u32>,
    known: BTreeSet<u32>,
    /// Objects that turned up in the hands of one call and nowhere before: it made them.
    made: BTreeMap<u32, usize>,
    spans: Vec<Span>,
    /// The call that each thread is in, as a position among the spans.
    open: BTreeMap<u32, usize>,
}

impl Reader<'_> {
    fn take(&mut self, at: usize, event: &Event) {
        if event.kind == EventKind::Call {
            self.locks.remove(&event.thread);
            self.open.remove(&event.thread);
            if let Some(call) = event.index.and_then(|index| usize::try_from(index).ok())
                && event.thread > 0
            {
                self.open.insert(event.thread, self.spans.len());
                self.spans.push(Span {
                    call,
                    thread: event.thread,
                    accesses: Vec::new(),
                    made: Vec::new(),
                    loops: Vec::new(),
                });
            }
            return;
        }
        self.lock(event);
        let Some(&position) = self.open.get(&event.thread) else {
            self.see(event);
            return;
        };
        let held: BTreeSet<u32> = self
            .locks
            .get(&event.thread)
            .map(|locks| locks.keys().copied().collect())
            .unwrap_or_default();
        if event.kind == EventKind::Loop {
            self.spans[position].loops.push((at, held.clone()));
        }
        // What it has put there itself, it may have made as well.
        let is_own = event.kind.is_access() && self.is_own(position, event);
        if let Some(variable) = self.variable(event) {
            let access = Access {
                at,
                variable,
                is_write: changes(event),
                is_atomic: event.kind == EventKind::Atomic,
                locks: held,
            };
            let span = &mut self.spans[position];
            if is_own {
                span.made.push(access);
            } else {
                span.accesses.push(access);
            }
        }
        if is_own {
            return;
        }
        self.see(event);
    }

    /// Whether the object of an access was made by the call that accesses it, and has not been given away since.
    fn is_own(&mut self, position: usize, event: &Event) -> bool {
        let object = event.object;
        if object == 0 || event.name.as_deref().is_some_and(|name| name.starts_with('$')) {
            return false;
        }
        if self.known.insert(object) {
            self.made.insert(object, position);
        }
        self.made.get(&object) == Some(&position)
    }

    fn variable(&self, event: &Event) -> Option<Variable> {
        let variable = variable(event)?;
        let object = event.object;
        if object == 0 || !self.atomics.contains(&object) {
            return Some(variable);
        }
        let is_met = match &variable {
            Variable::Field(_, name) => {
                event.field().is_some_and(self.is_volatile)
                    || self.by_handle.contains(&(object, name.as_str()))
            }
            _ => true,
        };
        Some(if is_met {
            Variable::Atomic(object)
        } else {
            variable
        })
    }

    /// What is read from a variable was there before.
    fn see(&mut self, event: &Event) {
        if let Some(referred) = event.referred()
            && event.kind == EventKind::Read
        {
            self.known.insert(referred.object);
        }
        if event.object > 0 {
            self.known.insert(event.object);
        }
    }

    fn lock(&mut self, event: &Event) {
        let held = self.locks.entry(event.thread).or_default();
        match event.kind {
            EventKind::Enter => *held.entry(event.object).or_default() += 1,
            EventKind::Wait => {
                let depth = held.remove(&event.object).unwrap_or(1);
                self.given_up.insert((event.thread, event.object), depth);
            }
            EventKind::Woken => {
                let depth = self.given_up.remove(&(event.thread, event.object)).unwrap_or(1);
                held.insert(event.object, depth);
            }
            EventKind::Exit => {
                if let Some(depth) = held.get_mut(&event.object) {
                    *depth -= 1;
                    if *depth == 0 {
                        held.remove(&event.object);
                    }
                }
            }
            _ => match event.is_lock_taken().filter(|_| event.object > 0) {
                Some(true) => {
                    held.insert(event.object, 1);
                }
                Some(false) => {
                    held.remove(&event.object);
                }
                None => {}
            },
        }
    }
}

/// The variable of an access; none of other events.
pub(crate) fn variable(event: &Event) -> Option<Variable> {
    if event.kind == EventKind::Atomic {
        return (event.object > 0).then_some(Variable::Atomic(event.object));
    }
    Some(match Location::of(event)? {
        Location::Element { array, index } => Variable::Element(array, index),
        Location::Field { object, name, .. } => Variable::Field(object, name.to_owned()),
        Location::Static { field } => Variable::Static(format!("{}.{}", field.owner, field.name)),
    })
}
