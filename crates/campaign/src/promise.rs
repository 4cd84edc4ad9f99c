//! How strong the promise is that a finding breaks: whether anybody said that threads may share objects of the class.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use raddle_classfile::Insn;
use raddle_oracle::Kind;
use raddle_program::{Class, ClassId, Program};
use serde::{Deserialize, Serialize};

use crate::annotations::{Annotation, annotation};
use crate::contracts::delegate::field_class;
use crate::contracts::{Contracts, Term};
use crate::guards::{Guarded, Guards};

/// The class of threads.
const THREAD: &str = "java/lang/Thread";

/// How strong a promise is, from none to documented.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// The documentation says that threads may not share its objects.
    Disclaimed,
    /// Nothing says that they may.
    NoSign,
    /// It is built as if they might: locks, volatile fields, concurrent collections.
    Built,
    /// Its documentation or an annotation says so.
    Documented,
}

impl Strength {
    /// The name in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Strength::Disclaimed => "disclaimed",
            Strength::NoSign => "no-sign",
            Strength::Built => "built",
            Strength::Documented => "documented",
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The weakest promise that counts, as it is typed.
impl FromStr for Strength {
    type Err = String;

    fn from_str(text: &str) -> Result<Strength, String> {
        match text {
            "all" => Ok(Strength::Disclaimed),
            "built" => Ok(Strength::Built),
            "documented" => Ok(Strength::Documented),
            _ => Err("choose one of all, built, documented".to_owned()),
        }
    }
}

/// What a class promises, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// How strong it is.
    pub strength: Strength,
    /// What says so, as a sentence without its end.
    pub sentence: String,
}

impl Promise {
    fn new(strength: Strength, sentence: String) -> Promise {
        Promise { strength, sentence }
    }

    /// From the class file, the types above it, and the contracts.
    pub fn of(program: &Program, contracts: &Contracts, class: ClassId) -> Promise {
        let annotated = annotation(program, class);
        if let Some((Annotation::NotThreadSafe, sentence)) = annotated {
            return Promise::new(Strength::Disclaimed, sentence);
        }
        if let Some((_, sentence)) = annotated {
            return Promise::new(Strength::Documented, sentence);
        }
        if let Some(contract) = contracts.of_type(program, class) {
            let strength = match contract.term {
                Term::NotThreadSafe => Strength::Disclaimed,
                _ => Strength::Documented,
            };
            return Promise::new(strength, contract.sentence());
        }
        if keeps_its_maker(program, class) {
            return Promise::new(
                Strength::NoSign,
                "each of its objects keeps the thread that made it, as what belongs to that thread does"
                    .to_owned(),
            );
        }
        match inherited_sign(program, contracts, class) {
            Some(sign) => Promise::new(Strength::Built, format!("it has {sign}")),
            None => Promise::new(
                Strength::NoSign,
                "nothing says that threads may share its objects: no annotation, no lock, no volatile or concurrent \
                 field"
                    .to_owned(),
            ),
        }
    }

    /// The same with numbers of the analysis.
    #[must_use]
    pub(crate) fn with_numbers(mut self, guards: &Guards) -> Promise {
        if self.strength == Strength::Built
            && let Some(Guarded { sentence, .. }) = guards.best()
        {
            self.sentence = format!("{}, and {sentence}", self.sentence);
        }
        self
    }

    /// The promise that one violation breaks. That a class is built like a thread-safe one says nothing of state that it
    /// leaves unguarded nearly everywhere. A thread that waits forever waits for what the class itself takes or announces.
    #[must_use]
    pub(crate) fn of_violation(
        &self,
        guards: &Guards,
        kind: Kind,
        state: &BTreeSet<String>,
        methods: &[String],
    ) -> Promise {
        if self.strength >= Strength::Built
            && let Some(sentence) = guards.disowned(state, methods)
        {
            return Promise::new(Strength::NoSign, sentence);
        }
        let guarded = match kind {
            Kind::Deadlock | Kind::LostWakeup => None,
            _ => guards.about(state, methods),
        };
        match guarded {
            Some(Guarded { is_most, sentence }) if self.strength == Strength::Built => {
                let (strength, only) = if is_most {
                    (Strength::Built, "")
                } else {
                    (Strength::NoSign, "only ")
                };
                Promise::new(strength, format!("{only}{sentence}"))
            }
            // What other classes do while objects are made is not this one's affair.
            None if self.strength == Strength::Built && kind == Kind::Result && methods.is_empty() => {
                Promise::new(
                    Strength::NoSign,
                    "only constructors ran at the same time, and met in no state of the class".to_owned(),
                )
            }
            _ => self.clone(),
        }
    }
}

