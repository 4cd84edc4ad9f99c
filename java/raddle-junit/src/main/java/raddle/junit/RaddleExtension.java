package raddle.junit;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import raddle.process.ClassPath;
import raddle.process.Command;
import raddle.process.OutputFolder;

/** Runs {@code raddle test} in place of a method with {@link RaddleTest}. */
public final class RaddleExtension implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        Optional<RaddleTest> annotation = annotation(context);
        if (annotation.isEmpty()) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        run(called.getTargetClass(), called.getExecutable().getName(), annotation.get());
    }

    /** What prepares the test is run with each schedule, elsewhere; here it would do what nobody looks at. */
    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        skipIfRunElsewhere(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        skipIfRunElsewhere(invocation, context);
    }

    private static void skipIfRunElsewhere(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        if (annotation(context).isPresent()) {
            invocation.skip();
        } else {
            invocation.proceed();
        }
    }

    private static Optional<RaddleTest> annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getTestMethod(), RaddleTest.class);
    }

    private static void run(Class<?> type, String method, RaddleTest annotation) {
        Path folder = OutputFolder.find().resolve("test");
        Command command = new Command(Verdict.executable(), "test")
                .classPath(ClassPath.ofThisJvm(type))
                .jdkOfThisJvm()
                .with("--save", folder.toString(), "--budget", annotation.budget());
        if (!annotation.scheduler().isEmpty()) {
            command.with("--scheduler", annotation.scheduler());
        }
        if (annotation.schedules() > 0) {
            command.with("--schedules", Integer.toString(annotation.schedules()));
        }
        command.with(type.getName() + "#" + method);
        Verdict.check(command.run(folder.resolve(type.getName() + "-" + method + ".txt"), line -> { }), false);
    }
}
