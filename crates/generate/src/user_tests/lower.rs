//! Steps become calls of a plan: results that are used get variables.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Argument, Call, Invoke, MemberRef, Primitive};

use super::value::Value;
use super::world::{Step, World};

/// The calls of a test, and how many of them belong to the set-up.
pub(super) struct Lowered {
    pub(super) calls: Vec<Call>,
    pub(super) of_set_up: usize,
}

/// The calls that do what the steps do. The first of the steps are those of the set-up.
pub(super) fn lower(world: &World, set_up: usize) -> Lowered {
    let mut usage = Usage {
        world,
        results: vec![false; world.steps.len()],
        arrays: vec![0; world.arrays.len()],
    };
    let mut kept = vec![true; world.steps.len()];
    for (at, step) in world.steps.iter().enumerate().rev() {
        kept[at] = usage.results[at] || !is_conversion(step);
        if kept[at] {
            usage.step(step);
        }
    }
    let mut writer = Writer {
        world,
        usage: &usage,
        names: vec![None; world.steps.len()],
        arrays: vec![None; world.arrays.len()],
        variables: 0,
        calls: Vec::new(),
    };
    let mut of_set_up = 0;
    for (at, step) in world.steps.iter().enumerate().filter(|(at, _)| kept[*at]) {
        writer.step(at, step);
        if at < set_up {
            of_set_up = writer.calls.len();
        }
    }
    Lowered {
        calls: writer.calls,
        of_set_up,
    }
}

/// Whether a step boxes or unboxes, so that nothing is lost without it if its result is of no use.
fn is_conversion(step: &Step) -> bool {
    let Step { invoke, member, .. } = step;
    if Primitive::from_wrapper(&member.internal_class()).is_none() {
        return false;
    }
    match MethodType::parse(&member.descriptor) {
        Ok(types) => match (invoke, types.parameters.as_slice()) {
            (Invoke::Static, [only]) => member.name == "valueOf" && Primitive::of(only).is_some(),
            (Invoke::Virtual, []) => member.name.ends_with("Value"),
            _ => false,
        },
        Err(_) => false,
    }
}

/// What is used, and how often.
struct Usage<'w> {
    world: &'w World,
    results: Vec<bool>,
    arrays: Vec<usize>,
}

impl Usage<'_> {
    fn step(&mut self, step: &Step) {
        if let Some(receiver) = &step.on {
            self.value(receiver);
            if let Value::Array(at) = receiver {
                // Only a variable can be a receiver.
                self.arrays[*at] += 1;
            }
        }
        step.args.iter().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Result { step, .. } => self.results[*step] = true,
            Value::Array(at) => {
                self.arrays[*at] += 1;
                if self.arrays[*at] == 1 {
                    let world = self.world;
                    world.arrays[*at].items.iter().for_each(|item| self.value(item));
                }
            }
            _ => {}
        }
    }
}

struct Writer<'w> {
    world: &'w World,
    usage: &'w Usage<'w>,
    /// Variables of results, by step.
    names: Vec<Option<String>>,
    /// Variables of arrays that are used more than once, which must stay the same array.
    arrays: Vec<Option<String>>,
    variables: usize,
    calls: Vec<Call>,
}

impl Writer<'_> {
    fn step(&mut self, at: usize, step: &Step) {
        let parameters = crate::callable::parameters(&step.member.descriptor);
        let args = step
            .args
            .iter()
            .zip(&parameters)
            .map(|(value, parameter)| self.argument(value, parameter))
            .collect();
        let on = step.on.as_ref().map(|receiver| {
            match self.argument(receiver, &format!("L{};", step.member.internal_class())) {
                Argument::Var(name) => name,
                constant => self.kept(constant),
            }
        });
        let bind = self.usage.results[at].then(|| self.next_name());
        self.names[at].clone_from(&bind);
        self.calls.push(Call {
            bind,
            invoke: step.invoke,
            member: step.member.clone(),
            on,
            args,
            methods: Vec::new(),
        });
    }

    fn next_name(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables - 1)
    }

    /// A variable that holds what is written down. No call but one that gives its argument back can make one.
    fn kept(&mut self, constant: Argument) -> String {
        let name = self.next_name();
        self.calls.push(Call {
            bind: Some(name.clone()),
            invoke: Invoke::Static,
            member: MemberRef {
                class: "java.util.Objects".to_owned(),
                name: "requireNonNull".to_owned(),
                descriptor: "(Ljava/lang/Object;)Ljava/lang/Object;".to_owned(),
            },
            on: None,
            args: vec![constant],
            methods: Vec::new(),
        });
        name
    }

    /// A value for a parameter. Steps have no other values than these.
    fn argument(&mut self, value: &Value, descriptor: &str) -> Argument {
        match value {
            Value::Int(number) => narrowed(*number, descriptor),
            Value::Long(number) => Argument::Long(*number),
            Value::Float(bits) => Argument::Float(*bits),
            Value::Double(bits) => Argument::Double(*bits),
            Value::String(text) => Argument::String(text.clone()),
            Value::Class(name) => Argument::Class(name.clone()),
            // Plans write values of wrappers as the numbers they are.
            Value::Constant { class, name } if class == "java.lang.Boolean" => {
                Argument::Boolean(name == "TRUE")
            }
            Value::Constant { class, name } => Argument::Enum {
                class: class.clone(),
                constant: name.clone(),
            },
            Value::Result { step, .. } => self.names[*step].clone().map_or(Argument::Null, Argument::Var),
            Value::Array(at) => self.array(*at),
            Value::Null | Value::This | Value::Console | Value::Raw { .. } | Value::Unknown { .. } => {
                Argument::Null
            }
        }
    }

    fn array(&mut self, at: usize) -> Argument {
        if let Some(name) = &self.arrays[at] {
            return Argument::Var(name.clone());
        }
        let world = self.world;
        let array = &world.arrays[at];
        let of = array
            .items
            .iter()
            .map(|item| self.argument(item, &array.element))
            .collect();
        let written = Argument::Array {
            element: array.element.clone(),
            of,
        };
        if self.usage.arrays[at] < 2 {
            return written;
        }
        let name = self.kept(written);
        self.arrays[at] = Some(name.clone());
        Argument::Var(name)
    }
}

/// An int as the type that it is given as.
fn narrowed(number: i32, descriptor: &str) -> Argument {
    match FieldType::parse(descriptor) {
        Ok(FieldType::Boolean) => Argument::Boolean(number & 1 != 0),
        Ok(FieldType::Byte) => Argument::Byte(number as i8),
        Ok(FieldType::Char) => Argument::Char(number.cast_unsigned() as u16),
        Ok(FieldType::Short) => Argument::Short(number as i16),
        _ => Argument::Int(number),
    }
}
