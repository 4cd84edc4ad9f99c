/** Calls a class that is not there when this is compiled, because no compiler writes such classes any more. */
public class Ancient {
    public static void main(String[] args) throws Exception {
        Class<?> old = Class.forName("Old");
        System.out.println(old.getMethod("f", int.class).invoke(null, 3) + " " + old.getField("count").get(null)
            + Thread.holdsLock(old));
        try {
            old.getMethod("f", int.class).invoke(null, -1);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause().getClass() + " " + Thread.holdsLock(old));
        }
    }
}
