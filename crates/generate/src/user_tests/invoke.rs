//! Calls of a test: left out, followed into, or made steps.

use raddle_classfile::MemberRef;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::Invoke;
use raddle_program::MethodId;

use super::callee::{is_test_library, shown};
use super::machine::{Cut, Frame, Machine};
use super::value::Value;
use super::world::Step;

/// Steps of one test.
const MAX_STEPS: usize = 200;
/// What a call of a library for tests gives.
const OF_A_TEST_LIBRARY: &str = "an object of a library for tests";

/// A call as an instruction has it.
struct Site<'p, 't> {
    member: &'t MemberRef<'p>,
    types: &'t MethodType<'t>,
    depth: usize,
}

impl<'p> Machine<'p> {
    /// `invokevirtual` and `invokeinterface`.
    pub(super) fn invoke_on(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = method_ref(frame, index)?;
        let types = method_type(&member)?;
        let arguments = frame.arguments(&types)?;
        let receiver = frame.pop()?;
        let site = Site {
            member: &member,
            types: &types,
            depth: frame.depth,
        };
        let result = match receiver {
            _ if self.is_of_test_library(&member) => site.left_out(OF_A_TEST_LIBRARY),
            // What is printed is for people.
            Value::Console => match &types.result {
                Some(FieldType::Object("java/io/PrintStream")) => Some(Value::Console),
                _ => site.left_out("what became of printing"),
            },
            Value::This => self.helper(&site, &member, arguments)?,
            receiver => {
                let invoke = if member.is_interface {
                    Invoke::Interface
                } else {
                    Invoke::Virtual
                };
                self.step(&site, invoke, Some(receiver), arguments)?
            }
        };
        site.finish(frame, result)
    }

    /// A method of the test object, followed into.
    fn helper(
        &mut self,
        site: &Site<'p, '_>,
        member: &MemberRef<'p>,
        mut arguments: Vec<Value>,
    ) -> Result<Option<Value>, Cut> {
        let helper = self
            .own
            .helper(&member.class, &member.name, &member.descriptor)
            .ok_or_else(|| {
                let what = shown(&member.class, &member.name);
                Cut::new(format!("{what} is called on the test itself"))
            })?;
        arguments.insert(0, Value::This);
        self.run(helper, arguments, site.depth + 1)
    }

    /// `invokespecial`: constructors, and methods of the test object that no other overrides.
    pub(super) fn invoke_special(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = method_ref(frame, index)?;
        let types = method_type(&member)?;
        let mut arguments = frame.arguments(&types)?;
        let receiver = frame.pop()?;
        let site = Site {
            member: &member,
            types: &types,
            depth: frame.depth,
        };
        if let Value::Raw { class, .. } = &receiver {
            if member.name != "<init>" || **class != *member.class {
                return Err(Cut::broken());
            }
            let made = if is_test_library(class) {
                Some(Value::unknown(OF_A_TEST_LIBRARY))
            } else {
                self.step(&site, Invoke::New, None, arguments)?
            };
            frame.replace(&receiver, &made.ok_or_else(Cut::broken)?);
            return Ok(());
        }
        let what = || shown(&member.class, &member.name);
        if receiver != Value::This {
            return Err(Cut::new(format!("{} is not public", what())));
        }
        if self.is_of_test_library(&member) || (member.name == "<init>" && member.class == "java/lang/Object")
        {
            return site.finish(frame, site.left_out(OF_A_TEST_LIBRARY));
        }
        let program = self.program();
        let resolved = program
            .resolve_method(
                program.class_id(&member.class),
                program.symbol(&member.name),
                program.symbol(&member.descriptor),
            )
            .filter(|found| self.own.includes(found.class))
            .ok_or_else(|| Cut::new(format!("{} is called on the test itself", what())))?;
        arguments.insert(0, Value::This);
        let result = self.run(resolved, arguments, site.depth + 1)?;
        site.finish(frame, result)
    }

