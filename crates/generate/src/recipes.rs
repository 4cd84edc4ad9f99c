//! How an object of a plan was made: the calls that it takes, to be made again for an equal one.
//!
//! That serves two ends. Each thread has values of its own, equal to those of the other: what two threads are given is not the
//! class's to protect, unless it is the same object on purpose. And what took several tries to make is made in the same
//! way from then on: which of a dozen calls was to blame for the failures nobody knows, but which of them worked.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Argument, Call};
use raddle_program::ClassId;

use crate::plan_draft::{PlanDraft, Role};

/// Calls that one object may take to be made again.
const MOST_CALLS: usize = 12;
/// Ways to an object of a class that are remembered.
const MOST_RECIPES: usize = 4;

/// The calls that make an object and what it consists of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recipe {
    calls: Vec<Call>,
    /// The variables that the calls keep, with the classes of their objects.
    kept: BTreeMap<String, ClassId>,
    /// The variable of the object itself.
    gives: String,
}

impl Recipe {
    /// How the object of a variable is made by the calls of a prefix; none if that takes an object under test, or too much.
    pub(crate) fn of(
        prefix: &[Call],
        kept: &BTreeMap<String, (ClassId, Role)>,
        gives: &str,
    ) -> Option<Recipe> {
        let mut needed = BTreeSet::from([gives.to_owned()]);
        let mut calls: Vec<&Call> = Vec::new();
        for call in prefix.iter().rev() {
            let keeps = call.bind.as_ref().is_some_and(|name| needed.contains(name));
            let fills = call.bind.is_none() && call.on.as_ref().is_some_and(|on| needed.contains(on));
            if keeps || fills {
                needed.extend(call.on.clone());
                call.args
                    .iter()
                    .for_each(|argument| variables(argument, &mut needed));
                calls.push(call);
            }
        }
        let mut classes = BTreeMap::new();
        for name in &needed {
            match kept.get(name) {
                Some((class, role)) if *role != Role::Subject => classes.insert(name.clone(), *class),
                _ => return None,
            };
        }
        (calls.len() <= MOST_CALLS).then(|| Recipe {
            calls: calls.into_iter().rev().cloned().collect(),
            kept: classes,
            gives: gives.to_owned(),
        })
    }

    /// Makes such an object in a prefix, and names its variable.
    pub(crate) fn follow(&self, draft: &mut PlanDraft, role: Role) -> Option<String> {
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for call in &self.calls {
            let mut again = call.clone();
            if let Some(on) = &mut again.on {
                on.clone_from(names.get(on.as_str())?);
            }
            for argument in &mut again.args {
                rename(argument, &names)?;
            }
            match &call.bind {
                None => draft.prefix.push(again),
                Some(name) => {
                    let role = if *name == self.gives {
                        role
                    } else {
                        Role::Ingredient
                    };
                    let new = draft.keep(again, *self.kept.get(name)?, role);
                    names.insert(name, new);
                }
            }
        }
        names.remove(self.gives.as_str())
    }
}

fn variables(argument: &Argument, names: &mut BTreeSet<String>) {
    match argument {
        Argument::Var(name) => {
            names.insert(name.clone());
        }
        Argument::Array { of, .. } => of.iter().for_each(|element| variables(element, names)),
        _ => {}
    }
}

fn rename(argument: &mut Argument, names: &BTreeMap<&str, String>) -> Option<()> {
    match argument {
        Argument::Var(name) => name.clone_from(names.get(name.as_str())?),
        Argument::Array { of, .. } => {
            for element in of {
                rename(element, names)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// Recipes that worked, of classes of which others did not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cookbook {
    recipes: BTreeMap<ClassId, Vec<Recipe>>,
    /// Classes whose objects could not be made at least once.
    troublesome: BTreeSet<ClassId>,
}

impl Cookbook {
    /// A call of a prefix threw: objects that it would have made, or that need those, are hard to make.
    pub(crate) fn failed(&mut self, prefix: &[Call], kept: &BTreeMap<String, (ClassId, Role)>, at: usize) {
        let Some(thrower) = prefix.get(at) else {
            return;
        };
        let is_about = |recipe: &Recipe| recipe.calls.contains(thrower);
        for (name, (class, role)) in kept {
            if *role != Role::Subject && Recipe::of(prefix, kept, name).as_ref().is_some_and(is_about) {
                self.troublesome.insert(*class);
            }
        }
    }

    /// A prefix came to its end: what is hard to make is remembered.
    pub(crate) fn worked(&mut self, prefix: &[Call], kept: &BTreeMap<String, (ClassId, Role)>) {
        for (name, (class, role)) in kept {
            if *role == Role::Subject || !self.troublesome.contains(class) {
                continue;
            }
            let known = self.recipes.entry(*class).or_default();
            if known.len() < MOST_RECIPES
                && let Some(recipe) = Recipe::of(prefix, kept, name)
                && !known.iter().any(|one| one.calls == recipe.calls)
            {
                known.push(recipe);
            }
        }
    }

    /// Ways to an object of a class that have worked, if others have not.
    pub(crate) fn recipes(&self, class: ClassId) -> &[Recipe] {
        self.recipes.get(&class).map(Vec::as_slice).unwrap_or_default()
    }
}
