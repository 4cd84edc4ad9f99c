//! `raddle hunt --maven` and `--gradle`: the class path and the classes of a project.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::hunt::Ground;
use crate::raddle::Run;

const BOUNDS: [&str; 5] = ["--max-plans", "2", "--budget", "1h", "--stock-jvm=never"];

fn write(ground: &Ground, name: &str, text: &str) {
    let file = ground.0.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A wrapper that stands for the build tool.
fn wrapper(ground: &Ground, name: &str, script: &str) {
    write(ground, name, &format!("#!/bin/sh\n{script}\n"));
    let file = ground.0.path().join(name);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn counter(package: &str, name: &str) -> String {
    format!(
        "package {package}; public class {name} {{ private volatile int sum; public int add() {{ return sum++; }} }}"
    )
}

/// Compiles a class into a directory.
fn compiled(ground: &Ground, package: &str, name: &str, directory: &str) {
    let source = format!("{package}/{name}.java");
    let compiled = raddle_testkit::compile(&[(&source, &counter(package, name))]).unwrap();
    let file = format!("{package}/{name}.class");
    let to = ground.0.path().join(directory).join(&file);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(compiled.classes().join(&file), to).unwrap();
}

fn hunted(document: &Value) -> Vec<&str> {
    let classes = document["classes"].as_array().unwrap();
    classes
        .iter()
        .map(|class| class["class"].as_str().unwrap())
        .collect()
}

#[test]
fn the_classes_of_a_project_are_hunted_and_not_those_of_its_libraries() {
    let ground = Ground::new();
    compiled(&ground, "shop", "Till", "core/target/classes");
    compiled(&ground, "web", "Desk", "app/target/classes");
    compiled(&ground, "library", "Pool", "library");
    for name in ["pom.xml", "core/pom.xml", "app/pom.xml", "other/pom.xml"] {
        write(&ground, name, "");
    }
    // What Maven does for each module of the build. The fourth is none of it.
    let library = ground.0.path().join("library");
    let core = ground.0.path().join("core/target/classes");
    wrapper(
        &ground,
        "mvnw",
        &format!(
            "set -e; mkdir -p target; : >target/raddle-class-path.txt; : >core/target/raddle-class-path.txt\n\
             echo '{}:{}' >app/target/raddle-class-path.txt",
            library.display(),
            core.display()
        ),
    );
    let document = ground.document(&[&["--maven"][..], &BOUNDS].concat(), 1);
    assert_eq!(hunted(&document), ["shop.Till", "web.Desk"]);
    assert!(!ground.0.path().join("app/target/raddle-class-path.txt").exists());
    let named = [&["--project", ".", "library.Pool"][..], &BOUNDS].concat();
    assert_eq!(hunted(&ground.document(&named, 1)), ["library.Pool"]);
    let resumed = ground.document(&["--resume"], 1);
    assert_eq!(hunted(&resumed), ["library.Pool"]);

    let gradle = Ground::new();
    compiled(&gradle, "shop", "Till", "build/classes");
    write(&gradle, "build.gradle.kts", "");
    wrapper(
        &gradle,
        "gradlew",
        "echo Downloading; echo \"raddle-classes:$PWD/build/classes\"; echo raddle-path:/nowhere/core.jar",
    );
    write(&gradle, "raddle.toml", "build-tool = 'gradle'\n");
    let document = gradle.document(&BOUNDS, 1);
    assert_eq!(hunted(&document), ["shop.Till"]);
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let ground = Ground::new();
    ground
        .hunt(&["--maven"])
        .is_refused(&[". is no project of Maven; name its directory with --project"]);
    ground
        .hunt(&["--project", "."])
        .is_refused(&["neither a pom.xml nor a build.gradle"]);
    write(&ground, "pom.xml", "");
    let mut without = ground.command(&["--maven"]);
    Run::of(without.env("PATH", ground.0.path())).is_refused(&["mvn cannot be started", "install Maven"]);
    wrapper(
        &ground,
        "mvnw",
        "mkdir -p target; : >target/raddle-class-path.txt",
    );
    ground.hunt(&["--maven"]).is_refused(&[
        "there are no compiled classes in ",
        "compile them first with mvn compile",
    ]);
    wrapper(&ground, "mvnw", "echo '[ERROR] no such parent'; exit 1");
    ground
        .hunt(&["--maven"])
        .is_refused(&["mvn in ", "failed: [ERROR] no such parent;", "mvn compile"]);
    ground.hunt(&["com.acme.Cache"]).is_refused(&[
        "no class com.acme.Cache",
        "raddle hunt --maven takes its class path",
        "mvn dependency:build-classpath",
    ]);
    assert!(!Path::new(&ground.class("")).exists());
}

/// Two modules, of which one needs the other, which was never installed anywhere.
#[cfg(feature = "full-tests")]
#[test]
fn maven_tells_the_class_path_of_a_project_with_modules() {
    let head = "<project xmlns='http://maven.apache.org/POM/4.0.0'><modelVersion>4.0.0</modelVersion>";
    let parent = format!(
        "{head}<parent><groupId>shop</groupId><artifactId>all</artifactId><version>1</version></parent>"
    );
    let ground = Ground::new();
    write(
        &ground,
        "pom.xml",
        &format!(
            "{head}<groupId>shop</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>\
             <modules><module>core</module><module>app</module></modules><properties>\
             <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>\
             <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties></project>"
        ),
    );
    write(
        &ground,
        "core/pom.xml",
        &format!("{parent}<artifactId>core</artifactId></project>"),
    );
    write(
        &ground,
        "app/pom.xml",
        &format!(
            "{parent}<artifactId>app</artifactId><dependencies><dependency><groupId>shop</groupId>\
             <artifactId>core</artifactId><version>1</version></dependency></dependencies></project>"
        ),
    );
    write(
        &ground,
        "core/src/main/java/shop/Till.java",
        &counter("shop", "Till"),
    );
    write(
        &ground,
        "app/src/main/java/web/Desk.java",
        "package web; public class Desk extends shop.Till { public synchronized int twice() { return add() + add(); } }",
    );
    ground
        .hunt(&["--maven"])
        .is_refused(&["there are no compiled classes in "]);
    let compiled = std::process::Command::new("mvn")
        .args(["--quiet", "--batch-mode", "compile"])
        .current_dir(ground.0.path())
        .status()
        .expect("Maven is installed");
    assert!(compiled.success());
    let document = ground.document(&[&["--maven"][..], &BOUNDS].concat(), 1);
    assert_eq!(hunted(&document), ["shop.Till", "web.Desk"]);
    let told = ground.hunt(&["shop.Till"]);
    crate::hunt::assert_contains(&told.stderr, &["raddle hunt --maven takes its class path"]);
}
