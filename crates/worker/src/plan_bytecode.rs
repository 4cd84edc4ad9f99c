//! Test plans as bytecode: one class per plan, one static method or more per part, one guarded stretch per call.
//!
//! The class extends `java.lang.RaddlePlan` and tells `java.lang.Raddle` when a call begins, returns or throws. It has
//! version 52, the first in which a static method of an interface may be called, and so it has frames: it passes any
//! verifier.
//!
//! Each object that the plan implements has a small class of its own beside it, so that no call site is linked inside
//! of a run.

mod argument;
mod implementation;
#[cfg(test)]
mod tests;

use raddle_classfile::ClassFileError;
use raddle_classfile::assembler::{AssembleError, ClassAssembler, Invocation, MethodAssembler};
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_instrument::timed_by;
use raddle_plan::{Call, CallId, Invoke, Part, PlanError, Primitive, TestPlan, Variables};

/// Java 8.
const MAJOR: u16 = 52;
/// `public final super synthetic`
const CLASS_ACCESS: u16 = 0x1031;
const PUBLIC: u16 = 0x0001;
/// `private static`
const PART_ACCESS: u16 = 0x000a;
/// A method that has grown beyond this is continued in another. The JIT leaves methods beyond 8000 bytes alone, and
/// no call should be refused because others came before it.
const ENOUGH: usize = 4000;

const HOOKS: &str = "java/lang/Raddle";
const SUPERCLASS: &str = "java/lang/RaddlePlan";
const THROWABLE: &str = "java/lang/Throwable";
/// What the methods of parts take: the variables.
const PART_DESCRIPTOR: &str = "([Ljava/lang/Object;)V";

/// A plan as a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// Its binary name with dots.
    pub class_name: String,
    /// The class file.
    pub bytes: Vec<u8>,
    /// Classes that this one makes objects of.
    pub helpers: Vec<Helper>,
    /// How many threads the plan has.
    pub threads: usize,
    /// How many calls the plan has.
    pub calls: usize,
    /// How many variables the plan has: the length of the array that `run` is given.
    pub vars: usize,
}

/// The class of an object that the plan implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helper {
    /// Its binary name with dots. It depends on the place in the plan alone, since results may have it in them.
    pub class_name: String,
    /// The class file.
    pub bytes: Vec<u8>,
}

/// Why a plan has no class.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LowerError {
    /// The plan itself is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A variable that is never set; a checked plan has none.
    #[error("the plan uses variable `{name}`, which it does not set")]
    Variable {
        /// Its name.
        name: String,
    },
    /// The plan is too large for a class file.
    #[error("the plan cannot be made into a class: {0}")]
    Class(#[from] AssembleError),
    /// A descriptor that is none.
    #[error("the plan cannot be made into a class: {0}")]
    Descriptor(#[from] ClassFileError),
}

/// Makes a plan into a class of that name.
pub fn lower(plan: &TestPlan, class_name: &str) -> Result<Lowered, LowerError> {
    plan.check()?;
    let name = class_name.replace('.', "/");
    let variables = plan.variables();
    let mut class = ClassAssembler::new(MAJOR, CLASS_ACCESS, &name, SUPERCLASS);
    constructor(&mut class, SUPERCLASS);
    let mut methods = Vec::new();
    let mut helpers = Vec::new();
    let mut first = 0;
    for (part, calls) in plan.parts() {
        let ids = (first..).map(CallId);
        let lowering = Lowering {
            variables: &variables,
            uninitialised: &plan.uninitialised,
            part,
        };
        for (id, call) in ids.clone().zip(calls) {
            if call.invoke.writes_class() {
                helpers.push(lowering.helper(id, call)?);
            }
        }
        methods.push((part, lowering.part(&mut class, ids.zip(calls))?));
        first += calls.len() as u32;
    }
    dispatcher(&mut class, &name, &methods);
    Ok(Lowered {
        class_name: class_name.replace('/', "."),
        bytes: class.finish()?,
        helpers,
        threads: plan.threads.len(),
        calls: plan.call_count(),
        vars: variables.len(),
    })
}

fn constructor(class: &mut ClassAssembler, superclass: &str) {
    let mut method = class.method(PUBLIC, "<init>", "()V");
    method
        .load_reference(0)
        .invoke(Invocation::Special, superclass, "<init>", "()V")
        .return_void();
    method.end();
}

/// `run`: calls the methods of a part.
fn dispatcher(class: &mut ClassAssembler, name: &str, parts: &[(Part, Vec<String>)]) {
    let mut run = class.method(PUBLIC, "run", "(I[Ljava/lang/Object;)V");
    let mut cases: Vec<_> = parts.iter().map(|part| (part, run.label())).collect();
    // From −1 on without a gap: after, prefix, threads.
    cases.sort_by_key(|((part, _), _)| part.number());
    let labels: Vec<_> = cases.iter().map(|(_, label)| *label).collect();
    let unknown = run.label();
    run.load_int(1).switch(Part::After.number(), &labels, unknown);
    for ((_, methods), label) in cases {
        run.place(label);
        for method in methods {
            run.load_reference(2)
                .invoke(Invocation::Static, name, method, PART_DESCRIPTOR);
        }
        run.return_void();
    }
    let exception = "java/lang/IllegalArgumentException";
    run.place(unknown)
        .new_object(exception)
        .dup()
        .invoke(Invocation::Special, exception, "<init>", "()V")
        .throw();
    run.end();
}

/// One part on its way to methods.
struct Lowering<'p> {
    variables: &'p Variables<'p>,
    uninitialised: &'p [String],
    part: Part,
}

