//! Tests of engines that are not known here. The platform of JUnit has an annotation that marks whatever an engine runs.

use raddle_classfile::ClassFile;
use raddle_program::{Class, ClassId, Program};

use crate::annotated::{java_name, methods};
use crate::style::Style;
use crate::{About, Tests};

const TESTABLE: &str = "Lorg/junit/platform/commons/annotation/Testable;";

/// Any other engine of JUnit's platform.
pub(crate) struct OtherEngine;

impl Style for OtherEngine {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        let mut all = Tests::default();
        self.collect(program, class, &mut all);
        !all.is_empty()
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        let is_annotation = |class: &Class| class.access().is_annotation();
        if program.class(class).is_none_or(is_annotation) {
            return;
        }
        let name = program.name(class);
        let mut line = program.ancestry(class);
        if let Some(marked) = line.find(|ancestor| is_testable(program, ancestor.file())) {
            let engine = program.name(marked.id());
            let about = About {
                class: &name,
                method: "all",
                style: "",
            };
            let reason = format!("{engine} is for an engine of JUnit's platform that is not supported");
            all.leave_out(about, reason, false);
            return;
        }
        for declared in methods(program, class) {
            let annotations = declared.method.annotations();
            let mark = annotations.iter().find(|annotation| {
                let annotation = program.class(program.class_id(&java_name(annotation).replace('.', "/")));
                annotation.is_some_and(|annotation| is_testable(program, annotation.file()))
            });
            if let Some(mark) = mark {
                let about = About {
                    class: &name,
                    method: &declared.method.name(),
                    style: "",
                };
                let mark = java_name(mark);
                let reason = format!("@{mark} is for an engine of JUnit's platform that is not supported");
                all.leave_out(about, reason, false);
            }
        }
    }
}

/// Whether a class or an annotation has the mark, or an annotation that has it.
fn is_testable(program: &Program, file: &ClassFile) -> bool {
    file.annotations().iter().any(|annotation| {
        annotation == TESTABLE || {
            let annotation = program.class(program.class_id(&java_name(annotation).replace('.', "/")));
            let marks = annotation.map(|annotation| annotation.file().annotations());
            marks.is_some_and(|marks| marks.iter().any(|mark| mark == TESTABLE))
        }
    })
}
