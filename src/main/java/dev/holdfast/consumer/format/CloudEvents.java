package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.push.Push;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A push as a CloudEvent of version 1.0 in its JSON format ("structured mode"), on one line. The platform's signature covers
 * the body that it sent, and not this envelope around it.
 */
public final class CloudEvents {
    public static final String CONTENT_TYPE = "application/cloudevents+json";
    /** The values of the option {@code format}. */
    public static final List<String> FORMATS = List.of("push", "cloudevents");

    private static final int MOST_YEARS = 9999;

    private CloudEvents() {}

    public static byte[] of(Push push) {
        return object(push).toByteArray();
    }

    /** The event with a newline at its end. */
    public static byte[] line(Push push) {
        ByteArrayOutputStream line = object(push);
        line.write('\n');
        return line.toByteArray();
    }

    private static ByteArrayOutputStream object(Push push) {
        return PushLine.object(push, CloudEvents::attributes, "data");
    }

    private static void attributes(Push push, JsonGenerator attributes) throws IOException {
        attributes.writeStringField("specversion", "1.0");
        attributes.writeStringField("id", push.endpoint() + ":" + push.seq());
        attributes.writeStringField("source", source(push));
        attributes.writeStringField("type", allowed(push.event()));
        attributes.writeStringField(
                "datacontenttype", push.unreadable() == null ? "application/json" : "application/octet-stream");
        OffsetDateTime time = time(push.createdAt());
        if (time != null) {
            attributes.writeStringField("time", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
        }
        if (!push.contentEncoding().isEmpty()) {
            attributes.writeStringField("contentencoding", allowed(push.contentEncoding()));
        }
        if (!push.query().isEmpty()) {
            attributes.writeStringField("query", HeaderText.visible(push.query()));
        }
        if (push.replay()) {
            attributes.writeBooleanField("replay", true);
        }
        if (push.late()) {
            attributes.writeBooleanField("late", true);
        }
    }

    private static String source(Push push) {
        return push.enterpriseToken().isEmpty()
                ? "/endpoints/" + segment(push.endpoint())
                : "/enterprises/" + segment(push.enterpriseToken());
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** The text with a U+FFFD for each character that no attribute may have (CloudEvents 1.0.2, "Type System"). */
    private static String allowed(String text) {
        return text.codePoints()
                .map(character -> isAllowed(character) ? character : 0xFFFD)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isAllowed(int character) {
        boolean isHalfPair = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        boolean isNoCharacter = (character >= 0xFDD0 && character <= 0xFDEF) || (character & 0xFFFE) == 0xFFFE;
        return !Character.isISOControl(character) && !isHalfPair && !isNoCharacter;
    }

    /** The time; null for years beyond four digits, which RFC 3339 doesn't have. */
    private static @Nullable OffsetDateTime time(@Nullable Instant createdAt) {
        OffsetDateTime time = createdAt == null ? null : createdAt.atOffset(ZoneOffset.UTC);
        return time == null || time.getYear() < 0 || time.getYear() > MOST_YEARS ? null : time;
    }
}
