//! How consistently a class guards each part of its state, by the accesses that the analysis found.
//!
//! A lock somewhere in a class says little: a parser with one synchronized method is still meant for one thread. What says
//! more is whether most of the code that touches a field holds a lock, as in "14 of 15 accesses of `count` hold `this`"; the
//! fifteenth is then the mistake. This is the rule by which Engler et al. ("Bugs as deviant behavior") tell beliefs of
//! programmers from coincidence.

use std::collections::{BTreeMap, BTreeSet};

use raddle_program::{Class, ClassId, Program};
use raddle_summary::{Access, AccessKind, AccessMode, ClassFacts};

use crate::contracts::delegate::field_class;
use crate::contracts::{Contracts, Term};
use crate::promise::sign;

/// Accesses that are counted.
#[derive(Copy, Clone, Debug, Default)]
struct Share {
    guarded: usize,
    all: usize,
}

impl Share {
    fn add(&mut self, is_guarded: bool) {
        self.all += 1;
        self.guarded += usize::from(is_guarded);
    }

    fn plus(self, other: Share) -> Share {
        Share {
            guarded: self.guarded + other.guarded,
            all: self.all + other.all,
        }
    }

    fn is_most(self) -> bool {
        self.all > 0 && 2 * self.guarded >= self.all
    }

    /// Nine of ten.
    fn is_nearly_all(self) -> bool {
        self.guarded * 10 >= self.all * 9
    }
}

/// What a method does with a field.
#[derive(Copy, Clone, Debug, Default)]
struct Use {
    reads: bool,
    writes: bool,
}

/// What is known of one field.
#[derive(Clone, Debug, Default)]
struct Field {
    /// Without those that are guarded by nothing but being volatile.
    accesses: Share,
    writes: Share,
    /// Accesses and writes that nothing but being volatile guards.
    volatile: usize,
    volatile_writes: usize,
    /// How many accesses hold a lock, by lock.
    held: BTreeMap<String, usize>,
    /// Methods that read or write it.
    methods: BTreeMap<usize, Use>,
}

impl Field {
    /// Whether all of the methods that touch it store a value that may depend on the one that was there, as `count++` does: then
    /// it is an update that got lost. Who only reads sees what was stored last.
    fn is_updated_by(&self, methods: &[usize]) -> bool {
        let uses: Vec<&Use> = methods
            .iter()
            .filter_map(|method| self.methods.get(method))
            .collect();
        !uses.is_empty() && uses.iter().all(|used| used.reads && used.writes)
    }

    /// Counts volatile accesses as guarded. They are, one by one; what several of them do together nobody promises, unless
    /// they are an update of one field, which people take for one step.
    fn with_volatile(&self) -> Field {
        let mut field = self.clone();
        field.accesses.guarded += self.volatile;
        field.writes.guarded += self.volatile_writes;
        field
    }

    fn without_volatile(&self) -> Field {
        Field {
            volatile: 0,
            volatile_writes: 0,
            ..self.clone()
        }
    }
}

/// How consistently a class guards each field that its methods change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    /// By name, whether they are static or not.
    fields: BTreeMap<String, Field>,
    /// Signatures of the methods, in the order of the facts.
    methods: Vec<String>,
    /// Simple names of the class and of those that it inherits from.
    owners: BTreeSet<String>,
    /// Names of the fields that neither it nor what it inherits has from the platform.
    own_fields: BTreeSet<String>,
    /// What looks as if objects of the class were shared, if that is all inherited from a class of the platform.
    heritage: Option<Heritage>,
}

/// A class of the platform that is built to be shared, above one that has no sign of that itself.
#[derive(Clone, Debug)]
struct Heritage {
    /// Its name.
    of: String,
    /// Signatures of the methods that are as the platform has them, and of those that stand in for one of its methods.
    inherited: BTreeSet<String>,
    overriding: BTreeSet<String>,
}

