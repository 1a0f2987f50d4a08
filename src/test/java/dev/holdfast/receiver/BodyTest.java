package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BodyTest {
    private static final int LIMIT = 1 << 20;

    private static Buffer chunk(int size) {
        return Buffer.buffer(new byte[size]);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 3_000, 8_192, 65_536, LIMIT})
    void nothingIsTakenBeforeTheFirstChunk(long declared) {
        Body body = new Body(declared, LIMIT);

        assertThat(body.capacity()).isZero();
        assertThat(body.bytes()).isEmpty();
    }

    @Test
    void aSmallDeclaredLengthIsTakenWithTheFirstChunk() {
        Body body = new Body(8_192, LIMIT);

        assertThat(body.append(chunk(1))).isTrue();
        assertThat(body.capacity()).isEqualTo(8_192);
        assertThat(body.append(chunk(8_191))).isTrue();

        assertThat(body.capacity()).isEqualTo(8_192);
        assertThat(body.bytes()).hasSize(8_192);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 50_000})
    void aBodyInOneChunkIsTakenExactly(long declared) {
        Body body = new Body(declared, LIMIT);

        assertThat(body.append(chunk(50_000))).isTrue();

        assertThat(body.capacity()).isEqualTo(50_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, LIMIT, 100_000_000})
    void whatIsTakenIsNeverMoreThanTwiceWhatArrivedNorPastTheLimit(long declared) {
        Body body = new Body(declared, LIMIT);

        while (body.length() < LIMIT) {
            assertThat(body.append(chunk(Math.min(1_000, LIMIT - body.length()))))
                    .isTrue();
            assertThat(body.capacity())
                    .isGreaterThanOrEqualTo(body.length())
                    .isLessThanOrEqualTo(Math.min(LIMIT, 2 * body.length()));
        }

        assertThat(body.append(chunk(1))).isFalse();
        assertThat(body.bytes()).hasSize(LIMIT);
    }

    @Test
    void aDeclaredLengthIsWhereItStopsToGrow() {
        Body body = new Body(10_000, LIMIT);

        body.append(chunk(9_000));
        body.append(chunk(1_000));

        assertThat(body.capacity()).isEqualTo(10_000);
    }

    @Test
    void theBytesAreThoseThatCame() {
        Body body = new Body(-1, LIMIT);

        body.append(Buffer.buffer("{\"a\""));
        body.append(Buffer.buffer(":"));
        body.append(Buffer.buffer("1}"));

        assertThat(new String(body.bytes(), US_ASCII)).isEqualTo("{\"a\":1}");
    }
}
