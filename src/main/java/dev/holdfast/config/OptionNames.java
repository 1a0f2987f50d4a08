package dev.holdfast.config;

import java.util.Map;
import java.util.TreeSet;

/** Shows options whose values may be secrets. */
final class OptionNames {
    private OptionNames() {}

    /** The names in order, with asterisks for the values. */
    static String show(Map<?, ?> options) {
        TreeSet<String> names = new TreeSet<>();
        options.keySet().forEach(name -> names.add(name + "=********"));
        return "{" + String.join(", ", names) + "}";
    }
}
