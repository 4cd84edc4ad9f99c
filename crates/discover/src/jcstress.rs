//! Tests of `JCStress`: actors that run at the same time, and a list of what may come of it.

use raddle_classfile::{Annotation, AnnotationValue};
use raddle_plan::{Argument, Call, Invoke, MemberRef, TestPlan};
use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, class_has, java_name, methods, nested_in};
use crate::lifecycle::{Builder, parameter_classes};
use crate::style::Style;
use crate::{About, DeclaredOutcome, Expectation, Tests};

const TEST: &str = "Lorg/openjdk/jcstress/annotations/JCStressTest;";
const META: &str = "Lorg/openjdk/jcstress/annotations/JCStressMeta;";
const STATE: &str = "Lorg/openjdk/jcstress/annotations/State;";
const RESULT: &str = "Lorg/openjdk/jcstress/annotations/Result;";
const ACTOR: &str = "Lorg/openjdk/jcstress/annotations/Actor;";
const ARBITER: &str = "Lorg/openjdk/jcstress/annotations/Arbiter;";
const SIGNAL: &str = "Lorg/openjdk/jcstress/annotations/Signal;";
const OUTCOME: &str = "Lorg/openjdk/jcstress/annotations/Outcome;";
const OUTCOMES: &str = "Lorg/openjdk/jcstress/annotations/Outcome$Outcomes;";
/// What may happen, of the four things that an outcome can be said to be.
const ACCEPTABLE: [&str; 2] = ["ACCEPTABLE", "ACCEPTABLE_INTERESTING"];
/// What a test is called whose actors are methods.
const ALL_ACTORS: &str = "actors";

/// `JCStress`.
pub(crate) struct JcStress;

impl Style for JcStress {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        is_test(program, class)
            || nested_in(program, class)
                .into_iter()
                .any(|nested| is_test(program, nested))
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        for class in std::iter::once(class).chain(nested_in(program, class)) {
            if is_test(program, class) {
                collect(program, class, all);
            }
        }
    }
}

fn is_test(program: &Program, class: ClassId) -> bool {
    // That a superclass is one says nothing: the annotation is not inherited.
    let annotations = program.class(class).map(|class| class.file().annotations());
    annotations.is_some_and(|annotations| annotations.iter().any(|annotation| annotation == TEST))
}

fn collect(program: &Program, class: ClassId, all: &mut Tests) {
    let about = About {
        class: &program.name(class),
        method: ALL_ACTORS,
        style: "JCStress",
    };
    let outcomes = outcomes(program, class);
    let all_methods = methods(program, class);
    let is_terminating = all_methods.iter().any(|declared| declared.has(SIGNAL));
    let plan = plan(program, class, &all_methods, !is_terminating);
    let expects = if is_terminating {
        Expectation::Terminates(outcomes)
    } else {
        Expectation::Outcomes(outcomes)
    };
    all.add(about, plan, expects);
}

/// What the class says, or another class that it names for that.
fn outcomes(program: &Program, class: ClassId) -> Vec<DeclaredOutcome> {
    let mut all = Vec::new();
    let mut class = class;
    // One class may leave it to another, which is as far as that goes.
    for _ in 0..2 {
        let Some(loaded) = program.class(class) else {
            break;
        };
        let mut next = None;
        for annotation in loaded.file().annotation_values() {
            match &*annotation.descriptor {
                OUTCOME => all.push(outcome(&annotation)),
                OUTCOMES => {
                    for value in annotation.all("value") {
                        if let AnnotationValue::Annotation(annotation) = value {
                            all.push(outcome(annotation));
                        }
                    }
                }
                META => {
                    if let Some(AnnotationValue::Class(other)) = annotation.get("value") {
                        next = Some(program.class_id(&java_name(other).replace('.', "/")));
                    }
                }
                _ => {}
            }
        }
        let Some(next) = next else {
            break;
        };
        class = next;
    }
    all
}

