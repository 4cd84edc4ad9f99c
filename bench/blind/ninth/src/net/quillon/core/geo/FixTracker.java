package net.quillon.core.geo;

import java.util.concurrent.locks.StampedLock;

/**
 * Tracks the latest known position of a vehicle. Reports may arrive late and out of order; only
 * one that is newer than the position known changes it. Thread-safe.
 */
public final class FixTracker {

    /** A position at a time. */
    public record Fix(double latitude, double longitude, long at) {
    }

    private static final double METERS_PER_DEGREE = 111_320.0;

    private final StampedLock lock = new StampedLock();
    private double latitude;
    private double longitude;
    private long at = Long.MIN_VALUE;

    /** Takes note of a position and returns whether it is the newest. */
    public boolean report(double newLatitude, double newLongitude, long newAt) {
        long stamp = lock.readLock();
        try {
            while (newAt > at) {
                long upgraded = lock.tryConvertToWriteLock(stamp);
                if (upgraded != 0) {
                    stamp = upgraded;
                    latitude = newLatitude;
                    longitude = newLongitude;
                    at = newAt;
                    return true;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
            return false;
        } finally {
            lock.unlock(stamp);
        }
    }

    /** The latest position, or {@code null} if there has been no report. */
    public Fix current() {
        long stamp = lock.tryOptimisticRead();
        double lat = latitude;
        double lon = longitude;
        long time = at;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                lat = latitude;
                lon = longitude;
                time = at;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return time == Long.MIN_VALUE ? null : new Fix(lat, lon, time);
    }

    /** The approximate distance in meters between the latest position and the given one. */
    public double metersTo(double otherLatitude, double otherLongitude) {
        Fix fix = current();
        if (fix == null) {
            return Double.NaN;
        }
        double dy = (otherLatitude - fix.latitude()) * METERS_PER_DEGREE;
        double dx = (otherLongitude - fix.longitude()) * METERS_PER_DEGREE
                * Math.cos(Math.toRadians(fix.latitude()));
        return Math.hypot(dx, dy);
    }

    public boolean isOlderThan(long time) {
        Fix fix = current();
        return fix == null || fix.at() < time;
    }
}
