//! Operations -> small plans in which they meet: every pair of operations in two threads, each with another one behind it.

use raddle_plan::{Argument, Call, TestPlan};
use raddle_program::{ClassId, Program};

use crate::annotated::Declared;
use crate::lifecycle::{Builder, OBJECT};

/// The most plans for a class.
const MOST_PLANS: usize = 60;
/// Operations of which the state that is left shows; more of them are more of the same.
const MOST_AFTER: usize = 4;
/// The most threads, and operations in each: there are as many orders to compare with as one can arrange these.
const MOST_THREADS: usize = 3;
const MOST_OPERATIONS: usize = 2;

/// Something that threads do with the object.
pub(crate) struct Operation<'p> {
    pub(crate) declared: Declared<'p>,
    /// Values for every parameter.
    pub(crate) choices: Vec<Vec<Argument>>,
    /// Operations with the same are never done by two threads.
    pub(crate) group: Option<String>,
    /// At most once in a plan.
    pub(crate) is_once: bool,
    pub(crate) is_void: bool,
}

/// How large plans are.
#[derive(Copy, Clone)]
pub(crate) struct Size {
    pub(crate) threads: usize,
    /// In each thread.
    pub(crate) operations: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size {
            threads: 2,
            operations: 2,
        }
    }
}

/// The plans. In the first half nothing goes before, and all calls have the same arguments; in the second, the object is not
/// as new, and arguments differ.
pub(crate) fn scenarios(
    program: &Program,
    class: ClassId,
    name: &str,
    operations: &[Operation<'_>],
    validations: &[Declared<'_>],
    size: Size,
) -> Result<Vec<TestPlan>, String> {
    let count = operations.len();
    let threads = size.threads.clamp(1, MOST_THREADS);
    let mut plans: Vec<TestPlan> = Vec::new();
    for round in 0..2 {
        for first in 0..count {
            for second in first..count {
                let begins: Vec<usize> = (0..threads)
                    .map(|thread| match thread {
                        0 => first,
                        1 => second,
                        _ => (first + second + thread) % count,
                    })
                    .collect();
                let mut chosen = Chosen {
                    operations,
                    threads: vec![Vec::new(); threads],
                };
                if !begins
                    .iter()
                    .enumerate()
                    .all(|(thread, operation)| chosen.add(thread, *operation))
                {
                    continue;
                }
                for place in 1..size.operations.clamp(1, MOST_OPERATIONS) {
                    for (thread, begin) in begins.iter().enumerate() {
                        // Whichever may be done there, beginning with another one in every thread and round.
                        let begin = begin + place + round + thread;
                        let mut others = (0..count).map(|next| (begin + next) % count);
                        let _ = others.find(|operation| chosen.add(thread, *operation));
                    }
                }
                let plan = chosen.plan(program, class, name, validations, round == 1)?;
                if plans.len() < MOST_PLANS && !plans.contains(&plan) {
                    plans.push(plan);
                }
            }
        }
    }
    if plans.is_empty() {
        return Err("no two of its operations may be done at the same time".to_owned());
    }
    Ok(plans)
}

/// Which operations threads do.
struct Chosen<'a, 'p> {
    operations: &'a [Operation<'p>],
    threads: Vec<Vec<usize>>,
}

impl Chosen<'_, '_> {
    /// Adds an operation to a thread, if it may be there.
    fn add(&mut self, thread: usize, operation: usize) -> bool {
        let wanted = &self.operations[operation];
        let is_taken = self.threads.iter().enumerate().any(|(other, done)| {
            let mut done = done.iter();
            done.any(|index| {
                let same_group = wanted.group.is_some() && self.operations[*index].group == wanted.group;
                wanted.is_once && *index == operation || other != thread && same_group
            })
        });
        if !is_taken {
            self.threads[thread].push(operation);
        }
        !is_taken
    }

    fn plan(
        &self,
        program: &Program,
        class: ClassId,
        name: &str,
        validations: &[Declared<'_>],
        is_used: bool,
    ) -> Result<TestPlan, String> {
        let mut builder = Builder::new(program, class);
        let mut prefix = vec![builder.constructor(class, None, OBJECT)?];
        let mut number = 0;
        let mut call = |builder: &mut Builder<'_>, operation: &Operation<'_>| -> Result<Call, String> {
            let values = operation.choices.iter().enumerate();
            let args = values.filter_map(|(place, values)| {
                let choice = if is_used { number + place } else { 0 };
                values.get(choice % values.len().max(1)).cloned()
            });
            let args = args.collect();
            number += 1;
            builder.call_with(&operation.declared, Some(OBJECT), args)
        };
        if is_used {
            // What is given something is more likely to fill the object than to empty it.
            let filling = self.operations.iter();
            let filling = filling.filter(|operation| !operation.choices.is_empty() && !operation.is_once);
            for operation in filling.take(2) {
                prefix.push(call(&mut builder, operation)?);
            }
        }
        let mut threads = Vec::new();
        for done in &self.threads {
            let calls = done
                .iter()
                .map(|index| call(&mut builder, &self.operations[*index]));
            threads.push(calls.collect::<Result<Vec<Call>, String>>()?);
        }
        let looking = self.operations.iter();
        let looking = looking.filter(|operation| !operation.is_void && !operation.is_once);
        let mut after = Vec::new();
        for validation in validations {
            after.push(builder.call(validation, Some(OBJECT))?);
        }
        for operation in looking.take(MOST_AFTER) {
            after.push(call(&mut builder, operation)?);
        }
        Ok(builder.finish(name, prefix, threads, after))
    }
}
