package dev.holdfast.management;

import dev.holdfast.config.EventForm;
import dev.holdfast.logging.Printable;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The named values of a request: those of its path, and those of its query or of the JSON object that is its body. A
 * value that makes no sense is an {@link IllegalArgumentException} that says what was found and what was expected.
 */
final class RequestValues {
    private static final String DRY_RUN = "dryRun";
    private static final String REASON = "reason";
    private static final int LONGEST_SHOWN = 80;
    private static final int LONGEST_REASON = 200;
    private static final int USUAL_PAGE = 100;
    /** Java would read those of any script, and a sign. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final int LARGEST_PAGE = 1000;

    /** Numbers from one to another, both included; or times, without the last. */
    record Range(long from, long to) {}

    private final RoutingContext ctx;
    private final WorkerExecutor searchers;
    private final List<String> known;
    private final Map<String, Object> values;

    /** @param known the keys that are allowed, beside those of the path */
    RequestValues(RoutingContext ctx, WorkerExecutor searchers, List<String> known, Map<String, Object> values) {
        this.ctx = ctx;
        this.searchers = searchers;
        this.known = known;
        this.values = values;
        values.forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("found an unknown key " + shown(name) + ", expected "
                        + (known.isEmpty() ? "none here" : "one of " + known));
            }
            // If null counted as left out, the request would choose more than was meant.
            if (value == null) {
                throw new IllegalArgumentException(name + ": found null, expected a value, or no such key");
            }
        });
        values.putAll(ctx.pathParams());
    }

    /** Two lists of keys as one. */
    static List<String> keys(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    RoutingContext ctx() {
        return ctx;
    }

    /** Runs the action on a worker thread. */
    <T> Future<T> blocking(Callable<T> action) {
        return ctx.vertx().executeBlocking(action, false);
    }

    /**
     * Runs a search of the journal, the dead letters or the quarantine on a thread for these, so that long or many
     * searches keep no other request waiting, least of all a probe. A search whose client has gone before its turn is
     * not made.
     */
    <T> Future<T> searching(Callable<T> search) {
        return searchers.executeBlocking(
                () -> {
                    if (ctx.response().closed()) {
                        throw new IllegalArgumentException("found nobody who waits for the answer");
                    }
                    return search.call();
                },
                false);
    }

    boolean hasOneOf(Collection<String> names) {
        return names.stream().anyMatch(name -> values.get(name) != null);
    }

    /**
     * Refuses a request that chooses nothing and doesn't say {@code all}: nobody changes everything by leaving
     * something out.
     *
     * @param choice the keys that choose
     * @param what it is chosen from
     */
    void mustChoose(List<String> choice, String what) {
        if (!hasOneOf(choice) && !flag("all")) {
            throw new IllegalArgumentException(
                    "found nothing that says which " + what + ", expected one of " + choice + ", or all: true");
        }
    }

    /** What the request chooses, in a line that is fit to be shown: {@code consumer: mine, event: client.*}. */
    String target() {
        return known.stream()
                .filter(name -> values.get(name) != null && !name.equals(DRY_RUN) && !name.equals(REASON))
                .map(name -> name + ": " + shown(String.valueOf(values.get(name))))
                .collect(Collectors.joining(", "));
    }

    /** Whether the request only counts. */
    boolean isDryRun() {
        return flag(DRY_RUN);
    }

    /** How many are to be on a page. */
    int limit() {
        return (int) number("limit", 1, LARGEST_PAGE, USUAL_PAGE);
    }

    /** Why something is given up, in a line that is fit to be shown. */
    String reason() {
        String reason = text(REASON);
        if (reason == null || reason.isBlank()) {
            throw wrong(REASON, "why they are discarded");
        }
        return Printable.line(reason, LONGEST_REASON);
    }

    /**
     * The range of {@code from} and {@code to}, or of the single number under a key of its own.
     *
     * @param what a number is, with its article
     */
    Range range(String one, String what) {
        if (values.get(one) != null) {
            if (hasOneOf(List.of("from", "to"))) {
                throw wrong(one, "either " + one + ", or from and to");
            }
            return new Range(position(one, 0), position(one, 0));
        }
        return range(what);
    }

    /** The range of {@code from} and {@code to}. */
    Range range(String what) {
        Range range = new Range(position("from", 1), position("to", Long.MAX_VALUE));
        if (range.to() < range.from()) {
            throw wrong("to", what + " from " + range.from() + " on, where from is");
        }
        return range;
    }

    /** The range of {@code since} and {@code until}. */
    Range times() {
        Range times = new Range(instant("since", 0), instant("until", Long.MAX_VALUE));
        if (times.to() <= times.from()) {
            throw wrong("until", "a time after since");
        }
        return times;
    }

    /** A whole number within bounds, both included. */
    long number(String name, long least, long most, long fallback) {
        Object value = values.get(name);
        if (value == null) {
            return fallback;
        }
        Long number = whole(value);
        if (number == null || number < least || number > most) {
            String upTo = most == Long.MAX_VALUE ? " on" : " to " + most;
            throw wrong(name, "a whole number from " + least + upTo);
        }
        return number;
    }

    /** A position in the journal. */
    long position(String name, long fallback) {
        return number(name, 0, Long.MAX_VALUE, fallback);
    }

    private static @Nullable Long whole(Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        try {
            return value instanceof String text && DIGITS.matcher(text).matches() ? Long.valueOf(text) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    @Nullable
    String text(String name) {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(name, "a text");
    }

    /** One of some constants, written as the API shows them. */
    <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
        String text = text(name);
        E[] constants = type.getEnumConstants();
        List<String> labels = Arrays.stream(constants).map(ApiJson::label).toList();
        if (text != null && !labels.contains(text)) {
            throw wrong(name, "one of " + labels);
        }
        return text == null ? null : constants[labels.indexOf(text)];
    }

    /** Some events, written as under the configuration's {@code events:}. */
    @Nullable
    String events(String name) {
        String pattern = text(name);
        if (pattern != null && !EventForm.isPattern(pattern)) {
            throw wrong(name, EventForm.EXPECTED);
        }
        return pattern;
    }

    /** Milliseconds since the epoch. */
    long instant(String name, long fallback) {
        String text = text(name);
        try {
            return text == null ? fallback : Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw wrong(name, "a time such as 2026-01-31T00:00:00Z");
        }
    }

    /** A boolean; false if it is left out. */
    boolean flag(String name) {
        String text = String.valueOf(values.getOrDefault(name, false));
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong(name, "true or false");
        }
        return text.equals("true");
    }

    IllegalArgumentException wrong(String name, String expected) {
        Object value = values.get(name);
        return new IllegalArgumentException(
                name + ": found " + (value == null ? "nothing" : shown(value)) + ", expected " + expected);
    }

    /** A value in a line that is fit to be shown. */
    static String shown(Object value) {
        String line = Printable.line(value.toString());
        return line.isBlank() ? '"' + line + '"' : Printable.cut(line, LONGEST_SHOWN);
    }
}
