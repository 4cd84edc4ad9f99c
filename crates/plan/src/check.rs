//! Whether a plan can be run: variables, receivers, arguments.
//!
//! Classes are not at hand here, so a reference may go wherever a cast could let it through. What is refused is what
//! no class path can make right.

mod fit;
mod implementation;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use raddle_classfile::descriptor::{FieldType, MethodType};

use crate::error::{CallPlace, CallProblem};
use crate::{Argument, Call, CallId, Invoke, MAX_THREADS, Part, PlanError, Primitive, TestPlan, Variables};

impl TestPlan {
    /// Whether the plan can be run, as far as it can be told without its classes.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.threads.is_empty() {
            return Err(PlanError::NoThreads);
        }
        if self.threads.len() > MAX_THREADS {
            return Err(PlanError::TooManyThreads {
                count: self.threads.len(),
            });
        }
        let scope = Scope {
            plan: self,
            variables: self.variables(),
        };
        let mut id = 0;
        let mut set = HashSet::new();
        for (part, calls) in self.parts() {
            if part != Part::Prefix {
                // Parts other than the prefix do not see each other's variables.
                set.retain(|(owner, _)| *owner == Part::Prefix);
            }
            for (index, call) in calls.iter().enumerate() {
                let checked = scope
                    .check_call(CallId(id), part, call)
                    .and_then(|()| match &call.bind {
                        Some(name) if set.contains(&(Part::Prefix, name)) || !set.insert((part, name)) => {
                            Err(CallProblem::SetTwice { name: name.clone() })
                        }
                        _ => Ok(()),
                    });
                checked.map_err(|problem| PlanError::Call {
                    place: CallPlace {
                        part,
                        index,
                        member: String::from(call.member.clone()),
                    },
                    problem,
                })?;
                id += 1;
            }
        }
        Ok(())
    }
}

/// Whether the variable that a call sets can have its name, and whether there is anything for it.
fn check_name(call: &Call, method: &MethodType<'_>) -> Result<(), CallProblem> {
    match &call.bind {
        Some(name) if name.is_empty() => Err(CallProblem::EmptyName),
        Some(name) if !call.invoke.makes_object() && method.result.is_none() => {
            Err(CallProblem::NoResult { name: name.clone() })
        }
        _ => Ok(()),
    }
}

/// What a name can mean.
struct Scope<'p> {
    plan: &'p TestPlan,
    variables: Variables<'p>,
}

