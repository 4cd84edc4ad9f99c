package b2.templatestore;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Compiled templates by name. A template is compiled when it is asked for the first time.
 *
 * <p>Thread-safe. As compiling is expensive, the compiler is called at most once per name, however
 * many threads ask for the template.
 */
public class TemplateStore {
    private final Function<String, String> compiler;
    private final ConcurrentMap<String, String> templates = new ConcurrentHashMap<>();
    private final AtomicInteger compilations = new AtomicInteger();

    public TemplateStore() {
        this(name -> "<" + name + ">");
    }

    /** The compiler must not return null. */
    public TemplateStore(Function<String, String> compiler) {
        this.compiler = Objects.requireNonNull(compiler);
    }

    /** Returns the compiled template. */
    public String get(String name) {
        String template = templates.get(name);
        if (template == null) {
            compilations.incrementAndGet();
            String compiled = Objects.requireNonNull(compiler.apply(name));
            template = templates.putIfAbsent(name, compiled);
            if (template == null) {
                template = compiled;
            }
        }
        return template;
    }

    /** Tells whether the template has been compiled. */
    public boolean isCompiled(String name) {
        return templates.containsKey(name);
    }

    /** Returns how often the compiler has been called, including calls in progress. */
    public int compilations() {
        return compilations.get();
    }
}
