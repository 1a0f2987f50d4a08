package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @Test
    void whatWouldSteerATerminalIsWrittenOut() {
        assertThat(Printable.text("a\u001b[2Jb\u0007\u0085\u007f\0"))
                .isEqualTo("a\\u001b[2Jb\\u0007\\u0085\\u007f\\u0000")
                .isEqualTo(Printable.line("a\u001b[2Jb\u0007\u0085\u007f\0"));
    }

    @ParameterizedTest
    @ValueSource(
            chars = {
                '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u200e',
                '\u200f', '\u061c', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u2028', '\u2029',
                '\ud800', '\u034f', '\u115f', '\u1160', '\u17b4', '\u180b', '\u3164', '\ufe0f', '\uffa0'
            })
    void whatNobodySeesIsWrittenOut(char unseen) {
        String shown = String.format("a\\u%04xb", (int) unseen);
        assertThat(Printable.text("a" + unseen + "b")).isEqualTo(shown);
        assertThat(Printable.line("a" + unseen + "b")).isEqualTo(shown);
    }

    @Test
    void soAreTagsWhichSpellWordsThatNobodySees() {
        assertThat(Printable.line("a" + Character.toString(0xe0041) + Character.toString(0xe007f)))
                .isEqualTo("a\\u{e0041}\\u{e007f}");
    }

    @Test
    void aTextKeepsItsLinesAndALineIsOne() {
        assertThat(Printable.text("{\r\n\t\"zoë\"\n}")).isEqualTo("{\r\n\t\"zoë\"\n}");
        assertThat(Printable.line("sub_1\nseq=2\ttwo")).isEqualTo("sub_1 seq=2 two");
        assertThat(Printable.line("a\r\n\tb\n")).isEqualTo("a b ");
    }

    @Test
    void whatIsTooLongIsCutButNoCharacterIs() {
        assertThat(Printable.cut("abcd", 4)).isEqualTo("abcd");
        assertThat(Printable.cut("abcde", 4)).isEqualTo("abcd…");
        assertThat(Printable.cut("abc👋", 4)).isEqualTo("abc…");
        assertThat(Printable.line(" abc\nde ", 5)).isEqualTo("abc d…");
        assertThat(Printable.line(" abc\n", 3)).isEqualTo("abc");
    }

    @Test
    void jsonSaysTheSame() {
        assertThat(Printable.json("{\"id\":\"zoë\u009b\u202e" + Character.toString(0xe0041) + "\"}\n"))
                .isEqualTo("{\"id\":\"zoë\\u009b\\u202e\\udb40\\udc41\"}\n");
    }

    @Test
    void whatCanBeSeenStaysAsItIs() {
        String seen = "zoë 会話 👋 $1 \\ שלום";
        assertThat(Printable.text(seen)).isEqualTo(seen);
        assertThat(Printable.line(seen)).isEqualTo(seen);
    }
}
