package dev.holdfast.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of a YAML file. It knows its line: that of its key if it has one, else its own; the first line is 1. */
sealed interface Node {
    int line();

    /** What this is, as an error names it. */
    default String kind() {
        if (this instanceof Scalar) {
            return isNothing() ? "nothing" : "a single value";
        }
        return this instanceof Sequence ? "a list" : "a section";
    }

    /** Whether a key was written with nothing behind it. */
    default boolean isNothing() {
        return this instanceof Scalar scalar && scalar.value() == null;
    }

    /**
     * A single value.
     *
     * @param value a string, a number or a boolean, as YAML reads it; null for nothing
     * @param text as written; empty for nothing
     */
    record Scalar(int line, @Nullable Object value, String text) implements Node {}

    record Sequence(int line, List<Node> items) implements Node {}

    /** Keys in the order of the file. */
    record Mapping(int line, Map<String, Node> entries) implements Node {
        /**
         * The line of a key in it or, after dots, in its sections; if there is no such key, the line of the nearest
         * section.
         */
        int lineOf(String path) {
            Node value = entries.get(path);
            int dot = path.indexOf('.');
            if (value != null || dot < 0) {
                return value == null ? line : value.line();
            }
            Node inner = entries.get(path.substring(0, dot));
            if (inner instanceof Mapping section) {
                return section.lineOf(path.substring(dot + 1));
            }
            return inner == null ? line : inner.line();
        }
    }
}
