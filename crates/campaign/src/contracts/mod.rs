//! What the documentation of types promises and does not promise, from files of data, through the hierarchy of types.
//!
//! A contract of a type holds for its subclasses and implementations, unless one of a type in between says something
//! else, and for methods that only hand the call on, see [`delegate`], or look through something, see [`traversal`].

mod contract;
pub(crate) mod delegate;
mod excuse;
mod file;
mod terms;
mod traversal;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use raddle_program::{ClassId, Program};

pub(crate) use contract::{Contract, Term};
pub(crate) use excuse::Excuses;
pub use file::ContractError;
pub(crate) use terms::{Lookup, Terms};

/// Those that come with Raddle.
const BUNDLED: [(&str, &str); 7] = [
    ("jdk.toml", include_str!("../../contracts/jdk.toml")),
    ("guava.toml", include_str!("../../contracts/guava.toml")),
    ("caches.toml", include_str!("../../contracts/caches.toml")),
    ("queues.toml", include_str!("../../contracts/queues.toml")),
    ("names.toml", include_str!("../../contracts/names.toml")),
    ("libraries.toml", include_str!("../../contracts/libraries.toml")),
    ("frameworks.toml", include_str!("../../contracts/frameworks.toml")),
];
/// Methods that hand on to methods that hand on.
const MOST_HANDED: usize = 3;

/// What the documentation of types promises and does not promise.
#[derive(Clone, Debug, Default)]
pub struct Contracts(BTreeMap<String, Vec<Arc<Contract>>>);

/// A contract that holds for a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) contract: Arc<Contract>,
    /// The method by the name that the contract knows it by.
    method: String,
    /// The method that it comes from, if it is not that one itself.
    through: Option<Through>,
}

/// How a method comes by the contract of another one; the name is its own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Through {
    /// It hands its call on.
    Delegating(String),
    /// It answers by what that one shows.
    Looking(String),
}

impl Rule {
    pub(crate) fn term(&self) -> Term {
        self.contract.term
    }

    /// What it says, as a sentence without its end.
    pub(crate) fn sentence(&self) -> String {
        let sentence = self.contract.sentence_of(&self.method);
        match &self.through {
            Some(Through::Delegating(wrapper)) => format!("{wrapper} only delegates, and {sentence}"),
            Some(Through::Looking(looker)) => format!("{looker} only looks through it, and {sentence}"),
            None => sentence,
        }
    }
}

impl Contracts {
    /// Those that come with Raddle.
    pub fn bundled() -> Result<Contracts, ContractError> {
        let mut contracts = Contracts::default();
        for (file, text) in BUNDLED {
            contracts.add(file::parse(file, text, false)?);
        }
        Ok(contracts)
    }

    /// Adds those of a file that the user has written. They go before others about the same type and methods.
    pub fn add_file(&mut self, path: &Path) -> Result<(), ContractError> {
        self.add(file::read(path)?);
        Ok(())
    }

    fn add(&mut self, contracts: Vec<Contract>) {
        for contract in contracts {
            let of_type = self.0.entry(contract.of.clone()).or_default();
            of_type.push(Arc::new(contract));
        }
    }

