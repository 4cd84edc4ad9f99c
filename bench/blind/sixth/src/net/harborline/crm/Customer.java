package net.harborline.crm;

/** Master data of a customer. */
public record Customer(long id, String name, String email) {
}
