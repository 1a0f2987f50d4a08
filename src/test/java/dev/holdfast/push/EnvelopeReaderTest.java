package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeReaderTest {
    private static final int LARGE = 8 * 1024 * 1024;

    private static Envelope read(String body) {
        return EnvelopeReader.read(body.getBytes(UTF_8));
    }

    private static Push push(byte[] body) {
        PushRecord record =
                new PushRecord(1, "default", EnvelopeReader.read(body), 0, new RequestHead("", "", "", ""), body);
        return new Push(record, new BusinessData(null));
    }

    /** What consumers rely on: readable means that the whole can be parsed, and says the same. Returns whether it can be read. */
    private static boolean requireConsistent(byte[] body) {
        Push push = push(body);
        boolean readable = push.unreadable() == null;
        assertThat(push.event()).isEqualTo(readable ? push.json().getValue("event") : Envelope.UNREADABLE);
        return readable;
    }

    @Test
    void fieldsAreFoundInAnyOrder() {
        Envelope envelope = read("""
                {"conversation":{"event":"decoy","id":"decoy","enterprise_token":"decoy","created_at":1},
                 "created_at":1700000000,"list":[{"event":"decoy"}],"enterprise_token":"ent","event":"client.created",
                 "client":{"deep":{"event":"decoy"}},"id":"sub_ent_1700000000"}""");

        assertThat(envelope).isEqualTo(new Envelope("sub_ent_1700000000", "client.created", "ent", 1700000000L, null));
    }

    @Test
    void aDecoyAloneIsNoEvent() {
        assertThat(read("{\"conversation\":{\"event\":\"decoy\"}}").unreadable())
                .isEqualTo(Unreadable.NO_EVENT);
        assertThat(read("{\"Event\":\"decoy\",\"event \":\"decoy\"}").unreadable())
                .isEqualTo(Unreadable.NO_EVENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"event\":\"a\",\"event\":\"b\"}",
                "{\"event\":\"a\",\"event\":17}",
                "{\"event\":17,\"event\":\"b\"}",
                "{\"event\":\"a\",\"event\":null}",
                "{\"event\":\"a\",\"\\u0065vent\":\"b\"}",
                "{\"event\":\"a\",\"event\":{\"event\":\"b\"}}",
                "{\"event\":[\"a\"],\"event\":\"b\"}"
            })
    void ofAKeyThatOccursTwiceTheLastCounts(String body) {
        Envelope envelope = read(body);
        Object last = new io.vertx.core.json.JsonObject(body).getValue("event");

        if (last instanceof String event) {
            assertThat(envelope.event()).isEqualTo(event);
        } else {
            assertThat(envelope.unreadable()).isEqualTo(Unreadable.NO_EVENT);
        }
    }

    @Test
    void keysMayBeEscaped() {
        assertThat(read("{\"\\u0065vent\":\"x\",\"i\\u0064\":\"1\"}"))
                .isEqualTo(new Envelope("1", "x", "", null, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "null", "true", "[]", "{}", "[\"id\"]", "1.5"})
    void aFieldOfAnotherTypeIsAsGoodAsAbsent(String value) {
        assertThat(read("{\"id\":" + value + ",\"event\":\"x\",\"enterprise_token\":" + value + "}"))
                .isEqualTo(new Envelope("", "x", "", null, null));
        assertThat(read("{\"event\":" + value + "}").unreadable()).isEqualTo(Unreadable.NO_EVENT);
    }

    static Stream<Arguments> creationTimes() {
        return Stream.of(
                Arguments.of("1700000000", 1700000000L),
                Arguments.of("0", 0L),
                Arguments.of("-1", -1L),
                Arguments.of("9223372036854775807", Long.MAX_VALUE),
                Arguments.of("-9223372036854775808", Long.MIN_VALUE),
                Arguments.of("9223372036854775808", null),
                Arguments.of("1700000000.0", null),
                Arguments.of("1e9", null),
                Arguments.of("1E+999999999", null),
                Arguments.of("\"1700000000\"", null),
                Arguments.of("null", null));
    }

    @ParameterizedTest
    @MethodSource("creationTimes")
    void theCreationTimeIsAnIntegerThatFitsOrNone(String written, Long expected) {
        byte[] body = ("{\"event\":\"x\",\"created_at\":" + written + "}").getBytes(UTF_8);

        assertThat(EnvelopeReader.read(body).createdAt()).isEqualTo(expected);
        requireConsistent(body);
        push(body).createdAt();
    }

    @Test
    void anEventHasNoControlCharacters() {
        assertThat(read("{\"event\":\"client.created\\nforged line\"}").unreadable())
                .isEqualTo(Unreadable.NO_EVENT);
        assertThat(read("{\"event\":\"client.created\\u0085\"}").unreadable()).isEqualTo(Unreadable.NO_EVENT);
    }

    @Test
    void longerIdsAndTokensThan255CharactersAreNone() {
        String fits = "i".repeat(255);
        Envelope envelope = read("{\"event\":\"e\",\"id\":\"" + fits + "\",\"enterprise_token\":\"" + fits + "x\"}");

        assertThat(envelope.id()).isEqualTo(fits);
        assertThat(envelope.enterpriseToken()).isEmpty();
        assertThat(envelope.unreadable()).isNull();
    }

    @Test
    void anEventHas1To255Characters() {
        assertThat(read("{\"event\":\"" + "x".repeat(255) + "\"}").event()).hasSize(255);
        assertThat(read("{\"event\":\"" + "x".repeat(256) + "\"}").unreadable()).isEqualTo(Unreadable.NO_EVENT);
        assertThat(read("{\"event\":\"\"}").unreadable()).isEqualTo(Unreadable.NO_EVENT);
    }

    static Stream<Arguments> unreadable() {
        String open = "{\"event\":\"x\"";
        return Stream.of(
                Arguments.of(Unreadable.NOT_JSON, "".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, " \n".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, open.getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + "} x").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + "}" + open + "}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + "}}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + ",}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + ",\"n\":NaN}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + ",\"n\":01}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + ",\"n\":\"\\x\"}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, "{'event':'x'}".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, "{event:\"x\"}".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, (open + "/* comment */}").getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, "\"x\"702".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_JSON, "[] {}".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_AN_OBJECT, "[{\"event\":\"x\"}]".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_AN_OBJECT, "\"x\"".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_AN_OBJECT, "17".getBytes(UTF_8)),
                Arguments.of(Unreadable.NOT_AN_OBJECT, "null".getBytes(UTF_8)),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + "}\0").getBytes(UTF_8)),
                Arguments.of(Unreadable.CONTROL_BYTES, "\0".getBytes(UTF_8)),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + ",\"n\":\"a\u0001\"}").getBytes(UTF_8)),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + "}").getBytes(UTF_16LE)),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + "}").getBytes(UTF_16BE)),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + "}").getBytes(Charset.forName("UTF-32BE"))),
                Arguments.of(Unreadable.CONTROL_BYTES, (open + "}").getBytes(Charset.forName("UTF-32LE"))),
                Arguments.of(Unreadable.NOT_UTF8, ("\ufeff" + open + "}").getBytes(UTF_16LE)),
                Arguments.of(Unreadable.NOT_UTF8, (open + ",\"n\":\"\u00e9\"}").getBytes(ISO_8859_1)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xc0, 0xaf)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xc0, 0x80)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xe0, 0x80, 0xaf)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xed, 0xa0, 0x80)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xf4, 0x90, 0x80, 0x80)),
                Arguments.of(Unreadable.NOT_UTF8, around(0xf0, 0x9f, 0x98)),
                Arguments.of(Unreadable.NOT_UTF8, around(0x80)),
                Arguments.of(Unreadable.NOT_UTF8, new byte[] {'{', '}', (byte) 0xf0, (byte) 0x9f}));
    }

    private static byte[] around(int... bytes) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("{\"event\":\"x\",\"n\":\"".getBytes(UTF_8));
        for (int b : bytes) {
            body.write(b);
        }
        body.writeBytes("\"}".getBytes(UTF_8));
        return body.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatIsNoStrictUtf8JsonObjectSaysWhy(Unreadable cause, byte[] body) {
        assertThat(EnvelopeReader.read(body)).isEqualTo(Envelope.unreadable(cause));
    }

    @Test
    void aByteOrderMarkIsPassedOver() {
        byte[] body = "\ufeff{\"event\":\"x\"}".getBytes(UTF_8);

        assertThat(EnvelopeReader.read(body).event()).isEqualTo("x");
        requireConsistent(body);
    }

    static Stream<Arguments> bombs() {
        return Stream.of(
                Arguments.of("arrays", "{\"event\":\"x\",\"n\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}"),
                Arguments.of(
                        "objects", "{\"event\":\"x\",\"n\":" + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_001)),
                Arguments.of("arrays of 8 MiB", "[".repeat(LARGE)),
                Arguments.of("digits", "{\"event\":\"x\",\"n\":" + "9".repeat(100_000) + "}"),
                Arguments.of("digits of the time", "{\"event\":\"x\",\"created_at\":" + "9".repeat(100_000) + "}"),
                Arguments.of("digits of a fraction", "{\"event\":\"x\",\"n\":0." + "9".repeat(100_000) + "}"),
                Arguments.of("digits of an exponent", "{\"event\":\"x\",\"n\":1e" + "9".repeat(100_000) + "}"),
                Arguments.of("digits of 8 MiB", "{\"event\":\"x\",\"n\":" + "9".repeat(LARGE) + "}"),
                Arguments.of("1,001 digits", "{\"event\":\"x\",\"n\":" + "9".repeat(1001) + "}"),
                Arguments.of("a large exponent", "{\"event\":\"x\",\"n\":1e999999999}"),
                Arguments.of("a name of 8 MiB", "{\"event\":\"x\",\"" + "n".repeat(LARGE) + "\":1}"),
                Arguments.of("a name of 49,999", "{\"event\":\"x\",\"" + "n".repeat(49_999) + "\":1}"),
                Arguments.of("a name of 60,000", "{\"event\":\"x\",\"" + "n".repeat(60_000) + "\":1}"),
                Arguments.of("escaped names of 8 MiB", "{\"event\":\"x\"" + ",\"\\u0061\":1".repeat(LARGE / 11) + "}"),
                Arguments.of(
                        "escaped names of 8 MiB, within",
                        "{\"event\":\"x\",\"n\":{\"a\":1" + ",\"\\u0061\":1".repeat(LARGE / 11) + "}}"),
                Arguments.of(
                        "escaped ids of 8 MiB", "{\"event\":\"x\"" + ",\"id\":\"\\u0061\"".repeat(LARGE / 14) + "}"),
                Arguments.of("names of one hash", "{\"event\":\"x\"" + namesOfOneHash(2000) + "}"),
                Arguments.of("a text of 8 MiB", "{\"event\":\"x\",\"n\":\"" + "n".repeat(LARGE) + "\"}"),
                Arguments.of("a text of 21 MB", "{\"event\":\"x\",\"n\":\"" + "n".repeat(21_000_000) + "\"}"),
                Arguments.of("blanks of 8 MiB", " ".repeat(LARGE) + "{\"event\":\"x\"}"),
                Arguments.of("an event of 8 MiB", "{\"event\":\"" + "x".repeat(LARGE) + "\"}"),
                Arguments.of("empty arrays of 8 MiB", "{\"event\":\"x\",\"n\":[" + "[],".repeat(LARGE / 3) + "1]}"));
    }

    /** Members with names that differ in a bit of every fourth byte, which Jackson's hash of names hardly sees. */
    private static String namesOfOneHash(int count) {
        StringBuilder members = new StringBuilder();
        for (int number = 0; number < count; number++) {
            members.append(",\"");
            for (int bit = 0; bit < 13; bit++) {
                members.append("aaa").append((number >> bit & 1) == 0 ? 'a' : 'b');
            }
            members.append("\":1");
        }
        return members.toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void aBombIsReadOrNotQuicklyAndAsItSays(String what, String body) {
        byte[] bytes = body.getBytes(UTF_8);

        // Of the processor's time, of which others have their share.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        EnvelopeReader.read(bytes);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - begin))
                .as(what)
                .isLessThan(Duration.ofMillis(1500));
        requireConsistent(bytes);
    }

    @Test
    void howeverABodyIsMutatedReadableMeansThatItCanBeParsedAndSaysTheSame() {
        Random random = new Random(20260101);
        List<byte[]> seeds = Stream.of(
                        "{\"id\":\"sub_e_1\",\"event\":\"client.created\",\"enterprise_token\":\"e\",\"created_at\":1700000000,"
                                + "\"client\":{\"event\":\"decoy\",\"n\":[1,2.5e3,-0,true,null,\"\\u00e9\\ud83d\\ude00\"]}}",
                        "\ufeff { \"\\u0065vent\" : \"\u4f1a\u8bdd.created\" , \"event\":\"last\",\"x\":{}}",
                        "{\"event\":\"x\",\"created_at\":99999999999999999999999,\"f\":1e400,\"g\":1.7976931348623157e309}",
                        "[{\"event\":\"x\"}]")
                .map(seed -> seed.getBytes(UTF_8))
                .toList();
        int readable = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] body = mutated(seeds.get(random.nextInt(seeds.size())), random);
            try {
                readable += requireConsistent(body) ? 1 : 0;
            } catch (Throwable e) {
                throw new AssertionError("body " + new String(body, ISO_8859_1), e);
            }
        }
        assertThat(readable).isGreaterThan(10_000);
    }

    private static byte[] mutated(byte[] seed, Random random) {
        byte[] body = seed.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(body.length);
            switch (random.nextInt(5)) {
                case 0 -> body[at] = (byte) random.nextInt(256);
                case 1 -> body[at] = (byte) "{}[]\",:\\0eE-+.u \n".charAt(random.nextInt(17));
                case 2 -> body = java.util.Arrays.copyOf(body, Math.max(1, at));
                case 3 -> body = spliced(body, at, body, random.nextInt(body.length));
                default -> body[at] ^= (byte) (1 << random.nextInt(8));
            }
        }
        return body;
    }

    private static byte[] spliced(byte[] head, int headLength, byte[] tail, int from) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(head, 0, headLength);
        body.write(tail, from, tail.length - from);
        return body.size() == 0 ? head : body.toByteArray();
    }
}
