//! How a client gives two calls the same object (Intruder section 3.1: `setter(x, y)`).
//!
//! Departures from section 3.1: sequences have one or two calls. Two are needed where the container that the object is
//! put into must itself be put into another one. That a setter can be called on an object, and takes the other one, is
//! checked by class.

use std::cell::RefCell;
use std::collections::HashMap;

use super::symbols::{ClassId, FieldId, Location, Names, Start};
use crate::path::{AccessPath, Root};
use crate::setters::Setter;
use crate::trace::{Action, Field, Trace, TypeOrder};

/// How one call comes by an object that it shares with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Where the call finds it.
    pub path: AccessPath,
    /// What puts it there, in the order of the calls; empty if it is a parameter. With two setters, the first one puts
    /// the object into a container, and the second one puts this container into what the call is given.
    pub setters: Vec<Setter>,
}

/// An object that two calls share: how each of them comes by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// The call with the first access.
    pub local: Shared,
    /// The other call.
    pub remote: Shared,
}

/// A setter in numbers.
struct Known<'a> {
    setter: &'a Setter,
    start: Start,
    /// The class that the holder of the target must have, and whether the setter makes that holder.
    holder: Option<String>,
    makes: bool,
    /// The class that the source must have; none if anything goes.
    takes: Option<String>,
}

/// Finds sequences of setters.
pub(crate) struct Sharer<'a> {
    names: &'a Names<'a>,
    types: &'a dyn TypeOrder,
    /// By the fields of their targets.
    setters: HashMap<Vec<FieldId>, Vec<Known<'a>>>,
    related: RefCell<HashMap<(ClassId, ClassId), bool>>,
}

impl<'a> Sharer<'a> {
    pub(crate) fn new(
        names: &'a Names<'a>,
        types: &'a dyn TypeOrder,
        traces: &[Trace],
        setters: &'a [Setter],
    ) -> Self {
        let mut known: HashMap<Vec<FieldId>, Vec<Known>> = HashMap::new();
        for setter in setters {
            let number = |field: &'a Field| names.fields.known(&field);
            let start = match &setter.target.root {
                Root::Parameter(parameter) => Some(Start::Parameter(*parameter)),
                Root::Static(field) => number(field).map(Start::Static),
            };
            // A setter of a field that no access has sets nothing that could be shared.
            let fields: Option<Vec<FieldId>> = setter.target.fields.iter().map(number).collect();
            let (Some(start), Some(fields)) = (start, fields) else {
                continue;
            };
            let parameters = Parameters::of(setter, traces);
            let holder = match start {
                Start::Parameter(number) => parameters.class(number),
                Start::Static(_) => None,
            };
            let takes = match &setter.source {
                AccessPath {
                    root: Root::Parameter(number),
                    fields,
                } if fields.is_empty() => parameters.class(*number),
                _ => setter.class.clone(),
            };
            let makes = setter.is_constructor();
            known.entry(fields).or_default().push(Known {
                setter,
                start,
                holder,
                makes,
                takes,
            });
        }
        Self {
            names,
            types,
            setters: known,
            related: RefCell::default(),
        }
    }

    /// Whether objects of the two classes can be the same in some test; unknown classes can.
    pub(crate) fn related(&self, left: Option<ClassId>, right: Option<ClassId>) -> bool {
        let (Some(left), Some(right)) = (left, right) else {
            return true;
        };
        *self
            .related
            .borrow_mut()
            .entry((left.min(right), left.max(right)))
            .or_insert_with(|| {
                let (left, right) = (self.names.classes.thing(left), self.names.classes.thing(right));
                self.is_a(left, right) || self.is_a(right, left)
            })
    }

