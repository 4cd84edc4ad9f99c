//! Calls that look at the objects after the threads have ended.

use raddle_plan::{Argument, Call};

use crate::callable::Callable;
use crate::observer;
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, Role, call, is_constant};
use crate::values::{Taste, implementation};

/// Observing calls in a plan.
const MAX_OBSERVERS: usize = 8;
/// Things that are taken out of an object in the end, if it gives any.
const TAKES: usize = 2;
/// Keys that an object is asked for in the end.
const MAX_KEYS: usize = 2;

/// What a call of a thread was given.
pub(crate) struct Asked {
    parameters: Vec<String>,
    values: Vec<Argument>,
}

impl Asked {
    /// What a call was given, as far as it is there after the threads, too, and is no object under test.
    fn of(call: &Call, draft: &PlanDraft) -> Asked {
        let is_there = |value: &&Argument| match value {
            Argument::Var(name) => {
                let held = draft.held().iter().find(|held| held.name == *name);
                held.is_some_and(|held| held.role != Role::Subject)
            }
            value => is_constant(value),
        };
        let values: Vec<Argument> = call.args.iter().take_while(is_there).cloned().collect();
        let mut parameters = crate::callable::parameters(&call.member.descriptor);
        parameters.truncate(values.len());
        Asked { parameters, values }
    }
}

