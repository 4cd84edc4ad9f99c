//! Arguments that act: classes call what they are given, and what comes of that shows in no result of theirs.

use std::collections::BTreeSet;

use raddle_plan::{Argument, Deed, Invoke, MemberRef};

use crate::pair_plans::{Content, Pair, Suffixes, variables};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, call};
use crate::values::Taste;

/// What counts calls, and is asked for their number in the end.
const COUNTER: &str = "java.util.concurrent.atomic.AtomicInteger";
/// What has nothing to give, so that asking it fails.
const NOTHING_LEFT: &str = "nothing";
/// Stand-ins that are counted.
const MOST_COUNTED: usize = 2;

impl PlanBuilder<'_> {
    /// A conflict with stand-ins among the arguments that look at the object while they are called: whoever holds a lock
    /// meanwhile, or is half done, will see.
    pub(crate) fn acting(&mut self, pair: Pair, taste: Taste) -> Option<PlanDraft> {
        let sharing = self.sharing(pair);
        let mut draft = self.meeting(pair, sharing, Content::Elements(1), Suffixes::Single, taste)?;
        let subject = draft.subjects().into_iter().next()?;
        let look = self.observers().iter().copied().find(|&index| {
            let is_quiet = !self.touches(index).writes_anything();
            is_quiet && !self.always_throws(index) && !self.throws_checked(index)
        })?;
        let look = self.callable(look)?;
        let (invoke, member) = (look.invoke, look.member.clone());
        let begin = draft
            .prefix
            .iter()
            .position(|call| call.bind.as_deref() == Some(&subject))?;
        let given: BTreeSet<String> = draft.threads.iter().flatten().flat_map(variables).collect();
        let mut acts = false;
        for call in draft.prefix.iter_mut().skip(begin + 1) {
            let is_given = call.bind.as_ref().is_some_and(|name| given.contains(name));
            if !call.invoke.writes_class() || !is_given {
                continue;
            }
            let on = call.held().len();
            call.args.push(Argument::Var(subject.clone()));
            for method in &mut call.methods {
                method.does = Some(Deed {
                    on,
                    given: false,
                    invoke,
                    member: member.clone(),
                    args: Vec::new(),
                });
                acts = true;
            }
        }
        acts.then_some(draft)
    }

    /// A conflict with stand-ins that fail whenever they are called, on an object that holds nothing yet: a lock that is not given
    /// back on the way out, or something half done, is in the way of the other thread.
    pub(crate) fn failing(&mut self, pair: Pair, taste: Taste) -> Option<PlanDraft> {
        let sharing = self.sharing(pair);
        let mut draft = self.meeting(pair, sharing, Content::Elements(0), Suffixes::Single, taste)?;
        let mut fails = false;
        for made in draft.prefix.iter_mut().filter(|made| made.invoke.writes_class()) {
            let on = made.held().len();
            let idle = made.methods.iter_mut().filter(|method| method.does.is_none());
            let mut is_used = false;
            for method in idle {
                is_used = true;
                method.does = Some(Deed {
                    on,
                    given: false,
                    invoke: Invoke::Interface,
                    member: member("java.util.Iterator", "next", "()Ljava/lang/Object;"),
                    args: Vec::new(),
                });
            }
            if is_used {
                made.args.push(Argument::Var(NOTHING_LEFT.to_owned()));
                fails = true;
            }
        }
        if !fails {
            return None;
        }
        let empty = member("java.util.Collections", "emptyIterator", "()Ljava/util/Iterator;");
        let mut empty = call(Invoke::Static, empty, None, Vec::new());
        empty.bind = Some(NOTHING_LEFT.to_owned());
        draft.prefix.insert(0, empty);
        Some(draft)
    }

    /// A conflict with stand-ins that count how often they are called: a listener that is told twice, or never, shows nowhere
    /// else.
    pub(crate) fn counting(&mut self, pair: Pair, held: usize, taste: Taste) -> Option<PlanDraft> {
        let sharing = self.sharing(pair);
        let mut draft = self.meeting(pair, sharing, Content::Elements(held), Suffixes::Single, taste)?;
        let mut counters = Vec::new();
        for made in draft.prefix.iter_mut().filter(|made| made.invoke.writes_class()) {
            let on = made.held().len();
            let told = made.methods.iter_mut();
            // What gives something back is asked, and classes may ask as often as they like.
            let told = told.filter(|method| method.descriptor.ends_with(")V") && method.does.is_none());
            let name = format!("calls{}", counters.len() + 1);
            let mut counts = false;
            for method in told {
                counts = true;
                method.does = Some(Deed {
                    on,
                    given: false,
                    invoke: Invoke::Virtual,
                    member: of_counter("incrementAndGet", "()I"),
                    args: Vec::new(),
                });
            }
            if counts {
                made.args.push(Argument::Var(name.clone()));
                counters.push(name);
            }
            if counters.len() == MOST_COUNTED {
                break;
            }
        }
        for name in &counters {
            let mut counter = call(Invoke::New, of_counter("<init>", "()V"), None, Vec::new());
            counter.bind = Some(name.clone());
            draft.prefix.insert(0, counter);
            draft.after.push(call(
                Invoke::Virtual,
                of_counter("get", "()I"),
                Some(name),
                Vec::new(),
            ));
        }
        (!counters.is_empty()).then_some(draft)
    }
}

fn of_counter(name: &str, descriptor: &str) -> MemberRef {
    member(COUNTER, name, descriptor)
}

fn member(class: &str, name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}
