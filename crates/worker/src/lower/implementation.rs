//! Objects that the plan implements: one class each, without state.

use raddle_classfile::assembler::{AssembleError, ClassAssembler, Invocation};
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Call, CallId, Invoke, MethodBody, Primitive, Returned};

use super::argument::convert;
use super::{CLASS_ACCESS, Helper, LowerError, Lowering, MAJOR, PUBLIC, constructor};

const OBJECT: &str = "java/lang/Object";

/// The class of the object that a call makes. Classes of this prefix are not rewritten.
pub(super) fn name(id: CallId) -> String {
    format!("RaddlePlan$Made{}", id.0)
}

impl Lowering<'_> {
    /// The class of the object that a call makes.
    pub(super) fn helper(&self, id: CallId, call: &Call) -> Result<Helper, LowerError> {
        let name = name(id);
        let given = call.member.internal_class();
        let superclass = match call.invoke {
            Invoke::Extend => given.as_str(),
            _ => OBJECT,
        };
        let mut class = ClassAssembler::new(MAJOR, CLASS_ACCESS, &name, superclass);
        if call.invoke == Invoke::Implement {
            class.implement(&given);
        }
        constructor(&mut class, superclass);
        for method in &call.methods {
            self.method(&mut class, method)?;
        }
        Ok(Helper {
            class_name: name,
            bytes: class.finish()?,
        })
    }

    fn method(&self, class: &mut ClassAssembler, body: &MethodBody) -> Result<(), LowerError> {
        let types = MethodType::parse(&body.descriptor)?;
        let mut method = class.method(PUBLIC, &body.name, &body.descriptor);
        let (Some(result), Some(returned)) = (&types.result, body.returned()) else {
            method.return_void();
            method.end();
            return Ok(());
        };
        // A checked plan has no parameter that is not there.
        let missing = || {
            LowerError::Class(AssembleError::BadStack {
                method: body.name.clone(),
                pc: 0,
            })
        };
        for at in returned.parameters() {
            let parameter = types.parameters.get(at).ok_or_else(missing)?;
            let before: u16 = types.parameters[..at].iter().map(FieldType::slots).sum();
            // A method has at most 255 slots, the receiver among them.
            method.load_value(parameter, (1 + before) as u8);
        }
        match &returned {
            Returned::Value(value) => self.argument(&mut method, value, result)?,
            Returned::Parameter(at) => convert(&mut method, &types.parameters[*at], result),
            Returned::Increment(at) => {
                method.add_one(&types.parameters[*at]);
            }
            Returned::Sum(..) | Returned::Larger(..) => {
                let primitive = Primitive::of(result).ok_or_else(missing)?;
                let (class, name) = match returned {
                    Returned::Sum(..) => (primitive.wrapper(), "sum"),
                    _ => ("java/lang/Math", "max"),
                };
                let letter = primitive.descriptor();
                let descriptor = format!("({letter}{letter}){letter}");
                method.invoke(Invocation::Static, class, name, &descriptor);
            }
            Returned::Made { invoke, member } => {
                let how = match invoke {
                    Invoke::InterfaceStatic => Invocation::InterfaceStatic,
                    _ => Invocation::Static,
                };
                method.invoke(how, &member.internal_class(), &member.name, &member.descriptor);
                let made = MethodType::parse(&member.descriptor)?.result;
                convert(&mut method, made.as_ref().ok_or_else(missing)?, result);
            }
        }
        method.return_value(result);
        method.end();
        Ok(())
    }
}
