//! Follows the code of a test from one instruction to the next, as long as there is only one way to go.

use std::fmt;
use std::sync::Arc;

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Code, Constant, Insn, Pool};
use raddle_plan::Invoke;
use raddle_program::{Class, MethodId, Program};

use super::callee::Own;
use super::fold;
use super::value::Value;
use super::world::{Array, World};

/// Helpers within helpers.
const MAX_DEPTH: usize = 3;
/// Instructions of one test.
const MAX_INSTRUCTIONS: usize = 50_000;
/// Elements of an array that is written down.
const MAX_ELEMENTS: usize = 256;
/// Arrays in arrays.
const MAX_HEIGHT: usize = 8;

/// Why a sequence ends before its test does.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    reason: String,
    /// File and line.
    place: Option<String>,
}

impl Cut {
    pub(super) fn new(reason: impl Into<String>) -> Cut {
        Cut {
            reason: reason.into(),
            place: None,
        }
    }

    /// The code is none that a JVM would run.
    pub(super) fn broken() -> Cut {
        Cut::new("the code of the test cannot be read")
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// Where to go on.
enum Flow {
    Next,
    Jump(u32),
    Return(Option<Value>),
}

/// A method that is being followed.
pub(super) struct Frame<'p> {
    pub(super) pool: Pool<'p>,
    pub(super) depth: usize,
    pc: u32,
    stack: Vec<Value>,
    locals: Vec<Value>,
}

/// A test that is being followed.
pub(super) struct Machine<'p> {
    pub(super) own: Own<'p>,
    /// The test is a program. What it does with the public methods of its own class is what it shows.
    pub(super) is_program: bool,
    pub(super) world: World,
    instructions: usize,
}

