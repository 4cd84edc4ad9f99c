//! Ways to get an object of a class: constructors, static factories, constants, subtypes, builders, a class that the plan
//! writes; and why there is none.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Invoke, MemberRef};
use raddle_program::{Class, ClassId, Method, Program, Scope};

use crate::callable::parameters;
use crate::factory_methods;
use crate::values::implementation::Implementable;
use crate::values::{common, simple};
use crate::visible::{is_visible, package, package_classes};

/// One way to get an object.
#[derive(Clone, Debug)]
pub(crate) struct Construction {
    pub(crate) invoke: Invoke,
    pub(crate) member: MemberRef,
    /// Descriptors of the parameters.
    pub(crate) parameters: Vec<String>,
    /// What the call is made on, for factories that are methods of an object.
    pub(crate) receiver: Option<ClassId>,
    /// What the object certainly is.
    pub(crate) gives: ClassId,
    /// Roughly the number of calls it takes.
    pub(crate) cost: u32,
}

/// Why there is no object of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmakeable {
    /// The class.
    pub class: String,
    /// What is in the way.
    pub obstacle: Obstacle,
}

/// What is in the way of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The class cannot be loaded.
    Missing,
    /// Nothing gives one.
    NoWay,
    /// What gives one needs another object.
    Needs(Box<Unmakeable>),
    /// It takes more objects, one for the other, than is worth trying; or goes round in a circle.
    TooDeep,
}

impl fmt::Display for Unmakeable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = &self.class;
        match &self.obstacle {
            Obstacle::Missing => write!(f, "{class} is not on the class path"),
            Obstacle::NoWay => write!(f, "{class} has no public constructor, factory or subtype"),
            Obstacle::Needs(other) => write!(f, "{class} needs {}; {other}", other.class),
            Obstacle::TooDeep => write!(f, "{class} needs too many other objects, or one of its own kind"),
        }
    }
}

/// How many objects may be needed one for the other.
const MAX_DEPTH: usize = 4;
/// Subtypes that are looked at.
const MAX_SUBTYPES: usize = 40;
/// Ways that are kept, and those of one subtype beyond its first.
const MAX_RECIPES: usize = 12;
const SPARE_CONSTRUCTIONS: usize = 2;
/// The price of a class that the plan writes: more than that of an object which needs one other, less than that of one which
/// needs more.
const WRITTEN: u32 = 3;

type Answer = Result<Arc<[Construction]>, Unmakeable>;

/// The ways to objects of all classes, found when first asked for.
pub(crate) struct ConstructionFinder<'p> {
    program: &'p Program,
    known: RefCell<BTreeMap<ClassId, Answer>>,
    /// Of each class, the methods of objects that create one.
    makers: RefCell<BTreeMap<ClassId, Arc<[Construction]>>>,
    /// Whether the search was cut short, so that a failure says nothing about other searches.
    was_cut: Cell<bool>,
}

