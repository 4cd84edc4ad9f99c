//! Java class files, versions 45 to 69: bytes in, a structured view out.
//!
//! The input is not trusted. Every read is checked against the bytes that are there, nothing recurses on
//! input-controlled depth, and memory stays within a small multiple of the input. Nothing here knows about
//! class paths, archives or threads.

mod access;
mod annotation;
mod annotation_value;
pub mod assembler;
mod attribute;
mod class;
mod code;
mod constant;
mod decode;
pub mod descriptor;
mod error;
mod header;
mod insn;
mod layout;
mod line_map;
mod member;
mod mnemonic;
mod opened;
mod pool;
mod raw;
mod reader;
mod switch;
mod tag;
mod utf8;

pub use access::AccessFlags;
pub use annotation_value::{Annotation, AnnotationValue};
pub use class::{BootstrapMethod, ClassFile, InnerClass};
pub use code::{Code, Handler, Instructions, LocalVariable};
pub use constant::{Constant, DynamicRef, MemberRef};
pub use error::{ClassFileError, Result};
pub use header::Header;
pub use insn::{ArithOp, ArrayKind, Cond, ConvertTo, Insn, Kind};
pub use line_map::LineMap;
pub use member::{FieldView, MethodView};
pub use pool::Pool;
pub use raw::RawAttribute;
pub use switch::Switch;

/// The oldest class-file version that is read (JDK 1.0).
pub const OLDEST_MAJOR: u16 = 45;
/// The newest class-file version that is read (JDK 25).
pub const NEWEST_MAJOR: u16 = 69;
