//! Any bytes as a class of the class path, analysed in both precisions.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::{Corpus, fuzz_target};
use raddle_classfile::ClassFile;
use raddle_classpath::{ClassPath, Jdk};
use raddle_program::Program;
use raddle_summary::{Analyzer, Precision};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(class) = ClassFile::parse(bytes) else {
        return Corpus::Reject;
    };
    let name = class.name();
    if !is_plain(&name) {
        return Corpus::Reject;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    write(directory.path(), &name, bytes);
    let jdk = Jdk::locate(None).expect("a JDK");
    let class_path =
        ClassPath::open(&[directory.path().to_owned()], jdk.feature()).expect("a readable directory");
    let program = Program::new(jdk, class_path);
    let id = program.class_id(&name);
    for precision in [Precision::Paper, Precision::Precise] {
        let _ = Analyzer::new(&program, precision).analyze(id);
    }
    Corpus::Keep
});

/// A name that is a file name as well, and that no class of a JDK has.
fn is_plain(name: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty()
            && part.len() < 200
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    name.len() < 1000 && !name.starts_with("java") && name.split('/').all(is_plain)
}

fn write(directory: &Path, name: &str, bytes: &[u8]) {
    let path = directory.join(format!("{name}.class"));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).expect("a writable temporary directory");
    }
    fs::write(path, bytes).expect("a writable temporary directory");
}
