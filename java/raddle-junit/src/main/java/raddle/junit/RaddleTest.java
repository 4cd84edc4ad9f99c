package raddle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * In place of {@code @Test}: has the executable {@code raddle} run the test under many schedules, in a JVM of its own,
 * as {@code raddle test} does. The test fails with the schedule that shows how. Its {@code @BeforeEach},
 * {@code @AfterEach}, {@code @BeforeAll} and {@code @AfterAll} methods are run there with every schedule.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Test
@ExtendWith(RaddleExtension.class)
public @interface RaddleTest {
    /** How long the test is run: {@code 500ms}, {@code 30s}, {@code 5m}. */
    String budget() default "10s";

    /** Who decides which thread runs, such as {@code pct:3}; several in turn if empty. */
    String scheduler() default "";

    /** How many schedules at most, so that the answer does not depend on how fast the machine is; no bound if 0. */
    int schedules() default 0;
}
