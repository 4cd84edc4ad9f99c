package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;

/**
 * What final fields hold. Reading them is no event, since nothing can go wrong there, but they lead from the objects of a
 * test to the locks in them.
 */
final class RaddleFinalFieldLinks {
    private RaddleFinalFieldLinks() {
    }

    private static final int DEEPEST = 3;
    private static final int MOST = 1000;

    private static final class Node {
        final Object object;
        final int depth;
        /** It has turned up in an event, or leads to one that has. */
        boolean wanted;
        final ArrayList<Edge> edges = new ArrayList<>();

        Node(Object object, int depth) {
            this.object = object;
            this.depth = depth;
        }
    }

    private static final class Edge {
        final String field;
        final Node value;

        Edge(String field, Node value) {
            this.field = field;
            this.value = value;
        }
    }

    /** The final fields that lead from variables of the plan and known objects to known objects. */
    static void write(RaddleOut out, Object[] known, int knownCount) {
        ArrayList<Node> order = new ArrayList<>();
        for (int i = 0; i < knownCount && i < MOST; i++) {
            add(order, known[i], 0).wanted = true;
        }
        for (Object variable : RaddleEngine.variables) {
            if (variable != null) {
                add(order, variable, 0);
            }
        }
        HashMap<Class<?>, ArrayList<Field>> fields = new HashMap<>();
        for (int i = 0; i < order.size() && order.size() < MOST; i++) {
            Node node = order.get(i);
            if (node.depth < DEEPEST && hasParts(node.object)) {
                Class<?> type = node.object.getClass();
                ArrayList<Field> finals = fields.get(type);
                if (finals == null) {
                    finals = finals(type);
                    fields.put(type, finals);
                }
                walk(order, node, finals);
            }
        }
        for (int pass = 0; pass < DEEPEST; pass++) {
            for (Node node : order) {
                for (Edge edge : node.edges) {
                    node.wanted |= edge.value.wanted;
                }
            }
        }
        int start = out.position();
        out.i32(0);
        int count = 0;
        for (Node node : order) {
            for (Edge edge : node.edges) {
                if (edge.value.wanted) {
                    out.i32(RaddleTrace.label(node.object));
                    out.utf(RaddleTrace.name(node.object));
                    out.utf(edge.field);
                    out.i32(RaddleTrace.label(edge.value.object));
                    out.utf(RaddleTrace.name(edge.value.object));
                    count++;
                }
            }
        }
        out.patch(start, count);
    }

    /** Asks no object for its identity hash code: that would give it one. */
    private static Node add(ArrayList<Node> order, Object object, int depth) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).object == object) {
                return order.get(i);
            }
        }
        Node node = new Node(object, depth);
        order.add(node);
        return node;
    }

    private static boolean hasParts(Object object) {
        return !(object instanceof String || object instanceof Class || object instanceof Thread
                || object instanceof ClassLoader || object instanceof Number || object instanceof RaddleThread
                || object.getClass().isArray());
    }

    private static void walk(ArrayList<Node> order, Node node, ArrayList<Field> fields) {
        for (Field field : fields) {
            Object value = RaddleScheduler.unsafe.getReference(node.object,
                    RaddleScheduler.unsafe.objectFieldOffset(field));
            if (value != null && value != node.object) {
                String name = field.getDeclaringClass().getName() + '.' + field.getName();
                node.edges.add(new Edge(name, add(order, value, node.depth + 1)));
            }
        }
    }

    /** Fields that a class declares; none if some are of classes that are not on the class path. */
    static Field[] fields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) {
            return new Field[0];
        }
    }

    /** Final fields of a class that hold objects, those of its superclasses included. */
    private static ArrayList<Field> finals(Class<?> type) {
        ArrayList<Field> found = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : fields(at)) {
                int modifiers = field.getModifiers();
                if (Modifier.isFinal(modifiers) && !Modifier.isStatic(modifiers) && !field.getType().isPrimitive()) {
                    found.add(field);
                }
            }
        }
        return found;
    }
}