/// The first thing in a class, or in one that it inherits from, that looks as if it were meant to be shared.
fn inherited_sign(program: &Program, contracts: &Contracts, class: ClassId) -> Option<String> {
    let mut ancestry = program
        .ancestry(class)
        .filter(|ancestor| ancestor.id() != program.object());
    ancestry.find_map(|ancestor| {
        let sign = sign(program, contracts, ancestor)?;
        Some(if ancestor.id() == class {
            sign
        } else {
            format!("{sign}, inherited from {}", program.name(ancestor.id()))
        })
    })
}

/// Whether constructors of a class, or of one that it inherits from, ask which thread runs and keep it: the object is that
/// thread's, as a node in a queue of those who wait.
fn keeps_its_maker(program: &Program, class: ClassId) -> bool {
    let keeps = |class: &Class| {
        let pool = class.file().pool();
        let mut constructors = class.file().methods().filter(|method| method.name() == "<init>");
        constructors.any(|method| {
            let code = method.code().ok().flatten();
            let instructions = code
                .iter()
                .flat_map(|code| code.instructions().map_while(Result::ok));
            let mut asks = false;
            for (_, insn) in instructions {
                match insn {
                    Insn::InvokeStatic(at) => {
                        let asked = pool.member_ref(at);
                        asks =
                            asked.is_ok_and(|asked| asked.class == THREAD && asked.name == "currentThread");
                    }
                    Insn::PutField(_) if asks => return true,
                    _ => asks = false,
                }
            }
            false
        })
    };
    program.ancestry(class).any(keeps)
}

