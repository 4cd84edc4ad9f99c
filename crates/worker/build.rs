//! Compiles the Java half of the runtime, which is then part of the executable.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use raddle_classfile::Header;

/// Relative to this crate. The classes join the package and the module of their folder.
const SOURCES: &str = "java";
const PACKAGE: &str = "java/lang";

/// What a JVM must find in the executable, see the build script of `crates/cli`. Here for this crate's own tests.
const FUNCTIONS: [&str; 3] = [
    "Agent_OnLoad_raddle",
    "JVM_DefineClassWithSource",
    "JVM_LookupDefineClass",
];

fn main() -> Result<(), Box<dyn Error>> {
    for function in FUNCTIONS {
        println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol={function}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCES}");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-env-changed=PATH");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let classes = out.join("runtime");
    if classes.exists() {
        fs::remove_dir_all(&classes)?; // a class whose source is gone must go as well
    }
    fs::create_dir_all(&classes)?;
    compile(&root.join(SOURCES), &classes)?;
    fs::write(out.join("runtime.rs"), list(&classes.join(PACKAGE))?)?;
    Ok(())
}

fn compile(sources: &Path, classes: &Path) -> Result<(), Box<dyn Error>> {
    let files = files(&sources.join(PACKAGE), "java")?;
    let javac = javac();
    let output = Command::new(&javac)
        // `--release` would hide the internals of java.base that the runtime needs.
        .args(["-source", "17", "-target", "17"])
        .arg("--patch-module")
        .arg(format!("java.base={}", sources.display()))
        // No linkage while threads are controlled: texts are put together by plain calls.
        .arg("-XDstringConcat=inline")
        .args(["-XDignore.symbol.file", "-g", "-nowarn", "-Xlint:none", "-implicit:none", "-proc:none"])
        .args(["-encoding", "UTF-8"])
        .arg("-d")
        .arg(classes)
        .args(files)
        .output()
        .map_err(|reason| {
            format!(
                "cannot run {} ({reason}): building Raddle needs a JDK, 17 or later; install one, or set JAVA_HOME to it",
                javac.display()
            )
        })?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} refused Raddle's runtime:\n{messages}", javac.display()).into())
}

fn javac() -> PathBuf {
    match env::var_os("JAVA_HOME") {
        Some(home) if !home.is_empty() => PathBuf::from(home).join("bin/javac"),
        _ => PathBuf::from("javac"),
    }
}

/// The files of a folder with that extension, sorted.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A Rust expression: names and bytes of all classes, each after those it extends and implements.
fn list(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut waiting = BTreeMap::new();
    for path in files(folder, "class")? {
        let header = Header::read(&fs::read(&path)?)?;
        waiting.insert(header.name.clone(), (header, path));
    }
    let mut text = String::from("&[\n");
    while !waiting.is_empty() {
        let next = waiting.iter().find(|(_, (header, _))| {
            let mut above = header.super_name.iter().chain(&header.interfaces);
            !above.any(|name| waiting.contains_key(name))
        });
        let name = next
            .map(|(name, _)| name.clone())
            .ok_or("a class extends itself")?;
        if let Some((_, path)) = waiting.remove(&name) {
            let path = path.to_str().ok_or("the build folder's name is not UTF-8")?;
            writeln!(text, "    (c{name:?}, include_bytes!({path:?})),")?;
        }
    }
    text.push_str("]\n");
    Ok(text)
}
