package dev.holdfast.consumer.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeaderTextTest {
    @Test
    void nothingCanEndAHeaderOrBeginAnother() {
        assertThat(HeaderText.encode("a\r\nX-Evil: 1\0\u007f")).isEqualTo("a%0D%0AX-Evil:%201%00%7F");
    }

    @Test
    void visibleAsciiStaysAsItIs() {
        assertThat(HeaderText.encode("client.created_2~!")).isEqualTo("client.created_2~!");
    }

    @Test
    void whatNoHeaderCarriesIsItsUtf8() {
        assertThat(HeaderText.encode("ü% \uD83D\uDE00")).isEqualTo("%C3%BC%25%20%F0%9F%98%80");
    }
}
