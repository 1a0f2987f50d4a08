package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.AccessToken;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.TokenScript;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clocks that jump, machines that sleep, and no storm of requests from either. */
@Timeout(60)
class TokenClockTest {
    @TempDir
    Path directory;

    @Test
    void aClockThatJumpsForwardCostsOneRenewal() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.time.setClock(Duration.ofDays(400));
            life.pass(Duration.ofHours(1));

            assertThat(life.service.requests()).isEqualTo(2);
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aClockThatJumpsBackCostsNothingAndHandsOutNoExpiredToken() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.time.setClock(Duration.ofDays(-400));
            life.pass(Duration.ofHours(1));
            assertThat(life.service.requests()).isEqualTo(1);
            life.pass(Duration.ofHours(1));

            assertThat(life.service.requests()).isEqualTo(2);
            assertThat(life.service.accepts(life.current().value())).isTrue();
            assertThat(life.current().expiresAt()).isBefore(life.time.wall().plusSeconds(7201));
        }
    }

    @Test
    void aClockThatJumpsToAndFroMakesNoStorm() {
        try (TokenLife life = TokenLife.begun(directory)) {
            for (int i = 0; i < 100; i++) {
                life.time.setClock(Duration.ofDays(i % 2 == 0 ? 30 : -30));
                life.asking();
                life.pass(Duration.ofSeconds(1));
            }

            assertThat(life.service.requests()).isLessThanOrEqualTo(22);
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aClockThatWasSetBackWhileStoppedCostsOneRenewal() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.stop();
            life.time.pass(Duration.ofMinutes(10));
            life.time.setClock(Duration.ofDays(-1));
            life.start();
            life.pass(Duration.ofHours(1));

            assertThat(life.service.requests()).isEqualTo(2);
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aMachineThatSleptRenewsWhenItWakes() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.pass(Duration.ofMinutes(1));
            // asleep, the clock goes on and nothing else does
            life.time.setClock(Duration.ofHours(3));

            assertThat(life.current().value()).isNotEqualTo(before.value());
            assertThat(life.service.requests()).isEqualTo(2);
        }
    }

    @Test
    void thereIsAtMostOneRequestEveryFewSecondsWhoeverAsks() {
        TokenScript script = TokenScript.healthy(TokenSettings.APP_ID, TokenSettings.APP_SECRET)
                .withLifetime(Duration.ofSeconds(1));
        try (TokenLife life = new TokenLife(directory, script, 1).withCode().start()) {
            for (int i = 0; i < 600; i++) {
                life.settle();
                life.asking();
                life.time.pass(Duration.ofMillis(100));
            }

            assertThat(life.settle().service.requests()).isBetween(10L, 13L);
        }
    }

    @Test
    void thereIsAtMostOneRequestEveryFewSecondsWhateverAnOperatorDoes() {
        try (TokenLife life = TokenLife.begun(directory)) {
            var exchange = life.verticle().exchange(life.service.issueCode());
            life.settle();
            assertThat(life.service.requests()).isEqualTo(1);
            life.pass(Duration.ofSeconds(5));

            assertThat(exchange.await().getBoolean("exchanged")).isTrue();
            assertThat(life.service.requests()).isEqualTo(2);
        }
    }

    @Test
    void aGatewayThatIsRestartedOverAndOverMakesNoStorm() {
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.service.order(TokenFault.STATUS_500);
            life.start().settle();
            for (int i = 0; i < 40; i++) {
                life.service.order(TokenFault.STATUS_500);
                life.time.pass(Duration.ofMillis(500));
                life.restart().settle();
            }

            assertThat(life.service.requests()).isBetween(3L, 6L);
        }
    }
}
