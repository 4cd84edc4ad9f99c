package java.lang;

/** Where the threads of a plan call what may touch anything: places that a verdict has to be silent about. */
final class RaddleUnseen {
    private RaddleUnseen() {
    }

    /** Who wants to know is content with some of them. */
    private static final int MOST = 16;

    static int[] sites = new int[MOST];
    static int count;

    static void forget() {
        count = 0;
    }

    static void add(int site) {
        for (int i = 0; i < count; i++) {
            if (sites[i] == site) {
                return;
            }
        }
        if (count < MOST) {
            sites[count++] = site;
        }
    }
}
