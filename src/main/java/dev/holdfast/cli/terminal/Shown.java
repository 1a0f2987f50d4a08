package dev.holdfast.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.function.BiFunction;

/** Values of the API in the form that people read. A missing or null value is a dash. */
public final class Shown {
    public static final String NOTHING = "-";
    /** Where the parts of an ISO 8601 time end. */
    private static final int YEAR = 4;

    private static final int DAY = 10;
    private static final int MINUTES = 16;
    private static final int SECONDS = 19;
    private static final int KIBI = 1024;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Shown() {}

    /** A field on one line. */
    public static String text(JsonNode object, String field) {
        String text = object.path(field).isNull()
                ? ""
                : Printable.line(object.path(field).asText());
        return text.isEmpty() ? NOTHING : text;
    }

    /** A field in columns. */
    public static Object number(JsonNode object, String field) {
        return object.path(field).isNumber() ? object.path(field).numberValue() : Cell.figure(NOTHING);
    }

    /** A number in columns, in a colour when it isn't 0. */
    public static BiFunction<JsonNode, String, Cell> alarming(Style style) {
        return (object, field) ->
                Cell.styled(object.path(field).asLong() > 0 ? style : Style.PLAIN, number(object, field));
    }

    /** A time to the second, in UTC; in brief the time of day alone for today's, and no seconds and year for others. */
    public static Cell time(JsonNode object, String field) {
        return time(object.path(field).asText(""), LocalDate.now(ZoneOffset.UTC).toString());
    }

    static Cell time(String time, String today) {
        if (time.length() <= SECONDS) {
            return Cell.whole(time.isEmpty() ? NOTHING : time);
        }
        String brief = time.startsWith(today)
                ? time.substring(DAY + 1, SECONDS) + "Z"
                : time.substring(YEAR + 1, DAY) + " " + time.substring(DAY + 1, MINUTES) + "Z";
        return Cell.time(time.substring(0, SECONDS) + "Z", brief);
    }

    public static Cell bytes(JsonNode object, String field) {
        return object.path(field).isNumber()
                ? Cell.figure(bytes(object.path(field).asLong()))
                : Cell.figure(NOTHING);
    }

    public static String bytes(long bytes) {
        double rest = bytes;
        int unit = 0;
        while (rest >= KIBI && unit < UNITS.length - 1) {
            rest /= KIBI;
            unit++;
        }
        return (unit == 0 ? Long.toString(bytes) : String.format(Locale.ROOT, "%.1f", rest)) + " " + UNITS[unit];
    }

    /** Seconds as {@code 2m 30s}; a dash for none. */
    public static String seconds(JsonNode object, String field) {
        return object.path(field).isNumber()
                ? span(Math.round(object.path(field).asDouble()))
                : NOTHING;
    }

    /** A time span in its two largest units. */
    public static String span(long seconds) {
        Duration span = Duration.ofSeconds(seconds);
        if (span.toDays() > 0) {
            return span.toDays() + "d " + span.toHoursPart() + "h";
        }
        if (span.toHours() > 0) {
            return span.toHours() + "h " + span.toMinutesPart() + "m";
        }
        return span.toMinutes() > 0 ? span.toMinutes() + "m " + span.toSecondsPart() + "s" : seconds + "s";
    }

    /** A number with a decimal where it has one. */
    public static String decimal(JsonNode object, String field) {
        double number = object.path(field).asDouble();
        return object.path(field).isNumber()
                ? String.format(Locale.ROOT, number >= 100 || number == Math.rint(number) ? "%,.0f" : "%.1f", number)
                : NOTHING;
    }

    /** A body as text. */
    public static String body(JsonNode object) throws IOException {
        return Printable.text(new String(object.get("body").binaryValue(), StandardCharsets.UTF_8));
    }
}
