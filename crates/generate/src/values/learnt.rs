//! What was learnt about the values that members take. A member that throws is given values of another kind before it is
//! given up: which one, the exception says.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_plan::MemberRef;
use raddle_program::ClassId;

use super::{primitive, text};

/// The kinds of values that a member is given.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Which family of strings.
    pub(super) text: usize,
    /// Which family of whole numbers.
    pub(super) number: usize,
    /// Whether a parameter that takes anything is given whole numbers: strings were of the wrong class.
    is_boxed: bool,
    /// Whether null was refused.
    pub(super) refuses_null: bool,
    /// In which other way objects are made; 0 is the usual one.
    pub(super) way: usize,
    /// A string that the class which has the member knows, in place of a family.
    word: Option<Word>,
    /// What a parameter that takes anything is to be an object of.
    pub(super) wanted: Option<ClassId>,
}

/// One of the strings in [`Learnt::words`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Word {
    list: usize,
    at: usize,
}

impl Kind {
    /// Nothing was learnt.
    pub(super) const PLAIN: Kind = Kind {
        text: 0,
        number: 0,
        is_boxed: false,
        refuses_null: false,
        way: 0,
        word: None,
        wanted: None,
    };

    /// Whether a parameter that takes anything, as it says, is to be given an object of the class under test: strings were
    /// refused.
    pub(crate) fn is_own_kind(self) -> bool {
        self.text == 1 && !self.is_boxed
    }

    /// Whether a parameter that takes anything is given whole numbers.
    pub(super) fn is_boxed(self) -> bool {
        self.is_boxed
    }

    /// Whether numbers are those that a call is given first, which need not be indices of anything.
    pub(crate) fn has_plain_numbers(self) -> bool {
        self.number == 0
    }
}

/// What was learnt about all members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learnt {
    kinds: BTreeMap<MemberRef, Known>,
    /// Whether elements are compared with each other: strings and numbers must not be mixed.
    is_ordered: bool,
    /// How often an index was out of range.
    missed: u32,
    /// The strings that classes know whose members threw.
    words: Vec<Arc<[String]>>,
}

/// What is known of one member.
#[derive(Copy, Clone, Debug, Default)]
struct Known {
    kind: Kind,
    /// It did not throw.
    is_right: bool,
    /// How often all kinds were tried in vain.
    rounds: u32,
    /// The family of strings that an exception has asked for last, which came before its turn.
    asked_for: Option<usize>,
    /// Other ways to make objects were tried, and strings that the class knows.
    has_tried_ways: bool,
    has_tried_words: bool,
}

/// All kinds are tried so often: the first time, the object may have been at fault.
const ROUNDS: u32 = 2;

/// Ways to make objects that are tried with one member.
const WAYS: usize = 3;

/// From so many on, indices that miss are no accident.
const MANY_MISSED: u32 = 4;

/// How the names of exceptions end that are about an index.
const OUT_OF_RANGE: &str = "IndexOutOfBoundsException";
const WRONG_CLASS: &str = "java.lang.ClassCastException";
const NULL: &str = "java.lang.NullPointerException";

impl Learnt {
    pub(crate) fn kind(&self, member: &MemberRef) -> Kind {
        self.kinds.get(member).map(|known| known.kind).unwrap_or_default()
    }

    /// Whether values that may be anything must be of one class.
    pub(super) fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// Whether objects are so small that most indices miss them.
    pub(super) fn wants_room(&self) -> bool {
        self.missed >= MANY_MISSED
    }

    /// The member did not throw, so its values are right.
    pub(crate) fn worked(&mut self, member: &MemberRef) {
        if member.descriptor.starts_with("()") {
            return;
        }
        self.kinds.entry(member.clone()).or_default().is_right = true;
    }

    /// The string that a member of such a kind is given, if it is one that its class knows.
    pub(super) fn word(&self, kind: Kind, rank: usize) -> Option<&str> {
        let Word { list, at } = kind.word?;
        let list = self.words.get(list)?;
        list.get((at + rank) % list.len().max(1)).map(String::as_str)
    }

