//! Strings: few, so that two threads often use equal ones, and those that the class under test itself knows.

use std::collections::BTreeSet;

use raddle_classfile::{Constant, Insn};
use raddle_plan::MemberRef;
use raddle_program::{ClassId, Program};

use super::{Kind, Taste, Values};
use crate::visible::is_visible;

/// Strings of one kind.
pub(super) struct Family {
    texts: &'static [&'static str],
    /// How the names of exceptions end that ask for such strings.
    asked_for_by: &'static [&'static str],
}

const fn family(texts: &'static [&'static str], asked_for_by: &'static [&'static str]) -> Family {
    Family { texts, asked_for_by }
}

const ALGORITHMS: &[&str] = &["NoSuchAlgorithmException"];

/// Strings by what methods take them for; methods that take any are given the first. The very first is long enough for
/// the indices that go with it.
pub(super) const FAMILIES: [Family; 18] = [
    family(&["abc", "bc", "c", ""], &[]),
    family(&["1", "25", "3"], &["NumberFormatException"]),
    family(&["2001-02-03", "1999-12-31"], &["DateTimeParseException"]),
    family(&["1.5", "2.25"], &[]),
    family(&["12:30", "23:59"], &["DateTimeParseException"]),
    family(&["true", "false"], &[]),
    family(
        &["UTF-8", "US-ASCII"],
        &[
            "UnsupportedCharsetException",
            "IllegalCharsetNameException",
            "UnsupportedEncodingException",
        ],
    ),
    family(
        &["java.lang.String", "java.lang.Integer"],
        &["ClassNotFoundException"],
    ),
    family(&["a=b", "c=d"], &[]),
    family(&["/a/b", "/c"], &["InvalidPathException"]),
    family(&["UTC", "GMT"], &["ZoneRulesException"]),
    family(
        &["file:///a/b", "file:///c"],
        &["MalformedURLException", "URISyntaxException"],
    ),
    family(&["DES", "AES"], ALGORITHMS),
    family(&["SHA-256", "MD5"], ALGORITHMS),
    family(&["HmacSHA256"], ALGORITHMS),
    family(&["RSA", "EC"], ALGORITHMS),
    family(&["SHA256withRSA"], ALGORITHMS),
    family(&["127.0.0.1", "localhost"], &["UnknownHostException"]),
];

/// Families that are tried without being asked for; the others are right for few methods, which say so.
pub(super) const IN_TURN: usize = 12;

/// The families of strings that an exception asks for.
pub(super) fn asked_for_by(exception: &str) -> impl Iterator<Item = usize> {
    let asks = |family: &Family| family.asked_for_by.iter().any(|name| exception.ends_with(name));
    (0..FAMILIES.len()).filter(move |at| asks(&FAMILIES[*at]))
}

/// Strings that have the same hash code, in place of the first family.
const COLLIDING: &[&str] = &["AaAa", "BBBB", "AaBB"];
/// The strings of the first family that a plain choice is made from.
const PLAIN: usize = 3;
/// From so many plain choices on, no two are the same.
const MANY: usize = 3;
/// Strings of the class under test that are kept.
const MAX_WORDS: usize = 24;
/// Strings that a class knows which are tried with a method of it.
const MOST_KNOWN: usize = 6;
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

/// What a method of a class may take a string for: constants that it has for others, the names of an enum, and words in its code.
pub(super) fn known_words(program: &Program, class: ClassId) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut ancestry: Vec<ClassId> = program.ancestry(class).map(raddle_program::Class::id).collect();
    ancestry.retain(|ancestor| *ancestor != program.object());
    for ancestor in &ancestry {
        found.extend(string_constants(program, *ancestor));
    }
    for ancestor in ancestry {
        found.extend(words(program, ancestor));
    }
    let mut seen = BTreeSet::new();
    found.retain(|word| is_word(word) && seen.insert(word.clone()));
    found.truncate(MOST_KNOWN);
    found
}

/// Whether it looks like a name and not like a part of a message.
fn is_word(text: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || "._-/+*".contains(c);
    !text.is_empty() && text.chars().all(is_inside) && text.ends_with(char::is_alphanumeric)
}

/// Strings in constants of a class that others see.
fn string_constants(program: &Program, class: ClassId) -> Vec<String> {
    let Some(loaded) = program.class(class) else {
        return Vec::new();
    };
    let pool = loaded.file().pool();
    let public = loaded.file().fields().filter(|field| field.access().is_public());
    let values = public.filter_map(|field| field.constant_value());
    let texts = values.filter_map(|at| match pool.constant(at) {
        Ok(Constant::String(text)) => Some(text.into_owned()),
        _ => None,
    });
    texts.collect()
}

impl Values<'_> {
    /// The member threw. Whether it will be given values of another kind.
    pub(crate) fn failed(&mut self, member: &MemberRef, exception: &str, wanted: Option<&str>) -> bool {
        let program = self.program;
        let id = |name: &str| program.class_id(&name.replace('.', "/"));
        let wanted = wanted.map(id).filter(|wanted| is_visible(program, *wanted));
        let words = || known_words(program, id(&member.class)).into();
        self.learnt.failed(member, exception, wanted, &words)
    }

    pub(super) fn string(&mut self, rank: usize, kind: Kind, taste: Taste) -> String {
        if let Some(word) = self.learnt.word(kind, rank) {
            return word.to_owned();
        }
        let mut family = FAMILIES[kind.text % FAMILIES.len()].texts;
        if self.circumstances.collide && kind.text == 0 {
            self.stand_ins.collide = true;
            family = COLLIDING;
        }
        match taste {
            Taste::Plain(shift) if kind.text == 0 => {
                let text = family[(rank + shift) % PLAIN];
                // Who asks for many asks for different ones.
                match shift / MANY {
                    0 => text.to_owned(),
                    round => format!("{text}{round}"),
                }
            }
            Taste::Plain(shift) => family[(rank + shift) % family.len()].to_owned(),
            Taste::Drawn => {
                if self.rng.one_in(4)
                    && let Some(word) = self.rng.pick(&self.words)
                {
                    return word.clone();
                }
                let family = if self.rng.one_in(3) {
                    FAMILIES[self.rng.below(FAMILIES.len())].texts
                } else {
                    family
                };
                family[self.rng.below(family.len())].to_owned()
            }
        }
    }
}
