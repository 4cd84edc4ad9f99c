//! The code of one method: instructions, labels, handlers, frames and the depth of the stack.

use super::{AssembleError, ClassAssembler};
use crate::descriptor::{FieldType, MethodType};
use crate::insn::Kind;
use crate::tag;

/// A place that branches and handlers lead to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// A place in the code so far, as a border of a handler's range.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Position(usize);

/// How a method is invoked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// `invokestatic` of a class's method.
    Static,
    /// `invokestatic` of an interface's method; verifiers accept it from major version 52 on.
    InterfaceStatic,
    /// `invokespecial`, for constructors.
    Special,
    /// `invokevirtual`.
    Virtual,
    /// `invokeinterface`.
    Interface,
}

/// A branch whose offset is not known yet.
#[derive(Debug)]
struct Fixup {
    /// The instruction that offsets count from.
    pc: usize,
    /// Where the offset goes.
    at: usize,
    /// Four bytes instead of two.
    wide: bool,
    label: Label,
}

#[derive(Debug)]
struct Handler {
    from: usize,
    to: usize,
    target: Label,
    class: u16,
}

/// A frame: the method's parameters in the locals, and nothing or one object on the stack.
#[derive(Debug)]
struct Frame {
    pc: usize,
    class: Option<u16>,
}

/// The code of one method in the making.
///
/// Where labels are placed, the locals hold the method's parameters and nothing else, and the stack is empty
/// ([`MethodAssembler::place`]) or has one exception on it ([`MethodAssembler::place_handler`]). That is enough for
/// generated classes, and it makes frames simple. Constructors must do without labels, since `this` changes its type
/// in them.
#[derive(Debug)]
pub struct MethodAssembler<'a> {
    class: &'a mut ClassAssembler,
    access: u16,
    name: String,
    descriptor: String,
    code: Vec<u8>,
    /// `None` behind an instruction that does not go on to the next.
    depth: Option<usize>,
    max_stack: usize,
    max_locals: usize,
    labels: Vec<Option<usize>>,
    fixups: Vec<Fixup>,
    handlers: Vec<Handler>,
    frames: Vec<Frame>,
}

impl<'a> MethodAssembler<'a> {
    pub(super) fn new(class: &'a mut ClassAssembler, access: u16, name: &str, descriptor: &str) -> Self {
        let mut method = MethodAssembler {
            class,
            access,
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            code: Vec::new(),
            depth: Some(0),
            max_stack: 0,
            max_locals: usize::from(access & 0x0008 == 0),
            labels: Vec::new(),
            fixups: Vec::new(),
            handlers: Vec::new(),
            frames: Vec::new(),
        };
        method.max_locals += method.slots(descriptor).0;
        method
    }

    /// The bytes of code so far.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Whether there is no instruction yet.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// A label that is yet to be placed.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Places a label here, where the stack is empty.
    pub fn place(&mut self, label: Label) -> &mut Self {
        self.place_with(label, None)
    }

    /// Places a handler's label here, where the stack has the exception on it and nothing else.
    pub fn place_handler(&mut self, label: Label, exception: &str) -> &mut Self {
        let exception = self.class.class(exception);
        self.place_with(label, Some(exception))
    }

    /// This place in the code.
    pub fn position(&self) -> Position {
        Position(self.code.len())
    }

    /// From one place to before the other, exceptions of a class are handled at the label.
    pub fn handle(&mut self, from: Position, to: Position, class: &str, target: Label) -> &mut Self {
        // An empty range is an error to a JVM, and would never be used.
        if from.0 < to.0 {
            let class = self.class.class(class);
            self.handlers.push(Handler {
                from: from.0,
                to: to.0,
                target,
                class,
            });
        }
        self
    }

    /// Pushes the reference in a local variable.
    pub fn load_reference(&mut self, local: u8) -> &mut Self {
        self.load(Kind::Ref, local)
    }

    /// Pushes the int in a local variable.
    pub fn load_int(&mut self, local: u8) -> &mut Self {
        self.load(Kind::Int, local)
    }

    /// Pushes the value of a type in a local variable.
    pub fn load_value(&mut self, field: &FieldType<'_>, local: u8) -> &mut Self {
        self.load(field.kind(), local)
    }

