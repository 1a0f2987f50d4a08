package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.consumer.AccessToken;
import dev.holdfast.simulator.DrivenTokenEndpoint;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten long lives, beside each other as they mostly wait, with everything going wrong at random. */
@Execution(ExecutionMode.CONCURRENT)
class ThousandRenewalsTest {
    private static final int RENEWALS = 100;
    private static final List<TokenFault> FAULTS = List.of(
            TokenFault.STATUS_500,
            TokenFault.BROKEN_JSON,
            TokenFault.WRONG_TYPES,
            TokenFault.NO_LIFETIME,
            TokenFault.OVERSIZE,
            TokenFault.REDIRECT,
            TokenFault.RESET,
            TokenFault.LOST_ANSWER,
            TokenFault.EXPIRED_CODE);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {42, 43, 44, 45, 46, 47, 48, 49, 50, 51})
    @Timeout(180)
    void noCallerGetsAnExpiredTokenNoTwoRequestsAreOnTheirWayAndNoRefreshTokenIsLost(long seed) {
        TokenScript script = DrivenTokenEndpoint.faulty(
                TokenScript.healthy(TokenSettings.APP_ID, TokenSettings.APP_SECRET), FAULTS, 0.3);
        try (TokenLife life = new TokenLife(directory, script, seed)) {
            life.start().settle();
            while (!life.state().equals("valid")) {
                life.verticle().exchange(life.service.issueCode());
                life.pass(Duration.ofSeconds(6));
            }
            int asked = 0;
            int unanswered = 0;
            while (renewals(life) < RENEWALS) {
                life.time.pass(step(life));
                if (life.random.nextInt(50) == 0) {
                    life.restart();
                }
                Future<AccessToken> asking = life.asking();
                life.settle();
                Eventually.until(asking::isComplete);
                asked++;
                if (asking.succeeded()) {
                    assertThat(life.service.accepts(asking.result().value()))
                            .as("the token that caller %d got is good", asked)
                            .isTrue();
                } else {
                    unanswered++;
                    assertThat(healthyUntilNow(life))
                            .as("the service had gone wrong")
                            .isFalse();
                }
            }
            assertThat(life.service.mostUnderWay()).isEqualTo(1);
            assertThat(unanswered).isLessThan(asked / 10);
            // Beyond the token's life, so that what is stored has to bring another, however often the service goes
            // wrong.
            life.restart();
            life.pass(Duration.ofHours(3));
            for (int tries = 0; tries < 200 && !life.state().equals("valid"); tries++) {
                life.pass(Duration.ofMinutes(10));
            }
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    /** Mostly to where something happens by itself, sometimes past it, as a machine that was busy would. */
    private static Duration step(TokenLife life) {
        Duration next = life.time.untilNext();
        return switch (life.random.nextInt(10)) {
            case 0 -> Duration.ofSeconds(life.random.nextInt(7200));
            case 1 -> next.plusSeconds(life.random.nextInt(600));
            case 2, 3, 4 -> Duration.ofMinutes(20);
            default -> next;
        };
    }

    private static boolean healthyUntilNow(TokenLife life) {
        TokenEvent last = life.events.get(life.events.size() - 1);
        return last.fault() == null && last.code() == 0;
    }

    private static long renewals(TokenLife life) {
        return life.events.stream()
                .filter(event ->
                        event.grantType().equals("refresh_token") && event.code() == 0 && event.fault() == null)
                .count();
    }
}