    /// `invokestatic`.
    pub(super) fn invoke_static(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = method_ref(frame, index)?;
        let types = method_type(&member)?;
        let arguments = frame.arguments(&types)?;
        let site = Site {
            member: &member,
            types: &types,
            depth: frame.depth,
        };
        if self.is_of_test_library(&member) {
            return site.finish(frame, site.left_out(OF_A_TEST_LIBRARY));
        }
        if is_null_check(&member) {
            // javac puts it before a method reference, and people where it changes nothing in a test that works.
            return site.finish(frame, arguments.into_iter().next());
        }
        let invoke = if member.is_interface {
            Invoke::InterfaceStatic
        } else {
            Invoke::Static
        };
        let helper = self.own.helper(&member.class, &member.name, &member.descriptor);
        let result = match helper {
            Some(helper) => self.own_static(&site, invoke, helper, arguments)?,
            None => self.step(&site, invoke, None, arguments)?,
        };
        site.finish(frame, result)
    }

    /// A static method of the test's own: followed into, or called, whichever shows more of what it does. Called, it
    /// uses the static fields of the JVM and not those that are followed here, so it is one or the other for all.
    fn own_static(
        &mut self,
        site: &Site<'p, '_>,
        invoke: Invoke,
        helper: MethodId,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Cut> {
        let member = site.member;
        let can_call = self.world.statics.classes.is_empty()
            && self
                .own
                .route(invoke, &member.class, &member.name, &member.descriptor)
                .is_ok();
        let before = can_call.then(|| self.world.clone());
        if can_call && (self.is_program || !self.own.inherits(helper.class)) {
            return self.step(site, invoke, None, arguments);
        }
        match (self.run(helper, arguments.clone(), site.depth + 1), before) {
            (Err(_), Some(before)) => {
                self.world = before;
                self.step(site, invoke, None, arguments)
            }
            (followed, _) => followed,
        }
    }

    /// Notes a call; its result is `None` if it is void.
    fn step(
        &mut self,
        site: &Site<'p, '_>,
        invoke: Invoke,
        receiver: Option<Value>,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Cut> {
        let member = site.member;
        let what = shown(&member.class, &member.name);
        if ends_the_jvm(member) {
            return Err(Cut::new("the test ends the JVM"));
        }
        if self.world.steps.len() >= MAX_STEPS {
            return Err(Cut::new(format!("the test has more than {MAX_STEPS} calls")));
        }
        match &receiver {
            Some(Value::Null) => return Err(Cut::new(format!("{what} is called on null"))),
            Some(value) => {
                let object = FieldType::Object(&member.class);
                if let Some(problem) = self.misfit(value, &object) {
                    return Err(Cut::new(format!("{what} is called on {problem}")));
                }
            }
            None => {}
        }
        for (value, parameter) in arguments.iter().zip(&site.types.parameters) {
            if let Some(problem) = self.misfit(value, parameter) {
                return Err(Cut::new(format!("{what} is given {problem}")));
            }
        }
        let (invoke, routed) = self
            .own
            .route(invoke, &member.class, &member.name, &member.descriptor)
            .map_err(Cut::new)?;
        if self.own.inherits(self.program().class_id(&member.class)) {
            self.world.statics.out_of_sight = true;
        }
        arguments
            .iter()
            .chain(&receiver)
            .for_each(|value| self.world.give_away(value));
        let step = self.world.steps.len();
        self.world.steps.push(Step {
            invoke,
            member: routed,
            on: receiver,
            args: arguments,
        });
        Ok(match &site.types.result {
            _ if invoke == Invoke::New => Some(Value::Result { step, wide: false }),
            None => None,
            Some(result) if self.own.is_visible_type(result) => Some(Value::Result {
                step,
                wide: result.slots() == 2,
            }),
            Some(result) => Some(Value::unknown_of(
                result,
                format!("what {what} returned, whose class is not public"),
            )),
        })
    }

    /// Why a plan cannot give a value where a type is expected, as in "a lambda"; `None` if it can.
    fn misfit(&self, value: &Value, expected: &FieldType<'_>) -> Option<String> {
        let is_reference = matches!(expected, FieldType::Object(_) | FieldType::Array(_));
        let fits = match value {
            Value::Int(_) => !is_reference && expected.kind() == raddle_classfile::Kind::Int,
            Value::Long(_) => *expected == FieldType::Long,
            Value::Float(_) => *expected == FieldType::Float,
            Value::Double(_) => *expected == FieldType::Double,
            Value::Null | Value::String(_) | Value::Class(_) | Value::Constant { .. } => is_reference,
            Value::Array(at) => {
                let array = self.world.arrays.get(*at)?;
                let element = FieldType::parse(&array.element).ok()?;
                if !self.own.is_visible_type(&element) {
                    return Some(format!("an array of {}, which is not public", element.java()));
                }
                return array.items.iter().find_map(|item| self.misfit(item, &element));
            }
            Value::Result { step, .. } => {
                let found = self
                    .world
                    .steps
                    .get(*step)
                    .and_then(|step| result_of(step).map(str::to_owned));
                // Variables of plans are not widened. References are cast.
                match found.as_deref().map(FieldType::parse) {
                    Some(Ok(FieldType::Object(_) | FieldType::Array(_))) | None => is_reference,
                    Some(Ok(found)) => found == *expected,
                    Some(Err(_)) => false,
                }
            }
            Value::This | Value::Console | Value::Raw { .. } | Value::Unknown { .. } => {
                return Some(self.described(value));
            }
        };
        (!fits).then(|| format!("{}, as another type", self.described(value)))
    }

    /// A value in messages.
    pub(super) fn described(&self, value: &Value) -> String {
        match value {
            Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Double(_) => "a number".to_owned(),
            Value::Null => "null".to_owned(),
            Value::String(_) => "a string".to_owned(),
            Value::Class(_) => "a class".to_owned(),
            Value::Constant { .. } => "a constant".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            Value::This => "the test itself".to_owned(),
            Value::Console => "the output of the program".to_owned(),
            Value::Raw { .. } => "an object without its constructor".to_owned(),
            Value::Unknown { what, .. } => what.to_string(),
            Value::Result { step, .. } => match self.world.steps.get(*step) {
                Some(step) if step.invoke == Invoke::New => "a new object".to_owned(),
                Some(step) => {
                    let what = shown(&step.member.internal_class(), &step.member.name);
                    format!("what {what} returned")
                }
                None => "a value".to_owned(),
            },
        }
    }

    fn is_of_test_library(&self, member: &MemberRef<'_>) -> bool {
        self.own
            .is_of_test_library(&member.class, &member.name, &member.descriptor)
    }
}

impl<'p> Site<'p, '_> {
    /// The result of a call that is not made.
    fn left_out(&self, what: &str) -> Option<Value> {
        let result = self.types.result.as_ref()?;
        Some(Value::unknown_of(result, what))
    }

    /// Leaves the result to the caller, if the call has one.
    fn finish(&self, frame: &mut Frame<'p>, result: Option<Value>) -> Result<(), Cut> {
        match (&self.types.result, result) {
            (Some(expected), Some(value)) if value.slots() == usize::from(expected.slots()) => {
                frame.push(value);
                Ok(())
            }
            (None, None) => Ok(()),
            _ => Err(Cut::broken()),
        }
    }
}

fn method_ref<'p>(frame: &Frame<'p>, index: u16) -> Result<MemberRef<'p>, Cut> {
    frame.pool.member_ref(index).map_err(|_| Cut::broken())
}

fn method_type<'t>(member: &'t MemberRef<'_>) -> Result<MethodType<'t>, Cut> {
    MethodType::parse(&member.descriptor).map_err(|_| Cut::broken())
}

/// The type of a step's result; `None` for new objects, which are references.
fn result_of(step: &Step) -> Option<&str> {
    if step.invoke == Invoke::New {
        return None;
    }
    let descriptor = &step.member.descriptor;
    descriptor.get(descriptor.find(')')? + 1..)
}

fn is_null_check(member: &MemberRef<'_>) -> bool {
    member.class == "java/util/Objects"
        && member.name == "requireNonNull"
        && member.descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;"
}

fn ends_the_jvm(member: &MemberRef<'_>) -> bool {
    matches!(&*member.class, "java/lang/System" | "java/lang/Runtime")
        && matches!(&*member.name, "exit" | "halt")
}
