//! Which public methods a plan runs at the same time, and what the analysis says of them.

use std::collections::{BTreeMap, BTreeSet};

use raddle_oracle::{Evidence, Violation};
use raddle_plan::{Call, Part, TestPlan};
use raddle_program::{ClassId, Program};
use raddle_summary::ClassFacts;

/// Two methods, as indices into [`ClassFacts::methods`], the smaller one first.
pub(crate) type Pair = (usize, usize);

/// The public methods of a class, by how plans call them.
pub(crate) struct Methods {
    /// By name and parameter types.
    indices: BTreeMap<String, usize>,
    signatures: Vec<String>,
    /// M_pc and M_d.
    dependent: BTreeSet<Pair>,
    /// The class and all that it inherits from, by their Java names.
    owners: BTreeSet<String>,
}

impl Methods {
    pub(crate) fn new(program: &Program, class: ClassId, facts: &ClassFacts) -> Methods {
        let indices = program
            .public_methods(class)
            .into_iter()
            .enumerate()
            .filter_map(|(index, id)| {
                let (_, method) = program.method(id)?;
                Some((
                    key(program.text(method.name), program.text(method.descriptor)),
                    index,
                ))
            })
            .collect();
        let supers = program
            .ancestry(class)
            .map(|ancestor| program.name(ancestor.id()));
        let interfaces = program
            .all_interfaces(class)
            .into_iter()
            .map(|id| program.name(id));
        Methods {
            indices,
            signatures: facts
                .methods
                .iter()
                .map(|method| method.signature.clone())
                .collect(),
            dependent: facts
                .pairs
                .iter()
                .filter(|pair| pair.mpc || pair.double_lock.is_some())
                .map(|pair| (pair.first, pair.second))
                .collect(),
            owners: supers.chain(interfaces).collect(),
        }
    }

    /// How many pairs the analysis says can hurt each other.
    pub(crate) fn dependent_count(&self) -> usize {
        self.dependent.len()
    }

    pub(crate) fn is_dependent(&self, pair: Pair) -> bool {
        self.dependent.contains(&ordered(pair))
    }

    /// The methods that different threads of a plan call, two by two.
    pub(crate) fn overlapping(&self, plan: &TestPlan) -> BTreeSet<Pair> {
        let all = |_: usize, part: Part| matches!(part, Part::Thread(_));
        self.cross(plan, all)
    }

    /// Names and parameter types of the public methods that the threads call.
    pub(crate) fn names(&self, plan: &TestPlan) -> Vec<String> {
        let used: BTreeSet<usize> = plan
            .threads
            .iter()
            .flatten()
            .filter_map(|call| self.index(call))
            .collect();
        used.into_iter()
            .map(|index| self.signatures[index].clone())
            .collect()
    }

    /// Why a violation contradicts the analysis: none of the pairs that it can come from was kept. No answer is given
    /// where the plan calls other classes' methods at the same time, of which the analysis says nothing.
    pub(crate) fn contradiction(&self, plan: &TestPlan, violation: &Violation) -> Option<String> {
        let hanging = match &violation.evidence {
            Evidence::Deadlock { calls, .. } => Some(calls),
            _ => None,
        };
        let counts = |number: usize, part: Part| {
            matches!(part, Part::Thread(_)) && hanging.is_none_or(|calls| calls.contains(&number))
        };
        let is_foreign = plan
            .calls()
            .any(|(id, part, call)| counts(id.0 as usize, part) && self.index(call).is_none());
        let pairs = self.cross(plan, counts);
        if is_foreign || pairs.is_empty() || pairs.iter().any(|pair| self.dependent.contains(pair)) {
            return None;
        }
        let names: Vec<String> = pairs
            .iter()
            .map(|(first, second)| format!("{} and {}", self.signatures[*first], self.signatures[*second]))
            .collect();
        Some(format!(
            "bug of the analysis: it says that {} cannot hurt each other; please report this",
            names.join(", or ")
        ))
    }

    fn cross(&self, plan: &TestPlan, counts: impl Fn(usize, Part) -> bool) -> BTreeSet<Pair> {
        let calls: Vec<(Part, usize)> = plan
            .calls()
            .filter(|(id, part, _)| counts(id.0 as usize, *part))
            .filter_map(|(_, part, call)| Some((part, self.index(call)?)))
            .collect();
        let mut pairs = BTreeSet::new();
        for (at, (part, first)) in calls.iter().enumerate() {
            for (other, second) in &calls[at + 1..] {
                if part != other {
                    pairs.insert(ordered((*first, *second)));
                }
            }
        }
        pairs
    }

    fn index(&self, call: &Call) -> Option<usize> {
        if !self.owners.contains(&call.member.class) {
            return None;
        }
        self.indices
            .get(&key(&call.member.name, &call.member.descriptor))
            .copied()
    }
}

pub(crate) fn ordered(pair: Pair) -> Pair {
    (pair.0.min(pair.1), pair.0.max(pair.1))
}

/// Results do not tell methods apart: an override and its bridge differ in nothing else.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}
