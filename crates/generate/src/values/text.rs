//! Strings: few, so that two threads often use equal ones, and those that the class under test itself knows.

use std::collections::BTreeMap;

use raddle_classfile::{Constant, Insn};
use raddle_plan::MemberRef;
use raddle_program::{ClassId, Program};

use super::{Taste, Values};

/// Strings by what methods take them for; methods that take any are given the first. The very first is long enough for
/// the indices that go with it.
const FAMILIES: [&[&str]; 10] = [
    &["abc", "bc", "c", ""],
    &["1", "25", "3"],
    &["2001-02-03", "1999-12-31"],
    &["1.5", "2.25"],
    &["12:30", "23:59"],
    &["true", "false"],
    &["UTF-8", "US-ASCII"],
    &["java.lang.String", "java.lang.Integer"],
    &["a=b", "c=d"],
    &["/a/b", "/c"],
];
/// The strings of the first family that a plain choice is made from.
const PLAIN: usize = 3;
/// Strings of the class under test that are kept.
const MAX_WORDS: usize = 24;
/// Longer ones are messages.
const MAX_LENGTH: usize = 24;

/// Strings in the code of a class, which may be keys, patterns or names that it looks for.
pub(super) fn words(program: &Program, class: ClassId) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let Some(loaded) = program.class(class) else {
        return words;
    };
    let pool = loaded.file().pool();
    for method in loaded.file().methods() {
        let Ok(Some(code)) = method.code() else {
            continue;
        };
        for (_, insn) in code.instructions().map_while(Result::ok) {
            let Insn::Ldc(at) = insn else { continue };
            if let Ok(Constant::String(text)) = pool.constant(at)
                && text.len() <= MAX_LENGTH
                && !words.iter().any(|word| *word == text)
            {
                words.push(text.into_owned());
                if words.len() == MAX_WORDS {
                    return words;
                }
            }
        }
    }
    words
}

/// What kind of strings a member takes: the number of a family.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Family(usize);

impl Family {
    /// Whether a parameter that takes anything, as it says, is to be given an object of the class under test: strings were
    /// refused.
    pub(crate) fn is_own_kind(self) -> bool {
        self.0 == 1
    }
}

/// What was learnt about the strings that members take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    families: BTreeMap<MemberRef, (Family, bool)>,
}

impl Texts {
    pub(crate) fn family(&self, member: &MemberRef) -> Family {
        self.families.get(member).map_or(Family(0), |(family, _)| *family)
    }

    /// The member did not throw, so its strings are right.
    pub(crate) fn worked(&mut self, member: &MemberRef) {
        if takes_text(member) {
            self.families.entry(member.clone()).or_default().1 = true;
        }
    }

    /// The member threw. Whether it will be given other strings: not if these were right before, nor if all were tried.
    pub(crate) fn failed(&mut self, member: &MemberRef) -> bool {
        if !takes_text(member) {
            return false;
        }
        let (family, is_right) = self.families.entry(member.clone()).or_default();
        if *is_right || family.0 + 1 >= FAMILIES.len() {
            return false;
        }
        family.0 += 1;
        true
    }
}

fn takes_text(member: &MemberRef) -> bool {
    let parameters = member.descriptor.split(')').next().unwrap_or_default();
    [
        "Ljava/lang/String;",
        "Ljava/lang/CharSequence;",
        "Ljava/lang/Object;",
    ]
    .iter()
    .any(|text| parameters.contains(text))
}

impl Values<'_> {
    pub(super) fn string(&mut self, rank: usize, text: Family, taste: Taste) -> String {
        let family = FAMILIES[text.0 % FAMILIES.len()];
        match taste {
            Taste::Plain(shift) if text == Family(0) => family[(rank + shift) % PLAIN].to_owned(),
            Taste::Plain(shift) => family[(rank + shift) % family.len()].to_owned(),
            Taste::Drawn => {
                if self.rng.one_in(4)
                    && let Some(word) = self.rng.pick(&self.words)
                {
                    return word.clone();
                }
                let family = if self.rng.one_in(3) {
                    FAMILIES[self.rng.below(FAMILIES.len())]
                } else {
                    family
                };
                family[self.rng.below(family.len())].to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_given_other_strings_until_it_takes_some() {
        let member: MemberRef = "a.B.parse(Ljava/lang/String;)V".to_owned().try_into().unwrap();
        let other: MemberRef = "a.B.set(I)V".to_owned().try_into().unwrap();
        let mut texts = Texts::default();
        assert!(!texts.failed(&other));
        assert!(texts.failed(&member) && texts.failed(&member));
        assert_eq!(texts.family(&member), Family(2));
        texts.worked(&member);
        assert!(!texts.failed(&member));
        assert_eq!(texts.family(&member), Family(2));
    }
}
