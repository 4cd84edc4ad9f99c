//! Several sequential tests in one plan (Omen, Figure 12; Intruder, Algorithm 5).
//!
//! The papers run the sequential tests up to the calls of interest, collect the objects, and change those by reflection
//! or setters. Here the calls of the tests themselves become the prefix, with variables that stand for the same object
//! made one: what is reported can be read, compiled and run. Where two variables become one, only one of the two calls
//! that make them is kept.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Argument, Call};

use super::TracedTest;

/// A call of a sequential test, with the calls before it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Piece<'s> {
    pub(crate) seed: &'s TracedTest,
    /// Its number in the test.
    pub(crate) call: usize,
    /// Whether it is made by a thread of its own, or before the threads.
    pub(crate) in_thread: bool,
}

/// A variable of a piece.
pub(crate) type Variable = (usize, String);

/// The prefix and the threads of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fused {
    pub(crate) prefix: Vec<Call>,
    pub(crate) threads: Vec<Vec<Call>>,
}

impl<'s> Piece<'s> {
    /// The call that begins at a step of a trace, for a thread of its own.
    pub(crate) fn of_thread(seeds: &'s [TracedTest], trace: usize, enter: usize) -> Option<Piece<'s>> {
        let seed = seeds.get(trace)?;
        Some(Piece {
            seed,
            call: seed.call_at(enter),
            in_thread: true,
        })
    }
}

impl Fused {
    /// The methods of the threads: `append ∥ insert`.
    pub(crate) fn title(&self) -> String {
        let calls = self.threads.iter().flatten();
        calls
            .map(|call| &*call.member.name)
            .collect::<Vec<_>>()
            .join(" ∥ ")
    }
}

/// Puts pieces together such that these variables are the same. None if they cannot be: a call would need what it makes.
pub(crate) fn fuse(pieces: &[Piece<'_>], same: &[(Variable, Variable)]) -> Option<Fused> {
    let mut fusion = Fusion {
        pieces,
        leaders: leaders(same),
        names: BTreeMap::new(),
        made: BTreeSet::new(),
        under_way: BTreeSet::new(),
        calls: Vec::new(),
        fused: Fused::default(),
    };
    for (number, piece) in pieces.iter().enumerate() {
        for call in piece.seed.calls().get(..piece.call)? {
            fusion.add(number, call)?;
        }
        let call = piece.seed.calls().get(piece.call)?;
        if piece.in_thread {
            let mut call = fusion.rename(number, call)?;
            call.bind = None;
            fusion.fused.threads.push(vec![call]);
        } else {
            fusion.add(number, call)?;
        }
    }
    Some(fusion.fused)
}

/// The first variable of each set of equal ones.
fn leaders(same: &[(Variable, Variable)]) -> BTreeMap<Variable, Variable> {
    let mut leaders: BTreeMap<Variable, Variable> = BTreeMap::new();
    let leader = |leaders: &BTreeMap<Variable, Variable>, of: &Variable| {
        leaders.get(of).cloned().unwrap_or_else(|| of.clone())
    };
    for (left, right) in same {
        let (left, right) = (leader(&leaders, left), leader(&leaders, right));
        let (first, other) = if left <= right {
            (left, right)
        } else {
            (right, left)
        };
        for value in leaders.values_mut().filter(|value| **value == other) {
            *value = first.clone();
        }
        leaders.insert(other, first);
    }
    leaders
}

struct Fusion<'a> {
    pieces: &'a [Piece<'a>],
    leaders: BTreeMap<Variable, Variable>,
    names: BTreeMap<Variable, String>,
    /// Leaders that are made, and those whose making has begun.
    made: BTreeSet<Variable>,
    under_way: BTreeSet<Variable>,
    /// Calls of the prefix that make nothing, by piece.
    calls: Vec<(usize, Call)>,
    fused: Fused,
}

