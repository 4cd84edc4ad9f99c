//! Classes that cannot be hunted: each is answered with a sentence that says why, and never with "nothing found".

use std::fs;

use raddle_classpath::Jdk;
use raddle_testkit::{Compiled, compile};

use crate::hunt::{Ground, assert_contains, class_path, fixtures};

/// The newest class files that can be read at all, those of Java 25.
const NEWEST: u8 = 69;

/// Hunts a class of which nothing can be said, and looks for the reasons.
fn is_inconclusive(arguments: &[&str], class: &str, parts: &[&str]) {
    let run = Ground::new().hunt(&[arguments, &[class]].concat());
    assert_eq!(run.code, 3, "{run:#?}");
    assert_contains(&run.stdout, &[&format!("{class}: inconclusive, because:\n")]);
    assert_contains(&run.stdout, parts);
    assert!(!run.stdout.contains("nothing found"), "{run:#?}");
}

fn of(compiled: &Compiled) -> [&str; 4] {
    ["-cp", class_path(compiled), "--max-plans", "5"]
}

#[test]
fn a_class_that_is_not_there_is_refused() {
    Ground::new()
        .hunt(&["-cp", fixtures(), "com.acme.Nowhere"])
        .is_refused(&[
            "no class com.acme.Nowhere",
            "check the spelling and the class path",
        ]);
}

#[test]
fn what_keeps_objects_from_being_made_is_told_to_the_end() {
    let compiled = compile(&[(
        "Shop.java",
        "public class Shop { private int n; public Shop(Door door) { } public int a() { return n++; } }
         class Door { private Door(Lock lock) { } }
         abstract class Lock { abstract void turn(); }",
    )])
    .unwrap();
    is_inconclusive(
        &of(&compiled),
        "Shop",
        &[
            "no object can be made to test: Shop needs Door; Door has no public constructor, factory or subtype",
        ],
    );
}

#[test]
fn a_class_without_public_methods_cannot_be_called() {
    let compiled = compile(&[(
        "Quiet.java",
        "public class Quiet { private int n; void a() { n++; } }",
    )])
    .unwrap();
    is_inconclusive(&of(&compiled), "Quiet", &["Quiet has no public methods"]);
}

#[test]
fn a_class_with_static_methods_only_is_hunted() {
    let compiled = compile(&[(
        "Numbers.java",
        "public final class Numbers { private static int last; private Numbers() { }
            public static int next() { return ++last; } public static void reset() { last = 0; } }",
    )])
    .unwrap();
    let arguments = ["-cp", class_path(&compiled), "Numbers", "--stop-at-first"];
    let value = Ground::new().document(&arguments, 1);
    assert_eq!(value["classes"][0]["findings"][0]["kind"], "result");
    assert_contains(
        &value["classes"][0]["findings"][0]["methods"].to_string(),
        &["next()"],
    );
}

#[test]
fn classes_that_need_a_display_say_so() {
    let compiled = compile(&[
        (
            "Window.java",
            "public class Window { private int n; private final Object frame = new javax.swing.JFrame();
                public int a() { return n++; } }",
        ),
        (
            "Hand.java",
            "public class Hand { private int n; public Hand() throws Exception { new java.awt.Robot(); }
                public int a() { return n++; } }",
        ),
        (
            "Screen.java",
            "public class Screen { private static final int SIZE = size(); private int n;
                private static int size() { throw new java.awt.HeadlessException(\"no screen\"); }
                public int a() { return n++; } }",
        ),
    ])
    .unwrap();
    for (class, reason) in [
        ("Window", "threw java.awt.HeadlessException: No X11 DISPLAY"),
        ("Hand", "threw java.awt.AWTException: headless environment"),
        ("Screen", "java.awt.HeadlessException: no screen"),
    ] {
        is_inconclusive(
            &of(&compiled),
            class,
            &["no plan could be run and judged", reason],
        );
    }
}

#[test]
fn what_an_initialiser_threw_is_told() {
    let compiled = compile(&[(
        "Settings.java",
        "public class Settings { private static final int SIZE = Integer.parseInt(\"many\"); private int n;
            public int a() { return n++; } }",
    )])
    .unwrap();
    is_inconclusive(
        &of(&compiled),
        "Settings",
        &[
            "no plan could be run and judged",
            "java.lang.NumberFormatException: For input string: \"many\"",
        ],
    );
}

#[test]
fn a_class_for_a_newer_jvm_is_told_from_a_class_that_fails() {
    let compiled = compile(&[(
        "Modern.java",
        "public class Modern extends Base { private int n; public int a() { return n++; } } class Base { }",
    )])
    .unwrap();
    let feature = Jdk::locate(None).unwrap().feature();
    let major = u8::try_from(feature + 45).unwrap();
    let file = compiled.classes().join("Base.class");
    let mut bytes = fs::read(&file).unwrap();
    bytes[7] = major;
    fs::write(&file, &bytes).unwrap();
    if major <= NEWEST {
        let told = format!("(class file version {major}), and JDK {feature} cannot load it");
        let inherited = "Base, which Modern inherits from, is compiled for Java";
        is_inconclusive(&of(&compiled), "Modern", &[inherited, &told, "--jdk"]);
        is_inconclusive(&of(&compiled), "Base", &["Base is compiled for Java", &told]);
        let file = compiled.classes().join("Modern.class");
        let mut bytes = fs::read(&file).unwrap();
        bytes[7] = major;
        fs::write(&file, &bytes).unwrap();
        is_inconclusive(&of(&compiled), "Modern", &["Modern is compiled for Java", &told]);
    } else {
        let told = format!("version {major}");
        is_inconclusive(&of(&compiled), "Modern", &["Modern", "Base", &told]);
    }
}

#[test]
fn a_class_without_its_superclass_or_interface_cannot_be_loaded() {
    let compiled = compile(&[(
        "Heir.java",
        "public class Heir extends Elder { private int n; public int a() { return n++; } }
         class Elder implements Custom { }
         interface Custom { }",
    )])
    .unwrap();
    for missing in ["Custom", "Elder"] {
        fs::remove_file(compiled.classes().join(format!("{missing}.class"))).unwrap();
        is_inconclusive(
            &of(&compiled),
            "Heir",
            &[
                &format!("no JVM can load Heir without {missing}, which it inherits from"),
                "complete the class path",
            ],
        );
    }
}

#[test]
fn damaged_jars_are_refused() {
    let ground = Ground::new();
    let path = |name: &str| ground.0.path().join(name).to_str().unwrap().to_owned();
    let (text, torn) = (path("text.jar"), path("torn.jar"));
    fs::write(&text, "this is no jar").unwrap();
    fs::write(&torn, b"PK\x03\x04and no more").unwrap();
    ground
        .hunt(&["-cp", &text, "a.B"])
        .is_refused(&["text.jar is not a jar"]);
    ground
        .hunt(&["-cp", &torn, "a.B"])
        .is_refused(&["torn.jar is damaged", "build or download it again"]);
    ground
        .hunt(&["-cp", "missing/", "a.B"])
        .is_refused(&["class path entry missing/ does not exist"]);
}

#[test]
fn nothing_tried_is_not_nothing_found() {
    is_inconclusive(&["--budget", "1ms"], "java.util.Hashtable", &["no plan "]);
    is_inconclusive(
        &["-cp", fixtures(), "--strategy", "depcon"],
        "SynchronizedCounter",
        &["no plan was run: the analysis finds no two methods that could hurt each other"],
    );
}
