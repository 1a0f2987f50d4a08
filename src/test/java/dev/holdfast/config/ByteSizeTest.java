package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0B",
        "1024, 1024, 1KiB",
        "512B, 512, 512B",
        "64KiB, 65536, 64KiB",
        "8MiB, 8388608, 8MiB",
        "1536KiB, 1572864, 1536KiB",
        "1GiB, 1073741824, 1GiB",
        "2TiB, 2199023255552, 2TiB"
    })
    void readsAndShowsSizes(String text, long bytes, String shown) {
        assertThat(ByteSize.parse(text)).hasValue(bytes);
        assertThat(ByteSize.show(bytes)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "8MB", "8 MiB", "8mib", "1.5MiB", "MiB", "8388608TiB", "9999999999999999999"})
    void refusesWhatIsNoSize(String text) {
        assertThat(ByteSize.parse(text)).isEmpty();
    }

    @Test
    void takesTheLargestSizeThatFits() {
        assertThat(ByteSize.parse("8388607TiB")).hasValue(8388607L << 40);
    }
}
