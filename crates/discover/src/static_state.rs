//! Static state that a test and the classes beside it may change.
//!
//! The analysis of calls does not follow everything that a test does: threads, reflection, what a framework calls. So the
//! classes of the project are made anew if they have static state at all. Libraries are not: most of what they keep in
//! static fields is the same for ever, and takes long to make.

use std::collections::{BTreeSet, VecDeque};

use raddle_classpath::Origin;
use raddle_program::{Class, ClassId, Program};

/// More classes than that are no test's own.
const MOST: usize = 2_000;

/// Fields of these types cannot change what they hold.
const UNCHANGING: [&str; 2] = ["Ljava/lang/String;", "Ljava/lang/Class;"];

/// The classes, by Java name, that a test can reach through what class files mention, that come from a directory or from where
/// the test does, and that have static state.
pub fn static_state(program: &Program, test: ClassId) -> Vec<String> {
    let home = program.class(test).map(Class::origin);
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::from([test]);
    let mut next = VecDeque::from([test]);
    while let Some(class) = next.pop_front().and_then(|id| program.class(id)) {
        if !is_own(class, home) {
            continue;
        }
        if has_state(class) {
            found.insert(program.name(class.id()));
        }
        let pool = class.file().pool();
        for name in (1..pool.len()).filter_map(|index| pool.class_name(index).ok()) {
            let id = program.class_id(&name);
            if !name.starts_with('[') && seen.len() < MOST && seen.insert(id) {
                next.push_back(id);
            }
        }
    }
    found.into_iter().collect()
}

fn is_own(class: &Class, home: Option<&Origin>) -> bool {
    match class.origin() {
        Origin::Jdk { .. } => false,
        Origin::Entry { path, .. } => path.is_dir() || Some(class.origin()) == home,
    }
}

fn has_state(class: &Class) -> bool {
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
