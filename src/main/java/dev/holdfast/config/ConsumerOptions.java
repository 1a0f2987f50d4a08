package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shipped consumer's {@code options:}, read key by key in the forms of the rest of the configuration. Every method
 * throws an {@link IllegalArgumentException} that names consumer, key and what was expected, and never shows a value:
 * any of them may be a secret.
 */
public final class ConsumerOptions {
    private final String consumer;
    /** Prefix of a key in messages: nothing, or a section's key with a dot. */
    private final String section;

    private final Map<String, Object> options;
    private final Consumer<Path> files;

    /**
     * @param consumer its name in the configuration
     * @param known every key that is allowed
     * @param files gets each file before it is read
     */
    public ConsumerOptions(String consumer, Map<String, Object> options, List<String> known, Consumer<Path> files) {
        this(consumer, "", options, known, files);
    }

    private ConsumerOptions(
            String consumer, String section, Map<String, Object> options, List<String> known, Consumer<Path> files) {
        this.consumer = consumer;
        this.section = section;
        this.options = Map.copyOf(options);
        this.files = files;
        for (String key : options.keySet()) {
            if (!known.contains(key)) {
                throw mistake(key, "an unknown key", "one of: " + String.join(", ", known));
            }
        }
    }

    /** A text; required. */
    public String text(String key) {
        return optionalText(key).orElseThrow(() -> missing(key, "a value"));
    }

    public Optional<String> optionalText(String key) {
        return read(key, ValueType.TEXT);
    }

    /** A section with keys of its own; empty when it is left out. */
    public Optional<ConsumerOptions> section(String key, List<String> known) {
        return Optional.ofNullable(map(key))
                .map(values -> new ConsumerOptions(consumer, key + ".", values, known, files));
    }

    /** A section of free names with a text behind each; empty when it is left out. */
    public Map<String, String> texts(String key) {
        Map<String, Object> values = map(key);
        if (values == null) {
            return Map.of();
        }
        ConsumerOptions free = new ConsumerOptions(consumer, key + ".", values, List.copyOf(values.keySet()), files);
        return values.keySet().stream().collect(Collectors.toMap(name -> name, free::text));
    }

    private @Nullable Map<String, Object> map(String key) {
        Object value = options.get(key);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Map<?, ?> section)) {
            throw mistake(key, value instanceof List ? "a list" : "a single value", "a section");
        }
        Map<String, Object> values = new HashMap<>();
        section.forEach((name, inner) -> values.put(String.valueOf(name), inner));
        return values;
    }

    /** One of some words. */
    public String word(String key, List<String> words, String fallback) {
        String expected = "one of: " + String.join(", ", words);
        return read(key, new ValueType<>(expected, text -> words.contains(text) ? text : null))
                .orElse(fallback);
    }

    /** A duration longer than zero. */
    public Duration duration(String key, Duration fallback) {
        return read(key, ValueType.TIMEOUT).orElse(fallback);
    }

    /** A duration longer than zero, up to a bound. */
    public Duration duration(String key, Duration most, Duration fallback) {
        return read(key, ValueType.timeout(most)).orElse(fallback);
    }

    /** Bytes within bounds, both included. */
    public long size(String key, long least, long most, long fallback) {
        return read(key, ValueType.size(least, most)).orElse(fallback);
    }

    public boolean flag(String key, boolean fallback) {
        return read(key, ValueType.FLAG).orElse(fallback);
    }

    /** A path; required. */
    public Path path(String key) {
        return optionalPath(key).orElseThrow(() -> missing(key, "a path"));
    }

    public Optional<Path> optionalPath(String key) {
        return read(key, ValueType.PATH);
    }

    /**
     * The content of a PEM file with certificates, as it is now. If Vert.x got the file's name, it would read the file
     * at the first connection, and fail for ever on what it is by then.
     */
    public Optional<String> certificates(String key) {
        return optionalPath(key).map(file -> read(key, file, NamedFiles::certificates));
    }

    /** The contents of a section's PEM files {@code certificate} and {@code key}; both are required. */
    public TlsIdentity identity() {
        Path certificate = path("certificate");
        Path key = path("key");
        read("certificate", certificate, NamedFiles::certificates);
        read("key", key, NamedFiles::privateKey);
        try {
            return TlsIdentity.read(certificate, key);
        } catch (InvalidValue e) {
            throw mistake("key", e.found(), e.expected());
        }
    }

    private String read(String key, Path file, NamedFiles.Kind kind) {
        files.accept(file);
        try {
            return kind.read(file);
        } catch (InvalidValue e) {
            throw mistake(key, e.found(), e.expected());
        }
    }

    /** The exception for a mistake that the consumer finds itself. */
    public IllegalArgumentException mistake(String key, String found, String expected) {
        return new OptionMistake(consumer, section + key, found, expected);
    }

    private IllegalArgumentException missing(String key, String expected) {
        return mistake(key, "nothing", expected);
    }

    private <T> Optional<T> read(String key, ValueType<T> type) {
        Object value = options.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Map || value instanceof List) {
            throw mistake(key, value instanceof Map ? "a section" : "a list", type.expected());
        }
        try {
            return Optional.of(type.read(value.toString()));
        } catch (InvalidValue e) {
            throw mistake(key, "a value that is not shown", e.expected());
        }
    }
}
