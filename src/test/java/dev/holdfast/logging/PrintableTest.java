package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void whatWouldSteerATerminalIsShownAsQuestionMarks() {
        assertThat(Printable.text("a\u001b[2Jb\u0007\u0085\u007f")).isEqualTo("a?[2Jb???");
    }

    @Test
    void aTextKeepsItsLinesAndALineIsOne() {
        assertThat(Printable.text("{\r\n\t\"zoë\"\n}")).isEqualTo("{\r\n\t\"zoë\"\n}");
        assertThat(Printable.line("sub_1\nseq=2\ttwo")).isEqualTo("sub_1 seq=2 two");
        assertThat(Printable.line("a\u202eb\u2028c\r\n")).isEqualTo("a b c ");
    }
}
