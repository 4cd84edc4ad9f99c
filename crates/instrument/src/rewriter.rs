//! Bytes in, bytes out.

use raddle_classfile::ClassFile;

use crate::class::{self, Wanted};
use crate::effects::{Effects, Platform};
use crate::left_alone::{LeftAlone, Reason};
use crate::site::Site;
use crate::sites::Sites;
use crate::tier::Tier;

/// What a rewriter does with which class.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Internal names of classes that are left as they are. A name that ends in `*` stands for all that
    /// begin so.
    pub unplugged: Vec<String>,
    /// What is known of the classes that are not interleaved: calls of these are steps, and what they touch follows from
    /// their code.
    pub platform: Option<Platform>,
}

/// Rewrites classes, and knows the sites in all it has rewritten. One serves all threads of a JVM.
#[derive(Debug, Default)]
pub struct Rewriter {
    options: Options,
    effects: Effects,
    sites: Sites,
}

/// What becomes of static state between runs.
#[derive(Copy, Clone, Debug, Default)]
pub struct StaticState<'a> {
    /// Whether that of the class is made anew: then it gets private static methods without parameters and results, if it has
    /// static state. `raddle$clear` sets its static fields to what they are before the class is initialised, and, if it has an
    /// initialiser, `raddle$initialise` does the same as that. When the class is initialised, or made anew by that,
    /// `java.lang.Raddle` is told.
    pub is_reset: bool,
    /// Internal names of the classes that are initialised in the run: whoever is about to use one of them tells
    /// `java.lang.Raddle`, and their initialisers do nothing by themselves.
    pub uninitialised: &'a [String],
}

/// What became of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The new class file; `None` when the old one stays.
    pub bytes: Option<Vec<u8>>,
    /// What should have been rewritten and was not.
    pub left_alone: Vec<LeftAlone>,
    /// Whether its static state was to be made anew and cannot be: the constants of enums are compared by identity, and
    /// the fields of interfaces are final for good.
    pub must_be_loaded_anew: bool,
}

impl Rewriter {
    /// A rewriter that knows no sites yet.
    pub fn new(options: Options) -> Rewriter {
        Rewriter {
            effects: Effects::new(options.platform.clone()),
            options,
            sites: Sites::default(),
        }
    }

    /// Rewrites a class. `name_hint` is its internal name as the JVM has it; it is empty when the JVM has
    /// none, and then the name in the file decides.
    pub fn rewrite(&self, name_hint: &str, bytes: &[u8]) -> Rewritten {
        self.rewrite_for(name_hint, bytes, StaticState::default())
    }

    /// Rewrites a class of which, or of others that it uses, static state is made anew between runs.
    pub fn rewrite_for(&self, name_hint: &str, bytes: &[u8], state: StaticState<'_>) -> Rewritten {
        let mut rewritten = Rewritten::default();
        // Most classes that are left alone need not be read for that.
        if self.tier(name_hint) == Tier::None {
            rewritten.left_alone.extend(self.unplugged(name_hint));
            return rewritten;
        }
        let class = match ClassFile::parse(bytes) {
            Ok(class) => class,
            Err(error) => {
                rewritten.left_alone.push(LeftAlone {
                    class: name_hint.replace('/', "."),
                    method: None,
                    reason: error.into(),
                });
                return rewritten;
            }
        };
        let tier = self.tier(&class.name());
        if tier == Tier::None {
            rewritten.left_alone.extend(self.unplugged(&class.name()));
        } else {
            let wanted = Wanted {
                tier,
                is_reset: state.is_reset,
                uninitialised: state.uninitialised,
                effects: &self.effects,
            };
            rewritten.must_be_loaded_anew =
                state.is_reset && (class.access().is_enum() || class.access().is_interface());
            rewritten.bytes = class::rewrite(&class, wanted, &self.sites, &mut rewritten.left_alone);
        }
        rewritten
    }

    /// What is at a site.
    pub fn site(&self, id: i32) -> Option<Site> {
        self.sites.get(id)
    }

    /// How many sites there are in the classes rewritten so far.
    pub fn site_count(&self) -> usize {
        self.sites.len()
    }

    /// How much of a class is rewritten, by its internal name.
    pub fn tier(&self, name: &str) -> Tier {
        if self.is_unplugged(name) {
            Tier::None
        } else {
            Tier::of(name)
        }
    }

    fn is_unplugged(&self, name: &str) -> bool {
        self.options.unplugged.iter().any(|entry| {
            entry
                .strip_suffix('*')
                .map_or(name == entry, |prefix| name.starts_with(prefix))
        })
    }

    /// What is left alone on purpose is named too, if it would have been rewritten.
    fn unplugged(&self, name: &str) -> Option<LeftAlone> {
        (self.is_unplugged(name) && Tier::of(name) != Tier::None).then(|| LeftAlone {
            class: name.replace('/', "."),
            method: None,
            reason: Reason::Unplugged,
        })
    }
}
