//! Static state that a test and the classes beside it may change.
//!
//! The analysis of calls does not follow everything that a test does: threads, reflection, what a framework calls. So the
//! classes of the project are made anew if they have static state at all. Libraries are not: most of what they keep in
//! static fields is the same for ever, and takes long to make. A jar is of the project if it has the package of the test: that
//! is where the classes are that it is about.

use std::collections::{BTreeSet, VecDeque};

use raddle_classpath::Origin;
use raddle_program::{Class, ClassId, Program};

/// More classes than that are no test's own.
const MOST: usize = 2_000;

/// Fields of these types cannot change what they hold.
const UNCHANGING: [&str; 2] = ["Ljava/lang/String;", "Ljava/lang/Class;"];

/// The classes, by Java name, that a test can reach through what class files mention, that are of the project, and that have
/// static state.
pub fn static_state(program: &Program, test: ClassId) -> Vec<String> {
    let Some(loaded) = program.class(test) else {
        return Vec::new();
    };
    let package = package(loaded);
    let mut homes = BTreeSet::from([loaded.origin().clone()]);
    loop {
        let reached = reached(program, test, &homes);
        let before = homes.len();
        let beside = reached.iter().filter(|class| self::package(class) == package);
        homes.extend(beside.map(|class| class.origin().clone()));
        if homes.len() == before {
            let own = reached.into_iter().filter(|class| is_own(class, &homes));
            let with_state = own.filter(|class| has_state(class));
            let names: BTreeSet<String> = with_state.map(|class| program.name(class.id())).collect();
            return names.into_iter().collect();
        }
    }
}

/// The test's class, those that it mentions, those that these mention, and so on, as far as they are of the project; and the
/// first ones that are not.
fn reached<'p>(program: &'p Program, test: ClassId, homes: &BTreeSet<Origin>) -> Vec<&'p Class> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([test]);
    let mut next = VecDeque::from([test]);
    while let Some(id) = next.pop_front() {
        let Some(class) = program.class(id) else {
            continue;
        };
        found.push(class);
        if !is_own(class, homes) {
            continue;
        }
        let pool = class.file().pool();
        for name in (1..pool.len()).filter_map(|index| pool.class_name(index).ok()) {
            let id = program.class_id(&name);
            if !name.starts_with('[') && seen.len() < MOST && seen.insert(id) {
                next.push_back(id);
            }
        }
    }
    found
}

fn package(class: &Class) -> String {
    let name = class.file().name();
    name.rsplit_once('/')
        .map_or("", |(package, _)| package)
        .to_owned()
}

fn is_own(class: &Class, homes: &BTreeSet<Origin>) -> bool {
    match class.origin() {
        Origin::Jdk { .. } => false,
        Origin::Entry { path, .. } => path.is_dir() || homes.contains(class.origin()),
    }
}

/// Whether a class has static fields that can change, or that hold something which can.
pub fn has_state(class: &Class) -> bool {
    let own = format!("L{};", class.file().name());
    let is_state = |field: &raddle_classfile::FieldView<'_>| {
        let access = field.access();
        let descriptor = field.descriptor();
        let is_fixed = access.is_final()
            && (!descriptor.starts_with(['L', '['])
                || UNCHANGING.contains(&&*descriptor)
                || access.is_enum()
                || descriptor == own && class.access().is_enum());
        access.is_static() && !access.is_synthetic() && !is_fixed
    };
    let mut fields = class.file().fields();
    fields.any(|field| is_state(&field))
}
