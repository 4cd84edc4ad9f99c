package dev.harrow.svc.config;

/** A deployment region. */
public record Region(String code, String displayName, boolean restricted) {
}
