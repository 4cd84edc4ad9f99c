//! Classes whose initialisers need each other. A thread that initialises one of them while another thread initialises the
//! other waits for that one, and the other way round (Java Virtual Machine Specification, section 5.5).

use std::collections::{BTreeMap, BTreeSet};

use raddle_classfile::{Code, Insn};
use raddle_program::{Class, ClassId, MethodId, Program};

/// Initialisers that are looked at for all questions together, and methods for one initialiser or call: those that do more are
/// about something else.
const MOST_CLASSES: usize = 300;
const MOST_METHODS: usize = 100;

/// Which classes are initialised by what. Only those of the class path count, and of these neither interfaces, whose
/// initialisers run late, nor enums, whose constants are made once for good.
pub struct Initialisation<'p> {
    program: &'p Program,
    /// Classes that are initialised at the latest when the initialiser of a class is done.
    needed: BTreeMap<ClassId, BTreeSet<ClassId>>,
}

impl<'p> Initialisation<'p> {
    /// Nothing is looked at before it is asked for.
    pub fn new(program: &'p Program) -> Initialisation<'p> {
        Initialisation {
            program,
            needed: BTreeMap::new(),
        }
    }

    /// The classes that can be under way to be initialised when the initialiser of the class needs them, and the other way
    /// round, in the order of their names; the class is one of them. Empty if there is no other.
    pub fn cycle(&mut self, class: ClassId) -> Vec<ClassId> {
        let mut reached = BTreeSet::new();
        let mut open = vec![class];
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                // So that the bound does not depend on which class was named first.
                let needed = self.needed_by(next);
                open.extend(self.sorted(needed));
            }
        }
        let mut cycle = BTreeSet::new();
        let mut grown = vec![class];
        while let Some(one) = grown.pop() {
            for other in &reached {
                let needs_it = self.needed.get(other).is_some_and(|needed| needed.contains(&one));
                if needs_it && cycle.insert(*other) {
                    grown.push(*other);
                }
            }
        }
        if cycle.iter().all(|one| *one == class) {
            return Vec::new();
        }
        self.sorted(cycle)
    }

    /// The classes that a call initialises, as far as its code tells, by the class and signature that it names.
    pub fn by_call(&self, class: ClassId, name: &str, descriptor: &str) -> BTreeSet<ClassId> {
        let program = self.program;
        let method = program.resolve_method(class, program.symbol(name), program.symbol(descriptor));
        let mut needed = self.by_code(method);
        needed.insert(class);
        needed.retain(|one| initialisable(program, *one).is_some());
        needed
    }

    /// Whether the initialiser of a class takes a monitor, as far as its code tells: who has that may wait for the initialiser.
    pub fn takes_monitor(&self, class: ClassId) -> bool {
        let program = self.program;
        let initialiser = initialisable(program, class)
            .and_then(|loaded| loaded.method(program.symbol("<clinit>"), program.symbol("()V")));
        let (methods, _) = self.reached(initialiser);
        methods.into_iter().any(|method| takes_monitor(program, method))
    }

    fn sorted(&self, classes: BTreeSet<ClassId>) -> Vec<ClassId> {
        let mut sorted: Vec<ClassId> = classes.into_iter().collect();
        sorted.sort_by_key(|one| self.program.internal_name(*one));
        sorted
    }

    fn needed_by(&mut self, class: ClassId) -> BTreeSet<ClassId> {
        if let Some(known) = self.needed.get(&class) {
            return known.clone();
        }
        let program = self.program;
        let loaded = initialisable(program, class).filter(|_| self.needed.len() < MOST_CLASSES);
        let Some(loaded) = loaded else {
            return BTreeSet::new();
        };
        let mut needed = self.by_code(loaded.method(program.symbol("<clinit>"), program.symbol("()V")));
        needed.extend(loaded.super_class());
        needed.retain(|other| *other != class && initialisable(program, *other).is_some());
        self.needed.insert(class, needed.clone());
        needed
    }

    fn by_code(&self, method: Option<MethodId>) -> BTreeSet<ClassId> {
        self.reached(method).1
    }

    /// Methods that are called, and classes that are initialised by that.
    fn reached(&self, method: Option<MethodId>) -> (BTreeSet<MethodId>, BTreeSet<ClassId>) {
        let mut needed = BTreeSet::new();
        let mut open: Vec<MethodId> = method.into_iter().collect();
        let mut known: BTreeSet<MethodId> = open.iter().copied().collect();
        while let Some(method) = open.pop() {
            for step in steps(self.program, method) {
                needed.extend(step.initialises);
                if let Some(called) = step.calls
                    && known.len() < MOST_METHODS
                    && known.insert(called)
                {
                    open.push(called);
                }
            }
        }
        (known, needed)
    }
}

