//! Arguments: one file per kind of value.
//!
//! A value is a literal, or a variable of the prefix that holds an object made for it. With [`Taste::Plain`] the same
//! question has the same answer, and objects are shared between calls; with [`Taste::Drawn`] choices are random.

mod array;
mod asked;
pub(crate) mod common;
mod elements;
mod generic;
pub(crate) mod implementation;
mod learnt;
mod numbers;
mod object;
mod options;
mod primitive;
pub(crate) mod simple;
mod text;
mod well_known;

pub(crate) use generic::{content, generic_parameters, generic_result};
pub(crate) use learnt::{Kind, Learnt};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Argument, MemberRef, Primitive};
use raddle_program::{ClassId, Program};

use crate::constructions::{Construction, ConstructionFinder};
use crate::plan_draft::{PlanDraft, Role, call};
use crate::recipes::Cookbook;
use crate::rng::Rng;
use crate::throw_history::ThrowHistory;

/// How values are chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Taste {
    /// The first choice; the number shifts it, so that several elements can be told apart.
    Plain(usize),
    /// Any choice.
    Drawn,
}

/// Where a value goes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) descriptor: &'a str,
    /// How many parameters of the same kind come before it: the second int of `delete(int, int)` is not the first.
    pub(crate) rank: usize,
    /// Whether it goes to a constructor or factory, where 0 is more often refused than 1.
    pub(crate) makes_object: bool,
    /// The variable of the receiver.
    pub(crate) receiver: Option<&'a str>,
    /// What kinds of values the member takes, as far as was learnt.
    pub(crate) kind: Kind,
    /// The type with its arguments, as class files have it; empty if it has none.
    pub(crate) generic: &'a str,
}

/// Recipes that a plain choice is made from.
const PLAIN_RECIPES: usize = 3;
/// Objects made one for the other, at most.
const MAX_DEPTH: usize = 8;

/// What holds for the whole plan that is being made.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is a question of its own"
)]
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Circumstances {
    /// Stand-ins say yes, and 1, where they would say no and 0.
    pub(crate) agree: bool,
    /// Numbers that stand-ins are asked for with nothing given are the time.
    pub(crate) have_clocks: bool,
    /// Objects are to hold more than one thing: a size of 1 is full at once.
    pub(crate) are_roomy: bool,
    /// All options of builders and configurations are set; in turns, if nothing is said.
    pub(crate) are_configured: Option<bool>,
    /// Objects under test are made in another way than usual; numbered.
    pub(crate) made_otherwise: Option<usize>,
    /// Different strings have the same hash code.
    pub(crate) collide: bool,
}

/// Which stand-ins, and other things that decide how an object behaves, turned up while plans were made.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is a question of its own"
)]
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct StandIns {
    /// Whether there is one that is asked questions.
    pub(crate) answer: bool,
    /// Whether there is one that could be a clock.
    pub(crate) tell_time: bool,
    /// Whether there is something with options beside them.
    pub(crate) have_options: bool,
    /// Whether there are strings that have the same hash code.
    pub(crate) collide: bool,
}

impl StandIns {
    pub(crate) fn and(self, other: StandIns) -> StandIns {
        StandIns {
            answer: self.answer || other.answer,
            tell_time: self.tell_time || other.tell_time,
            have_options: self.have_options || other.have_options,
            collide: self.collide || other.collide,
        }
    }
}

/// Makes values.
pub(crate) struct Values<'p> {
    pub(crate) program: &'p Program,
    pub(crate) finder: ConstructionFinder<'p>,
    pub(crate) throw_history: ThrowHistory,
    pub(crate) cookbook: Cookbook,
    pub(crate) rng: Rng,
    /// Strings of the class under test, which its own methods may make sense of.
    words: Vec<String>,
    /// Numbers that the class under test compares with.
    numbers: Vec<i32>,
    /// Names of the methods that the class under test calls.
    asked: BTreeSet<String>,
    /// Whether it asks objects for their hash codes.
    pub(crate) asks_for_hashes: bool,
    pub(crate) learnt: Learnt,
    pub(crate) circumstances: Circumstances,
    pub(crate) stand_ins: StandIns,
    /// How often builders and configurations of a class were made, and which options they have.
    built: BTreeMap<ClassId, usize>,
    options: BTreeMap<ClassId, Arc<[options::Setting]>>,
    /// Sizes that objects were given since most indices missed them.
    sized: usize,
}

