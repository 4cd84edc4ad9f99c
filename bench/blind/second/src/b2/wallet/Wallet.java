package b2.wallet;

/**
 * A wallet with a balance in cents. Balances never become negative.
 *
 * <p>All operations are atomic, including transfers between two wallets, and may be called from
 * any thread.
 */
public class Wallet {
    private final String owner;
    private long cents;

    public Wallet(String owner, long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("negative balance");
        }
        this.owner = owner;
        this.cents = cents;
    }

    /** Returns the owner's name. */
    public String owner() {
        return owner;
    }

    /** Returns the balance. */
    public synchronized long balance() {
        return cents;
    }

    /** Adds money. */
    public synchronized void deposit(long amount) {
        requirePositive(amount);
        cents += amount;
    }

    /**
     * Removes money.
     *
     * @return false, with no change, if the balance is too small
     */
    public synchronized boolean withdraw(long amount) {
        requirePositive(amount);
        if (cents < amount) {
            return false;
        }
        cents -= amount;
        return true;
    }

    /**
     * Moves money from this wallet to another one in one step.
     *
     * @return false, with no change, if the balance is too small
     */
    public boolean transferTo(Wallet target, long amount) {
        if (target == this) {
            throw new IllegalArgumentException("same wallet");
        }
        synchronized (this) {
            synchronized (target) {
                if (!withdraw(amount)) {
                    return false;
                }
                target.deposit(amount);
                return true;
            }
        }
    }

    private static void requirePositive(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }
}
