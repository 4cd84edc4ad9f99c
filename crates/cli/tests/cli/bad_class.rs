//! Classes that cannot be analysed.

use std::fs;

use crate::raddle::analyze;

#[test]
fn a_misspelt_class_is_answered_with_a_suggestion() {
    analyze(&["java.util.Hashtabel"])
        .is_refused(&["no class java.util.Hashtabel", "did you mean java.util.Hashtable"]);
}

#[test]
fn a_class_without_its_package_is_answered_with_a_suggestion() {
    analyze(&["Hashtable"]).is_refused(&["no class Hashtable", "java.util.Hashtable"]);
}

#[test]
fn a_name_like_no_other_is_answered_with_what_to_check() {
    analyze(&["no.such.Thing__"]).is_refused(&[
        "no class no.such.Thing__",
        "check the spelling and the class path",
    ]);
}

#[test]
fn all_wrong_names_are_told_at_once() {
    let run = analyze(&["no.such.Thing__", "java.util.Vector", "no.other.Thing__"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr
            .lines()
            .filter(|line| line.starts_with("error: no class no."))
            .count(),
        2,
        "{run:#?}"
    );
}

#[test]
fn an_interface_is_refused() {
    analyze(&["java.util.Map"]).is_refused(&["java.util.Map", "interface"]);
}

#[test]
fn an_annotation_type_is_refused() {
    analyze(&["java.lang.Deprecated"]).is_refused(&["java.lang.Deprecated", "annotation"]);
}

#[test]
fn a_class_without_public_methods_is_refused() {
    analyze(&["java.util.TimSort"]).is_refused(&["java.util.TimSort", "public"]);
}

#[test]
fn an_array_type_is_refused() {
    for name in ["java.lang.String[]", "[Ljava.lang.String;", "int[]"] {
        analyze(&[name]).is_refused(&[name, "array type", "element class"]);
    }
}

#[test]
fn one_class_that_cannot_be_analysed_does_not_hide_the_others() {
    let run = analyze(&["java.util.Vector", "java.util.Map"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.starts_with("java.util.Vector "), "{run:#?}");
    assert!(run.stderr.starts_with("error: java.util.Map "), "{run:#?}");
}

#[test]
fn a_damaged_class_file_is_refused_when_named() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("Broken.class"), b"\xca\xfe\xba\xbe\0\0").unwrap();
    let path = directory.path().to_str().unwrap();
    analyze(&["-cp", path, "Broken"]).is_refused(&["class Broken in ", path, "cannot be read"]);
}

#[test]
fn a_damaged_class_file_makes_a_pattern_inconclusive() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("shop")).unwrap();
    fs::write(
        directory.path().join("shop/Broken.class"),
        b"\xca\xfe\xba\xbe\0\0",
    )
    .unwrap();
    let run = analyze(&["-cp", directory.path().to_str().unwrap(), "shop.*"]);
    assert_eq!(run.code, 3, "{run:#?}");
    assert!(
        run.stderr.starts_with("warning: class shop.Broken in "),
        "{run:#?}"
    );
}