/// Why a class of the platform promises nothing of a violation.
enum Disowned {
    /// It is that class which answers for all of it.
    Inherited(String),
    /// There is a method that it does not have.
    New(String),
}

impl Heritage {
    fn of(program: &Program, contracts: &Contracts, class: ClassId, facts: &ClassFacts) -> Option<Heritage> {
        let mut above = program.ancestry(class).skip_while(|one| !one.is_platform());
        let is_shared = |one: &&Class| {
            let contract = contracts.of_type(program, one.id());
            sign(program, contracts, one).is_some()
                || contract.is_some_and(|contract| contract.term == Term::ThreadSafe)
        };
        let of = above.find(is_shared)?;
        let mut own = program.ancestry(class).take_while(|one| !one.is_platform());
        if of.id() == class || own.any(|one| sign(program, contracts, one).is_some()) {
            return None;
        }
        let mut heritage = Heritage {
            of: program.name(of.id()),
            inherited: BTreeSet::new(),
            overriding: BTreeSet::new(),
        };
        for (id, facts) in program.public_methods(class).into_iter().zip(&facts.methods) {
            let Some((owner, method)) = program.method(id) else {
                continue;
            };
            if owner.is_platform() {
                heritage.inherited.insert(facts.signature.clone());
            } else if has_such(
                program,
                of,
                program.text(method.name),
                program.text(method.descriptor),
            ) {
                heritage.overriding.insert(facts.signature.clone());
            }
        }
        Some(heritage)
    }

    /// Why what is inherited promises nothing of these methods.
    fn disowns(&self, methods: &[String]) -> Option<Disowned> {
        if methods.is_empty() {
            return None;
        }
        if methods.iter().all(|method| self.inherited.contains(method)) {
            return Some(Disowned::Inherited(format!(
                "all that the threads called is inherited as it is from {}, which answers for it",
                self.of
            )));
        }
        let is_of_it =
            |method: &&String| self.inherited.contains(*method) || self.overriding.contains(*method);
        let new = methods.iter().find(|method| !is_of_it(method))?;
        Some(Disowned::New(format!(
            "what {} promises does not go for {new}, which it does not have",
            self.of
        )))
    }
}

/// What the numbers say about some fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guarded {
    /// Whether most accesses hold a lock, or most writes: readers that forget it are the commonest mistake. Or nearly all are
    /// guarded in one way or another.
    pub(crate) is_most: bool,
    /// "14 of 15 accesses of `count` hold `this`".
    pub(crate) sentence: String,
}

impl Guards {
    /// From the accesses of all public methods.
    pub(crate) fn of(program: &Program, contracts: &Contracts, class: ClassId, facts: &ClassFacts) -> Guards {
        let safe = safe_fields(program, contracts, class);
        let state = |access: &&Access| access.is_of_state() && !access.location.starts_with('?');
        let accesses = || {
            facts.methods.iter().enumerate().flat_map(|(at, method)| {
                let of_state = method.accesses.iter().filter(state);
                of_state.map(move |access| (at, access))
            })
        };
        // What no method writes cannot be broken, so that nobody has to guard it.
        let changed: BTreeSet<&str> = accesses()
            .filter(|(_, access)| access.kind == AccessKind::Write)
            .map(|(_, access)| &*access.location)
            .collect();
        let mut guards = Guards {
            methods: facts
                .methods
                .iter()
                .map(|method| method.signature.clone())
                .collect(),
            owners: program
                .ancestry(class)
                .map(|ancestor| simple(&program.name(ancestor.id())).to_owned())
                .collect(),
            own_fields: program
                .ancestry(class)
                .take_while(|ancestor| !ancestor.is_platform())
                .flat_map(Class::fields)
                .map(|field| program.text(field.name).to_owned())
                .collect(),
            heritage: Heritage::of(program, contracts, class, facts),
            ..Guards::default()
        };
        for (method, access) in accesses().filter(|(_, access)| changed.contains(&*access.location)) {
            let Some(name) = field_name(&access.location) else {
                continue;
            };
            let is_write = access.kind == AccessKind::Write;
            // That what a field holds is thread-safe says nothing of the field: who stores another object there needs more.
            let is_inside = !access.location.ends_with(&format!(".{name}"));
            let is_guarded = access.mode == AccessMode::Atomic
                || !access.held.is_empty()
                || (is_inside && safe.contains(name));
            let is_volatile = access.mode == AccessMode::Volatile && !is_guarded;
            let field = guards.fields.entry(name.to_owned()).or_default();
            field.accesses.add(is_guarded);
            field.volatile += usize::from(is_volatile);
            if is_write {
                field.writes.add(is_guarded);
                field.volatile_writes += usize::from(is_volatile);
            }
            for lock in &access.held {
                *field.held.entry(lock.clone()).or_default() += 1;
            }
            let used = field.methods.entry(method).or_default();
            used.reads |= !is_write;
            used.writes |= is_write;
        }
        guards
    }

