//! A contract: what the documentation of a type does not promise of some of its methods, or promises of the whole type.

use serde::Deserialize;

/// What is promised, or is not. `docs/contracts.md` has a table of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Term {
    /// The call takes effect in one step, whatever is said of it in a supertype.
    Atomic,
    /// What the call returns need not fit any single moment. Nothing is said of other calls.
    Snapshot,
    /// The call reads or changes in several steps, so that other calls may see some of them.
    NotAtomic,
    /// The call may give up (false, null, -1) although no order of the calls makes it.
    MayFail,
    /// The call may throw what another one of these calls has thrown that is under way at the same time.
    SharedFailure,
    /// Nothing is promised if an argument is changed by another thread meanwhile.
    ArgumentUnmodified,
    /// Nothing is promised of an object that contains itself.
    NotInItself,
    /// No two threads may make these calls on one object at the same time.
    SingleUser,
    /// An object that was prepared with such a call may drop content by itself.
    Forgets,
    /// The call returns with a lock that its caller has to give back.
    Takes,
    /// The call gives back what such a call has taken.
    GivesBack,
    /// Of a type: threads may share its objects.
    ThreadSafe,
    /// Of a type: its objects never change.
    Immutable,
    /// Of a type: threads may not share its objects.
    NotThreadSafe,
}

impl Term {
    /// Whether it is about a type and not about single methods.
    pub(crate) const fn is_of_type(self) -> bool {
        matches!(self, Term::ThreadSafe | Term::Immutable | Term::NotThreadSafe)
    }

    /// Whether it is about how many steps a call takes, or what it may answer. Of these, the one nearest in the hierarchy
    /// replaces the others.
    pub(crate) const fn is_of_steps(self) -> bool {
        matches!(
            self,
            Term::Atomic | Term::Snapshot | Term::NotAtomic | Term::MayFail
        )
    }
}

/// Which methods are meant: a name, the beginning of one followed by `*`, or a name with its descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Methods(pub(crate) Vec<String>);

impl Methods {
    /// Whether a method is among them.
    pub(crate) fn contain(&self, name: &str, descriptor: &str) -> bool {
        self.0.iter().any(|pattern| match pattern.split_once('(') {
            Some((own, rest)) => own == name && descriptor.strip_prefix('(') == Some(rest),
            None => match pattern.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => pattern == name,
            },
        })
    }
}

/// One statement about one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contract {
    /// Internal name of the type.
    pub(crate) of: String,
    /// None for a statement about the type as a whole.
    pub(crate) methods: Methods,
    pub(crate) term: Term,
    /// The documentation in short: "the value is an estimate while others add".
    pub(crate) says: String,
    /// Where the documentation says so.
    pub(crate) at: String,
    /// Whether it holds for subclasses and implementations.
    pub(crate) subtypes: bool,
    /// Whether the user wrote it, so that it goes before what comes with Raddle.
    pub(crate) is_users: bool,
}

impl Contract {
    /// The statement as a sentence without its end: `the documentation of java.util.Vector says: … (…)`.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "the documentation of {} says: {} ({})",
            self.of.replace('/', "."),
            self.says,
            self.at
        )
    }

    /// The same of one method.
    pub(crate) fn sentence_of(&self, method: &str) -> String {
        format!(
            "the documentation of {}.{method} says: {} ({})",
            self.of.replace('/', "."),
            self.says,
            self.at
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_named_in_three_ways() {
        let methods = Methods(
            ["size", "forEach*", "remove(Ljava/lang/Object;)Z"]
                .map(str::to_owned)
                .into(),
        );
        assert!(methods.contain("size", "()I"));
        assert!(methods.contain("forEachKey", "()V") && methods.contain("forEach", "()V"));
        assert!(methods.contain("remove", "(Ljava/lang/Object;)Z"));
        assert!(!methods.contain("remove", "(I)Z") && !methods.contain("sizes", "()I"));
    }
}
