package shop.payments;

/** Connection to the payment provider. Implementations are thread-safe. */
@FunctionalInterface
public interface PaymentGateway {

    /**
     * Takes money from an account.
     *
     * @return the provider's reference for the payment
     */
    String charge(String account, long cents);
}
