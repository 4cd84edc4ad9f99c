//! A class whose package is open: what only its package sees is public.
//!
//! Tests of a class that only its package sees are code of another class loader, and so of another package to the JVM. What
//! the JVM checks is in these flags.

use crate::ClassFile;
use crate::access::AccessFlags;
use crate::attribute;

const PUBLIC: u16 = 0x0001;
const PROTECTED: u16 = 0x0004;
/// Access, this class, super class.
const BEFORE_INTERFACES: usize = 6;
/// Of an entry of `InnerClasses`, and where its flags are.
const INNER_CLASS: usize = 8;
const INNER_FLAGS: usize = 6;

impl ClassFile {
    /// The bytes of the class with everything public that its package sees; private and synthetic members stay as they are.
    pub fn opened(&self) -> Vec<u8> {
        let mut bytes = self.bytes().to_vec();
        let layout = self.layout();
        let class = layout.interfaces as usize - BEFORE_INTERFACES;
        let members = layout.fields.iter().chain(&layout.methods);
        let mut flags: Vec<usize> = members.map(|at| *at as usize).collect();
        flags.push(class);
        let attributes = self.cursor(layout.attributes);
        if let Some(mut body) = attribute::find(self.pool(), attributes, "InnerClasses") {
            let count = usize::from(body.u2().unwrap_or(0));
            let first = body.position();
            flags.extend((0..count).map(|entry| first + entry * INNER_CLASS + INNER_FLAGS));
        }
        for at in flags {
            if let Some([high, low]) = bytes.get_mut(at..at + 2) {
                let opened = open(AccessFlags(u16::from_be_bytes([*high, *low])));
                [*high, *low] = opened.to_be_bytes();
            }
        }
        bytes
    }
}

fn open(flags: AccessFlags) -> u16 {
    if flags.is_private() || flags.is_synthetic() {
        flags.0
    } else {
        flags.0 & !PROTECTED | PUBLIC
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::ClassAssembler;

    #[test]
    fn what_the_package_sees_is_public_and_what_is_private_stays_so() {
        let mut class = ClassAssembler::new(61, 0x0020, "p/Hidden", "java/lang/Object");
        for (access, name) in [
            (0x0000, "seen"),
            (0x0002, "own"),
            (0x0004, "below"),
            (0x0001, "all"),
        ] {
            class.field(access, name, "I");
        }
        let closed = ClassFile::parse(&class.finish().unwrap()).unwrap();
        let opened = ClassFile::parse(&closed.opened()).unwrap();
        assert!(!closed.access().is_public() && opened.access().is_public());
        let access: Vec<u16> = opened.fields().map(|field| field.access().0).collect();
        assert_eq!(access, [1, 2, 1, 1]);
    }
}
