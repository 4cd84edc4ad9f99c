//! Names that class files may have and Java cannot spell.

use raddle_testkit::compile;

use crate::hunt::{Ground, class_path};

/// What javac writes, and what is put in its place: as long, so that nothing else in the class file changes.
const ODD: [(&str, &str); 4] = [
    ("Odd_Name", "Odd Name"),
    ("clazz", "class"),
    ("a_b", "a b"),
    ("count", "int x"),
];

const SOURCE: &str = "
    package odd;
    public class Odd_Name {
        private int count;
        public synchronized void reset() { count = 0; }
        public void clazz() { count++; }
        public int a_b() { return count; }
    }";

fn replaced(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut at = 0;
    while at + from.len() <= bytes.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
        at += 1;
    }
    bytes
}

#[test]
fn what_java_cannot_spell_is_confirmed_through_reflection() {
    let classes = compile(&[("odd/Odd_Name.java", SOURCE)]).unwrap();
    let folder = classes.classes().join("odd");
    let made = folder.join("Odd_Name.class");
    let bytes = ODD
        .iter()
        .fold(std::fs::read(&made).unwrap(), |bytes, (from, to)| {
            replaced(bytes, from, to)
        });
    std::fs::remove_file(&made).unwrap();
    std::fs::write(folder.join("Odd Name.class"), bytes).unwrap();
    let bounds = ["--stop-at-first", "--max-plans", "20", "--budget", "5m"];
    let arguments = [&["odd.Odd Name", "-cp", class_path(&classes)][..], &bounds].concat();
    let report = Ground::new().document(&arguments, 1);
    let finding = &report["classes"][0]["findings"][0];
    assert_eq!(finding["stock_jvm"], "confirmed", "{finding:#}");
}