    /// The member threw. Whether it will be given values of another kind: not if these were right before, nor if all were
    /// tried. `wanted` is the class that a cast asked for, `words` are the strings that its class knows.
    pub(crate) fn failed(
        &mut self,
        member: &MemberRef,
        exception: &str,
        wanted: Option<ClassId>,
        words: &dyn Fn() -> Arc<[String]>,
    ) -> bool {
        let takes = Takes::of(member);
        let known = self.kinds.entry(member.clone()).or_default();
        if exception == WRONG_CLASS && takes.anything {
            self.is_ordered = true;
        }
        if takes.numbers && exception.ends_with(OUT_OF_RANGE) {
            self.missed += 1;
        }
        if known.is_right || known.rounds == ROUNDS {
            return false;
        }
        let kind = &mut known.kind;
        if exception == NULL && takes_references(member) && !kind.refuses_null {
            kind.refuses_null = true;
            return true;
        }
        // Who asks for one class after the other is not to be pleased.
        if takes.anything && wanted.is_some() && kind.wanted.is_none() {
            kind.wanted = wanted;
            return true;
        }
        kind.wanted = None;
        if exception == WRONG_CLASS && takes.anything && !kind.is_boxed && kind.text == 0 {
            kind.is_boxed = true;
            return true;
        }
        // What an object is made with may be what the member has no use for: a buffer without room, a stream that is at its end.
        if takes.objects && !known.has_tried_ways {
            if kind.way + 1 < WAYS {
                kind.way += 1;
                return true;
            }
            kind.way = 0;
            known.has_tried_ways = true;
        }
        // A number out of range says so; otherwise nobody knows which argument is to blame.
        let is_number = takes.numbers && kind.number + 1 < primitive::FAMILIES;
        if is_number && (about_numbers(exception) || !takes.text) {
            kind.number += 1;
            return true;
        }
        if takes.text {
            if let Some(family) = text::asked_for_by(exception).find(|at| Some(*at) > known.asked_for) {
                known.asked_for = Some(family);
                kind.is_boxed = false;
                kind.text = family;
                return true;
            }
            // What was asked for did not help, so all have their turns.
            if known.asked_for == Some(kind.text) {
                kind.text = 0;
            }
        }
        if takes.strings && !known.has_tried_words {
            let word = if let Some(Word { list, at }) = kind.word {
                Word { list, at: at + 1 }
            } else {
                self.words.push(words());
                Word {
                    list: self.words.len() - 1,
                    at: 0,
                }
            };
            if self.words.get(word.list).is_some_and(|list| word.at < list.len()) {
                kind.word = Some(word);
                return true;
            }
            kind.word = None;
            known.has_tried_words = true;
        }
        if takes.text && kind.text + 1 < text::IN_TURN {
            kind.is_boxed = false;
            kind.text += 1;
            return true;
        }
        if is_number {
            kind.number += 1;
            return true;
        }
        *kind = Kind {
            refuses_null: kind.refuses_null,
            ..Kind::default()
        };
        known.rounds += 1;
        false
    }
}

/// Whether an exception is mostly about a number.
fn about_numbers(exception: &str) -> bool {
    exception.ends_with(OUT_OF_RANGE)
        || matches!(
            exception,
            "java.lang.IllegalArgumentException"
                | "java.lang.ArithmeticException"
                | "java.lang.NegativeArraySizeException"
        )
}

/// What the parameters of a member are.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is a question of its own"
)]
struct Takes {
    /// Strings, or what may be one.
    text: bool,
    /// Strings and nothing else.
    strings: bool,
    /// Objects that have to be made.
    objects: bool,
    anything: bool,
    numbers: bool,
}

impl Takes {
    fn of(member: &MemberRef) -> Takes {
        let parameters = crate::callable::parameters(&member.descriptor);
        let any = |kinds: &[&str]| {
            parameters
                .iter()
                .any(|parameter| kinds.contains(&parameter.as_str()))
        };
        let anything = any(&["Ljava/lang/Object;", "Ljava/lang/Comparable;"]);
        let is_made =
            |parameter: &String| parameter.starts_with('L') && !parameter.starts_with("Ljava/lang/");
        Takes {
            strings: any(&["Ljava/lang/String;"]),
            objects: parameters.iter().any(is_made),
            text: any(&[
                "Ljava/lang/String;",
                "Ljava/lang/CharSequence;",
                "Ljava/lang/Object;",
            ]),
            anything,
            numbers: any(&["B", "S", "I", "J"]),
        }
    }
}

