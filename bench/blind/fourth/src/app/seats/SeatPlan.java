package app.seats;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The seats of a hall and who has reserved them.
 *
 * <p>Thread-safe; every operation is atomic. Each seat has a lock of its own, so that reservations in
 * different places do not wait for each other. Operations on two seats take both locks in the order
 * of the seats in the hall, front row first.
 */
public class SeatPlan {

    private static final class Seat {
        final int row;
        final ReentrantLock lock = new ReentrantLock();
        String guest;

        Seat(int row) {
            this.row = row;
        }
    }

    private final Seat[][] seats;

    public SeatPlan(int rows, int seatsPerRow) {
        if (rows < 1 || seatsPerRow < 1) {
            throw new IllegalArgumentException(rows + " x " + seatsPerRow);
        }
        seats = new Seat[rows][seatsPerRow];
        for (int r = 0; r < rows; r++) {
            for (int n = 0; n < seatsPerRow; n++) {
                seats[r][n] = new Seat(r);
            }
        }
    }

    /** Reserves a seat; returns {@code false} if somebody has it already. */
    public boolean reserve(int row, int number, String guest) {
        Objects.requireNonNull(guest);
        Seat seat = seats[row][number];
        seat.lock.lock();
        try {
            if (seat.guest != null) {
                return false;
            }
            seat.guest = guest;
            return true;
        } finally {
            seat.lock.unlock();
        }
    }

    /** Gives a seat free; returns {@code false} if the guest does not have it. */
    public boolean release(int row, int number, String guest) {
        Seat seat = seats[row][number];
        seat.lock.lock();
        try {
            if (!Objects.equals(seat.guest, guest)) {
                return false;
            }
            seat.guest = null;
            return true;
        } finally {
            seat.lock.unlock();
        }
    }

    /** Returns who has reserved the seat. */
    public Optional<String> guest(int row, int number) {
        Seat seat = seats[row][number];
        seat.lock.lock();
        try {
            return Optional.ofNullable(seat.guest);
        } finally {
            seat.lock.unlock();
        }
    }

    /** Exchanges the guests of two seats, either of which may be free. */
    public void exchange(int row1, int number1, int row2, int number2) {
        Seat a = seats[row1][number1];
        Seat b = seats[row2][number2];
        if (a == b) {
            return;
        }
        Seat first = a.row <= b.row ? a : b;
        Seat second = first == a ? b : a;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                String guest = a.guest;
                a.guest = b.guest;
                b.guest = guest;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }
}