    /// Pushes `null`.
    pub fn push_null(&mut self) -> &mut Self {
        self.emit(&[0x01], 0, 1)
    }

    /// Pushes an int.
    pub fn push_int(&mut self, value: i32) -> &mut Self {
        if let Ok(small @ -1..=5) = i8::try_from(value) {
            // iconst_m1 is 2.
            return self.emit(&[(small + 3).to_be_bytes()[0]], 0, 1);
        }
        if let Ok(byte) = i8::try_from(value) {
            return self.emit(&[0x10, byte.to_be_bytes()[0]], 0, 1);
        }
        if let Ok(short) = i16::try_from(value) {
            let [high, low] = short.to_be_bytes();
            return self.emit(&[0x11, high, low], 0, 1);
        }
        let index = self.class.entry(tag::INTEGER, value.to_be_bytes().to_vec());
        self.load_constant(index)
    }

    /// Pushes a long.
    pub fn push_long(&mut self, value: i64) -> &mut Self {
        let index = self.class.entry(tag::LONG, value.to_be_bytes().to_vec());
        self.with_index(0x14, index, 0, 2)
    }

    /// Pushes a float by its bits.
    pub fn push_float(&mut self, bits: u32) -> &mut Self {
        let index = self.class.entry(tag::FLOAT, bits.to_be_bytes().to_vec());
        self.load_constant(index)
    }

    /// Pushes a double by its bits.
    pub fn push_double(&mut self, bits: u64) -> &mut Self {
        let index = self.class.entry(tag::DOUBLE, bits.to_be_bytes().to_vec());
        self.with_index(0x14, index, 0, 2)
    }

    /// Pushes a string by its UTF-16 units.
    pub fn push_string(&mut self, units: &[u16]) -> &mut Self {
        let index = self.class.string(units);
        self.load_constant(index)
    }

    /// Pushes a class, by its internal name or an array's descriptor. Needs major version 49.
    pub fn push_class(&mut self, name: &str) -> &mut Self {
        let index = self.class.class(name);
        self.load_constant(index)
    }

    /// Doubles the one-slot value on top.
    pub fn dup(&mut self) -> &mut Self {
        self.emit(&[0x59], 1, 2)
    }

    /// Swaps the two one-slot values on top.
    pub fn swap(&mut self) -> &mut Self {
        self.emit(&[0x5f], 2, 2)
    }

    /// Takes array and index, pushes the reference there.
    pub fn load_element(&mut self) -> &mut Self {
        self.emit(&[0x32], 2, 1)
    }

    /// Takes array, index and a value of the element type, which it stores.
    pub fn store_element(&mut self, element: &FieldType<'_>) -> &mut Self {
        let opcode = match element {
            FieldType::Int => 0x4f,
            FieldType::Long => 0x50,
            FieldType::Float => 0x51,
            FieldType::Double => 0x52,
            FieldType::Object(_) | FieldType::Array(_) => 0x53,
            FieldType::Byte | FieldType::Boolean => 0x54,
            FieldType::Char => 0x55,
            FieldType::Short => 0x56,
        };
        self.emit(&[opcode], 2 + usize::from(element.slots()), 0)
    }

    /// Takes a length, pushes a new array of the element type.
    pub fn new_array(&mut self, element: &FieldType<'_>) -> &mut Self {
        let code = match element {
            FieldType::Boolean => 4,
            FieldType::Char => 5,
            FieldType::Float => 6,
            FieldType::Double => 7,
            FieldType::Byte => 8,
            FieldType::Short => 9,
            FieldType::Int => 10,
            FieldType::Long => 11,
            FieldType::Object(name) => {
                let index = self.class.class(name);
                return self.with_index(0xbd, index, 1, 1);
            }
            FieldType::Array(inner) => {
                let index = self.class.class(&format!("[{inner}"));
                return self.with_index(0xbd, index, 1, 1);
            }
        };
        self.emit(&[0xbc, code], 1, 1)
    }

    /// Pushes a new object, on which a constructor is yet to be called.
    pub fn new_object(&mut self, class: &str) -> &mut Self {
        let index = self.class.class(class);
        self.with_index(0xbb, index, 0, 1)
    }