pub(crate) fn sign(program: &Program, contracts: &Contracts, class: &Class) -> Option<String> {
    let locked: Vec<&str> = class
        .methods()
        .iter()
        .filter(|method| method.access.is_synchronized())
        .map(|method| program.text(method.name))
        .collect();
    if let Some(first) = locked.first() {
        return Some(match locked.len() {
            1 => format!("the synchronized method {first}"),
            count => format!("{count} synchronized methods"),
        });
    }
    if let Some(field) = class.fields().iter().find(|field| field.access.is_volatile()) {
        return Some(format!("the volatile field {}", program.text(field.name)));
    }
    let concurrent = class.fields().iter().find_map(|field| {
        let name = program.text(field.name);
        let held = field_class(program, class, name, program.text(field.descriptor))?;
        let contract = contracts.of_type(program, held)?;
        (contract.term == Term::ThreadSafe).then(|| format!("the field {name} of {}", program.name(held)))
    });
    concurrent.or_else(|| {
        let locks = class.file().methods().find(|method| {
            let code = method.code().ok().flatten();
            code.is_some_and(|code| {
                code.instructions()
                    .any(|insn| matches!(insn, Ok((_, Insn::MonitorEnter))))
            })
        });
        locks.map(|method| format!("a synchronized block in {}", method.name()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_summary::{Analyzer, Precision};
    use raddle_testkit::compile;

    #[test]
    fn a_promise_is_documented_built_or_there_is_no_sign_of_it() {
        let compiled = compile(&[
            (
                "Mine.java",
                "public class Mine extends java.util.concurrent.ConcurrentHashMap<String, String> {}",
            ),
            (
                "Counter.java",
                "public class Counter { private int count;
                 public synchronized void up() { count++; }
                 public synchronized int get() { return count; }
                 public int peek() { return count; } }",
            ),
            (
                "Holder.java",
                "import java.util.*; import java.util.concurrent.*;
                 public class Holder { private final Map<String, String> map = new ConcurrentHashMap<>();
                 public String get(String key) { return map.get(key); } }",
            ),
            (
                "Plain.java",
                "public class Plain { private int x; public int x() { return x++; } }",
            ),
        ])
        .unwrap();
        let program = compiled.program();
        let contracts = Contracts::bundled().unwrap();
        let analyzer = Analyzer::new(program, Precision::Precise);
        let said = |name: &str| {
            let class = program.class_id(name);
            let guards = Guards::of(program, &contracts, class, &analyzer.analyze(class).unwrap());
            Promise::of(program, &contracts, class).with_numbers(&guards)
        };
        let mine = said("Mine");
        assert_eq!(mine.strength, Strength::Documented, "{mine:?}");
        let counter = said("Counter");
        assert_eq!(counter.strength, Strength::Built, "{counter:?}");
        assert_eq!(
            counter.sentence,
            "it has 2 synchronized methods, and 3 of 4 accesses of `count` hold `this`"
        );
        let holder = said("Holder");
        assert_eq!(
            (holder.strength, &*holder.sentence),
            (
                Strength::Built,
                "it has the field map of java.util.concurrent.ConcurrentHashMap"
            )
        );
        assert_eq!(said("Plain").strength, Strength::NoSign);
        assert_eq!(said("java/util/Vector").strength, Strength::Documented);
        assert_eq!(said("java/util/ArrayList").strength, Strength::Disclaimed);
    }
    #[test]
    fn what_keeps_the_thread_that_made_it_is_that_threads() {
        let compiled = compile(&[(
            "Node.java",
            "public class Node { private final Thread owner; private boolean waits = true;
             public Node() { owner = Thread.currentThread(); }
             public synchronized boolean signal() { boolean was = waits; waits = false; notify(); return was; }
             public Thread owner() { return owner; } }",
        )])
        .unwrap();
        let contracts = Contracts::bundled().unwrap();
        let program = compiled.program();
        let said = |name: &str| Promise::of(program, &contracts, program.class_id(name)).strength;
        assert_eq!(
            (said("Node"), said("java/util/Vector")),
            (Strength::NoSign, Strength::Documented)
        );
    }

    #[test]
    fn a_lock_somewhere_is_no_promise_about_state_that_is_left_unguarded() {
        let compiled = compile(&[(
            "Parser.java",
            "public class Parser { private int at; private int count; private volatile boolean closed;
             public synchronized void up() { count++; }
             public int count() { return count; }
             public synchronized int peek() { return at; }
             public void next() { at++; }
             public void skip(int by) { at += by; }
             public void close() { closed = true; }
             public boolean toggle() { closed = !closed; return closed; } }",
        )])
        .unwrap();
        let program = compiled.program();
        let contracts = Contracts::bundled().unwrap();
        let class = program.class_id("Parser");
        let facts = Analyzer::new(program, Precision::Precise).analyze(class).unwrap();
        let guards = Guards::of(program, &contracts, class, &facts);
        let promise = Promise::of(program, &contracts, class);
        let of = |kind: Kind, state: &[&str], methods: &[&str]| {
            let state = state.iter().map(|place| (*place).to_owned()).collect();
            let methods: Vec<String> = methods.iter().map(|name| (*name).to_owned()).collect();
            promise.of_violation(&guards, kind, &state, &methods)
        };
        let built = of(Kind::Result, &["Parser.count"], &["up()", "count()"]);
        assert_eq!(
            (built.strength, &*built.sentence),
            (Strength::Built, "2 of 3 accesses of `count` hold `this`")
        );
        let plain = of(Kind::Result, &["Parser.at"], &["next()"]);
        assert_eq!(
            (plain.strength, &*plain.sentence),
            (Strength::NoSign, "only 1 of 5 accesses of `at` hold `this`")
        );
        // Inside another object: the fields that the methods share say it.
        assert_eq!(of(Kind::Exception, &["X at Node.next"], &["next()"]), plain);
        assert_eq!(of(Kind::Deadlock, &[], &["next()"]), promise);
        // A volatile store is one step; what people take for one step besides is an update.
        assert_eq!(of(Kind::Result, &[], &["close()"]).strength, Strength::NoSign);
        let toggled = of(Kind::Result, &[], &["toggle()"]);
        assert_eq!(
            (toggled.strength, &*toggled.sentence),
            (
                Strength::Built,
                "3 of 3 accesses of `closed` hold a lock or are volatile, atomic or of a thread-safe type"
            )
        );
    }

    #[test]
    fn what_the_platform_promises_goes_for_its_own_methods_only() {
        let compiled = compile(&[(
            "Settings.java",
            "public class Settings extends java.util.Hashtable<String, String> {
             private static final long serialVersionUID = 1L;
             private final java.util.List<String> order = new java.util.ArrayList<>();
             public void append(String key) { order.add(key); }
             @Override public String get(Object key) { return super.get(key); } }",
        )])
        .unwrap();
        let program = compiled.program();
        let contracts = Contracts::bundled().unwrap();
        let class = program.class_id("Settings");
        let facts = Analyzer::new(program, Precision::Precise).analyze(class).unwrap();
        let guards = Guards::of(program, &contracts, class, &facts);
        let said = |methods: &[&str]| {
            let methods: Vec<String> = methods.iter().map(|name| (*name).to_owned()).collect();
            guards.disowned(&BTreeSet::new(), &methods)
        };
        let new = said(&["append(java.lang.String)"]).unwrap();
        assert!(new.contains("which it does not have, and only 0 of"), "{new}");
        let inherited = said(&["size()", "clear()"]).unwrap();
        assert!(
            inherited.contains("inherited as it is from java.util.Hashtable"),
            "{inherited}"
        );
        assert_eq!(said(&["get(java.lang.Object)", "size()"]), None);
    }
}
