//! Two objects of the class that know each other: a parent and the child that it made, two that were bound, chained or
//! subscribed to each other. They take each other's locks from both ends, which neither two calls on one object nor two
//! strangers show.

use raddle_classfile::{Insn, Kind};
use raddle_plan::MemberRef;
use raddle_program::{ClassId, Program};

use crate::constructions::result_class;
use crate::pair_plans::{Origin, Pair, shifted};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, Role};
use crate::values::Taste;

/// Pairs of that kind: of a large class those that the analysis knows least of.
const MOST_KIN_PAIRS: usize = 40;

/// How one object of the class comes to know another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Relation {
    /// The method makes it.
    Child(usize),
    /// The method is given it, as this parameter.
    Bound(usize, usize),
}

/// Every two methods, the first on one object and the second on the other, if objects of the class can know each other.
pub(crate) fn kin_pairs(builder: &PlanBuilder<'_>) -> Vec<Pair> {
    if builder.relations().is_empty() {
        return Vec::new();
    }
    let facts = builder.target.facts;
    // What takes a lock inside another, calls what is not known, or changes something; the rest is left out.
    let rank = |index: usize| {
        let method = facts.methods.get(index);
        let reaches_out =
            method.is_some_and(|method| !method.double_locks.is_empty() || !method.unknown_calls.is_empty());
        match (reaches_out, builder.touches(index).writes_anything()) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 4,
        }
    };
    let of_objects = || builder.callables().iter().filter(|method| !method.is_static());
    let mut pairs: Vec<(u32, Pair)> = of_objects()
        .flat_map(|first| of_objects().map(move |second| (first.index, second.index)))
        .map(|(first, second)| {
            (
                rank(first) + rank(second),
                Pair::beyond(first, second, Origin::Kin),
            )
        })
        .filter(|(rank, _)| *rank <= 4)
        .collect();
    pairs.sort_by_key(|(rank, _)| *rank);
    pairs.truncate(MOST_KIN_PAIRS);
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

impl PlanBuilder<'_> {
    fn relations(&self) -> Vec<Relation> {
        let program = self.program();
        let own = self.target.class;
        let is_own = |class| {
            // An interface of the class's own house counts, one that half the world implements does not.
            let is_at_home = || program.class(class).is_some_and(|class| !class.is_platform());
            class == own || (is_at_home() && program.is_subtype(own, class) == Some(true))
        };
        let of_objects = || self.callables().iter().filter(|method| !method.is_static());
        let children = of_objects().filter(|method| {
            let result = result_class(program, &method.member.descriptor);
            result.is_some_and(is_own) && !returns_its_receiver(program, method.declared_in, &method.member)
        });
        let bound = of_objects().filter_map(|method| {
            let at = self.partner_parameter(method, None)?;
            let wanted = method.parameters.get(at)?;
            let class = program.class_id(wanted.strip_prefix('L')?.strip_suffix(';')?);
            let changes = self.touches(method.index).writes_anything();
            (is_own(class) && changes).then_some(Relation::Bound(method.index, at))
        });
        children
            .map(|method| Relation::Child(method.index))
            .chain(bound)
            .collect()
    }

    /// The first method on one object and the second on another that it knows, by the numbered way to get to know it.
    pub(crate) fn kin(&mut self, pair: Pair, number: usize, taste: Taste) -> Option<PlanDraft> {
        let relation = *self.relations().get(number)?;
        let mut draft = PlanDraft::default();
        let a = self.subject(&mut draft, taste)?;
        let b = match relation {
            Relation::Child(maker) => {
                let made = self.call(&mut draft, maker, Some(&a), &[], taste)?;
                draft.keep(made, self.target.class, Role::Subject)
            }
            Relation::Bound(binder, at) => {
                let b = self.subject(&mut draft, taste)?;
                let call = self.call(&mut draft, binder, Some(&a), &[(at, &b)], taste)?;
                draft.prefix.push(call);
                b
            }
        };
        let one = self.call(&mut draft, pair.first, Some(&a), &[], taste)?;
        let other = self.call(&mut draft, pair.second, Some(&b), &[], shifted(taste, 1))?;
        draft.threads = vec![vec![one], vec![other]];
        self.observe_objects(&mut draft, &[a, b], &[pair.first, pair.second], true);
        Some(draft)
    }
}

/// Whether all that a method returns is the object it was called on, as those of builders and buffers do.
pub(crate) fn returns_its_receiver(program: &Program, declared_in: ClassId, member: &MemberRef) -> bool {
    let Some(owner) = program.class(declared_in) else {
        return false;
    };
    let mut bodies = owner.file().methods();
    let body = bodies.find(|body| body.name() == member.name && body.descriptor() == member.descriptor);
    let Some(Ok(Some(code))) = body.map(|body| body.code()) else {
        return false;
    };
    let (mut is_receiver, mut returns) = (false, 0);
    for (_, insn) in code.instructions().map_while(Result::ok) {
        if matches!(insn, Insn::Return(_)) {
            if !is_receiver {
                return false;
            }
            returns += 1;
        }
        is_receiver = insn == Insn::Load(Kind::Ref, 0);
    }
    returns > 0
}