    /// What holds for a method of a class, its own and that of methods it hands on to.
    pub(crate) fn of_method(
        &self,
        program: &Program,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Vec<Rule> {
        let mut rules = self.written(program, class, name, descriptor);
        let (mut class, mut name, mut descriptor) = (class, name.to_owned(), descriptor.to_owned());
        let wrapper = format!("{}.{name}", program.name(class));
        for _ in 0..MOST_HANDED {
            if rules.iter().any(|rule| rule.term().is_of_steps()) {
                break;
            }
            let Some(handed) = delegate::handed_on(program, class, &name, &descriptor) else {
                break;
            };
            (class, name, descriptor) = (handed.class, handed.name, handed.descriptor);
            let below = self.written(program, class, &name, &descriptor);
            // Which object is in itself, and which one forgets, is not the wrapper.
            let below = below
                .into_iter()
                .filter(|rule| !matches!(rule.term(), Term::NotInItself | Term::Forgets));
            rules.extend(below.map(|rule| Rule {
                through: Some(Through::Delegating(wrapper.clone())),
                ..rule
            }));
        }
        if rules.is_empty() {
            rules = self.of_looks(program, class, &name, &descriptor, &wrapper);
        }
        rules
    }

    /// What holds for a method that answers by what it sees of a thread-safe thing which a field holds, and changes nothing, if
    /// that is documented to be no snapshot: its own answer cannot be one either.
    fn of_looks(
        &self,
        program: &Program,
        class: ClassId,
        name: &str,
        descriptor: &str,
        looker: &str,
    ) -> Vec<Rule> {
        let is_safe = |held: ClassId| {
            let contract = self.of_type(program, held);
            contract.is_some_and(|contract| contract.term == Term::ThreadSafe)
        };
        let Some(look) = traversal::look(program, class, name, descriptor, &is_safe) else {
            return Vec::new();
        };
        let written = self.written(program, look.class, &look.name, &look.descriptor);
        let snapshots = written.into_iter().filter(|rule| rule.term() == Term::Snapshot);
        let through = Through::Looking(looker.to_owned());
        snapshots
            .map(|rule| Rule {
                through: Some(through.clone()),
                ..rule
            })
            .collect()
    }

    /// What is written of a method of the class, or of one that it inherits or implements.
    fn written(&self, program: &Program, class: ClassId, name: &str, descriptor: &str) -> Vec<Rule> {
        let all: Vec<Arc<Contract>> = self
            .above(program, class)
            .filter(|contract| !contract.term.is_of_type() && contract.methods.contain(name, descriptor))
            .collect();
        let rules = all.iter().filter(|contract| {
            let is_replaced = |by: &&Arc<Contract>| replaces(program, by, contract);
            !contract.term.is_of_steps() || !all.iter().any(|by| is_replaced(&by))
        });
        rules
            .filter(|contract| contract.term != Term::Atomic)
            .map(|contract| Rule {
                contract: Arc::clone(contract),
                method: name.to_owned(),
                through: None,
            })
            .collect()
    }

    /// What is said of a class as a whole, by itself, by the nearest type above it, or by an annotation that it has.
    pub(crate) fn of_type(&self, program: &Program, class: ClassId) -> Option<Arc<Contract>> {
        self.by_supertype(program, class)
            .or_else(|| self.by_annotation(program, class))
    }

    /// What is said of the annotations of a class. Subclasses do not have them: whether a framework makes objects of those is
    /// said by their own.
    fn by_annotation(&self, program: &Program, class: ClassId) -> Option<Arc<Contract>> {
        let annotations = program.class(class)?.file().all_annotations();
        let mut contracts = annotations.iter().flat_map(|descriptor| {
            let name = descriptor.trim_start_matches('L').trim_end_matches(';');
            self.0.get(name).into_iter().flatten()
        });
        contracts.find(|contract| contract.term.is_of_type()).cloned()
    }

    fn by_supertype(&self, program: &Program, class: ClassId) -> Option<Arc<Contract>> {
        let all: Vec<Arc<Contract>> = self
            .above(program, class)
            .filter(|contract| contract.term.is_of_type())
            .collect();
        let is_last = |contract: &&Arc<Contract>| !all.iter().any(|by| replaces(program, by, contract));
        all.iter().find(is_last).cloned()
    }

    /// All contracts of a class and of what it inherits from, as far as they hold for it.
    fn above<'a>(&'a self, program: &'a Program, class: ClassId) -> impl Iterator<Item = Arc<Contract>> + 'a {
        let supers = program.ancestry(class).map(raddle_program::Class::id);
        // A class that is not on the class path has a name all the same.
        let first = program.class(class).is_none().then_some(class);
        first
            .into_iter()
            .chain(supers)
            .chain(program.all_interfaces(class))
            .flat_map(move |id| {
                let of_type = self.0.get(program.internal_name(id)).into_iter().flatten();
                of_type.filter(move |contract| contract.subtypes || id == class)
            })
            .cloned()
    }
}

/// Whether what one contract says takes the place of what another one of the same sort says.
fn replaces(program: &Program, by: &Contract, other: &Contract) -> bool {
    let is_sort =
        by.term.is_of_steps() == other.term.is_of_steps() && by.term.is_of_type() == other.term.is_of_type();
    if by.of == other.of {
        return is_sort && by.is_users && !other.is_users;
    }
    let (below, above) = (program.class_id(&by.of), program.class_id(&other.of));
    is_sort && program.is_subtype(below, above) == Some(true)
}

#[cfg(test)]
mod tests;
