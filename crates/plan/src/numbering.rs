//! The order of a plan: its parts, the numbers of its calls, the slots of its variables.

use std::fmt;

use raddle_classfile::descriptor::MethodType;

use crate::{Call, TestPlan};

/// The number of a call: those of the prefix first, then thread by thread, then those after, from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// A part of a plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Runs first, alone.
    Prefix,
    /// A thread, from 0.
    Thread(u32),
    /// Runs last, alone.
    After,
}

impl Part {
    /// The number that stands for the part at run time: 0 the prefix, threads from 1, −1 the calls after.
    pub fn number(self) -> i32 {
        match self {
            Part::Prefix => 0,
            // A plan with more threads is refused long before.
            Part::Thread(thread) => i32::try_from(thread).map_or(i32::MAX, |thread| thread + 1),
            Part::After => -1,
        }
    }

    /// The thread that runs it, as [`crate::Switch`] and [`crate::CallOutcome`] count: 0 runs prefix and after.
    pub fn thread(self) -> u32 {
        match self {
            Part::Prefix | Part::After => 0,
            Part::Thread(thread) => thread + 1,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Prefix => f.write_str("prefix"),
            Part::Thread(thread) => write!(f, "thread {}", thread + 1),
            Part::After => f.write_str("after"),
        }
    }
}

/// A variable of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its index in the array that holds all variables at run time.
    pub slot: u32,
    /// The part that sets it. Everybody sees variables of the prefix, others are seen in their own part.
    pub part: Part,
    /// The call that sets it.
    pub call: CallId,
    /// Its static type as a descriptor: the result type of the call, or the class that is constructed.
    pub descriptor: String,
}

/// All variables of a plan, by slot.
#[derive(Clone, Debug, Default)]
pub struct Variables<'p>(Vec<Variable<'p>>);

impl<'p> Variables<'p> {
    /// The variable that a name means in a part.
    pub fn find(&self, part: Part, name: &str) -> Option<&Variable<'p>> {
        let named =
            |wanted: Part| move |variable: &&Variable<'p>| variable.name == name && variable.part == wanted;
        let own = self.0.iter().find(named(part));
        own.or_else(|| self.0.iter().find(named(Part::Prefix)))
    }

    /// All of them, by slot.
    pub fn iter(&self) -> std::slice::Iter<'_, Variable<'p>> {
        self.0.iter()
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the plan has no variables.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, 'p> IntoIterator for &'a Variables<'p> {
    type Item = &'a Variable<'p>;
    type IntoIter = std::slice::Iter<'a, Variable<'p>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl TestPlan {
    /// The parts with their calls, in the order in which calls are numbered.
    pub fn parts(&self) -> impl Iterator<Item = (Part, &[Call])> {
        let threads = self.threads.iter().zip(0..);
        std::iter::once((Part::Prefix, &*self.prefix))
            .chain(threads.map(|(calls, thread)| (Part::Thread(thread), &**calls)))
            .chain(std::iter::once((Part::After, &*self.after)))
    }

    /// All calls, in the order of their numbers.
    pub fn calls(&self) -> impl Iterator<Item = (CallId, Part, &Call)> {
        let calls = self
            .parts()
            .flat_map(|(part, calls)| calls.iter().map(move |call| (part, call)));
        (0..)
            .map(CallId)
            .zip(calls)
            .map(|(id, (part, call))| (id, part, call))
    }

    /// How many calls there are.
    pub fn call_count(&self) -> usize {
        self.parts().map(|(_, calls)| calls.len()).sum()
    }

    /// All variables. A name that is set twice in a part has two slots; [`TestPlan::check`] refuses that.
    pub fn variables(&self) -> Variables<'_> {
        let binding = self
            .calls()
            .filter_map(|(id, part, call)| call.bind.as_deref().map(|name| (id, part, call, name)));
        let slots = 0..;
        let variables = slots
            .zip(binding)
            .map(|(slot, (call, part, made_by, name))| Variable {
                name,
                slot,
                part,
                call,
                descriptor: made_by.result_descriptor().unwrap_or_default(),
            });
        Variables(variables.collect())
    }
}

impl Call {
    /// The type of what the call gives, as a descriptor; `None` if it gives nothing or the descriptor is no such.
    pub fn result_descriptor(&self) -> Option<String> {
        if self.invoke.makes_object() {
            return Some(format!("L{};", self.member.internal_class()));
        }
        let method = MethodType::parse(&self.member.descriptor).ok()?;
        let result = &self.member.descriptor[self.member.descriptor.find(')')? + 1..];
        method.result.map(|_| result.to_owned())
    }
}