impl<'p> Machine<'p> {
    pub(super) fn new(own: Own<'p>, is_program: bool) -> Machine<'p> {
        Machine {
            own,
            is_program,
            world: World::default(),
            instructions: 0,
        }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.own.program
    }

    /// Follows a method with arguments, the receiver included, to its end. What it gives back is `None` if it is void.
    pub(super) fn run(
        &mut self,
        method: MethodId,
        arguments: Vec<Value>,
        depth: usize,
    ) -> Result<Option<Value>, Cut> {
        let (class, declared) = self.program().method(method).ok_or_else(Cut::broken)?;
        if depth > MAX_DEPTH {
            let name = self.program().text(declared.name);
            return Err(Cut::new(format!(
                "`{name}` is called by helpers that call each other too deeply"
            )));
        }
        let view = class.file().methods().nth(usize::from(method.index));
        let code = view.and_then(|view| view.code().ok().flatten()).ok_or_else(|| {
            let name = self.program().text(declared.name);
            Cut::new(format!("`{name}` has no code that can be read"))
        })?;
        let unset = Value::unknown("a variable without a value");
        let mut frame = Frame {
            pool: class.file().pool(),
            depth,
            pc: 0,
            stack: Vec::new(),
            locals: vec![unset; usize::from(code.max_locals())],
        };
        let mut slot = 0;
        for argument in arguments {
            let slots = argument.slots();
            *frame.locals.get_mut(slot).ok_or_else(Cut::broken)? = argument;
            slot += slots;
        }
        self.follow(&mut frame, &code).map_err(|cut| Cut {
            place: cut.place.or_else(|| place(class, &code, frame.pc)),
            ..cut
        })
    }

    fn follow(&mut self, frame: &mut Frame<'p>, code: &Code<'p>) -> Result<Option<Value>, Cut> {
        loop {
            self.instructions += 1;
            if self.instructions > MAX_INSTRUCTIONS {
                return Err(Cut::new("the test is too long"));
            }
            let (insn, next) = code.instruction_at(frame.pc).map_err(|_| Cut::broken())?;
            match self.instruction(frame, &insn)? {
                Flow::Next => frame.pc = next,
                Flow::Jump(target) if target <= frame.pc => {
                    return Err(Cut::new("a loop is done once and not followed further"));
                }
                Flow::Jump(target) => frame.pc = target,
                Flow::Return(value) => return Ok(value),
            }
        }
    }

    fn instruction(&mut self, frame: &mut Frame<'p>, insn: &Insn<'p>) -> Result<Flow, Cut> {
        match *insn {
            // A cast changes nothing of what is known.
            Insn::Nop | Insn::CheckCast(_) => {}
            Insn::ConstNull => frame.push(Value::Null),
            Insn::ConstInt(number) => frame.push(Value::Int(number)),
            Insn::ConstLong(number) => frame.push(Value::Long(number)),
            Insn::ConstFloat(number) => frame.push(Value::Float(number.to_bits())),
            Insn::ConstDouble(number) => frame.push(Value::Double(number.to_bits())),
            Insn::Ldc(index) | Insn::Ldc2(index) => {
                let constant = frame.pool.constant(index).map_err(|_| Cut::broken())?;
                let value = self.constant(constant);
                frame.push(value);
            }
            Insn::Load(_, slot) => {
                let value = frame.local(slot)?.clone();
                frame.push(value);
            }
            Insn::Store(_, slot) => {
                let value = frame.pop()?;
                *frame.local(slot)? = value;
            }
            Insn::Iinc(slot, by) => {
                let local = frame.local(slot)?;
                *local = match local {
                    Value::Int(number) => Value::Int(number.wrapping_add(i32::from(by))),
                    _ => calculated(false),
                };
            }
            Insn::ArrayLoad(kind) => {
                let (index, array) = (frame.pop()?, frame.pop()?);
                let value = self.element(&array, &index).unwrap_or_else(|| Value::Unknown {
                    wide: kind.element().slots() == 2,
                    what: Arc::from("an element of an array"),
                });
                frame.push(value);
            }
            Insn::ArrayStore(_) => {
                let (value, index, array) = (frame.pop()?, frame.pop()?, frame.pop()?);
                self.store_element(&array, &index, value)?;
            }
            Insn::ArrayLength => {
                let length = match frame.pop()? {
                    Value::Array(at) => self.world.arrays.get(at).map(|array| array.items.len()),
                    _ => None,
                };
                let length = length.and_then(|length| i32::try_from(length).ok());
                frame.push(length.map_or_else(|| Value::unknown("the length of an array"), Value::Int));
            }
            Insn::Pop => frame.pop_slots(1).map(drop)?,
            Insn::Pop2 => frame.pop_slots(2).map(drop)?,
            Insn::Dup => frame.duplicate(1, 0)?,
            Insn::DupX1 => frame.duplicate(1, 1)?,
            Insn::DupX2 => frame.duplicate(1, 2)?,
            Insn::Dup2 => frame.duplicate(2, 0)?,
            Insn::Dup2X1 => frame.duplicate(2, 1)?,
            Insn::Dup2X2 => frame.duplicate(2, 2)?,
            Insn::Swap => {
                let (first, second) = (frame.pop()?, frame.pop()?);
                frame.push(first);
                frame.push(second);
            }
            Insn::Arith(kind, op) => {
                let (right, left) = (frame.pop()?, frame.pop()?);
                let folded = fold::arithmetic(op, &left, &right);
                frame.push(folded.unwrap_or_else(|| calculated(kind.slots() == 2)));
            }
            Insn::Neg(kind) => {
                let value = frame.pop()?;
                frame.push(fold::negated(&value).unwrap_or_else(|| calculated(kind.slots() == 2)));
            }
            Insn::Convert(_, to) => {
                let value = frame.pop()?;
                let folded = fold::converted(&value, to);
                frame.push(folded.unwrap_or_else(|| calculated(to.kind().slots() == 2)));
            }
            Insn::Compare(_) => {
                let (right, left) = (frame.pop()?, frame.pop()?);
                frame.push(fold::compared(&left, &right).unwrap_or_else(|| calculated(false)));
            }
            Insn::InstanceOf(_) => {
                frame.pop()?;
                frame.push(Value::unknown("the class of an object"));
            }
            Insn::If(condition, target) => {
                let value = frame.pop()?;
                return self.branch(target, &[value], |values| match values {
                    [Value::Int(number)] => Some(fold::holds(condition, *number, 0)),
                    _ => None,
                });
            }
            Insn::IfIcmp(condition, target) => {
                let (right, left) = (frame.pop()?, frame.pop()?);
                return self.branch(target, &[left, right], |values| match values {
                    [Value::Int(left), Value::Int(right)] => Some(fold::holds(condition, *left, *right)),
                    _ => None,
                });
            }
            Insn::IfAcmp(when_equal, target) => {
                let (right, left) = (frame.pop()?, frame.pop()?);
                return self.branch(target, &[left, right], |values| match values {
                    [Value::Null, Value::Null] => Some(when_equal),
                    _ => None,
                });
            }
            Insn::IfNull(target) | Insn::IfNonNull(target) => {
                let when_null = matches!(insn, Insn::IfNull(_));
                let value = frame.pop()?;
                let decide = |values: &[Value]| match values {
                    [value] => self.is_null(value).map(|is_null| is_null == when_null),
                    _ => None,
                };
                return self.branch(target, &[value], decide);
            }
            Insn::Goto(target) => return Ok(Flow::Jump(target)),
            Insn::Jsr(_) | Insn::Ret(_) => return Err(Cut::new("a subroutine is called")),
            Insn::TableSwitch(_) | Insn::LookupSwitch(_) => return Err(Cut::new("a switch has many ways")),
            Insn::Return(None) => return Ok(Flow::Return(None)),
            Insn::Return(Some(_)) => return Ok(Flow::Return(Some(frame.pop()?))),
            Insn::GetStatic(index) => self.get_static(frame, index)?,
            Insn::PutStatic(index) => self.put_static(frame, index)?,
            Insn::GetField(index) => self.get_field(frame, index)?,
            Insn::PutField(index) => self.put_field(frame, index)?,
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => self.invoke_on(frame, index)?,
            Insn::InvokeSpecial(index) => self.invoke_special(frame, index)?,
            Insn::InvokeStatic(index) => self.invoke_static(frame, index)?,
            Insn::InvokeDynamic(index) => invoke_dynamic(frame, index)?,
            Insn::New(index) => {
                let class = frame.pool.class_name(index).map_err(|_| Cut::broken())?;
                let pc = frame.pc;
                frame.push(Value::Raw {
                    pc,
                    class: Arc::from(&*class),
                });
            }
            Insn::NewArray(kind) => {
                let element = primitive_element(kind).ok_or_else(Cut::broken)?;
                self.new_array(frame, element.to_owned())?;
            }
            Insn::ANewArray(index) => {
                let class = frame.pool.class_name(index).map_err(|_| Cut::broken())?;
                let element = if class.starts_with('[') {
                    class.into_owned()
                } else {
                    format!("L{class};")
                };
                self.new_array(frame, element)?;
            }
            Insn::MultiANewArray(_, dimensions) => {
                for _ in 0..dimensions {
                    frame.pop()?;
                }
                frame.push(Value::unknown("an array of arrays"));
            }
            Insn::AThrow => return Err(Cut::new("an exception is thrown")),
            Insn::MonitorEnter | Insn::MonitorExit => return Err(Cut::new("a lock is taken")),
        }
        Ok(Flow::Next)
    }

    /// The value of a constant of the pool.
    pub(super) fn constant(&self, constant: Constant<'_>) -> Value {
        match constant {
            Constant::Int(number) => Value::Int(number),
            Constant::Float(number) => Value::Float(number.to_bits()),
            Constant::Long(number) => Value::Long(number),
            Constant::Double(number) => Value::Double(number.to_bits()),
            // Half a surrogate pair is read as this character, which nobody types.
            Constant::String(text) if text.contains(char::REPLACEMENT_CHARACTER) => {
                Value::unknown("a string that is no text")
            }
            Constant::String(text) => Value::String(text.into_owned()),
            Constant::Class(name) => {
                let is_visible = if name.starts_with('[') {
                    FieldType::parse(&name).is_ok_and(|field| self.own.is_visible_type(&field))
                } else {
                    self.own.is_visible_type(&FieldType::Object(&name))
                };
                if is_visible {
                    Value::Class(name.replace('/', "."))
                } else {
                    Value::unknown("a class that is not public")
                }
            }
            Constant::MethodType(_) | Constant::MethodHandle { .. } => Value::unknown("a method handle"),
            Constant::Dynamic { descriptor, .. } => Value::Unknown {
                wide: matches!(&*descriptor, "J" | "D"),
                what: Arc::from("a constant that is computed"),
            },
        }
    }

    fn branch(
        &self,
        target: u32,
        values: &[Value],
        decide: impl Fn(&[Value]) -> Option<bool>,
    ) -> Result<Flow, Cut> {
        match decide(values) {
            Some(true) => Ok(Flow::Jump(target)),
            Some(false) => Ok(Flow::Next),
            None => {
                let unknown = values
                    .iter()
                    .find(|value| !matches!(value, Value::Int(_) | Value::Null));
                let what = unknown.map_or_else(|| "a constant".to_owned(), |value| self.described(value));
                Err(Cut::new(format!("a branch depends on {what}")))
            }
        }
    }

    /// Whether a reference is null, for those that are written down and for new objects.
    fn is_null(&self, value: &Value) -> Option<bool> {
        match value {
            Value::Null => Some(true),
            Value::String(_) | Value::Class(_) | Value::Constant { .. } | Value::Array(_) | Value::This => {
                Some(false)
            }
            Value::Result { step, .. } => {
                let step = self.world.steps.get(*step)?;
                (step.invoke == Invoke::New).then_some(false)
            }
            _ => None,
        }
    }

    fn new_array(&mut self, frame: &mut Frame<'p>, element: String) -> Result<(), Cut> {
        let Value::Int(length) = frame.pop()? else {
            frame.push(Value::unknown("an array of unknown length"));
            return Ok(());
        };
        let zero = Value::zero(&FieldType::parse(&element).map_err(|_| Cut::broken())?);
        match usize::try_from(length) {
            Ok(length) if length <= MAX_ELEMENTS => {
                self.world.arrays.push(Array {
                    element,
                    items: vec![zero; length],
                    given: false,
                    height: 1,
                });
                frame.push(Value::Array(self.world.arrays.len() - 1));
            }
            _ => frame.push(Value::unknown(format!("an array of {length} elements"))),
        }
        Ok(())
    }

    fn element(&self, array: &Value, index: &Value) -> Option<Value> {
        let (Value::Array(at), Value::Int(index)) = (array, index) else {
            return None;
        };
        let array = self.world.arrays.get(*at).filter(|array| !array.given)?;
        array.items.get(usize::try_from(*index).ok()?).cloned()
    }

    fn store_element(&mut self, array: &Value, index: &Value, value: Value) -> Result<(), Cut> {
        let (Value::Array(at), Value::Int(index)) = (array, index) else {
            return Err(Cut::new(
                "an element is put into an array that the test did not make",
            ));
        };
        let below = match &value {
            Value::Array(inner) if inner == at => return Err(Cut::new("an array is put into itself")),
            Value::Array(inner) => self.world.arrays.get(*inner).map_or(0, |inner| inner.height),
            _ => 0,
        };
        if below >= MAX_HEIGHT {
            return Err(Cut::new("arrays are in arrays too deeply"));
        }
        self.world.give_away(&value);
        let array = self.world.arrays.get_mut(*at).ok_or_else(Cut::broken)?;
        if array.given {
            return Err(Cut::new("an array is changed after it was passed on"));
        }
        array.height = array.height.max(below + 1);
        let item = usize::try_from(*index)
            .ok()
            .and_then(|index| array.items.get_mut(index));
        // A real run ends there, too.
        *item.ok_or_else(|| Cut::new("an element is put beside an array"))? = value;
        Ok(())
    }
}

impl Frame<'_> {
    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn pop(&mut self) -> Result<Value, Cut> {
        self.stack.pop().ok_or_else(Cut::broken)
    }

