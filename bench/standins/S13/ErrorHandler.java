/* Subject S13: is told of what an appender cannot do. */
package standin.s13;

public interface ErrorHandler {
    void error(String message);
}
