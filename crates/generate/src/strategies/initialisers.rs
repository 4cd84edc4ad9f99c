//! Our own: two classes whose initialisers need each other, each used by one thread for the first time; and a class whose
//! initialiser takes a lock, used by one thread that may have it and by one that has not.
//!
//! There are few such classes, and few ways to use them, so that these tests come before all others. Nothing is prepared
//! that would initialise one of the classes before the threads begin.

use raddle_plan::{Call, Invoke, MemberRef};
use raddle_program::{Class, ClassId, Program};
use raddle_summary::Initialisation;

use crate::callable::parameters;
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::target::Target;
use crate::values::Taste;
use crate::visible::is_visible;
use crate::{Candidate, Mode};

/// Ways to use a class for the first time that are tried, methods of the class under test that are looked at, and plans that are
/// made.
const MOST_ENTRIES: usize = 2;
const MOST_METHODS: usize = 40;
const MOST_PLANS: usize = 12;
const TASTE: Taste = Taste::Plain(0);

/// A way to use a class for the first time.
enum Entry {
    /// By a static method, a constructor or a static field of it.
    Member(Invoke, MemberRef),
    /// By a method of the class under test, by its index.
    Method(usize),
}

/// All plans for a class under test: about initialisers that need each other, its own or those of classes that its methods use,
/// and about initialisers that take locks. Most classes have none.
pub(crate) fn initialiser_plans(target: Target<'_>, seed: u64) -> Vec<Candidate> {
    let program = target.program;
    if program.class(target.class).is_none_or(Class::is_platform) {
        return Vec::new();
    }
    let Ok(builder) = PlanBuilder::new(target, seed) else {
        return Vec::new();
    };
    let mut plans = Plans {
        initialisation: Initialisation::new(program),
        builder,
        made: Vec::new(),
    };
    plans.of_class();
    let uses = plans.uses();
    plans.of_cycles(&uses);
    plans.of_monitors(&uses);
    plans.made
}

/// A method, by its index, and a class that it may be the first to use.
type Use = (usize, ClassId);

struct Plans<'p> {
    initialisation: Initialisation<'p>,
    builder: PlanBuilder<'p>,
    made: Vec<Candidate>,
}

