// Stack, each looked for in the other: deadlock.

package pairs;

import java.util.Stack;

public class S38 implements Pair {
    private final Stack<Object> first = new Stack<>();
    private final Stack<Object> second = new Stack<>();

    public S38() {
        first.push("x");
        second.push("y");
    }

    @Override
    public Object a() throws Exception {
        return first.search(second);
    }

    @Override
    public Object b() throws Exception {
        return second.search(first);
    }
}
