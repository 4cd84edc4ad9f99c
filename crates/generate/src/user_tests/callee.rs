//! Who is called: a helper of the test's own, a library for tests, or something that a plan can call.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Invoke, MemberRef};
use raddle_program::{ClassId, MethodId, Program, java_name};

use crate::callable::detour;
use crate::visible::{is_visible, top_level};

/// Packages of libraries whose calls say what a test expects and do nothing that it needs.
const TEST_LIBRARIES: [&str; 6] = [
    "org/junit/",
    "junit/framework/",
    "org/assertj/",
    "org/hamcrest/",
    "org/testng/",
    "com/google/common/truth/",
];

/// Whether a class belongs to a library for tests.
pub(super) fn is_test_library(internal: &str) -> bool {
    TEST_LIBRARIES.iter().any(|package| internal.starts_with(package))
}

/// A member in messages: `Cache.put`, `new Cache`.
pub(super) fn shown(class: &str, name: &str) -> String {
    let java = java_name(class);
    let simple = java.rsplit('.').next().unwrap_or(&java);
    if name == "<init>" {
        format!("`new {simple}`")
    } else {
        format!("`{simple}.{name}`")
    }
}

/// A class with tests, and what belongs to it.
#[derive(Copy, Clone)]
pub(super) struct Own<'p> {
    pub(super) program: &'p Program,
    pub(super) class: ClassId,
}

impl Own<'_> {
    /// Whether the test inherits from a class that is its author's.
    pub(super) fn inherits(&self, class: ClassId) -> bool {
        self.program.ancestry(self.class).any(|above| above.id() == class)
            && !is_test_library(self.program.internal_name(class))
            && self
                .program
                .class(class)
                .is_some_and(|class| !class.is_platform())
    }

    /// Whether a class is the test's, one it inherits from, or of the same file.
    pub(super) fn includes(&self, class: ClassId) -> bool {
        let name = |class| top_level(self.program.internal_name(class));
        name(class) == name(self.class) || self.inherits(class)
    }

    /// The method of the test's own that a reference means when the receiver, if there is one, is the test.
    pub(super) fn helper(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let program = self.program;
        let (name, descriptor) = (program.symbol(name), program.symbol(descriptor));
        let resolved = program.resolve_method(program.class_id(class), name, descriptor)?;
        let (_, method) = program.method(resolved)?;
        let is_selected = !method.access.is_static() && !method.access.is_private();
        let found = if is_selected && self.inherits(resolved.class) {
            program.select_method(self.class, name, descriptor)?
        } else {
            resolved
        };
        self.includes(found.class).then_some(found)
    }

    /// Whether a member is declared in a library for tests. Where that is not on the class path, what a class does not
    /// declare is taken to be the library's, if the class extends one of its classes.
    pub(super) fn is_of_test_library(&self, class: &str, name: &str, descriptor: &str) -> bool {
        if is_test_library(class) {
            return true;
        }
        let program = self.program;
        let id = program.class_id(class);
        let resolved = program.resolve_method(id, program.symbol(name), program.symbol(descriptor));
        let declaring = match resolved {
            Some(found) => Some(found.class),
            None => program
                .ancestry(id)
                .last()
                .and_then(raddle_program::Class::super_class),
        };
        declaring.is_some_and(|declaring| is_test_library(program.internal_name(declaring)))
    }

    /// How a plan calls a member, or why it cannot.
    pub(super) fn route(
        &self,
        invoke: Invoke,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<(Invoke, MemberRef), String> {
        let program = self.program;
        let what = shown(class, name);
        if class.starts_with('[') {
            return Err("an array is copied".to_owned());
        }
        let id = program.class_id(class);
        if let Err(error) = program.load(id) {
            return Err(format!("{what} cannot be looked up: {error}"));
        }
        let is_static = matches!(invoke, Invoke::Static | Invoke::InterfaceStatic);
        let method = program
            .resolve_method(id, program.symbol(name), program.symbol(descriptor))
            .filter(|found| invoke != Invoke::New || found.class == id)
            .and_then(|found| program.method(found))
            .filter(|(_, method)| method.access.is_static() == is_static)
            .ok_or_else(|| format!("{what} is not in the class that the test was compiled with"))?;
        if !method.1.access.is_public() {
            return Err(format!("{what} is not public"));
        }
        let types =
            MethodType::parse(descriptor).map_err(|_| format!("the descriptor of {what} cannot be read"))?;
        if let Some(hidden) = types.parameters.iter().find(|one| !self.is_visible_type(one)) {
            return Err(format!("{what} takes {}, which is not public", hidden.java()));
        }
        let member = |class: ClassId, descriptor: &str| MemberRef {
            class: program.name(class),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        };
        if is_visible(program, id) {
            let is_abstract = program
                .class(id)
                .is_some_and(|class| class.access().is_abstract());
            return if invoke == Invoke::New && is_abstract {
                Err(format!("{what} is of an abstract class"))
            } else {
                Ok((invoke, member(id, descriptor)))
            };
        }
        let hidden = || format!("the class of {what} is not public");
        if is_static || invoke == Invoke::New {
            return Err(hidden());
        }
        let (invoke, through, descriptor) = detour(program, id, name, descriptor).ok_or_else(hidden)?;
        Ok((invoke, member(through, descriptor)))
    }

    /// Whether any code may name a type.
    pub(super) fn is_visible_type(&self, field: &FieldType<'_>) -> bool {
        match field {
            FieldType::Object(name) => is_visible(self.program, self.program.class_id(name)),
            FieldType::Array(element) => {
                let innermost = element.trim_start_matches('[');
                FieldType::parse(innermost).is_ok_and(|innermost| match innermost {
                    FieldType::Object(name) => is_visible(self.program, self.program.class_id(name)),
                    _ => true,
                })
            }
            _ => true,
        }
    }
}