    /// Checks that the reference on top is of a class, given by internal name or an array's descriptor.
    pub fn check_cast(&mut self, class: &str) -> &mut Self {
        let index = self.class.class(class);
        self.with_index(0xc0, index, 1, 1)
    }

    /// Drops a value of one slot.
    pub fn pop(&mut self) -> &mut Self {
        self.emit(&[0x57], 1, 0)
    }

    /// Drops a value of two slots.
    pub fn pop2(&mut self) -> &mut Self {
        self.emit(&[0x58], 2, 0)
    }

    /// Pushes a static field.
    pub fn get_static(&mut self, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let slots = self.field_slots(descriptor);
        let index = self.class.member(tag::FIELD_REF, class, name, descriptor);
        self.with_index(0xb2, index, 0, slots)
    }

    /// Pushes a field of the object on top.
    pub fn get_field(&mut self, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let slots = self.field_slots(descriptor);
        let index = self.class.member(tag::FIELD_REF, class, name, descriptor);
        self.with_index(0xb4, index, 1, slots)
    }

    /// Takes an object and a value, and stores that in a field.
    pub fn put_field(&mut self, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let slots = self.field_slots(descriptor);
        let index = self.class.member(tag::FIELD_REF, class, name, descriptor);
        self.with_index(0xb5, index, 1 + slots, 0)
    }

    fn field_slots(&mut self, descriptor: &str) -> usize {
        match FieldType::parse(descriptor) {
            Ok(field) => usize::from(field.slots()),
            Err(error) => {
                self.class.fail(error.into());
                1
            }
        }
    }

    /// Takes receiver (unless static) and arguments, pushes the result (unless void).
    pub fn invoke(&mut self, how: Invocation, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let (arguments, result) = self.slots(descriptor);
        let (opcode, tag, receiver) = match how {
            Invocation::Virtual => (0xb6, tag::METHOD_REF, 1),
            Invocation::Special => (0xb7, tag::METHOD_REF, 1),
            Invocation::Static => (0xb8, tag::METHOD_REF, 0),
            Invocation::InterfaceStatic => (0xb8, tag::INTERFACE_METHOD_REF, 0),
            Invocation::Interface => (0xb9, tag::INTERFACE_METHOD_REF, 1),
        };
        let index = self.class.member(tag, class, name, descriptor);
        let [high, low] = index.to_be_bytes();
        let taken = arguments + receiver;
        if how == Invocation::Interface {
            // Descriptors have at most 255 slots, the receiver among them.
            self.emit(&[opcode, high, low, taken as u8, 0], taken, result)
        } else {
            self.emit(&[opcode, high, low], taken, result)
        }
    }

    /// Goes on at a label.
    pub fn go_to(&mut self, label: Label) -> &mut Self {
        let pc = self.code.len();
        self.emit(&[0xa7, 0, 0], 0, 0);
        self.fixups.push(Fixup {
            pc,
            at: pc + 1,
            wide: false,
            label,
        });
        self.ends()
    }

    /// Takes an int and goes on at the label for it: the first stands for `low`.
    pub fn switch(&mut self, low: i32, labels: &[Label], default: Label) -> &mut Self {
        let pc = self.code.len();
        self.emit(&[0xaa], 1, 0);
        while !self.code.len().is_multiple_of(4) {
            self.code.push(0);
        }
        let high = i32::try_from(labels.len()).map_or(i32::MAX, |count| low.saturating_add(count - 1));
        self.wide_branch(pc, default);
        self.code.extend(low.to_be_bytes());
        self.code.extend(high.to_be_bytes());
        for label in labels {
            self.wide_branch(pc, *label);
        }
        self.ends()
    }

    /// Returns nothing.
    pub fn return_void(&mut self) -> &mut Self {
        self.emit(&[0xb1], 0, 0).ends()
    }

    /// Returns the value of a type on top.
    pub fn return_value(&mut self, field: &FieldType<'_>) -> &mut Self {
        self.emit(&[0xac + nth(field.kind())], usize::from(field.slots()), 0)
            .ends()
    }

