package dev.holdfast.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The configuration in force as text for the log: every key with its value, secrets as asterisks. */
public final class EffectiveConfig {
    private static final Pattern CERTIFICATE = Pattern.compile("(receiver|management)\\.tls\\.");

    /** No certificate. */
    private static final Object NONE = Optional.empty();

    private EffectiveConfig() {}

    /**
     * One line for each key that has a value, such as {@code receiver.port: 8080}, separated by newlines. A consumer's
     * options may hold secrets: only their names are shown.
     */
    public static String render(HoldfastConfig config) {
        return values(config).entrySet().stream()
                .map(entry -> entry.getKey() + ": " + show(entry.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /**
     * The keys whose values differ, such as {@code receiver.port}, without those that are put in force while running:
     * the endpoints, the consumers, the log's level, and certificates if there were some before.
     */
    public static Set<String> changedForTheNextStart(HoldfastConfig before, HoldfastConfig after) {
        Map<String, Object> was = values(before);
        Map<String, Object> becomes = values(after);
        Set<String> keys = differing(was, becomes);
        keys.removeIf(key -> key.startsWith("consumers")
                || key.startsWith("receiver.endpoints")
                || key.equals("logging.level")
                || (CERTIFICATE.matcher(key).lookingAt() && was.containsKey(key) && becomes.containsKey(key)));
        return keys;
    }

    /**
     * The consumers, endpoints and certificates that are put in force while running: changed ones, new ones, and those
     * that are gone, such as {@code consumer mine}, {@code endpoint default} or {@code receiver.tls}.
     */
    public static Set<String> changedAtOnce(HoldfastConfig before, HoldfastConfig after) {
        Map<String, Object> was = replaceable(before);
        Map<String, Object> becomes = replaceable(after);
        Set<String> parts = differing(was, becomes);
        parts.removeIf(part -> NONE.equals(was.get(part)) || NONE.equals(becomes.get(part)));
        return parts;
    }

    private static Map<String, Object> replaceable(HoldfastConfig config) {
        Map<String, Object> parts = new HashMap<>();
        config.consumers().forEach(consumer -> parts.put("consumer " + consumer.name(), consumer));
        config.receiver().endpoints().forEach(endpoint -> parts.put("endpoint " + endpoint.name(), endpoint));
        parts.put("receiver.tls", Optional.ofNullable(config.receiver().tls()));
        parts.put("management.tls", Optional.ofNullable(config.management().tls()));
        return parts;
    }

    private static Set<String> differing(Map<String, Object> before, Map<String, Object> after) {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
        return keys;
    }

    private static Map<String, Object> values(HoldfastConfig config) {
        Map<String, Object> values = new LinkedHashMap<>();
        add("", config, values);
        return values;
    }

    private static void add(String key, @Nullable Object value, Map<String, Object> values) {
        if (value instanceof Record section) {
            KnownKeys.components(section.getClass()).forEach(component -> {
                String name = KnownKeys.of(component);
                add(key.isEmpty() ? name : key + "." + name, read(component, section), values);
            });
        } else if (value instanceof List<?> list && list.stream().anyMatch(Record.class::isInstance)) {
            for (int i = 0; i < list.size(); i++) {
                add(key + "[" + i + "]", list.get(i), values);
            }
        } else if (value != null) {
            values.put(key, value);
        }
    }

    private static @Nullable Object read(RecordComponent component, Record section) {
        try {
            return component.getAccessor().invoke(section);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("can't read " + component + ", which is public", e);
        }
    }

    private static String show(Object value) {
        if (value instanceof Long bytes) {
            return ByteSize.show(bytes);
        }
        if (value instanceof Duration duration) {
            return TimeSpan.show(duration);
        }
        if (value instanceof Enum<?> choice) {
            return ValueType.written(choice);
        }
        return value instanceof Map<?, ?> options ? Secret.hidden(options) : value.toString();
    }
}
