//! Objects that the plan implements: one class each, without state but for what they hold, which never changes.

use raddle_classfile::assembler::{AssembleError, ClassAssembler, Invocation, MethodAssembler};
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Call, CallId, Deed, Invoke, MethodBody, Primitive, Returned};

use super::argument::convert;
use super::{CLASS_ACCESS, Helper, LowerError, Lowering, MAJOR, PUBLIC, invoke_timed};

const OBJECT: &str = "java/lang/Object";
const ANYTHING: &str = "Ljava/lang/Object;";
/// `private final`
const FIELD_ACCESS: u16 = 0x0012;

/// The constructor of a class that the plan writes: first what the superclass asks for, then what the object holds.
pub(super) fn constructor_descriptor(call: &Call) -> String {
    let above = call
        .member
        .descriptor
        .trim_start_matches('(')
        .trim_end_matches(")V");
    format!("({above}{})V", ANYTHING.repeat(call.held().len()))
}

fn field(at: usize) -> String {
    format!("held{at}")
}

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
        let held = call.held().len();
        for at in 0..held {
            class.field(FIELD_ACCESS, &field(at), ANYTHING);
        }
        let mut constructor = class.method(PUBLIC, "<init>", &constructor_descriptor(call));
        constructor.load_reference(0);
        let above = MethodType::parse(&call.member.descriptor)?;
        // Plans hold few objects, and a method has at most 255 slots anyhow.
        let mut slot = 1;
        for parameter in &above.parameters {
            constructor.load_value(parameter, slot as u8);
            slot += parameter.slots();
        }
        constructor.invoke(Invocation::Special, superclass, "<init>", &call.member.descriptor);
        for at in 0..held {
            constructor
                .load_reference(0)
                .load_reference((slot + at as u16) as u8);
            constructor.put_field(&name, &field(at), ANYTHING);
        }
        constructor.return_void();
        constructor.end();
        for method in &call.methods {
            self.method(&mut class, &name, method)?;
        }
        Ok(Helper {
            class_name: name,
            bytes: class.finish()?,
        })
    }

    fn deed(
        &self,
        method: &mut MethodAssembler<'_>,
        own: &str,
        deed: &Deed,
        parameters: &[FieldType<'_>],
    ) -> Result<(), LowerError> {
        let class = deed.member.internal_class();
        if deed.given {
            // A checked plan has such a parameter, and a method has at most 255 slots.
            let before: u16 = parameters.iter().take(deed.on).map(FieldType::slots).sum();
            method.load_reference((1 + before) as u8);
        } else {
            method
                .load_reference(0)
                .get_field(own, &field(deed.on), ANYTHING)
                .check_cast(&class);
        }
        let types = MethodType::parse(&deed.member.descriptor)?;
        for (argument, parameter) in deed.args.iter().zip(&types.parameters) {
            self.argument(method, argument, parameter)?;
        }
        let how = match deed.invoke {
            Invoke::Interface => Invocation::Interface,
            _ => Invocation::Virtual,
        };
        method.invoke(how, &class, &deed.member.name, &deed.member.descriptor);
        match types.result {
            Some(FieldType::Long | FieldType::Double) => {
                method.pop2();
            }
            Some(_) => {
                method.pop();
            }
            None => {}
        }
        Ok(())
    }

    fn method(&self, class: &mut ClassAssembler, own: &str, body: &MethodBody) -> Result<(), LowerError> {
        let types = MethodType::parse(&body.descriptor)?;
        let mut method = class.method(PUBLIC, &body.name, &body.descriptor);
        if let Some(deed) = &body.does {
            self.deed(&mut method, own, deed, &types.parameters)?;
        }
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
            Returned::Held(at) => {
                method.load_reference(0).get_field(own, &field(*at), ANYTHING);
                convert(&mut method, &FieldType::Object(OBJECT), result);
            }
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
                invoke_timed(
                    &mut method,
                    how,
                    &member.internal_class(),
                    &member.name,
                    &member.descriptor,
                );
                let made = MethodType::parse(&member.descriptor)?.result;
                convert(&mut method, made.as_ref().ok_or_else(missing)?, result);
            }
        }
        method.return_value(result);
        method.end();
        Ok(())
    }
}
