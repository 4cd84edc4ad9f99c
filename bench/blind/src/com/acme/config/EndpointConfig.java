package com.acme.config;

import java.util.Objects;

/**
 * The endpoint of the upstream service, reloaded while requests run. Request
 * threads see either the endpoint before a reload or the one after it.
 */
public class EndpointConfig {

    /** Where the settings come from. */
    public interface Source {
        String host();

        int port();
    }

    private volatile String host = "localhost";
    private volatile int port = 80;
    private volatile int reloads;

    public EndpointConfig() {
    }

    public EndpointConfig(Source initial) {
        this.host = Objects.requireNonNull(initial.host());
        this.port = initial.port();
    }

    /**
     * Takes new settings.
     *
     * @throws IllegalArgumentException if the port is out of range; nothing changes then
     */
    public synchronized void reload(Source source) {
        String h = Objects.requireNonNull(source.host(), "host");
        int p = source.port();
        if (p < 0 || p > 65535) {
            throw new IllegalArgumentException("port: " + p);
        }
        set(h, p);
    }

    /** Sets host and port together. */
    public synchronized void update(String host, int port) {
        set(Objects.requireNonNull(host), port);
    }

    private void set(String h, int p) {
        host = h;
        port = p;
        reloads = reloads + 1;
    }

    /** The endpoint as host:port. */
    public String endpoint() {
        return host + ":" + port;
    }

    /** How often settings were taken. */
    public int reloads() {
        return reloads;
    }
}
