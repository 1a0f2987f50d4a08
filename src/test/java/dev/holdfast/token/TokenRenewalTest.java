package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.consumer.AccessToken;
import dev.holdfast.simulator.TokenFault;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Renewing ahead of expiry, and what there is to do when that fails. */
@Timeout(60)
class TokenRenewalTest {
    @TempDir
    Path directory;

    @Test
    void theTokenIsRenewedAheadOfExpiryAtThePartOfItsLifetimeThatIsConfigured() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.pass(Duration.ofSeconds((long) (7200 * 0.75) - 1));
            assertThat(life.service.requests()).isEqualTo(1);
            life.pass(Duration.ofSeconds((long) (7200 * 0.05) + 2));

            assertThat(life.service.requests()).isEqualTo(2);
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void noTwoGatewaysRenewAtTheSameTime() {
        Set<Duration> ages = new HashSet<>();
        RenewalSchedule schedule = new RenewalSchedule(new TokenSettings().config(), new Random(1), new TestTime());
        for (int i = 0; i < 100; i++) {
            Duration age = schedule.renewalAge(Duration.ofHours(2));
            assertThat(age).isBetween(Duration.ofMinutes(90), Duration.ofMinutes(96));
            ages.add(age);
        }
        assertThat(ages).hasSizeGreaterThan(90);
    }

    @Test
    void howeverManyAskAtOnceOneRequestIsOnItsWay() {
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.service.pause();
            life.start();
            List<Future<AccessToken>> asking = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                asking.add(life.asking());
            }
            Eventually.until(() -> life.service.requests() == 1);
            life.service.resume();
            Future.join(asking).await();

            assertThat(life.service.requests()).isEqualTo(1);
            assertThat(life.service.mostUnderWay()).isEqualTo(1);
            assertThat(asking).extracting(Future::result).containsOnly(life.current());

            life.service.pause();
            life.time.pass(Duration.ofDays(1));
            Future<AccessToken> later = life.asking();
            life.service.resume();
            assertThat(later.await()).isNotEqualTo(asking.get(0).result());
            assertThat(life.service.requests()).isEqualTo(2);
        }
    }

    @Test
    void theOldRefreshTokenIsKeptUntilTheNewPairIsStored() {
        try (TokenLife life = TokenLife.begun(directory)) {
            TokenPair before = life.storedPair();
            life.service.pause();
            life.time.pass(Duration.ofSeconds(5800));
            Eventually.until(() -> life.service.requests() == 2);

            assertThat(life.storedPair()).isEqualTo(before);
            life.service.resume();
            life.settle();
            assertThat(life.storedPair().refreshToken()).isNotEqualTo(before.refreshToken());
            life.pass(Duration.ofSeconds(5800));
            assertThat(life.service.requests()).isEqualTo(3);
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aRenewalThatFailsIsTriedAgainWhileTheOldTokenIsUsed() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.service.order(TokenFault.STATUS_500);
            life.service.order(TokenFault.RESET);
            life.pass(Duration.ofSeconds(5761));
            assertThat(life.state()).isIn("renewing", "valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
            life.pass(Duration.ofMinutes(2));

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.current().value()).isNotEqualTo(before.value());
            // it would be told as that of the next renewal while that is on its way
            assertThat(life.status().containsKey("lastFailure")).isFalse();
        }
    }

    @Test
    void withNoneTheStateBecomesNeedsCodeInTimeToActWithAWarningAtEveryAttempt() {
        try (LogLines log = LogLines.atTrace();
                TokenLife life = new TokenLife(directory).withCode()) {
            life.settings.renews = false;
            life.start().settle();
            life.pass(Duration.ofSeconds(5350));
            assertThat(life.state()).isEqualTo("valid");
            assertThat(warnings(log)).isZero();

            life.pass(Duration.ofSeconds(450));
            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(warnings(log)).isEqualTo(1);
            assertThat(life.service.accepts(life.current().value())).isTrue();
            life.pass(Duration.ofSeconds(1300));
            assertThat(warnings(log)).isBetween(5L, 12L);
            life.pass(Duration.ofHours(5));
            assertThat(warnings(log)).isBetween(10L, 18L);
            assertThat(life.service.requests()).isEqualTo(1);
        }
    }

    @Test
    void whenTheRenewalIsRejectedTheStateBecomesNeedsCodeInTimeToAct() {
        try (LogLines log = LogLines.atTrace();
                TokenLife life = TokenLife.begun(directory)) {
            life.service.order(TokenFault.EXPIRED_CODE);
            life.pass(Duration.ofSeconds(5761));

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.service.accepts(life.current().value())).isTrue();
            assertThat(warnings(log)).isEqualTo(1);
            assertThat(life.lastFailure().getLong("code")).isEqualTo(40104);
            assertThat(life.service.requests()).isEqualTo(2);
        }
    }

    @Test
    void aRejectedRenewalIsTriedAgainSeldomAndMayStillSucceed() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.service.order(TokenFault.EXPIRED_CODE);
            life.pass(Duration.ofSeconds(5761));
            life.pass(Duration.ofMinutes(10));

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.requests()).isEqualTo(3);
        }
    }

    @Test
    void anOperatorsCodeEndsNeedsCode() {
        try (TokenLife life = new TokenLife(directory)) {
            life.start().settle();
            var answer = life.verticle().exchange(life.service.issueCode()).await();

            assertThat(answer.getBoolean("exchanged")).isTrue();
            assertThat(answer.getBoolean("requestUnderWay")).isFalse();
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void anOperatorsBadCodeHarmsNothing() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.pass(Duration.ofSeconds(10));
            var answer = life.verticle().exchange("nonsense").await();

            assertThat(answer.getBoolean("exchanged")).isFalse();
            assertThat(answer.getString("failure")).contains("40102");
            assertThat(answer.getBoolean("requestUnderWay")).isFalse();
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.current()).isEqualTo(before);
            life.pass(Duration.ofSeconds(5800));
            assertThat(life.current()).isNotEqualTo(before);
        }
    }

    @Test
    void anOperatorWhoBringsACodeDuringTheStopIsToldSo() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.verticle().end().await();
            var answer = life.verticle().exchange(life.service.issueCode()).await();

            assertThat(answer.getBoolean("exchanged")).isFalse();
            assertThat(answer.getString("failure")).contains("the gateway stops");
        }
    }

    @Test
    void aStoreThatFailsIsTriedAgainWhileTheTokenIsUsed() throws Exception {
        Path blocking = Files.createDirectories(directory.resolve("token-1.new/in the way"));
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.start().settle();
            assertThat(life.service.accepts(life.current().value())).isTrue();
            assertThat(life.status().getString("store")).contains("could not be stored");

            Files.delete(blocking);
            life.pass(Duration.ofMinutes(1));
            Eventually.until(() -> !life.status().containsKey("store"));
            life.restart().settle();
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.requests()).isEqualTo(1);
        }
    }

    @Test
    void aStopKeepsWhatCouldNotBeStoredBefore() throws Exception {
        Path blocking = Files.createDirectories(directory.resolve("token-1.new/in the way"));
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.start().settle();
            AccessToken before = life.current();
            Files.delete(blocking);
            life.restart().settle();

            assertThat(life.current()).isEqualTo(before);
        }
    }

    private static long warnings(LogLines log) {
        return log.text()
                .lines()
                .filter(line -> line.startsWith("WARN ") && line.contains("needs-code"))
                .count();
    }
}
