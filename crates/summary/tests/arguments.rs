//! Arguments whose state calls change.

use raddle_summary::{Analyzer, Precision};
use raddle_testkit::compile;

#[test]
fn calls_that_fill_their_arguments_are_told_from_those_that_read_them() {
    let compiled = compile(&[(
        "Desk.java",
        "import java.util.*;
         public class Desk {
             private final List<String> names = new ArrayList<>();
             public void pourInto(int most, Collection<String> target) { target.addAll(names); }
             public void takeAll(Collection<String> source) { names.addAll(source); }
             public static void blank(char[] text) { text[0] = ' '; }
         }",
    )])
    .unwrap();
    let program = compiled.program();
    let analyzer = Analyzer::new(program, Precision::Precise);
    let changed = |class: &str, name: &str, descriptor: &str| -> Vec<usize> {
        let found = analyzer.changed_arguments(program.class_id(class), name, descriptor);
        found.unwrap().into_iter().collect()
    };
    assert_eq!(changed("Desk", "pourInto", "(ILjava/util/Collection;)V"), [1]);
    assert_eq!(changed("Desk", "takeAll", "(Ljava/util/Collection;)V"), [0; 0]);
    assert_eq!(changed("Desk", "blank", "([C)V"), [0]);
    // What the JDK's own classes fill.
    let queue = "java/util/concurrent/LinkedBlockingQueue";
    assert_eq!(changed(queue, "drainTo", "(Ljava/util/Collection;)I"), [0]);
    assert_eq!(changed(queue, "add", "(Ljava/lang/Object;)Z"), [0; 0]);
    let vector = "java/util/Vector";
    assert_eq!(changed(vector, "copyInto", "([Ljava/lang/Object;)V"), [0]);
    assert_eq!(
        changed(vector, "toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;"),
        [0]
    );
    assert_eq!(changed(vector, "addAll", "(Ljava/util/Collection;)Z"), [0; 0]);
    assert_eq!(changed("java/lang/StringBuffer", "getChars", "(II[CI)V"), [2]);
}
