package dev.holdfast.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
    private static final JsonFactory JACKSON = new JsonFactory();

    private static void scan(byte[] text) throws JsonSyntaxException {
        JsonScanner json = new JsonScanner(text);
        json.skip();
        json.requireEnd();
    }

    private static boolean takes(byte[] text) {
        try {
            scan(text);
            return true;
        } catch (JsonSyntaxException e) {
            return false;
        }
    }

    /** Jackson's parser lets some of what is no UTF-8 pass, and takes a text with a NUL for one in UTF-16. */
    private static boolean jacksonTakes(byte[] text) {
        if (new String(text, ISO_8859_1).indexOf('\0') >= 0) {
            return false;
        }
        try (JsonParser json = JACKSON.createParser(text)) {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            JsonToken first = json.nextToken();
            json.skipChildren();
            return first != null && json.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void itTakesOfShortTextsWhatJacksonTakes() {
        String[] parts = {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u00e9",
            "\\ud83d",
            "u00",
            "/",
            "b",
            "-",
            "0",
            "1",
            "9",
            ".",
            "e",
            "E",
            "+",
            "true",
            "false",
            "null",
            "nul",
            " ",
            "\t",
            "\n",
            "\r",
            "\u0000",
            "\u001f",
            "\u007f",
            "\u0080",
            "\u00c3\u00a9",
            "\u00c0\u0080",
            "\u00e4\u00bc\u009a",
            "\u00ed\u00a0\u0080",
            "\u00f0\u009f\u0098\u0080",
            "\u00f4\u0090\u0080\u0080",
            "\u00ef\u00bb\u00bf",
            "\"a\"",
            "\"a\":",
            "{\"a\":1}",
            "[1]"
        };
        Random random = new Random(20261122);
        int taken = 0;
        for (int i = 0; i < 500_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = 1 + random.nextInt(7); n > 0; n--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            byte[] bytes = text.toString().getBytes(ISO_8859_1);

            boolean takes = takes(bytes);

            assertThat(takes).as(text.toString()).isEqualTo(jacksonTakes(bytes));
            taken += takes ? 1 : 0;
        }
        assertThat(taken).isGreaterThan(10_000);
    }

    @Test
    void whateverStandsWhereInAStringIsSeen() {
        for (int length = 0; length < 40; length++) {
            for (int at = 0; at < length; at++) {
                for (int other : new int[] {'"', '\\', 0, 0x1f, 0x20, 0x7f, 0x80, 0xff}) {
                    byte[] text = ("\"" + "x".repeat(length) + "\"").getBytes(UTF_8);
                    text[1 + at] = (byte) other;

                    assertThat(takes(text))
                            .as("%#x at %d of %d", other, at, length)
                            .isEqualTo(other == 0x20 || other == 0x7f);
                }
            }
        }
    }

    @Test
    void aStringSaysWhatItSaysToJackson() throws Exception {
        String[] parts = {
            "a",
            "u0061",
            "\u00e9",
            "\u4f1a",
            "\ud83d\ude00",
            "\\\"",
            "\\\\",
            "\\/",
            "\\b",
            "\\f",
            "\\n",
            "\\r",
            "\\t",
            "\\u0000",
            "\\u00e9",
            "\\u4F1a",
            "\\uD83d",
            "\\udE00"
        };
        Random random = new Random(20261123);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder("\"");
            for (int n = random.nextInt(6); n > 0; n--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            byte[] bytes = text.append('"').toString().getBytes(UTF_8);

            try (JsonParser json = JACKSON.createParser(bytes)) {
                json.nextToken();
                assertThat(new JsonScanner(bytes).string()).as(text.toString()).isEqualTo(json.getText());
            }
        }
    }

    @Test
    void everyCharacterThatUtf8HasIsTaken() {
        for (int c = 0x20; c <= Character.MAX_CODE_POINT; c += c < 0x11000 ? 1 : 97) {
            boolean plain = c != '"' && c != '\\' && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
            if (plain) {
                assertThat(takes(("\"" + Character.toString(c) + "\"").getBytes(UTF_8)))
                        .as("%#x", c)
                        .isTrue();
            }
        }
    }

    @Test
    void everyOtherPairAndTripleOfBytesIsRefused() {
        for (int first = 0x80; first <= 0xFF; first++) {
            for (int second = 0x20; second <= 0xFF; second++) {
                for (int third : new int[] {'x', 0x7f, 0x80, 0x90, 0xa0, 0xbf, 0xc0}) {
                    byte[] text = {'"', (byte) first, (byte) second, (byte) third, '"'};
                    boolean control = second == '"' || second == '\\';

                    assertThat(takes(text)).isEqualTo(!control && jacksonTakes(text));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "\"a",
                "\"\\",
                "\"\\u00",
                "-",
                "1.",
                "1e",
                "1e+",
                "tru",
                "[1,"
            })
    void whatBreaksOffIsRefusedAndToldSo(String text) {
        assertThatThrownBy(() -> scan(text.getBytes(UTF_8)))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageContaining("at byte " + text.length() + ": found the end, expected ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\ud83d",
                "\\ude00",
                "\\ud83d\\ude00",
                "\\ude00\\ud83d",
                "\\ud83dx",
                "\\ud83d\\n",
                "\\ud83d\\ud83d\\ude00",
                "\\uD83D\\uDE00\\uDE00",
                "\\u00e9\\\\ud83d",
                "\\\\\\ud83d",
                "a\\u0062\u00e9",
                "\\ud83d\u00e9"
            })
    void aNameHasNoHalfOfASurrogatePair(String name) {
        byte[] text = ("{\"" + name + "\":1}").getBytes(UTF_8);

        assertThat(takes(text)).isEqualTo(jacksonTakes(text));
    }

    @Test
    void limitsAreJacksons() {
        assertThat(takes(("[".repeat(1000) + "]".repeat(1000)).getBytes(UTF_8))).isTrue();
        assertThat(takes(("[".repeat(1001) + "]".repeat(1001)).getBytes(UTF_8))).isFalse();
        for (String number : new String[] {"9", "-9", "0.", "-1.", "1e", "1.5e-"}) {
            for (int digits = 995; digits < 1005; digits++) {
                byte[] text = (number + "9".repeat(digits)).getBytes(UTF_8);

                assertThat(takes(text)).as(number + " and " + digits).isEqualTo(jacksonTakes(text));
            }
        }
    }
}
