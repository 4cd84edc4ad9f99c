package shop.health;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import shop.common.Service;

/**
 * Runs the health checks of the shop's components.
 *
 * <p>Thread-safe. Checks are run in the calling thread without any lock held and may therefore run in
 * several threads at once; a check that is removed while it runs is not interrupted. Methods that go
 * over all checks are weakly consistent: what is added, removed or run while they work may or may not
 * be taken into account.
 */
@Service
public class HealthCheckService {

    /** A check that was added under some name, and its latest result. */
    private static final class Registration {

        private final Supplier<HealthResult> check;
        private volatile HealthResult latest;

        Registration(Supplier<HealthResult> check) {
            this.check = check;
        }

        HealthResult run() {
            HealthResult result;
            try {
                result = Objects.requireNonNull(check.get(), "no result");
            } catch (RuntimeException e) {
                result = new HealthResult.Down(String.valueOf(e.getMessage()));
            }
            latest = result;
            return result;
        }
    }

    private final NavigableMap<String, Registration> registrations = new ConcurrentSkipListMap<>();

    /** Adds a check; returns false if there is one of that name. */
    public boolean add(String name, Supplier<HealthResult> check) {
        Objects.requireNonNull(check, "check");
        return registrations.putIfAbsent(name, new Registration(check)) == null;
    }

    /** Removes a check together with its latest result; returns false if there is none of that name. */
    public boolean remove(String name) {
        return registrations.remove(name) != null;
    }

    /** Runs a check; a check that throws an exception counts as down. */
    public Optional<HealthResult> run(String name) {
        return Optional.ofNullable(registrations.get(name)).map(Registration::run);
    }

    /** Runs all checks one after the other and returns their results, sorted by name. */
    public Map<String, HealthResult> runAll() {
        Map<String, HealthResult> results = new TreeMap<>();
        registrations.forEach((name, registration) -> results.put(name, registration.run()));
        return results;
    }

    /** Runs all checks and tells whether all of them are up. */
    public boolean isHealthy() {
        return runAll().values().stream().allMatch(HealthResult::isUp);
    }

    /**
     * Returns the result of the latest run of a check, without running it. If runs overlap, the result
     * of either of them may count as the latest.
     *
     * @return the result, or empty if there is no such check or it never ran
     */
    public Optional<HealthResult> latest(String name) {
        return Optional.ofNullable(registrations.get(name)).map(r -> r.latest);
    }

    /** Describes the checks that were down in their latest run, for the status page. */
    public String describeProblems() {
        StringBuilder text = new StringBuilder();
        registrations.forEach((name, registration) -> {
            if (registration.latest instanceof HealthResult.Down down) {
                text.append(name).append(": ").append(down.reason()).append('\n');
            }
        });
        return text.toString();
    }
}
