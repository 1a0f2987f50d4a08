package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One section of a configuration, read key by key for the record that is made of it: the record's components name the
 * keys that the section may have. Mistakes go to the {@link Problems}, and reading goes on with a stand-in, so that one
 * run finds all of them.
 */
final class Section {
    private static final Path NOWHERE = Path.of("");

    private final Node.Mapping node;
    private final String path;
    private final List<String> known;
    private final Problems problems;
    private final Values values;

    private Section(Node.Mapping node, String path, Class<? extends Record> record, Problems problems, Values values) {
        this.node = node;
        this.path = path;
        this.known = KnownKeys.of(record);
        this.problems = problems;
        this.values = values;
        reportUnknownKeys();
    }

    static Section root(Node.Mapping node, Problems problems, Substitution substitution) {
        return new Section(node, "", HoldfastConfig.class, problems, new Values(problems, substitution));
    }

    /** Whether the key has something after it, right or wrong. */
    boolean holds(String key) {
        Node value = given(key);
        return value != null
                && !(value instanceof Node.Sequence list && list.items().isEmpty());
    }

    boolean isSection(String key) {
        return node(key) instanceof Node.Mapping;
    }

    /** What is written under a key, fit to be shown; not for secrets. */
    String found(String key) {
        return node(key) instanceof Node.Scalar scalar ? values.found(scalar) : "nothing";
    }

    int lineOf(String key) {
        Node value = node(key);
        return value == null ? node.line() : value.line();
    }

    <T> T value(String key, ValueType<T> type, T fallback) {
        Node value = node(key);
        return value == null ? fallback : values.read(value, pathOf(key), type).orElse(fallback);
    }

    /** A value without a default. */
    <T> T required(String key, ValueType<T> type, T standIn) {
        if (node(key) == null) {
            problem(key, "nothing", type.expected());
        }
        return value(key, type, standIn);
    }

    /** A file without a default, which must exist. */
    Path requiredFile(String key, NamedFiles.Kind kind) {
        Path file = required(key, ValueType.PATH, NOWHERE);
        InvalidValue invalid = file.equals(NOWHERE) ? null : values.inspect(file, kind);
        if (invalid != null) {
            problem(key, invalid.found(), invalid.expected());
        }
        return file;
    }

    /** A directory that need not exist, but must be possible to make. */
    Path directory(String key, Path fallback) {
        Path directory = value(key, ValueType.PATH, fallback);
        InvalidValue invalid = NamedFiles.directory(directory);
        if (invalid != null) {
            problem(key, invalid.found(), invalid.expected());
        }
        return directory;
    }

    /** A file that may be left out. If it is named and missing, that is only a warning. */
    @Nullable
    Path optionalFile(String key, NamedFiles.Kind kind) {
        Path file = optional(key, ValueType.PATH);
        InvalidValue invalid = file == null ? null : values.inspect(file, kind);
        if (invalid != null) {
            warning(key, invalid.found(), invalid.expected());
        }
        return file;
    }

    /** A value that may be left out, or be written as nothing or as an empty string. */
    <T> @Nullable T optional(String key, ValueType<T> type) {
        Node value = given(key);
        return value == null || values.isEmptyText(value)
                ? null
                : values.read(value, pathOf(key), type).orElse(null);
    }