    /// Adds 1 to the int, long, float or double on top.
    pub fn add_one(&mut self, field: &FieldType<'_>) -> &mut Self {
        let one = match field.kind() {
            Kind::Int => 0x04,
            Kind::Long => 0x0a,
            Kind::Float => 0x0c,
            Kind::Double => 0x0f,
            Kind::Ref => {
                let fault = self.bad_stack();
                self.class.fail(fault);
                return self;
            }
        };
        let slots = usize::from(field.slots());
        self.emit(&[one], 0, slots)
            .emit(&[0x60 + nth(field.kind())], 2 * slots, slots)
    }

    /// Throws the exception on top.
    pub fn throw(&mut self) -> &mut Self {
        self.emit(&[0xbf], 1, 0).ends()
    }

    /// Adds the method to the class.
    pub fn end(mut self) {
        match self.attribute() {
            Ok(attribute) => {
                let (name, descriptor) = (self.class.utf8(&self.name), self.class.utf8(&self.descriptor));
                for half in [self.access, name, descriptor, 1] {
                    self.class.methods.extend(half.to_be_bytes());
                }
                self.class.methods.extend(attribute);
                self.class.method_count += 1;
            }
            Err(fault) => self.class.fail(fault),
        }
    }

    /// The Code attribute.
    fn attribute(&mut self) -> Result<Vec<u8>, AssembleError> {
        if self.depth.is_some() {
            // The code runs off its end.
            return Err(self.bad_stack());
        }
        let code_len = u16::try_from(self.code.len()).map_err(|_| AssembleError::CodeTooLong {
            method: self.name.clone(),
            len: self.code.len(),
        })?;
        self.resolve()?;
        let bad_stack = |_| self.bad_stack();
        let max_stack = u16::try_from(self.max_stack).map_err(bad_stack)?;
        let max_locals = u16::try_from(self.max_locals).map_err(bad_stack)?;
        let handler_count =
            u16::try_from(self.handlers.len()).map_err(|_| AssembleError::TooManyHandlers {
                method: self.name.clone(),
            })?;
        let mut body = Vec::with_capacity(self.code.len() + 64);
        body.extend(max_stack.to_be_bytes());
        body.extend(max_locals.to_be_bytes());
        body.extend(u32::from(code_len).to_be_bytes());
        body.extend(&self.code);
        body.extend(handler_count.to_be_bytes());
        for handler in &self.handlers {
            let target = self.target(handler.target)?;
            for half in [
                handler.from as u16,
                handler.to as u16,
                target as u16,
                handler.class,
            ] {
                body.extend(half.to_be_bytes());
            }
        }
        if self.frames.is_empty() || self.class.major < 50 {
            body.extend([0, 0]);
        } else {
            body.extend([0, 1]);
            let frames = self.frames();
            body.extend(self.named("StackMapTable", &frames));
        }
        Ok(self.named("Code", &body))
    }

    fn named(&mut self, name: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.class.utf8(name).to_be_bytes().to_vec();
        bytes.extend((body.len() as u32).to_be_bytes());
        bytes.extend(body);
        bytes
    }

    /// Fills in the offsets of branches.
    fn resolve(&mut self) -> Result<(), AssembleError> {
        for fixup in std::mem::take(&mut self.fixups) {
            let too_far = |_| AssembleError::BranchTooFar {
                method: self.name.clone(),
                pc: fixup.pc,
            };
            // Code is shorter than 65,536 bytes here, so nothing is lost.
            let offset = i64::from(self.target(fixup.label)? as u32) - i64::from(fixup.pc as u32);
            let bytes = if fixup.wide {
                i32::try_from(offset).map_err(too_far)?.to_be_bytes().to_vec()
            } else {
                i16::try_from(offset).map_err(too_far)?.to_be_bytes().to_vec()
            };
            for (place, byte) in self.code.iter_mut().skip(fixup.at).zip(bytes) {
                *place = byte;
            }
        }
        Ok(())
    }

    fn target(&self, label: Label) -> Result<usize, AssembleError> {
        let placed = self.labels.get(label.0).copied().flatten();
        placed.ok_or_else(|| AssembleError::UnplacedLabel {
            method: self.name.clone(),
        })
    }

