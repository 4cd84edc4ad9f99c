//! What is damaged: classes of the JDK in use.

use std::ops::Range;

use raddle_classfile::ClassFile;
use raddle_classpath::Jdk;

/// A real class file.
pub(crate) struct Sample {
    /// Internal name.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Where the instructions of its methods are.
    pub(crate) code: Vec<Range<usize>>,
}

impl Sample {
    fn new(name: String, bytes: Vec<u8>) -> Sample {
        let class = ClassFile::parse(&bytes).unwrap();
        let start = class.bytes().as_ptr().addr();
        let code = class
            .methods()
            .filter_map(|method| method.code().unwrap())
            .map(|code| {
                let at = code.bytes().as_ptr().addr() - start;
                at..at + code.bytes().len()
            })
            .collect();
        Sample { name, bytes, code }
    }
}

/// So many classes of java.base that are at most so large and pass the filter: small ones, large ones, and all between.
pub(crate) fn samples(count: usize, max_size: usize, is_wanted: impl Fn(&str) -> bool) -> Vec<Sample> {
    let jdk = Jdk::locate(None).unwrap();
    let mut classes = jdk.classes_of("java.base");
    classes.retain(|(name, bytes)| bytes.len() <= max_size && is_wanted(name));
    classes.sort_by_key(|(_, bytes)| bytes.len());
    let step = (classes.len() / count).max(1);
    let chosen = classes.into_iter().step_by(step).take(count);
    chosen
        .map(|(name, bytes)| Sample::new(name, bytes.into_owned()))
        .collect()
}
