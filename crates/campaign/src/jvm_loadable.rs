//! Why no JVM can load a class: told before one is asked a thousand times.

use std::collections::BTreeSet;

use raddle_program::{ClassId, Program};

/// Class files of Java N have the major version N + 44.
const BEFORE_JAVA_1: u32 = 44;

/// Why the JDK cannot load a class, as a sentence: the class or one that it inherits from is for a newer JDK, or is not
/// there.
pub(crate) fn unloadable(program: &Program, class: ClassId) -> Option<String> {
    let name = program.name(class);
    let feature = program.jdk().feature();
    let mut seen = BTreeSet::new();
    let mut pending = vec![class];
    while let Some(next) = pending.pop() {
        if !seen.insert(next) {
            continue;
        }
        let loaded = match program.load(next) {
            Ok(loaded) => loaded,
            // The analysis says it of the class itself.
            Err(_) if next == class => return None,
            Err(error) => {
                return Some(format!(
                    "no JVM can load {name} without {}, which it inherits from: {error}; complete the class path (-cp)",
                    program.name(next)
                ));
            }
        };
        let major = u32::from(loaded.file().major());
        if major > feature + BEFORE_JAVA_1 {
            let java = major - BEFORE_JAVA_1;
            let of = if next == class {
                format!("{name} is")
            } else {
                format!("{}, which {name} inherits from, is", program.name(next))
            };
            return Some(format!(
                "{of} compiled for Java {java} (class file version {major}), and JDK {feature} cannot load it; name a \
                 JDK {java} or later with --jdk, or compile it for Java {feature}"
            ));
        }
        pending.extend(loaded.super_class());
        pending.extend(loaded.interfaces());
    }
    None
}