impl<'p> ConstructionFinder<'p> {
    pub(crate) fn new(program: &'p Program) -> ConstructionFinder<'p> {
        ConstructionFinder {
            program,
            known: RefCell::default(),
            makers: RefCell::default(),
            was_cut: Cell::new(false),
        }
    }

    /// Ways to objects that are at least of this class, easiest first.
    pub(crate) fn constructions(&self, class: ClassId) -> Answer {
        self.find(class, &mut Vec::new())
    }

    /// Ways to objects of a class by methods of other objects that create them, whether or not anybody can make one.
    pub(crate) fn makers(&self, class: ClassId) -> Arc<[Construction]> {
        if let Some(known) = self.makers.borrow().get(&class) {
            return Arc::clone(known);
        }
        let mut found = factory_methods::makers(self.program, class);
        found.retain(|way| {
            way.receiver.is_some() && result_class(self.program, &way.member.descriptor) == Some(class)
        });
        let found: Arc<[Construction]> = found.into();
        self.makers.borrow_mut().insert(class, Arc::clone(&found));
        found
    }

    /// A way to an object of a class with what it costs, if its ingredients can be had.
    pub(crate) fn priced(&self, class: ClassId, construction: Construction) -> Option<Construction> {
        let mut found = Vec::new();
        self.price(class, construction, &mut Vec::new(), &mut found, &mut None);
        found.pop()
    }

    fn unmakeable(&self, class: ClassId, obstacle: Obstacle) -> Unmakeable {
        Unmakeable {
            class: self.program.name(class),
            obstacle,
        }
    }

    /// The price of a value, if there is one.
    fn price_of(&self, descriptor: &str, path: &mut Vec<ClassId>) -> Result<u32, Unmakeable> {
        match FieldType::parse(descriptor) {
            Ok(FieldType::Array(_)) => Ok(1),
            Ok(FieldType::Object(name)) => {
                let class = self.program.class_id(name);
                if simple::is_simple(self.program, class) {
                    Ok(0)
                } else if common::of(self.program, class).next().is_some() {
                    Ok(1)
                } else {
                    let constructions = self.find(class, path)?;
                    Ok(constructions.first().map_or(1, |construction| construction.cost))
                }
            }
            _ => Ok(0),
        }
    }

    fn find(&self, class: ClassId, path: &mut Vec<ClassId>) -> Answer {
        if let Some(known) = self.known.borrow().get(&class) {
            return known.clone();
        }
        if path.contains(&class) || path.len() > MAX_DEPTH {
            self.was_cut.set(true);
            return Err(self.unmakeable(class, Obstacle::TooDeep));
        }
        let outer_cut = self.was_cut.replace(false);
        path.push(class);
        let answer = self.search(class, path);
        path.pop();
        // A failure in the middle of another search may be due to that other search.
        if answer.is_ok() || !self.was_cut.get() || path.is_empty() {
            self.known.borrow_mut().insert(class, answer.clone());
        }
        self.was_cut.set(self.was_cut.get() || outer_cut);
        answer
    }

    fn search(&self, class: ClassId, path: &mut Vec<ClassId>) -> Answer {
        let program = self.program;
        let Some(loaded) = program.class(class) else {
            return Err(self.unmakeable(class, Obstacle::Missing));
        };
        let mut found = Vec::new();
        let mut obstacle = None;
        if is_visible(program, class) {
            let mut ways = constructors(program, loaded);
            // A factory of an abstract class gives this or that, or null; a subtype is the surer thing.
            if !loaded.access().is_abstract() {
                ways.extend(factories(program, loaded, class));
                ways.extend(constants(program, loaded));
            }
            for construction in ways {
                self.price(class, construction, path, &mut found, &mut obstacle);
            }
            // Constructors may refuse whatever they are given. What has the only good values may keep the objects ready.
            let may_refuse = !found.is_empty() && found.iter().all(|way| !way.parameters.is_empty());
            if may_refuse && !loaded.is_platform() {
                found.extend(kept_by_neighbours(program, class));
            }
        }
        if found.is_empty() {
            // What else the subtypes have, should none of the first constructions work.
            let mut spare = Vec::new();
            for subtype in subtypes(program, loaded) {
                let constructions = match self.find(subtype, path) {
                    Ok(constructions) => constructions,
                    Err(reason) => {
                        obstacle.get_or_insert(Obstacle::Needs(Box::new(reason)));
                        continue;
                    }
                };
                // One each, so that several subtypes get a turn.
                found.extend(constructions.first().cloned());
                spare.extend(constructions.iter().skip(1).take(SPARE_CONSTRUCTIONS).cloned());
                if found.len() == MAX_RECIPES {
                    break;
                }
            }
            spare.truncate(MAX_RECIPES - found.len());
            found.extend(spare);
        }
        if found.is_empty() && is_visible(program, class) {
            for construction in factories(program, loaded, class) {
                self.price(class, construction, path, &mut found, &mut obstacle);
            }
        }
        if found.is_empty() {
            for neighbour in package_classes(program, class) {
                let neighbour = program.class_id(&neighbour);
                if neighbour == class || !is_visible(program, neighbour) {
                    continue;
                }
                for construction in program
                    .class(neighbour)
                    .map(|neighbour| factories(program, neighbour, class))
                    .unwrap_or_default()
                {
                    self.price(class, construction, path, &mut found, &mut obstacle);
                }
            }
        }
        if found.is_empty() {
            for construction in factory_methods::makers(program, class) {
                self.price(class, construction, path, &mut found, &mut obstacle);
            }
        }
        // Beside what the library has, so that a stream of data need not be one that takes a whole server.
        if (found.is_empty() || loaded.access().is_interface())
            && let Some(construction) = written(program, class)
        {
            self.price(class, construction, path, &mut found, &mut obstacle);
        }
        if found.is_empty() {
            for construction in factory_methods::holders(program, class) {
                self.price(class, construction, path, &mut found, &mut obstacle);
            }
        }
        if found.is_empty() {
            return Err(self.unmakeable(class, obstacle.unwrap_or(Obstacle::NoWay)));
        }
        Ok(sorted(found))
    }

    /// Keeps a construction whose ingredients can be had.
    fn price(
        &self,
        class: ClassId,
        mut construction: Construction,
        path: &mut Vec<ClassId>,
        found: &mut Vec<Construction>,
        obstacle: &mut Option<Obstacle>,
    ) {
        let receiver = construction
            .receiver
            .map(|receiver| format!("L{};", self.program.internal_name(receiver)));
        let mut cost = construction.cost;
        for needed in construction.parameters.iter().chain(&receiver) {
            match self.price_of(needed, path) {
                Ok(price) => cost = cost.saturating_add(price),
                Err(reason) => {
                    // An object that needs one of its own kind first is no news.
                    if reason.class != self.program.name(class) {
                        obstacle.get_or_insert(Obstacle::Needs(Box::new(reason)));
                    }
                    return;
                }
            }
        }
        construction.cost = cost;
        found.push(construction);
    }
}

fn sorted(mut found: Vec<Construction>) -> Arc<[Construction]> {
    found.sort_by(|a, b| {
        let key = |construction: &Construction| (construction.cost, construction.parameters.len());
        key(a).cmp(&key(b)).then_with(|| a.member.cmp(&b.member))
    });
    found.truncate(MAX_RECIPES);
    found.into()
}

pub(crate) fn member(program: &Program, class: ClassId, method: &Method) -> MemberRef {
    MemberRef {
        class: program.name(class),
        name: program.text(method.name).to_owned(),
        descriptor: program.text(method.descriptor).to_owned(),
    }
}

fn constructors(program: &Program, class: &Class) -> Vec<Construction> {
    if class.access().is_abstract() || class.access().is_enum() {
        return Vec::new();
    }
    class
        .methods()
        .iter()
        .filter(|method| {
            program.text(method.name) == "<init>"
                && method.access.is_public()
                && !method.access.is_synthetic()
        })
        .map(|method| Construction {
            invoke: Invoke::New,
            member: member(program, class.id(), method),
            parameters: parameters(program.text(method.descriptor)),
            receiver: None,
            gives: class.id(),
            cost: 1,
        })
        .collect()
}

/// Objects of a class that it keeps in public constants: the only one of a Kotlin `object`, or one of a few.
fn constants(program: &Program, class: &Class) -> Vec<Construction> {
    constants_of(program, class, class.id())
}

/// Objects of a class that other classes of its package keep in public constants.
fn kept_by_neighbours(program: &Program, class: ClassId) -> Vec<Construction> {
    let names = package_classes(program, class);
    let neighbours = names.iter().map(|name| program.class_id(name));
    let others = neighbours.filter(|&neighbour| neighbour != class && is_visible(program, neighbour));
    others
        .filter_map(|neighbour| program.class(neighbour))
        .flat_map(|neighbour| constants_of(program, neighbour, class))
        .collect()
}

/// Objects of a class that this or another class keeps in public constants.
fn constants_of(program: &Program, class: &Class, wanted: ClassId) -> Vec<Construction> {
    let own = format!("L{};", program.internal_name(wanted));
    let is_constant = |field: &&raddle_program::Field| {
        let access = field.access;
        access.is_public() && access.is_static() && access.is_final() && program.text(field.descriptor) == own
    };
    let fields = class.fields().iter().filter(is_constant);
    fields
        .map(|field| Construction {
            invoke: Invoke::Constant,
            member: MemberRef {
                class: program.name(class.id()),
                name: program.text(field.name).to_owned(),
                descriptor: format!("(){own}"),
            },
            parameters: Vec::new(),
            receiver: None,
            gives: wanted,
            // What everybody shares is the last thing to test with, if it is not the only one.
            cost: 20,
        })
        .collect()
}

/// An object of a class that the plan writes.
fn written(program: &Program, class: ClassId) -> Option<Construction> {
    let Implementable {
        invoke, constructor, ..
    } = Implementable::of(program, class)?;
    Some(Construction {
        invoke,
        parameters: parameters(&constructor),
        member: MemberRef {
            class: program.name(class),
            name: "<init>".to_owned(),
            descriptor: constructor,
        },
        receiver: None,
        gives: class,
        cost: WRITTEN,
    })
}

/// Public static methods of a class that give an object of another, or of the same.
pub(crate) fn factories(program: &Program, owner: &Class, wanted: ClassId) -> Vec<Construction> {
    let invoke = if owner.access().is_interface() {
        Invoke::InterfaceStatic
    } else {
        Invoke::Static
    };
    owner
        .methods()
        .iter()
        .filter(|method| {
            method.access.is_public() && method.access.is_static() && !method.access.is_synthetic()
        })
        .filter_map(|method| {
            let descriptor = program.text(method.descriptor);
            let result = result_class(program, descriptor)?;
            // A subtype in the result is as good; beyond the class's own file it would cost too much to look.
            let fits = result == wanted
                || (owner.id() == wanted && program.is_subtype(result, wanted) == Some(true));
            fits.then(|| Construction {
                invoke,
                member: member(program, owner.id(), method),
                parameters: parameters(descriptor),
                receiver: None,
                gives: result,
                // A constructor gives a new object for certain.
                cost: 2,
            })
        })
        .collect()
}

/// The class a method gives, if it gives one.
pub(crate) fn result_class(program: &Program, descriptor: &str) -> Option<ClassId> {
    let result = &descriptor[descriptor.find(')')? + 1..];
    match FieldType::parse(result) {
        Ok(FieldType::Object(name)) => Some(program.class_id(name)),
        _ => None,
    }
}

/// Visible instantiable subtypes, nearest home first.
fn subtypes(program: &Program, class: &Class) -> Vec<ClassId> {
    let mut scopes = vec![Scope::of(class)];
    if class.is_platform() && !program.class_path().is_empty() {
        scopes.push(Scope::ClassPath);
    }
    let home = package(program.internal_name(class.id())).to_owned();
    let mut found: Vec<ClassId> = Vec::new();
    for scope in scopes {
        let below = program.concrete_subtypes(&scope, class.id()).unwrap_or_default();
        found.extend(
            below
                .into_iter()
                .filter(|&below| below != class.id() && is_visible(program, below)),
        );
    }
    found.sort_by_cached_key(|&below| {
        let name = program.internal_name(below).to_owned();
        (package(&name) != home, name.len(), name)
    });
    found.dedup();
    found.truncate(MAX_SUBTYPES);
    found
}
