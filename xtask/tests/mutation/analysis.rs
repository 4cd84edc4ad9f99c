//! Damaged class files that can still be read, analysed.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_classfile::ClassFile;
use raddle_classpath::{ClassPath, Jdk};
use raddle_program::{Program, Scope};
use raddle_summary::{Analyzer, Precision};

use crate::corpus::{self, Sample};
use crate::random::Random;
use crate::{cases, mutate};

/// Programs with damaged classes; each has [`CLASSES`].
const PROGRAMS: u64 = 100;
/// Damaged classes of one program, which then share what is known of the JDK.
const CLASSES: usize = 20;
const SAMPLES: usize = 250;
const MAX_SIZE: usize = 8_000;
/// Damage is repeated until the class can be read, but not for ever.
const ATTEMPTS: usize = 20;
/// Own names start with this; a JDK's class could not be replaced by one of the class path.
const JAVA: &str = "java";

#[test]
fn damaged_classes_are_analysed_or_refused() {
    let is_class = |name: &str| name.starts_with("java/util/") || name.starts_with("java/text/");
    let samples = corpus::samples(SAMPLES, MAX_SIZE, is_class);
    assert!(samples.len() >= SAMPLES / 2, "{} samples", samples.len());
    let analysed = AtomicUsize::new(0);
    let run = cases::run("analysis", PROGRAMS, |_, mut random| {
        let directory = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..CLASSES)
            .filter_map(|number| {
                let sample = random.pick(&samples);
                let name = format!("m{number:03}{}", &sample.name[JAVA.len()..]);
                let bytes = damaged(&renamed(sample, &name), sample, &mut random)?;
                write(directory.path(), &name, &bytes);
                Some(name)
            })
            .collect();
        analysed.fetch_add(analyse(directory.path(), &names), Ordering::Relaxed);
    });
    let (analysed, classes) = (analysed.into_inner(), run as usize * CLASSES);
    assert!(
        analysed >= classes / 2,
        "only {analysed} of {classes} are analysed"
    );
}

/// Damages the code, or anything, until the result can be read; `None` when that has not worked.
fn damaged(bytes: &[u8], sample: &Sample, random: &mut Random) -> Option<Vec<u8>> {
    let in_code = random.below(4) != 0 && !sample.code.is_empty();
    (0..ATTEMPTS).find_map(|_| {
        let mut mutant = bytes.to_vec();
        if in_code {
            mutate::within(&mut mutant, &sample.code, random);
        } else {
            mutate::anywhere(&mut mutant, bytes, random);
        }
        ClassFile::parse(&mutant).is_ok().then_some(mutant)
    })
}

/// The class under a name of equal length, so that nothing else in the file moves.
fn renamed(sample: &Sample, name: &str) -> Vec<u8> {
    let mut bytes = sample.bytes.clone();
    let old = sample.name.as_bytes();
    assert_eq!(old.len(), name.len());
    let length = (old.len() as u16).to_be_bytes();
    let entry: Vec<u8> = [1].into_iter().chain(length).chain(old.iter().copied()).collect();
    let at = bytes
        .windows(entry.len())
        .position(|window| window == entry)
        .expect("a class names itself");
    bytes[at + 3..at + entry.len()].copy_from_slice(name.as_bytes());
    bytes
}

fn write(directory: &Path, name: &str, bytes: &[u8]) {
    let path = directory.join(format!("{name}.class"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Analyses the classes in both precisions and returns how many there is a result for.
fn analyse(directory: &Path, names: &[String]) -> usize {
    let jdk = Jdk::locate(None).unwrap();
    let class_path = ClassPath::open(&[directory.to_owned()], jdk.feature()).unwrap();
    let program = Program::new(jdk, class_path);
    let analyzers =
        [Precision::Paper, Precision::Precise].map(|precision| Analyzer::new(&program, precision));
    let mut results = 0;
    for name in names {
        let id = program.class_id(name);
        let _ = program.concrete_subtypes(&Scope::ClassPath, id);
        for analyzer in &analyzers {
            let result = panic::catch_unwind(AssertUnwindSafe(|| analyzer.analyze(id)));
            if let Ok(facts) = result.unwrap_or_else(|_| panic!("the analysis of {name} panicked")) {
                let n = facts.methods.len();
                assert_eq!(facts.counts.m, n * (n + 1) / 2);
                assert!(facts.counts.union <= facts.counts.m);
                results += 1;
            }
        }
    }
    results / analyzers.len()
}
