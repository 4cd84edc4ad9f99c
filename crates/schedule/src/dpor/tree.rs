//! What is still to be tried at one point: a wakeup tree ("Optimal dynamic partial order reduction", section 6), kept as
//! the list of its paths. Paths that begin alike are neighbours, and those that are to be tried first come first.

use std::sync::Arc;

use super::happens_before::Event;

/// A path that is left to be gone.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    events: Arc<[Event]>,
    from: usize,
}

impl Path {
    pub(crate) fn new(events: &[Event]) -> Path {
        Path {
            events: Arc::from(events),
            from: 0,
        }
    }

    pub(crate) fn rest(&self) -> &[Event] {
        &self.events[self.from..]
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Path>() + size_of_val(&*self.events)
    }

    fn thread(&self, depth: usize) -> Option<u8> {
        self.rest().get(depth).map(|event| event.thread)
    }
}

/// The paths from one point.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    paths: Vec<Path>,
}

impl Tree {
    /// Adds a path unless one that is there leads to the same. Returns how many bytes that takes.
    pub(crate) fn insert(&mut self, mut wanted: Vec<Event>) -> usize {
        let mut group = 0..self.paths.len();
        let mut depth = 0;
        while !group.is_empty() {
            if self.paths[group.start].rest().len() <= depth {
                return 0;
            }
            let mut start = group.start;
            let mut next = None;
            while next.is_none() && start < group.end {
                let end = start + self.alike(start..group.end, depth);
                // The path comes from another run, and may be left from a point before this one.
                match begins(&self.paths[start].rest()[depth], &wanted, Event::may_depend_on) {
                    Begins::No => start = end,
                    Begins::Beside => next = Some(start..end),
                    Begins::With(at) => {
                        wanted.remove(at);
                        next = Some(start..end);
                    }
                }
            }
            let Some(next) = next else { break };
            group = next;
            depth += 1;
        }
        if wanted.is_empty() {
            return 0;
        }
        let mut events = match self.paths.get(group.start) {
            Some(path) => path.rest()[..depth].to_vec(),
            None => Vec::new(),
        };
        events.append(&mut wanted);
        let path = Path::new(&events);
        let bytes = path.bytes();
        self.paths.insert(group.end, path);
        bytes
    }

    /// The path to go next.
    pub(crate) fn take(&mut self) -> Option<Path> {
        (!self.paths.is_empty()).then(|| self.paths.remove(0))
    }

    /// Takes away the paths that begin with this thread, as seen from after its step.
    pub(crate) fn split(&mut self, thread: u8) -> Tree {
        let (beyond, here) = std::mem::take(&mut self.paths)
            .into_iter()
            .partition(|path| path.thread(0) == Some(thread));
        self.paths = here;
        let mut beyond = Tree { paths: beyond };
        for path in &mut beyond.paths {
            path.from += 1;
        }
        beyond
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// How many threads paths begin with.
    pub(crate) fn branches(&self) -> usize {
        let mut count = 0;
        let mut start = 0;
        while start < self.paths.len() {
            start += self.alike(start..self.paths.len(), 0);
            count += 1;
        }
        count
    }

    /// How many paths from the first of the group on have the same thread there.
    fn alike(&self, group: std::ops::Range<usize>, depth: usize) -> usize {
        let thread = self.paths[group.start].thread(depth);
        self.paths[group]
            .iter()
            .take_while(|path| path.thread(depth) == thread)
            .count()
    }
}

/// Whether a sequence is equivalent to one that begins with some event.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    No,
    /// With the event of this number in the sequence, which nothing before it keeps from coming first.
    With(usize),
    /// The event is not in the sequence, and has nothing to do with it.
    Beside,
}

/// Whether an event is a weak initial of a sequence. `depends` compares it with those of the sequence.
pub(crate) fn begins(event: &Event, sequence: &[Event], depends: fn(&Event, &Event) -> bool) -> Begins {
    match sequence.iter().position(|other| other.thread == event.thread) {
        Some(at) if sequence[..at].iter().any(|other| other.depends_on(&sequence[at])) => Begins::No,
        Some(at) => Begins::With(at),
        None if sequence.iter().any(|other| depends(other, event)) => Begins::No,
        None => Begins::Beside,
    }
}
