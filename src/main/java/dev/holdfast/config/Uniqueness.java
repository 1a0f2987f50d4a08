package dev.holdfast.config;

import java.util.HashMap;
import java.util.Map;

/** Reports sections of a list that have the same value under a key. */
final class Uniqueness {
    private final String key;
    private final Map<String, Section> first = new HashMap<>();

    Uniqueness(String key) {
        this.key = key;
    }

    void check(Section section, String value) {
        Section before = value.isEmpty() ? null : first.putIfAbsent(value, section);
        if (before != null) {
            section.problem(
                    key,
                    section.found(key) + " a second time",
                    "another " + key + " than on line " + before.lineOf(key));
        }
    }
}