    fn local(&mut self, slot: u16) -> Result<&mut Value, Cut> {
        self.locals.get_mut(usize::from(slot)).ok_or_else(Cut::broken)
    }

    /// As many values as fill the slots, the topmost last.
    fn pop_slots(&mut self, slots: usize) -> Result<Vec<Value>, Cut> {
        let mut values = Vec::new();
        let mut left = slots;
        while left > 0 {
            let value = self.pop()?;
            left = left.checked_sub(value.slots()).ok_or_else(Cut::broken)?;
            values.insert(0, value);
        }
        Ok(values)
    }

    /// Copies the topmost slots below others.
    fn duplicate(&mut self, copied: usize, below: usize) -> Result<(), Cut> {
        let top = self.pop_slots(copied)?;
        let middle = self.pop_slots(below)?;
        self.stack.extend(top.iter().cloned());
        self.stack.extend(middle);
        self.stack.extend(top);
        Ok(())
    }

    /// The arguments of a call, popped.
    pub(super) fn arguments(&mut self, types: &MethodType<'_>) -> Result<Vec<Value>, Cut> {
        let mut values = Vec::new();
        for parameter in types.parameters.iter().rev() {
            let value = self.pop()?;
            if value.slots() != usize::from(parameter.slots()) {
                return Err(Cut::broken());
            }
            values.push(value);
        }
        values.reverse();
        Ok(values)
    }

