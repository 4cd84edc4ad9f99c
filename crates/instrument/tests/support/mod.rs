//! What the tests of rewritten classes share.

#![allow(dead_code, reason = "every test uses a part of this")]

pub(crate) mod depth;
pub(crate) mod forge;
pub(crate) mod java;

use std::fs;
use std::path::PathBuf;

use raddle_classfile::{ClassFile, Code};
use raddle_classpath::Jdk;

/// The JDK of `JAVA_HOME` or `PATH`; in the full tests also those installed next to it.
pub(crate) fn jdks() -> Vec<Jdk> {
    let first = Jdk::locate(None).unwrap();
    if !cfg!(feature = "full-tests") {
        return vec![first];
    }
    let home = first.home().canonicalize().unwrap();
    let mut homes: Vec<PathBuf> = fs::read_dir(home.parent().unwrap())
        .unwrap()
        .filter_map(|entry| entry.ok()?.path().canonicalize().ok())
        .filter(|path| path.join("lib/modules").is_file() && path.join("release").is_file())
        .collect();
    homes.push(home);
    homes.sort();
    homes.dedup();
    homes.iter().map(|home| Jdk::open(home).unwrap()).collect()
}

/// Reads a class back and checks all its code. Methods in which the JVM found monitors balanced stay so.
pub(crate) fn check(original: &[u8], rewritten: &[u8]) {
    let original = ClassFile::parse(original).unwrap();
    let rewritten = ClassFile::parse(rewritten).unwrap();
    assert_eq!(original.name(), rewritten.name());
    assert!(original.methods().len() <= rewritten.methods().len());
    for added in rewritten.methods().skip(original.methods().len()) {
        let code = added.code().unwrap().unwrap();
        let checked = check_code(&rewritten, &code);
        assert_eq!(checked, Ok(true), "{}.{}", original.name(), added.name());
    }
    for (before, after) in original.methods().zip(rewritten.methods()) {
        let problem = match (before.code().unwrap(), after.code()) {
            (Some(before), Ok(Some(after))) => {
                let was_balanced = check_code(&original, &before);
                match check_code(&rewritten, &after) {
                    Ok(is_balanced) if is_balanced || was_balanced != Ok(true) => continue,
                    Ok(_) => "monitors are no longer balanced".to_owned(),
                    Err(problem) => problem,
                }
            }
            (None, Ok(None)) => continue,
            (_, Err(error)) => error.to_string(),
            (_, Ok(_)) => "code came or went".to_owned(),
        };
        panic!(
            "{}.{}{}: {problem}",
            original.name(),
            after.name(),
            after.descriptor()
        );
    }
}

/// Whether monitors are balanced, or what is wrong with the code.
fn check_code(class: &ClassFile, code: &Code<'_>) -> Result<bool, String> {
    let len = code.bytes().len();
    let mut starts = vec![false; len + 1];
    let mut insns = Vec::new();
    for insn in code.instructions() {
        let (pc, insn) = insn.map_err(|error| error.to_string())?;
        starts[pc as usize] = true;
        insns.push((pc, insn));
    }
    let expect_start = |pc: u32, what: &str| {
        if starts[pc as usize] {
            Ok(())
        } else {
            Err(format!("{what} {pc}"))
        }
    };
    for (_, insn) in &insns {
        for target in insn.branch_targets() {
            expect_start(target, "branch to")?;
        }
    }
    for handler in code.exception_table() {
        expect_start(handler.start, "range from")?;
        expect_start(handler.handler, "handler at")?;
        if handler.end as usize != len {
            expect_start(handler.end, "range to")?;
        }
    }
    for (pc, _) in code.line_numbers() {
        expect_start(pc, "line at")?;
    }
    depth::check(class, code, &insns)
}
