package net.harborline.audit;

/** Takes lines of an audit trail. Called by one thread at a time. */
@FunctionalInterface
public interface LineSink {

    void write(String line);
}
