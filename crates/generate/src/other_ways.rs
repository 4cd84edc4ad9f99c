//! Objects under test that are made in another way than the usual one.
//!
//! Most tests make their objects in the cheapest way that works. A class with several factories is several classes, though:
//! `Striped.lock` and `Striped.semaphore` share no more than a type, and what `memo()` makes of an object has a state that the
//! object itself has not. So the other ways get their turns, one a round.

use raddle_plan::Invoke;
use raddle_program::{Class, ClassId, MethodId, Program};

use crate::callable::parameters;
use crate::constructions::{Construction, ConstructionFinder, factories, member, result_class};
use crate::kin::returns_its_receiver;
use crate::pair_plans::shifted;
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;

/// Other ways that are tried.
const MOST_WAYS: usize = 6;
/// Methods that make an object of their own kind from the one that they are called on.
const MOST_REMADE: usize = 3;
/// Other choices that are tried where a way has parameters for that.
const MOST_CHOICES: usize = 2;
/// Of all ways together.
const MOST_CHOSEN: usize = 4;
/// What it costs to make an object from another one.
const REMADE: u32 = 3;

/// Another way to an object, and which choices are made where it has parameters for that; 0 are the usual ones.
#[derive(Clone, Debug)]
pub(crate) struct OtherWay {
    pub(crate) construction: Construction,
    pub(crate) choice: usize,
}

/// The ways to objects of a class besides the first of these. Those come first that other code decides on: the class of the object
/// may be another one. Then the first of these with other choices, and the others with each of their choices: what a shorter
/// constructor leaves to the class is one of them.
pub(crate) fn other_ways(
    program: &Program,
    finder: &ConstructionFinder<'_>,
    class: ClassId,
    usual: &[Construction],
) -> Vec<OtherWay> {
    let Some(loaded) = program.class(class) else {
        return Vec::new();
    };
    let of_itself = factories(program, loaded, class).into_iter();
    let remade = remade(program, loaded);
    let found = of_itself
        .chain(remade)
        .filter_map(|way| finder.priced(class, way))
        .chain(usual.iter().skip(1).cloned());
    let mut ways: Vec<Construction> = Vec::new();
    for way in found {
        let is_usual = usual.first().is_some_and(|first| first.member == way.member);
        // Whoever is shared by all tests is no other object.
        if way.invoke != Invoke::Constant && !is_usual && !ways.iter().any(|one| one.member == way.member) {
            ways.push(way);
        }
    }
    ways.truncate(MOST_WAYS);
    let first = usual.first().filter(|first| is_choice(program, first));
    let others = ways.iter().filter(|way| is_choice(program, way));
    let chosen: Vec<OtherWay> = first
        .into_iter()
        .chain(others)
        .flat_map(|way| {
            (1..=MOST_CHOICES).map(|choice| OtherWay {
                construction: way.clone(),
                choice,
            })
        })
        .take(MOST_CHOSEN)
        .collect();
    let ways = ways.into_iter().map(|construction| OtherWay {
        construction,
        choice: 0,
    });
    ways.chain(chosen).collect()
}

/// Methods of an object that give another one of its class.
fn remade(program: &Program, class: &Class) -> Vec<Construction> {
    let is_new = |id: &MethodId| {
        let (owner, method) = program.method(*id)?;
        let descriptor = program.text(method.descriptor);
        let member = member(program, owner.id(), method);
        let gives = result_class(program, descriptor)?;
        let is_wanted = program.is_subtype(gives, class.id()) == Some(true)
            && !method.access.is_static()
            && !method.access.is_synthetic()
            && !returns_its_receiver(program, owner.id(), &member);
        is_wanted.then(|| Construction {
            invoke: if owner.access().is_interface() {
                Invoke::Interface
            } else {
                Invoke::Virtual
            },
            member,
            parameters: parameters(descriptor),
            receiver: Some(class.id()),
            gives,
            cost: REMADE,
        })
    };
    let methods = program.public_methods(class.id());
    let mut found: Vec<Construction> = methods.iter().filter_map(is_new).collect();
    found.sort_by_key(|way| way.parameters.len());
    found.truncate(MOST_REMADE);
    found
}

/// Whether somebody who makes an object in this way chooses between kinds of it, such as `ACCESS` and `INSERTION`.
fn is_choice(program: &Program, way: &Construction) -> bool {
    way.parameters.iter().any(|parameter| {
        let class = parameter
            .strip_prefix('L')
            .and_then(|name| name.strip_suffix(';'));
        let class = class.and_then(|name| program.class(program.class_id(name)));
        parameter == "Z" || class.is_some_and(|class| class.access().is_enum())
    })
}

impl PlanBuilder<'_> {
    /// How many ways to make objects under test there are besides the usual one.
    pub(crate) fn other_ways(&self) -> usize {
        self.other_ways.len()
    }

    /// An object under test, made in this other way; none if that is known to fail.
    pub(crate) fn made_otherwise(
        &mut self,
        draft: &mut PlanDraft,
        number: usize,
        taste: Taste,
    ) -> Option<String> {
        let OtherWay { construction, choice } = self.other_ways.get(number)?.clone();
        if self.values.throw_history.is_bad(&construction.member) {
            return None;
        }
        draft.is_made_otherwise = true;
        self.follow(draft, construction, shifted(taste, choice))
    }
}