/// The class, if it can be initialised by a run.
fn initialisable(program: &Program, class: ClassId) -> Option<&Class> {
    let loaded = program.class(class)?;
    let access = loaded.access();
    let is_plain = !access.is_interface() && !access.is_enum() && !access.is_synthetic();
    (is_plain && !loaded.is_platform()).then_some(loaded)
}

/// An instruction that initialises a class or calls a method.
struct Step {
    initialises: Option<ClassId>,
    calls: Option<MethodId>,
}

/// The class of a method outside the platform, and its code.
fn body(program: &Program, method: MethodId) -> Option<(&Class, Code<'_>)> {
    let (owner, declared) = program.method(method)?;
    if owner.is_platform() {
        return None;
    }
    let (name, descriptor) = (program.text(declared.name), program.text(declared.descriptor));
    let mut methods = owner.file().methods();
    let body = methods.find(|body| body.name() == name && body.descriptor() == descriptor)?;
    Some((owner, body.code().ok()??))
}

fn takes_monitor(program: &Program, method: MethodId) -> bool {
    let is_synchronized = program
        .method(method)
        .is_some_and(|(owner, declared)| declared.access.is_synchronized() && !owner.is_platform());
    let enters = |code: Code<'_>| {
        let mut instructions = code.instructions().map_while(Result::ok);
        instructions.any(|(_, insn)| insn == Insn::MonitorEnter)
    };
    is_synchronized || body(program, method).is_some_and(|(_, code)| enters(code))
}

