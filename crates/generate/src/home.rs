//! Where the tests of a class have to be. Most are in a package of their own, as the code of users is; of a class that its
//! package keeps to itself they can do nothing from there.

use raddle_program::{ClassId, Program};

use crate::plan_builder::PlanBuilder;
use crate::target::{CannotTest, Target};
use crate::visible::{is_visible, seen_in};

/// The package, by its Java name, that tests of a class have to be in; none if others can test it as well, or if it would not
/// help. There is no target if nothing of the class can be called from outside.
pub fn home(program: &Program, class: ClassId, target: Option<Target<'_>>) -> Option<String> {
    let package = seen_in(program, class)?;
    let is_hidden = !is_visible(program, class);
    let is_needed = match target {
        None => is_hidden,
        Some(target) => match PlanBuilder::new(target, 0) {
            Ok(_) => is_hidden && !target.skipped_methods().is_empty(),
            Err(CannotTest::NotConstructible { .. } | CannotTest::NothingCallable { .. }) => true,
            Err(_) => false,
        },
    };
    is_needed.then_some(package)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_summary::{Analyzer, Precision};
    use raddle_testkit::compile;

    #[test]
    fn tests_move_into_a_package_only_if_nobody_else_can_make_or_call_objects() {
        let compiled = compile(&[
            ("p/Open.java", "package p; public class Open { public void go() {} }"),
            ("p/Hidden.java", "package p; class Hidden { public void go() {} }"),
            ("p/Quiet.java", "package p; class Quiet { void go() {} }"),
            ("p/Made.java", "package p; public class Made { Made() {} public void go() {} }"),
            (
                "p/Outer.java",
                "package p; public class Outer { private static class Own { public void go() {} } public void go() { new Own(); } }",
            ),
            ("Nowhere.java", "class Nowhere { public void go() {} }"),
        ])
        .unwrap();
        let program = compiled.program();
        let analyzer = Analyzer::new(program, Precision::Precise);
        let home = |name: &str| {
            let class = program.class_id(name);
            let facts = analyzer.outline(class).ok();
            let target = facts.as_ref().map(|facts| Target {
                program,
                class,
                facts,
                threads: 2,
                has_seeds: false,
            });
            home(program, class, target)
        };
        for (class, package) in [
            ("p/Open", None),
            ("p/Hidden", Some("p")),
            ("p/Quiet", Some("p")),
            ("p/Made", Some("p")),
            ("p/Outer$Own", None),
            ("Nowhere", Some("")),
            ("java/util/Collections$SynchronizedMap", None),
        ] {
            assert_eq!(home(class).as_deref(), package, "{class}");
        }
    }
}
