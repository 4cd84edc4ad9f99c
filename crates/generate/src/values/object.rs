//! References: objects at hand, literals, well-known objects, and whatever constructions give.

use raddle_plan::Argument;
use raddle_program::ClassId;

use super::{Spot, Taste, Values, common, implementation, simple};
use crate::constructions::Construction;
use crate::plan_draft::{PlanDraft, Role};

impl Values<'_> {
    pub(super) fn object(
        &mut self,
        draft: &mut PlanDraft,
        name: &str,
        spot: Spot<'_>,
        taste: Taste,
        depth: usize,
    ) -> Option<Argument> {
        let class = self.program.class_id(name);
        if let Some(wanted) = spot.kind.wanted
            && wanted != class
            && self.program.is_subtype(wanted, class) == Some(true)
        {
            let name = self.program.internal_name(wanted);
            return self.object(draft, name, spot, taste, depth);
        }
        if let Some((variable, held)) = self.at_hand(draft, class, spot, taste) {
            let is_value = self.is_value(held) && Some(variable.as_str()) != spot.receiver;
            let given = if is_value { draft.give(&variable) } else { variable };
            return Some(Argument::Var(given));
        }
        let has_common = common::of(self.program, class).next().is_some();
        if simple::is_simple(self.program, class) && !self.is_made_all_the_same(class, has_common, taste) {
            return self.simple(class, spot, taste);
        }
        let may_be_null = !spot.makes_object && !spot.kind.refuses_null;
        if taste == Taste::Drawn && may_be_null && self.rng.one_in(16) {
            return Some(Argument::Null);
        }
        let role = if spot.makes_object {
            Role::Ingredient
        } else {
            Role::Argument
        };
        if let Some(handed) = self.handed_out(draft, class, spot, taste, depth) {
            return Some(Argument::Var(handed));
        }
        // What is there has its own surprises.
        let executor = implementation::executor(self.program, class);
        let is_written = match (executor, taste) {
            // Threads of its own make all that comes of a task late; but a task that never ends needs one.
            (Some(_), Taste::Plain(shift)) => shift.is_multiple_of(2),
            (Some(_), Taste::Drawn) => true,
            (None, _) => {
                implementation::is_function_type(self.program, class)
                    && (taste != Taste::Drawn || !self.rng.one_in(4))
            }
        };
        let written = if is_written {
            let class = executor.unwrap_or(class);
            self.implemented(draft, class, spot.generic, taste, role, depth)
        } else {
            None
        };
        // In another way than the usual one, if the member has no use for what that gives.
        let taste = match taste {
            Taste::Plain(shift) => Taste::Plain(shift + spot.kind.way),
            Taste::Drawn => Taste::Drawn,
        };
        let made = match written {
            Some(written) => Some(written),
            None if spot.kind.way == 0 && self.is_repeated(class, taste) => {
                self.repeated(draft, class, taste, role)
            }
            None if has_common => self.common(draft, class, spot.generic, taste, role, depth),
            None => self.made(draft, class, taste, role, depth),
        };
        made.map(Argument::Var)
    }

    /// Whether an object is made as one was that did not throw, where others have.
    fn is_repeated(&mut self, class: ClassId, taste: Taste) -> bool {
        let is_known = !self.cookbook.recipes(class).is_empty();
        is_known && (taste != Taste::Drawn || !self.rng.one_in(4))
    }

    fn repeated(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        taste: Taste,
        role: Role,
    ) -> Option<String> {
        let recipes = self.cookbook.recipes(class);
        let recipe = match taste {
            Taste::Plain(shift) => recipes.get(shift % recipes.len().max(1)),
            Taste::Drawn => self.rng.pick(recipes),
        };
        recipe?.follow(draft, role)
    }

    /// Whether objects of a class are what they hold, so that one of two that are equal is as good as the other.
    fn is_value(&self, class: ClassId) -> bool {
        let program = self.program;
        let descriptor = program.symbol("(Ljava/lang/Object;)Z");
        let equals = program.resolve_method(class, program.symbol("equals"), descriptor);
        let is_told = equals
            .and_then(|id| program.method(id))
            .is_some_and(|(owner, method)| owner.id() != program.object() && !method.access.is_abstract());
        // What keeps special cases in constants does not change, so that one serves all threads.
        is_told && !simple::is_simple(program, class)
    }

    /// Whether an object is made although its class has constants that could be written down: now and then, or always where
    /// it is known what is usual.
    fn is_made_all_the_same(&mut self, class: ClassId, has_common: bool, taste: Taste) -> bool {
        if !simple::is_more_than_constants(self.program, class) {
            return false;
        }
        match taste {
            _ if has_common => taste != Taste::Drawn || !self.rng.one_in(4),
            Taste::Plain(shift) => shift % 2 == 1,
            Taste::Drawn => self.rng.one_in(2),
        }
    }

    /// What the receiver of the call has handed out itself, if it hands out such objects: a ticket, lease or handle is good
    /// for where it comes from, and one of a stranger tries nothing but how it is turned away.
    fn handed_out(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        spot: Spot<'_>,
        taste: Taste,
        depth: usize,
    ) -> Option<String> {
        if taste == Taste::Drawn && self.rng.one_in(4) {
            return None;
        }
        let receiver = spot.receiver?;
        let held = draft.held().iter().find(|held| held.name == receiver)?.class;
        let constructions = self.finder.constructions(class).ok();
        // A record that anybody can make is handed out all the same.
        let makers = self.finder.makers(class);
        let own: Vec<Construction> = constructions
            .iter()
            .flat_map(|constructions| constructions.iter())
            .chain(makers.iter())
            .filter(|construction| {
                let maker = construction.receiver;
                maker.is_some_and(|maker| self.program.is_subtype(held, maker) == Some(true))
            })
            .filter(|construction| !self.throw_history.is_hopeless(&construction.member))
            .cloned()
            .collect();
        let construction = self.choose(&own, taste)?.clone();
        self.follow_on(draft, &construction, Some(receiver), taste, Role::Argument, depth)
    }

    /// An object that the plan has already. Plain arguments are shared as far as they are no literals; objects under
    /// test are arguments only by the luck of the draw, or where a strategy puts them.
    fn at_hand(
        &mut self,
        draft: &PlanDraft,
        class: ClassId,
        spot: Spot<'_>,
        taste: Taste,
    ) -> Option<(String, ClassId)> {
        if spot.makes_object {
            // What one object is made of is its own: two synchronized wrappers of one map would be something else.
            return None;
        }
        let fits = |held: ClassId| self.program.is_subtype(held, class) == Some(true);
        match taste {
            Taste::Plain(shift) => {
                if simple::is_simple(self.program, class) {
                    return None;
                }
                let arguments = draft.originals().filter(|held| held.role == Role::Argument);
                let mut fitting = arguments.filter(|held| fits(held.class));
                // One shift, one object; another shift, another.
                fitting.nth(shift).map(|held| (held.name.clone(), held.class))
            }
            // What is compared with strings must not be an object under test.
            Taste::Drawn if self.learnt.is_ordered() && simple::is_simple(self.program, class) => None,
            Taste::Drawn => {
                let fitting: Vec<(&str, ClassId)> = draft
                    .originals()
                    .filter(|held| held.role != Role::Ingredient && fits(held.class))
                    .map(|held| (held.name.as_str(), held.class))
                    .collect();
                // A method that takes anything takes its own kind often enough this way.
                let rarely = if simple::is_simple(self.program, class) {
                    5
                } else {
                    2
                };
                if fitting.is_empty() || !self.rng.one_in(rarely) {
                    return None;
                }
                if self.rng.one_in(3)
                    && let Some(receiver) = spot.receiver
                    && let Some((_, class)) = fitting.iter().find(|(name, _)| *name == receiver)
                {
                    return Some((receiver.to_owned(), *class));
                }
                let picked = self.rng.pick(&fitting);
                picked.map(|(name, class)| ((*name).to_owned(), *class))
            }
        }
    }
}
