//! A plan in the making.

use std::collections::BTreeMap;

use raddle_plan::{Argument, Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};
use raddle_program::ClassId;

use crate::recipes::Recipe;

/// Milliseconds that pass before the threads begin, where time passes.
const PASSING: i64 = 1_100;

/// What an object is in a plan for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is under test.
    Subject,
    /// It is an argument of calls.
    Argument,
    /// Other objects are made of it. It is theirs: who calls `put` on the map behind a synchronized map breaks
    /// something other than the class.
    Ingredient,
}

/// A variable of the prefix that holds an object.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) name: String,
    /// The class the object certainly is, at least.
    pub(crate) class: ClassId,
    pub(crate) role: Role,
    /// The thread that has been given it.
    given_to: Option<usize>,
    /// The object that it is equal to, and stands in for in another thread.
    copy_of: Option<String>,
}

/// A plan in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanDraft {
    pub(crate) prefix: Vec<Call>,
    pub(crate) threads: Vec<Vec<Call>>,
    pub(crate) after: Vec<Call>,
    /// See [`TestPlan::uninitialised`].
    pub(crate) uninitialised: Vec<String>,
    /// Whether its objects under test were made in another way than usual.
    pub(crate) is_made_otherwise: bool,
    held: Vec<Held>,
    /// The thread whose calls are being made.
    thread: Option<usize>,
    values: usize,
    subjects: usize,
}

/// Names of objects under test; more than these are numbered.
const SUBJECTS: [&str; 4] = ["a", "b", "c", "d"];

impl PlanDraft {
    /// Calls that were made elsewhere.
    pub(crate) fn with(prefix: Vec<Call>, threads: Vec<Vec<Call>>) -> PlanDraft {
        PlanDraft {
            prefix,
            threads,
            ..PlanDraft::default()
        }
    }

    /// Adds a call to the prefix whose result is kept, and names the variable.
    pub(crate) fn keep(&mut self, mut call: Call, class: ClassId, role: Role) -> String {
        let name = if role == Role::Subject {
            self.subjects += 1;
            SUBJECTS
                .get(self.subjects - 1)
                .map_or_else(|| format!("s{}", self.subjects), |name| (*name).to_owned())
        } else {
            self.values += 1;
            format!("v{}", self.values)
        };
        call.bind = Some(name.clone());
        self.prefix.push(call);
        self.held.push(Held {
            name: name.clone(),
            class,
            role,
            given_to: self.thread,
            copy_of: None,
        });
        name
    }

    /// From here on the calls of this thread are made, or of none.
    pub(crate) fn enter_thread(&mut self, thread: Option<usize>) {
        self.thread = thread;
    }

    /// Gives an object to the thread whose calls are being made: itself, or one that is equal to it if another thread has it.
    pub(crate) fn give(&mut self, name: &str) -> String {
        let thread = self.thread;
        let Some(at) = self.held.iter().position(|held| held.name == name) else {
            return name.to_owned();
        };
        let held = &mut self.held[at];
        if thread.is_none() || held.given_to.is_none() || held.given_to == thread {
            held.given_to = held.given_to.or(thread);
            return name.to_owned();
        }
        let is_copy = |held: &&Held| held.given_to == thread && held.copy_of.as_deref() == Some(name);
        if let Some(copy) = self.held.iter().find(is_copy) {
            return copy.name.clone();
        }
        let role = self.held[at].role;
        let recipe = Recipe::of(&self.prefix, &self.kept(), name);
        let Some(copy) = recipe.and_then(|recipe| recipe.follow(self, role)) else {
            return name.to_owned();
        };
        if let Some(held) = self.held.iter_mut().find(|held| held.name == copy) {
            held.copy_of = Some(name.to_owned());
        }
        copy
    }

    /// The variables of the prefix, with what their objects are and are for.
    pub(crate) fn kept(&self) -> BTreeMap<String, (ClassId, Role)> {
        let kept = |held: &Held| (held.name.clone(), (held.class, held.role));
        self.held.iter().map(kept).collect()
    }

    /// The objects at hand.
    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    /// The same without those that are there because another thread has one that is equal.
    pub(crate) fn originals(&self) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(|held| held.copy_of.is_none())
    }

    /// Names of the objects under test.
    pub(crate) fn subjects(&self) -> Vec<String> {
        let subjects = self.held.iter().filter(|held| held.role == Role::Subject);
        subjects.map(|held| held.name.clone()).collect()
    }

    /// Has time pass before the threads begin, on the clock of the run. On a stock JVM it is real, so it is not much more than
    /// the second that limits in tests seldom exceed.
    pub(crate) fn pass_time(&mut self) {
        let sleep = MemberRef {
            class: "java.lang.Thread".to_owned(),
            name: "sleep".to_owned(),
            descriptor: "(J)V".to_owned(),
        };
        self.prefix
            .push(call(Invoke::Static, sleep, None, vec![Argument::Long(PASSING)]));
    }

    pub(crate) fn finish(self, name: String) -> TestPlan {
        TestPlan {
            raddle_plan: PLAN_VERSION,
            package: None,
            name,
            prefix: self.prefix,
            threads: self.threads,
            after: self.after,
            uninitialised: self.uninitialised,
        }
    }
}

/// Whether an argument is the same wherever it stands: no variable of the plan, and nothing that may hold one.
pub(crate) fn is_constant(argument: &Argument) -> bool {
    !matches!(argument, Argument::Var(_) | Argument::Array { .. })
}

/// A call whose result is not kept.
pub(crate) fn call(invoke: Invoke, member: MemberRef, on: Option<&str>, args: Vec<Argument>) -> Call {
    Call {
        bind: None,
        invoke,
        member,
        on: on.map(str::to_owned),
        args,
        methods: Vec::new(),
    }
}
