package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;

/**
 * A named, durable subscription and the verticle that serves it.
 *
 * @param events patterns: {@code conversation.created}, {@code conversation.*}, {@code *}
 * @param verticle short name of a shipped consumer or class name
 * @param start where a consumer without a position begins
 * @param orderBy JSON pointers into the body; the first that leads to a string, number or boolean decides a push's
 *     lane, together with endpoint and enterprise; without one the family takes its place
 * @param concurrency how many lanes may be at work at once
 * @param instances how many instances of the verticle run
 * @param threading what each instance runs on
 * @param timeout how long one attempt may take
 * @param hold how long at least a push is kept that the consumer has not had; after that it may be given up on a full
 *     disk
 * @param options handed to the verticle as its configuration: strings, numbers, booleans, lists and maps; immutable
 * @param files that the options name and that the consumer reads as it starts, such as certificates, each with a digest
 *     of what was in it before it was read
 */
public record ConsumerConfig(
        String name,
        List<String> events,
        String verticle,
        Start start,
        List<String> orderBy,
        int concurrency,
        int instances,
        Threading threading,
        Duration timeout,
        RetryConfig retry,
        Duration hold,
        Map<String, Object> options,
        Map<Path, String> files) {
    /** Of a consumer whose configuration says nothing of it. */
    public static final int USUAL_CONCURRENCY = 16;

    /** Shorter values are in messages by chance. */
    private static final int SHORTEST_VALUE = 4;

    /** Where a new consumer begins. */
    public enum Start {
        /** With the oldest push that is kept. */
        EARLIEST,
        /** With the first push after its start. */
        LATEST;

        /** As it is configured, e.g. {@code earliest}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a verticle runs on: Vert.x's own models. */
    public enum Threading {
        /** A worker thread for each instance, which it may block. */
        WORKER,
        /** An event loop shared with others, which nothing may block. */
        EVENT_LOOP,
        /** A virtual thread for each task, one at a time, which it may block. From Java 21 on. */
        VIRTUAL_THREAD
    }

    public ConsumerConfig {
        events = List.copyOf(events);
        orderBy = List.copyOf(orderBy);
        options = Map.copyOf(options);
        files = Map.copyOf(files);
    }

    /** The same with the files that its options name. */
    public ConsumerConfig with(Map<Path, String> named) {
        return new ConsumerConfig(
                name,
                events,
                verticle,
                start,
                orderBy,
                concurrency,
                instances,
                threading,
                timeout,
                retry,
                hold,
                options,
                named);
    }

    /**
     * The text with each option's value replaced by its key, since any value may be a secret; a number not inside a longer one.
     * The longest value comes first, since one may contain another.
     */
    public String withoutOptions(String text) {
        SortedMap<String, String> keys = new TreeMap<>(
                Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        collect("options", options, keys);
        String shown = text;
        for (Map.Entry<String, String> value : keys.entrySet()) {
            shown = without(shown, value.getKey(), "(" + value.getValue() + ")");
        }
        return shown;
    }

    private static String without(String text, String value, String name) {
        return value.chars().allMatch(Character::isDigit)
                ? text.replaceAll("(?<!\\d)" + value + "(?!\\d)", Matcher.quoteReplacement(name))
                : text.replace(value, name);
    }

    private static void collect(String key, Object value, Map<String, String> keys) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> collect(key + "." + name, inner, keys));
        } else if (value instanceof List<?> list) {
            list.forEach(item -> collect(key, item, keys));
        } else if (!(value instanceof Boolean) && value.toString().length() >= SHORTEST_VALUE) {
            keys.put(value.toString(), key);
        }
    }

    /** Without the options' values, which may be secrets. */
    @Override
    public String toString() {
        return "ConsumerConfig[name=" + name + ", events=" + events + ", verticle=" + verticle + ", start=" + start
                + ", orderBy=" + orderBy + ", concurrency=" + concurrency + ", instances=" + instances + ", threading="
                + threading + ", timeout="
                + timeout + ", retry=" + retry + ", hold=" + hold + ", options=" + Secret.hidden(options) + "]";
    }
}
