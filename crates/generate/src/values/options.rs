//! Options of builders: an object that is built the way its builder is when new is one of many that its users have.
//!
//! A builder, for this, is what an object is asked of, or what a constructor is given: a configuration is a builder that is not
//! asked. Options are methods that take something and return their own kind or what that inherits from, and setters. Every other
//! object is made with options: all of them with plain values, which are small, or some of them with any.

use std::sync::Arc;

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Invoke, MemberRef};
use raddle_program::ClassId;

use super::{Taste, Values};
use crate::callable::parameters;
use crate::constructions::{Construction, result_class};
use crate::plan_draft::{PlanDraft, Role, call};
use crate::visible::is_visible;

/// Options that are set, at most.
const MOST_OPTIONS: usize = 8;
/// Objects made one for the other down to which there are options.
const DEEPEST: usize = 3;

/// What the builders of one object are like.
enum Options {
    AsTheyAre,
    AllPlain,
    Some,
}

/// A method that sets an option.
pub(super) struct Setting {
    set: Construction,
    /// Whether it returns an object of the same class, which may be another one.
    gives_itself: bool,
    /// Whether it takes anything but numbers, truth values and arrays.
    has_objects: bool,
}

impl Values<'_> {
    /// Sets options of a builder that has just been made, and names the variable of the builder that knows them.
    pub(super) fn configured(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        builder: String,
        depth: usize,
    ) -> String {
        if depth > DEEPEST {
            return builder;
        }
        let options = self.options(class);
        if options.is_empty() {
            return builder;
        }
        let built = self.built.entry(class).or_default();
        *built += 1;
        let (turn, shift) = (*built % 4, *built / 4);
        self.stand_ins.have_options = true;
        let wanted = match (self.circumstances.are_configured, turn) {
            (Some(true), _) | (None, 2) => Options::AllPlain,
            (None, 0) => Options::Some,
            _ => Options::AsTheyAre,
        };
        let mut builder = builder;
        for option in options.iter() {
            let taste = match wanted {
                Options::AsTheyAre => return builder,
                // Numbers stay small; of objects there are several kinds.
                Options::AllPlain if option.has_objects => Taste::Plain(shift),
                Options::AllPlain => Taste::Plain(0),
                Options::Some if self.rng.one_in(2) => continue,
                Options::Some => Taste::Drawn,
            };
            let member = &option.set.member;
            let is_refused = match taste {
                Taste::Drawn => self.throw_history.is_bad(member),
                Taste::Plain(_) => self.throw_history.is_hopeless(member),
            };
            if is_refused {
                continue;
            }
            let Some(arguments) = self.ingredients(draft, &option.set, taste, depth) else {
                continue;
            };
            let set = call(
                option.set.invoke,
                option.set.member.clone(),
                Some(&builder),
                arguments,
            );
            if option.gives_itself {
                builder = draft.keep(set, class, Role::Ingredient);
            } else {
                draft.prefix.push(set);
            }
        }
        builder
    }

    /// The same for an object that a constructor or a factory is given, if it can be configured.
    pub(super) fn adjusted(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        made: String,
        depth: usize,
    ) -> String {
        let is_platform = self
            .program
            .class(class)
            .is_none_or(raddle_program::Class::is_platform);
        if is_platform {
            made
        } else {
            self.configured(draft, class, made, depth)
        }
    }

    /// The options of a class.
    fn options(&mut self, class: ClassId) -> Arc<[Setting]> {
        if let Some(known) = self.options.get(&class) {
            return Arc::clone(known);
        }
        let found: Arc<[Setting]> = self.find_options(class).into();
        self.options.insert(class, Arc::clone(&found));
        found
    }

    fn find_options(&self, class: ClassId) -> Vec<Setting> {
        let program = self.program;
        let Some(of) = program.class(class).filter(|_| is_visible(program, class)) else {
            return Vec::new();
        };
        let invoke = if of.access().is_interface() {
            Invoke::Interface
        } else {
            Invoke::Virtual
        };
        let own = format!("L{};", program.internal_name(class));
        let object = program.object();
        let methods = program.public_methods(class).into_iter();
        let found = methods
            .filter_map(|id| program.method(id))
            .filter(|(owner, method)| {
                owner.id() != object && !method.access.is_static() && !method.access.is_synthetic()
            });
        let mut options: Vec<Setting> = found
            .filter_map(|(_, method)| {
                let descriptor = program.text(method.descriptor).to_owned();
                let name = program.text(method.name);
                let parameters = parameters(&descriptor);
                let result = result_class(program, &descriptor);
                let is_inherited = |result: ClassId| {
                    let above = program.class(result);
                    result != object
                        && above.is_some_and(|above| !above.access().is_interface() && !above.is_platform())
                        && program.is_subtype(class, result) == Some(true)
                };
                let is_setter =
                    descriptor.ends_with(")V") && name.starts_with("set") && parameters.len() == 1;
                let gives_itself = result == Some(class);
                let is_option = gives_itself || is_setter || result.is_some_and(is_inherited);
                // Who is given another of the kind is no configuration of it.
                if !is_option || parameters.is_empty() || parameters.contains(&own) {
                    return None;
                }
                let is_object =
                    |parameter: &String| matches!(FieldType::parse(parameter), Ok(FieldType::Object(_)));
                let member = MemberRef {
                    class: program.name(class),
                    name: name.to_owned(),
                    descriptor,
                };
                Some(Setting {
                    gives_itself,
                    has_objects: parameters.iter().any(is_object),
                    set: Construction {
                        invoke,
                        member,
                        parameters,
                        receiver: Some(class),
                        gives: class,
                        cost: 1,
                    },
                })
            })
            .collect();
        // Numbers and the like decide how the object behaves, and can always be had.
        options.sort_by_key(|option| (option.has_objects, option.set.member.name.clone()));
        options.truncate(MOST_OPTIONS);
        options
    }
}