impl Fusion<'_> {
    fn leader(&self, piece: usize, name: &str) -> Variable {
        let variable = (piece, name.to_owned());
        self.leaders.get(&variable).cloned().unwrap_or(variable)
    }

    /// A call of the prefix. What makes a variable is made once.
    fn add(&mut self, piece: usize, call: &Call) -> Option<()> {
        if let Some(name) = &call.bind {
            return self.make(piece, name).map(drop);
        }
        let call = self.rename(piece, call)?;
        // Two tests that bring one object into the same state need not do so twice.
        let is_known = self
            .calls
            .iter()
            .any(|(owner, known)| *owner != piece && *known == call);
        if !is_known {
            self.fused.prefix.push(call.clone());
            self.calls.push((piece, call));
        }
        Some(())
    }

    /// The new name of a variable, which is made if it is not there yet.
    fn make(&mut self, piece: usize, name: &str) -> Option<String> {
        let leader = self.leader(piece, name);
        if !self.made.contains(&leader) {
            if !self.under_way.insert(leader.clone()) {
                return None;
            }
            let (owner, own_name) = &leader;
            let calls = self.pieces.get(*owner)?.seed.calls();
            let maker = calls.iter().find(|call| call.bind.as_ref() == Some(own_name))?;
            let mut call = self.rename(*owner, maker)?;
            let new_name = format!("x{}", self.names.len() + 1);
            call.bind = Some(new_name.clone());
            self.fused.prefix.push(call);
            self.names.insert(leader.clone(), new_name);
            self.made.insert(leader.clone());
        }
        self.names.get(&leader).cloned()
    }

    /// The call with new names; what it needs is made before.
    fn rename(&mut self, piece: usize, call: &Call) -> Option<Call> {
        let mut call = call.clone();
        if let Some(on) = &call.on {
            call.on = Some(self.make(piece, on)?);
        }
        for argument in &mut call.args {
            self.rename_argument(piece, argument)?;
        }
        Some(call)
    }

    fn rename_argument(&mut self, piece: usize, argument: &mut Argument) -> Option<()> {
        match argument {
            Argument::Var(name) => *name = self.make(piece, name)?,
            Argument::Array { of, .. } => {
                for element in of {
                    self.rename_argument(piece, element)?;
                }
            }
            _ => {}
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use raddle_plan::TestPlan;

    use super::*;

    fn seed(calls: &str) -> TracedTest {
        let text = format!(r#"{{"raddle_plan": 1, "threads": [[{calls}]]}}"#);
        TracedTest {
            plan: TestPlan::from_json(&text).unwrap(),
            trace: raddle_predict::Trace::default(),
            contexts: Vec::new(),
            variables: BTreeMap::new(),
            states: Vec::new(),
        }
    }

    fn table() -> TracedTest {
        seed(
            r#"{"let": "a", "invoke": "new", "member": "p.Table.<init>()V"},
               {"let": "b", "invoke": "new", "member": "p.Table.<init>()V"},
               {"invoke": "virtual", "member": "p.Table.put(Ljava/lang/Object;)V", "on": "a", "args": [{"var": "b"}]},
               {"invoke": "virtual", "member": "p.Table.hashCode()I", "on": "a"}"#,
        )
    }

    fn same(left: (usize, &str), right: (usize, &str)) -> (Variable, Variable) {
        ((left.0, left.1.to_owned()), (right.0, right.1.to_owned()))
    }

    fn thread(seed: &TracedTest, call: usize) -> Piece<'_> {
        Piece {
            seed,
            call,
            in_thread: true,
        }
    }

    /// `x1 = new`, `x1.put(x2)`.
    fn told(calls: &[Call]) -> Vec<String> {
        let tell = |call: &Call| {
            let arguments: Vec<&str> = call
                .args
                .iter()
                .filter_map(|argument| match argument {
                    Argument::Var(name) => Some(name.as_str()),
                    _ => None,
                })
                .collect();
            match (&call.bind, &call.on) {
                (Some(name), _) => format!("{name} = new"),
                (None, Some(on)) => format!("{on}.{}({})", call.member.name, arguments.join(", ")),
                (None, None) => call.member.name.clone(),
            }
        };
        calls.iter().map(tell).collect()
    }

    #[test]
    fn each_object_becomes_the_content_of_the_other() {
        let seed = table();
        let pieces = [thread(&seed, 3), thread(&seed, 3)];
        let fused = fuse(&pieces, &[same((0, "b"), (1, "a")), same((1, "b"), (0, "a"))]).unwrap();
        assert_eq!(
            told(&fused.prefix),
            ["x1 = new", "x2 = new", "x1.put(x2)", "x2.put(x1)"]
        );
        let threads: Vec<Vec<String>> = fused.threads.iter().map(|calls| told(calls)).collect();
        assert_eq!(threads, [["x1.hashCode()"], ["x2.hashCode()"]]);
    }

    #[test]
    fn what_both_tests_do_to_one_object_is_done_once() {
        let seed = table();
        let pieces = [thread(&seed, 3), thread(&seed, 3)];
        let fused = fuse(&pieces, &[same((0, "a"), (1, "a")), same((0, "b"), (1, "b"))]).unwrap();
        assert_eq!(told(&fused.prefix), ["x1 = new", "x2 = new", "x1.put(x2)"]);
    }

    #[test]
    fn nothing_is_made_of_itself() {
        let seed = seed(
            r#"{"let": "c", "invoke": "new", "member": "p.Node.<init>()V"},
               {"let": "a", "invoke": "new", "member": "p.Node.<init>(Lp/Node;)V", "args": [{"var": "c"}]},
               {"invoke": "virtual", "member": "p.Node.run()V", "on": "a"}"#,
        );
        let pieces = [thread(&seed, 2), thread(&seed, 2)];
        assert_eq!(fuse(&pieces, &[same((0, "a"), (0, "c"))]), None);
        let shared = fuse(&pieces, &[same((0, "c"), (1, "c"))]).unwrap();
        assert_eq!(told(&shared.prefix), ["x1 = new", "x2 = new", "x3 = new"]);
    }
}
