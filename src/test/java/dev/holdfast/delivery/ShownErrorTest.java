package dev.holdfast.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of an error, and what of a push never is. */
class ShownErrorTest {
    private static final String HIDDEN = "(a message that may quote the push)";

    /** Not public, so its name says nothing to anyone. */
    private static final class Annotated extends ConnectException {
        private static final long serialVersionUID = 1L;

        Annotated(String message) {
            super(message);
        }
    }

    private static PushRecord push(String body) {
        Envelope envelope = new Envelope("", "client.created", "ent-1", null, null);
        return new PushRecord(
                1,
                "default",
                envelope,
                0,
                new RequestHead("0123456789abcdef", "", "", "key=opensesame"),
                body.getBytes(UTF_8));
    }

    private static String shown(String message, String body) {
        return ShownError.of(new IllegalStateException(message), List.of(push(body)), UnaryOperator.identity());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"13800138000\" | 13800138000",
                "13800138000 | 13800138000",
                "-12.50 | -12.50",
                "\"6222021234567890\" | 6222021234567890",
                "\" Zo\\u00eb M \" | Zoë M",
                "\"say \\\"hi\\\"\" | say \"hi\"",
                "\"one\\ntwo\" | one\\ntwo",
                "\"\\u738b\\u5c0f\\u660e\\u5317\\u4eac\\u5e02\\u671d\\u9633\\u533a\\u67d0\\u67d0\\u8def\\u4e00\\u53f7\" | "
                        + "王小明北京市朝阳区某某路",
                "[{\"deep\": [\"inside\"]}] | inside"
            })
    void aValueOfTheBodyIsNotShown(String inTheBody, String value) {
        String plain = value.replace("\\n", "\n");

        assertThat(shown("no such client: " + plain + "!", "{\"client\":{\"x\":" + inTheBody + "}}"))
                .isEqualTo("IllegalStateException: " + HIDDEN);
    }

    @Test
    void aPieceOfTheBodyAsItCameIsNotShown() {
        assertThat(shown("at name\" : \"Zoe!", "{\"first name\" : \"Zoe\\u00eb\"}"))
                .isEqualTo("IllegalStateException: " + HIDDEN);
    }

    @Test
    void aValueThatTheMessageWasCutInIsNotShownInPart() {
        String message = "x".repeat(195) + "13800138000";

        assertThat(shown(message, "{\"phone\":13800138000}")).isEqualTo("IllegalStateException: " + HIDDEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"of ent-1", "signed 0123456789abcdef", "to /x?key=opensesame", "of y=opensesame"})
    void neitherTheEnterprisesTokenNorTheSignatureNorTheQueryIsShown(String message) {
        assertThat(shown(message, "{}")).isEqualTo("IllegalStateException: " + HIDDEN);
    }

    @Test
    void aMessageThatHasNothingOfTheBodyIsShownOnOneBoundedLine() {
        assertThat(shown("connection\r\nrefused", "{\"phone\":\"13800138000\",\"age\":42}"))
                .isEqualTo("IllegalStateException: connection refused");
        assertThat(shown("y".repeat(1_000_000), "{\"phone\":\"13800138000\"}")).hasSizeLessThan(250);
    }

    @Test
    void whereTheBodyCannotBeLookedThroughNothingOfTheMessageIsShown() {
        assertThat(shown("refused", "{\"x\":\"" + "z".repeat(9_000_000) + "\"}"))
                .isEqualTo("IllegalStateException: " + HIDDEN);
        assertThat(shown("refused", "{broken")).isEqualTo("IllegalStateException: " + HIDDEN);
    }

    @Test
    void whatTheGatewayFailsWithIsItsMessageAsItIs() {
        String body = "{\"page\":\"https://receiver.example:443/there\"}";
        String message = "https://receiver.example:443 answered 500, expected 2xx";

        assertThat(ShownError.of(new RetryLater(message, Duration.ZERO), List.of(push(body)), UnaryOperator.identity()))
                .isEqualTo(message);
        assertThat(ShownError.of(new PermanentFailure(message), List.of(push(body)), UnaryOperator.identity()))
                .isEqualTo(message);
    }

    @Test
    void aRefusedConnectionIsSaidInWords() {
        ConnectException refused =
                new ConnectException("finishConnect(..) failed with error(-111): Connection refused: /127.0.0.1:1");

        assertThat(ShownError.of(refused, List.of(push("{}")), UnaryOperator.identity()))
                .isEqualTo("connection refused by 127.0.0.1:1");
    }

    @Test
    void anErrorIsNamedByTheNearestClassThatAnyoneKnows() {
        assertThat(ShownError.of(new Annotated("refused"), List.of(push("{}")), UnaryOperator.identity()))
                .isEqualTo("ConnectException: refused");
        assertThat(ShownError.of(new IOException(), List.of(push("{}")), UnaryOperator.identity()))
                .isEqualTo("IOException");
        assertThat(ShownError.of(
                        io.vertx.core.Future.failedFuture("down").cause(),
                        List.of(push("{}")),
                        UnaryOperator.identity()))
                .isEqualTo("down");
        assertThat(ShownError.of(new RuntimeException("down"), List.of(push("{}")), UnaryOperator.identity()))
                .isEqualTo("RuntimeException: down");
    }
}
