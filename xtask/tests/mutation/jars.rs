//! Damaged jars.

use std::fs;
use std::io::{Cursor, Write};

use raddle_classpath::ClassPath;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::corpus::{self, Sample};
use crate::{cases, mutate};

const CASES: u64 = 10_000;
const FEATURE: u32 = 17;
const MANIFEST: &str =
    "Manifest-Version: 1.0\r\nMulti-Release: true\r\nClass-Path: other.jar a/ b.jar\r\n\r\n";

#[test]
fn damaged_jars_are_read_or_refused() {
    let samples = corpus::samples(4, 2_000, |name| name.starts_with("java/"));
    let jars = [CompressionMethod::Stored, CompressionMethod::Deflated].map(|method| jar(&samples, method));
    cases::run("jar", CASES, |number, mut random| {
        let whole = random.pick(&jars);
        let mut bytes = whole.clone();
        if random.below(2) == 0 {
            mutate::anywhere(&mut bytes, whole, &mut random);
        } else {
            // The directory at the end is what everything hangs on.
            let directory = bytes.len() * 3 / 4..bytes.len();
            mutate::within(&mut bytes, &[directory], &mut random);
        }
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("{number}.jar"));
        fs::write(&path, bytes).unwrap();
        let Ok(class_path) = ClassPath::open(&[path], FEATURE) else {
            return;
        };
        let listing = class_path.list();
        for (name, _) in &listing.classes {
            let _ = class_path.find(name).is_ok();
        }
        for sample in &samples {
            let _ = class_path.find(&sample.name).is_ok();
        }
        let _ = (class_path.entries().count(), class_path.class_names());
    });
}

fn jar(samples: &[Sample], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    let mut entry = |name: &str, content: &[u8]| {
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    };
    entry("META-INF/MANIFEST.MF", MANIFEST.as_bytes());
    for sample in samples {
        entry(&format!("{}.class", sample.name), &sample.bytes);
        entry(
            &format!("META-INF/versions/11/{}.class", sample.name),
            &sample.bytes,
        );
    }
    writer.finish().unwrap().into_inner()
}
