//! Methods with annotations, along the line of superclasses.

use std::collections::BTreeSet;

use raddle_classfile::{Annotation, MethodView};
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

    /// The annotation with its values.
    pub(crate) fn annotation(&self, annotation: &str) -> Option<Annotation> {
        let mut all = self.method.annotation_values().into_iter();
        all.find(|found| found.descriptor == annotation)
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

/// The methods of a class, its superclasses and their interfaces, the topmost class first and interfaces before the class that
/// implements them, without those that another one overrides.
pub(crate) fn methods(program: &Program, class: ClassId) -> Vec<Declared<'_>> {
    let mut line: Vec<&Class> = program
        .ancestry(class)
        .filter(|ancestor| !ancestor.is_platform())
        .collect();
    line.reverse();
    let mut seen = BTreeSet::new();
    let mut with_interfaces = Vec::new();
    for class in line {
        let first = with_interfaces.len();
        let mut next: Vec<ClassId> = class.interfaces().to_vec();
        while let Some(interface) = next.pop() {
            if seen.insert(interface)
                && let Some(interface) = program.class(interface).filter(|class| !class.is_platform())
            {
                with_interfaces.insert(first, interface);
                next.extend(interface.interfaces());
            }
        }
        with_interfaces.push(class);
    }
    let mut all: Vec<Declared<'_>> = Vec::new();
    for class in with_interfaces {
        for method in class.file().methods() {
            if class.access().is_interface() && method.access().is_abstract() {
                continue;
            }
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

/// The classes that are declared inside of another one, in the order of the class file, those inside of them included.
pub(crate) fn nested_in(program: &Program, class: ClassId) -> Vec<ClassId> {
    let mut all = Vec::new();
    let mut next = vec![class];
    while let Some(outer) = next.pop() {
        let Some(outer) = program.class(outer) else {
            continue;
        };
        let file = outer.file();
        let name = file.name();
        let inner = file.inner_classes().into_iter();
        let direct: Vec<ClassId> = inner
            .filter(|inner| inner.outer.as_deref() == Some(&*name))
            .map(|inner| program.class_id(&inner.inner))
            .filter(|inner| !all.contains(inner) && *inner != class)
            .collect();
        all.extend(&direct);
        next.extend(direct.into_iter().rev());
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

/// Classes that are values of an annotation of a class or of one above it, by Java names; also where it stands on another
/// annotation that they have.
pub(crate) fn class_values(program: &Program, class: ClassId, annotation: &str) -> Vec<String> {
    let mut all = Vec::new();
    for ancestor in program.ancestry(class) {
        let file = ancestor.file();
        let own = file.annotations();
        let others = own.iter().filter_map(|descriptor| {
            let name = java_name(descriptor).replace('.', "/");
            program.class(program.class_id(&name))
        });
        for file in std::iter::once(file).chain(others.map(Class::file)) {
            let values = file.annotation_classes().into_iter();
            let values = values.filter(|(of, _)| of == annotation);
            all.extend(values.map(|(_, class)| java_name(&class)));
        }
    }
    all
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
