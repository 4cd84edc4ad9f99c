//! Methods with annotations, along the line of superclasses.

use raddle_classfile::MethodView;
use raddle_program::{Class, ClassId, Program};

/// A method as it is declared.
pub(crate) struct Declared<'p> {
    pub(crate) class: &'p Class,
    pub(crate) method: MethodView<'p>,
}

impl Declared<'_> {
    pub(crate) fn has(&self, annotation: &str) -> bool {
        let annotations = self.method.annotations();
        annotations.iter().any(|descriptor| descriptor == annotation)
    }

    /// Classes that are values of an annotation, by Java names.
    pub(crate) fn classes_in(&self, annotation: &str) -> Vec<String> {
        let values = self.method.annotation_classes().into_iter();
        values
            .filter(|(of, _)| of == annotation)
            .map(|(_, class)| java_name(&class))
            .collect()
    }
}

/// `java.util.Map$Entry` of `Ljava/util/Map$Entry;`.
pub(crate) fn java_name(descriptor: &str) -> String {
    let name = descriptor.trim_start_matches('L').trim_end_matches(';');
    name.replace('/', ".")
}

/// The methods of a class and its superclasses, the topmost class first, without those that another one overrides.
pub(crate) fn methods(program: &Program, class: ClassId) -> Vec<Declared<'_>> {
    let mut line: Vec<&Class> = program
        .ancestry(class)
        .filter(|ancestor| !ancestor.is_platform())
        .collect();
    line.reverse();
    let mut all: Vec<Declared<'_>> = Vec::new();
    for class in line {
        for method in class.file().methods() {
            let is_overridden = |other: &Declared<'_>| {
                let access = other.method.access();
                !access.is_static()
                    && !access.is_private()
                    && other.method.name() == method.name()
                    && other.method.descriptor() == method.descriptor()
            };
            if !method.name().starts_with('<') {
                all.retain(|other| !is_overridden(other));
            }
            all.push(Declared { class, method });
        }
    }
    all
}

/// Whether a class, or one above it, has an annotation.
pub(crate) fn class_has(program: &Program, class: ClassId, annotation: &str) -> bool {
    let mut line = program.ancestry(class);
    line.any(|ancestor| {
        let annotations = ancestor.file().annotations();
        annotations.iter().any(|descriptor| descriptor == annotation)
    })
}

/// Classes that are values of an annotation of a class or of one above it, by Java names.
pub(crate) fn class_values(program: &Program, class: ClassId, annotation: &str) -> Vec<String> {
    let line = program.ancestry(class);
    line.flat_map(|ancestor| ancestor.file().annotation_classes())
        .filter(|(of, _)| of == annotation)
        .map(|(_, class)| java_name(&class))
        .collect()
}

/// The first field with one of these annotations, in the class or above.
pub(crate) fn field_with(program: &Program, class: ClassId, annotations: &[&str]) -> Option<String> {
    program.ancestry(class).find_map(|ancestor| {
        let file = ancestor.file();
        let mut fields = file.fields();
        let found = fields.find(|field| {
            let has = field.annotations();
            has.iter().any(|descriptor| annotations.contains(&&**descriptor))
        });
        found.map(|field| field.name().into_owned())
    })
}