    /// What the numbers say about the state that a violation breaks; none if they say nothing about it.
    ///
    /// `state` has the places on which its calls met, `methods` the signatures of those that ran at the same time. Of
    /// places inside other objects it is not known which field leads there: then all fields count that the methods share.
    pub(crate) fn about(&self, state: &BTreeSet<String>, methods: &[String]) -> Option<Guarded> {
        // What other objects do with a field is not known.
        let is_known = methods.iter().all(|method| self.methods.contains(method));
        let (names, methods) = self.names(state, methods);
        self.guarded(&names, |field| is_known && field.is_updated_by(&methods))
    }

    /// The fields that this state is of, and the numbers of the methods.
    fn names(&self, state: &BTreeSet<String>, methods: &[String]) -> (BTreeSet<&str>, Vec<usize>) {
        let own: BTreeSet<&str> = state
            .iter()
            .filter_map(|place| {
                // Of an exception: "java.lang.X at Table.size".
                let place = place.rsplit(' ').next().unwrap_or(place);
                let (owner, name) = place.rsplit_once('.')?;
                let (name, _) = self.fields.get_key_value(name)?;
                self.owners.contains(owner).then_some(name.as_str())
            })
            .collect();
        let methods: Vec<usize> = (0..self.methods.len())
            .filter(|at| methods.contains(&self.methods[*at]))
            .collect();
        let names = if own.is_empty() {
            self.shared(&methods)
        } else {
            own
        };
        (names, methods)
    }

    /// Why the class promises nothing of these methods and this state, if its only sign of a promise is what it inherits from the
    /// platform: they are the platform's own, or have nothing to do with it.
    pub(crate) fn disowned(&self, state: &BTreeSet<String>, methods: &[String]) -> Option<String> {
        match self.heritage.as_ref()?.disowns(methods)? {
            Disowned::Inherited(sentence) => Some(sentence),
            Disowned::New(sentence) => {
                let (mut names, methods) = self.names(state, methods);
                names.retain(|name| self.own_fields.contains(*name));
                let guarded = self.guarded(&names, |field| field.is_updated_by(&methods))?;
                (!guarded.is_most).then(|| format!("{sentence}, and only {}", guarded.sentence))
            }
        }
    }

    /// The same about the field with the most guarded accesses.
    pub(crate) fn best(&self) -> Option<Guarded> {
        let most_held = |field: &Field| field.held.values().copied().max().unwrap_or_default();
        // Of equals the first by name.
        let best = self.fields.iter().rev().max_by_key(|(_, field)| most_held(field));
        let (name, _) = best.filter(|(_, field)| most_held(field) > 0)?;
        self.guarded(&BTreeSet::from([name.as_str()]), |_| true)
    }

