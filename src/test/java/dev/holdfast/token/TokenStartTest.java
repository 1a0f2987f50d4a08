package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.consumer.AccessToken;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenFault;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done at the start. */
@Timeout(60)
class TokenStartTest {
    @TempDir
    Path directory;

    @Test
    void aConfiguredCodeIsExchangedForAToken() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken token = life.current();

            assertThat(life.service.accepts(token.value())).isTrue();
            assertThat(token.scope()).isEqualTo("conversations clients");
            assertThat(token.expiresAt()).isEqualTo(life.time.wall().plusSeconds(7200));
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.events).containsExactly(new TokenEvent("authorization_code", 0, null));
        }
    }

    @Test
    void aKeptTokenThatIsStillGoodIsUsedWithoutAnyRequest() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.stop();
            life.time.pass(Duration.ofMinutes(50));
            life.start().settle();

            assertThat(life.current()).isEqualTo(before);
            assertThat(life.service.requests()).isEqualTo(1);
        }
    }

    @Test
    void aKeptRefreshTokenRenewsAnExpiredToken() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.stop();
            life.time.pass(Duration.ofDays(3));
            life.start();

            assertThat(life.current().value()).isNotEqualTo(before.value());
            assertThat(life.service.accepts(life.current().value())).isTrue();
            assertThat(life.events).last().isEqualTo(new TokenEvent("refresh_token", 0, null));
        }
    }

    @Test
    void aTokenPastItsRenewalPointIsUsedWhileItIsRenewed() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.stop();
            life.time.pass(Duration.ofSeconds(7000));
            life.service.pause();
            life.start();
            Eventually.until(() -> life.state().equals("renewing"));

            assertThat(life.current().value()).isEqualTo(before.value());
            life.service.resume();
            life.settle();
            assertThat(life.current().value()).isNotEqualTo(before.value());
        }
    }

    @Test
    void aCodeThatWasUsedBeforeIsNotExchangedAgain() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.stop();
            life.settings.renews = false;
            life.time.pass(Duration.ofDays(1));
            life.start().settle();

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.service.requests()).isEqualTo(1);
        }
    }

    @Test
    void aCodeThatWasRefusedIsTriedAgainSlowlyAndABoundedNumberOfTimes() {
        try (LogLines log = LogLines.atTrace();
                TokenLife life = new TokenLife(directory)) {
            life.settings.code("never issued");
            life.start().settle();
            assertThat(life.state()).isEqualTo("needs-code");
            List<Long> requests = new ArrayList<>();
            for (int minutes : List.of(0, 1, 3, 1, 15, 1, 43, 17, 60 * 24)) {
                life.pass(Duration.ofMinutes(minutes));
                requests.add(life.service.requests());
            }

            // after 0, 1, 5, 21 and 81 minutes
            assertThat(requests).containsExactly(1L, 2L, 2L, 3L, 3L, 4L, 4L, 5L, 5L);
            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.lastFailure().getLong("code")).isEqualTo(40102);
            assertThat(log.text())
                    .contains(
                            "the exchange was refused: rejected, service code 40102",
                            "needs-code: there is no access token; an authorization code is needed",
                            "; the configured one was refused 1 time and is tried again",
                            "; the configured one was refused 5 times and is not tried again");
        }
    }

    @Test
    void aRestartCountsOnTheRefusalsOfTheOneBefore() {
        try (TokenLife life = new TokenLife(directory)) {
            life.settings.code("never issued");
            life.start().settle();
            for (int restarts = 0; restarts < 10; restarts++) {
                life.restart().settle();
                life.pass(Duration.ofSeconds(10));
            }
            life.pass(Duration.ofDays(1));

            assertThat(life.service.requests()).isEqualTo(5);
        }
    }

    @Test
    void aCodeThatWasRefusedAtFirstIsStillGood() {
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.service.order(TokenFault.EXPIRED_CODE);
            life.start().settle();
            assertThat(life.state()).isEqualTo("needs-code");
            life.restart().settle();
            life.pass(Duration.ofSeconds(10));

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void whereRenewalAndCodeAreRefusedTheyTakeTurnsAndEitherMayStillSucceed() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.stop();
            life.time.pass(Duration.ofDays(1));
            life.settings.code("never issued");
            life.service.order(TokenFault.EXPIRED_CODE);
            life.start().settle();
            life.pass(Duration.ofMinutes(2));

            assertThat(life.events)
                    .extracting(TokenEvent::grantType)
                    .containsExactly("authorization_code", "refresh_token", "authorization_code", "refresh_token");
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aRefusedCodeIsWorthAnotherAttemptWithAnotherSecret() {
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.settings.appSecret = "mistyped";
            life.start().settle();
            assertThat(life.lastFailure().getLong("code")).isEqualTo(40101);
            life.stop();
            life.settings.appSecret = TokenSettings.APP_SECRET;
            life.time.pass(Duration.ofMinutes(1));
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aNewCodeIsExchangedWhenTheRefreshTokenIsRefused() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.stop();
            life.time.pass(Duration.ofDays(1));
            life.withCode();
            life.service.order(TokenFault.EXPIRED_CODE);
            life.start();
            life.pass(Duration.ofSeconds(6));

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.events)
                    .extracting(TokenEvent::grantType)
                    .containsExactly("authorization_code", "refresh_token", "authorization_code");
        }
    }

    @Test
    void withoutAnyCodeTheStateIsNeedsCodeWhichIsLoggedAndShown() {
        try (LogLines log = LogLines.atTrace();
                TokenLife life = new TokenLife(directory)) {
            life.start().settle();

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.asking()
                            .transform(result -> Future.succeededFuture(String.valueOf(result.cause())))
                            .await())
                    .contains("the state is needs-code");
            assertThat(log.text()).contains("WARN", "needs-code: there is no access token", "token exchange");
            assertThat(life.registry.scrape()).contains("holdfast_token_state{state=\"needs-code\"} 1.0");
            assertThat(life.service.requests()).isZero();
        }
    }

    @Test
    void theMetricHasTheStateThatTheApiShowsAlsoWhileARefusalIsYetToBeKept() {
        CountDownLatch disk = new CountDownLatch(1);
        try (TokenLife life = new TokenLife(directory)) {
            life.settings.code("no such code");
            life.service.pause();
            life.start();
            Eventually.until(() -> life.service.requests() == 1);
            for (int i = 0; i < VertxOptions.DEFAULT_WORKER_POOL_SIZE; i++) {
                life.vertx.executeBlocking(() -> disk.await(60, TimeUnit.SECONDS), false);
            }
            life.service.resume();
            Eventually.until(() -> life.state().equals("needs-code"));

            String metrics = life.registry.scrape();
            disk.countDown();
            assertThat(metrics).contains("holdfast_token_state{state=\"needs-code\"} 1.0");
        }
    }

    @Test
    void whoWaitsForASlowServiceIsToldTheStateBeforeTheBusGivesUp() {
        try (TokenLife life = new TokenLife(directory).withCode()) {
            life.settings.requestTimeout = Duration.ofHours(1);
            life.service.pause();
            life.start();
            Future<AccessToken> asking = life.asking();
            Eventually.until(
                    () -> life.service.requests() == 1 && life.time.untilNext().compareTo(Duration.ZERO) > 0);
            life.time.pass(Duration.ofSeconds(20));

            assertThat(ended(asking).cause()).hasMessageContaining("the state is exchanging");
            life.service.resume();
            life.settle();
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aStartThatFailsLeavesNobodyWaiting() {
        try (TokenLife life = new TokenLife(directory)) {
            MeterRegistry occupied = new SimpleMeterRegistry();
            occupied.counter("holdfast.token.expires.in");
            TokenVerticle verticle = new TokenVerticle(life.settings.config(), directory, occupied);
            assertThat(ended(life.vertx.deployVerticle(verticle)).failed()).isTrue();

            assertThat(ended(verticle.status()).failed()).isTrue();
            assertThat(ended(verticle.exchange("a code")).failed()).isTrue();
        }
    }

    private static Future<?> ended(Future<?> future) {
        Eventually.until(future::isComplete);
        return future;
    }

    @Test
    void aMistypedApplicationCostsNoToken() {
        try (LogLines log = LogLines.atWarn();
                TokenLife life = TokenLife.begun(directory)) {
            AccessToken before = life.current();
            life.stop();
            life.settings.appId = "mistyped";
            life.time.pass(Duration.ofSeconds(10));
            life.start().settle();
            life.pass(Duration.ofMinutes(5));
            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.lastFailure().getLong("code")).isEqualTo(40101);
            assertThat(log.text()).contains("the kept token belongs to another token.base-url, path or app-id");
            life.stop();
            life.settings.appId = TokenSettings.APP_ID;
            life.start().settle();

            assertThat(life.current()).isEqualTo(before);
        }
    }

    @Test
    void whatTheDiskDoesNotGiveCostsNeitherTheTokenNorACode() throws IOException {
        Path token = directory.resolve("token");
        Path backup = directory.resolve("backup");
        try (TokenLife life = TokenLife.begun(token)) {
            AccessToken before = life.current();
            life.stop();
            Files.move(token.resolve("token-1"), backup);
            Files.createDirectory(token.resolve("token-1"));
            life.time.pass(Duration.ofSeconds(10));
            life.start().settle();
            life.pass(Duration.ofMinutes(5));
            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.status().getString("store")).isEqualTo("found a file that can't be read (IOException)");
            assertThat(life.service.requests()).isEqualTo(1);
            life.stop();
            Files.delete(token.resolve("token-1"));
            Files.move(backup, token.resolve("token-1"));
            life.start().settle();

            assertThat(life.current()).isEqualTo(before);
        }
    }

    @Test
    void whatANewerVersionKeptCostsNoCodeAndStays() throws IOException {
        try (LogLines log = LogLines.atTrace();
                TokenLife life = new TokenLife(directory).withCode()) {
            Path file = Files.writeString(directory.resolve("token-1"), "holdfast-token 2 sealed AAAA");
            life.start().settle();

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.service.requests()).isZero();
            assertThat(file).exists();
            assertThat(log.text()).contains("; put that right and restart, or").doesNotContain("token.code");
        }
    }

    @Test
    void aTokenOfAnotherApplicationIsNeitherUsedNorLost() {
        try (TokenLife life = TokenLife.begun(directory)) {
            life.stop();
            life.settings.appId = "another";
            life.settings.code(null);
            life.start().settle();

            assertThat(life.state()).isEqualTo("needs-code");

            life.stop();
            life.settings.appId = TokenSettings.APP_ID;
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
        }
    }
}