fn takes_references(member: &MemberRef) -> bool {
    let parameters = crate::callable::parameters(&member.descriptor);
    parameters
        .iter()
        .any(|parameter| parameter.starts_with(['L', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(text: &str) -> MemberRef {
        text.to_owned().try_into().unwrap()
    }

    fn failed(learnt: &mut Learnt, member: &MemberRef, exception: &str) -> bool {
        learnt.failed(member, exception, None, &|| Arc::from([]))
    }

    #[test]
    fn a_member_is_given_other_strings_until_it_takes_some() {
        let parse = member("a.B.parse(Ljava/lang/String;)V");
        let mut learnt = Learnt::default();
        assert!(!failed(&mut learnt, &member("a.B.run()V"), "a.Problem"));
        assert!(failed(&mut learnt, &parse, "a.Problem") && failed(&mut learnt, &parse, "a.Problem"));
        assert_eq!(learnt.kind(&parse).text, 2);
        learnt.worked(&parse);
        assert!(!failed(&mut learnt, &parse, "a.Problem"));
        assert_eq!(learnt.kind(&parse).text, 2);
    }

    #[test]
    fn strings_that_an_exception_asks_for_come_before_their_turn() {
        let algorithm = "java.security.NoSuchAlgorithmException";
        let get = member("a.B.get(Ljava/lang/String;)La/B;");
        let mut learnt = Learnt::default();
        let asked_for: Vec<usize> = text::asked_for_by(algorithm).collect();
        for family in &asked_for {
            assert!(failed(&mut learnt, &get, algorithm));
            assert_eq!(learnt.kind(&get).text, *family);
        }
        // If none of them is right, all others are tried.
        assert!(failed(&mut learnt, &get, algorithm));
        assert_eq!(learnt.kind(&get).text, 1);
        assert!(asked_for.len() > 1 && text::asked_for_by("a.Problem").next().is_none());
    }

    #[test]
    fn what_is_of_the_wrong_class_is_followed_by_numbers_and_then_by_the_own_kind() {
        let add = member("a.B.add(Ljava/lang/Object;)V");
        let mut learnt = Learnt::default();
        assert!(failed(&mut learnt, &add, WRONG_CLASS));
        assert!(learnt.kind(&add).is_boxed() && learnt.is_ordered());
        assert!(failed(&mut learnt, &add, WRONG_CLASS));
        assert!(learnt.kind(&add).is_own_kind());
    }

    #[test]
    fn an_index_out_of_bounds_is_followed_by_smaller_ones() {
        let get = member("a.B.get(ILjava/lang/String;)V");
        let mut learnt = Learnt::default();
        assert!(learnt.kind(&get).has_plain_numbers());
        assert!(failed(
            &mut learnt,
            &get,
            "java.lang.ArrayIndexOutOfBoundsException"
        ));
        assert!(!learnt.kind(&get).has_plain_numbers());
        assert_eq!(learnt.kind(&get).text, 0);
        // In the end everything has been tried, and it begins anew once.
        let mut tries = 0;
        for round in 1..=ROUNDS {
            while failed(&mut learnt, &get, "java.lang.IllegalArgumentException") {
                tries += 1;
            }
            assert!(learnt.kind(&get).has_plain_numbers(), "round {round}");
        }
        assert!(!failed(&mut learnt, &get, "java.lang.IllegalArgumentException"));
        assert_eq!(tries + 1, 2 * (primitive::FAMILIES - 1 + text::IN_TURN - 1));
    }

    #[test]
    fn null_is_not_given_again_to_who_refuses_it() {
        let put = member("a.B.put(Ljava/lang/Class;)V");
        let mut learnt = Learnt::default();
        assert!(failed(&mut learnt, &put, NULL) && !failed(&mut learnt, &put, NULL));
        assert!(learnt.kind(&put).refuses_null);
    }

    #[test]
    fn strings_that_the_class_knows_and_objects_made_otherwise_come_before_guesses() {
        let of = member("a.Mode.of(Ljava/lang/String;La/Options;)La/Mode;");
        let mut learnt = Learnt::default();
        let words: &dyn Fn() -> Arc<[String]> = &|| Arc::from(["ON".to_owned(), "OFF".to_owned()]);
        let mut tell = |exception| {
            learnt
                .failed(&of, exception, None, words)
                .then(|| learnt.kind(&of))
        };
        for way in 1..WAYS {
            assert_eq!(tell("a.Problem").unwrap().way, way);
        }
        let first = tell("a.Problem").unwrap();
        let second = tell("a.Problem").unwrap();
        let guess = tell("a.Problem").unwrap();
        assert_eq!((first.way, guess.text), (0, 1));
        let told = |kind| (learnt.word(kind, 0), learnt.word(kind, 1));
        assert_eq!(told(first), (Some("ON"), Some("OFF")));
        assert_eq!(told(second), (Some("OFF"), Some("ON")));
        assert_eq!(told(guess), (None, None));
    }
}
