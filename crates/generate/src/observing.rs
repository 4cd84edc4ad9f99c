//! Calls that look at the objects after the threads have ended.

use raddle_plan::{Argument, Call};

use crate::callable::Callable;
use crate::observer;
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, Role, call, is_constant};
use crate::values::{Taste, implementation};

/// Observing calls in a plan.
const MAX_OBSERVERS: usize = 4;
/// Things that are taken out of an object in the end, if it gives any.
const TAKES: usize = 2;
/// Keys that an object is asked for in the end.
const MAX_KEYS: usize = 2;

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
        let unseen = self.observe_keys(draft, objects);
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
            for (descriptor, key) in unseen {
                if let Some(look) = self.key_look(object, &descriptor, &key, true) {
                    draft.after.push(look);
                }
            }
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

    /// Asks an object for what the threads have given it: what is there under a key shows in no size. Gives back the keys that no
    /// method asks for without changing anything.
    fn observe_keys(&mut self, draft: &mut PlanDraft, objects: &[String]) -> Vec<(String, Argument)> {
        let Some(object) = objects.first() else {
            return Vec::new();
        };
        let mut keys: Vec<(String, Argument)> = Vec::new();
        for call in draft.threads.iter().flatten() {
            let parameters = crate::callable::parameters(&call.member.descriptor);
            if let (Some(descriptor), Some(key)) = (parameters.first(), call.args.first())
                && is_constant(key)
                && !keys.iter().any(|(_, known)| known == key)
            {
                keys.push((descriptor.clone(), key.clone()));
            }
        }
        keys.truncate(MAX_KEYS);
        keys.retain(
            |(descriptor, key)| match self.key_look(object, descriptor, key, false) {
                Some(look) => {
                    draft.after.push(look);
                    false
                }
                None => true,
            },
        );
        keys
    }

    /// The call that tells most of what is there under a key, of those that change something or of those that do not.
    fn key_look(&self, object: &str, descriptor: &str, key: &Argument, changes: bool) -> Option<Call> {
        let looks = |one: &&Callable| {
            !one.is_static()
                && one.parameters.len() == 1
                && one.parameters.first().is_some_and(|first| first == descriptor)
                && one.result.is_some()
                && one.name() != "equals"
                && observer::is_last(self.touches(one.index)) == changes
                && !self.always_throws(one.index)
                && !(changes && self.throws_checked(one.index))
        };
        let one = self.callables().iter().filter(looks).min_by_key(|one| {
            // A truth value tells less than what is there.
            (one.result.as_deref() == Some("Z"), one.index)
        })?;
        Some(call(
            one.invoke,
            one.member.clone(),
            Some(object),
            vec![key.clone()],
        ))
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
