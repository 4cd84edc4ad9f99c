//! Options of builders: an object that is built the way its builder is when new is one of many that its users have.
//!
//! A builder, for this, is what an object is asked of and has methods that return their own kind. Every other object is made with
//! options: all of them with plain values, which are small, or some of them with any.

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

/// What the builders of one object are like.
enum Options {
    AsTheyAre,
    AllPlain,
    Some,
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
        let options = self.options(class);
        if options.is_empty() {
            return builder;
        }
        self.built += 1;
        let wanted = match self.built % 4 {
            1 | 3 => Options::AsTheyAre,
            2 => Options::AllPlain,
            _ => Options::Some,
        };
        let mut builder = builder;
        for option in options {
            let taste = match wanted {
                Options::AsTheyAre => return builder,
                Options::AllPlain => Taste::Plain(0),
                Options::Some if self.rng.one_in(2) => continue,
                Options::Some => Taste::Drawn,
            };
            let Some(arguments) = self.ingredients(draft, &option, taste, depth) else {
                continue;
            };
            let set = call(option.invoke, option.member, Some(&builder), arguments);
            builder = draft.keep(set, class, Role::Ingredient);
        }
        builder
    }

    /// The methods of a builder that take something and return their own kind.
    fn options(&self, class: ClassId) -> Vec<Construction> {
        let program = self.program;
        let Some(of) = program.class(class) else {
            return Vec::new();
        };
        let invoke = if of.access().is_interface() {
            Invoke::Interface
        } else {
            Invoke::Virtual
        };
        let object = program.object();
        let methods = program.public_methods(class).into_iter();
        let found = methods
            .filter_map(|id| program.method(id))
            .filter(|(owner, method)| {
                owner.id() != object && !method.access.is_static() && !method.access.is_synthetic()
            });
        let mut options: Vec<Construction> = found
            .filter_map(|(_, method)| {
                let descriptor = program.text(method.descriptor).to_owned();
                let result = result_class(program, &descriptor)?;
                let is_own = result == class && is_visible(program, class);
                let parameters = parameters(&descriptor);
                let member = MemberRef {
                    class: program.name(class),
                    name: program.text(method.name).to_owned(),
                    descriptor,
                };
                let is_good = is_own && !parameters.is_empty() && !self.throw_history.is_bad(&member);
                is_good.then_some(Construction {
                    invoke,
                    member,
                    parameters,
                    receiver: Some(class),
                    gives: class,
                    cost: 1,
                })
            })
            .collect();
        // Numbers and the like decide how the object behaves, and can always be had.
        options.sort_by_key(|option| {
            let is_plain =
                |parameter: &String| !matches!(FieldType::parse(parameter), Ok(FieldType::Object(_)));
            (
                !option.parameters.iter().all(is_plain),
                option.member.name.clone(),
            )
        });
        options.truncate(MOST_OPTIONS);
        options
    }
}
