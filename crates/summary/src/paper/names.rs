//! Locations and locks as a person reads them: `this.count`, `this.table[]`, `o.lock`, `Day.FORMAT`, `Day.class`.

use raddle_program::{ClassId, MethodId, Program};

use super::access::Location;
use super::path::{Path, Root, Step};
use crate::place::parameter_names;

/// Names as seen from one method.
pub(super) struct Names<'p> {
    program: &'p Program,
    method: MethodId,
    arguments: Option<Vec<String>>,
}

impl<'p> Names<'p> {
    pub(super) fn new(program: &'p Program, method: MethodId) -> Names<'p> {
        Names {
            program,
            method,
            arguments: None,
        }
    }

    pub(super) fn path(&mut self, path: &Path) -> String {
        let mut text = match path.root {
            Root::This => "this".to_owned(),
            Root::Param(index) => self.argument(index),
            Root::Static(field) => {
                let field = self.program.field(field);
                format!(
                    "{}.{}",
                    simple_name(self.program, field.owner),
                    self.program.text(field.name)
                )
            }
            Root::Class(class) => format!("{}.class", simple_name(self.program, class)),
        };
        for step in path.steps() {
            match step {
                Step::Field(field) => {
                    text.push('.');
                    text.push_str(self.program.text(self.program.field(field).name));
                }
                Step::Element => text.push_str("[]"),
            }
        }
        text
    }

    /// W(p) of a call on a field is printed `this.f.*`; of a call that is handed `this`, `this`.
    pub(super) fn location(&mut self, location: &Location) -> String {
        let mut text = self.path(&location.path);
        if location.state && location.path != Path::new(Root::This) {
            text.push_str(".*");
        }
        text
    }

    fn argument(&mut self, index: u16) -> String {
        let (program, method) = (self.program, self.method);
        let names = self.arguments.get_or_insert_with(|| {
            let mut names = parameter_names(program, method);
            if program
                .method(method)
                .is_some_and(|(_, method)| !method.access.is_static())
            {
                names.insert(0, "this".to_owned());
            }
            names
        });
        names
            .get(usize::from(index))
            .cloned()
            .unwrap_or_else(|| format!("arg{index}"))
    }
}

/// The class name without its package and outer class.
fn simple_name(program: &Program, class: ClassId) -> &str {
    let name = program.internal_name(class);
    name.rsplit(['/', '$']).next().unwrap_or(name)
}
