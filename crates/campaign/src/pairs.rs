//! Which public methods a plan runs at the same time, and what the analysis says of them.

use std::collections::{BTreeMap, BTreeSet};

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_oracle::{Evidence, Role, Violation, roles};
use raddle_plan::{Argument, Call, Invoke, Part, TestPlan};
use raddle_program::{ClassId, Program};
use raddle_summary::{AccessKind, AccessMode, ClassFacts, MethodFacts};

/// Two methods, as indices into [`ClassFacts::methods`], the smaller one first.
pub(crate) type Pair = (usize, usize);

/// A call of a thread that is one of a public method of the class under test.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnCall {
    /// Its number in the plan.
    pub(crate) number: usize,
    pub(crate) thread: u32,
    /// Index into [`ClassFacts::methods`].
    pub(crate) method: usize,
}

/// The public methods of a class, by how plans call them.
pub(crate) struct Methods {
    /// Java name of the class.
    class: String,
    /// By name and parameter types.
    indices: BTreeMap<String, usize>,
    signatures: Vec<String>,
    /// What outlives the call of each method that it writes.
    writes: Vec<BTreeSet<String>>,
    /// M_pc and M_d.
    dependent: BTreeSet<Pair>,
    /// The class and all that it inherits from, by their Java names.
    owners: BTreeSet<String>,
    /// Methods that are one side of two.
    roles: Vec<Role>,
}