impl<'p> Values<'p> {
    pub(crate) fn new(program: &'p Program, class: ClassId, seed: u64) -> Values<'p> {
        Values {
            program,
            finder: ConstructionFinder::new(program),
            throw_history: ThrowHistory::default(),
            cookbook: Cookbook::default(),
            rng: Rng::new(seed),
            words: text::words(program, class),
            numbers: numbers::numbers(program, class),
            asked: asked::asked(program, class),
            asks_for_hashes: asked::asks_for_hashes(program, class),
            learnt: Learnt::default(),
            circumstances: Circumstances::default(),
            stand_ins: StandIns::default(),
            built: BTreeMap::new(),
            options: BTreeMap::new(),
            sized: 0,
        }
    }

    /// Whether there is no value for a parameter but `null`.
    pub(crate) fn is_missing(&self, descriptor: &str) -> bool {
        let Ok(FieldType::Object(name)) = FieldType::parse(descriptor) else {
            return false;
        };
        let class = self.program.class_id(name);
        !simple::is_simple(self.program, class)
            && common::of(self.program, class).next().is_none()
            && self.finder.constructions(class).is_err()
    }

    /// A value for a parameter; `None` if there is none but `null`.
    pub(crate) fn value(&mut self, draft: &mut PlanDraft, spot: Spot<'_>, taste: Taste) -> Option<Argument> {
        self.value_at(draft, spot, taste, 0)
    }

    fn value_at(
        &mut self,
        draft: &mut PlanDraft,
        spot: Spot<'_>,
        taste: Taste,
        depth: usize,
    ) -> Option<Argument> {
        let field = FieldType::parse(spot.descriptor).ok()?;
        if let Some(primitive) = Primitive::of(&field) {
            return Some(self.primitive(primitive, spot, taste));
        }
        match field {
            FieldType::Array(element) => Some(self.array(draft, element, spot, taste, depth)),
            FieldType::Object(name) => self.object(draft, name, spot, taste, depth),
            _ => None,
        }
    }

    /// Values for all parameters of a constructor, factory or method; `null` where nothing else is to be had, unless
    /// an object depends on it.
    fn ingredients(
        &mut self,
        draft: &mut PlanDraft,
        construction: &Construction,
        taste: Taste,
        depth: usize,
    ) -> Option<Vec<Argument>> {
        let ranks = ranks(&construction.parameters);
        let kind = self.learnt.kind(&construction.member);
        let generics = generic_parameters(self.program, &construction.member);
        let mut arguments = Vec::new();
        for (at, (descriptor, rank)) in construction.parameters.iter().zip(ranks).enumerate() {
            let spot = Spot {
                descriptor,
                rank,
                makes_object: true,
                receiver: None,
                kind,
                generic: generics.get(at).map_or("", String::as_str),
            };
            arguments.push(self.value_at(draft, spot, taste, depth + 1)?);
        }
        Some(arguments)
    }

    /// Makes an object in the prefix and names its variable.
    pub(crate) fn follow(
        &mut self,
        draft: &mut PlanDraft,
        construction: &Construction,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        if construction.invoke.writes_class() {
            return self.implemented(draft, construction.gives, "", taste, role, depth);
        }
        let receiver = match construction.receiver {
            Some(class) => {
                let made = self.made(draft, class, taste, Role::Ingredient, depth + 1)?;
                // If it is not configured yet.
                let is_platform = self
                    .program
                    .class(class)
                    .is_none_or(raddle_program::Class::is_platform);
                Some(if is_platform {
                    self.configured(draft, class, made, depth)
                } else {
                    made
                })
            }
            None => None,
        };
        self.follow_on(draft, construction, receiver.as_deref(), taste, role, depth)
    }

    /// The same with an object that the construction's call is made on, if it is made on one.
    fn follow_on(
        &mut self,
        draft: &mut PlanDraft,
        construction: &Construction,
        receiver: Option<&str>,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let arguments = self.ingredients(draft, construction, taste, depth)?;
        let made = call(
            construction.invoke,
            construction.member.clone(),
            receiver,
            arguments,
        );
        Some(draft.keep(made, construction.gives, role))
    }

    /// A new object of a class, by its easiest construction or another. If none works, the plan may write a class.
    fn made(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let constructions = self.finder.constructions(class).ok()?;
        if constructions
            .iter()
            .all(|construction| self.throw_history.is_hopeless(&construction.member))
            && let Some(written) = self.implemented(draft, class, "", taste, role, depth)
        {
            return Some(written);
        }
        let construction = self.choose(&constructions, taste)?.clone();
        let made = self.follow(draft, &construction, taste, role, depth)?;
        if role == Role::Ingredient && !construction.invoke.writes_class() {
            return Some(self.adjusted(draft, construction.gives, made, depth));
        }
        Some(made)
    }

    /// One of several constructions, those that failed last.
    pub(crate) fn choose<'r>(
        &mut self,
        constructions: &'r [Construction],
        taste: Taste,
    ) -> Option<&'r Construction> {
        let good: Vec<&Construction> = constructions
            .iter()
            .filter(|construction| !self.throw_history.is_bad(&construction.member))
            .collect();
        match (good.as_slice(), taste) {
            ([], _) => {
                let alive: Vec<&Construction> = constructions
                    .iter()
                    .filter(|construction| !self.throw_history.is_hopeless(&construction.member))
                    .collect();
                self.rng
                    .pick(&alive)
                    .copied()
                    .or_else(|| self.rng.pick(constructions))
            }
            (good, Taste::Plain(shift)) => good.get(shift % good.len().min(PLAIN_RECIPES)).copied(),
            (good, Taste::Drawn) => good.get(self.rng.small(good.len())).copied(),
        }
    }
}

/// For each parameter, how many of the same kind come before it.
pub(crate) fn ranks(parameters: &[String]) -> Vec<usize> {
    let kind = |descriptor: &str| match descriptor {
        "B" | "S" | "I" | "J" => 0,
        "F" | "D" => 1,
        "Z" => 2,
        "C" => 3,
        _ => 4,
    };
    (0..parameters.len())
        .map(|at| {
            parameters[..at]
                .iter()
                .filter(|before| kind(before) == kind(&parameters[at]))
                .count()
        })
        .collect()
}

/// A member by its parts.
fn member(class: &str, name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: class.replace('/', "."),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}