    /// Fields that two of the methods touch and one of them writes. A method alone runs beside itself.
    fn shared(&self, methods: &[usize]) -> BTreeSet<&str> {
        let is_shared = |field: &Field| {
            let touching: Vec<&Use> = methods.iter().filter_map(|at| field.methods.get(at)).collect();
            touching.iter().any(|used| used.writes) && (touching.len() > 1 || methods.len() == 1)
        };
        let shared = self.fields.iter().filter(|(_, field)| is_shared(field));
        shared.map(|(name, _)| name.as_str()).collect()
    }

    fn guarded(&self, names: &BTreeSet<&str>, trusts_volatile: impl Fn(&Field) -> bool) -> Option<Guarded> {
        let fields = names.iter().filter_map(|name| self.fields.get(*name));
        let fields: Vec<Field> = fields
            .map(|field| {
                if trusts_volatile(field) {
                    field.with_volatile()
                } else {
                    field.without_volatile()
                }
            })
            .collect();
        let sum = |share: fn(&Field) -> Share| {
            let shares = fields.iter().map(share);
            shares.fold(Share::default(), Share::plus)
        };
        let accesses = sum(|field| field.accesses);
        let writes = sum(|field| field.writes);
        if accesses.all == 0 {
            return None;
        }
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let mut held: BTreeMap<&str, usize> = BTreeMap::new();
        for (lock, count) in fields.iter().flat_map(|field| &field.held) {
            *held.entry(lock).or_default() += count;
        }
        // One lock is named if it is what guards all that is guarded.
        let lock = held
            .into_iter()
            .find(|(_, count)| *count == accesses.guarded && *count > 0);
        let is_trusted = fields.iter().any(|field| field.volatile > 0);
        let volatile = if is_trusted { "volatile, " } else { "" };
        let how = lock.map_or_else(
            || format!("hold a lock or are {volatile}atomic or of a thread-safe type"),
            |(lock, _)| format!("hold `{lock}`"),
        );
        // A lock is taken on purpose; a field may be of a thread-safe type for reasons of its own, so there have to be more.
        let is_most = if lock.is_some() {
            accesses.is_most() || writes.is_most()
        } else {
            accesses.is_nearly_all()
        };
        Some(Guarded {
            is_most,
            sentence: format!(
                "{} of {} accesses of {} {how}",
                accesses.guarded,
                accesses.all,
                quoted.join(", ")
            ),
        })
    }
}

/// Whether a class has a method of that name with such parameters; an overriding one may give back something narrower.
fn has_such(program: &Program, class: &Class, name: &str, descriptor: &str) -> bool {
    let parameters = |descriptor: &str| descriptor.split(')').next().map(str::to_owned);
    program.ancestry(class.id()).any(|one| {
        one.methods().iter().any(|method| {
            program.text(method.name) == name
                && parameters(program.text(method.descriptor)) == parameters(descriptor)
        })
    })
}

/// Fields that hold objects of types that are documented to be thread-safe.
fn safe_fields(program: &Program, contracts: &Contracts, class: ClassId) -> BTreeSet<String> {
    let mut safe = BTreeSet::new();
    for ancestor in program.ancestry(class) {
        for field in ancestor.fields() {
            let name = program.text(field.name);
            let held = field_class(program, ancestor, name, program.text(field.descriptor));
            let contract = held.and_then(|held| contracts.of_type(program, held));
            if contract.is_some_and(|contract| contract.term == Term::ThreadSafe) {
                safe.insert(name.to_owned());
            }
        }
    }
    safe
}

/// The field at the root of a location: `table` of `this.table[]`, `FORMAT` of `org.jfree.Day.FORMAT.*`.
fn field_name(location: &str) -> Option<&str> {
    let of_static = || {
        let is_capital = |part: &&str| part.starts_with(|c: char| c.is_uppercase());
        let class = location.split('.').find(is_capital)?;
        let end = location.find(class)? + class.len();
        location.get(end..)?.strip_prefix('.')
    };
    let rest = location.strip_prefix("this.").or_else(of_static)?;
    let name = rest.split(['.', '[']).next()?;
    (!name.is_empty() && name != "*").then_some(name)
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}
