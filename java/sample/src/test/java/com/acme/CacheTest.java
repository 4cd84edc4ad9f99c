package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import raddle.junit.Raddle;
import raddle.junit.RaddleTest;

class CacheTest {
    private Cache cache;

    @BeforeEach
    void makeCache() {
        cache = new Cache();
    }

    @Test
    void returnsWhatWasPut() {
        cache.put("a", 1);
        assertEquals(1, cache.get("a"));
    }

    /** A test of your own, under every schedule. */
    @RaddleTest(budget = "5m", schedules = 500)
    void countsWhatTwoThreadsPut() throws InterruptedException {
        Thread other = new Thread(() -> cache.put("a", 1));
        other.start();
        cache.put("b", 2);
        other.join();
        assertEquals(2, cache.size());
    }

    /** No test of your own: Raddle makes them. */
    @Test
    void isThreadSafe() {
        Raddle.hunt(Cache.class).budget("5m").maxPlans(20).assertThreadSafe();
    }

    @Nested
    class WithAnEntry {
        @BeforeEach
        void put() {
            cache.put("a", 1);
        }

        @RaddleTest(budget = "5m", schedules = 500)
        void keepsItWhileOthersArePut() throws InterruptedException {
            Thread other = new Thread(() -> cache.put("b", 2));
            other.start();
            assertEquals(1, cache.get("a"));
            other.join();
        }
    }
}
