//! Whether the methods of a class that the plan writes can be written.

use std::collections::HashSet;

use raddle_classfile::descriptor::{FieldType, MethodType};

use super::{check_constant, fit, is_method_name};
use crate::error::CallProblem;
use crate::{Argument, Call, Deed, Invoke, MethodBody, Returned};

/// `held` has the descriptors of what the object holds.
pub(super) fn check(call: &Call, held: &[String]) -> Result<(), CallProblem> {
    if !call.invoke.writes_class() && !call.methods.is_empty() {
        return Err(CallProblem::Methods);
    }
    let mut known = HashSet::new();
    for method in &call.methods {
        let problem = |problem: String| CallProblem::Method {
            name: method.name.clone(),
            problem,
        };
        check_method(method, held, &problem)?;
        if let Some(deed) = &method.does {
            check_deed(method, deed, held, &problem)?;
        }
        if !known.insert((&method.name, &method.descriptor)) {
            return Err(problem("it is written twice".to_owned()));
        }
    }
    Ok(())
}

fn check_deed(
    method: &MethodBody,
    deed: &Deed,
    held: &[String],
    problem: &dyn Fn(String) -> CallProblem,
) -> Result<(), CallProblem> {
    let class = deed.member.internal_class();
    let fits = if deed.given {
        // Whoever writes this in Java finds the method in the type of the parameter, and nowhere else.
        let types = MethodType::parse(&method.descriptor);
        types.is_ok_and(|types| types.parameters.get(deed.on) == Some(&FieldType::Object(&class)))
    } else {
        let of = held.get(deed.on).ok_or_else(|| missing(deed.on, held, problem))?;
        FieldType::parse(of).map_or(true, |of| fit::value_fits(&of, &FieldType::Object(&class)))
    };
    if !fits || !matches!(deed.invoke, Invoke::Virtual | Invoke::Interface) {
        return Err(problem(format!(
            "it can call methods of what it holds or is given only, not {}.{}",
            deed.member.class, deed.member.name
        )));
    }
    let types = MethodType::parse(&deed.member.descriptor).map_err(|error| CallProblem::Descriptor {
        descriptor: deed.member.descriptor.clone(),
        reason: error.to_string(),
    })?;
    if types.parameters.len() != deed.args.len() {
        return Err(CallProblem::ArgumentCount {
            expected: types.parameters.len(),
            found: deed.args.len(),
        });
    }
    for (argument, parameter) in deed.args.iter().zip(&types.parameters) {
        if matches!(argument, Argument::Var(_) | Argument::Array { .. }) {
            return Err(problem("what it calls can be given constants only".to_owned()));
        }
        check_constant(argument, problem)?;
        if !fit::constant_fits(argument, parameter) {
            return Err(problem(format!(
                "what it calls is given {}, which does not fit {}",
                fit::describe(argument),
                parameter.java()
            )));
        }
    }
    Ok(())
}

fn missing(at: usize, held: &[String], problem: &dyn Fn(String) -> CallProblem) -> CallProblem {
    problem(format!(
        "it holds {} objects; there is no {at}, from 0",
        held.len()
    ))
}

fn check_method(
    method: &MethodBody,
    held: &[String],
    problem: &dyn Fn(String) -> CallProblem,
) -> Result<(), CallProblem> {
    if !is_method_name(&method.name) {
        return Err(CallProblem::MemberName {
            name: method.name.clone(),
        });
    }
    let descriptor = &method.descriptor;
    let types = MethodType::parse(descriptor).map_err(|error| CallProblem::Descriptor {
        descriptor: descriptor.clone(),
        reason: error.to_string(),
    })?;
    if let Some(in_java) = &method.in_java {
        let same_shape = MethodType::parse(in_java).is_ok_and(|other| {
            other.parameters.len() == types.parameters.len()
                && other.result.is_some() == types.result.is_some()
        });
        if !same_shape {
            return Err(problem(format!("`{in_java}` does not stand for `{descriptor}`")));
        }
    }
    let Some(returned) = &method.returns else {
        return Ok(());
    };
    let Some(result) = &types.result else {
        return Err(problem("it is void; remove `\"returns\"`".to_owned()));
    };
    let misfit = |given: String| {
        problem(format!(
            "it returns {given}, which does not fit {}",
            result.java()
        ))
    };
    let parameter = |at: usize| {
        let count = types.parameters.len();
        types
            .parameters
            .get(at)
            .ok_or_else(|| problem(format!("there is no parameter {at}; it has {count}, from 0")))
    };
    match returned {
        Returned::Parameter(at) => {
            let found = parameter(*at)?;
            if fit::value_fits(found, result) {
                Ok(())
            } else {
                Err(misfit(format!("a parameter of type {}", found.java())))
            }
        }
        Returned::Increment(at) => {
            let found = parameter(*at)?;
            if found != result {
                Err(misfit(format!("a parameter of type {} plus 1", found.java())))
            } else if is_counted(found) {
                Ok(())
            } else {
                Err(problem(format!("1 cannot be added to a {}", found.java())))
            }
        }
        Returned::Sum(one, other) | Returned::Larger(one, other) => {
            let (one, other) = (parameter(*one)?, parameter(*other)?);
            if one != result || other != result {
                Err(misfit(format!("what {} and {} make", one.java(), other.java())))
            } else if is_counted(result) {
                Ok(())
            } else {
                Err(problem(format!(
                    "there is no sum and no larger one of {}",
                    result.java()
                )))
            }
        }
        Returned::Made { invoke, member } => {
            let made = MethodType::parse(&member.descriptor).ok();
            let made = made.filter(|types| types.parameters.is_empty());
            let made = made.and_then(|types| types.result);
            let made = made.filter(|_| matches!(invoke, Invoke::Static | Invoke::InterfaceStatic));
            let Some(made) = made else {
                return Err(problem(
                    "only a static method without parameters can make what it returns".to_owned(),
                ));
            };
            let is_object = |field: &FieldType<'_>| matches!(field, FieldType::Object(_));
            if made == *result || is_object(&made) && is_object(result) {
                Ok(())
            } else {
                Err(misfit(made.java()))
            }
        }
        Returned::Held(at) => {
            let of = held.get(*at).ok_or_else(|| missing(*at, held, problem))?;
            match FieldType::parse(of) {
                Ok(found) if !fit::value_fits(&found, result) => {
                    Err(misfit(format!("an object of type {}", found.java())))
                }
                _ => Ok(()),
            }
        }
        Returned::Value(Argument::Var(_) | Argument::Array { .. }) => Err(problem(
            "it can return constants, parameters and what it holds only".to_owned(),
        )),
        Returned::Value(value) => {
            check_constant(value, problem)?;
            if fit::constant_fits(value, result) {
                Ok(())
            } else {
                Err(misfit(fit::describe(value)))
            }
        }
    }
}

/// Whether a sum of this type and 1 is of this type.
fn is_counted(field: &FieldType<'_>) -> bool {
    matches!(
        field,
        FieldType::Int | FieldType::Long | FieldType::Float | FieldType::Double
    )
}
