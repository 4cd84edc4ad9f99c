//! Which variable of a sequential test an object hangs on.
//!
//! A prediction says that an object is reached from a parameter through fields. If the test itself holds that object in
//! a variable, because it made it and handed it in, sharing the object is sharing the variable: the calls that put it
//! there are part of the test already. Otherwise the nearest owner that is a variable is shared (Omen, Algorithm 3, lines
//! 4 to 8: the owner is tried when the field itself cannot be assigned).

use raddle_predict::{AccessPath, Action, Field, Object, Root};

use super::TracedTest;

/// Where an object hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// A variable of the test, and the fields from there to the object.
    Variable(String, Vec<Field>),
    /// A static field, and the fields from there: the same object whoever asks.
    Static(AccessPath),
}

/// What the object at a path hangs on, in the call that begins at step `enter`, as far as that had come at step `until`.
pub(crate) fn anchor(seed: &TracedTest, enter: usize, until: usize, path: &AccessPath) -> Option<Anchor> {
    let Root::Parameter(number) = path.root else {
        return Some(Anchor::Static(path.clone()));
    };
    let call = seed.call_at(enter);
    let steps = seed.trace.steps.get(enter..=until)?;
    let Action::Enter { parameters, .. } = &steps.first()?.action else {
        return None;
    };
    let mut object = (*parameters.get(number)?)?;
    let mut nearest = (seed.parameter(call, number)?.to_owned(), 0);
    for (depth, field) in path.fields.iter().enumerate() {
        object = steps
            .iter()
            .rev()
            .find_map(|step| found(&step.action, object, field))?;
        if let Some(name) = seed.variables.get(&object) {
            nearest = (name.clone(), depth + 1);
        }
    }
    let (name, depth) = nearest;
    Some(Anchor::Variable(name, path.fields[depth..].to_vec()))
}

/// What an access found in a field of an object.
fn found(action: &Action, object: Object, wanted: &Field) -> Option<Object> {
    match action {
        Action::Read {
            base: Some(base),
            field,
            value,
            ..
        } if *base == object && field == wanted => *value,
        _ => None,
    }
}
