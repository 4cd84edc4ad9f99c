//! Jars that are damaged, made to harm, or no jars: an error that names the file, never a panic or a full
//! memory.

#![allow(clippy::unwrap_used)] // a failed assumption should fail the test

mod support;

use std::fs;
use std::path::Path;

use raddle_classpath::{ClassPath, ClassPathError, MAX_CLASS_SIZE};
use support::{Place, names, open, try_open};
use zip::CompressionMethod;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";

fn error_of(path: &Path) -> ClassPathError {
    named(path, try_open(&[path]).unwrap_err())
}

/// Error of reading `p/C` from a jar that opens.
fn read_error_of(path: &Path) -> ClassPathError {
    named(path, open(&[path]).find("p/C").unwrap_err())
}

/// Every message is one sentence that names the file.
fn named(path: &Path, error: ClassPathError) -> ClassPathError {
    let message = error.to_string();
    assert!(message.contains(&path.display().to_string()), "{message}");
    assert!(
        message.contains(';') && !message.contains('\n') && !message.ends_with('.'),
        "{message}"
    );
    error
}

/// Overwrites a field of the first local header and the first central header, at the offsets it has in them.
fn patch(path: &Path, local_at: usize, central_at: usize, value: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    for (signature, at) in [(LOCAL, local_at), (CENTRAL, central_at)] {
        let start = bytes.windows(4).position(|window| window == signature).unwrap() + at;
        bytes[start..start + value.len()].copy_from_slice(value);
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn things_that_are_no_class_path_entry() {
    let place = Place::new();
    assert!(matches!(
        error_of(&place.path("missing.jar")),
        ClassPathError::Missing { .. }
    ));
    assert!(matches!(
        error_of(&place.path("missing/dir")),
        ClassPathError::Missing { .. }
    ));
    let text = place.file("text.jar", "this is text\n".repeat(10_000));
    assert!(matches!(error_of(&text), ClassPathError::NotAJar { .. }));
    assert!(matches!(
        error_of(&text.join("below")),
        ClassPathError::Missing { .. }
    ));
    let empty = place.file("empty.jar", "");
    assert!(matches!(error_of(&empty), ClassPathError::NotAJar { .. }));
    let directory = place.directory("folder.jar");
    assert!(matches!(
        error_of(&directory),
        ClassPathError::DirectoryNamedJar { .. }
    ));
    let jmod = place.file("java.base.jmod", b"JM\x01\x00PK\x03\x04");
    assert!(matches!(error_of(&jmod), ClassPathError::Jmod { .. }));
    let class = place.file("p/C.class", b"\xCA\xFE\xBA\xBE");
    let error = error_of(&class);
    assert!(matches!(error, ClassPathError::ClassFile { .. }));
    assert!(
        error
            .to_string()
            .ends_with("give the directory that holds its package, not the class file")
    );
}

#[cfg(unix)]
#[test]
fn sockets_are_not_waited_for() {
    let place = Place::new();
    let path = place.path("socket.jar");
    let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert!(matches!(error_of(&path), ClassPathError::NotAFile { .. }));

    let classes = place.directory("classes");
    let _listener = std::os::unix::net::UnixListener::bind(classes.join("C.class")).unwrap();
    let class_path = open(&[&classes]);
    assert!(class_path.find("C").unwrap().is_none());
    assert!(class_path.class_names().is_empty());
}

#[cfg(unix)]
#[test]
fn unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let jar = place.jar("a.jar", &[("p/C.class", b"c")]);
    fs::set_permissions(&jar, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is closed to a privileged user.
    if fs::File::open(&jar).is_err() {
        assert!(matches!(error_of(&jar), ClassPathError::Unreadable { .. }));
    }
}

#[test]
fn names_that_lead_elsewhere_are_ignored() {
    let place = Place::new();
    let entries = [
        "../Evil.class",
        "/Abs.class",
        "p/../../Evil.class",
        "p//Two.class",
        "./Dot.class",
        "p/Ok.class",
    ];
    let jar = place.jar("a.jar", &entries.map(|name| (name, b"x".as_slice())));
    let class_path = open(&[&jar]);
    assert_eq!(names(&class_path), ["p/Ok"]);
    for name in ["../Evil", "/Abs", "p/../../Evil", "p//Two", "./Dot"] {
        assert!(class_path.find(name).unwrap().is_none(), "{name}");
    }
}

#[test]
fn wrong_checksum_is_damage() {
    let place = Place::new();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let jar = place.jar_with("a.jar", &[("p/C.class", b"content")], method);
        patch(&jar, 14, 16, &[1, 2, 3, 4]);
        let error = read_error_of(&jar);
        assert!(
            matches!(&error, ClassPathError::CorruptEntry { entry, .. } if entry == "p/C.class"),
            "{error}"
        );
    }
}

#[test]
fn encrypted_entry_is_named() {
    let place = Place::new();
    let jar = place.jar("a.jar", &[("p/C.class", b"content")]);
    patch(&jar, 6, 8, &[1, 0]);
    assert!(matches!(read_error_of(&jar), ClassPathError::Encrypted { .. }));
}

#[test]
fn foreign_compression_is_named() {
    let place = Place::new();
    let jar = place.jar("a.jar", &[("p/C.class", b"content")]);
    patch(&jar, 8, 10, &[12, 0]);
    assert!(matches!(read_error_of(&jar), ClassPathError::Compression { .. }));
}

#[test]
fn bombs_do_not_go_off() {
    let place = Place::new();
    let zeros = vec![0; MAX_CLASS_SIZE as usize + 1];
    let honest = place.jar("honest.jar", &[("p/C.class", &zeros)]);
    assert!(fs::metadata(&honest).unwrap().len() < 1 << 20);
    assert!(matches!(read_error_of(&honest), ClassPathError::TooLarge { .. }));

    // It says that it is small.
    patch(&honest, 22, 24, &1000_u32.to_le_bytes());
    assert!(matches!(
        read_error_of(&honest),
        ClassPathError::CorruptEntry { .. }
    ));

    // It says that it is large.
    let liar = place.jar("liar.jar", &[("p/C.class", b"small")]);
    patch(&liar, 22, 24, &u32::MAX.to_le_bytes()[..3]);
    let error = read_error_of(&liar);
    assert!(matches!(error, ClassPathError::CorruptEntry { .. }), "{error}");
    patch(&liar, 22, 24, &0xF000_0000_u32.to_le_bytes());
    assert!(matches!(read_error_of(&liar), ClassPathError::TooLarge { .. }));

    let largest = place.jar("largest.jar", &[("p/C.class", &zeros[1..])]);
    assert_eq!(
        open(&[&largest]).find("p/C").unwrap().unwrap().0.len() as u64,
        MAX_CLASS_SIZE
    );

    let manifest = place.jar("manifest.jar", &[("META-INF/MANIFEST.MF", &zeros)]);
    assert!(matches!(error_of(&manifest), ClassPathError::TooLarge { .. }));

    let file = fs::File::create(place.path("Huge.class")).unwrap();
    file.set_len(MAX_CLASS_SIZE + 1).unwrap();
    let error = open(&[&place.path("")]).find("Huge").unwrap_err();
    assert!(
        matches!(error, ClassPathError::TooLarge { jar: None, .. }),
        "{error}"
    );
}

#[test]
fn endless_manifests_are_refused() {
    let place = Place::new();
    let references = format!("Class-Path: {}\n", "a ".repeat(100_000));
    let jar = place.jar("a.jar", &[("META-INF/MANIFEST.MF", references.as_bytes())]);
    let error = error_of(&jar);
    assert!(error.to_string().contains("manifest names more than"), "{error}");

    let lines = "a:\n".repeat(1_000_000);
    let jar = place.jar(
        "b.jar",
        &[("META-INF/MANIFEST.MF", lines.as_bytes()), ("p/C.class", b"c")],
    );
    assert_eq!(names(&open(&[&jar])), ["p/C"]);
}

#[test]
fn many_entries_are_fine() {
    let place = Place::new();
    let entries: Vec<String> = (0..70_000).map(|n| format!("p/C{n}.class")).collect();
    let entries: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|name| (name.as_str(), b"".as_slice()))
        .collect();
    let class_path = open(&[&place.jar_with("a.jar", &entries, CompressionMethod::Stored)]);
    assert_eq!(class_path.class_names().len(), 70_000);
    assert!(class_path.find("p/C69999").unwrap().is_some());
}

