//! Writing class files: a checked builder for generated classes.
//!
//! Equal constants share an entry. What goes wrong is remembered, and [`ClassAssembler::finish`] reports the first
//! such thing, so that the calls in between read like a listing.

mod method;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unchecked;

use std::collections::HashMap;

use crate::{ClassFileError, tag};

pub use method::{Invocation, Label, MethodAssembler, Position};
#[cfg(test)]
pub(crate) use unchecked::{Assembler, be, sample};

/// Why a class cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// A pool has 65,534 entries at most.
    #[error("the class needs more constants than a class file can hold")]
    PoolFull,
    /// A text has 65,535 bytes at most.
    #[error("a text of {len} bytes is longer than a class file can hold")]
    TextTooLong {
        /// Its length in modified UTF-8.
        len: usize,
    },
    /// A class has 65,535 fields at most.
    #[error("the class needs more fields than a class file can hold")]
    TooManyFields,
    /// A class has 65,535 methods at most.
    #[error("the class needs more methods than a class file can hold")]
    TooManyMethods,
    /// A method has 65,535 bytes of code at most.
    #[error("the code of method {method} has {len} bytes, more than the 65535 a method may have")]
    CodeTooLong {
        /// The method.
        method: String,
        /// The length of its code.
        len: usize,
    },
    /// A method has 65,535 exception handlers at most.
    #[error("method {method} has more exception handlers than a class file can hold")]
    TooManyHandlers {
        /// The method.
        method: String,
    },
    /// A branch reaches 32,767 bytes at most.
    #[error("a branch of method {method} at pc {pc} is too long")]
    BranchTooFar {
        /// The method.
        method: String,
        /// Where the branch is.
        pc: usize,
    },
    /// A label was used and never placed.
    #[error("a label of method {method} was used and never placed")]
    UnplacedLabel {
        /// The method.
        method: String,
    },
    /// An instruction takes more than the stack holds, or two ways to a label bring different stacks.
    #[error("the operand stack of method {method} does not fit at pc {pc}")]
    BadStack {
        /// The method.
        method: String,
        /// Where.
        pc: usize,
    },
    /// No way leads to an instruction.
    #[error("the code of method {method} at pc {pc} cannot be reached")]
    Unreachable {
        /// The method.
        method: String,
        /// Where.
        pc: usize,
    },
    /// A descriptor that is none.
    #[error(transparent)]
    Descriptor(#[from] ClassFileError),
}

/// A class file in the making: no attributes but those of methods.
#[derive(Debug)]
pub struct ClassAssembler {
    major: u16,
    access: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Vec<u16>,
    pool: Vec<u8>,
    /// The index of the next entry; one more than a `u16` can say when the pool is full.
    next: u32,
    known: HashMap<(u8, Vec<u8>), u16>,
    fields: Vec<u16>,
    methods: Vec<u8>,
    method_count: usize,
    fault: Option<AssembleError>,
}

impl ClassAssembler {
    /// A class by internal names. From major version 50 on, methods get the frames that the verifier asks for.
    pub fn new(major: u16, access: u16, name: &str, super_name: &str) -> Self {
        let mut class = ClassAssembler {
            major,
            access,
            this_class: 0,
            super_class: 0,
            interfaces: Vec::new(),
            pool: Vec::new(),
            next: 1,
            known: HashMap::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            method_count: 0,
            fault: None,
        };
        class.this_class = class.class(name);
        class.super_class = class.class(super_name);
        class
    }

    /// Adds an interface that the class implements, by internal name.
    pub fn implement(&mut self, interface: &str) {
        let interface = self.class(interface);
        self.interfaces.push(interface);
    }

    /// Adds a field.
    pub fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        // No attributes.
        self.fields.extend([access, name, descriptor, 0]);
    }

    /// Begins a method with code; nothing of it is in the class before [`MethodAssembler::end`].
    pub fn method(&mut self, access: u16, name: &str, descriptor: &str) -> MethodAssembler<'_> {
        MethodAssembler::new(self, access, name, descriptor)
    }

    /// The bytes, or the first thing that went wrong.
    pub fn finish(self) -> Result<Vec<u8>, AssembleError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let method_count = u16::try_from(self.method_count).map_err(|_| AssembleError::TooManyMethods)?;
        let pool_count = u16::try_from(self.next).map_err(|_| AssembleError::PoolFull)?;
        let mut bytes = 0xcafe_babe_u32.to_be_bytes().to_vec();
        for half in [0, self.major, pool_count] {
            bytes.extend(half.to_be_bytes());
        }
        bytes.extend(self.pool);
        let interface_count = u16::try_from(self.interfaces.len()).map_err(|_| AssembleError::PoolFull)?;
        for half in [self.access, self.this_class, self.super_class, interface_count] {
            bytes.extend(half.to_be_bytes());
        }
        for interface in self.interfaces {
            bytes.extend(interface.to_be_bytes());
        }
        let field_count = u16::try_from(self.fields.len() / 4).map_err(|_| AssembleError::TooManyFields)?;
        bytes.extend(field_count.to_be_bytes());
        for half in self.fields {
            bytes.extend(half.to_be_bytes());
        }
        bytes.extend(method_count.to_be_bytes());
        bytes.extend(self.methods);
        bytes.extend([0, 0]);
        Ok(bytes)
    }

    /// Remembers what went wrong, unless something did before.
    fn fail(&mut self, fault: AssembleError) {
        self.fault.get_or_insert(fault);
    }

    fn entry(&mut self, tag: u8, body: Vec<u8>) -> u16 {
        let key = (tag, body);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let after = self.next + tag::slots(tag) as u32;
        let Some(index) = u16::try_from(self.next)
            .ok()
            .filter(|_| u16::try_from(after).is_ok())
        else {
            self.fail(AssembleError::PoolFull);
            return 0;
        };
        self.next = after;
        self.pool.push(tag);
        self.pool.extend(&key.1);
        self.known.insert(key, index);
        index
    }

    /// An entry that consists of indices.
    fn indices(&mut self, tag: u8, indices: &[u16]) -> u16 {
        self.entry(
            tag,
            indices.iter().flat_map(|index| index.to_be_bytes()).collect(),
        )
    }

    fn text(&mut self, units: impl Iterator<Item = u16>) -> u16 {
        let text = modified_utf8(units);
        let Ok(len) = u16::try_from(text.len()) else {
            self.fail(AssembleError::TextTooLong { len: text.len() });
            return 0;
        };
        let mut body = len.to_be_bytes().to_vec();
        body.extend(text);
        self.entry(tag::UTF8, body)
    }

    fn utf8(&mut self, text: &str) -> u16 {
        self.text(text.encode_utf16())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.indices(tag::CLASS, &[name])
    }

    fn string(&mut self, units: &[u16]) -> u16 {
        let text = self.text(units.iter().copied());
        self.indices(tag::STRING, &[text])
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.indices(tag::NAME_AND_TYPE, &[name, descriptor]);
        self.indices(tag, &[class, name_and_type])
    }
}

/// The text of a `Utf8` constant: NUL in two bytes, everything beyond ASCII unit by unit.
fn modified_utf8(units: impl Iterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        let low = 0x80 | (unit & 0x3f) as u8;
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, low]),
            _ => bytes.extend([0xe0 | (unit >> 12) as u8, 0x80 | ((unit >> 6) & 0x3f) as u8, low]),
        }
    }
    bytes
}
