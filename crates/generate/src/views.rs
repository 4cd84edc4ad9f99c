//! Objects that the object under test hands out: sessions, cursors, entries. They often take its locks in an order of their own,
//! and the analysis of the class's public methods does not look at theirs.

use raddle_classfile::{Insn, MethodView};
use raddle_plan::{Call, Invoke, MemberRef};
use raddle_program::{Class, ClassId, Method, Program};

use crate::callable::Callable;
use crate::constructions::result_class;
use crate::pair_plans::{Origin, Pair, shifted};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, Role};
use crate::values::{Taste, content, generic_result, simple};
use crate::visible::is_visible;

/// Pairs of that kind; a class that hands out more kinds of objects has other pairs enough.
const MOST_VIEW_PAIRS: usize = 60;

/// Which of the methods of such an object two threads call.
pub(crate) const TWO_OF_THEM: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
/// What an object that was handed out is asked in the end, at most.
const MOST_ASKED: usize = 4;
/// Variables of a thread that is handed an object: that object, and what it comes in.
pub(crate) const VIEW: &str = "view";
const INSIDE: &str = "inside";

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

/// When the object is handed out, and what it is given.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// In the thread that calls it.
    Fresh,
    /// Before the threads begin, and the other thread has the same values as its making.
    Same,
    /// The same, and it has been given something.
    Filled,
    /// The other thread has other values.
    Apart,
}

impl View {
    pub(crate) const ALL: [View; 4] = [View::Same, View::Fresh, View::Filled, View::Apart];
}

/// What a method hands out.
pub(crate) struct HandedOut {
    /// Its class.
    pub(crate) class: ClassId,
    /// How to get at it, if it comes inside something of the platform: the class of that, and the method.
    inside: Option<(ClassId, MemberRef)>,
}

