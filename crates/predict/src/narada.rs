//! Races that two calls could show, from the dependencies of Intruder (Samak, Ramanathan and Jagannathan,
//! *Synthesizing Racy Tests*, PLDI 2015).
//!
//! Departures from that paper: locks and sharing are treated as in Intruder's Algorithm 4, with the locks held at the
//! access on both sides. Traces do not tell volatile fields, so that accesses to these make pairs as well.

use crate::intruder::dependency::Dependencies;
use crate::intruder::feasible::{Way, scan};
use crate::intruder::sharing::{Sharer, Sharing};
use crate::intruder::{Access, Limits, access, calls_to_share, held, pairs};
use crate::setters::setters;
use crate::trace::{Trace, TypeOrder};

/// Two accesses to the same field, at least one of which writes it, that no lock keeps apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// One call.
    pub left: Access,
    /// The other call.
    pub right: Access,
    /// How the calls come to access the same object (local is left); none if they do whatever they are given.
    pub sharing: Option<Sharing>,
}

/// The races that two calls could show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Races {
    /// How many pairs of accesses conflict, without redundant ones.
    pub pairs: usize,
    /// Those that can happen, cheapest first.
    pub races: Vec<Race>,
}

/// Finds races that two calls of the traces could show if they ran together.
pub fn races(traces: &[Trace], types: &dyn TypeOrder, limits: &Limits) -> Races {
    let all = Dependencies::of(traces);
    let setters = setters(traces);
    let sharer = Sharer::new(&all.names, types, traces, &setters);
    let conflicting = pairs::conflicting(&all, limits.pairs);
    let mut races = Vec::new();
    for pair in conflicting.iter().take(limits.pairs) {
        let (left, right) = (&all.single.list[pair.local], &all.single.list[pair.remote]);
        if let Ok(Way { sharing, .. }) = scan(&all, &sharer, held(&all, left), held(&all, right)) {
            let only = |of| Access {
                previous: None,
                ..access(&all, of)
            };
            races.push(Race {
                left: only(left),
                right: only(right),
                sharing,
            });
        }
    }
    // The sort is stable: among those with as many setters, the order of the pairs stays.
    races.sort_by_key(|race| calls_to_share(race.sharing.as_ref()));
    races.truncate(limits.kept);
    Races {
        pairs: conflicting.len(),
        races,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intruder::example::{Subclasses, Writer, field, figure_5, figure_8, path};

    fn find(traces: &[Trace]) -> Races {
        races(traces, &Subclasses::default(), &Limits::default())
    }

    /// A setter that locks, and a getter that does so if it is told to.
    fn get_and_set(locked: bool) -> Races {
        let mut writer = Writer::default();
        let a = writer.object("A");
        writer.call("A.get()V", &[a]);
        if locked {
            writer.lock(a);
        }
        writer.read(a, "A.n", None);
        if locked {
            writer.unlock(a);
        }
        writer.call("A.set()V", &[a]);
        writer.lock(a);
        writer.write(a, "A.n", None);
        writer.unlock(a);
        find(&[writer.finish()])
    }

    #[test]
    fn an_access_without_the_lock_races() {
        let found = get_and_set(false);
        assert_eq!(found.pairs, 2, "get with set, and set with itself");
        let [race] = &found.races[..] else {
            panic!("{found:?}")
        };
        let sharing = race.sharing.as_ref().unwrap();
        assert_eq!(
            (&sharing.local.path, &sharing.remote.path),
            (&path(0, &[]), &path(0, &[]))
        );
        assert_eq!(
            (race.left.current.min(race.right.current), &race.left.field),
            (1, &field("A.n"))
        );
    }

    #[test]
    fn accesses_under_the_lock_of_the_receiver_do_not_race() {
        let found = get_and_set(true);
        assert_eq!((found.pairs, found.races.len()), (2, 0));
    }

    #[test]
    fn figure_8_has_no_races_and_figure_5_none_that_a_setter_helps() {
        // Every access to count and size is under the lock of its own object; setF and foo lock the receiver.
        assert_eq!(find(&[figure_5(), figure_8()]).races, []);
    }

    #[test]
    fn a_setter_puts_an_object_past_the_lock() {
        let mut writer = Writer::default();
        let (a, b) = (writer.object("A"), writer.object("B"));
        let set = writer.set_f(a, b);
        writer.call("A.count()V", &[a]);
        writer.lock(a);
        writer.read(a, "A.f", Some(b));
        let written = writer.write(b, "B.count", None);
        writer.unlock(a);
        let found = find(&[writer.finish()]);
        let [race] = &found.races[..] else {
            panic!("{found:?}")
        };
        assert_eq!((race.left.current, race.right.current), (written, written));
        let sharing = race.sharing.as_ref().unwrap();
        assert_eq!(
            (sharing.local.setters[0].enter, sharing.remote.setters[0].enter),
            (set, set)
        );
    }
}
