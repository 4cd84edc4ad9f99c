//! Arguments: one file per kind of value.
//!
//! A value is a literal, or a variable of the prefix that holds an object made for it. With [`Taste::Plain`] the same
//! question has the same answer, and objects are shared between calls; with [`Taste::Drawn`] choices are random.

mod array;
mod asked;
pub(crate) mod common;
mod generic;
pub(crate) mod implementation;
mod learnt;
mod numbers;
mod object;
mod primitive;
pub(crate) mod simple;
mod text;

pub(crate) use generic::generic_parameters;
pub(crate) use learnt::{Kind, Learnt};

use std::collections::BTreeSet;

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Argument, MemberRef, Primitive};
use raddle_program::{ClassId, Program};

use crate::draft::{Draft, Role, call};
use crate::memory::Memory;
use crate::recipe::{Cookbook, Recipe};
use crate::rng::Rng;

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

/// Makes values.
pub(crate) struct Values<'p> {
    pub(crate) program: &'p Program,
    pub(crate) cookbook: Cookbook<'p>,
    pub(crate) memory: Memory,
    pub(crate) rng: Rng,
    /// Strings of the class under test, which its own methods may make sense of.
    words: Vec<String>,
    /// Numbers that the class under test compares with.
    numbers: Vec<i32>,
    /// Names of the methods that the class under test calls.
    asked: BTreeSet<String>,
    pub(crate) learnt: Learnt,
}

impl<'p> Values<'p> {
    pub(crate) fn new(program: &'p Program, class: ClassId, seed: u64) -> Values<'p> {
        Values {
            program,
            cookbook: Cookbook::new(program),
            memory: Memory::default(),
            rng: Rng::new(seed),
            words: text::words(program, class),
            numbers: numbers::numbers(program, class),
            asked: asked::asked(program, class),
            learnt: Learnt::default(),
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
            && self.cookbook.recipes(class).is_err()
    }

    /// A value for a parameter; `None` if there is none but `null`.
    pub(crate) fn value(&mut self, draft: &mut Draft, spot: Spot<'_>, taste: Taste) -> Option<Argument> {
        self.value_at(draft, spot, taste, 0)
    }

    fn value_at(
        &mut self,
        draft: &mut Draft,
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
        draft: &mut Draft,
        recipe: &Recipe,
        taste: Taste,
        depth: usize,
    ) -> Option<Vec<Argument>> {
        let ranks = ranks(&recipe.parameters);
        let kind = self.learnt.kind(&recipe.member);
        let generics = generic_parameters(self.program, &recipe.member);
        let mut arguments = Vec::new();
        for (at, (descriptor, rank)) in recipe.parameters.iter().zip(ranks).enumerate() {
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
        draft: &mut Draft,
        recipe: &Recipe,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        if recipe.invoke.writes_class() {
            return self.implemented(draft, recipe.gives, "", taste, role, depth);
        }
        let receiver = match recipe.receiver {
            Some(class) => Some(self.made(draft, class, taste, Role::Ingredient, depth + 1)?),
            None => None,
        };
        self.follow_on(draft, recipe, receiver.as_deref(), taste, role, depth)
    }

    /// The same with an object that the recipe's call is made on, if it is made on one.
    fn follow_on(
        &mut self,
        draft: &mut Draft,
        recipe: &Recipe,
        receiver: Option<&str>,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let arguments = self.ingredients(draft, recipe, taste, depth)?;
        let made = call(recipe.invoke, recipe.member.clone(), receiver, arguments);
        Some(draft.keep(made, recipe.gives, role))
    }

    /// A new object of a class, by its easiest recipe or another. If none works, the plan may write a class.
    fn made(
        &mut self,
        draft: &mut Draft,
        class: ClassId,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let recipes = self.cookbook.recipes(class).ok()?;
        if recipes
            .iter()
            .all(|recipe| self.memory.is_hopeless(&recipe.member))
            && let Some(written) = self.implemented(draft, class, "", taste, role, depth)
        {
            return Some(written);
        }
        let recipe = self.choose(&recipes, taste)?.clone();
        self.follow(draft, &recipe, taste, role, depth)
    }

    /// One of several recipes, those that failed last.
    pub(crate) fn choose<'r>(&mut self, recipes: &'r [Recipe], taste: Taste) -> Option<&'r Recipe> {
        let good: Vec<&Recipe> = recipes
            .iter()
            .filter(|recipe| !self.memory.is_bad(&recipe.member))
            .collect();
        match (good.as_slice(), taste) {
            ([], _) => {
                let alive: Vec<&Recipe> = recipes
                    .iter()
                    .filter(|recipe| !self.memory.is_hopeless(&recipe.member))
                    .collect();
                self.rng.pick(&alive).copied().or_else(|| self.rng.pick(recipes))
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