impl PlanBuilder<'_> {
    /// What a method hands out, if the class answers for it and it has methods to call: it is one of the class's own, or holds
    /// things and is handed out by a method that the platform has not thought of. What it says of its own, as `keySet` and
    /// `iterator`, is that others must look after themselves.
    pub(crate) fn hands_out(&self, maker: &Callable) -> Option<HandedOut> {
        let program = self.program();
        let result = result_class(program, &maker.member.descriptor)?;
        let is_platform = |class| {
            program
                .class(class)
                .is_some_and(raddle_program::Class::is_platform)
        };
        let handed = |class| HandedOut { class, inside: None };
        if !is_platform(result) {
            return self.is_worth_calling(result).then(|| handed(result));
        }
        let generic = generic_result(program, &maker.member);
        let content = generic.and_then(|generic| content(program, &generic));
        if let Some((member, class)) = content
            && !is_platform(class)
            && self.is_worth_calling(class)
        {
            let inside = Some((result, member));
            return Some(HandedOut { class, inside });
        }
        let holds_things = self.looks(result).next().is_some() && !self.is_of_platform(maker);
        (holds_things && self.is_worth_calling(result)).then(|| handed(result))
    }

    fn is_worth_calling(&self, handed: ClassId) -> bool {
        let program = self.program();
        let is_plain = |class: &raddle_program::Class| !class.access().is_enum();
        handed != self.target.class
            && program.class(handed).is_some_and(is_plain)
            && is_visible(program, handed)
            && !simple::is_simple(program, handed)
    }

    /// The methods of a type that are to be called beside others.
    fn looks(&self, handed: ClassId) -> impl Iterator<Item = MemberRef> {
        let program = self.program();
        let object = program.object();
        let is_platform = program
            .class(handed)
            .is_some_and(raddle_program::Class::is_platform);
        let methods = program.public_methods(handed).into_iter();
        let inherited = methods
            .filter_map(move |id| program.method(id))
            .filter(move |(owner, _)| owner.id() != object)
            .map(|(_, method)| *method);
        let of_interfaces = self.interface_methods(handed);
        let wanted = move |method: &Method| {
            !method.access.is_static()
                && !method.access.is_synthetic()
                && (!is_platform || LOOKS.contains(&program.text(method.name)))
        };
        // An object of the platform that can do one thing, with nothing given, is there to have that done: to close, cancel or stop.
        let handle = of_interfaces.iter().copied().find(|method| {
            is_platform && of_interfaces.len() == 1 && program.text(method.descriptor) == "()V"
        });
        let mut found: Vec<MemberRef> = Vec::new();
        for method in inherited.chain(of_interfaces).filter(wanted).chain(handle) {
            let member = MemberRef {
                class: program.name(handed),
                name: program.text(method.name).to_owned(),
                descriptor: program.text(method.descriptor).to_owned(),
            };
            if !found.contains(&member) {
                found.push(member);
            }
        }
        found.into_iter()
    }

    /// The methods of an interface, or of one above it, that have no body there: what was handed out has.
    fn interface_methods(&self, handed: ClassId) -> Vec<Method> {
        let program = self.program();
        let Some(own) = program
            .class(handed)
            .filter(|class| class.access().is_interface())
        else {
            return Vec::new();
        };
        let above = program.all_interfaces(handed);
        let above = above.into_iter().filter_map(|id| program.class(id));
        let all = std::iter::once(own).chain(above);
        all.flat_map(|class| class.methods().iter().copied())
            .filter(|method| method.access.is_abstract())
            .collect()
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

    /// The same, those first that seem to change something: they give nothing back, or store. Those come last that only say what
    /// is in a field.
    pub(crate) fn telling(&self, handed: ClassId) -> Vec<MemberRef> {
        let mut members: Vec<MemberRef> = self.looks(handed).collect();
        members.sort_by_key(|member| {
            let changes = member.descriptor.ends_with(")V") || stores(self.program(), member);
            (!changes, !changes && is_getter(self.program(), member))
        });
        members
    }

    pub(crate) fn call_on(
        &mut self,
        draft: &mut PlanDraft,
        handed: ClassId,
        member: MemberRef,
        on: &str,
        taste: Taste,
    ) -> Call {
        let invoke = self.invoke_on(handed);
        self.foreign_call(draft, invoke, member, Some(on), taste)
    }

    fn invoke_on(&self, class: ClassId) -> Invoke {
        let loaded = self.program().class(class);
        if loaded.is_some_and(|class| class.access().is_interface()) {
            Invoke::Interface
        } else {
            Invoke::Virtual
        }
    }

    /// m1 on the object beside a method of what m2 handed out: a session, a cursor, an entry, a list.
    pub(crate) fn view(&mut self, pair: Pair, number: usize, way: View, taste: Taste) -> Option<PlanDraft> {
        let handed = self.hands_out(self.callable(pair.second)?)?;
        let member = self.telling(handed.class).into_iter().nth(number)?;
        let mut draft = PlanDraft::default();
        let a = self.subject(&mut draft, taste)?;
        if way == View::Fresh {
            let mut second = self.handed_out_to_thread(&mut draft, pair.second, &handed, &a, taste)?;
            let one = self.call(&mut draft, pair.first, Some(&a), &[], taste)?;
            second.push(self.call_on(&mut draft, handed.class, member, VIEW, taste));
            draft.threads = vec![vec![one], second];
            self.observe_objects(&mut draft, &[a], &[pair.first, pair.second], true);
        } else {
            let view = self.handed_out(&mut draft, pair.second, &handed, &a, taste)?;
            if way == View::Filled {
                let filler = self.telling(handed.class).into_iter().find(|one| *one != member);
                let filler = filler.filter(|filler| !filler.descriptor.starts_with("()"))?;
                let filled = self.call_on(&mut draft, handed.class, filler, &view, taste);
                draft.prefix.push(filled);
            }
            let apart = usize::from(way == View::Apart);
            draft.enter_thread(Some(0));
            let one = self.call(&mut draft, pair.first, Some(&a), &[], shifted(taste, apart))?;
            draft.enter_thread(Some(1));
            let other = self.call_on(&mut draft, handed.class, member, &view, taste);
            draft.enter_thread(None);
            draft.threads = vec![vec![one], vec![other]];
            self.observe_objects(&mut draft, &[a], &[pair.first, pair.second], true);
            self.observe_handed(&mut draft, handed.class, &view);
        }
        Some(draft)
    }

    /// Two methods of one object that m handed out, if that looks as if threads may share it: a lease that is given back twice.
    /// Cursors and builders are for one thread.
    pub(crate) fn handed(&mut self, pair: Pair, number: usize, taste: Taste) -> Option<PlanDraft> {
        if pair.first != pair.second {
            return None;
        }
        let handed = self.hands_out(self.callable(pair.second)?)?;
        if !is_built_to_be_shared(self.program(), handed.class) {
            return None;
        }
        let members = self.telling(handed.class);
        let (one, other) = TWO_OF_THEM.get(number)?;
        let (one, other) = (members.get(*one)?.clone(), members.get(*other)?.clone());
        let mut draft = PlanDraft::default();
        let a = self.subject(&mut draft, taste)?;
        let view = self.handed_out(&mut draft, pair.second, &handed, &a, taste)?;
        let one = self.call_on(&mut draft, handed.class, one, &view, taste);
        let other = self.call_on(&mut draft, handed.class, other, &view, taste);
        draft.threads = vec![vec![one], vec![other]];
        self.observe_objects(&mut draft, &[a], &[pair.first], true);
        self.observe_handed(&mut draft, handed.class, &view);
        Some(draft)
    }

    /// Has an object hand one out before the threads begin, and names its variable.
    pub(crate) fn handed_out(
        &mut self,
        draft: &mut PlanDraft,
        maker: usize,
        handed: &HandedOut,
        on: &str,
        taste: Taste,
    ) -> Option<String> {
        let made = self.call(draft, maker, Some(on), &[], taste)?;
        Some(match &handed.inside {
            None => draft.keep(made, handed.class, Role::Ingredient),
            Some((class, content)) => {
                let inside = draft.keep(made, *class, Role::Ingredient);
                let taken = self.call_on(draft, *class, content.clone(), &inside, taste);
                draft.keep(taken, handed.class, Role::Ingredient)
            }
        })
    }

    /// The calls by which a thread gets such an object.
    pub(crate) fn handed_out_to_thread(
        &mut self,
        draft: &mut PlanDraft,
        maker: usize,
        handed: &HandedOut,
        on: &str,
        taste: Taste,
    ) -> Option<Vec<Call>> {
        let mut made = self.call(draft, maker, Some(on), &[], taste)?;
        Some(match &handed.inside {
            None => {
                made.bind = Some(VIEW.to_owned());
                vec![made]
            }
            Some((class, content)) => {
                made.bind = Some(INSIDE.to_owned());
                let mut taken = self.call_on(draft, *class, content.clone(), INSIDE, taste);
                taken.bind = Some(VIEW.to_owned());
                vec![made, taken]
            }
        })
    }

    /// Asks what was handed out how it is, when the threads have ended.
    fn observe_handed(&mut self, draft: &mut PlanDraft, handed: ClassId, view: &str) {
        let program = self.program();
        let is_answer = |member: &MemberRef| {
            let result = member.descriptor.strip_prefix("()");
            result.is_some_and(|result| result.len() == 1 && result != "V" || result == "Ljava/lang/String;")
        };
        let mut asked: Vec<MemberRef> = self
            .looks(handed)
            .filter(|member| is_answer(member) && !stores(program, member))
            .collect();
        asked.truncate(MOST_ASKED);
        for member in asked {
            let look = self.call_on(draft, handed, member, view, Taste::Plain(0));
            draft.after.push(look);
        }
    }
}

