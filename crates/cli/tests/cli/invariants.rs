//! Methods that must be true whenever no thread is at work.

use raddle_testkit::compile;

use crate::raddle::{Run, command};

const LEDGER: &str = "package p;
    @interface Invariant {}
    public class Ledger {
        private int given;
        private int taken;
        public void move() {
            synchronized (this) { given++; }
            taken++;
        }
        @Invariant public void balanced() {
            if (given != taken) { throw new IllegalStateException(given + \" and \" + taken); }
        }
        public boolean isBalanced() { return given == taken; }
    }";

#[test]
fn a_hunt_calls_invariants_when_the_threads_have_ended_and_says_what_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let compiled = compile(&[("p/Ledger.java", LEDGER)]).unwrap();
    let hunt = |arguments: &[&str]| {
        let mut command = command();
        command
            .args([
                "hunt",
                "--max-plans",
                "10",
                "--stock-jvm=never",
                "-v",
                "p.Ledger",
                "-cp",
            ])
            .arg(compiled.classes())
            .args(arguments)
            .current_dir(directory.path());
        Run::of(&mut command)
    };
    let annotated = hunt(&["--kinds", "exception"]);
    assert_eq!(annotated.code, 1, "{}{}", annotated.stdout, annotated.stderr);
    assert!(
        annotated
            .stdout
            .contains("The invariant p.Ledger.balanced() does not hold."),
        "{}",
        annotated.stdout
    );
    let unknown = hunt(&["--invariant", "move2"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stdout);
    assert!(
        unknown.stderr.contains("no class has a public method move2()"),
        "{}",
        unknown.stderr
    );
}
