//! Reads all of a class file.

use raddle_classfile::{ClassFile, ClassFileError, Code, Header};

/// Reads the head, the structure and every instruction; returns the number of instructions.
pub(super) fn all(bytes: &[u8]) -> Result<usize, ClassFileError> {
    Header::read(bytes)?;
    let class = ClassFile::parse(bytes)?;
    class.bootstrap_methods()?;
    let mut count = 0;
    for method in class.methods() {
        if let Some(code) = method.code()? {
            count += instructions(&code)?;
        }
    }
    Ok(count)
}

fn instructions(code: &Code<'_>) -> Result<usize, ClassFileError> {
    let mut count = 0;
    for instruction in code.instructions() {
        instruction?;
        count += 1;
    }
    Ok(count)
}
