//! Type arguments: that a `Supplier<Map<String, String>>` gives maps is in the signatures of class files alone.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use raddle_plan::MemberRef;
use raddle_program::{Class, ClassId, Program};

/// The types of a member's parameters with their arguments; none if class files do not say.
pub(crate) fn generic_parameters(program: &Program, member: &MemberRef) -> Vec<String> {
    let class = program.class_id(&member.internal_class());
    let name = program.symbol(&member.name);
    let descriptor = program.symbol(&member.descriptor);
    let found = if member.name == "<init>" {
        program
            .class(class)
            .and_then(|class| signature_of(program, class, member))
    } else {
        let owner = program.resolve_method(class, name, descriptor);
        let owner = owner.and_then(|id| program.method(id)).map(|(owner, _)| owner);
        owner.and_then(|owner| signature_of(program, owner, member))
    };
    let Some(signature) = found else {
        return Vec::new();
    };
    let Some((_, rest)) = signature.split_once('(') else {
        return Vec::new();
    };
    let types = types(rest);
    // Constructors of inner classes have parameters that signatures do not speak of.
    let expected = crate::callable::parameters(&member.descriptor).len();
    if types.len() == expected {
        types
    } else {
        Vec::new()
    }
}

/// The type of a member's result with its arguments; none if class files do not say.
pub(crate) fn generic_result(program: &Program, member: &MemberRef) -> Option<String> {
    let class = program.class_id(&member.internal_class());
    let (name, descriptor) = (program.symbol(&member.name), program.symbol(&member.descriptor));
    let (owner, _) = program.method(program.resolve_method(class, name, descriptor)?)?;
    let signature = signature_of(program, owner, member)?;
    let (_, result) = signature.split_once(')')?;
    types(result).into_iter().next()
}

/// How to get at what an object holds that is of this type, as an `Optional<Lease>` holds a lease: the method that has nothing
/// but the first type variable for a result, and the class that stands for it here.
pub(crate) fn content(program: &Program, generic: &str) -> Option<(MemberRef, ClassId)> {
    let class = program.class(program.class_id(&erased(generic)?))?;
    let given = arguments(generic).into_iter().next()?;
    let signature = class.file().signature()?;
    let variable = variables(&signature).into_iter().next()?;
    let wanted = format!("()T{variable};");
    let gives_it = class.methods().iter().zip(class.file().methods());
    let names = gives_it
        .filter(|(method, view)| {
            method.access.is_public()
                && !method.access.is_static()
                && view.signature().is_some_and(|signature| signature == wanted)
                && program.text(method.descriptor) == "()Ljava/lang/Object;"
        })
        .map(|(method, _)| program.text(method.name));
    let name = names.min_by_key(|name| (*name != "get", *name))?;
    let member = MemberRef {
        class: program.name(class.id()),
        name: name.to_owned(),
        descriptor: "()Ljava/lang/Object;".to_owned(),
    };
    Some((member, program.class_id(&erased(&given)?)))
}

fn signature_of(program: &Program, owner: &Class, member: &MemberRef) -> Option<String> {
    let at = owner.methods().iter().position(|method| {
        program.text(method.name) == member.name && program.text(method.descriptor) == member.descriptor
    })?;
    let view = owner.file().methods().nth(at)?;
    view.signature().map(std::borrow::Cow::into_owned)
}

/// Type signatures one after the other, up to the first character that begins none.
fn types(text: &str) -> Vec<String> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some(length) = length(rest) {
        found.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    found
}

/// The length of the first type signature (Java Virtual Machine Specification, section 4.7.9.1).
fn length(text: &str) -> Option<usize> {
    match text.as_bytes().first()? {
        b'[' | b'+' | b'-' => length(&text[1..]).map(|rest| rest + 1),
        b'T' => text.find(';').map(|end| end + 1),
        b'L' => {
            let mut depth = 0_usize;
            for (at, character) in text.char_indices() {
                match character {
                    '<' => depth += 1,
                    '>' => depth = depth.checked_sub(1)?,
                    ';' if depth == 0 => return Some(at + 1),
                    _ => {}
                }
            }
            None
        }
        b'*' | b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(1),
        _ => None,
    }
}

/// The type arguments in a use of a type, as signatures without wildcards.
pub(super) fn arguments(generic: &str) -> Vec<String> {
    let arguments = generic.split_once('<').map(|(_, rest)| types(rest));
    let bare = |argument: String| argument.trim_start_matches(['+', '-']).to_owned();
    arguments.unwrap_or_default().into_iter().map(bare).collect()
}