fn outcome(annotation: &Annotation) -> DeclaredOutcome {
    let mut ids: Vec<String> = annotation.texts("id").into_iter().map(str::to_owned).collect();
    if ids.is_empty() {
        // Whatever no other one is about.
        ids.push(String::new());
    }
    let is_acceptable = match annotation.get("expect") {
        Some(AnnotationValue::Enum { constant, .. }) => ACCEPTABLE.contains(&&**constant),
        _ => false,
    };
    DeclaredOutcome {
        ids,
        is_acceptable,
        description: annotation.texts("desc").concat(),
    }
}

/// One thread for every actor, with the object of the test, its state and its result before, and what looks at them after.
fn plan(
    program: &Program,
    class: ClassId,
    all: &[Declared<'_>],
    has_result: bool,
) -> Result<TestPlan, String> {
    let with = |annotation: &str| {
        all.iter()
            .filter(|declared| declared.has(annotation))
            .collect::<Vec<_>>()
    };
    let (actors, arbiters) = ([with(ACTOR), with(SIGNAL)].concat(), with(ARBITER));
    if actors.is_empty() {
        return Err("it has no actor".to_owned());
    }
    let mut objects = Objects {
        builder: Builder::new(program, class),
        made: Vec::new(),
    };
    let mut prefix = Vec::new();
    let is_static = |declared: &&Declared<'_>| declared.method.access().is_static();
    if !actors.iter().chain(&arbiters).all(is_static) {
        prefix.push(objects.builder.constructor(class, None, "test")?);
        objects.made.push((program.name(class), "test".to_owned()));
    }
    let mut threads = Vec::new();
    for actor in &actors {
        threads.push(vec![objects.call(actor, &mut prefix)?]);
    }
    let mut after = Vec::new();
    for arbiter in &arbiters {
        after.push(objects.call(arbiter, &mut prefix)?);
    }
    let is_result = |name: &str| class_has(program, program.class_id(&name.replace('.', "/")), RESULT);
    let result = objects.made.iter().find(|(class, _)| is_result(class));
    match result {
        Some((class, variable)) => after.push(Call {
            bind: None,
            invoke: Invoke::Virtual,
            member: MemberRef {
                class: class.clone(),
                name: "toString".to_owned(),
                descriptor: "()Ljava/lang/String;".to_owned(),
            },
            on: Some(variable.clone()),
            args: Vec::new(),
            methods: Vec::new(),
        }),
        None if has_result => {
            return Err("no actor and no arbiter has a result among its parameters".to_owned());
        }
        None => {}
    }
    Ok(objects.builder.finish(ALL_ACTORS, prefix, threads, after))
}

/// The objects that actors share: one of every class.
struct Objects<'p> {
    builder: Builder<'p>,
    /// Classes, by Java names, and the variables of their objects.
    made: Vec<(String, String)>,
}

impl Objects<'_> {
    fn call(&mut self, declared: &Declared<'_>, prefix: &mut Vec<Call>) -> Result<Call, String> {
        let mut args = Vec::new();
        for class in parameter_classes(declared)? {
            args.push(Argument::Var(self.variable(&class, prefix)?));
        }
        let on = (!declared.method.access().is_static()).then_some("test");
        self.builder.call_with(declared, on, args)
    }

    fn variable(&mut self, class: &str, prefix: &mut Vec<Call>) -> Result<String, String> {
        if let Some((_, variable)) = self.made.iter().find(|(made, _)| made == class) {
            return Ok(variable.clone());
        }
        let program = self.builder.program;
        let id = program.class_id(&class.replace('.', "/"));
        let name = if class_has(program, id, RESULT) {
            "result".to_owned()
        } else if class_has(program, id, STATE) {
            "state".to_owned()
        } else {
            return Err(format!(
                "{class} is a parameter, and neither a state nor a result"
            ));
        };
        let taken = self
            .made
            .iter()
            .filter(|(_, variable)| variable.starts_with(&name))
            .count();
        let name = if taken == 0 {
            name
        } else {
            format!("{name}{}", taken + 1)
        };
        prefix.push(self.builder.constructor(id, None, &name)?);
        self.made.push((class.to_owned(), name.clone()));
        Ok(name)
    }
}
