//! Strings: few, so that two threads often use equal ones, and those that the class under test itself knows.

use raddle_classfile::{Constant, Insn};
use raddle_program::{ClassId, Program};

use super::{Taste, Values};

const STRINGS: [&str; 12] = [
    "abc",
    "bc",
    "c",
    "",
    "1",
    "a b",
    "2001-02-03",
    "1.5",
    "true",
    "UTF-8",
    "java.lang.String",
    "12:30",
];
/// The strings that a plain choice is made from. The first is long enough for the indices that go with it.
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

impl Values<'_> {
    pub(super) fn string(&mut self, rank: usize, taste: Taste) -> String {
        match taste {
            Taste::Plain(shift) => STRINGS[(rank + shift) % PLAIN].to_owned(),
            Taste::Drawn => {
                if self.rng.one_in(4)
                    && let Some(word) = self.rng.pick(&self.words)
                {
                    return word.clone();
                }
                let among = if self.rng.one_in(3) { STRINGS.len() } else { PLAIN };
                STRINGS[self.rng.below(among)].to_owned()
            }
        }
    }
}