impl Lowering<'_> {
    /// Writes the methods of a part and returns their names in the order of calls.
    fn part<'c>(
        &self,
        class: &mut ClassAssembler,
        calls: impl Iterator<Item = (CallId, &'c Call)>,
    ) -> Result<Vec<String>, LowerError> {
        let stem = match self.part {
            Part::Prefix => "prefix".to_owned(),
            Part::Thread(thread) => format!("thread{}", thread + 1),
            Part::After => "after".to_owned(),
        };
        let mut names = Vec::new();
        let mut calls = calls.peekable();
        while calls.peek().is_some() {
            let name = match names.len() {
                0 => stem.clone(),
                earlier => format!("{stem}_{}", earlier + 1),
            };
            let mut method = class.method(PART_ACCESS, &name, PART_DESCRIPTOR);
            names.push(name);
            while let Some((id, call)) = calls.next_if(|_| method.len() <= ENOUGH) {
                self.call(&mut method, id, call)?;
            }
            method.return_void();
            method.end();
        }
        Ok(names)
    }

    fn call(&self, method: &mut MethodAssembler<'_>, id: CallId, call: &Call) -> Result<(), LowerError> {
        // Plans have fewer calls than an int can count, since each has bytes in a file.
        let number = i32::try_from(id.0).unwrap_or(i32::MAX);
        let (handler, end) = (method.label(), method.label());
        method
            .push_int(number)
            .invoke(Invocation::Static, HOOKS, "begin", "(I)V");
        let from = method.position();
        let class = if call.invoke.writes_class() {
            implementation::name(id)
        } else {
            call.member.internal_class()
        };
        let written = implementation::constructor_descriptor(call);
        let descriptor = if call.invoke.writes_class() {
            &written
        } else {
            &call.member.descriptor
        };
        let how = match call.invoke {
            Invoke::New | Invoke::Implement | Invoke::Extend => {
                method.new_object(&class).dup();
                Invocation::Special
            }
            Invoke::Static | Invoke::Constant => Invocation::Static,
            Invoke::InterfaceStatic => Invocation::InterfaceStatic,
            Invoke::Virtual => Invocation::Virtual,
            Invoke::Interface => Invocation::Interface,
        };
        if let Some(receiver) = &call.on {
            self.variable(method, receiver, &FieldType::Object(&class))?;
        }
        let parameters = MethodType::parse(descriptor)?;
        for (argument, parameter) in call.args.iter().zip(&parameters.parameters) {
            self.argument(method, argument, parameter)?;
        }
        match &parameters.result {
            Some(FieldType::Object(of)) if call.invoke == Invoke::Constant => {
                // Methods and constructors tell by themselves.
                if self.uninitialised.contains(&call.member.class) {
                    let name: Vec<u16> = call.member.name.encode_utf16().collect();
                    let touched = "(Ljava/lang/Class;Ljava/lang/String;I)V";
                    method.push_class(&class).push_string(&name).push_int(0).invoke(
                        Invocation::Static,
                        HOOKS,
                        "touched",
                        touched,
                    );
                }
                method.get_static(&class, &call.member.name, &format!("L{of};"));
            }
            _ => invoke_timed(method, how, &class, &call.member.name, descriptor),
        }
        match &parameters.result {
            Some(result) => box_value(method, result),
            None if call.invoke.makes_object() => {}
            None => {
                method.push_null();
            }
        }
        if let Some(variable) = call
            .bind
            .as_deref()
            .and_then(|name| self.variables.find(self.part, name))
        {
            method
                .dup()
                .load_reference(0)
                .swap()
                .push_int(argument::slot(variable))
                .swap()
                .store_element(&FieldType::Object("java/lang/Object"));
        }
        method.push_int(number).swap().invoke(
            Invocation::Static,
            HOOKS,
            "returned",
            "(ILjava/lang/Object;)V",
        );
        let to = method.position();
        method.go_to(end);
        method
            .handle(from, to, THROWABLE, handler)
            .place_handler(handler, THROWABLE)
            .push_int(number)
            .swap()
            .invoke(Invocation::Static, HOOKS, "threw", "(ILjava/lang/Throwable;)V")
            .place(end);
        Ok(())
    }
}

/// Calls a method; of those about time, what has them follow the clock of the run.
fn invoke_timed(
    method: &mut MethodAssembler<'_>,
    how: Invocation,
    class: &str,
    name: &str,
    descriptor: &str,
) {
    match timed_by(class, name, descriptor) {
        Some(hook) => method.invoke(Invocation::Static, HOOKS, hook, descriptor),
        None => method.invoke(how, class, name, descriptor),
    };
}

/// Makes the value on top an object, if it is none.
fn box_value(method: &mut MethodAssembler<'_>, value: &FieldType<'_>) {
    if let Some(primitive) = Primitive::of(value) {
        let wrapper = primitive.wrapper();
        let descriptor = format!("({})L{wrapper};", primitive.descriptor());
        method.invoke(Invocation::Static, wrapper, "valueOf", &descriptor);
    }
}
