//! Static state that calls change, by the classes that have it.

use raddle_summary::{Analyzer, Precision};
use raddle_testkit::compile;

const SOURCE: &str = "
package p;
import java.util.*;
public class Desk {
    static int visits;
    static final Map<String, String> NAMES = new HashMap<>();
    static final int LIMIT = 3;
    private static volatile Desk first;
    int own;

    public Desk() { visits++; }
    public void put(String name) { NAMES.put(name, name); }
    public String get(String name) { return NAMES.get(name); }
    public void through() { Drawer.open().fill(); }
    public static Desk first() { if (first == null) first = new Desk(); return first; }
    public void mine() { own++; }
    public void platform() { System.setProperty(\"p\", \"q\"); Locale.setDefault(Locale.ROOT); }
}
class Drawer {
    private static final Drawer ONLY = new Drawer();
    private int filled;
    static Drawer open() { return ONLY; }
    void fill() { filled++; }
}
class Corner extends Desk {
    static int corners;
    public void mine() { super.mine(); corners++; }
}
";

#[test]
fn calls_change_the_static_state_of_the_classes_that_have_it() {
    let compiled = compile(&[("Desk.java", SOURCE)]).unwrap();
    let program = compiled.program();
    let analyzer = Analyzer::new(program, Precision::Precise);
    let changed = |class: &str, name: &str, descriptor: &str| {
        let class = program.class_id(&format!("p/{class}"));
        let owners = analyzer
            .changed_statics(class, name, descriptor)
            .unwrap_or_default();
        owners.into_iter().collect::<Vec<String>>()
    };
    assert_eq!(changed("Desk", "<init>", "()V"), ["p.Desk"]);
    assert_eq!(changed("Desk", "put", "(Ljava/lang/String;)V"), ["p.Desk"]);
    assert_eq!(changed("Desk", "through", "()V"), ["p.Drawer"]);
    assert_eq!(changed("Desk", "first", "()Lp/Desk;"), ["p.Desk"]);
    assert_eq!(changed("Corner", "<init>", "()V"), ["p.Desk"]);
    // Which body runs depends on the object's class.
    assert_eq!(changed("Corner", "mine", "()V"), ["p.Corner"]);
    assert_eq!(changed("Corner", "put", "(Ljava/lang/String;)V"), ["p.Desk"]);

    let none: [&str; 0] = [];
    assert_eq!(
        changed("Desk", "get", "(Ljava/lang/String;)Ljava/lang/String;"),
        none
    );
    assert_eq!(changed("Desk", "mine", "()V"), none);
    assert_eq!(changed("Desk", "platform", "()V"), none);
    assert_eq!(changed("Desk", "absent", "()V"), none);
}