impl Scope<'_> {
    fn check_call(&self, id: CallId, part: Part, call: &Call) -> Result<(), CallProblem> {
        let member = &call.member;
        check_class_name(&member.class)?;
        let method = MethodType::parse(&member.descriptor).map_err(|error| CallProblem::Descriptor {
            descriptor: member.descriptor.clone(),
            reason: error.to_string(),
        })?;
        let is_constructor = member.name == "<init>";
        match call.invoke {
            Invoke::New | Invoke::Extend if !is_constructor || method.result.is_some() => {
                return Err(CallProblem::NoConstructor);
            }
            Invoke::Implement if !is_constructor || member.descriptor != "()V" => {
                return Err(CallProblem::NoPlainConstructor);
            }
            Invoke::New | Invoke::Implement | Invoke::Extend => {}
            _ if is_constructor => return Err(CallProblem::Constructor),
            _ if !is_method_name(&member.name) => {
                return Err(CallProblem::MemberName {
                    name: member.name.clone(),
                });
            }
            _ => {}
        }
        self.check_receiver(id, part, call)?;
        let held = self.held(id, part, call)?;
        implementation::check(call, &held)?;
        if call.invoke == Invoke::Constant && (!method.parameters.is_empty() || method.result.is_none()) {
            return Err(CallProblem::NoConstant);
        }
        let found = call.args.len() - call.held().len();
        if method.parameters.len() != found {
            return Err(CallProblem::ArgumentCount {
                expected: method.parameters.len(),
                found,
            });
        }
        for (number, (argument, parameter)) in (1..).zip(call.args.iter().zip(&method.parameters)) {
            self.check_argument(id, part, number, argument, parameter)?;
        }
        check_name(call, &method)
    }

    /// The descriptors of what an object holds whose class the plan writes; an empty one for null.
    fn held(&self, id: CallId, part: Part, call: &Call) -> Result<Vec<String>, CallProblem> {
        if !call.invoke.writes_class() {
            return Ok(Vec::new());
        }
        let held = (1..).zip(call.held()).map(|(number, argument)| match argument {
            Argument::Var(name) => self.type_of(id, part, name),
            Argument::Null => Ok(String::new()),
            _ => Err(CallProblem::Constant {
                number,
                problem: "only variables can be held".to_owned(),
            }),
        });
        held.collect()
    }

    fn check_receiver(&self, id: CallId, part: Part, call: &Call) -> Result<(), CallProblem> {
        let kind = match call.invoke {
            Invoke::New | Invoke::Implement | Invoke::Extend => "constructor",
            Invoke::Static | Invoke::InterfaceStatic => "static method",
            Invoke::Constant => "constant",
            Invoke::Virtual | Invoke::Interface => {
                let name = call.on.as_deref().ok_or(CallProblem::NoReceiver)?;
                let descriptor = self.type_of(id, part, name)?;
                let class = call.member.internal_class();
                let Ok(found) = FieldType::parse(&descriptor) else {
                    // The call that sets the variable comes earlier and has been checked.
                    return Ok(());
                };
                if fit::value_fits(&found, &FieldType::Object(&class)) {
                    return Ok(());
                }
                return Err(CallProblem::ReceiverType {
                    name: name.to_owned(),
                    found: found.java(),
                    class: call.member.class.clone(),
                });
            }
        };
        match &call.on {
            None => Ok(()),
            Some(name) => Err(CallProblem::Receiver {
                kind,
                name: name.clone(),
            }),
        }
    }

    fn check_argument(
        &self,
        id: CallId,
        part: Part,
        number: usize,
        argument: &Argument,
        parameter: &FieldType<'_>,
    ) -> Result<(), CallProblem> {
        let misfit = |given: String| CallProblem::Argument {
            number,
            given,
            parameter: parameter.java(),
        };
        let constant = |problem: String| CallProblem::Constant { number, problem };
        match argument {
            Argument::Var(name) => {
                let descriptor = self.type_of(id, part, name)?;
                match FieldType::parse(&descriptor) {
                    Ok(found) if !fit::value_fits(&found, parameter) => {
                        Err(misfit(format!("variable `{name}` of type {}", found.java())))
                    }
                    _ => Ok(()),
                }
            }
            Argument::Array { element, of } => {
                let element = FieldType::parse(element)
                    .map_err(|error| constant(format!("`{element}` is no descriptor of a type: {error}")))?;
                if !fit::array_fits(&element, parameter) {
                    return Err(misfit(format!("an array of type {}[]", element.java())));
                }
                of.iter()
                    .try_for_each(|item| self.check_argument(id, part, number, item, &element))
            }
            other => {
                check_constant(other, &constant)?;
                if fit::constant_fits(other, parameter) {
                    Ok(())
                } else {
                    Err(misfit(fit::describe(other)))
                }
            }
        }
    }

    /// The descriptor of what a variable holds at a call.
    fn type_of(&self, id: CallId, part: Part, name: &str) -> Result<String, CallProblem> {
        if let Some(variable) = self.variables.find(part, name) {
            if variable.call < id {
                return Ok(variable.descriptor.clone());
            }
            let before = self.plan.calls().take_while(|(other, ..)| *other < variable.call);
            return Err(CallProblem::LaterVariable {
                name: name.to_owned(),
                part: variable.part,
                index: before.filter(|(_, other, _)| *other == variable.part).count(),
            });
        }
        if let Some(variable) = self.variables.iter().find(|variable| variable.name == name) {
            return Err(CallProblem::ForeignVariable {
                name: name.to_owned(),
                owner: variable.part,
            });
        }
        let visible = self.variables.iter().filter(|variable| {
            variable.call < id && (variable.part == part || variable.part == Part::Prefix)
        });
        Err(CallProblem::UnknownVariable {
            name: name.to_owned(),
            known: visible.map(|variable| variable.name.to_owned()).collect(),
        })
    }
}

/// Whether a constant is one of its kind.
fn check_constant(given: &Argument, problem: &dyn Fn(String) -> CallProblem) -> Result<(), CallProblem> {
    match given {
        Argument::Enum { class, constant } => {
            check_class_name(class)?;
            if is_method_name(constant) {
                Ok(())
            } else {
                Err(problem(format!("`{constant}` is no name of an enum constant")))
            }
        }
        Argument::Class(name) if class_literal(name).is_none() => {
            Err(problem(format!("`{name}` is no name of a class")))
        }
        _ => Ok(()),
    }
}

/// The type that a class literal stands for, as a descriptor; `V` for `void`. Names are those of `Class.getName`:
/// `int`, `java.util.Map$Entry`, `[I`, `[Ljava.lang.String;`.
pub fn class_literal(name: &str) -> Option<String> {
    if name == "void" {
        return Some("V".to_owned());
    }
    if let Some(primitive) = Primitive::from_keyword(name) {
        return Some(primitive.descriptor().to_owned());
    }
    let descriptor = if name.starts_with('[') {
        name.replace('.', "/")
    } else {
        check_class_name(name).ok()?;
        format!("L{};", name.replace('.', "/"))
    };
    FieldType::parse(&descriptor).is_ok().then_some(descriptor)
}

fn check_class_name(name: &str) -> Result<(), CallProblem> {
    let is_good = name.split('.').all(is_method_name);
    is_good.then_some(()).ok_or_else(|| CallProblem::ClassName {
        name: name.to_owned(),
    })
}

/// Whether the JVM takes it as a name of a method, or as a part of a class's.
fn is_method_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ';', '[', '/', '<', '>', '(', ')'])
}
