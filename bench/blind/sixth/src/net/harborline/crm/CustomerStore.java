package net.harborline.crm;

/** Persistent storage of customers. Implementations are safe for use by several threads. */
public interface CustomerStore {

    /** Returns the customer as last written, or {@code null} if there is none. */
    Customer load(long id);

    /** Inserts or overwrites a customer. */
    void write(Customer customer);

    /** Deletes a customer. */
    void delete(long id);
}
