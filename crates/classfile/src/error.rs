//! Why a class file was refused.

/// The result of everything that reads untrusted bytes.
pub type Result<T> = std::result::Result<T, ClassFileError>;

/// Why a class file was refused. Each message is a sentence fragment with the reason and the place: a byte
/// offset in the file, a constant-pool index, or a pc inside one method's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassFileError {
    /// The bytes end in the middle of something.
    #[error("truncated at offset {offset}")]
    Truncated {
        /// Where the read that did not fit began.
        offset: usize,
    },
    /// Offsets are kept in 32 bits, so larger input is refused.
    #[error("too large for a class file: {size} bytes")]
    TooLarge {
        /// The size of the input.
        size: usize,
    },
    /// The file does not begin with `0xCAFEBABE`.
    #[error("bad magic number {found:#010x} at offset 0")]
    BadMagic {
        /// What it begins with.
        found: u32,
    },
    /// The version is below 45, which no JDK ever wrote.
    #[error("unsupported major version {major} at offset 6")]
    TooOld {
        /// The version found.
        major: u16,
    },
    /// The version is newer than this reader.
    #[error("major version {major} at offset 6 is newer than {}", crate::NEWEST_MAJOR)]
    TooNew {
        /// The version found.
        major: u16,
    },
    /// The constant pool count is zero.
    #[error("empty constant pool at offset 8")]
    EmptyPool,
    /// A constant-pool tag that does not exist, or not yet in the file's version.
    #[error("bad constant pool tag {tag} of entry {index} at offset {offset}")]
    BadTag {
        /// The pool index.
        index: u16,
        /// The tag found.
        tag: u8,
        /// Where the tag is.
        offset: usize,
    },
    /// A pool index that is zero, past the end, or the second slot of a long or double.
    #[error("constant pool index {index} is not an entry of the pool of {len} at offset 8")]
    BadIndex {
        /// The index.
        index: u16,
        /// The pool's count field.
        len: u16,
    },
    /// A pool index that leads to an entry of another kind.
    #[error("constant pool entry {index} at offset {offset} is {found} instead of {expected}")]
    WrongKind {
        /// The index.
        index: u16,
        /// What the reference needs.
        expected: &'static str,
        /// What is there.
        found: &'static str,
        /// Where the entry is.
        offset: usize,
    },
    /// A method handle's kind is not one of 1 to 9.
    #[error("bad method handle kind {kind} of constant pool entry {index} at offset {offset}")]
    BadHandleKind {
        /// The pool index.
        index: u16,
        /// The kind found.
        kind: u8,
        /// Where the entry is.
        offset: usize,
    },
    /// Bytes that are not modified UTF-8.
    #[error("bad modified UTF-8 at offset {offset}")]
    BadUtf8 {
        /// The first byte that does not fit.
        offset: usize,
    },
    /// A class names the same interface again and again.
    #[error("repeated interface at offset {offset}")]
    RepeatedInterface {
        /// Where the list of interfaces has it.
        offset: usize,
    },
    /// An attribute's length does not agree with its content.
    #[error("bad length of attribute {name} at offset {offset}")]
    BadAttributeLength {
        /// The attribute.
        name: &'static str,
        /// Where its content begins.
        offset: usize,
    },
    /// An attribute that may occur once occurs again.
    #[error("second attribute {name} at offset {offset}")]
    DuplicateAttribute {
        /// The attribute.
        name: &'static str,
        /// Where the content of the second one begins.
        offset: usize,
    },
    /// There are bytes after the last attribute of the class.
    #[error("trailing bytes at offset {offset}")]
    TrailingBytes {
        /// Where the class ends.
        offset: usize,
    },
    /// A method's code is empty or longer than 65535 bytes.
    #[error("bad code length {length} at offset {offset}")]
    BadCodeLength {
        /// The length found.
        length: u32,
        /// Where the code begins.
        offset: usize,
    },
    /// An exception-table entry is empty, backwards or outside the code.
    #[error("bad exception table entry at offset {offset}")]
    BadHandler {
        /// Where the entry is.
        offset: usize,
    },
    /// A byte that is no opcode, or one that cannot follow `wide`.
    #[error("bad opcode {opcode:#04x} at pc {pc}")]
    BadOpcode {
        /// The byte.
        opcode: u8,
        /// Where the instruction begins.
        pc: u32,
    },
    /// The code ends in the middle of an instruction.
    #[error("truncated instruction at pc {pc}")]
    TruncatedInsn {
        /// Where the instruction begins.
        pc: u32,
    },
    /// An operand that no such instruction can have: an unknown array type, or zero dimensions.
    #[error("bad operand at pc {pc}")]
    BadOperand {
        /// Where the instruction begins.
        pc: u32,
    },
    /// A switch whose range or number of cases does not fit into the code.
    #[error("bad switch at pc {pc}")]
    BadSwitch {
        /// Where the instruction begins.
        pc: u32,
    },
    /// A jump out of the method.
    #[error("branch outside the code at pc {pc}, to {target}")]
    BadBranch {
        /// Where the instruction begins.
        pc: u32,
        /// Where it would go.
        target: i64,
    },
    /// A pc past the end of the code.
    #[error("pc {pc} is outside the code")]
    BadPc {
        /// The pc asked for.
        pc: u32,
    },
    /// A field or method descriptor that does not follow the grammar.
    #[error("bad descriptor {descriptor:?} at position {position}")]
    BadDescriptor {
        /// The whole descriptor.
        descriptor: Box<str>,
        /// The byte at which it goes wrong.
        position: usize,
    },
}
