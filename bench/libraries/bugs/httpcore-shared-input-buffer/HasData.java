// SharedInputBuffer: a reader that waits in read() is not woken although fill() has put bytes into the buffer,
// if hasData() (or length(), which is what ContentInputStream.available() calls) runs before the reader does.
//
//     java -cp httpcore5-5.3.jar HasData.java          fill, then hasData, in rounds: a reader gets stuck
//     java -cp httpcore5-5.3.jar HasData.java control  fill only: every reader returns
//
// No debugger, no lock held from outside. Exit code: 0 if a reader is stuck, 1 if none is.

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.apache.hc.core5.http.nio.support.classic.SharedInputBuffer;

public final class HasData {
    private static final int ROUNDS = 2_000;
    private static final long STUCK_MILLIS = 3_000;

    public static void main(String[] arguments) throws Exception {
        boolean asks = arguments.length == 0;
        for (int round = 1; round <= ROUNDS; round++) {
            SharedInputBuffer buffer = new SharedInputBuffer(16);
            Thread reader = new Thread(() -> {
                try {
                    buffer.read();
                } catch (java.io.IOException problem) {
                    problem.printStackTrace();
                }
            });
            reader.setDaemon(true);
            reader.start();
            while (reader.getState() != Thread.State.WAITING) {
                LockSupport.parkNanos(10_000);
            }
            buffer.fill(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            boolean hasData = asks && buffer.hasData();
            reader.join(STUCK_MILLIS);
            if (reader.isAlive()) {
                System.out.println("round " + round + ": fill put 3 bytes, hasData returned " + hasData
                        + ", length is " + buffer.length() + ", and the reader is " + reader.getState() + " at");
                for (StackTraceElement frame : reader.getStackTrace()) {
                    System.out.println("    " + frame);
                }
                System.exit(0);
            }
        }
        System.out.println("every reader returned in " + ROUNDS + " rounds");
        System.exit(1);
    }
}
