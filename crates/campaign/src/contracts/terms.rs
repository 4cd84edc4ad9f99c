//! What is known beforehand of the calls of a plan, so that smaller plans can be judged without the program.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_plan::{Call, MemberRef, Part, TestPlan, Variables};
use raddle_program::{ClassId, Program};
use raddle_summary::Analyzer;

use super::{Contracts, Rule};
use crate::shareable::Shareable;

/// What is known of the calls of a plan, and of every plan that has some of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// By the receiver's type in the plan and the member.
    rules: BTreeMap<(String, MemberRef), Vec<Rule>>,
    /// Types of variables, as descriptors, whose objects threads may share.
    shareable: BTreeSet<String>,
    /// Calls that change what one of their arguments holds, and which argument.
    filling: BTreeSet<(MemberRef, usize)>,
    /// Calls of which the analysis knows that they change nothing else that they are given.
    seen_through: BTreeSet<MemberRef>,
}

/// Asks what is known of calls, and remembers the answers: plans make the same calls over and over.
pub(crate) struct Lookup<'p> {
    program: &'p Program,
    contracts: Arc<Contracts>,
    /// By the class of the receiver and the member.
    rules: RefCell<BTreeMap<(String, MemberRef), Vec<Rule>>>,
    /// By descriptor.
    shareable: RefCell<BTreeMap<String, bool>>,
}

impl<'p> Lookup<'p> {
    pub(crate) fn new(program: &'p Program, contracts: Arc<Contracts>) -> Lookup<'p> {
        Lookup {
            program,
            contracts,
            rules: RefCell::default(),
            shareable: RefCell::default(),
        }
    }

    /// What is known of the calls of a plan for the class.
    pub(crate) fn terms(&self, analyzer: &Analyzer<'_>, class: ClassId, plan: &TestPlan) -> Terms {
        let variables = plan.variables();
        let mut terms = Terms::default();
        for variable in &variables {
            if self.is_shareable(&variable.descriptor) {
                terms.shareable.insert(variable.descriptor.clone());
            }
        }
        for (_, part, call) in plan.calls() {
            let declared = receiver_type(&variables, part, call);
            let receiver = receiver_class(self.program, class, &declared, call);
            let member = &call.member;
            if matches!(part, Part::Thread(_)) && !call.args.is_empty() {
                let changed = analyzer.changed_arguments(receiver, &member.name, &member.descriptor);
                if changed.is_some() {
                    terms.seen_through.insert(member.clone());
                }
                let changed = changed.into_iter().flatten();
                terms
                    .filling
                    .extend(changed.map(|position| (member.clone(), position)));
            }
            let key = (declared, member.clone());
            terms
                .rules
                .entry(key)
                .or_insert_with(|| self.rules(receiver, member));
        }
        terms
    }

    fn rules(&self, receiver: ClassId, member: &MemberRef) -> Vec<Rule> {
        let key = (self.program.internal_name(receiver).to_owned(), member.clone());
        let mut known = self.rules.borrow_mut();
        let asked = || {
            self.contracts
                .of_method(self.program, receiver, &member.name, &member.descriptor)
        };
        known.entry(key).or_insert_with(asked).clone()
    }

    fn is_shareable(&self, descriptor: &str) -> bool {
        let mut known = self.shareable.borrow_mut();
        *known.entry(descriptor.to_owned()).or_insert_with(|| {
            let shareable = Shareable {
                program: self.program,
                contracts: &self.contracts,
            };
            shareable.is(descriptor)
        })
    }
}

impl Terms {
    /// What holds for a call of a plan.
    pub(crate) fn rules(&self, variables: &Variables<'_>, part: Part, call: &Call) -> &[Rule] {
        let key = (receiver_type(variables, part, call), call.member.clone());
        self.rules.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether threads may share what a variable of this type refers to.
    pub(crate) fn is_shareable(&self, descriptor: &str) -> bool {
        self.shareable.contains(descriptor)
    }

    /// Whether a call changes what its argument at this position holds.
    pub(crate) fn fills(&self, call: &Call, position: usize) -> bool {
        self.filling.contains(&(call.member.clone(), position))
    }

    /// Whether a call is known to leave what its argument at this position holds as it is.
    pub(crate) fn leaves(&self, call: &Call, position: usize) -> bool {
        self.seen_through.contains(&call.member) && !self.fills(call, position)
    }
}

/// The type of the variable that a call is made on; empty if there is none.
fn receiver_type(variables: &Variables<'_>, part: Part, call: &Call) -> String {
    let variable = call.on.as_deref().and_then(|on| variables.find(part, on));
    variable
        .map(|variable| variable.descriptor.clone())
        .unwrap_or_default()
}

/// The class of the receiver, as exactly as the plan tells.
fn receiver_class(program: &Program, class: ClassId, declared: &str, call: &Call) -> ClassId {
    let member = program.class_id(&call.member.internal_class());
    let declared = declared
        .strip_prefix('L')
        .and_then(|rest| rest.strip_suffix(';'))
        .map_or(member, |name| program.class_id(name));
    let is_below = |below: ClassId, above: ClassId| program.is_subtype(below, above) == Some(true);
    if declared != program.object() && is_below(class, declared) && is_below(class, member) {
        class
    } else if is_below(member, declared) {
        member
    } else {
        declared
    }
}
