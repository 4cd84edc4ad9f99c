//! Variables of the heap, as events tell them apart.

use raddle_plan::{Accessed, Event, FieldRef};

use crate::words;

/// A variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location<'e> {
    /// An element of an array.
    Element { array: u32, index: i32 },
    /// A field of an object, without its owner: one field can be reached under several classes.
    Field {
        object: u32,
        name: &'e str,
        descriptor: &'e str,
    },
    /// A static field.
    Static { field: &'e FieldRef },
}

impl<'e> Location<'e> {
    /// The one variable that a read or write is about. None if it is about none, such as an access to a field of null,
    /// or not about one, such as a copy of an array, of which the events do not say how much is copied.
    pub(crate) fn of(event: &'e Event) -> Option<Location<'e>> {
        // The field of null and the element that is not there have no value. Whatever has no object and a value is static.
        let is_there = event.value.is_some();
        let object = event.object;
        match event.accessed()? {
            Accessed::Element(index) => {
                (is_there && object > 0).then_some(Location::Element { array: object, index })
            }
            Accessed::Field(field) if object == 0 => is_there.then_some(Location::Static { field }),
            Accessed::Field(field) => Some(Location::Field {
                object,
                name: &field.name,
                descriptor: &field.descriptor,
            }),
            Accessed::Any => None,
        }
    }
}

/// `Table.size`, `Table.instances`, `array#4[3]`.
pub(super) fn text(event: &Event) -> String {
    if let Some(index) = event.index {
        return format!("{}[{index}]", words::object(event.name.as_deref(), event.object));
    }
    event
        .field()
        .map(|field| words::field(&field.owner, &field.name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::made::access;
    use raddle_plan::Target;

    #[test]
    fn a_field_is_the_same_under_every_class_that_has_it() {
        let own = access(1, "read", "size", 10);
        let inherited = Event {
            target: Some(Target::field("p.SubTable", "size", "I")),
            ..own.clone()
        };
        let another = access(1, "read", "count", 10);
        assert_eq!(Location::of(&own), Location::of(&inherited));
        assert_ne!(Location::of(&own), Location::of(&another));
        assert_eq!(
            (text(&own), text(&inherited)),
            ("Table.size".to_owned(), "SubTable.size".to_owned())
        );
    }

    #[test]
    fn static_fields_belong_to_their_class() {
        let of = |class: &str| Event {
            object: 0,
            name: None,
            target: Some(Target::field(&format!("p.{class}"), "size", "I")),
            ..access(1, "read", "size", 10)
        };
        assert_ne!(Location::of(&of("Table")), Location::of(&of("List")));
        assert!(matches!(
            Location::of(&of("Table")),
            Some(Location::Static { field }) if &*field.owner == "p.Table"
        ));
    }

    #[test]
    fn what_is_read_of_null_is_no_variable() {
        let of_null = Event {
            object: 0,
            value: None,
            ..access(1, "read", "size", 10)
        };
        assert_eq!(Location::of(&of_null), None);
    }

    #[test]
    fn elements_are_told_apart_by_array_and_index() {
        let element = |array: u32, index: i32| Event {
            object: array,
            name: Some("[Ljava.lang.Object;".to_owned()),
            target: None,
            index: Some(index),
            ..access(1, "read", "size", 10)
        };
        let (one, other) = (element(4, 3), element(4, 2));
        assert_ne!(Location::of(&one), Location::of(&other));
        assert_ne!(Location::of(&one), Location::of(&element(5, 3)));
        assert_eq!(text(&one), "array#4[3]");
        let beyond = Event { value: None, ..one };
        assert_eq!(Location::of(&beyond), None);
    }

    #[test]
    fn a_copy_of_an_array_is_about_no_single_variable() {
        let copy = Event {
            target: Some(Target::method(
                "java.lang.System",
                "arraycopy",
                "(Ljava/lang/Object;ILjava/lang/Object;II)V",
            )),
            ..access(1, "read", "size", 10)
        };
        assert_eq!(Location::of(&copy), None);
    }
}
