/** Runs the main method of a class with counting hooks, and prints their counts to standard error. */
public class Run {
    public static void main(String[] args) throws Throwable {
        // By reflection, so that this compiles where there are no hooks.
        Class<?> hooks = Class.forName("java.lang.Raddle");
        java.lang.reflect.Field on = hooks.getField("on");
        java.lang.reflect.Method report = hooks.getMethod("report");
        java.lang.reflect.Method main = Class.forName(args[0], false, Run.class.getClassLoader())
            .getMethod("main", String[].class);
        on.setBoolean(null, true);
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (java.lang.reflect.InvocationTargetException e) {
            on.setBoolean(null, false);
            throw e.getCause();
        }
        on.setBoolean(null, false);
        System.out.flush();
        System.err.print(report.invoke(null));
    }
}
