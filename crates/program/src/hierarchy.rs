//! Class-hierarchy analysis: which methods a virtual call may reach.
//!
//! The question is answered inside a closed world that depends only on where the calling code lives: code of a JDK
//! module sees that module's subtypes, code on the class path sees the class path's. So the answer for one call never
//! depends on what else is analysed in the same run, and a JDK class does not need all 27,000 JDK classes indexed.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use raddle_classfile::Header;
use raddle_classpath::Origin;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class::Class;
use crate::ids::{ClassId, MethodId, Symbol};
use crate::program::Program;

/// The closed world that a piece of code is analysed in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everything on the class path.
    ClassPath,
    /// One JDK module.
    Module(Arc<str>),
}

impl Scope {
    /// The scope of a class's own code.
    pub fn of(class: &Class) -> Scope {
        match class.origin() {
            Origin::Jdk { module } => Scope::Module(Arc::clone(module)),
            Origin::Entry { .. } => Scope::ClassPath,
        }
    }
}

/// What a virtual call may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// Exactly these, within the scope.
    Known(Vec<MethodId>),
    /// More than the caller asked to hear about.
    TooMany,
}

type DirectSubtypes = FxHashMap<ClassId, Vec<ClassId>>;

/// What is known of one scope.
#[derive(Default)]
struct Index {
    /// Built when first needed.
    direct: OnceLock<DirectSubtypes>,
    /// Answers given before: the same few calls on the same few types are asked about over and over.
    targets: RwLock<FxHashMap<(ClassId, Symbol, Symbol, usize), Targets>>,
}

/// Direct subtypes by scope.
#[derive(Default)]
pub(crate) struct Subtypes {
    scopes: RwLock<FxHashMap<Scope, Arc<Index>>>,
}

/// A type with more subtypes than this is not worth enumerating: its calls are open to anything.
const MAX_SUBTYPES: usize = 256;

impl Program {
    /// Methods that a call of `name``descriptor` on a value of static type `declared` may run, seen from `scope`.
    pub fn targets(
        &self,
        scope: &Scope,
        declared: ClassId,
        name: Symbol,
        descriptor: Symbol,
        limit: usize,
    ) -> Targets {
        if declared == self.object() {
            return Targets::TooMany;
        }
        let index = self.subtype_index(scope);
        let question = (declared, name, descriptor, limit);
        if let Some(known) = index
            .targets
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&question)
        {
            return known.clone();
        }
        let answer = self.find_targets(scope, declared, name, descriptor, limit);
        index
            .targets
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(question, answer.clone());
        answer
    }

    fn find_targets(
        &self,
        scope: &Scope,
        declared: ClassId,
        name: Symbol,
        descriptor: Symbol,
        limit: usize,
    ) -> Targets {
        let Some(concrete) = self.concrete_subtypes(scope, declared) else {
            return Targets::TooMany;
        };
        let mut found = Vec::new();
        for class in concrete {
            if let Some(target) = self.select_method(class, name, descriptor)
                && !found.contains(&target)
            {
                if found.len() == limit {
                    return Targets::TooMany;
                }
                found.push(target);
            }
        }
        found.sort_by_cached_key(|target| (self.name(target.class), target.index));
        Targets::Known(found)
    }

    /// Instantiable classes at or below `class`, or `None` when there are too many to be worth knowing.
    pub fn concrete_subtypes(&self, scope: &Scope, class: ClassId) -> Option<Vec<ClassId>> {
        if class == self.object() {
            return None;
        }
        let index = self.subtype_index(scope);
        let direct = index.direct.get_or_init(|| self.build_index(scope));
        let mut seen: FxHashSet<ClassId> = FxHashSet::default();
        let mut queue = vec![class];
        let mut concrete = Vec::new();
        while let Some(next) = queue.pop() {
            if !seen.insert(next) {
                continue;
            }
            if seen.len() > MAX_SUBTYPES {
                return None;
            }
            if self
                .class(next)
                .is_some_and(|class| !class.access().is_abstract())
            {
                concrete.push(next);
            }
            if let Some(below) = direct.get(&next) {
                queue.extend_from_slice(below);
            }
        }
        Some(concrete)
    }

    fn subtype_index(&self, scope: &Scope) -> Arc<Index> {
        let scopes = &self.subtypes.scopes;
        if let Some(index) = scopes.read().unwrap_or_else(PoisonError::into_inner).get(scope) {
            return Arc::clone(index);
        }
        let mut scopes = scopes.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(scopes.entry(scope.clone()).or_default())
    }

    /// Files that cannot be read are left out here; they are reported when somebody asks for the class itself.
    fn build_index(&self, scope: &Scope) -> DirectSubtypes {
        let headers: Vec<Header> = match scope {
            Scope::Module(module) => in_two(&self.jdk().classes_of(module), |(_, bytes)| {
                Header::read(bytes).ok()
            }),
            Scope::ClassPath => in_two(&self.class_path().class_names(), |(name, _)| {
                let (bytes, _) = self.class_path().find(name).ok()??;
                Header::read(&bytes).ok()
            }),
        };
        let mut direct = DirectSubtypes::default();
        for header in headers {
            let class = self.class_id(&header.name);
            let parents = header.super_name.iter().chain(&header.interfaces);
            for parent in parents.filter(|name| name.as_str() != "java/lang/Object") {
                direct.entry(self.class_id(parent)).or_default().push(class);
            }
        }
        direct
    }
}

/// Maps a list on two threads of its own. A shared pool would not do: a pool's thread that waits here for another's index
/// may be given work that waits for this one.
fn in_two<T: Sync, R: Send>(items: &[T], read: impl Fn(&T) -> Option<R> + Sync) -> Vec<R> {
    let (left, right) = items.split_at(items.len() / 2);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| right.iter().filter_map(&read).collect::<Vec<R>>());
        let mut all: Vec<R> = left.iter().filter_map(&read).collect();
        match second.join() {
            Ok(more) => all.extend(more),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        all
    })
}
