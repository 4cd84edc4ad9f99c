//! The search rules of `java`: order, multi-release jars, `Class-Path`, wildcards, directories.

#![allow(clippy::unwrap_used)] // a failed assumption should fail the test

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use raddle_classpath::{ClassPath, ClassPathError, Origin, split_class_path};
use support::{Place, content, names, open, origin_path, try_open};
use zip::CompressionMethod;

const MULTI_RELEASE: &[u8] = b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
const MANIFEST: &str = "META-INF/MANIFEST.MF";

#[test]
fn empty_class_path_has_nothing() {
    let class_path = open(&[]);
    assert!(class_path.is_empty());
    assert!(class_path.class_names().is_empty());
    assert!(class_path.find("p/C").unwrap().is_none());
}

#[test]
fn classes_are_read_from_jars() {
    let place = Place::new();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let long = vec![b'x'; 300_000];
        let jar = place.jar_with(
            "lib/a.jar",
            &[
                ("p/", b""),
                ("p/C.class", b"c"),
                ("p/C$D.class", b"d"),
                ("p/Long.class", &long),
                ("E.class", b""),
            ],
            method,
        );
        let class_path = open(&[&jar]);
        assert!(!class_path.is_empty());
        assert_eq!(names(&class_path), ["E", "p/C", "p/C$D", "p/Long"]);
        assert_eq!(content(&class_path, "p/C").as_deref(), Some("c"));
        assert_eq!(content(&class_path, "p/C$D").as_deref(), Some("d"));
        assert_eq!(content(&class_path, "E").as_deref(), Some(""));
        assert_eq!(class_path.find("p/Long").unwrap().unwrap().0.as_ref(), long);
        for missing in ["p", "p/", "C", "p/c", "p/C.class", "", "/p/C", "p//C"] {
            assert_eq!(content(&class_path, missing), None, "{missing}");
        }
        let (_, origin) = class_path.find("p/C").unwrap().unwrap();
        assert_eq!(
            origin,
            Origin::Entry {
                index: 0,
                path: jar.as_path().into()
            }
        );
        assert_eq!(origin.to_string(), jar.display().to_string());
    }
    assert_eq!(
        Origin::Jdk {
            module: "java.base".into()
        }
        .to_string(),
        "module java.base"
    );
}

#[test]
fn first_entry_wins() {
    let place = Place::new();
    let jar = place.jar("a.jar", &[("p/C.class", b"jar"), ("p/J.class", b"jar")]);
    place.file("classes/p/C.class", "directory");
    place.file("classes/p/D.class", "directory");
    let classes = place.path("classes");
    for (order, winner) in [([&jar, &classes], "jar"), ([&classes, &jar], "directory")] {
        let class_path = open(&order.map(PathBuf::as_path));
        assert_eq!(content(&class_path, "p/C").as_deref(), Some(winner));
        let listed = class_path.class_names();
        assert_eq!(
            listed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["p/C", "p/D", "p/J"]
        );
        for (name, origin) in listed {
            assert_eq!(class_path.find(&name).unwrap().unwrap().1, origin);
        }
    }
}

#[test]
fn one_class_path_serves_many_threads() {
    let place = Place::new();
    let classes: Vec<(String, Vec<u8>)> = (0..200_u8)
        .map(|n| (format!("p/C{n}.class"), vec![n; 1000 + usize::from(n)]))
        .collect();
    let entries: Vec<(&str, &[u8])> = classes
        .iter()
        .map(|(name, bytes)| (name.as_str(), &bytes[..]))
        .collect();
    let class_path = open(&[&place.jar("a.jar", &entries)]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (name, bytes) in &classes {
                    let found = class_path
                        .find(name.strip_suffix(".class").unwrap())
                        .unwrap()
                        .unwrap();
                    assert_eq!(found.0.as_ref(), bytes);
                }
            });
        }
    });
}

