package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Push;
import dev.holdfast.push.Unreadable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a push is answered, and what becomes of it (design, section 5): one gateway for all. */
class StatusTableTest {
    private static final int MAX_BODY = 256 * 1024;
    private static final AtomicInteger UNIQUE = new AtomicInteger();
    private static final Deliveries ALL = new Deliveries();
    private static final Deliveries STAR = new Deliveries();
    private static final Deliveries EMOJI = new Deliveries();

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("max-body: " + MAX_BODY + "B")
                .consumer("everything", "*, push.unreadable", ALL)
                .consumer("star", "*, push.*", STAR)
                .consumer("emoji", "client.emoji", EMOJI)
                .endpoint("default", "/webhook", "Service-Signature", GatewayUnderTest.SECRET)
                .endpoint("rotating", "/rotating", "Service-Signature", "the-old-secret-of-it", "the-new-secret-of-it")
                .endpoint("branded", "/a/b%20c/", "Brand-Signature", "the-secret-of-the-brand")
                .endpoint("escaped", "/web%2Dhook", "Service-Signature", "the-secret-of-the-escaped")
                .endpoint("slashed", "/webhook/", "Service-Signature", "the-secret-of-the-slashed");
        gateway = GatewayUnderTest.start(settings, directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String fresh(String event) {
        return envelope(event, UNIQUE.incrementAndGet());
    }

    private static Push delivered(byte[] body) {
        eventually(() -> assertThat(copies(body)).isNotEmpty());
        return copies(body).get(0);
    }

    private static List<Push> copies(byte[] body) {
        return ALL.handled().stream()
                .filter(push -> java.util.Arrays.equals(push.body().getBytes(), body))
                .toList();
    }

    @Test
    void aRightSignatureIsAnswered200WithNothing() {
        HttpAnswer answer = gateway.push(fresh("client.created"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("holdfast-duplicate")).isNull();
    }

    @Test
    void theSameBytesAreADuplicateAndDeliveredOnce() {
        String body = fresh("client.created");
        double before = gateway.metric("holdfast_receiver_duplicates_total");

        assertThat(gateway.push(body).status()).isEqualTo(200);
        HttpAnswer second = gateway.push(body);
        String later = fresh("client.created");
        gateway.push(later);
        Push first = delivered(bytes(body));
        delivered(bytes(later));

        assertThat(second.status()).isEqualTo(200);
        assertThat(second.header("holdfast-duplicate")).isEqualTo(Long.toString(first.seq()));
        assertThat(copies(bytes(body))).hasSize(1);
        assertThat(gateway.metric("holdfast_receiver_duplicates_total") - before)
                .isEqualTo(1);
    }

    @Test
    void theSameBytesAtTwoEndpointsAreTwoPushes() {
        byte[] body = bytes(fresh("client.created"));

        gateway.push(body);
        HttpAnswer other =
                gateway.send(requestTo("/rotating", body, "Service-Signature: " + sign(body, "the-new-secret-of-it")));

        assertThat(other.header("holdfast-duplicate")).isNull();
        eventually(() -> assertThat(copies(body)).hasSize(2));
        assertThat(copies(body)).extracting(Push::endpoint).containsExactlyInAnyOrder("default", "rotating");
    }

    @Test
    void twoDifferentPushesWithTheSameIdAreBothDelivered() {
        byte[] one = bytes(fresh("client.updated"));
        byte[] other = bytes(fresh("client.updated"));

        gateway.push(one);
        gateway.push(other);

        assertThat(delivered(one).id()).isEqualTo(delivered(other).id());
        assertThat(delivered(one).seq()).isNotEqualTo(delivered(other).seq());
    }

    @Test
    void anUnreadablePushIsForThoseOnlyThatNameIt() {
        String broken = "{broken " + UNIQUE.incrementAndGet();
        String later = fresh("push.unread");

        gateway.push(broken);
        gateway.push(later);

        Push push = delivered(bytes(broken));
        assertThat(push.event()).isEqualTo("push.unreadable");
        assertThat(push.unreadable()).isEqualTo(Unreadable.NOT_JSON);
        eventually(() -> assertThat(STAR.bodies()).contains(later));
        assertThat(STAR.events()).doesNotContain("push.unreadable");
    }

    @Test
    void unreadableBodiesAreCountedByCause() {
        String series = "holdfast_receiver_unreadable_total{cause=\"" + Unreadable.NOT_JSON.label() + "\"}";
        double before = gateway.metric(series);

        gateway.push("{broken " + UNIQUE.incrementAndGet());

        assertThat(gateway.metric(series) - before).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ticket.opened",
                "nodots",
                "\u4f1a\u8bdd.created",
                "push.any",
                "push.unreadable",
                "token.current",
                "holdfast.consumer.everything.1",
                "__vertx.reply.1",
                "a..b",
                ".",
                "*",
                " ",
                "conversation.*"
            })
    void anUnknownEventIsAnswered200AndDeliveredUnderItsOwnName(String event) {
        String body = fresh(event);

        assertThat(gateway.push(body).status()).isEqualTo(200);

        Push push = delivered(bytes(body));
        assertThat(push.event()).isEqualTo(event);
        assertThat(push.json().getString("event")).isEqualTo(event);
    }

    static Stream<byte[]> pushesWithoutARightSignature() {
        byte[] body = bytes(fresh("client.created"));
        String right = "Service-Signature: " + sign(body);
        return Stream.of(
                request(body),
                request(body, "Service-Signature:"),
                request(body, "Service-Signature: " + sign(body).substring(1)),
                request(body, "Service-Signature: " + sign(body) + "0"),
                request(body, "Service-Signature: " + sign(body).substring(1) + "g"),
                request(body, "Service-Signature: " + sign(body, "another-secret")),
                request(body, "Service-Signature: " + sign(bytes(new String(body, ISO_8859_1) + " "))),
                request(body, right, right),
                request(body, "Service-Signature: " + sign(body) + ", " + sign(body)),
                request(body, right, "Service-Signature: " + "0".repeat(40)),
                request(body, "Brand-Signature: " + sign(body)),
                requestTo("/rotating", body, right));
    }

    @ParameterizedTest
    @MethodSource("pushesWithoutARightSignature")
    void aSignatureThatIsMissingMalformedDoubledOrWrongIsAnswered401TheSameWay(byte[] request) {
        double before = gateway.refusals("signature");

        HttpAnswer answer = gateway.send(request);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.headers().keySet()).containsExactlyInAnyOrder("content-type", "content-length");
        assertThat(answer.body()).isEqualTo("the signature is missing or wrong\n");
        assertThat(gateway.refusals("signature") - before).isEqualTo(1);
        String whole = new String(request, UTF_8);
        byte[] body = bytes(whole.substring(whole.indexOf("\r\n\r\n") + 4));
        byte[] later = bytes(fresh("client.created"));
        gateway.push(later);
        delivered(later);
        assertThat(copies(body)).isEmpty();
    }

