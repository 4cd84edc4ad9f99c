//! What constant-pool entries stand for once their references are followed.

use std::borrow::Cow;

/// A field, method or interface method named by a class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MemberRef<'a> {
    /// Internal name of the class, or an array descriptor.
    pub class: Cow<'a, str>,
    /// The member's name.
    pub name: Cow<'a, str>,
    /// The member's descriptor.
    pub descriptor: Cow<'a, str>,
    /// Whether the entry is an `InterfaceMethodref`.
    pub is_interface: bool,
}

/// A call site or constant that a bootstrap method computes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DynamicRef<'a> {
    /// Position in the class's bootstrap methods.
    pub bootstrap: u16,
    /// The name handed to the bootstrap method.
    pub name: Cow<'a, str>,
    /// A method descriptor for a call site, a field descriptor for a constant.
    pub descriptor: Cow<'a, str>,
}

/// What `ldc` and its relatives push.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant<'a> {
    /// An `int`.
    Int(i32),
    /// A `float`.
    Float(f32),
    /// A `long`.
    Long(i64),
    /// A `double`.
    Double(f64),
    /// A string.
    String(Cow<'a, str>),
    /// A class, by internal name or array descriptor.
    Class(Cow<'a, str>),
    /// A method type, by descriptor.
    MethodType(Cow<'a, str>),
    /// A method handle.
    MethodHandle {
        /// The reference kind, 1 to 9.
        kind: u8,
        /// What it refers to.
        member: MemberRef<'a>,
    },
    /// A dynamically computed constant.
    Dynamic {
        /// Position in the class's bootstrap methods.
        bootstrap: u16,
        /// The constant's name.
        name: Cow<'a, str>,
        /// The constant's type.
        descriptor: Cow<'a, str>,
    },
}