#[test]
fn highest_version_not_above_the_feature_wins() {
    let place = Place::new();
    let jar = place.jar(
        "a.jar",
        &[
            (MANIFEST, MULTI_RELEASE),
            ("p/C.class", b"base"),
            ("p/Same.class", b"base"),
            ("META-INF/versions/8/p/C.class", b"8"),
            ("META-INF/versions/9/p/C.class", b"9"),
            ("META-INF/versions/9/p/Only9.class", b"9"),
            ("META-INF/versions/11/p/C.class", b"11"),
            ("META-INF/versions/017/p/C.class", b"017"),
            ("META-INF/versions/21/p/C.class", b"21"),
            ("META-INF/versions/21/p/Only21.class", b"21"),
            ("META-INF/versions/x/p/X.class", b"x"),
            ("META-INF/versions/9/module-info.class", b""),
        ],
    );
    let at = |feature| ClassPath::open(std::slice::from_ref(&jar), feature).unwrap();
    for (feature, expected) in [
        (8, "base"),
        (9, "9"),
        (10, "9"),
        (11, "11"),
        (17, "11"),
        (21, "21"),
        (25, "21"),
    ] {
        assert_eq!(
            content(&at(feature), "p/C").as_deref(),
            Some(expected),
            "feature {feature}"
        );
        assert_eq!(content(&at(feature), "p/Same").as_deref(), Some("base"));
    }
    assert_eq!(names(&at(8)), ["p/C", "p/Same"]);
    assert_eq!(names(&at(17)), ["p/C", "p/Only9", "p/Same"]);
    assert_eq!(names(&at(25)), ["p/C", "p/Only21", "p/Only9", "p/Same"]);
    assert_eq!(content(&at(17), "META-INF/versions/9/p/C"), None);
}

#[test]
fn versions_do_not_count_without_the_attribute() {
    let place = Place::new();
    for manifest in [
        "Manifest-Version: 1.0\n",
        "Multi-Release: false\n",
        "\nMulti-Release: true\n",
    ] {
        let jar = place.jar(
            "a.jar",
            &[
                (MANIFEST, manifest.as_bytes()),
                ("p/C.class", b"base"),
                ("META-INF/versions/9/p/C.class", b"9"),
                ("META-INF/versions/9/p/Only9.class", b"9"),
            ],
        );
        assert_eq!(content(&open(&[&jar]), "p/C").as_deref(), Some("base"));
        assert_eq!(names(&open(&[&jar])), ["p/C"]);
    }
}

#[test]
fn manifest_is_found_in_any_spelling_and_place() {
    let place = Place::new();
    let jar = place.jar(
        "a.jar",
        &[
            ("p/C.class", b"base"),
            ("META-INF/versions/9/p/C.class", b"9"),
            ("meta-inf/Manifest.mf", b"Multi-\n Release: tr\n ue\n"),
        ],
    );
    assert_eq!(content(&open(&[&jar]), "p/C").as_deref(), Some("9"));
}

#[test]
fn class_path_attribute_is_searched_after_its_jar() {
    let place = Place::new();
    let manifest = |references: &str| format!("Manifest-Version: 1.0\nClass-Path: {references}\n");
    let main = place.jar(
        "app/main.jar",
        &[
            (
                MANIFEST,
                manifest("lib/b.jar missing.jar ../my%20lib/c.jar cla\n sses/ http://x/y.jar").as_bytes(),
            ),
            ("p/A.class", b"main"),
        ],
    );
    place.jar(
        "app/lib/b.jar",
        &[
            (MANIFEST, manifest("d.jar ../main.jar").as_bytes()),
            ("p/B.class", b"b"),
            ("p/D.class", b"b"),
        ],
    );
    place.jar("app/lib/d.jar", &[("p/D.class", b"d"), ("p/E.class", b"d")]);
    place.jar(
        "my lib/c.jar",
        &[("p/E.class", b"c"), ("p/F.class", b"c"), ("p/A.class", b"c")],
    );
    place.file("app/classes/p/G.class", "directory");
    let last = place.jar(
        "last.jar",
        &[
            ("p/B.class", b"last"),
            ("p/F.class", b"last"),
            ("p/Z.class", b"last"),
        ],
    );

    let class_path = open(&[&main, &last]);
    for (name, expected) in [
        ("p/A", "main"),
        ("p/B", "b"),
        ("p/D", "b"),
        ("p/E", "d"),
        ("p/F", "c"),
        ("p/G", "directory"),
        ("p/Z", "last"),
    ] {
        assert_eq!(content(&class_path, name).as_deref(), Some(expected), "{name}");
    }
    let order: Vec<(usize, String)> = class_path
        .entries()
        .map(|origin| {
            let Origin::Entry { index, path } = &origin else {
                return (usize::MAX, String::new());
            };
            (*index, path.file_name().unwrap().to_string_lossy().into_owned())
        })
        .collect();
    let expected = [
        (0, "main.jar"),
        (0, "b.jar"),
        (0, "d.jar"),
        (0, "c.jar"),
        (0, "classes"),
        (1, "last.jar"),
    ];
    assert_eq!(order, expected.map(|(index, name)| (index, name.to_owned())));
}

