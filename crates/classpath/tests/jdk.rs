//! JDKs: real ones found through the environment, and directories that are none.

#![allow(clippy::unwrap_used)] // a failed assumption should fail the test

mod support;

use std::fs;
use std::path::Path;
use std::thread;

use raddle_classpath::{ClassBytes, ClassPath, ClassPathError, ImageError, Jdk, JdkError, Origin};
use support::{Place, jdks};

const CLASS_MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];

#[test]
fn well_known_classes_are_in_their_modules() {
    for jdk in jdks() {
        for (name, module) in [
            ("java/lang/Object", "java.base"),
            ("java/util/Map$Entry", "java.base"),
            ("java/util/concurrent/ConcurrentHashMap", "java.base"),
            ("jdk/internal/misc/Unsafe", "java.base"),
            ("java/lang/package-info", "java.base"),
        ] {
            if let Some((bytes, found)) = jdk.find(name).unwrap() {
                assert_eq!(&*found, module);
                assert_eq!(jdk.module_of(name).as_deref(), Some(module));
                assert!(matches!(bytes, ClassBytes::Mapped(_)));
                assert_eq!(bytes[..4], CLASS_MAGIC);
            } else {
                assert_eq!(name, "java/lang/package-info", "JDK {}", jdk.version());
            }
        }
        for missing in [
            "java/util/NoSuchClass",
            "NoPackage",
            "com/example/Main",
            "",
            "/",
            "java/util/",
            "../Object",
        ] {
            assert!(jdk.find(missing).unwrap().is_none(), "{missing}");
        }
        assert_eq!(jdk.module_of("com/example/Main"), None);
    }
}

#[test]
fn every_listed_class_is_found_under_its_name() {
    for jdk in jdks() {
        let modules = jdk.modules();
        assert!(modules.is_sorted() && modules.contains(&"java.base"));
        assert!(!modules.contains(&"packages"));
        let mut count = 0;
        for module in modules {
            let classes = jdk.try_classes_of(module).unwrap();
            assert!(classes.is_sorted_by(|a, b| a.0 < b.0));
            for (name, bytes) in &classes {
                assert_eq!(bytes[..4], CLASS_MAGIC);
                assert!(!name.ends_with("-info"));
                let (found, its_module) = jdk.find(name).unwrap().unwrap();
                // The same place of the mapping, not merely equal bytes.
                assert_eq!(
                    (found.as_ptr(), found.len(), &*its_module),
                    (bytes.as_ptr(), bytes.len(), module)
                );
            }
            count += classes.len();
        }
        assert!(count > 5000, "{count} classes in JDK {}", jdk.version());
    }
}

#[test]
fn version_comes_from_the_release_file() {
    for jdk in jdks() {
        assert!(jdk.version().starts_with(&jdk.feature().to_string()));
        assert!(jdk.feature() >= 9);
        assert!(jdk.home().join("lib/modules").is_file());
    }
}

#[test]
fn one_jdk_serves_many_threads() {
    fn is_shareable<T: Send + Sync + 'static>() {}
    is_shareable::<Jdk>();
    is_shareable::<ClassPath>();
    is_shareable::<Origin>();
    is_shareable::<ClassPathError>();
    is_shareable::<JdkError>();

    let jdk = Jdk::locate(None).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(jdk.classes_of("java.base").len() > 1000));
        }
    });
}

#[test]
fn unknown_module_is_an_error() {
    let jdk = Jdk::locate(None).unwrap();
    assert!(jdk.classes_of("no.such.module").is_empty());
    let error = jdk.try_classes_of("no.such.module").unwrap_err();
    assert!(matches!(error, ClassPathError::UnknownModule { .. }));
    assert!(error.to_string().contains("no.such.module"));
}

/// Opens a home that must fail, and checks that the message names it.
fn error_of(home: &Path) -> JdkError {
    let error = Jdk::open(home).unwrap_err();
    let message = error.to_string();
    assert!(message.contains(&home.display().to_string()), "{message}");
    assert!(!message.contains('\n') && !message.ends_with('.'), "{message}");
    error
}

