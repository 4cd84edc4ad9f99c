//! What fills the objects under test, and how much of it a call asks for.

use raddle_classfile::Insn;
use raddle_plan::MemberRef;

use crate::callable::{self, Callable};
use crate::fact_queries;
use crate::plan_builder::PlanBuilder;

/// What [`fact_queries::growth`] says of names that fill an object, at the most.
const FILLING: u32 = 2;
/// Two are enough to tell that one is not.
const MOST_NAMES: usize = 2;
/// Types of parameters that name nothing.
const NO_NAMES: [&str; 3] = ["Z", "F", "D"];

impl PlanBuilder<'_> {
    /// How much a method looks as if it filled an object by what it calls itself: `save` that puts into a map does.
    pub(crate) fn growth_of_body(&self, one: &Callable) -> u32 {
        let program = self.program();
        let class = program.class_id(&one.member.internal_class());
        let (name, descriptor) = (
            program.symbol(&one.member.name),
            program.symbol(&one.member.descriptor),
        );
        let found = program.select_method(class, name, descriptor);
        let Some((owner, _)) = found.and_then(|id| program.method(id)) else {
            return u32::MAX;
        };
        let pool = owner.file().pool();
        let mut methods = owner.file().methods();
        let view =
            methods.find(|view| view.name() == one.member.name && view.descriptor() == one.member.descriptor);
        let Some(code) = view.and_then(|view| view.code().ok().flatten()) else {
            return u32::MAX;
        };
        let fills = code.instructions().map_while(Result::ok).any(|(_, insn)| {
            let (Insn::InvokeVirtual(at) | Insn::InvokeInterface(at)) = insn else {
                return false;
            };
            pool.member_ref(at).is_ok_and(|called| {
                let of = program.class(program.class_id(&called.class));
                // Texts are put together everywhere.
                called.name != "append"
                    && fact_queries::growth(&called.name) <= FILLING
                    && of.is_some_and(raddle_program::Class::is_platform)
            })
        });
        if fills { FILLING + 1 } else { u32::MAX }
    }

    /// The same of a method by its index.
    pub(crate) fn can_be_filled_beside(&self, index: usize) -> bool {
        self.callable(index)
            .is_some_and(|one| self.fills_objects(&one.member))
    }

    /// Whether another method than this one can put something into the objects under test.
    pub(crate) fn fills_objects(&self, member: &MemberRef) -> bool {
        self.callables().iter().any(|one| {
            let is_other = one.member != *member && !one.is_static() && !one.parameters.is_empty();
            is_other && self.touches(one.index).writes_anything()
        })
    }
}

/// Whether an exception may mean that something is not there: it is none by which the platform says what is wrong with a value.
pub(crate) fn is_about_content(exception: &str) -> bool {
    let is_of_value = [
        "NullPointerException",
        "ClassCastException",
        "NumberFormatException",
        "ArithmeticException",
    ];
    !exception.ends_with("Error") && !is_of_value.iter().any(|end| exception.ends_with(end))
}

/// How many things a member is given the names of, at most: parameters of one type, which may be names or numbers.
pub(crate) fn names(member: &MemberRef) -> usize {
    let parameters = callable::parameters(&member.descriptor);
    let is_name = |one: &&String| !one.starts_with('[') && !NO_NAMES.contains(&one.as_str());
    let of_type = |one: &String| parameters.iter().filter(|parameter| *parameter == one).count();
    let most = parameters.iter().filter(is_name).map(of_type).max();
    most.unwrap_or(0).min(MOST_NAMES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_asks_for_as_many_things_as_it_is_given_names_of_one_type() {
        let of = |descriptor: &str| {
            names(&MemberRef {
                class: "A".to_owned(),
                name: "m".to_owned(),
                descriptor: descriptor.to_owned(),
            })
        };
        assert_eq!(of("(Ljava/lang/String;Ljava/lang/String;J)Z"), 2);
        assert_eq!(of("(III)V"), 2);
        assert_eq!(of("(Ljava/lang/String;J)V"), 1);
        assert_eq!(of("(ZZ[I[I)V"), 0);
        assert!(is_about_content("java.lang.IllegalArgumentException"));
        assert!(!is_about_content("java.lang.NullPointerException"));
    }
}