/// Whether a method stores into a field itself.
fn stores(program: &Program, member: &MemberRef) -> bool {
    has_instruction(body(program, member), |insn| matches!(insn, Insn::PutField(_)))
}

/// Whether a method calls nothing and takes no lock.
fn is_getter(program: &Program, member: &MemberRef) -> bool {
    let view = body(program, member);
    view.is_some_and(|view| !view.access().is_synchronized())
        && !has_instruction(view, |insn| {
            matches!(
                insn,
                Insn::MonitorEnter
                    | Insn::InvokeVirtual(_)
                    | Insn::InvokeSpecial(_)
                    | Insn::InvokeStatic(_)
                    | Insn::InvokeInterface { .. }
            )
        })
}

/// The method that a call of a member runs, if it has code.
fn body<'p>(program: &'p Program, member: &MemberRef) -> Option<MethodView<'p>> {
    let class = program.class_id(&member.internal_class());
    let (name, descriptor) = (program.symbol(&member.name), program.symbol(&member.descriptor));
    let found = program.select_method(class, name, descriptor)?;
    let (owner, _) = program.method(found)?;
    let mut methods = owner.file().methods();
    methods.find(|method| method.name() == member.name && method.descriptor() == member.descriptor)
}

/// Whether a class has a volatile field, takes a monitor, or has a field with such a class: something that only threads need.
fn is_built_to_be_shared(program: &Program, class: ClassId) -> bool {
    let has_sign = |class: &Class| {
        class.fields().iter().any(|field| field.access.is_volatile())
            || class
                .methods()
                .iter()
                .any(|method| method.access.is_synchronized())
            || class
                .file()
                .methods()
                .any(|method| has_instruction(Some(method), |insn| matches!(insn, Insn::MonitorEnter)))
    };
    program.ancestry(class).any(|class| {
        let mut fields = class.fields().iter().filter(|field| !field.access.is_static());
        has_sign(class)
            || fields.any(|field| {
                let held = program.text(field.descriptor);
                let name = held.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
                let held = name.and_then(|name| program.class(program.class_id(name)));
                held.is_some_and(|held| held.is_platform() && has_sign(held))
            })
    })
}

fn has_instruction(method: Option<MethodView<'_>>, is_wanted: impl Fn(&Insn<'_>) -> bool) -> bool {
    let code = method.and_then(|method| method.code().ok().flatten());
    code.is_some_and(|code| {
        code.instructions()
            .map_while(Result::ok)
            .any(|(_, insn)| is_wanted(&insn))
    })
}
