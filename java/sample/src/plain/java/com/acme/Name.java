package com.acme;

/** Nothing about it is meant for threads. */
public class Name {
    private String text = "";

    public void append(String more) {
        text += more;
    }

    @Override
    public String toString() {
        return text;
    }
}
