package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Envelope;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each row of the guide's page on bad inputs, sent to one gateway, and after each a right push on a fresh connection; and the
 * same where HTTP/2 is offered beside HTTP/1.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class HostileRequestsTest {
    private static final List<BadInput> ROWS = BadInput.ofGuide();
    /** Right where HTTP/2 is offered. */
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /** How often each status was answered. */
    private static final Map<Integer, Integer> ANSWERS = new TreeMap<>();

    private static final int GO_AHEAD = 100;

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;
    private static List<BadInput> rows;
    private static int pushes;
    private static long next;

    @Parameter
    boolean http2;

    @BeforeParameterizedClassInvocation
    static void start(boolean http2) throws IOException {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 64KiB").receiver("http2: " + http2);
        gateway = GatewayUnderTest.start(settings, Files.createDirectory(directory.resolve("http2-" + http2)));
        rows = ROWS.stream()
                .filter(row -> !http2 || !row.request().startsWith(PREFACE))
                .toList();
        next = 1;
        ANSWERS.clear();
    }

    @AfterParameterizedClassInvocation
    static void eachAnswerWasCountedOnce() {
        try (GatewayUnderTest other = gateway) {
            ANSWERS.forEach((status, answers) -> assertThat(
                            other.metric("holdfast_receiver_answers_total{status=\"" + status + "\"}"))
                    .as("answers with %d", status)
                    .isEqualTo(answers.doubleValue()));
        }
    }

    static List<BadInput> rows() {
        return rows;
    }

    @Test
    void theGuideHasEachRowOnce() {
        assertThat(ROWS).hasSizeGreaterThan(200);
        assertThat(ROWS).extracting(BadInput::what).doesNotHaveDuplicates();
        assertThat(ROWS).extracting(BadInput::request).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isAnsweredAsTheGuideSays(BadInput row) {
        List<Integer> statuses = new ArrayList<>();
        List<String> expected = new ArrayList<>(
                row.kept().stream().map(HostileRequestsTest::shown).toList());
        try (RawConnection connection = gateway.connect()) {
            connection.send(row.request());
            if (row.ends()) {
                connection.endSending();
            }
            for (int i = 0; i < row.answers().size(); i++) {
                statuses.add(answer(row, connection));
            }
            assertThat(statuses).isEqualTo(row.answers());
            if (row.closes()) {
                assertThat(connection.isClosed()).isTrue();
            } else {
                expected.add(pushOn(connection));
            }
        }
        try (RawConnection connection = gateway.connect()) {
            expected.add(pushOn(connection));
        }

        assertThat(keptSince()).isEqualTo(expected);
    }

    private static int answer(BadInput row, RawConnection connection) {
        HttpAnswer answer = row.request().startsWith("HEAD ") ? connection.answerWithoutBody() : connection.answer();
        int status = answer.status();
        if (status != GO_AHEAD) {
            ANSWERS.merge(status, 1, Integer::sum);
        }
        assertThat(answer.header("allow")).isEqualTo(status == 405 ? "POST" : null);
        assertThat(answer.body()).doesNotContain("xception").hasSizeLessThan(100);
        if (status == 401) {
            assertThat(answer.headers().keySet()).containsExactlyInAnyOrder("content-type", "content-length");
            assertThat(answer.body()).isEqualTo("the signature is missing or wrong\n");
        } else if (status >= 400) {
            assertThat(answer.header("connection")).isEqualTo("close");
        }
        return status;
    }

    /** A right push, which is taken; what is kept of it. */
    private static String pushOn(RawConnection connection) {
        String body = envelope("client.right", ++pushes);
        assertThat(connection.send(GatewayUnderTest.signed(body)).answer().status())
                .isEqualTo(200);
        ANSWERS.merge(200, 1, Integer::sum);
        return shown(new BadInput.Kept(body, false));
    }

    /** What was kept since this was asked last. */
    private static List<String> keptSince() {
        JsonObject found = new JsonObject(
                gateway.management("/api/v1/pushes?order=oldest&from=" + next).body());
        List<JsonObject> list = found.getJsonArray("pushes").stream()
                .map(push -> (JsonObject) push)
                .toList();
        next = list.get(list.size() - 1).getLong("seq") + 1;
        return list.stream()
                .map(push -> gateway.management("/api/v1/pushes/" + push.getLong("seq")))
                .map(answer -> new JsonObject(answer.body()))
                .map(push -> shown(new BadInput.Kept(
                        new String(Base64.getDecoder().decode(push.getString("body")), ISO_8859_1),
                        push.getString("event").equals(Envelope.UNREADABLE))))
                .toList();
    }

    private static String shown(BadInput.Kept kept) {
        return (kept.unreadable() ? "unreadable " : "") + kept.body();
    }
}
