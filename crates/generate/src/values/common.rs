//! Well-known JDK objects for well-known JDK types: collections, streams, functions, dates.
//!
//! Functions are here for a change: a plan mostly writes its own, see `implementation`.

use raddle_plan::{Argument, Invoke, Primitive};
use raddle_program::{ClassId, Program};

use super::well_known::{Given, KNOWN, Known, Step};
use super::{Kind, Spot, Taste, Values, member};
use crate::plan_draft::{PlanDraft, Role, call};

/// Where a number of a step goes.
const NUMBER: Spot<'static> = Spot {
    descriptor: "J",
    rank: 0,
    makes_object: true,
    receiver: None,
    kind: Kind::PLAIN,
    generic: "",
};

/// Ways to an object of a well-known type, the usual one first.
pub(crate) fn of(program: &Program, class: ClassId) -> impl Iterator<Item = &'static Known> {
    let name = program.internal_name(class).to_owned();
    KNOWN
        .iter()
        .filter(move |known| known.wanted.contains(&name.as_str()))
}

impl Values<'_> {
    /// An object of a well-known type, by its variable.
    pub(super) fn common(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        generic: &str,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let ways: Vec<&Known> = of(self.program, class).collect();
        let way = match taste {
            Taste::Plain(_) => ways.first(),
            Taste::Drawn => ways.get(self.rng.small(ways.len())),
        }?;
        let mut last = None;
        for (number, step) in (1..).zip(way.steps) {
            let gives = if step.invoke == Invoke::New {
                self.program.class_id(step.class)
            } else {
                crate::constructions::result_class(self.program, step.descriptor)?
            };
            let made = self.step(step, last.as_deref(), taste);
            let role = [role, Role::Ingredient][usize::from(number < way.steps.len())];
            last = Some(draft.keep(made, gives, role));
        }
        let object = last?;
        let is_empty = taste == Taste::Drawn && self.rng.one_in(3);
        if let Some(fill) = way.fill.as_ref().filter(|_| !is_empty) {
            let filling = self.step(fill, Some(&object), taste);
            let filling = self.of_its_type(draft, filling, generic, taste, depth);
            draft.prefix.extend(filling);
        }
        Some(object)
    }

    fn step(&mut self, step: &Step, last: Option<&str>, taste: Taste) -> raddle_plan::Call {
        let args = step
            .args
            .iter()
            .map(|given| match given {
                Given::Last => last.map_or(Argument::Null, |last| Argument::Var(last.to_owned())),
                Given::Element(rank) => Argument::String(self.string(*rank, Kind::default(), taste)),
                Given::Text(text) => Argument::String((*text).to_owned()),
                Given::Int(value) => Argument::Int(*value),
                Given::Long(value) => Argument::Long(*value),
                Given::Number => self.primitive(Primitive::Long, NUMBER, taste),
                Given::Bytes => Argument::Array {
                    element: "B".to_owned(),
                    of: (1..=8).map(Argument::Byte).collect(),
                },
                Given::NoTexts => Argument::Array {
                    element: "Ljava/lang/String;".to_owned(),
                    of: Vec::new(),
                },
            })
            .collect();
        let on = match step.invoke {
            Invoke::Virtual | Invoke::Interface => last,
            _ => None,
        };
        call(
            step.invoke,
            member(step.class, step.name, step.descriptor),
            on,
            args,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_the_table_exists_and_is_what_it_is_said_to_be() {
        let program = raddle_testkit::program(&[]).unwrap();
        for known in KNOWN {
            for step in known.steps.iter().chain(&known.fill) {
                let class = program.class_id(step.class);
                let found =
                    program.resolve_method(class, program.symbol(step.name), program.symbol(step.descriptor));
                let (owner, method) = found
                    .and_then(|id| program.method(id))
                    .unwrap_or_else(|| panic!("{}.{}{}", step.class, step.name, step.descriptor));
                assert!(method.access.is_public() && crate::visible::is_visible(&program, class));
                let is_static = matches!(step.invoke, Invoke::Static | Invoke::InterfaceStatic);
                assert_eq!(method.access.is_static(), is_static, "{}", step.name);
                let through_interface = matches!(step.invoke, Invoke::Interface | Invoke::InterfaceStatic);
                assert_eq!(owner.access().is_interface(), through_interface, "{}", step.name);
            }
            let last = known.steps.last().unwrap();
            let gives = match last.invoke {
                Invoke::New => program.class_id(last.class),
                _ => crate::constructions::result_class(&program, last.descriptor).unwrap(),
            };
            for wanted in known.wanted {
                let is = program.is_subtype(gives, program.class_id(wanted));
                assert_eq!(is, Some(true), "{} for {wanted}", last.class);
            }
        }
    }
}
