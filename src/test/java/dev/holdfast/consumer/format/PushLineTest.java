package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.TestPush;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PushLineTest {
    private static String line(String body) throws Exception {
        return line(body, false);
    }

    private static String line(String body, boolean replay) throws Exception {
        byte[] bytes = body.getBytes(UTF_8);
        return line(bytes, new RequestHead("abc", "a/b", "", ""), replay);
    }

    private static String line(byte[] body, RequestHead head, boolean replay) throws Exception {
        PushRecord record = TestPush.record(7, body, head);
        return new String(PushLine.of(new Push(record, new BusinessData(null), 2, replay, Map.of())), UTF_8);
    }

    @Test
    void theBodyStandsThereAsItCame() throws Exception {
        String body = "{\"event\":\"e\", \"n\": 1.50e+2,\"s\":\"\\u00e9é\\n\",\"n\":12345678901234567890}";

        assertThat(line(body)).endsWith("\"attempt\":2,\"body\":" + body + "}\n");
    }

    @Test
    void aBodyOfManyLinesStandsOnOne() throws Exception {
        assertThat(line("\uFEFF \r\n{\r\n\t\"event\":\n\"e\"\n}\n")).endsWith("\"body\":{  \t\"event\": \"e\" } }\n");
    }

    @Test
    void whatIsKnownOfThePushStandsBeforeItsBody() throws Exception {
        assertThat(line("{\"event\":\"e\",\"id\":\"i\",\"enterprise_token\":\"t\",\"created_at\":1700000000}"))
                .startsWith(
                        "{\"seq\":7,\"endpoint\":\"default\",\"id\":\"i\",\"event\":\"e\",\"enterprise_token\":\"t\","
                                + "\"created_at\":\"2023-11-14T22:13:20Z\",\"received_at\":\"1970-01-01T00:00:01.500Z\","
                                + "\"content_type\":\"a/b\",\"signature\":\"abc\",\"attempt\":2,\"body\":{");
        assertThat(line("{\"event\":\"e\"}")).contains("\"created_at\":null,");
    }

    @Test
    void aReplayedPushIsMarked() throws Exception {
        assertThat(line("{\"event\":\"e\"}", true))
                .endsWith(",\"attempt\":2,\"replay\":true,\"body\":{\"event\":\"e\"}}\n");
    }

    @Test
    void aLatePushIsMarked() throws Exception {
        PushRecord record = TestPush.record(
                        7, "{\"event\":\"e\"}".getBytes(UTF_8), new RequestHead("abc", "a/b", "", ""))
                .lateAt(2_500);

        assertThat(new String(PushLine.of(TestPush.of(record, 1)), UTF_8))
                .endsWith(",\"attempt\":1,\"late\":true,\"body\":{\"event\":\"e\"}}\n");
    }

    @Test
    void aContentEncodingAndAQueryStandThereWhereThereAreSome() throws Exception {
        RequestHead head = new RequestHead("abc", "a/b", "gzip", "a=\"1\"&b");

        assertThat(line(new byte[] {31, -117, 8}, head, false))
                .contains(
                        "\"content_type\":\"a/b\",\"content_encoding\":\"gzip\",\"query\":\"a=\\\"1\\\"&b\",\"signature\":")
                .endsWith("\"unreadable\":\"not-utf8\",\"body_base64\":\"H4sI\"}\n");
        assertThat(line("{\"event\":\"e\"}".getBytes(UTF_8), head, false))
                .as("a body that is JSON, whatever its Content-Encoding says")
                .contains("\"content_encoding\":\"gzip\"")
                .endsWith(",\"body\":{\"event\":\"e\"}}\n");
    }

    @Test
    void anUnreadableBodyIsBase64() throws Exception {
        assertThat(line("[1]")).endsWith("\"unreadable\":\"not-an-object\",\"body_base64\":\"WzFd\"}\n");
    }
}
