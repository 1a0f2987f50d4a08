package dev.holdfast.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.push.Push;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.jackson.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A push as a CloudEvent of version 1.0 in its JSON format ("structured mode"), on one line. The platform's signature covers
 * the body that it sent, and not this envelope around it.
 */
final class CloudEvents {
    static final String CONTENT_TYPE = JsonFormat.CONTENT_TYPE;
    /** The values of the option {@code format}. */
    static final List<String> FORMATS = List.of("push", "cloudevents");

    private static final int MOST_YEARS = 9999;

    private final JsonFormat format = new JsonFormat();

    byte[] of(Push push) {
        CloudEventBuilder event = CloudEventBuilder.v1()
                .withId(push.endpoint() + ":" + push.seq())
                .withSource(source(push))
                .withType(push.event());
        OffsetDateTime time = time(push.createdAt());
        if (time != null) {
            event.withTime(time);
        }
        if (!push.contentEncoding().isEmpty()) {
            event.withExtension("contentencoding", push.contentEncoding());
        }
        if (!push.query().isEmpty()) {
            event.withExtension("query", push.query());
        }
        if (push.replay()) {
            event.withExtension("replay", true);
        }
        return format.serialize(withData(event, push).build());
    }

    /** The same with a newline behind it. */
    byte[] line(Push push) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(push.size() + 512);
        line.writeBytes(of(push));
        line.write('\n');
        return line.toByteArray();
    }

    /** Whatever the platform called an unreadable body, as JSON it would break the envelope. A compressed one is unreadable. */
    private static CloudEventBuilder withData(CloudEventBuilder event, Push push) {
        byte[] body = push.body().getBytes();
        if (push.unreadable() != null) {
            return event.withData("application/octet-stream", body);
        }
        ByteArrayOutputStream data = new ByteArrayOutputStream(body.length);
        PushLine.writeOnOneLine(body, data);
        return event.withData("application/json", data.toByteArray());
    }

    private static URI source(Push push) {
        return push.enterpriseToken().isEmpty()
                ? URI.create("/endpoints/" + segment(push.endpoint()))
                : URI.create("/enterprises/" + segment(push.enterpriseToken()));
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** RFC 3339 has years of four digits. */
    private static @Nullable OffsetDateTime time(@Nullable Instant createdAt) {
        OffsetDateTime time = createdAt == null ? null : createdAt.atOffset(ZoneOffset.UTC);
        return time == null || time.getYear() < 0 || time.getYear() > MOST_YEARS ? null : time;
    }
}