    /// Every copy of a reference becomes another value.
    pub(super) fn replace(&mut self, old: &Value, new: &Value) {
        for value in self.stack.iter_mut().chain(&mut self.locals) {
            if value == old {
                value.clone_from(new);
            }
        }
    }
}

/// A lambda, a joined string, or whatever else a call site makes.
fn invoke_dynamic(frame: &mut Frame<'_>, index: u16) -> Result<(), Cut> {
    let site = frame.pool.invoke_dynamic(index).map_err(|_| Cut::broken())?;
    let types = MethodType::parse(&site.descriptor).map_err(|_| Cut::broken())?;
    frame.arguments(&types)?;
    let what = if site.name.starts_with("makeConcat") {
        "a string that is put together at run time"
    } else {
        "a lambda"
    };
    if let Some(result) = &types.result {
        frame.push(Value::unknown_of(result, what));
    }
    Ok(())
}

fn calculated(wide: bool) -> Value {
    Value::Unknown {
        wide,
        what: Arc::from("the result of a calculation"),
    }
}

/// The descriptor for the operand of `newarray`.
fn primitive_element(kind: u8) -> Option<&'static str> {
    Some(match kind {
        4 => "Z",
        5 => "C",
        6 => "F",
        7 => "D",
        8 => "B",
        9 => "S",
        10 => "I",
        11 => "J",
        _ => return None,
    })
}

/// File and line of an instruction, if the class has them.
fn place(class: &Class, code: &Code<'_>, pc: u32) -> Option<String> {
    let lines = code.line_numbers();
    let (_, line) = lines.iter().rev().find(|(start, _)| *start <= pc)?;
    Some(match class.file().source_file() {
        Some(file) => format!("{file}:{line}"),
        None => format!("line {line}"),
    })
}