    /** A list of single values, at least one. */
    <T> List<T> values(String key, ValueType<T> type) {
        Node value = given(key);
        List<Node> items = items(key);
        List<T> read = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            values.read(items.get(i), pathOf(key, i), type).ifPresent(read::add);
        }
        if (items.isEmpty() && (value == null || value instanceof Node.Sequence)) {
            problem(key, value == null ? "nothing" : "an empty list", "a list, each of it " + type.expected());
        }
        return read;
    }

    /** A list of single values that may be empty, and has a default. */
    <T> List<T> values(String key, ValueType<T> type, List<T> fallback) {
        return given(key) == null ? fallback : holds(key) ? values(key, type) : List.of();
    }

    /** A section below this one; one without keys when it is left out. */
    Section section(String key, Class<? extends Record> record) {
        Node value = given(key);
        if (value != null && !(value instanceof Node.Mapping)) {
            problem(key, value.kind(), "a section");
        }
        return below(
                value instanceof Node.Mapping mapping ? mapping : new Node.Mapping(lineOf(key), Map.of()),
                pathOf(key),
                record);
    }

    /**
     * The certificate and key that the section's {@code tls} names; null if there is none, or if it is wrong, which is
     * reported.
     */
    @Nullable
    TlsConfig tls() {
        Section tls = section("tls", TlsConfig.class);
        if (!isSection("tls")) {
            return null;
        }
        int before = problems.count();
        Path certificate = tls.requiredFile("certificate", NamedFiles::certificates);
        Path key = tls.requiredFile("key", NamedFiles::privateKey);
        if (problems.count() > before) {
            return null;
        }
        try {
            TlsIdentity identity = TlsIdentity.read(certificate, key);
            if (!identity.isGoodAt(Instant.now())) {
                tls.warning(
                        "certificate",
                        certificate + ", good from " + identity.goodFrom() + " until " + identity.goodUntil(),
                        "one that is good now: those who connect refuse any other");
            }
            return new TlsConfig(certificate, key, identity);
        } catch (InvalidValue e) {
            tls.problem("key", e.found(), e.expected());
            return null;
        }
    }

    /** A list of sections; empty when it is left out. */
    List<Section> sections(String key, Class<? extends Record> record) {
        List<Node> items = items(key);
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Node item = items.get(i);
            if (item instanceof Node.Mapping mapping) {
                sections.add(below(mapping, pathOf(key, i), record));
            } else {
                problems.add(item.line(), pathOf(key, i), item.kind(), "a section");
            }
        }
        return sections;
    }

    /** Whether exactly this is written under a key. */
    boolean isText(String key, String text) {
        return node(key) instanceof Node.Scalar scalar && scalar.text().equals(text);
    }

    /** Texts under names of any type, in the order of the file. */
    Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (node(key) instanceof Node.Mapping mapping) {
            mapping.entries()
                    .forEach((name, value) -> values.read(value, pathOf(key) + "." + name, ValueType.TEXT)
                            .ifPresent(text -> texts.put(name, text)));
        } else {
            problem(key, node(key) instanceof Node.Sequence ? "a list" : "a single value", "a section");
        }
        return texts;
    }

    /** As {@link Values#map}; empty when it is left out. */
    Map<String, Object> free(String key, boolean asWritten) {
        Node value = given(key);
        if (value instanceof Node.Mapping mapping) {
            return values.map(mapping, pathOf(key), asWritten);
        }
        if (value != null) {
            problem(key, value.kind(), "a section");
        }
        return Map.of();
    }

    /** Reports a value that is less than that of another key. */
    <T extends Comparable<T>> void checkAtLeast(String key, T value, String other, T least, Function<T, String> shown) {
        if (value.compareTo(least) < 0) {
            problem(key, shown.apply(value), "at least " + other + ", which is " + shown.apply(least));
        }
    }

    void problem(String key, String found, String expected) {
        problems.add(lineOf(key), pathOf(key), found, expected);
    }

    /** What is wrong with a value, in words. */
    void problem(String key, String text) {
        problems.add(lineOf(key), pathOf(key), text);
    }

    /** The same for a key in a section with free names, or in a section of it. */
    void problemBelow(String key, String below, String text) {
        int line = node(key) instanceof Node.Mapping mapping ? mapping.lineOf(below) : lineOf(key);
        problems.add(line, pathOf(key) + "." + below, text);
    }

    /** How many problems there are so far, of all sections. */
    int problems() {
        return problems.count();
    }

    void warning(String key, String found, String expected) {
        problems.warn(lineOf(key), pathOf(key), found, expected);
    }

    void warning(String key, int index, String found, String expected) {
        problems.warn(items(key).get(index).line(), pathOf(key, index), found, expected);
    }

    private @Nullable Node node(String key) {
        if (!known.contains(key)) {
            throw new IllegalArgumentException("found the key " + key + ", expected one of " + known);
        }
        return node.entries().get(key);
    }

    /** The value of a key; null also if nothing is written after it. */
    private @Nullable Node given(String key) {
        Node value = node(key);
        return value == null || value.isNothing() ? null : value;
    }

    private Section below(Node.Mapping mapping, String below, Class<? extends Record> record) {
        return new Section(mapping, below, record, problems, values);
    }

    private List<Node> items(String key) {
        Node value = given(key);
        if (value instanceof Node.Sequence sequence) {
            return sequence.items();
        }
        if (value != null) {
            problem(key, value.kind(), "a list");
        }
        return List.of();
    }

    private void reportUnknownKeys() {
        node.entries().forEach((key, value) -> {
            if (!known.contains(key)) {
                String hint = KnownKeys.nearest(known, ShownKey.name(key))
                        .map(near -> key.startsWith(near + ":")
                                ? " (the blank behind its colon is missing)"
                                : " (did you mean " + near + "?)")
                        .orElse("");
                problems.add(value.line(), pathOf(key), "an unknown key" + hint, "one of: " + String.join(", ", known));
            }
        });
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private String pathOf(String key, int index) {
        return pathOf(key) + "[" + index + "]";
    }
}