#[test]
fn each_jar_is_opened_once() {
    let place = Place::new();
    let a = place.jar(
        "a.jar",
        &[(MANIFEST, b"Class-Path: b.jar a.jar ./b.jar\n"), ("A.class", b"")],
    );
    let b = place.jar(
        "b.jar",
        &[(MANIFEST, b"Class-Path: a.jar b.jar\n"), ("B.class", b"")],
    );
    assert_eq!(open(&[&a]).entries().count(), 2);
    assert_eq!(open(&[&b, &a, &b]).entries().count(), 2);
    assert_eq!(open(&[&place.path("./a.jar"), &a]).entries().count(), 2);
}

#[test]
fn what_manifests_name_in_vain_is_skipped_and_damage_is_not() {
    let place = Place::new();
    place.file("readme.txt", "not a jar");
    place.file("C.class", "class");
    place.directory("folder");
    let jar = place.jar(
        "a.jar",
        &[(
            MANIFEST,
            b"Class-Path: readme.txt C.class folder %zz gone/ file:gone.jar\n",
        )],
    );
    assert_eq!(open(&[&jar]).entries().count(), 1);

    place.file("broken.jar", b"PK\x03\x04 and then nothing");
    let jar = place.jar("b.jar", &[(MANIFEST, b"Class-Path: broken.jar\n")]);
    let error = try_open(&[&jar]).unwrap_err();
    assert!(matches!(error, ClassPathError::CorruptJar { path, .. } if path.ends_with("broken.jar")));
}

#[test]
fn absolute_references_are_followed() {
    let place = Place::new();
    let b = place.jar("elsewhere/b.jar", &[("B.class", b"b")]);
    for scheme in ["file:", "file://", ""] {
        let manifest = format!("Class-Path: {scheme}{}\n", b.display());
        let jar = place.jar("a.jar", &[(MANIFEST, manifest.as_bytes())]);
        assert_eq!(content(&open(&[&jar]), "B").as_deref(), Some("b"), "{scheme}");
    }
}