/// What the variables of a type stand for in a use of it.
pub(super) fn bindings(class: &Class, generic: &str) -> BTreeMap<String, String> {
    let Some(signature) = class.file().signature() else {
        return BTreeMap::new();
    };
    variables(&signature)
        .into_iter()
        .zip(arguments(generic))
        .collect()
}

/// What the variables of every type above a class stand for, in terms of the variables of the class itself: that a
/// `Delayed` is compared with `Delayed` is said where it extends `Comparable`.
pub(super) fn inherited_bindings(
    program: &Program,
    class: &Class,
) -> BTreeMap<ClassId, BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(class.id(), BTreeMap::new())];
    while let Some((id, own)) = waiting.pop() {
        let Some(loaded) = program.class(id) else {
            continue;
        };
        let signature = loaded.file().signature().unwrap_or_default();
        for above in types(supertypes(&signature)) {
            let Some(above_id) = erased(&above).map(|name| program.class_id(&name)) else {
                continue;
            };
            let Some(above_class) = program.class(above_id) else {
                continue;
            };
            let mut of_above = bindings(above_class, &above);
            if id != class.id() {
                of_above.retain(|_, argument| match variable(argument) {
                    Some(name) => own.get(name).cloned().is_some_and(|bound: String| {
                        *argument = bound;
                        true
                    }),
                    None => true,
                });
            }
            if let Entry::Vacant(vacant) = found.entry(above_id) {
                vacant.insert(of_above.clone());
                waiting.push((above_id, of_above));
            }
        }
    }
    found
}

/// What follows the type parameters in the signature of a class.
fn supertypes(signature: &str) -> &str {
    let mut depth = 0_usize;
    if !signature.starts_with('<') {
        return signature;
    }
    for (at, character) in signature.char_indices() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &signature[at + 1..];
        }
    }
    ""
}

/// The name of the type variable that a signature is.
pub(super) fn variable(signature: &str) -> Option<&str> {
    signature.strip_prefix('T')?.strip_suffix(';')
}

/// The type variables that the parameters of a method are, and its result: none for what is no variable.
pub(super) fn variables_of(signature: &str) -> (Vec<Option<String>>, Option<String>) {
    let variable = |text: &str| variable(text).map(str::to_owned);
    let Some((parameters, result)) = signature
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
    else {
        return (Vec::new(), None);
    };
    let result = result.split('^').next().unwrap_or(result);
    (
        types(parameters).iter().map(|one| variable(one)).collect(),
        variable(result),
    )
}

/// The class that a type signature names; none for variables, wildcards, arrays and primitives.
pub(super) fn erased(signature: &str) -> Option<String> {
    let name = signature.strip_prefix('L')?;
    let end = name.find(['<', ';'])?;
    Some(name[..end].to_owned())
}

/// Names of the type parameters of a class: `K` and `V` of `<K:Ljava/lang/Object;V:Ljava/lang/Object;>…`.
fn variables(signature: &str) -> Vec<String> {
    let mut names = Vec::new();
    let Some(mut rest) = signature.strip_prefix('<') else {
        return names;
    };
    while let Some((name, bounds)) = rest.split_once(':') {
        if name.starts_with('>') {
            break;
        }
        names.push(name.to_owned());
        rest = bounds;
        loop {
            if let Some(bound) = length(rest) {
                rest = &rest[bound..];
            }
            match rest.strip_prefix(':') {
                Some(more) => rest = more,
                None => break,
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_taken_apart() {
        assert_eq!(
            types("ILjava/util/Map<TK;[J>;[TV;*)V"),
            ["I", "Ljava/util/Map<TK;[J>;", "[TV;", "*"]
        );
        assert_eq!(
            variables("<K::Ljava/lang/Comparable<TK;>;V:Ljava/lang/Object;>Ljava/lang/Object;"),
            ["K", "V"]
        );
        assert_eq!(erased("Ljava/util/List<TV;>;").unwrap(), "java/util/List");
        assert_eq!(erased("TV;"), None);
        assert_eq!(
            supertypes("<T:Ljava/lang/Object;>Ljava/lang/Object;Ljava/lang/Comparable<TT;>;"),
            "Ljava/lang/Object;Ljava/lang/Comparable<TT;>;"
        );
        assert_eq!(supertypes("Ljava/lang/Object;"), "Ljava/lang/Object;");
    }
}