    @Test
    void aConnectionGoesOnAfterA401() {
        try (RawConnection connection = gateway.connect()) {
            assertThat(connection.send(request(bytes("{}"))).answer().status()).isEqualTo(401);
            assertThat(connection.send(signed(fresh("client.created"))).answer().status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aSignatureInUpperCaseIsAsGood() {
        byte[] body = bytes(fresh("client.created"));

        String upper = sign(body).toUpperCase(Locale.ROOT);

        assertThat(gateway.send(request(body, "service-signature: " + upper)).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"the-old-secret-of-it", "the-new-secret-of-it"})
    void eachOfTwoLiveSecretsSigns(String secret) {
        byte[] body = bytes(fresh("client.created"));

        HttpAnswer answer = gateway.send(requestTo("/rotating", body, "Service-Signature: " + sign(body, secret)));

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void anEndpointHasASignatureHeaderOfItsOwn() {
        byte[] body = bytes(fresh("client.created"));

        HttpAnswer answer =
                gateway.send(requestTo("/a/b%20c/", body, "Brand-Signature: " + sign(body, "the-secret-of-the-brand")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(delivered(body).endpoint()).isEqualTo("branded");
    }

    @ParameterizedTest
    @CsvSource({"/web%2Dhook, escaped", "/webhook/, slashed", "/webhook/?a=/webhook, slashed"})
    void anEndpointIsFoundByItsPathAsItIsWritten(String path, String name) {
        byte[] body = bytes(fresh("client.created"));

        HttpAnswer answer =
                gateway.send(requestTo(path, body, "Service-Signature: " + sign(body, "the-secret-of-the-" + name)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(delivered(body).endpoint()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//webhook",
                "/x/../webhook",
                "/./webhook",
                "/webhook//",
                "/%77ebhook",
                "/webhook%3Fa",
                "/WEBHOOK",
                "/rotating/",
                "/web-hook",
                "/web%2dhook"
            })
    void anEndpointIsNotFoundByAPathWrittenInAnotherWay(String path) {
        byte[] body = bytes(fresh("client.created"));

        assertThat(gateway.send(requestTo(path, body, "Service-Signature: " + sign(body)))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void contentTypeAndQueryHaveNoSayAndAreKept() {
        byte[] body = bytes(fresh("client.created"));

        HttpAnswer answer = gateway.send(requestTo(
                "/webhook?a=%zz&b?c=/", body, "Service-Signature: " + sign(body), "Content-Type: image/png; \u00e9"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(delivered(body).contentType()).startsWith("image/png; ");
        assertThat(delivered(body).query()).isEqualTo("a=%zz&b?c=/");
        assertThat(delivered(body).contentEncoding()).isEmpty();
    }

    @Test
    void aCompressedBodyIsVerifiedAsReceivedAndNeverInflated() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes(fresh("client.created")));
        }
        byte[] body = compressed.toByteArray();

        HttpAnswer answer = gateway.send(
                request(body, "Content-Encoding: x", "Content-Encoding: gzip", "Service-Signature: " + sign(body)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(delivered(body).contentEncoding()).isEqualTo("x, gzip");
        assertThat(delivered(body).query()).isEmpty();
        assertThat(delivered(body).unreadable()).isEqualTo(Unreadable.NOT_UTF8);
    }

    static Stream<String> oddlyWrittenBodies() {
        return Stream.of(
                "{\n  \"event\" : \"client.emoji\",\r\n\t\"n\" : %d }\n\n",
                "{\"\\u0065vent\":\"client.\\u0065moji\",\"n\":%d,\"slash\":\"\\/\"}",
                "{\"event\":\"client.emoji\",\"text\":\"\ud83d\ude00 \u00fc \u4f60\u597d\",\"n\":%d}",
                "{\"event\":\"client.emoji\",\"half\":\"\\ud83d\",\"n\":%d}",
                "\ufeff{\"event\":\"client.emoji\",\"n\":%d}",
                "{\"n\":1.0E+2,\"n\":%d,\"event\":\"client.emoji\"}");
    }

    @ParameterizedTest
    @MethodSource("oddlyWrittenBodies")
    void aBodyReachesTheConsumerByteForByte(String template) {
        String body = template.formatted(UNIQUE.incrementAndGet());

        assertThat(gateway.push(body).status()).isEqualTo(200);

        Push push = delivered(bytes(body));
        assertThat(push.event()).isEqualTo("client.emoji");
        assertThat(push.json().getString("event")).isEqualTo("client.emoji");
        eventually(() -> assertThat(EMOJI.bodies()).contains(body));
    }

    @Test
    void aChunkedBodyReachesTheConsumerByteForByte() {
        byte[] body = bytes(fresh("client.created"));
        StringBuilder request = new StringBuilder("POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: "
                + sign(body) + "\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (byte b : body) {
            request.append("1;extension=1\r\n").append((char) b).append("\r\n");
        }

        HttpAnswer answer = gateway.send(
                request.append("0\r\nTrailer: 1\r\n\r\n").toString().getBytes(ISO_8859_1));

        assertThat(answer.status()).isEqualTo(200);
        delivered(body);
    }

    @Test
    void aBodyOfExactlyTheLimitIsTaken() {
        byte[] body = new byte[MAX_BODY];

        assertThat(gateway.push(body).status()).isEqualTo(200);
    }

    @Test
    void aBodyDeclaredTooLargeIsAnswered413AndTheClientSeesIt() {
        double before = gateway.refusals("too-large");
        byte[] body = new byte[32 * MAX_BODY];

        try (RawConnection connection = gateway.connect()) {
            HttpAnswer answer = connection.send(signed(body)).answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(connection.isClosed()).isTrue();
        }
        assertThat(gateway.refusals("too-large") - before).isEqualTo(1);
    }

    @Test
    void aChunkedBodyThatGrowsTooLargeIsAnswered413AndTheClientSeesIt() {
        String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";

        try (RawConnection connection = gateway.connect()) {
            connection.send("POST /webhook HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 100; i++) {
                connection.send(chunk);
            }
            HttpAnswer answer = connection.send("0\r\n\r\n").answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aClientThatWaitsForAGoAheadHearsOf413WithoutSendingTheBody() {
        try (RawConnection connection = gateway.connect()) {
            connection.send("POST /webhook HTTP/1.1\r\nHost: gateway\r\nExpect: 100-continue\r\nContent-Length: "
                    + (MAX_BODY + 1) + "\r\n\r\n");

            assertThat(connection.answer().status()).isEqualTo(413);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aClientThatWaitsForAGoAheadGetsIt() {
        byte[] body = bytes(fresh("client.created"));
        try (RawConnection connection = gateway.connect()) {
            connection.send("POST /webhook HTTP/1.1\r\nHost: gateway\r\nExpect: 100-Continue\r\nService-Signature: "
                    + sign(body) + "\r\nContent-Length: " + body.length + "\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(100);

            assertThat(connection.send(body).answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aBodyThatStopsHalfwayIsNeverStored() {
        double before = gateway.refusals("incomplete");
        byte[] half = bytes(fresh("client.created"));
        byte[] request = signed(half);

        try (RawConnection connection = gateway.connect()) {
            connection.send(request, 0, request.length - 1).endSending();
            connection.isClosed();
        }
        eventually(() -> assertThat(gateway.refusals("incomplete") - before).isEqualTo(1));
        String later = fresh("client.created");
        gateway.push(later);
        delivered(bytes(later));

        assertThat(copies(half)).isEmpty();
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            byte[] body = bytes(fresh("client.created"));
            requests.writeBytes(i % 2 == 0 ? signed(body) : request(body));
        }

        try (RawConnection connection = gateway.connect()) {
            connection.send(requests.toByteArray());
            for (int i = 0; i < 100; i++) {
                assertThat(connection.answer().status()).isEqualTo(i % 2 == 0 ? 200 : 401);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 40})
    void aClientThatHasEndedItsHalfIsAnsweredAllTheSame(int pushes) {
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < pushes; i++) {
                connection.send(signed(fresh("client.created")));
            }
            connection.endSending();

            for (int i = 0; i < pushes; i++) {
                assertThat(connection.answer().status()).isEqualTo(200);
            }
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aKeptConnectionTakesOnePushAfterAnother() {
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < 200; i++) {
                assertThat(connection
                                .send(signed(fresh("client.created")))
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    /** With a gateway of their own: nobody knows when the last of them is counted. */
    @Test
    void clientsThatLeaveBeforeTheAnswerCostNothing(@TempDir Path apart) {
        try (GatewayUnderTest left = GatewayUnderTest.start(new GatewaySettings(), apart)) {
            for (int i = 0; i < 50; i++) {
                RawConnection leaving = left.connect();
                leaving.send(signed(fresh("client.left"))).reset();
            }

            assertThat(left.push(fresh("client.created")).status()).isEqualTo(200);
            eventually(() ->
                    assertThat(left.metric("holdfast_receiver_inflight_bytes")).isZero());
        }
    }

    @Test
    void answersAreCountedByStatus() {
        String series = "holdfast_receiver_answers_total{status=\"200\"}";
        double before = gateway.metric(series);

        gateway.push(fresh("client.created"));

        assertThat(gateway.metric(series) - before).isEqualTo(1);
    }
}
