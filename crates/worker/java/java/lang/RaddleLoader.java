package java.lang;

/** Defines the classes of one plan; those of the class path are another loader's, and stay. */
final class RaddleLoader extends ClassLoader {
    RaddleLoader(ClassLoader parent) {
        super(parent);
    }
}
