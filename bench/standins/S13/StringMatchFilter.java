/* Subject S13: lets messages with a certain text through. */
package standin.s13;

public class StringMatchFilter extends Filter {
    private final String text;

    public StringMatchFilter(String text) {
        this.text = text;
    }

    @Override
    public boolean accepts(LoggingEvent event) {
        return text == null || event.message() != null && event.message().contains(text);
    }
}
