package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class VertxTimingTest {
    /** As every other time that operators are shown. */
    @Test
    void theWallClockHasMilliseconds() {
        Vertx vertx = Vertx.vertx();
        try {
            Clock clock = Clock.fixed(Instant.parse("2026-11-26T00:33:56.679665633Z"), ZoneOffset.UTC);

            assertThat(new VertxTiming(vertx, clock).wall()).hasToString("2026-11-26T00:33:56.679Z");
        } finally {
            vertx.close().await();
        }
    }
}