#[test]
fn directories_list_their_classes() {
    let place = Place::new();
    for file in [
        "C.class",
        "p/D.class",
        "p/D$E.class",
        "p/q/F.class",
        "p/package-info.class",
        "module-info.class",
    ] {
        place.file(&format!("classes/{file}"), file);
    }
    place.file("classes/p/readme.txt", "");
    place.directory("classes/p/G.class");
    let class_path = open(&[&place.path("classes")]);
    assert_eq!(names(&class_path), ["C", "p/D", "p/D$E", "p/q/F"]);
    assert_eq!(content(&class_path, "p/D$E").as_deref(), Some("p/D$E.class"));
    for missing in [
        "p/G",
        "p/None",
        "C/D",
        "../classes/C",
        "/C",
        "p/./D",
        &"x".repeat(5000),
        "a\0b",
    ] {
        assert_eq!(content(&class_path, missing), None, "{missing}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_once_and_loops_end() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    let classes = place.directory("classes");
    place.file("classes/p/C.class", "c");
    place.file("elsewhere/D.class", "d");
    symlink(&classes, classes.join("p/loop")).unwrap();
    symlink(place.path(""), classes.join("p/up")).unwrap();
    symlink("p", classes.join("alias")).unwrap();
    symlink(place.path("elsewhere"), classes.join("q")).unwrap();
    symlink(place.path("nowhere"), classes.join("Gone.class")).unwrap();
    symlink(place.path("elsewhere/D.class"), classes.join("p/E.class")).unwrap();
    symlink("self", classes.join("self")).unwrap();
    let class_path = open(&[&classes]);
    // `p/up` leads to the parent, from where `elsewhere` is seen before the link `q` to it.
    assert_eq!(names(&class_path), ["p/C", "p/E", "p/up/elsewhere/D"]);
    assert_eq!(content(&class_path, "q/D").as_deref(), Some("d"));

    // Doubling at each level: two to the power of thirty paths, thirty directories.
    for level in 0..30 {
        let directory = place.directory(&format!("double/{level:02}"));
        for link in ["a", "b"] {
            symlink(format!("../{:02}", level + 1), directory.join(link)).unwrap();
        }
    }
    place.file("double/30/Deep.class", "");
    assert_eq!(names(&open(&[&place.path("double")])), ["30/Deep"]);
    assert_eq!(names(&open(&[&place.path("double/00")])).len(), 1);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_listed_is_reported() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    place.file("classes/C.class", "");
    let closed = place.directory("classes/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let is_privileged = fs::read_dir(&closed).is_ok();
    let class_path = open(&[&place.path("classes")]);
    let listing = class_path.list();
    assert_eq!(listing.classes.len(), 1);
    if !is_privileged {
        let [ClassPathError::Unreadable { path, .. }] = listing.problems.as_slice() else {
            unreachable!("{:?}", listing.problems);
        };
        assert!(path.ends_with("closed"));
        assert!(matches!(
            class_path.find("closed/C"),
            Err(ClassPathError::Unreadable { .. })
        ));
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn text_is_split_as_java_does() {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let split = |parts: &[&str]| split_class_path(&parts.join(separator));
    assert_eq!(split_class_path(""), Vec::<PathBuf>::new());
    assert_eq!(
        split(&["a.jar", "dir/b"]),
        [Path::new("a.jar"), Path::new("dir/b")]
    );
    assert_eq!(
        split(&["a.jar", "", "b.jar"]),
        ["a.jar", ".", "b.jar"].map(PathBuf::from)
    );
    assert_eq!(split(&["a*", "*.jar"]), ["a*", "*.jar"].map(PathBuf::from));
}

#[test]
fn wildcard_stands_for_the_jars_of_a_directory() {
    let place = Place::new();
    for name in [
        "b.jar",
        "a.jar",
        "C.JAR",
        "d.zip",
        "e.Jar",
        "f.jar.bak",
        "sub/g.jar",
    ] {
        place.jar(&format!("lib/{name}"), &[]);
    }
    place.directory("lib/folder.jar");
    let lib = place.path("lib");
    let wildcard = lib.join("*");
    let found = split_class_path(wildcard.to_str().unwrap());
    assert_eq!(found, ["C.JAR", "a.jar", "b.jar"].map(|name| lib.join(name)));
    assert_eq!(
        open(&found.iter().map(PathBuf::as_path).collect::<Vec<_>>())
            .entries()
            .count(),
        3
    );

    let empty = place.directory("empty").join("*");
    assert!(split_class_path(empty.to_str().unwrap()).is_empty());
    // Not silently nothing: opening it names the mistake.
    let missing = place.path("missing").join("*");
    assert_eq!(split_class_path(missing.to_str().unwrap()), [missing.as_path()]);
    assert!(matches!(
        try_open(&[&missing]),
        Err(ClassPathError::Missing { .. })
    ));
}

#[test]
fn trailing_slash_makes_a_directory_of_a_jar_name() {
    let place = Place::new();
    place.file("x.jar/C.class", "c");
    let plain = place.path("x.jar");
    let error = try_open(&[&plain]).unwrap_err();
    assert!(
        matches!(error, ClassPathError::DirectoryNamedJar { .. }),
        "{error}"
    );
    let slash = PathBuf::from(format!("{}/", plain.display()));
    let class_path = open(&[&slash]);
    assert_eq!(content(&class_path, "C").as_deref(), Some("c"));
    assert_eq!(origin_path(&class_path.class_names()[0].1), slash);
}

#[test]
fn a_fingerprint_changes_with_the_classes_and_with_nothing_else() {
    let place = Place::new();
    let classes: [(&str, &[u8]); 2] = [("p/C.class", b"c"), ("p/D.class", b"d")];
    let jar = place.jar("a.jar", &classes);
    let moved = place.jar("elsewhere/b.jar", &classes);
    let changed = place.jar("c.jar", &[("p/C.class", b"x"), ("p/D.class", b"d")]);
    let of = |entries: &[&Path]| open(entries).fingerprint();
    assert_eq!(of(&[&jar]), of(&[&moved]));
    assert_ne!(of(&[&jar]), of(&[&changed]));
    assert_ne!(of(&[&jar, &changed]), of(&[&changed, &jar]));

    place.file("classes/p/C.class", "c");
    place.file("classes/p/D.class", "d");
    let directory = place.path("classes");
    let before = of(&[&directory]);
    place.file("classes/p/D.class", "d");
    assert_eq!(of(&[&directory]), before, "written again as it was");
    place.file("classes/p/D.class", "e");
    assert_ne!(of(&[&directory]), before);
}
