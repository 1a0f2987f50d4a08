package dev.holdfast.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/**
 * A JSON object for each line: {@code time} (ISO 8601, UTC), {@code level}, {@code logger}, {@code thread}, {@code
 * message}, the line's other keys, such as {@code seq} or {@code consumer}, and {@code error} with the stack trace if
 * there is one. Texts are {@link Printable}. In a line that would be too long each text is cut, so that it is still
 * JSON.
 */
final class JsonLines extends LayoutBase<ILoggingEvent> {
    /** Longest text in a line that is too long; a character takes at most seven bytes. */
    private static final int CUT_CHARACTERS = 4_000;

    private static final int MOST_BYTES_OF_CHARACTER = 3;
    private static final JsonFactory JSON = new JsonFactory();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Override
    public String doLayout(ILoggingEvent event) {
        String line = line(event, Integer.MAX_VALUE);
        return isTooLong(line) ? line(event, CUT_CHARACTERS) : line;
    }

    private static boolean isTooLong(String line) {
        return line.length() > LineWriter.LONGEST / MOST_BYTES_OF_CHARACTER
                && line.getBytes(StandardCharsets.UTF_8).length > LineWriter.LONGEST;
    }

    private static String line(ILoggingEvent event, int longest) {
        StringWriter line = new StringWriter(512);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            for (Map.Entry<String, Object> field : fields(event).entrySet()) {
                json.writeFieldName(field.getKey());
                if (field.getValue() instanceof Number number && Double.isFinite(number.doubleValue())) {
                    json.writeNumber(number.toString());
                } else {
                    json.writeString(Printable.text(Printable.cut(String.valueOf(field.getValue()), longest)));
                }
            }
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("memory can't be written", e);
        }
        return line.toString();
    }

    private static Map<String, Object> fields(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
        fields.put("level", event.getLevel().toString());
        fields.put("logger", event.getLoggerName());
        fields.put("thread", event.getThreadName());
        fields.put("message", event.getFormattedMessage());
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.putIfAbsent(pair.key, pair.value));
        }
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            fields.put("error", ThrowableProxyUtil.asString(thrown));
        }
        return fields;
    }
}
