package dev.holdfast.config;

import dev.holdfast.logging.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is wrong with one file, and what is merely unwise. Every line is safe to show. */
final class Problems {
    private final Path file;
    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    Problems(Path file) {
        this.file = file;
    }

    /**
     * @param key path of the key, such as {@code receiver.endpoints[0].path}; empty for the file itself
     */
    void add(int line, String key, String found, String expected) {
        add(line, key, "found " + found + ", expected " + expected);
    }

    /** @param text what is wrong, in words */
    void add(int line, String key, String text) {
        errors.add(problem(line, key, text));
    }

    int count() {
        return errors.size();
    }

    void warn(int line, String key, String found, String expected) {
        warnings.add(problem(line, key, "found " + found + ", expected " + expected));
    }

    List<String> warnings() {
        return texts(warnings);
    }

    void throwIfAny(JudgedFiles files) {
        if (!errors.isEmpty()) {
            throw new ConfigException(texts(errors), files.digests());
        }
    }

    private Problem problem(int line, String key, String text) {
        String where = file + ":" + line + ": " + (key.isEmpty() ? "" : ShownKey.of(key) + ": ");
        // One line for each problem, whatever the file contains.
        return new Problem(line, Printable.line(where + text));
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream()
                .sorted(Comparator.comparingInt(Problem::line))
                .map(Problem::text)
                .toList();
    }

    private record Problem(int line, String text) {}
}