impl Plans<'_> {
    /// The class itself in one thread, and another that it needs in the other.
    fn of_class(&mut self) {
        let Target { program, class, .. } = self.builder.target;
        let cycle = self.initialisation.cycle(class);
        let own = entries(program, class);
        for other in cycle.iter().copied().filter(|other| *other != class) {
            for theirs in entries(program, other) {
                for ours in &own {
                    self.make(ours, &theirs, &cycle, (class, other));
                }
            }
        }
    }

    /// What the methods use, in their order and that of the names of the classes.
    fn uses(&self) -> Vec<Use> {
        let own = self.builder.target.class;
        let mut uses = Vec::new();
        for method in self.builder.callables().iter().take(MOST_METHODS) {
            let MemberRef { name, descriptor, .. } = &method.member;
            let used = self.initialisation.by_call(own, name, descriptor);
            uses.extend(used.into_iter().map(|class| (method.index, class)));
        }
        uses.retain(|(_, class)| *class != own);
        let program = self.builder.program();
        uses.sort_by_key(|(index, class)| (*index, program.internal_name(*class)));
        uses
    }

    /// Methods that use two classes whose initialisers need each other, a thread each.
    fn of_cycles(&mut self, uses: &[Use]) {
        let own = self.builder.target.class;
        let mut cycles: Vec<(Vec<ClassId>, Vec<Use>)> = Vec::new();
        for &(index, class) in uses {
            let cycle = self.initialisation.cycle(class);
            // That is tried in another way.
            if cycle.is_empty() || cycle.contains(&own) {
                continue;
            }
            match cycles.iter_mut().find(|(known, _)| *known == cycle) {
                Some((_, users)) => users.push((index, class)),
                None => cycles.push((cycle, vec![(index, class)])),
            }
        }
        for (cycle, users) in cycles {
            for (at, &(first, one)) in users.iter().enumerate() {
                for &(second, other) in users.iter().skip(at + 1) {
                    if one != other {
                        let entries = (Entry::Method(first), Entry::Method(second));
                        self.make(&entries.0, &entries.1, &cycle, (one, other));
                    }
                }
            }
        }
    }

    /// A method that uses a class, which it may do with a lock, and in another thread the class itself, whose initialiser may
    /// want that lock.
    fn of_monitors(&mut self, uses: &[Use]) {
        let own = self.builder.target.class;
        for &(index, class) in uses {
            if self.initialisation.takes_monitor(class) {
                for entry in entries(self.builder.program(), class) {
                    self.make(&Entry::Method(index), &entry, &[class], (own, class));
                }
            }
        }
    }

    fn make(&mut self, first: &Entry, second: &Entry, cycle: &[ClassId], about: (ClassId, ClassId)) {
        if self.made.len() == MOST_PLANS {
            return;
        }
        let mut draft = PlanDraft::default();
        let mut receiver = None;
        for entry in [first, second] {
            match self.call(entry, &mut draft, &mut receiver) {
                Some(call) => draft.threads.push(vec![call]),
                None => return,
            }
        }
        let program = self.builder.program();
        let is_early = draft.prefix.iter().any(|call| {
            let class = program.class_id(&call.member.internal_class());
            let MemberRef { name, descriptor, .. } = &call.member;
            let used = self.initialisation.by_call(class, name, descriptor);
            cycle.iter().any(|class| used.contains(class))
        });
        if is_early {
            return;
        }
        draft.uninitialised = cycle.iter().map(|class| program.name(*class)).collect();
        let text = format!(
            "initialisers of {} and {}",
            program.name(about.0),
            program.name(about.1)
        );
        let made = self.builder.finish(draft, Mode::Deadlock, None, text);
        self.made.extend(made);
    }

    fn call(&mut self, entry: &Entry, draft: &mut PlanDraft, receiver: &mut Option<String>) -> Option<Call> {
        match entry {
            Entry::Member(invoke, member) => {
                Some(
                    self.builder
                        .foreign_call(draft, *invoke, member.clone(), None, TASTE),
                )
            }
            Entry::Method(index) => {
                let is_static = self.builder.callable(*index)?.is_static();
                if !is_static && receiver.is_none() {
                    *receiver = Some(self.builder.subject(draft, TASTE)?);
                }
                self.builder.call(draft, *index, receiver.as_deref(), &[], TASTE)
            }
        }
    }
}

/// Those with the fewest arguments first.
fn entries(program: &Program, class: ClassId) -> Vec<Entry> {
    let Some(loaded) = program.class(class).filter(|_| is_visible(program, class)) else {
        return Vec::new();
    };
    let mut found = methods(program, loaded);
    found.extend(fields(program, loaded));
    found.sort_by_key(|(_, member)| parameters(&member.descriptor).len());
    found.truncate(MOST_ENTRIES);
    let entry = |(invoke, member)| Entry::Member(invoke, member);
    found.into_iter().map(entry).collect()
}

/// Static methods and constructors that the class itself has.
fn methods(program: &Program, class: &Class) -> Vec<(Invoke, MemberRef)> {
    let methods = class.methods().iter();
    methods
        .filter(|method| method.access.is_public() && !method.access.is_synthetic())
        .filter_map(|method| {
            let name = program.text(method.name);
            let descriptor = program.text(method.descriptor);
            let invoke = match name {
                "<init>" if !class.access().is_abstract() => Invoke::New,
                "main" if descriptor == "([Ljava/lang/String;)V" => return None,
                _ if method.access.is_static() && name != "<clinit>" => Invoke::Static,
                _ => return None,
            };
            let member = MemberRef {
                class: program.name(class.id()),
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
            };
            Some((invoke, member))
        })
        .collect()
}

/// Objects in static fields; what is known to the compiler of other classes initialises nothing.
fn fields(program: &Program, class: &Class) -> Vec<(Invoke, MemberRef)> {
    let fields = class.fields().iter().zip(class.file().fields());
    fields
        .filter(|(field, view)| {
            field.access.is_public()
                && field.access.is_static()
                && !field.access.is_synthetic()
                && view.constant_value().is_none()
                && program.text(field.descriptor).starts_with('L')
        })
        .map(|(field, _)| {
            let member = MemberRef {
                class: program.name(class.id()),
                name: program.text(field.name).to_owned(),
                descriptor: format!("(){}", program.text(field.descriptor)),
            };
            (Invoke::Constant, member)
        })
        .collect()
}