impl PlanBuilder<'_> {
    /// Calls that look at objects after the threads have ended: above all at what these methods may have changed.
    pub(crate) fn observe_objects(
        &mut self,
        draft: &mut PlanDraft,
        objects: &[String],
        changed_by: &[usize],
        is_plain: bool,
    ) {
        let most = MAX_OBSERVERS / objects.len().max(1);
        self.observe_each(draft, objects, changed_by, is_plain, most.max(1));
    }

    /// The same, with so many calls on each object at most.
    pub(crate) fn observe_each(
        &mut self,
        draft: &mut PlanDraft,
        objects: &[String],
        changed_by: &[usize],
        is_plain: bool,
        each: usize,
    ) {
        // What the object may hold is written out with it.
        let is_plain = is_plain
            && draft.held().iter().all(|held| {
                held.role == Role::Subject
                        // A function is used, and not kept as content.
                        || implementation::is_function_type(self.program(), held.class)
                        || observer::is_printable(self.program(), held.class)
            });
        let mut looks: Vec<usize> = self
            .observers()
            .iter()
            .copied()
            // An object that holds itself cannot be written out.
            .filter(|&index| is_plain || self.callable(index).is_some_and(|one| one.name() != "toString"))
            .collect();
        if !changed_by.is_empty() {
            let sees = |index: &usize| {
                let look = self.touches(*index);
                changed_by.iter().any(|by| self.touches(*by).changes(look))
            };
            looks.sort_by_key(|index| (observer::is_last(self.touches(*index)), !sees(index)));
        }
        looks.truncate(each);
        let unseen = self.observe_keys(draft, objects.first().map(String::as_str));
        let may_wait = |index: usize| self.throws_checked(index);
        let taker = observer::taker(self.callables(), self.all_touched(), may_wait);
        for object in objects {
            let takes = taker.into_iter().flat_map(|index| [index; TAKES]);
            for index in looks.iter().copied().chain(takes) {
                if let Some(look) = self.call(draft, index, Some(object), &[], Taste::Plain(0)) {
                    draft.after.push(look);
                }
            }
        }
        // By now it does no harm that a look changes something.
        if let Some(object) = objects.first() {
            for index in self.remembering(changed_by, taker) {
                if let Some(look) = self.call(draft, index, Some(object), &[], Taste::Plain(0)) {
                    draft.after.push(look);
                }
            }
            self.observe_unseen(draft, Some(object), &unseen);
        }
    }

    /// The methods of a plan that answer with an object, may keep it for the next time, and were not asked yet: what they keep may
    /// be out of date for good.
    fn remembering(&self, changed_by: &[usize], taker: Option<usize>) -> Vec<usize> {
        let mut found: Vec<usize> = changed_by.to_vec();
        found.sort_unstable();
        found.dedup();
        found.retain(|&index| {
            let keeps = self.callable(index).is_some_and(|one| {
                let result = one.result.as_deref().unwrap_or_default();
                !one.is_static() && one.parameters.is_empty() && result.starts_with(['L', '['])
            });
            keeps
                && Some(index) != taker
                && observer::is_last(self.touches(index))
                && !self.always_throws(index)
                && !self.throws_checked(index)
        });
        found
    }

    /// Looks at what only methods tell that change something, or that want to know more than the key.
    pub(crate) fn observe_unseen(&mut self, draft: &mut PlanDraft, object: Option<&str>, unseen: &[Asked]) {
        for asked in unseen {
            let wider = self.wider_look(draft, object, asked);
            draft.after.extend(wider);
            draft.after.extend(self.key_look(object, asked, true));
        }
    }

    /// A call that takes the key of another call and more, and tells something: who publishes is told how many have heard of it.
    fn wider_look(&mut self, draft: &mut PlanDraft, object: Option<&str>, asked: &Asked) -> Option<Call> {
        let (key, kind) = (asked.values.first()?, asked.parameters.first()?);
        let looks = |one: &&Callable| {
            (one.is_static() || object.is_some())
                && one.parameters.len() > 1
                && one.parameters.first() == Some(kind)
                && one.result.as_deref().is_some_and(observer::is_telling)
                && !self.always_throws(one.index)
                && !self.throws_checked(one.index)
        };
        let index = self
            .callables()
            .iter()
            .filter(looks)
            .min_by_key(|one| {
                let changes = observer::is_last(self.touches(one.index));
                (changes, one.parameters.len(), one.index)
            })?
            .index;
        let mut look = self.call(draft, index, object, &[], Taste::Plain(0))?;
        *look.args.first_mut()? = key.clone();
        Some(look)
    }

    /// Asks for what the threads have given: what is there under a key shows in no size. Gives back what no method asks for without
    /// changing anything.
    pub(crate) fn observe_keys(&mut self, draft: &mut PlanDraft, object: Option<&str>) -> Vec<Asked> {
        let mut all: Vec<Asked> = Vec::new();
        for call in draft.threads.iter().flatten() {
            let asked = Asked::of(call, draft);
            let is_known = |known: &Asked| known.values.first() == asked.values.first();
            if !asked.values.is_empty() && !all.iter().any(is_known) {
                all.push(asked);
            }
        }
        all.truncate(MAX_KEYS);
        all.retain(|asked| match self.key_look(object, asked, false) {
            Some(look) => {
                draft.after.push(look);
                false
            }
            None => true,
        });
        all
    }

    /// The call that tells most of what is there under a key, of those that change something or of those that do not: it takes what
    /// a call of a thread was given, or the first of it.
    fn key_look(&self, object: Option<&str>, asked: &Asked, changes: bool) -> Option<Call> {
        let looks = |one: &&Callable| {
            (one.is_static() || object.is_some())
                && !one.parameters.is_empty()
                && asked.parameters.starts_with(&one.parameters)
                && one.result.is_some()
                && one.name() != "equals"
                && observer::is_last(self.touches(one.index)) == changes
                && !self.always_throws(one.index)
                && !(changes && self.throws_checked(one.index))
        };
        let one = self.callables().iter().filter(looks).min_by_key(|one| {
            // A truth value tells less than what is there.
            (
                one.parameters.len(),
                one.result.as_deref() == Some("Z"),
                one.index,
            )
        })?;
        let on = object.filter(|_| !one.is_static());
        let values = asked.values.iter().take(one.parameters.len()).cloned();
        Some(call(one.invoke, one.member.clone(), on, values.collect()))
    }

    /// Asks objects for their hash codes after the threads have ended, if those tell more than an identity.
    pub(crate) fn observe_hash(&mut self, draft: &mut PlanDraft, objects: &[String]) {
        let of_object = self.program().object();
        let hash = self
            .callables()
            .iter()
            .find(|one| one.name() == "hashCode" && one.parameters.is_empty() && one.declared_in != of_object)
            .map(|one| one.index);
        for object in objects {
            if let Some(look) =
                hash.and_then(|index| self.call(draft, index, Some(object), &[], Taste::Plain(0)))
            {
                draft.after.push(look);
            }
        }
    }
}