fn steps(program: &Program, method: MethodId) -> Vec<Step> {
    let Some((owner, code)) = body(program, method) else {
        return Vec::new();
    };
    let pool = owner.file().pool();
    let member = |index: u16| {
        let member = pool.member_ref(index).ok()?;
        let class = program.class_id(&member.class);
        Some((
            class,
            program.symbol(&member.name),
            program.symbol(&member.descriptor),
        ))
    };
    let called = |index: u16| {
        let (class, name, descriptor) = member(index)?;
        program.resolve_method(class, name, descriptor)
    };
    let step = |insn: Insn<'_>| match insn {
        Insn::New(class) => Some(Step {
            initialises: Some(program.class_id(&pool.class_name(class).ok()?)),
            calls: None,
        }),
        Insn::GetStatic(index) | Insn::PutStatic(index) => {
            let (class, name, descriptor) = member(index)?;
            let field = program.resolve_field(class, name, descriptor);
            Some(Step {
                initialises: Some(program.field(field).owner),
                calls: None,
            })
        }
        Insn::InvokeStatic(index) => {
            let calls = called(index)?;
            let (owner, _) = program.method(calls)?;
            Some(Step {
                initialises: Some(owner.id()),
                calls: Some(calls),
            })
        }
        Insn::InvokeSpecial(index) | Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
            Some(Step {
                initialises: None,
                calls: called(index),
            })
        }
        _ => None,
    };
    let instructions = code.instructions().map_while(Result::ok);
    instructions.filter_map(|(_, insn)| step(insn)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    fn cycle(sources: &[(&str, &str)], class: &str) -> Vec<String> {
        let compiled = compile(sources).unwrap();
        let program = compiled.program();
        Initialisation::new(program)
            .cycle(program.class_id(class))
            .into_iter()
            .map(|class| program.name(class))
            .collect()
    }

    #[test]
    fn initialisers_that_need_each_other_are_a_cycle() {
        let sources = [
            (
                "A.java",
                "class A { static final Object OTHER = B.make(); static int of() { return 1; } }",
            ),
            ("B.java", "class B { static Object make() { return new C(); } }"),
            (
                "C.java",
                "class C { static int number; C() { } static { helper(); } static void helper() { number = A.of(); } }",
            ),
            ("D.java", "class D { static final Object FAR = A.OTHER; }"),
        ];
        assert_eq!(cycle(&sources, "A"), ["A", "C"]);
        assert_eq!(cycle(&sources, "C"), ["A", "C"]);
        assert_eq!(cycle(&sources, "B"), [""; 0]);
        assert_eq!(cycle(&sources, "D"), [""; 0]);
    }

    #[test]
    fn a_subclass_needs_its_superclass() {
        let sources = [
            (
                "Parent.java",
                "class Parent { static final Parent DEFAULT = new Child(); }",
            ),
            ("Child.java", "class Child extends Parent { }"),
            ("Other.java", "class Other extends Parent { }"),
        ];
        assert_eq!(cycle(&sources, "Child"), ["Child", "Parent"]);
        assert_eq!(cycle(&sources, "Parent"), ["Child", "Parent"]);
        assert_eq!(cycle(&sources, "Other"), [""; 0]);
    }

    #[test]
    fn what_is_inherited_initialises_the_class_that_has_it() {
        let sources = [
            ("Base.java", "class Base { static Object shared = new Object(); }"),
            (
                "Derived.java",
                "class Derived extends Base { static Object own = User.it; }",
            ),
            ("User.java", "class User { static Object it = Derived.shared; }"),
        ];
        assert_eq!(cycle(&sources, "User"), [""; 0]);
        assert_eq!(cycle(&sources, "Derived"), [""; 0]);
    }

    #[test]
    fn a_call_initialises_what_its_code_reaches() {
        let sources = [
            (
                "Way.java",
                "class Way { static Object go() { return Step.one(); } Way() { } }",
            ),
            (
                "Step.java",
                "class Step { static Object one() { return new Stone(); } }",
            ),
            ("Stone.java", "class Stone { }"),
        ];
        let compiled = compile(&sources).unwrap();
        let program = compiled.program();
        let initialisation = Initialisation::new(program);
        let by = |name: &str, descriptor: &str| {
            let classes = initialisation.by_call(program.class_id("Way"), name, descriptor);
            let mut names: Vec<String> = classes.into_iter().map(|class| program.name(class)).collect();
            names.sort();
            names
        };
        assert_eq!(by("go", "()Ljava/lang/Object;"), ["Step", "Stone", "Way"]);
        assert_eq!(by("<init>", "()V"), ["Way"]);
        assert_eq!(by("no", "()V"), ["Way"]);
    }

    #[test]
    fn initialisers_that_take_monitors_are_told() {
        let sources = [
            (
                "Quiet.java",
                "class Quiet { static final Object IT = new Object(); }",
            ),
            ("Loud.java", "class Loud { static { Book.add(); } }"),
            (
                "Book.java",
                "class Book { static synchronized void add() { } static void look() { synchronized (Book.class) { } } }",
            ),
            ("Louder.java", "class Louder { static { Book.look(); } }"),
            (
                "Platform.java",
                "class Platform { static final String TEXT = new StringBuffer().append(1).toString(); }",
            ),
        ];
        let compiled = compile(&sources).unwrap();
        let program = compiled.program();
        let initialisation = Initialisation::new(program);
        for (class, takes) in [
            ("Quiet", false),
            ("Loud", true),
            ("Louder", true),
            ("Book", false),
            ("Platform", false),
        ] {
            assert_eq!(
                initialisation.takes_monitor(program.class_id(class)),
                takes,
                "{class}"
            );
        }
    }

    #[test]
    fn enums_interfaces_and_the_platform_are_left_out() {
        let sources = [
            (
                "Colour.java",
                "enum Colour { RED; static final Object O = new Palette(); }",
            ),
            (
                "Palette.java",
                "class Palette { static final Colour DEFAULT = Colour.RED; }",
            ),
        ];
        assert_eq!(cycle(&sources, "Palette"), [""; 0]);
        assert_eq!(cycle(&sources, "java/lang/String"), [""; 0]);
        assert_eq!(cycle(&sources, "no/such/Class"), [""; 0]);
    }
}
