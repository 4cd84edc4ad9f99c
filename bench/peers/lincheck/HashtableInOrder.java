// Two threads that compare two tables, and lock them in one order: the twin of the plan hashtable-equals.

import java.util.Hashtable;

public class HashtableInOrder {
    private final Hashtable<String, String> first = new Hashtable<>();
    private final Hashtable<String, String> second = new Hashtable<>();

    public HashtableInOrder() {
        first.put("k", "v");
        second.put("k", "v");
    }

    public boolean a() {
        return first.equals(second);
    }
}