impl Methods {
    pub(crate) fn new(program: &Program, class: ClassId, facts: &ClassFacts) -> Methods {
        let indices: BTreeMap<String, usize> = program
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
        let flags = flags(program, class);
        let all: Vec<Role> = indices
            .iter()
            .filter_map(|(key, index)| Some(role(key, facts.methods.get(*index)?, &flags)))
            .collect();
        Methods {
            class: program.name(class),
            indices,
            writes: facts.methods.iter().map(written).collect(),
            roles: roles(&all),
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

    /// Methods by name, those that write, and the pairs that could hurt each other.
    #[cfg(test)]
    pub(crate) fn scripted(signatures: &[&str], mutators: &[usize], dependent: &[Pair]) -> Methods {
        Methods {
            class: "a.B".to_owned(),
            indices: BTreeMap::new(),
            signatures: signatures.iter().map(ToString::to_string).collect(),
            writes: (0..signatures.len())
                .map(|method| {
                    let field = mutators.contains(&method).then(|| "this.f".to_owned());
                    field.into_iter().collect()
                })
                .collect(),
            dependent: dependent.iter().copied().collect(),
            owners: BTreeSet::new(),
            roles: Vec::new(),
        }
    }

    /// The pairs that the analysis says can hurt each other.
    pub(crate) fn dependent(&self) -> &BTreeSet<Pair> {
        &self.dependent
    }

    /// How many public methods there are.
    pub(crate) fn len(&self) -> usize {
        self.signatures.len()
    }

    /// Name and parameter types of a method.
    pub(crate) fn signature(&self, index: usize) -> &str {
        self.signatures.get(index).map_or("?", String::as_str)
    }

    /// The method of that name and those parameter types.
    pub(crate) fn position(&self, signature: &str) -> Option<usize> {
        self.signatures.iter().position(|known| known == signature)
    }

    /// Whether a method writes what outlives the call.
    pub(crate) fn is_mutator(&self, index: usize) -> bool {
        self.writes.get(index).is_some_and(|writes| !writes.is_empty())
    }

    /// Whether two methods have the same name, and the second writes all that the first writes.
    pub(crate) fn stands_in(&self, method: usize, other: usize) -> bool {
        let name = |index: usize| self.signature(index).split('(').next();
        let writes = |index: usize| self.writes.get(index);
        let covers = writes(method)
            .zip(writes(other))
            .is_some_and(|(one, other)| one.is_subset(other));
        method != other && name(method) == name(other) && covers
    }

    /// The calls of the threads that are calls of the class under test. `kinds` are the classes of the objects that the
    /// variables hold, by slot, as far as that is known: a factory may give an object of another class, whose methods
    /// are called alike.
    pub(crate) fn calls(&self, plan: &TestPlan, kinds: &[Vec<String>]) -> Vec<OwnCall> {
        let variables = plan.variables();
        let is_own = |part: Part, call: &Call| {
            let receiver = call.on.as_deref().and_then(|name| variables.find(part, name));
            let kinds = receiver.and_then(|variable| kinds.get(variable.slot as usize));
            kinds.is_none_or(|kinds| kinds.is_empty() || kinds.contains(&self.class))
        };
        plan.calls()
            .filter_map(|(id, part, call)| {
                let Part::Thread(thread) = part else {
                    return None;
                };
                let method = self.index(call).filter(|_| is_own(part, call))?;
                Some(OwnCall {
                    number: id.0 as usize,
                    thread,
                    method,
                })
            })
            .collect()
    }

    /// The classes of the objects that the class's methods are called on.
    pub(crate) fn objects(&self, plan: &TestPlan, kinds: &[Vec<String>]) -> Vec<String> {
        let variables = plan.variables();
        let objects: BTreeSet<String> = plan
            .calls()
            .filter(|(_, part, call)| matches!(part, Part::Thread(_)) && self.index(call).is_some())
            .filter_map(|(_, part, call)| variables.find(part, call.on.as_deref()?))
            .filter_map(|variable| kinds.get(variable.slot as usize)?.first().cloned())
            .collect();
        objects.into_iter().collect()
    }

    /// Why a plan is no test of the class: its threads call only methods of objects of another one.
    pub(crate) fn other_class(&self, plan: &TestPlan, kinds: &[Vec<String>]) -> Option<String> {
        let objects = self.objects(plan, kinds);
        if objects.is_empty() || !self.calls(plan, kinds).is_empty() {
            return None;
        }
        Some(format!(
            "the objects that were made are of {} and not of {}",
            objects.join(" and "),
            self.class
        ))
    }

    /// The class and all that it inherits from.
    pub(crate) fn family(&self) -> &BTreeSet<String> {
        &self.owners
    }

    /// Methods that are one side of two.
    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    pub(crate) fn is_dependent(&self, pair: Pair) -> bool {
        self.dependent.contains(&ordered(pair))
    }

    /// The methods that different threads of a plan call, two by two.
    pub(crate) fn overlapping(&self, plan: &TestPlan) -> BTreeSet<Pair> {
        let all = |_: usize, part: Part| matches!(part, Part::Thread(_));
        self.cross(plan, all)
    }

    /// The same for calls that were under way at the same time, by their numbers.
    pub(crate) fn overlapped(&self, plan: &TestPlan, overlaps: &[(u32, u32)]) -> Vec<Pair> {
        let methods: BTreeMap<u32, usize> = plan
            .calls()
            .filter_map(|(id, _, call)| Some((id.0, self.index(call)?)))
            .collect();
        let pairs = overlaps
            .iter()
            .filter_map(|(one, other)| Some(ordered((*methods.get(one)?, *methods.get(other)?))));
        let pairs: BTreeSet<Pair> = pairs.collect();
        pairs.into_iter().collect()
    }

    /// Names and parameter types of the public methods that the threads call; those of objects that were handed out with their
    /// class.
    pub(crate) fn names(&self, plan: &TestPlan) -> Vec<String> {
        let used: BTreeSet<usize> = plan
            .threads
            .iter()
            .flatten()
            .filter_map(|call| self.index(call))
            .collect();
        let own = used.into_iter().map(|index| self.signatures[index].clone());
        let calls = plan.threads.iter().flatten();
        let foreign: BTreeSet<String> = calls
            .filter(|call| call.on.is_some() && self.index(call).is_none())
            .map(foreign_name)
            .collect();
        own.chain(foreign).collect()
    }

    /// Why a violation is a surprise to the analysis: none of the pairs that it can come from was kept. It need not be
    /// wrong: it looks at two calls on one object, or on objects that are given to each other, and a plan may put objects
    /// together in other ways. No answer is given where objects are put together, or where the plan calls other classes'
    /// methods at the same time.
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
        if is_foreign
            || joins_objects(plan)
            || pairs.is_empty()
            || pairs.iter().any(|pair| self.dependent.contains(pair))
        {
            return None;
        }
        let names: Vec<String> = pairs
            .iter()
            .map(|(first, second)| format!("{} and {}", self.signatures[*first], self.signatures[*second]))
            .collect();
        Some(format!(
            "the static analysis did not expect this of {}",
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

/// What outlives the call that a method writes.
fn written(method: &MethodFacts) -> BTreeSet<String> {
    let writes = method.accesses.iter();
    let writes = writes.filter(|access| access.kind == AccessKind::Write && access.is_of_state());
    writes.map(|access| access.location.clone()).collect()
}

/// Fields of a class that are true or false: by such one method tells others to stop, and hands nothing over.
fn flags(program: &Program, class: ClassId) -> BTreeSet<String> {
    let fields = program.ancestry(class).flat_map(raddle_program::Class::fields);
    let flags = fields.filter(|field| program.text(field.descriptor) == "Z");
    flags
        .map(|field| format!("this.{}", program.text(field.name)))
        .collect()
}

/// What a public method does to the variables of its object.
fn role(key: &str, facts: &MethodFacts, flags: &BTreeSet<String>) -> Role {
    let mut role = Role {
        method: key.to_owned(),
        ..Role::default()
    };
    let own = facts
        .accesses
        .iter()
        .filter(|access| access.location.starts_with("this."));
    for access in own {
        let into = match access.kind {
            AccessKind::Read => &mut role.reads,
            AccessKind::Write => &mut role.writes,
        };
        into.insert(access.location.clone());
        if access.mode != AccessMode::Plain && !flags.contains(&access.location) {
            role.shared.insert(access.location.clone());
        }
        if access.mode == AccessMode::Atomic {
            role.atomic.insert(access.location.clone());
        }
    }
    let Role {
        reads,
        writes,
        atomic,
        ..
    } = &mut role;
    atomic.retain(|location| reads.contains(location) && writes.contains(location));
    role
}

/// Whether an object that the prefix makes is given to a call other than as the argument of a thread's own: threads may
/// then meet on it in ways that do not show in their calls.
fn joins_objects(plan: &TestPlan) -> bool {
    let is_given = |call: &Call| {
        call.args
            .iter()
            .any(|argument| matches!(argument, Argument::Var(_)))
    };
    plan.calls().any(|(_, part, call)| {
        let is_before = part == Part::Prefix && call.invoke != Invoke::Implement;
        is_before && is_given(call)
    })
}

pub(crate) fn ordered(pair: Pair) -> Pair {
    (pair.0.min(pair.1), pair.0.max(pair.1))
}

/// Results do not tell methods apart: an override and its bridge differ in nothing else.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}

/// `Source$Session.close()` of a call of another class's method.
fn foreign_name(call: &Call) -> String {
    let class = call.member.class.rsplit('.').next().unwrap_or(&call.member.class);
    let types = MethodType::parse(&call.member.descriptor);
    let parameters = types.map(|types| types.parameters).unwrap_or_default();
    let parameters: Vec<String> = parameters.iter().map(FieldType::java).collect();
    format!("{class}.{}({})", call.member.name, parameters.join(", "))
}
