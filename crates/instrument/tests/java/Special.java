import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Methods of the JDK that have hooks of their own. Needs counting hooks, since it asks the JVM to exit. */
public class Special {
    static class Loader extends ClassLoader {
        Loader() { super(null); }
        @Override
        public synchronized Class<?> loadClass(String name) throws ClassNotFoundException {
            if (name.startsWith("none")) throw new ClassNotFoundException(name);
            return super.loadClass(name);
        }
    }

    static class Sleeper extends Thread {
        public void run() {
            try { sleep(60_000); } catch (InterruptedException e) { System.out.println("interrupted " + isInterrupted()); }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread joined = new Thread(() -> {}, "joined");
        joined.start();
        joined.join();
        System.out.println("alive " + joined.isAlive());
        Thread waiting = new Thread(LockSupport::park, "not joined");
        waiting.start();
        waiting.join();
        System.out.println("alive " + waiting.isAlive());
        LockSupport.unpark(waiting);
        while (waiting.isAlive()) Thread.onSpinWait();
        Sleeper sleeper = new Sleeper();
        sleeper.start();
        sleeper.interrupt();
        sleeper.join(50_000);
        System.out.println("alive " + sleeper.isAlive());
        try { System.exit(3); } catch (Error e) { System.out.println(e.getMessage()); }
        try { Runtime.getRuntime().halt(4); } catch (Error e) { System.out.println(e.getMessage()); }
        new Random();
        System.out.println(new Loader().loadClass("java.util.Random").getName());
        try { new Loader().loadClass("none.X"); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
    }
}
