//! Variables of the heap, as events tell them apart.

use raddle_plan::Event;

use crate::words;

/// A variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Location<'e> {
    /// An element of an array.
    Element { array: u32, index: i32 },
    /// A field of an object, as `name:descriptor`: one field can be reached under several classes.
    Field { object: u32, member: &'e str },
    /// A static field, as `p.Owner.name:descriptor`.
    Static { field: &'e str },
}

impl<'e> Location<'e> {
    /// The one variable that a read or write is about. None if it is about none, such as an access to a field of null,
    /// or not about one, such as a copy of an array, of which the events do not say how much is copied.
    pub(super) fn of(event: &'e Event) -> Option<Location<'e>> {
        // The field of null and the element that is not there have no value. Whatever has no object and a value is static.
        let is_there = event.value.is_some();
        if let Some(index) = event.index {
            let array = event.object;
            return (is_there && array > 0).then_some(Location::Element { array, index });
        }
        let field = event.target.as_deref()?;
        let (owned, _) = field.split_once(':')?;
        if event.object == 0 {
            return is_there.then_some(Location::Static { field });
        }
        let (class, _) = owned.rsplit_once('.')?;
        Some(Location::Field {
            object: event.object,
            member: field.get(class.len() + 1..)?,
        })
    }
}

/// `Table.size`, `Table.instances`, `array#4[3]`.
pub(super) fn text(event: &Event) -> String {
    if let Some(index) = event.index {
        return format!("{}[{index}]", words::object(event.name.as_deref(), event.object));
    }
    let target = event.target.as_deref().unwrap_or_default();
    let owned = target.split_once(':').map_or(target, |(owned, _)| owned);
    let (class, field) = owned.rsplit_once('.').unwrap_or_default();
    format!("{}.{field}", words::simple(class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::made::access;

    #[test]
    fn a_field_is_the_same_under_every_class_that_has_it() {
        let own = access(1, "read", "size", 10);
        let inherited = Event {
            target: Some("p.SubTable.size:I".to_owned()),
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
            target: Some(format!("p.{class}.size:I")),
            ..access(1, "read", "size", 10)
        };
        assert_ne!(Location::of(&of("Table")), Location::of(&of("List")));
        assert_eq!(
            Location::of(&of("Table")),
            Some(Location::Static {
                field: "p.Table.size:I"
            })
        );
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
            target: Some("java.lang.System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V".to_owned()),
            ..access(1, "read", "size", 10)
        };
        assert_eq!(Location::of(&copy), None);
    }
}
