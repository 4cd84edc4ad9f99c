//! Objects that the object under test hands out: sessions, cursors, entries. They often take its locks in an order of their own,
//! and the analysis of the class's public methods does not look at theirs.

use raddle_plan::{Invoke, MemberRef};
use raddle_program::ClassId;

use crate::callable::Callable;
use crate::constructions::result_class;
use crate::pair_plans::{Origin, Pair, shifted};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, Role};
use crate::values::{Taste, simple};
use crate::visible::is_visible;

/// Pairs of that kind; a class that hands out more kinds of objects has other pairs enough.
const MOST_VIEW_PAIRS: usize = 60;

/// Every method, and every one that hands out an object of the class's own, whatever the analysis says of the two.
pub(crate) fn view_pairs(builder: &PlanBuilder<'_>) -> Vec<Pair> {
    let of_objects = || builder.callables().iter().filter(|method| !method.is_static());
    let makers = of_objects().filter(|method| builder.hands_out(method).is_some());
    makers
        .flat_map(|maker| of_objects().map(|method| Pair::beyond(method.index, maker.index, Origin::View)))
        .take(MOST_VIEW_PAIRS)
        .collect()
}

/// What goes through all that a collection, map or stream of the platform holds, and changes nothing. A list that a class hands
/// out of its own accord may be the one that it keeps, or a view of it.
const LOOKS: [&str; 2] = ["forEach", "hashCode"];

impl PlanBuilder<'_> {
    /// The class of what a method hands out, if the class answers for it and it has methods to call: it is one of the class's
    /// own, or holds things and is handed out by a method that the platform has not thought of. What it says of its own, as
    /// `keySet` and `iterator`, is that others must look after themselves.
    fn hands_out(&self, maker: &Callable) -> Option<ClassId> {
        let program = self.program();
        let handed = result_class(program, &maker.member.descriptor)?;
        let class = program.class(handed)?;
        if handed == self.target.class
            || class.access().is_enum()
            || !is_visible(program, handed)
            || simple::is_simple(program, handed)
        {
            return None;
        }
        let is_good = if class.is_platform() {
            self.looks(handed).next().is_some() && !self.is_of_platform(maker)
        } else {
            true
        };
        is_good.then_some(handed)
    }

    /// The methods of a type that are to be called beside others.
    fn looks(&self, handed: ClassId) -> impl Iterator<Item = MemberRef> {
        let program = self.program();
        let object = program.object();
        let is_platform = program
            .class(handed)
            .is_some_and(raddle_program::Class::is_platform);
        let methods = program.public_methods(handed).into_iter();
        methods
            .filter_map(move |id| program.method(id))
            .filter(move |(owner, method)| {
                owner.id() != object
                    && !method.access.is_static()
                    && !method.access.is_synthetic()
                    && (!is_platform || LOOKS.contains(&program.text(method.name)))
            })
            .map(move |(_, method)| MemberRef {
                class: program.name(handed),
                name: program.text(method.name).to_owned(),
                descriptor: program.text(method.descriptor).to_owned(),
            })
    }

    /// Whether a method is one that a type of the platform declares.
    fn is_of_platform(&self, maker: &Callable) -> bool {
        let program = self.program();
        let interfaces = program.all_interfaces(self.target.class);
        let interfaces = interfaces.into_iter().filter_map(|id| program.class(id));
        let mut supertypes = program.ancestry(self.target.class).chain(interfaces);
        supertypes.any(|class| {
            let mut methods = class.file().methods();
            class.is_platform() && methods.any(|method| method.name() == maker.member.name)
        })
    }

    /// m1 on the object beside a method of what m2 handed out: a session, a cursor, an entry, a list. A fresh one is handed out in the thread that calls it.
    pub(crate) fn view(
        &mut self,
        pair: Pair,
        number: usize,
        is_fresh: bool,
        taste: Taste,
    ) -> Option<PlanDraft> {
        let program = self.program();
        let handed = self.hands_out(self.callable(pair.second)?)?;
        let class = program.class(handed)?;
        let invoke = if class.access().is_interface() {
            Invoke::Interface
        } else {
            Invoke::Virtual
        };
        let mut members: Vec<MemberRef> = self.looks(handed).collect();
        // Those that change something first: they give nothing back, mostly.
        members.sort_by_key(|member| !member.descriptor.ends_with(")V"));
        let member = members.into_iter().nth(number)?;
        let mut draft = PlanDraft::default();
        let a = self.subject(&mut draft, taste)?;
        let mut made = self.call(&mut draft, pair.second, Some(&a), &[], taste)?;
        if is_fresh {
            let one = self.call(&mut draft, pair.first, Some(&a), &[], taste)?;
            let view = "view".to_owned();
            let other = self.foreign_call(&mut draft, invoke, member, Some(&view), taste);
            made.bind = Some(view);
            draft.threads = vec![vec![one], vec![made, other]];
        } else {
            let view = draft.keep(made, handed, Role::Ingredient);
            let one = self.call(&mut draft, pair.first, Some(&a), &[], shifted(taste, 1))?;
            let other = self.foreign_call(&mut draft, invoke, member, Some(&view), taste);
            draft.threads = vec![vec![one], vec![other]];
        }
        self.observe_objects(&mut draft, &[a], &[pair.first, pair.second], true);
        Some(draft)
    }
}
