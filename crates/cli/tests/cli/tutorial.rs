//! docs/tutorial.md: its classes compile, and hunts of them print what it shows.

use raddle_testkit::compile;

use crate::hunt::{Ground, assert_contains, class_path};

const PAGE: &str = include_str!("../../../../docs/tutorial.md");

/// The blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let mark = format!("```{language}\n");
    let parts = PAGE.split(mark.as_str()).skip(1);
    parts.map(|part| part.split("```").next().unwrap()).collect()
}

#[test]
fn the_tutorial_is_true() {
    let [faulty, fixed] = blocks("java")[..] else {
        panic!("the class before and after");
    };
    let [commands, finding, certainty, nothing] = blocks("console")[..] else {
        panic!("the commands, and three excerpts");
    };
    let hunt = |source: &str, code: i32, says: &[&str]| {
        let compiled = compile(&[("com/acme/Cache.java", source)]).unwrap();
        let typed = commands.lines().last().unwrap();
        let options: Vec<&str> = typed.split("com.acme.Cache").nth(1).unwrap().split(' ').collect();
        let options = options.into_iter().filter(|option| !option.is_empty());
        let arguments = ["-cp", class_path(&compiled), "com.acme.Cache", "--budget", "1h"];
        let run = Ground::new().hunt(&arguments.into_iter().chain(options).collect::<Vec<_>>());
        assert_eq!(run.code, code, "{run:#?}");
        for block in says {
            assert_contains(&run.stdout, &block.lines().collect::<Vec<_>>());
        }
    };
    hunt(faulty, 1, &[finding, certainty]);
    hunt(fixed, 0, &[nothing]);
}
