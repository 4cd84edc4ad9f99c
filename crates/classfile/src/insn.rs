//! Decoded instructions.

use smallvec::{SmallVec, smallvec};

use crate::switch::Switch;

/// The computational type of a stack value, local variable or operation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `int`, and everything narrower.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference.
    Ref,
}

impl Kind {
    /// The stack or local slots a value takes: 2 for long and double, else 1.
    pub const fn slots(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Int | Kind::Float | Kind::Ref => 1,
        }
    }
}

/// The element type an array instruction works on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArrayKind {
    /// `int[]`.
    Int,
    /// `long[]`.
    Long,
    /// `float[]`.
    Float,
    /// `double[]`.
    Double,
    /// An array of references.
    Ref,
    /// `byte[]` or `boolean[]`.
    Byte,
    /// `char[]`.
    Char,
    /// `short[]`.
    Short,
}

impl ArrayKind {
    /// The type of an element on the stack.
    pub const fn element(self) -> Kind {
        match self {
            ArrayKind::Int | ArrayKind::Byte | ArrayKind::Char | ArrayKind::Short => Kind::Int,
            ArrayKind::Long => Kind::Long,
            ArrayKind::Float => Kind::Float,
            ArrayKind::Double => Kind::Double,
            ArrayKind::Ref => Kind::Ref,
        }
    }
}

/// A binary operation. The right operand of a shift is always an int.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// The type a conversion results in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConvertTo {
    /// To `int`.
    Int,
    /// To `long`.
    Long,
    /// To `float`.
    Float,
    /// To `double`.
    Double,
    /// To `byte`, kept as an int.
    Byte,
    /// To `char`, kept as an int.
    Char,
    /// To `short`, kept as an int.
    Short,
}

impl ConvertTo {
    /// The type of the result on the stack.
    pub const fn kind(self) -> Kind {
        match self {
            ConvertTo::Int | ConvertTo::Byte | ConvertTo::Char | ConvertTo::Short => Kind::Int,
            ConvertTo::Long => Kind::Long,
            ConvertTo::Float => Kind::Float,
            ConvertTo::Double => Kind::Double,
        }
    }
}

/// An int comparison, against zero or between two values.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `<=`
    Le,
}

/// A decoded instruction with `wide` forms folded in.
///
/// Branch targets are absolute pcs inside the code, though not necessarily at the start of an instruction.
/// Pool indices are as in the code: looking them up checks them.
#[derive(Debug, Clone, PartialEq)]
pub enum Insn<'a> {
    /// Does nothing.
    Nop,
    /// Pushes null.
    ConstNull,
    /// Pushes an int: `iconst`, `bipush`, `sipush`.
    ConstInt(i32),
    /// Pushes 0 or 1 as a long.
    ConstLong(i64),
    /// Pushes 0, 1 or 2 as a float.
    ConstFloat(f32),
    /// Pushes 0 or 1 as a double.
    ConstDouble(f64),
    /// Pushes a one-slot constant: `ldc`, `ldc_w`.
    Ldc(u16),
    /// Pushes a two-slot constant.
    Ldc2(u16),
    /// Pushes a local variable.
    Load(Kind, u16),
    /// Pops into a local variable.
    Store(Kind, u16),
    /// Pops array and index, pushes the element.
    ArrayLoad(ArrayKind),
    /// Pops array, index and value.
    ArrayStore(ArrayKind),
    /// Pops one slot.
    Pop,
    /// Pops two slots.
    Pop2,
    /// Duplicates the top slot.
    Dup,
    /// Duplicates the top slot below the second.
    DupX1,
    /// Duplicates the top slot below the third.
    DupX2,
    /// Duplicates the top two slots.
    Dup2,
    /// Duplicates the top two slots below the third.
    Dup2X1,
    /// Duplicates the top two slots below the fourth.
    Dup2X2,
    /// Swaps the top two slots.
    Swap,
    /// A binary operation.
    Arith(Kind, ArithOp),
    /// Negation.
    Neg(Kind),
    /// Adds a constant to an int variable.
    Iinc(u16, i16),
    /// Converts a number.
    Convert(Kind, ConvertTo),
    /// Pops two values, pushes -1, 0 or 1: `lcmp`, `fcmpl`, `fcmpg`, `dcmpl`, `dcmpg`.
    Compare(Kind),
    /// Branches on an int compared with zero.
    If(Cond, u32),
    /// Branches on two ints.
    IfIcmp(Cond, u32),
    /// Branches on two references, when they are equal (true) or not.
    IfAcmp(bool, u32),
    /// Branches on null.
    IfNull(u32),
    /// Branches on non-null.
    IfNonNull(u32),
    /// Jumps: `goto`, `goto_w`.
    Goto(u32),
    /// Pushes a return address and jumps: `jsr`, `jsr_w`.
    Jsr(u32),
    /// Jumps to the return address in a local variable.
    Ret(u16),
    /// Jumps by index.
    TableSwitch(Switch<'a>),
    /// Jumps by key.
    LookupSwitch(Switch<'a>),
    /// Returns from the method, with a value unless it is void.
    Return(Option<Kind>),
    /// Reads a static field.
    GetStatic(u16),
    /// Writes a static field.
    PutStatic(u16),
    /// Reads an instance field.
    GetField(u16),
    /// Writes an instance field.
    PutField(u16),
    /// Calls by the receiver's class.
    InvokeVirtual(u16),
    /// Calls a constructor, private or super method.
    InvokeSpecial(u16),
    /// Calls a static method.
    InvokeStatic(u16),
    /// Calls an interface method.
    InvokeInterface(u16),
    /// Calls through a bootstrapped call site.
    InvokeDynamic(u16),
    /// Creates an uninitialized object.
    New(u16),
    /// Creates an array of primitives; the operand is 4 to 11, for boolean, char, float, double, byte, short,
    /// int, long.
    NewArray(u8),
    /// Creates an array of references; the operand is the element's class.
    ANewArray(u16),
    /// Creates an array of arrays; the operands are the array's class and the dimensions to allocate.
    MultiANewArray(u16, u8),
    /// Pushes an array's length.
    ArrayLength,
    /// Throws.
    AThrow,
    /// Checks the class of a reference.
    CheckCast(u16),
    /// Tests the class of a reference.
    InstanceOf(u16),
    /// Acquires a monitor.
    MonitorEnter,
    /// Releases a monitor.
    MonitorExit,
}

impl Insn<'_> {
    /// Where the instruction may jump: for a switch the default first, then the cases in order, repeats
    /// included.
    pub fn branch_targets(&self) -> SmallVec<[u32; 2]> {
        match self {
            Insn::If(_, target)
            | Insn::IfIcmp(_, target)
            | Insn::IfAcmp(_, target)
            | Insn::IfNull(target)
            | Insn::IfNonNull(target)
            | Insn::Goto(target)
            | Insn::Jsr(target) => smallvec![*target],
            Insn::TableSwitch(switch) | Insn::LookupSwitch(switch) => std::iter::once(switch.default())
                .chain(switch.targets().map(|(_, target)| target))
                .collect(),
            _ => SmallVec::new(),
        }
    }

    /// Whether control can pass to the next instruction directly. A `jsr` comes back there only through a
    /// `ret`.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Insn::Goto(_)
                | Insn::Jsr(_)
                | Insn::Ret(_)
                | Insn::TableSwitch(_)
                | Insn::LookupSwitch(_)
                | Insn::Return(_)
                | Insn::AThrow
        )
    }
}