    /// The calls that put an object of the client's choice at the part of `location` with `length` fields, such that
    /// the part with `apart` fields stays a different object for each of two calls.
    pub(crate) fn find(
        &self,
        location: &Location,
        length: usize,
        apart: Option<usize>,
    ) -> Option<Vec<&'a Setter>> {
        let parameter = matches!(location.start, Start::Parameter(_));
        if parameter && length == 0 {
            return Some(Vec::new());
        }
        let first = (location.start, location.classes[0]);
        if let Some(one) = self.single(first, &location.fields[..length], location.classes[length]) {
            return Some(vec![one]);
        }
        let longest = apart.unwrap_or(length).min(length.checked_sub(1)?);
        (usize::from(parameter)..=longest).find_map(|middle| {
            let (outer, inner) = location.fields[..length].split_at(middle);
            let container = location.classes[middle];
            let fill = self.single((Start::Parameter(0), container), inner, location.classes[length])?;
            let place = self.single(first, outer, container)?;
            Some(vec![fill, place])
        })
    }

    /// One call that puts an object of class `value` behind `fields` of an object of class `holder`.
    fn single(
        &self,
        (start, holder): (Start, Option<ClassId>),
        fields: &[FieldId],
        value: Option<ClassId>,
    ) -> Option<&'a Setter> {
        let class = |class: ClassId| *self.names.classes.thing(class);
        let found = self.setters.get(fields)?.iter().find(|known| {
            let rooted = match (start, known.start) {
                (Start::Static(left), Start::Static(right)) => left == right,
                (Start::Parameter(_), Start::Parameter(_)) => true,
                _ => false,
            };
            let held = match (holder.map(class), &known.holder) {
                (Some(holder), Some(needed)) if known.makes => self.is_a(needed, holder),
                (Some(holder), Some(needed)) => self.is_a(holder, needed),
                _ => true,
            };
            let taken = match (value.map(class), &known.takes, &known.setter.class) {
                (Some(value), Some(takes), observed) => {
                    let observed = observed
                        .as_ref()
                        .is_some_and(|observed| self.is_a(observed, value));
                    self.is_a(value, takes) || observed
                }
                _ => true,
            };
            rooted && held && taken
        });
        found.map(|known| known.setter)
    }

    fn is_a(&self, from: &str, to: &str) -> bool {
        from == to || to == "java.lang.Object" || self.types.is_a(from, to)
    }
}

/// The declared classes of what a setter is given.
struct Parameters {
    receiver: Option<String>,
    /// Of the arguments; none for arrays and for what is no object.
    arguments: Vec<Option<String>>,
}

impl Parameters {
    fn of(setter: &Setter, traces: &[Trace]) -> Self {
        let arguments = argument_classes(&setter.method.descriptor);
        let step = traces
            .get(setter.trace)
            .and_then(|trace| trace.steps.get(setter.enter));
        let given = match step.map(|step| &step.action) {
            Some(Action::Enter { parameters, .. }) => parameters.len(),
            _ => 0,
        };
        let receiver = (given > arguments.len()).then(|| setter.method.class.clone());
        Self { receiver, arguments }
    }

    /// The declared class of a parameter, 0 for the receiver.
    fn class(&self, parameter: usize) -> Option<String> {
        if self.receiver.is_none() {
            return self.arguments.get(parameter).cloned().flatten();
        }
        match parameter.checked_sub(1) {
            None => self.receiver.clone(),
            Some(argument) => self.arguments.get(argument).cloned().flatten(),
        }
    }
}

/// The classes of the arguments in a descriptor, binary names with dots; none for arrays and primitive types.
fn argument_classes(descriptor: &str) -> Vec<Option<String>> {
    let mut rest = descriptor.strip_prefix('(').unwrap_or(descriptor);
    let mut classes = Vec::new();
    while let Some(first) = rest.chars().next().filter(|&first| first != ')') {
        let element = rest.trim_start_matches('[');
        let array = element.len() < rest.len();
        let length = if element.starts_with('L') {
            element.find(';').unwrap_or(element.len() - 1)
        } else {
            0
        };
        let class = (!array && first == 'L').then(|| element[1..length].replace('/', "."));
        classes.push(class);
        rest = element.get(length + 1..).unwrap_or_default();
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::argument_classes;

    #[test]
    fn descriptors_tell_the_classes_of_arguments() {
        let class = |name: &str| Some(name.to_owned());
        assert_eq!(argument_classes("()V"), []);
        assert_eq!(
            argument_classes("(ILjava/util/Map$Entry;[[J[Ljava/lang/String;DLA;)LB;"),
            [None, class("java.util.Map$Entry"), None, None, None, class("A")]
        );
    }
}
