package shop.payments;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import shop.common.Service;

/**
 * Takes payments. Clients send an idempotency key with each payment and may send the same request
 * again, for example when a response was lost; the account is charged once for each key, and every
 * repetition gets the first receipt.
 *
 * <p>This service is thread-safe.
 */
@Service
public class PaymentService {

    /** Proof of a payment. */
    public record Receipt(String key, String account, long cents, String reference) {
    }

    private final PaymentGateway gateway;
    private final ConcurrentMap<String, Receipt> receipts = new ConcurrentHashMap<>();
    private final AtomicLong chargedCents = new AtomicLong();

    /** Creates the service. */
    public PaymentService(PaymentGateway gateway) {
        this.gateway = Objects.requireNonNull(gateway, "gateway");
    }

    /**
     * Charges an account, unless that was already done under the same key. If the gateway fails, its
     * exception is passed on and the payment can be tried again.
     *
     * @param key the idempotency key chosen by the client
     * @param account the account to charge
     * @param cents the amount, positive
     * @return the receipt of the payment
     * @throws IllegalArgumentException if the key was used for a different payment
     */
    public Receipt pay(String key, String account, long cents) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(account, "account");
        if (cents <= 0) {
            throw new IllegalArgumentException("cents: " + cents);
        }
        Receipt known = receipts.get(key);
        if (known != null) {
            return requireSame(known, account, cents);
        }
        String reference = gateway.charge(account, cents);
        chargedCents.addAndGet(cents);
        Receipt receipt = new Receipt(key, account, cents, reference);
        Receipt earlier = receipts.putIfAbsent(key, receipt);
        return earlier == null ? receipt : requireSame(earlier, account, cents);
    }

    /** Finds the receipt of an earlier payment. */
    public Optional<Receipt> receipt(String key) {
        return Optional.ofNullable(receipts.get(key));
    }

    /** Returns the number of payments taken. */
    public int paymentCount() {
        return receipts.size();
    }

    /** Returns the sum of all amounts charged through this service. */
    public long chargedCents() {
        return chargedCents.get();
    }

    private static Receipt requireSame(Receipt receipt, String account, long cents) {
        if (!receipt.account().equals(account) || receipt.cents() != cents) {
            throw new IllegalArgumentException("key used for another payment: " + receipt.key());
        }
        return receipt;
    }
}
