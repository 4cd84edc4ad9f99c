import java.io.*;
import java.nio.file.*;
import java.text.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.regex.*;
import java.util.stream.*;

/** Uses a good part of java.base, with an output that does not depend on the schedule. */
public class Load {
    static int buffer;
    static volatile int state;
    static final AtomicIntegerFieldUpdater<Node> AGE = AtomicIntegerFieldUpdater.newUpdater(Node.class, "age");

    static class Node { volatile int age; }

    static void threads(int n, Runnable task) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int k = 0; k < n; k++) (threads[k] = new Thread(task, "t" + k)).start();
        for (Thread thread : threads) thread.join();
    }

    static String collections() throws Exception {
        Map<String, Integer> hashtable = new Hashtable<>();
        Vector<Integer> vector = new Vector<>();
        Map<Integer, Integer> chm = new ConcurrentHashMap<>();
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>();
        StringBuffer text = new StringBuffer();
        AtomicLong atomic = new AtomicLong();
        LongAdder adder = new LongAdder();
        Node node = new Node();
        ReentrantLock lock = new ReentrantLock();
        ReadWriteLock rw = new ReentrantReadWriteLock();
        AtomicIntegerArray array = new AtomicIntegerArray(4);
        threads(3, () -> {
            for (int k = 0; k < 200; k++) {
                synchronized (hashtable) { hashtable.merge("k" + k % 7, 1, Integer::sum); }
                vector.add(k);
                chm.merge(k % 50, 1, Integer::sum);
                skip.put(k, "v" + k);
                if (k % 20 == 0) cow.add(k);
                text.append('x');
                atomic.incrementAndGet();
                adder.add(2);
                AGE.incrementAndGet(node);
                array.addAndGet(k & 3, k);
                lock.lock();
                try { buffer++; } finally { lock.unlock(); }
                rw.readLock().lock();
                rw.readLock().unlock();
            }
        });
        return new TreeMap<>(hashtable) + " " + vector.size() + " " + chm.values().stream().mapToInt(v -> v).sum() + " "
            + skip.lastEntry() + cow.size() + text.length() + " " + atomic + adder + " " + node.age + " " + array + buffer;
    }

    static String concurrency() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int k = 0; k < 10; k++) { int n = k; futures.add(pool.submit(() -> n * n)); }
        int sum = 0;
        for (Future<Integer> future : futures) sum += future.get();
        pool.shutdown();
        sum += pool.awaitTermination(10, TimeUnit.SECONDS) ? 1000 : 0;
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread producer = new Thread(() -> {
            try { for (int k = 0; k < 20; k++) queue.put(k); } catch (InterruptedException e) { state = -1; }
        });
        producer.start();
        for (int k = 0; k < 20; k++) sum += queue.take();
        CountDownLatch latch = new CountDownLatch(2);
        CyclicBarrier barrier = new CyclicBarrier(2);
        Semaphore semaphore = new Semaphore(0);
        Exchanger<String> exchanger = new Exchanger<>();
        threads(2, () -> {
            try { barrier.await(); exchanger.exchange("x"); semaphore.release(); latch.countDown(); }
            catch (Exception e) { state = -1; }
        });
        latch.await();
        semaphore.acquire(2);
        int forked = new ForkJoinPool(2).invoke(new RecursiveTask<Integer>() {
            protected Integer compute() {
                RecursiveTask<Integer> part = new RecursiveTask<>() { protected Integer compute() { return 20; } };
                part.fork();
                return part.join() + 1;
            }
        });
        String later = CompletableFuture.supplyAsync(() -> "a").thenCombine(CompletableFuture.supplyAsync(() -> "b"),
            String::concat).get();
        int[] parallel = IntStream.range(0, 5000).parallel().map(k -> 5000 - k).sorted().toArray();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        String timed = timer.schedule(() -> "timed", 5, TimeUnit.MILLISECONDS).get();
        timer.shutdownNow();
        Phaser phaser = new Phaser(1);
        StampedLock stamped = new StampedLock();
        long stamp = stamped.tryOptimisticRead();
        Object monitor = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (monitor) { try { while (true) monitor.wait(); } catch (InterruptedException e) { state = 7; } }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) Thread.sleep(1);
        waiter.interrupt();
        waiter.join();
        Thread parked = new Thread(() -> { while (state == 7) LockSupport.park(); });
        parked.start();
        while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait();
        state = 8;
        LockSupport.unpark(parked);
        parked.join(10_000);
        return sum + " " + forked + later + parallel[4999] + timed + phaser.arrive() + stamped.validate(stamp) + state
            + parked.isAlive();
    }

    static String others() throws Exception {
        StringBuilder out = new StringBuilder();
        out.append(String.format("%05d %s %.3f|", 42, List.of(1, 2), Math.PI));
        out.append(new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT).format(new Date(0)).length());
        out.append(LocalDate.of(2024, 2, 28).plusDays(2)).append(Duration.ofMinutes(90)).append('|');
        Matcher matcher = Pattern.compile("(\\w+)@(\\w+)").matcher("me@here you@there");
        while (matcher.find()) out.append(matcher.group(2)).append(',');
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(new BufferedOutputStream(bytes))) {
            objects.writeObject(new ArrayList<>(List.of("a", new TreeMap<>(Map.of(1, 2)))));
        }
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            out.append(objects.readObject());
        }
        Path file = Files.createTempFile("raddle", ".txt");
        Files.writeString(file, "one\ntwo\n");
        try (BufferedReader reader = Files.newBufferedReader(file)) { out.append(reader.readLine()); }
        try (Stream<String> lines = Files.lines(file)) { out.append(lines.count()); }
        Files.delete(file);
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(Load.class.getClassLoader(), new Class<?>[] {Runnable.class},
            (self, method, args) -> { out.append(method.getName()); return null; });
        ((Runnable) proxy).run();
        out.append(new Scanner("1 2 3").tokens().mapToInt(Integer::parseInt).sum());
        out.append(new java.math.BigInteger("123456789").pow(9).mod(java.math.BigInteger.valueOf(1_000_003)));
        PriorityQueue<String> queue = new PriorityQueue<>(List.of("c", "a", "b"));
        out.append(queue.poll()).append(new ArrayDeque<>(List.of(1, 2)).peekLast()).append(BitSet.valueOf(new long[] {5}));
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 9);
        out.append(local.get()).append(UUID.nameUUIDFromBytes(new byte[] {1}));
        java.security.MessageDigest digest = java.security.MessageDigest.getInstance("SHA-256");
        out.append(HexFormat.of().formatHex(digest.digest(new byte[] {1})).substring(0, 8));
        try { List.of(1).add(2); } catch (UnsupportedOperationException e) { out.append(e.getMessage()); }
        try { Object o = "x"; out.append((Integer) o); } catch (ClassCastException e) { out.append("cast"); }
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(collections());
        System.out.println(concurrency());
        System.out.println(others());
    }
}
