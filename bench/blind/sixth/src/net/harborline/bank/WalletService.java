package net.harborline.bank;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wallets of the players of a game server.
 *
 * <p>Payments never block for long: if one of the two wallets is in use by another thread, a few
 * more attempts are made after short pauses of random length, and then the payment is given up
 * with {@link Outcome#BUSY}. {@code BUSY} may be returned spuriously; the payment has then had no
 * effect and may be tried again. All methods may be called from any thread.
 */
public class WalletService {

    /** Outcome of a payment. */
    public enum Outcome {
        PAID,
        INSUFFICIENT,
        BUSY
    }

    private static final class Wallet {
        final ReentrantLock lock = new ReentrantLock();
        long coins;
    }

    private static final int ATTEMPTS = 4;
    private static final long MAX_PAUSE_NANOS = 50_000;

    private final ConcurrentMap<String, Wallet> wallets = new ConcurrentHashMap<>();

    /** Puts coins into a wallet, which is created if necessary, and returns the new balance. */
    public long grant(String player, long coins) {
        if (coins < 0) {
            throw new IllegalArgumentException("coins: " + coins);
        }
        Wallet wallet = wallet(player);
        wallet.lock.lock();
        try {
            wallet.coins += coins;
            return wallet.coins;
        } finally {
            wallet.lock.unlock();
        }
    }

    /** Returns the balance of a player, 0 for an unknown one. */
    public long balance(String player) {
        Wallet wallet = wallet(player);
        wallet.lock.lock();
        try {
            return wallet.coins;
        } finally {
            wallet.lock.unlock();
        }
    }

    /** Moves coins from one player to another. */
    public Outcome pay(String payer, String payee, long coins) {
        if (coins < 0) {
            throw new IllegalArgumentException("coins: " + coins);
        }
        Wallet from = wallet(payer);
        Wallet to = wallet(payee);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (attempt > 0) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, MAX_PAUSE_NANOS));
            }
            Outcome outcome = tryPay(from, to, coins);
            if (outcome != Outcome.BUSY) {
                return outcome;
            }
        }
        return Outcome.BUSY;
    }

    private static Outcome tryPay(Wallet from, Wallet to, long coins) {
        if (!from.lock.tryLock()) {
            return Outcome.BUSY;
        }
        try {
            if (!to.lock.tryLock()) {
                return Outcome.BUSY;
            }
            try {
                if (from.coins < coins) {
                    return Outcome.INSUFFICIENT;
                }
                from.coins -= coins;
                to.coins += coins;
                return Outcome.PAID;
            } finally {
                to.lock.unlock();
            }
        } finally {
            from.lock.unlock();
        }
    }

    private Wallet wallet(String player) {
        Wallet wallet = wallets.get(player);
        return wallet != null ? wallet : wallets.computeIfAbsent(player, p -> new Wallet());
    }
}
