package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.TestPush;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.jackson.JsonFormat;
import io.vertx.core.json.JsonObject;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pushes as CloudEvents, read back by the SDK. */
class CloudEventsTest {
    private static byte[] write(byte[] body) {
        return write(body, new RequestHead("abc", "text/x", "", ""));
    }

    private static byte[] write(byte[] body, RequestHead head) {
        return CloudEvents.of(TestPush.of(TestPush.record(7, body, head), 1));
    }

    private static CloudEvent event(byte[] body) {
        return new JsonFormat().deserialize(write(body));
    }

    private static CloudEvent event(String body) {
        return event(body.getBytes(UTF_8));
    }

    @Test
    void theAttributesComeFromThePush() {
        CloudEvent event =
                event("{\"event\":\"client.created\",\"enterprise_token\":\"ent-1\",\"created_at\":1700000000}");

        assertThat(event.getSpecVersion().toString()).isEqualTo("1.0");
        assertThat(event.getId()).isEqualTo("default:7");
        assertThat(event.getType()).isEqualTo("client.created");
        assertThat(event.getSource()).hasToString("/enterprises/ent-1");
        assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2023-11-14T22:13:20Z"));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
    }

    @Test
    void theDataIsTheBodyDigitByDigitOnOneLine() {
        String body =
                "\uFEFF{\"event\":\n\"client.created\",\"name\":\"Zoë \\n\",\"n\":1.50e+2,\"n\":12345678901234567890}";
        String written = new String(write(body.getBytes(UTF_8)), UTF_8);

        assertThat(written)
                .contains("\"data\":" + body.substring(1).replace('\n', ' '))
                .doesNotContain("\n");
        assertThat(new JsonObject(written).getJsonObject("data").getString("name"))
                .isEqualTo("Zoë \n");
    }

    @Test
    void anUnreadableBodyIsItsBytes() {
        byte[] body = {'{', (byte) 0xff};
        CloudEvent event = event(body);

        assertThat(event.getType()).isEqualTo("push.unreadable");
        assertThat(event.getSource()).hasToString("/endpoints/default");
        assertThat(event.getDataContentType()).isEqualTo("application/octet-stream");
        assertThat(event.getTime()).isNull();
        assertThat(Objects.requireNonNull(event.getData())).isEqualTo(BytesCloudEventData.wrap(body));
    }

    @Test
    void aCompressedBodyIsItsBytesAndAnExtensionNamesTheCompression() {
        byte[] body = {31, -117, 8};
        CloudEvent event = new JsonFormat().deserialize(write(body, new RequestHead("abc", "", "gzip", "a=1")));

        assertThat(event.getExtension("contentencoding")).isEqualTo("gzip");
        assertThat(event.getExtension("query")).isEqualTo("a=1");
        assertThat(event.getDataContentType()).isEqualTo("application/octet-stream");
        assertThat(Objects.requireNonNull(event.getData())).isEqualTo(BytesCloudEventData.wrap(body));
    }

    @Test
    void anyEnterpriseTokenMakesASource() {
        assertThat(event("{\"event\":\"e\",\"enterprise_token\":\"a b/ü?#%<\"}").getSource())
                .hasToString("/enterprises/a%20b%2F%C3%BC%3F%23%25%3C");
    }

    /** By the specification's type system. */
    @Test
    void noAttributeHasACharacterThatNoneMayHave() {
        byte[] body = "{\"event\":\"a\\ud800b\\ufffe\\ufdd0\\ud83d\\ude00ü\"}".getBytes(UTF_8);
        RequestHead head = new RequestHead("abc", "", "gzip\u0085, br", "a=\u00e2\u0080\u00a6%20");
        CloudEvent event = new JsonFormat().deserialize(write(body, head));

        assertThat(event.getType()).isEqualTo("a\ufffdb\ufffd\ufffd\ud83d\ude00ü");
        assertThat(event.getExtension("contentencoding")).isEqualTo("gzip\ufffd, br");
        assertThat(event.getExtension("query")).isEqualTo("a=%E2%80%A6%20");
    }

    @Test
    void aTimeThatNoCalendarHasIsLeftOut() {
        assertThat(event("{\"event\":\"e\",\"created_at\":999999999999}").getTime())
                .isNull();
        assertThat(event("{\"event\":\"e\",\"created_at\":-999999999999}").getTime())
                .isNull();
    }

    @Test
    void aReplayedPushIsMarkedAndNoOther() {
        byte[] body = "{\"event\":\"e\"}".getBytes(UTF_8);
        PushRecord record = TestPush.record(7, body, new RequestHead("abc", "text/x", "", ""));
        byte[] replayed = CloudEvents.of(new Push(record, new BusinessData(null), 1, true, Map.of()));

        assertThat(new JsonFormat().deserialize(replayed).getExtension("replay"))
                .isEqualTo(true);
        assertThat(event(body).getExtensionNames()).isEmpty();
    }

    @Test
    void aLatePushIsMarked() {
        PushRecord record =
                TestPush.record(7, "{\"event\":\"e\"}".getBytes(UTF_8), new RequestHead("abc", "text/x", "", ""));
        byte[] late = CloudEvents.of(TestPush.of(record.lateAt(2_500), 1));

        assertThat(new JsonFormat().deserialize(late).getExtension("late")).isEqualTo(true);
    }
}
