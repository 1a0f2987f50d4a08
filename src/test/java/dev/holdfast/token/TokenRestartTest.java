package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.simulator.DrivenTokenEndpoint;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crash at every step of a renewal. What a crash leaves is what was on the disk at that step, so each of these goes on
 * with a copy of the directory as it was then, while the service knows what it was asked.
 */
@Timeout(60)
class TokenRestartTest {
    private static final Duration TO_RENEWAL = Duration.ofSeconds(5761);

    @TempDir
    Path directory;

    @Test
    void aCrashBeforeTheRequestLosesNothing() throws IOException {
        try (TokenLife life = begun()) {
            life.time.pass(Duration.ofSeconds(5300));
            goOnWith(life, copy("before the request"));

            assertThat(life.state()).isEqualTo("valid");
            life.pass(Duration.ofHours(1));
            assertThat(life.service.requests()).isEqualTo(2);
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aCrashWhileTheAnswerIsAwaitedLosesNothing() throws IOException {
        try (TokenLife life = begun()) {
            life.service.pause();
            life.time.pass(TO_RENEWAL);
            Eventually.until(() -> life.service.requests() == 2);
            Path left = copy("awaiting");
            life.service.resume();
            goOnWith(life, left);
            assertThat(life.service.requests())
                    .as("none follows another at once")
                    .isEqualTo(2);
            life.pass(Duration.ofSeconds(10));

            assertThat(life.service.requests()).isEqualTo(3);
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aCrashAfterTheAnswerAndBeforeTheStoreRenewsWithTheOldRefreshToken() throws IOException {
        try (TokenLife life = begun()) {
            Path left = copy("before the store");
            life.pass(TO_RENEWAL);
            goOnWith(life, left);
            life.pass(Duration.ofSeconds(10));

            assertThat(life.service.requests()).isEqualTo(3);
            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aCrashAfterTheAnswerAndBeforeTheStoreNeedsACodeWhenTheServiceForgetsTheOldRefreshToken() throws IOException {
        TokenScript strict =
                DrivenTokenEndpoint.strict(TokenScript.healthy(TokenSettings.APP_ID, TokenSettings.APP_SECRET));
        try (TokenLife life = new TokenLife(directory.resolve("token"), strict, 1).withCode()) {
            life.start().settle();
            Path left = copy("before the store");
            life.pass(TO_RENEWAL);
            goOnWith(life, left);
            life.pass(Duration.ofSeconds(10));

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aCrashInTheMiddleOfTheStoreRenewsWithTheOldRefreshToken() throws IOException {
        try (TokenLife life = begun()) {
            Path left = copy("torn");
            life.pass(TO_RENEWAL);
            for (String file : List.of("token-0", "token-1")) {
                byte[] whole = Files.readAllBytes(directory.resolve("token").resolve(file));
                Files.write(left.resolve(file + ".new"), Arrays.copyOf(whole, whole.length / 2));
            }
            goOnWith(life, left);
            life.pass(Duration.ofSeconds(10));

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.accepts(life.current().value())).isTrue();
        }
    }

    @Test
    void aCrashAfterTheStoreGoesOnWithTheNewPair() throws IOException {
        try (TokenLife life = begun()) {
            life.pass(TO_RENEWAL);
            String value = life.current().value();
            goOnWith(life, copy("after the store"));

            assertThat(life.current().value()).isEqualTo(value);
            life.pass(Duration.ofSeconds(10));
            assertThat(life.service.requests()).isEqualTo(2);
            life.pass(TO_RENEWAL);
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aCrashAfterTheFirstExchangeAndBeforeTheStoreNeedsACode() throws IOException {
        try (TokenLife life = begun()) {
            Path left = Files.createDirectory(directory.resolve("empty"));
            goOnWith(life, left);
            life.pass(Duration.ofSeconds(10));

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.lastFailure().getLong("code")).isEqualTo(40102);
        }
    }

    @Test
    void aStopWaitsForTheAnswerThatIsOnItsWayAndKeepsIt() {
        try (TokenLife life = begun()) {
            life.service.pause();
            life.time.pass(TO_RENEWAL);
            Eventually.until(() -> life.service.requests() == 2);
            Future<Void> stopped = life.stopping();
            assertThat(stopped.isComplete()).isFalse();
            life.service.resume();
            stopped.await();
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
            assertThat(life.service.requests()).isEqualTo(2);
        }
    }

    private TokenLife begun() {
        return TokenLife.begun(directory.resolve("token"));
    }

    /** What the running one still does, it does somewhere else, and nobody looks. */
    private static void goOnWith(TokenLife life, Path left) {
        life.stop();
        life.directory = left;
        life.start().settle();
    }

    private Path copy(String name) throws IOException {
        Path to = Files.createDirectory(directory.resolve(name));
        try (Stream<Path> files = Files.list(directory.resolve("token"))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }
}
