//! The lines through which threads come to what they do, for runs that people look at.
//!
//! A number stands for them on the Java side, where nothing may be allocated. It holds for one batch: later, methods may have
//! gone, and others may have come to their places.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use raddle_plan::Caller;

/// Lines of one thread that are kept: whoever wants to know looks for the innermost of a class, which is near.
const MOST: usize = 6;

/// A method, by its identifier, and where in it a thread is.
type Mark = (usize, i64);

/// What a frame is of.
#[derive(Clone, Debug)]
pub(crate) enum Met {
    /// The plan.
    Plan,
    /// The hooks.
    Runtime,
    /// The platform.
    Platform(Caller),
    /// Everything else.
    Other(Caller),
}

struct Known {
    frames: BTreeMap<Mark, Option<Met>>,
    numbers: BTreeMap<Vec<Mark>, usize>,
    /// By number, from 1.
    callers: Vec<Vec<Caller>>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    frames: BTreeMap::new(),
    numbers: BTreeMap::new(),
    callers: Vec::new(),
});

/// A batch begins.
pub(crate) fn forget() {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.frames.clear();
    known.numbers.clear();
    known.callers.clear();
}

/// The callers with that number.
pub(crate) fn of(number: i32) -> Vec<Caller> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let at = usize::try_from(number)
        .ok()
        .and_then(|number| number.checked_sub(1));
    at.and_then(|at| known.callers.get(at))
        .cloned()
        .unwrap_or_default()
}

/// A number for a stack, innermost frame first; `describe` says what a frame is.
pub(crate) fn number(stack: Vec<Mark>, describe: &dyn Fn(usize) -> Option<Met>) -> i32 {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Known {
        frames,
        numbers,
        callers,
    } = &mut *known;
    let number = numbers.entry(stack).or_insert_with_key(|stack| {
        let met = stack.iter().enumerate().map(|(at, mark)| {
            let met = frames.entry(*mark).or_insert_with(|| describe(at));
            met.clone()
        });
        callers.push(chosen(met.flatten()));
        callers.len()
    });
    i32::try_from(*number).unwrap_or(0)
}

/// The lines outside the platform; if there is none, the outermost. Where the thread itself is does not count.
fn chosen(frames: impl Iterator<Item = Met>) -> Vec<Caller> {
    let mut others = Vec::new();
    let mut outermost = None;
    let frames = frames
        .filter(|met| !matches!(met, Met::Runtime))
        .take_while(|met| !matches!(met, Met::Plan));
    for (at, met) in frames.enumerate() {
        match met {
            Met::Other(caller) if at > 0 && others.len() < MOST => others.push(caller),
            Met::Platform(caller) => outermost = (at > 0).then_some(caller),
            // Then the thread is outside the platform already.
            _ => outermost = None,
        }
    }
    if others.is_empty() {
        others.extend(outermost);
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(class: &str) -> Caller {
        Caller {
            class: class.to_owned(),
            method: "m".to_owned(),
            source: None,
            line: Some(1),
        }
    }

    fn classes(frames: Vec<Met>) -> Vec<String> {
        chosen(frames.into_iter())
            .into_iter()
            .map(|caller| caller.class)
            .collect()
    }

    #[test]
    fn lines_outside_the_platform_are_told_up_to_the_plan() {
        let platform = |class: &str| Met::Platform(caller(class));
        let other = |class: &str| Met::Other(caller(class));
        let list = vec![
            Met::Runtime,
            platform("java.util.ArrayList"),
            platform("java.util.Collections"),
            other("p.Bus"),
            other("p.Shop"),
            Met::Plan,
            other("p.Main"),
        ];
        assert_eq!(classes(list), ["p.Bus", "p.Shop"]);
        let own = vec![other("p.Bus"), Met::Plan];
        assert!(classes(own).is_empty());
        let jdk = vec![
            platform("java.lang.AbstractStringBuilder"),
            platform("java.lang.StringBuffer"),
            Met::Plan,
        ];
        assert_eq!(classes(jdk), ["java.lang.StringBuffer"]);
        assert!(classes(vec![platform("java.util.Vector"), Met::Plan]).is_empty());
    }

    #[test]
    fn the_same_stack_has_the_same_number_until_a_batch_begins() {
        let describe = |at: usize| Some(Met::Other(caller(if at == 0 { "p.List" } else { "p.Bus" })));
        let one = number(vec![(1, 7), (2, 9)], &describe);
        assert_eq!(one, number(vec![(1, 7), (2, 9)], &describe));
        assert_eq!(of(one), [caller("p.Bus")]);
        forget();
        assert!(of(one).is_empty() && of(0).is_empty() && of(-1).is_empty());
    }
}
