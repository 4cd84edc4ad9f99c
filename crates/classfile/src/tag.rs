//! Constant-pool tags: their numbers, names, sizes and the versions they came with.

pub(crate) const UTF8: u8 = 1;
pub(crate) const INTEGER: u8 = 3;
pub(crate) const FLOAT: u8 = 4;
pub(crate) const LONG: u8 = 5;
pub(crate) const DOUBLE: u8 = 6;
pub(crate) const CLASS: u8 = 7;
pub(crate) const STRING: u8 = 8;
pub(crate) const FIELD_REF: u8 = 9;
pub(crate) const METHOD_REF: u8 = 10;
pub(crate) const INTERFACE_METHOD_REF: u8 = 11;
pub(crate) const NAME_AND_TYPE: u8 = 12;
pub(crate) const METHOD_HANDLE: u8 = 15;
pub(crate) const METHOD_TYPE: u8 = 16;
pub(crate) const DYNAMIC: u8 = 17;
pub(crate) const INVOKE_DYNAMIC: u8 = 18;
pub(crate) const MODULE: u8 = 19;
pub(crate) const PACKAGE: u8 = 20;

/// The specification's name of a tag.
pub(crate) fn name(tag: u8) -> &'static str {
    match tag {
        UTF8 => "Utf8",
        INTEGER => "Integer",
        FLOAT => "Float",
        LONG => "Long",
        DOUBLE => "Double",
        CLASS => "Class",
        STRING => "String",
        FIELD_REF => "Fieldref",
        METHOD_REF => "Methodref",
        INTERFACE_METHOD_REF => "InterfaceMethodref",
        NAME_AND_TYPE => "NameAndType",
        METHOD_HANDLE => "MethodHandle",
        METHOD_TYPE => "MethodType",
        DYNAMIC => "Dynamic",
        INVOKE_DYNAMIC => "InvokeDynamic",
        MODULE => "Module",
        PACKAGE => "Package",
        _ => "unknown",
    }
}

/// The bytes that follow the tag; for `Utf8` only those of the length field. `None` when there is no such
/// tag.
#[inline]
pub(crate) fn size(tag: u8) -> Option<usize> {
    match tag {
        UTF8 | CLASS | STRING | METHOD_TYPE | MODULE | PACKAGE => Some(2),
        METHOD_HANDLE => Some(3),
        INTEGER | FLOAT | FIELD_REF | METHOD_REF | INTERFACE_METHOD_REF | NAME_AND_TYPE | DYNAMIC
        | INVOKE_DYNAMIC => Some(4),
        LONG | DOUBLE => Some(8),
        _ => None,
    }
}

/// The pool indices an entry takes up.
#[inline]
pub(crate) fn slots(tag: u8) -> usize {
    if matches!(tag, LONG | DOUBLE) { 2 } else { 1 }
}

/// The first major version that knows the tag.
pub(crate) fn since(tag: u8) -> u16 {
    match tag {
        METHOD_HANDLE | METHOD_TYPE | INVOKE_DYNAMIC => 51,
        MODULE | PACKAGE => 53,
        DYNAMIC => 55,
        _ => 45,
    }
}