    /// The body of the `StackMapTable` attribute.
    fn frames(&self) -> Vec<u8> {
        let mut body = (self.frames.len() as u16).to_be_bytes().to_vec();
        let mut next = 0;
        for frame in &self.frames {
            let delta = (frame.pc - next) as u16;
            next = frame.pc + 1;
            match (frame.class, u8::try_from(delta)) {
                (None, Ok(small @ 0..=63)) => body.push(small),
                (None, _) => {
                    body.push(251);
                    body.extend(delta.to_be_bytes());
                }
                (Some(class), small) => {
                    if let Ok(small @ 0..=63) = small {
                        body.push(64 + small);
                    } else {
                        body.push(247);
                        body.extend(delta.to_be_bytes());
                    }
                    body.push(7);
                    body.extend(class.to_be_bytes());
                }
            }
        }
        body
    }

    fn place_with(&mut self, label: Label, class: Option<u16>) -> &mut Self {
        let depth = usize::from(class.is_some());
        if self.depth.is_some_and(|before| before != depth) {
            let fault = self.bad_stack();
            self.class.fail(fault);
        }
        self.depth = Some(depth);
        self.max_stack = self.max_stack.max(depth);
        let pc = self.code.len();
        if let Some(place) = self.labels.get_mut(label.0) {
            *place = Some(pc);
        }
        // Frames go up strictly. Two labels at one place have the same frame, else the stack would not have fitted.
        if self.frames.last().is_none_or(|frame| frame.pc != pc) {
            self.frames.push(Frame { pc, class });
        }
        self
    }

    fn load(&mut self, kind: Kind, local: u8) -> &mut Self {
        let slots = usize::from(kind.slots());
        self.max_locals = self.max_locals.max(usize::from(local) + slots);
        if local < 4 {
            // The short forms: iload_0 is 26, aload_0 is 42.
            self.emit(&[26 + nth(kind) * 4 + local], 0, slots)
        } else {
            self.emit(&[0x15 + nth(kind), local], 0, slots)
        }
    }

    fn load_constant(&mut self, index: u16) -> &mut Self {
        match u8::try_from(index) {
            Ok(index) => self.emit(&[0x12, index], 0, 1),
            Err(_) => self.with_index(0x13, index, 0, 1),
        }
    }

    fn with_index(&mut self, opcode: u8, index: u16, taken: usize, pushed: usize) -> &mut Self {
        let [high, low] = index.to_be_bytes();
        self.emit(&[opcode, high, low], taken, pushed)
    }

    fn wide_branch(&mut self, pc: usize, label: Label) {
        self.fixups.push(Fixup {
            pc,
            at: self.code.len(),
            wide: true,
            label,
        });
        self.code.extend([0; 4]);
    }

    /// Argument and result slots.
    fn slots(&mut self, descriptor: &str) -> (usize, usize) {
        match MethodType::parse(descriptor) {
            Ok(method) => {
                let result = method.result.as_ref().map_or(0, FieldType::slots);
                (usize::from(method.parameter_slots()), usize::from(result))
            }
            Err(error) => {
                self.class.fail(error.into());
                (0, 0)
            }
        }
    }

    fn emit(&mut self, instruction: &[u8], taken: usize, pushed: usize) -> &mut Self {
        match self.depth.map(|depth| depth.checked_sub(taken)) {
            Some(Some(rest)) => {
                self.depth = Some(rest + pushed);
                self.max_stack = self.max_stack.max(rest + pushed);
            }
            Some(None) => {
                let fault = self.bad_stack();
                self.class.fail(fault);
            }
            None => self.class.fail(AssembleError::Unreachable {
                method: self.name.clone(),
                pc: self.code.len(),
            }),
        }
        self.code.extend(instruction);
        self
    }

    /// What follows is reached by labels only.
    fn ends(&mut self) -> &mut Self {
        self.depth = None;
        self
    }

    fn bad_stack(&self) -> AssembleError {
        AssembleError::BadStack {
            method: self.name.clone(),
            pc: self.code.len(),
        }
    }
}

/// The place of a kind among the instructions that there are for every kind.
const fn nth(kind: Kind) -> u8 {
    match kind {
        Kind::Int => 0,
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Ref => 4,
    }
}
