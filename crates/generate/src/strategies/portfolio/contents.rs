//! How much an object must hold before a call of a method comes to anything.
//!
//! On an empty object `setCharAt` throws whatever is done beside it, and so does everything else that asks for what is there. A
//! test of such a method that begins with less than it asks for is no test, so what one of its pairs has shown holds for all.

use std::collections::BTreeMap;

use crate::Feedback;
use crate::filling::is_about_content;

/// Elements up to which a method may ask for more.
const MOST: usize = 2;

/// What is known of a method.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Demand {
    /// It threw with less than so many elements.
    AtLeast(usize),
    /// It returned with so many.
    Met(usize),
    /// It throws however much there is, so something else is wrong.
    Other,
}

/// What is known of all methods, by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    demands: BTreeMap<usize, Demand>,
}

impl Contents {
    /// Elements that tests of a method begin with at least.
    pub(super) fn least(&self, method: usize) -> usize {
        match self.demands.get(&method) {
            Some(Demand::AtLeast(least) | Demand::Met(least)) => *least,
            Some(Demand::Other) | None => 0,
        }
    }

    /// What the methods of a pair, by call, did with so many elements in their objects; whether they are given more now.
    pub(super) fn hear(
        &mut self,
        sides: [(usize, usize); 2],
        held: usize,
        feedback: &Feedback,
        can_be_filled: &dyn Fn(usize) -> bool,
    ) -> bool {
        let mut wants_more = false;
        for (call, method) in sides {
            match feedback.always_throws.iter().find(|(at, _)| *at == call) {
                None => self.returned(method),
                Some((_, exception)) if can_be_filled(method) => {
                    wants_more |= self.threw(method, held, exception);
                }
                Some(_) => {}
            }
        }
        wants_more
    }

    /// The method returned in some order.
    fn returned(&mut self, method: usize) {
        let least = self.least(method);
        self.demands.insert(method, Demand::Met(least));
    }

    /// The method threw in every order, on an object with so many elements. Whether it will be given more.
    fn threw(&mut self, method: usize, held: usize, exception: &str) -> bool {
        let demand = self.demands.entry(method).or_insert(Demand::AtLeast(0));
        let Demand::AtLeast(least) = *demand else {
            return false;
        };
        if held < least {
            return true;
        }
        let is_more = held < MOST && is_about_content(exception);
        *demand = if is_more {
            Demand::AtLeast(held + 1)
        } else {
            Demand::Other
        };
        is_more
    }

    /// Nothing can be put into the objects of a test of the method.
    pub(super) fn cannot_be_met(&mut self, method: usize) {
        if let Some(Demand::AtLeast(1..)) = self.demands.get(&method) {
            self.demands.insert(method, Demand::Other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISSED: &str = "java.lang.IndexOutOfBoundsException";

    #[test]
    fn a_method_that_throws_on_an_empty_object_begins_with_more_in_it() {
        let mut contents = Contents::default();
        assert!(contents.threw(0, 0, MISSED));
        assert_eq!(contents.least(0), 1);
        contents.returned(0);
        assert!(!contents.threw(0, 1, MISSED));
        assert_eq!((contents.least(0), contents.least(1)), (1, 0));
    }

    #[test]
    fn who_throws_however_much_there_is_gets_no_more() {
        let mut contents = Contents::default();
        assert!(contents.threw(0, 0, MISSED) && contents.threw(0, 1, MISSED));
        assert!(!contents.threw(0, 2, MISSED) && !contents.threw(0, 0, MISSED));
        assert_eq!(contents.least(0), 0);
        assert!(!contents.threw(1, 0, "java.lang.NullPointerException"));
    }

    #[test]
    fn what_returned_on_an_empty_object_is_never_given_more() {
        let mut contents = Contents::default();
        contents.returned(0);
        assert!(!contents.threw(0, 0, MISSED));
        assert_eq!(contents.least(0), 0);
    }
}
