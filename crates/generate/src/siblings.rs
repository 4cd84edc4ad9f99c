//! Objects that one object hands out to several threads, each to one: transactions of a store, leases of a pool, subscriptions.
//! Whose code runs is theirs, and what they meet in is their parent's.

use raddle_plan::{Argument, Call, MemberRef};
use raddle_program::ClassId;

use crate::pair_plans::{Pair, tell_apart};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;
use crate::views::{HandedOut, TWO_OF_THEM, VIEW};

/// Calls that give such an object something to do.
const MOST_PREPARING: usize = 2;

/// Where two threads get their objects from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// They are handed out before the threads begin.
    Fresh,
    /// The same, and have been given something.
    Prepared,
    /// Each thread has its own handed out, gives it something, and goes on.
    Sessions,
}

impl Siblings {
    pub(crate) const ALL: [Siblings; 3] = [Siblings::Fresh, Siblings::Prepared, Siblings::Sessions];
}

impl PlanBuilder<'_> {
    /// Two methods, each on an object of its own that m handed out.
    pub(crate) fn siblings(
        &mut self,
        pair: Pair,
        number: usize,
        way: Siblings,
        taste: Taste,
    ) -> Option<PlanDraft> {
        if pair.first != pair.second {
            return None;
        }
        let maker = pair.first;
        let handed = self.hands_out(self.callable(maker)?)?;
        let is_platform = |class: ClassId| {
            self.program()
                .class(class)
                .is_none_or(raddle_program::Class::is_platform)
        };
        if is_platform(handed.class) {
            return None;
        }
        let members = self.telling(handed.class);
        let (one, other) = TWO_OF_THEM.get(number)?;
        let (one, other) = (members.get(*one)?.clone(), members.get(*other)?.clone());
        let preparing: Vec<MemberRef> = members
            .into_iter()
            .filter(|member| !member.descriptor.starts_with("()") && *member != one && *member != other)
            .take(MOST_PREPARING)
            .collect();
        if preparing.is_empty() && way == Siblings::Prepared {
            return None;
        }
        let mut draft = PlanDraft::default();
        let a = self.subject(&mut draft, taste)?;
        if way == Siblings::Sessions {
            let one = self.session(
                &mut draft,
                maker,
                &handed,
                &a,
                &[&preparing[..], &[one]].concat(),
                0,
                taste,
            )?;
            let other = self.session(
                &mut draft,
                maker,
                &handed,
                &a,
                &[&preparing[..], &[other]].concat(),
                1,
                taste,
            )?;
            draft.threads = vec![one, other];
        } else {
            let mut threads = Vec::new();
            for (side, member) in [one, other].into_iter().enumerate() {
                let sibling = self.handed_out(&mut draft, maker, &handed, &a, taste)?;
                let preparing = preparing.iter().filter(|_| way == Siblings::Prepared);
                for member in preparing {
                    let prepared =
                        self.call_of(&mut draft, handed.class, member.clone(), &sibling, side, taste);
                    draft.prefix.push(prepared);
                }
                threads.push(vec![self.call_of(
                    &mut draft,
                    handed.class,
                    member,
                    &sibling,
                    side,
                    taste,
                )]);
            }
            draft.threads = threads;
        }
        self.observe_objects(&mut draft, &[a], &[maker], true);
        Some(draft)
    }

    /// What a thread does with an object of its own.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of a test that two threads do not have in common"
    )]
    fn session(
        &mut self,
        draft: &mut PlanDraft,
        maker: usize,
        handed: &HandedOut,
        on: &str,
        members: &[MemberRef],
        side: usize,
        taste: Taste,
    ) -> Option<Vec<Call>> {
        let mut calls = self.handed_out_to_thread(draft, maker, handed, on, taste)?;
        for member in members {
            calls.push(self.call_of(draft, handed.class, member.clone(), VIEW, side, taste));
        }
        Some(calls)
    }

    /// A call on such an object. The second thread brings values of its own under the keys of the first.
    fn call_of(
        &mut self,
        draft: &mut PlanDraft,
        handed: ClassId,
        member: MemberRef,
        on: &str,
        side: usize,
        taste: Taste,
    ) -> Call {
        let mut call = self.call_on(draft, handed, member, on, taste);
        if side > 0 {
            let is_any = call.member.descriptor.contains("Ljava/lang/Object;)") && call.args.len() > 1;
            match call.args.last_mut() {
                Some(Argument::String(text)) if is_any => text.push('y'),
                _ => tell_apart(&mut call.args),
            }
        }
        call
    }
}
