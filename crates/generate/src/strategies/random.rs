//! Random calls, for strategies that fall back on them.

use raddle_plan::Call;

use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;
use crate::{Candidate, Mode};

/// Calls of a prefix besides the constructor: CovCon, section IV-D, for ConTeGe's generator.
pub(super) const MAX_PREFIX: usize = 5;
/// Calls of a suffix. Every call of one thread multiplies the orders the other's can come in.
const MAX_SUFFIX: usize = 3;
/// Plans that turn out equal to earlier ones before the supply counts as exhausted.
const TRIES: usize = 100;

impl PlanBuilder<'_> {
    /// One random test: a constructor, up to five calls, and two random suffixes on the same object.
    pub(super) fn random(&mut self) -> Option<Candidate> {
        (0..TRIES).find_map(|_| {
            let draft = self.random_draft()?;
            self.finish(draft, Mode::Exception, None, "random".to_owned())
        })
    }

    fn random_draft(&mut self) -> Option<PlanDraft> {
        let mut draft = PlanDraft::default();
        let object = if self.has_subject() {
            Some(self.subject(&mut draft, Taste::Drawn)?)
        } else {
            None
        };
        let before = self.values.rng.below(MAX_PREFIX + 1);
        self.random_prefix(&mut draft, object.as_deref(), before);
        for thread in 0..2 {
            draft.enter_thread(Some(thread));
            let count = 1 + self.values.rng.small(MAX_SUFFIX);
            let calls: Vec<Call> = (0..count)
                .filter_map(|_| self.random_call(&mut draft, object.as_deref()))
                .collect();
            draft.threads.push(calls);
        }
        draft.enter_thread(None);
        let objects: Vec<String> = object.into_iter().collect();
        self.observe_objects(&mut draft, &objects, &[], true);
        Some(draft)
    }

    /// Random calls at the end of the prefix, none that are known to throw there.
    pub(super) fn random_prefix(&mut self, draft: &mut PlanDraft, object: Option<&str>, count: usize) {
        for _ in 0..count {
            let Some(call) = self.random_call(draft, object) else {
                return;
            };
            if !self.values.throw_history.is_bad(&call.member) {
                draft.prefix.push(call);
            }
        }
    }

    fn random_call(&mut self, draft: &mut PlanDraft, object: Option<&str>) -> Option<Call> {
        let index = self.random_method()?;
        self.call(draft, index, object, &[], Taste::Drawn)
    }

    /// Any method, but hardly one that is known to throw.
    pub(super) fn random_method(&mut self) -> Option<usize> {
        let count = self.callables().len();
        let mut index = None;
        for _ in 0..4 {
            let at = self.values.rng.below(count);
            let drawn = self.callables().get(at)?.index;
            index = Some(drawn);
            if !self.always_throws(drawn) {
                break;
            }
        }
        index
    }
}
