package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that are wrong: what they are answered, and that the connection ends with the answer. */
@Execution(ExecutionMode.CONCURRENT)
class RequestHeadTest {
    private static final byte[] BODY = bytes(envelope("client.created", 1));
    private static final String LINE = "POST /webhook HTTP/1.1\r\n";
    private static final String HOST = "Host: gateway\r\n";
    private static final String SIGNATURE = "Service-Signature: " + sign(BODY) + "\r\n";
    private static final String LENGTH = "Content-Length: " + BODY.length + "\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
    private static final String TEXT = new String(BODY, java.nio.charset.StandardCharsets.UTF_8);
    private static final String CHUNK = Integer.toHexString(BODY.length) + "\r\n" + TEXT + "\r\n";
    private static final String IN_CHUNKS = CHUNK + "0\r\n\r\n";

    @TempDir
    static Path directory;

    @TempDir
    static Path countedDirectory;

    /** How often each status came from {@link #counted}. */
    private static final Map<Integer, Integer> ANSWERS = new ConcurrentHashMap<>();

    private static GatewayUnderTest gateway;
    /** Gets the wrong heads and nothing else. */
    private static GatewayUnderTest counted;

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
        counted = GatewayUnderTest.start(new GatewaySettings(), countedDirectory);
    }

    @AfterAll
    static void eachAnswerWasCountedOnce() {
        gateway.close();
        try (GatewayUnderTest other = counted) {
            ANSWERS.forEach((status, answers) -> assertThat(
                            other.metric("holdfast_receiver_answers_total{status=\"" + status + "\"}"))
                    .as("answers with %d", status)
                    .isEqualTo(answers.doubleValue()));
        }
    }

    static Stream<Arguments> wrongHeads() {
        return Stream.of(
                Arguments.of("no Host", 400, LINE + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("two Hosts", 400, LINE + HOST + "Host: other\r\n" + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("the same Host twice", 400, LINE + HOST + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "absolute form",
                        400,
                        "POST http://gateway/webhook HTTP/1.1\r\n" + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("authority form", 400, "CONNECT gateway:80 HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of("asterisk form", 400, "OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of("the same length twice", 400, LINE + HOST + SIGNATURE + LENGTH + LENGTH + "\r\n" + TEXT),
                Arguments.of("two lengths", 400, LINE + HOST + SIGNATURE + LENGTH + "Content-Length: 1\r\n\r\n" + TEXT),
                Arguments.of(
                        "a list of lengths",
                        400,
                        LINE + HOST + SIGNATURE + "Content-Length: " + BODY.length + ", " + BODY.length + "\r\n\r\n"
                                + TEXT),
                Arguments.of("a negative length", 400, LINE + HOST + SIGNATURE + "Content-Length: -1\r\n\r\n"),
                Arguments.of("a signed length", 400, LINE + HOST + SIGNATURE + "Content-Length: +5\r\n\r\n12345"),
                Arguments.of("a length in words", 400, LINE + HOST + SIGNATURE + "Content-Length: five\r\n\r\n12345"),
                Arguments.of(
                        "a length beyond numbers",
                        400,
                        LINE + HOST + SIGNATURE + "Content-Length: 99999999999999999999\r\n\r\n"),
                Arguments.of("length and chunks", 400, LINE + HOST + SIGNATURE + LENGTH + CHUNKED + "\r\n" + IN_CHUNKS),
                Arguments.of("chunks and length", 400, LINE + HOST + SIGNATURE + CHUNKED + LENGTH + "\r\n" + IN_CHUNKS),
                Arguments.of(
                        "a coding that is no chunks",
                        400,
                        LINE + HOST + SIGNATURE + "Transfer-Encoding: gzip\r\n\r\n" + TEXT),
                Arguments.of(
                        "an unknown coding before the chunks",
                        400,
                        LINE + HOST + SIGNATURE + "Transfer-Encoding: gzip, chunked\r\n\r\n" + IN_CHUNKS),
                Arguments.of("chunks twice", 400, LINE + HOST + SIGNATURE + CHUNKED + CHUNKED + "\r\n" + IN_CHUNKS),
                Arguments.of(
                        "a coding that looks like chunks",
                        400,
                        LINE + HOST + SIGNATURE + "Transfer-Encoding: xchunked\r\n\r\n" + IN_CHUNKS),
                Arguments.of(
                        "chunks in HTTP/1.0",
                        400,
                        "POST /webhook HTTP/1.0\r\n" + HOST + SIGNATURE + CHUNKED + "\r\n" + IN_CHUNKS),
                Arguments.of("a blank before the colon", 400, LINE + HOST + "Service-Signature : 1\r\n\r\n"),
                Arguments.of("a NUL in a header", 400, LINE + HOST + "X: a\0b\r\n\r\n"),
                Arguments.of("an empty header name", 400, LINE + HOST + SIGNATURE + ": x\r\n" + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "an empty header name and value",
                        400,
                        LINE + HOST + SIGNATURE + ":\r\n" + LENGTH + "\r\n" + TEXT),
                Arguments.of("HTTP/2.0", 505, "POST /webhook HTTP/2.0\r\n" + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("HTTP/1.9", 505, "POST /webhook HTTP/1.9\r\n" + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("HTTP/0.9", 505, "POST /webhook HTTP/0.9\r\n" + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("a chunk without a size", 400, chunked("zz\r\n" + TEXT)),
                Arguments.of("a chunk with a signed size", 400, chunked("-1\r\n" + TEXT)),
                Arguments.of("a chunk with a size of C", 400, chunked("0x5\r\nhello\r\n0\r\n\r\n")),
                Arguments.of("a chunk with a size beyond numbers", 400, chunked("FFFFFFFFFFFFFFFFF\r\nhello")),
                Arguments.of("an empty chunk size", 400, chunked("\r\n" + TEXT)),
                Arguments.of("a chunk longer than its size", 400, chunked("5\r\nhelloX\r\n0\r\n\r\n")),
                Arguments.of("a malformed chunk after a good one", 400, chunked(CHUNK + "zz\r\n" + "x".repeat(20_000))),
                Arguments.of("a NUL in a chunk's extension", 400, chunked("5;a=\0\r\nhello\r\n0\r\n\r\n")),
                Arguments.of("a trailer without a colon", 400, chunked(CHUNK + "0\r\nnonsense\r\n\r\n")),
                Arguments.of("a trailer with an empty name", 400, chunked(CHUNK + "0\r\n: x\r\n\r\n")),
                Arguments.of("a trailer with a blank in its name", 400, chunked(CHUNK + "0\r\na b: x\r\n\r\n")),
                Arguments.of("a NUL in a trailer", 400, chunked(CHUNK + "0\r\nA: b\0c\r\n\r\n")),
                Arguments.of("a large trailer", 400, chunked(CHUNK + "0\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")),
                Arguments.of("a header without a colon", 400, LINE + HOST + "nonsense\r\n\r\n"),
                Arguments.of(
                        "another Expect", 417, LINE + HOST + SIGNATURE + "Expect: tea\r\n" + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "another Expect beside the known one",
                        417,
                        LINE + HOST + SIGNATURE + "Expect: 100-continue\r\nExpect: tea\r\n" + LENGTH + "\r\n" + TEXT),
                Arguments.of("other path", 404, "POST /other HTTP/1.1\r\n" + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT),
                Arguments.of("path below", 404, "POST /webhook/x HTTP/1.1\r\n" + HOST + LENGTH + "\r\n" + TEXT),
                Arguments.of("root", 404, "GET / HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(
                        "a path that can't be decoded", 400, "POST /%zz HTTP/1.1\r\n" + HOST + LENGTH + "\r\n" + TEXT),
                Arguments.of("other method", 405, "PUT /webhook HTTP/1.1\r\n" + HOST + LENGTH + "\r\n" + TEXT),
                Arguments.of("GET", 405, "GET /webhook HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of("an unheard-of method", 405, "BREW /webhook HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(
                        "many headers", 431, LINE + HOST + SIGNATURE + many("X-%d: 1\r\n") + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "many headers of one name",
                        431,
                        LINE + HOST + SIGNATURE + many("X: %d\r\n") + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "a large header",
                        431,
                        LINE + HOST + SIGNATURE + "X: " + "x".repeat(20_000) + "\r\n" + LENGTH + "\r\n" + TEXT),
                Arguments.of(
                        "a long target",
                        414,
                        "POST /webhook?" + "x".repeat(5_000) + " HTTP/1.1\r\n" + HOST + LENGTH + "\r\n" + TEXT));
    }

    private static String chunked(String chunks) {
        return LINE + HOST + SIGNATURE + CHUNKED + "\r\n" + chunks;
    }

    private static String many(String header) {
        StringBuilder headers = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            headers.append(header.formatted(i));
        }
        return headers.toString();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("wrongHeads")
    void isAnsweredAndTheConnectionEnds(String what, int status, String request) {
        try (RawConnection connection = counted.connect()) {
            HttpAnswer answer = connection.send(request).answer();
            ANSWERS.merge(answer.status(), 1, Integer::sum);

            assertThat(answer.status()).as(what).isEqualTo(status);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(answer.header("allow")).isEqualTo(status == 405 ? "POST" : null);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aHeadRequestIsAnswered405WithoutABody() {
        try (RawConnection connection = gateway.connect()) {
            HttpAnswer answer = connection
                    .send("HEAD /webhook HTTP/1.1\r\n" + HOST + "\r\n")
                    .answerWithoutBody();

            assertThat(answer.status()).isEqualTo(405);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /webhook HTTP/2.0\r\n",
                "POST /webhook HTTP/3.7\r\n",
                "POST /webhook HTTP/1.9\r\n",
                "POST /webhook HTTP/0.9\r\n",
                "POST /webhook\r\n",
                "\0\1\2\3\r\n"
            })
    void aLineThatIsNoHttpIsNeverAnswered200AndEndsTheConnection(String line) {
        try (RawConnection connection = gateway.connect()) {
            connection.send(line + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT);

            assertThat(connection.everything()).doesNotContain(" 200 ").doesNotContain("xception");
        }
    }

    @Test
    void aMalformedChunkBehindAPipelinedPushCostsThatOneNothing() {
        try (RawConnection connection = gateway.connect()) {
            connection.send(LINE + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT + chunked(CHUNK + "zz\r\n"));

            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(400);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 40})
    void aClientThatHasEndedItsHalfIsAnsweredAllTheSame(int pushes) {
        try (RawConnection connection = gateway.connect()) {
            connection
                    .send((LINE + HOST + SIGNATURE + LENGTH + "\r\n" + TEXT).repeat(pushes))
                    .endSending();

            for (int i = 0; i < pushes; i++) {
                assertThat(connection.answer().status()).isEqualTo(200);
            }
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1000\r\n\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "Content-Length: 1000\r\n\r\n",
                "Content-Length: 10"
            })
    void aClientThatHasEndedItsHalfTooEarlyIsAnswered400(String rest) {
        try (RawConnection connection = gateway.connect()) {
            connection.send(LINE + HOST + SIGNATURE + rest).endSending();

            HttpAnswer answer = connection.answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aClientThatEndsItsHalfWithoutARequestIsClosed() {
        try (RawConnection connection = gateway.connect()) {
            connection.endSending();

            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void http2ByPriorKnowledgeIsNotSpoken() {
        try (RawConnection connection = gateway.connect()) {
            connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");

            assertThat(connection.everything()).doesNotStartWith("\0").doesNotContain(" 200 ");
        }
    }

    @Test
    void http2ByUpgradeIsNotSpokenAndThePushIsTaken() {
        byte[] body = bytes(envelope("client.created", 2));
        byte[] request = GatewayUnderTest.request(
                body,
                "Service-Signature: " + sign(body),
                "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA");

        assertThat(gateway.send(request).status()).isEqualTo(200);
    }

    @Test
    void http10IsTaken() {
        String request = "POST /webhook HTTP/1.0\r\n" + SIGNATURE + LENGTH + "\r\n" + TEXT;
        try (RawConnection connection = gateway.connect()) {
            assertThat(connection.send(request).everything()).contains(" 200 ");
        }
    }

    @Test
    void aKeptConnectionTakesOnePushAfterAnother() {
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < 200; i++) {
                assertThat(connection
                                .send(signed(envelope("client.created", 100 + i)))
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
        }
    }
}