#[test]
fn claimed_entry_counts_reserve_no_memory() {
    let place = Place::new();
    // End records for 2^40 entries, and nothing else.
    let mut bytes = b"PK\x06\x06".to_vec();
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0]);
    bytes.extend([0; 8]);
    for value in [1_u64 << 40, 1 << 40, 1 << 46, 0] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(b"PK\x06\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0");
    bytes.extend(b"PK\x05\x06\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0");
    let jar = place.file("a.jar", bytes);
    assert!(matches!(error_of(&jar), ClassPathError::CorruptJar { .. }));
}

fn sample(place: &Place) -> Vec<u8> {
    let manifest = b"Multi-Release: true\nClass-Path: b.jar\n";
    let entries: &[(&str, &[u8])] = &[
        ("META-INF/MANIFEST.MF", manifest),
        ("p/C.class", &[7; 300]),
        ("META-INF/versions/9/p/C.class", b"versioned"),
        ("q/D.class", b"other"),
    ];
    fs::read(place.jar("good.jar", entries)).unwrap()
}

/// Asks everything; only panics and hangs are wrong here.
fn ask_everything(class_path: &ClassPath) {
    for name in ["p/C", "q/D", "r/E"] {
        let _ = class_path.find(name);
    }
    for (name, _) in class_path.class_names() {
        let _ = class_path.find(&name);
    }
}

#[test]
fn cut_anywhere_gives_an_error() {
    let place = Place::new();
    let good = sample(&place);
    for length in 0..good.len() {
        let jar = place.file("cut.jar", &good[..length]);
        let error = error_of(&jar);
        let is_expected = match length {
            0..2 => matches!(error, ClassPathError::NotAJar { .. }),
            _ => matches!(error, ClassPathError::CorruptJar { .. }),
        };
        assert!(is_expected, "cut at {length}: {error}");
    }
}

#[test]
fn every_flipped_byte_is_survived() {
    let place = Place::new();
    let mut bytes = sample(&place);
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xFF] {
            bytes[at] ^= flip;
            let jar = place.file("flipped.jar", &bytes);
            match try_open(&[&jar]) {
                Ok(class_path) => ask_everything(&class_path),
                Err(error) => drop(named(&jar, error)),
            }
            bytes[at] ^= flip;
        }
    }
}

#[test]
fn jar_that_changes_under_way_is_noticed() {
    let place = Place::new();
    let jar = place.jar("a.jar", &[("p/C.class", b"before")]);
    let class_path = open(&[&jar]);
    assert!(class_path.find("p/C").unwrap().is_some());
    fs::write(&jar, "PK").unwrap();
    let error = named(&jar, class_path.find("p/C").unwrap_err());
    assert!(matches!(error, ClassPathError::Changed { .. }));
    fs::remove_file(&jar).unwrap();
    assert!(matches!(
        class_path.find("p/C"),
        Err(ClassPathError::Unreadable { .. })
    ));
}
