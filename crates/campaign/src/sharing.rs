//! Whether a class looks as if its objects were meant to be shared by threads.
//!
//! Asked only of classes that a pattern matched: most classes of a program promise nothing about threads, and a report
//! that says so of each of them helps nobody. A class that is named is hunted whatever it looks like.

use raddle_classfile::Insn;
use raddle_program::{Class, ClassId, Program};

/// Of `java.util.concurrent`, what says nothing about the class that uses it.
const NEUTRAL: [&str; 5] = [
    "java/util/concurrent/Callable",
    "java/util/concurrent/ExecutionException",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/TimeoutException",
];

/// Whether a class looks as if its objects were meant to be shared by threads, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It does.
    Meant(String),
    /// It does not, or there is nothing to share.
    Skipped(String),
}

/// Looks at a class and what it inherits.
pub fn sharing(program: &Program, class: ClassId) -> Sharing {
    let loaded = match program.load(class) {
        Ok(loaded) => loaded,
        Err(error) => return Sharing::Skipped(error.to_string()),
    };
    if let Some(why) = unsuitable(program, loaded) {
        return Sharing::Skipped(why.to_owned());
    }
    program
        .ancestry(class)
        .filter(|ancestor| ancestor.id() != program.object())
        .find_map(|ancestor| {
            let sign = sign(program, ancestor)?;
            Some(if ancestor.id() == class {
                sign
            } else {
                format!("{sign}, inherited from {}", program.name(ancestor.id()))
            })
        })
        .map_or_else(
            || {
                Sharing::Skipped(
                    "nothing says that it is meant to be shared: no synchronized, no volatile, no java.util.concurrent"
                        .to_owned(),
                )
            },
            Sharing::Meant,
        )
}

/// Why no test can have objects of the class.
fn unsuitable(program: &Program, class: &Class) -> Option<&'static str> {
    let access = class.access();
    if access.is_annotation() {
        Some("an annotation type")
    } else if access.is_interface() {
        Some("an interface")
    } else if !access.is_public() {
        Some("not public")
    } else if access.is_abstract() {
        Some("abstract")
    } else if program.public_methods(class.id()).is_empty() {
        Some("no public methods")
    } else if program
        .ancestry(class.id())
        .any(|ancestor| program.internal_name(ancestor.id()) == "java/lang/Throwable")
    {
        Some("an exception")
    } else {
        None
    }
}

/// The first thing in a class that says so.
fn sign(program: &Program, class: &Class) -> Option<String> {
    let file = class.file();
    if file
        .annotations()
        .iter()
        .any(|annotation| annotation.ends_with("/ThreadSafe;"))
    {
        return Some("@ThreadSafe".to_owned());
    }
    if let Some(method) = class
        .methods()
        .iter()
        .find(|method| method.access.is_synchronized())
    {
        return Some(format!("synchronized method {}", program.text(method.name)));
    }
    if let Some(field) = class.fields().iter().find(|field| field.access.is_volatile()) {
        return Some(format!("volatile field {}", program.text(field.name)));
    }
    let pool = file.pool();
    let used = (1..pool.len())
        .filter_map(|index| pool.class_name(index).ok())
        .find(|name| name.starts_with("java/util/concurrent/") && !NEUTRAL.contains(&&**name));
    if let Some(name) = used {
        return Some(format!("use of {}", name.replace('/', ".")));
    }
    file.methods()
        .find(|method| {
            let code = method.code().ok().flatten();
            code.is_some_and(|code| {
                code.instructions()
                    .any(|insn| matches!(insn, Ok((_, Insn::MonitorEnter))))
            })
        })
        .map(|method| format!("synchronized block in {}", method.name()))
}
