//! The public methods of the class under test as a plan can call them.

use raddle_classfile::descriptor::MethodType;
use raddle_plan::{Invoke, MemberRef};
use raddle_program::{Class, ClassId, MethodId, Program};
use raddle_summary::{ClassFacts, parameter_names};

use crate::visible::is_visible;

/// A public method that a plan can call.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    /// Its position among the class's public methods.
    pub(crate) index: usize,
    pub(crate) invoke: Invoke,
    pub(crate) member: MemberRef,
    /// Descriptors of the parameters.
    pub(crate) parameters: Vec<String>,
    /// Their names, as facts have them.
    pub(crate) names: Vec<String>,
    /// Descriptor of the result.
    pub(crate) result: Option<String>,
    /// The class with the body.
    pub(crate) declared_in: ClassId,
}

impl Callable {
    pub(crate) fn is_static(&self) -> bool {
        matches!(self.invoke, Invoke::Static | Invoke::InterfaceStatic)
    }

    pub(crate) fn name(&self) -> &str {
        &self.member.name
    }
}

/// A public method that no plan can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Name and parameter types, as in the facts.
    pub signature: String,
    /// Why.
    pub reason: String,
}

/// All public methods of a class, sorted out.
pub(crate) fn sort_out(
    program: &Program,
    class: ClassId,
    facts: &ClassFacts,
) -> (Vec<Callable>, Vec<Skipped>) {
    let mut callable = Vec::new();
    let mut skipped = Vec::new();
    for (index, id) in program.public_methods(class).into_iter().enumerate() {
        let signature = || {
            facts
                .methods
                .get(index)
                .map_or_else(String::new, |method| method.signature.clone())
        };
        match route(program, class, index, id) {
            Ok(one) => callable.push(one),
            Err(reason) => skipped.push(Skipped {
                signature: signature(),
                reason: reason.to_owned(),
            }),
        }
    }
    (callable, skipped)
}

fn route(program: &Program, class: ClassId, index: usize, id: MethodId) -> Result<Callable, &'static str> {
    let unreadable = "its class cannot be read";
    let (owner, method) = program.method(id).ok_or(unreadable)?;
    let name = program.text(method.name);
    let descriptor = program.text(method.descriptor);
    let types = MethodType::parse(descriptor).map_err(|_| "its descriptor cannot be read")?;
    if method.access.is_synthetic() && !method.access.is_bridge() {
        return Err("the compiler made it");
    }
    if name == "finalize" && descriptor == "()V" {
        return Err("the JVM calls it, when nobody else can any more");
    }
    if name == "main" && descriptor == "([Ljava/lang/String;)V" && method.access.is_static() {
        return Err("it is a program of its own");
    }
    let (invoke, through, descriptor) = if is_visible(program, class) {
        let invoke = match (method.access.is_static(), owner.access().is_interface()) {
            (true, true) => Invoke::InterfaceStatic,
            (true, false) => Invoke::Static,
            (false, _) => Invoke::Virtual,
        };
        (invoke, class, descriptor)
    } else if method.access.is_static() {
        return Err("it is static, and its class is not public");
    } else {
        detour(program, class, name, descriptor).ok_or("no public superclass or interface declares it")?
    };
    let result = &descriptor[descriptor.find(')').map_or(0, |at| at + 1)..];
    Ok(Callable {
        index,
        invoke,
        member: MemberRef {
            class: program.name(through),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        },
        parameters: parameters(descriptor),
        names: parameter_names(program, id),
        result: types.result.map(|_| result.to_owned()),
        declared_in: owner.id(),
    })
}

/// A visible type above a hidden class that declares a method with these parameters. Interfaces come first, since
/// hidden classes are mostly seen through them.
pub(crate) fn detour<'p>(
    program: &'p Program,
    class: ClassId,
    name: &str,
    descriptor: &str,
) -> Option<(Invoke, ClassId, &'p str)> {
    let parameters = &descriptor[..=descriptor.find(')')?];
    let declared = |above: &'p Class| -> Option<&'p str> {
        let mut found: Vec<&'p str> = above
            .methods()
            .iter()
            .filter(|method| {
                method.access.is_public() && !method.access.is_static() && program.text(method.name) == name
            })
            .map(|method| program.text(method.descriptor))
            .filter(|found| found.starts_with(parameters))
            .collect();
        // A method with another result type ends in the same body, by way of a bridge.
        found.sort_by_key(|found| *found != descriptor);
        found.first().copied()
    };
    let interfaces = program
        .all_interfaces(class)
        .into_iter()
        .map(|id| (Invoke::Interface, id));
    let classes = program.ancestry(class).map(|above| (Invoke::Virtual, above.id()));
    interfaces
        .chain(classes)
        .filter(|(_, id)| is_visible(program, *id))
        .find_map(|(invoke, id)| Some((invoke, id, declared(program.class(id)?)?)))
}

/// Descriptors of the parameters of a method.
pub(crate) fn parameters(descriptor: &str) -> Vec<String> {
    let mut found = Vec::new();
    let inner = descriptor
        .find(')')
        .and_then(|end| descriptor.get(1..end))
        .unwrap_or_default();
    let mut start = 0;
    let mut in_name = false;
    for (at, c) in inner.char_indices() {
        let ends = match c {
            ';' => true,
            _ if in_name => false,
            'L' => {
                in_name = true;
                false
            }
            '[' => false,
            _ => true,
        };
        if ends {
            in_name = false;
            let end = at + c.len_utf8();
            found.push(inner[start..end].to_owned());
            start = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_fall_into_parameters() {
        assert!(parameters("()V").is_empty());
        assert_eq!(
            parameters("(I[JLjava/lang/String;[[LI;D)Ljava/lang/Object;"),
            ["I", "[J", "Ljava/lang/String;", "[[LI;", "D"]
        );
    }

    #[test]
    fn methods_of_a_hidden_class_are_called_through_what_is_public_above_it() {
        let program = raddle_testkit::program(&[]).unwrap();
        let class = program.class_id("java/util/Collections$SynchronizedMap");
        let (invoke, through, descriptor) = detour(&program, class, "putAll", "(Ljava/util/Map;)V").unwrap();
        assert_eq!(
            (invoke, program.name(through).as_str(), descriptor),
            (Invoke::Interface, "java.util.Map", "(Ljava/util/Map;)V")
        );
        assert!(detour(&program, class, "writeObject", "(Ljava/io/ObjectOutputStream;)V").is_none());
    }
}
