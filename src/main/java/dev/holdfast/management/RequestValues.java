package dev.holdfast.management;

import dev.holdfast.config.EventForm;
import dev.holdfast.logging.Printable;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The named values of a request: those of its query, or of the JSON object that is its body. What can't be meant is an
 * {@link IllegalArgumentException} that says what was found and what was expected.
 */
final class RequestValues {
    private static final String JSON = "application/json";
    private static final int LONGEST_SHOWN = 80;
    private static final int LONGEST_REASON = 200;
    private static final int LAST_YEAR = 9999;
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1000;

    /** Numbers from one to another, both included; or times, without the last. */
    record Range(long from, long to) {}

    private final Map<String, Object> values;

    private RequestValues(Map<String, Object> values, Collection<String> known) {
        this.values = values;
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("found an unknown key " + shown(name) + ", expected "
                        + (known.isEmpty() ? "none here" : "one of " + known));
            }
        }
    }

    /** Some keys and more of them. */
    static List<String> keys(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    static RequestValues ofQuery(RoutingContext ctx, List<String> known) {
        Map<String, Object> values = new HashMap<>();
        ctx.queryParams().forEach(field -> {
            if (values.put(field.getKey(), field.getValue()) != null) {
                throw new IllegalArgumentException(shown(field.getKey()) + ": found it twice, expected it once");
            }
        });
        return new RequestValues(values, known);
    }

    /** The body of a POST. A browser sends no JSON from another site without asking first, and nobody says yes. */
    static RequestValues ofBody(RoutingContext ctx, List<String> known) {
        return new RequestValues(body(ctx).getMap(), known);
    }

    /** A request without a query. */
    static void ofNothing(RoutingContext ctx) {
        ofQuery(ctx, List.of());
    }

    /** What stands in the path of a request without a query. */
    static RequestValues ofPath(RoutingContext ctx) {
        ofNothing(ctx);
        return new RequestValues(
                new HashMap<>(ctx.pathParams()), ctx.pathParams().keySet());
    }

    static JsonObject body(RoutingContext ctx) {
        ofNothing(ctx);
        String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            try {
                JsonObject body = ctx.body().asJsonObject();
                if (body != null) {
                    return body;
                }
            } catch (DecodeException | ClassCastException e) {
                throw noObject(e);
            }
        }
        throw noObject(null);
    }

    private static IllegalArgumentException noObject(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "found no JSON object of type " + JSON + ", expected a JSON body with one", cause);
    }

    boolean hasOneOf(Collection<String> names) {
        return names.stream().anyMatch(name -> values.get(name) != null);
    }

    /**
     * Nobody changes all of them by leaving something out.
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

    /** Those of some values that are given, in a line that is fit to be shown: {@code consumer: mine, event: client.*}. */
    String shown(List<String> names) {
        return names.stream()
                .filter(name -> values.get(name) != null)
                .map(name -> name + ": " + shown(String.valueOf(values.get(name))))
                .collect(Collectors.joining(", "));
    }

    /** How many are to be on a page. */
    int limit() {
        return (int) number("limit", 1, LARGEST_PAGE, USUAL_PAGE);
    }

    /** Why something is given up, in a line that is fit to be shown. */
    String reason() {
        String reason = text("reason");
        if (reason == null || reason.isBlank()) {
            throw wrong("reason", "why they are discarded");
        }
        String line = Printable.line(reason).strip();
        return line.substring(0, Math.min(line.length(), LONGEST_REASON));
    }

    /**
     * Of {@code from} and {@code to}, or the one under a key of its own.
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

    /** Of {@code from} and {@code to}. */
    Range range(String what) {
        Range range = new Range(position("from", 0), position("to", Long.MAX_VALUE));
        if (range.to() < range.from()) {
            throw wrong("to", what + " from " + range.from() + " on, where from is");
        }
        return range;
    }

    /** Of {@code since} and {@code until}. */
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
            return value instanceof String text ? Long.valueOf(text) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Nullable
    String text(String name) {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(name, "a text");
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

    /** A day of the years 1970 to 9999. */
    LocalDate day(String name, LocalDate fallback) {
        String text = text(name);
        try {
            LocalDate day = text == null ? fallback : LocalDate.parse(text);
            if (text == null || (day.getYear() >= LocalDate.EPOCH.getYear() && day.getYear() <= LAST_YEAR)) {
                return day;
            }
        } catch (DateTimeException e) {
            // Said below.
        }
        throw wrong(name, "a day such as 2026-01-31");
    }

    /** False when it is left out. */
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
        if (line.isBlank()) {
            return '"' + line + '"';
        }
        return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "…";
    }
}