#[test]
fn directories_that_are_no_jdk_say_why() {
    let place = Place::new();
    let missing = place.path("missing");
    assert!(matches!(error_of(&missing), JdkError::NoDirectory { .. }));
    let file = place.file("file", "");
    assert!(matches!(error_of(&file), JdkError::NoDirectory { .. }));

    let empty = place.directory("empty");
    let error = error_of(&empty);
    assert!(matches!(error, JdkError::NotAJdk { .. }));
    let empty = empty.display();
    let expected = format!(
        "no JDK at {empty}: {empty}/lib/modules does not exist; \
         Raddle needs JDK 17 or later, set --jdk or JAVA_HOME to its home directory"
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn old_exploded_and_incomplete_installations_say_so() {
    let place = Place::new();
    place.file("jdk8/release", "JAVA_VERSION=\"1.8.0_402\"\n");
    let error = error_of(&place.path("jdk8"));
    assert!(matches!(&error, JdkError::TooOld { version, .. } if version == "1.8.0_402"));

    for runtime in ["jre8/lib/rt.jar", "old/jre/lib/rt.jar"] {
        place.file(runtime, "");
        let home = place.path(runtime.split('/').next().unwrap());
        assert!(matches!(error_of(&home), JdkError::TooOld { .. }));
    }

    place.file("exploded/release", "JAVA_VERSION=\"21\"\n");
    place.file("exploded/modules/java.base/module-info.class", "");
    assert!(matches!(
        error_of(&place.path("exploded")),
        JdkError::Exploded { .. }
    ));

    place.file("half/release", "JAVA_VERSION=\"21\"\n");
    place.file("half/bin/java", "");
    assert!(matches!(error_of(&place.path("half")), JdkError::NoImage { .. }));
}

#[test]
fn version_must_be_known() {
    let place = Place::new();
    place.file("jdk/lib/modules", "");
    assert!(matches!(error_of(&place.path("jdk")), JdkError::NoVersion { .. }));
    place.file("jdk/release", "JAVA_VERSION=seventeen\n");
    assert!(matches!(error_of(&place.path("jdk")), JdkError::NoVersion { .. }));
}

#[test]
fn damaged_images_are_named() {
    let place = Place::new();
    place.file("jdk/release", "JAVA_VERSION=\"17.0.1\"\n");
    let reason_of = |content: &[u8]| {
        place.file("jdk/lib/modules", content);
        match error_of(&place.path("jdk")) {
            JdkError::Image { reason, .. } => Some(reason),
            _ => None,
        }
    };
    assert_eq!(reason_of(b""), Some(ImageError::Truncated { part: "header" }));
    assert!(matches!(
        reason_of(&[b'x'; 64]),
        Some(ImageError::NotAnImage { .. })
    ));
    assert_eq!(
        reason_of(&[&[0xCA, 0xFE, 0xDA, 0xDA], [0; 60].as_slice()].concat()),
        Some(ImageError::BigEndian)
    );
    let empty_tables = [0xDA, 0xDA, 0xFE, 0xCA, 0, 0, 1, 0]
        .into_iter()
        .chain([0; 20])
        .collect::<Vec<u8>>();
    assert!(matches!(
        reason_of(&empty_tables),
        Some(ImageError::Corrupt { .. })
    ));

    // The start of a real image, cut within each of its parts.
    let home = Jdk::locate(None).unwrap().home().to_owned();
    let image = fs::read(home.join("lib/modules")).unwrap();
    for length in [20, 28, 1000, 100_000, 1_000_000, 4_000_000] {
        let reason = reason_of(&image[..length.min(image.len() / 2)]);
        assert!(
            matches!(reason, Some(ImageError::Truncated { .. })),
            "{length}: {reason:?}"
        );
    }
}

#[test]
fn image_that_is_a_directory_is_unreadable() {
    let place = Place::new();
    place.file("jdk/release", "JAVA_VERSION=\"17.0.1\"\n");
    place.directory("jdk/lib/modules");
    assert!(matches!(
        error_of(&place.path("jdk")),
        JdkError::Unreadable { .. }
    ));
}

#[cfg(unix)]
#[test]
fn closed_directories_are_unreadable() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    place.file("jdk/release", "JAVA_VERSION=\"17.0.1\"\n");
    place.file("jdk/lib/modules", "");
    let lib = place.path("jdk/lib");
    fs::set_permissions(&lib, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is closed to a privileged user.
    if fs::read_dir(&lib).is_err() {
        assert!(matches!(
            error_of(&place.path("jdk")),
            JdkError::Unreadable { .. }
        ));
    }
    fs::set_permissions(&lib, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn bundles_of_macos_are_looked_into() {
    let place = Place::new();
    place.file("x.jdk/Contents/Home/lib/modules", "");
    let error = Jdk::open(&place.path("x.jdk")).unwrap_err();
    assert!(matches!(error, JdkError::NoVersion { home } if home.ends_with("Contents/Home")));
}
