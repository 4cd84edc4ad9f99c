package shop.plugins;

/** An extension of the shop. */
public interface Plugin {

    /** Returns the plugin's unique name. */
    String name();

    /** Called when the plugin has to begin its work. */
    void start();

    /** Called when the plugin has to end its work. */
    void stop();
}
