package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.consumer.AccessToken;
import dev.holdfast.consumer.AccessTokens;
import dev.holdfast.consumer.TokenUnavailableException;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The token on the bus. */
@Timeout(60)
class AccessTokensTest {
    @TempDir
    Path directory;

    @Test
    void aRequestIsAnsweredWithTheTokenItsScopeAndExpiry() {
        try (TokenLife life = TokenLife.begun(directory)) {
            AccessToken token = life.vertx
                    .eventBus()
                    .<AccessToken>request("token.current", null)
                    .await()
                    .body();

            assertThat(life.service.accepts(token.value())).isTrue();
            assertThat(token.scope()).isEqualTo("conversations clients");
            assertThat(token.expiresAt()).isEqualTo(life.time.wall().plusSeconds(7200));
            assertThat(token.toString()).contains("********").doesNotContain(token.value());
        }
    }

    @Test
    void aRequestFailsWithTheState() {
        try (TokenLife life = new TokenLife(directory).start().settle()) {
            assertThatThrownBy(() ->
                            life.vertx.eventBus().request("token.current", "").await())
                    .isInstanceOf(ReplyException.class)
                    .hasMessage("needs-code");
            assertThatThrownBy(life::current)
                    .isInstanceOfSatisfying(
                            TokenUnavailableException.class,
                            failure -> assertThat(failure.state()).isEqualTo("needs-code"));
        }
    }

    @Test
    void withoutATokenSectionItSaysSo() {
        try (TokenLife life = new TokenLife(directory)) {
            assertThatThrownBy(life::current)
                    .isInstanceOfSatisfying(
                            TokenUnavailableException.class,
                            failure -> assertThat(failure.state()).isEqualTo("not-configured"));
        }
    }

    @Test
    void aChangeIsPublishedWithoutTheToken() {
        AtomicInteger told = new AtomicInteger();
        try (TokenLife life = new TokenLife(directory).withCode()) {
            new AccessTokens(life.vertx).onChange(told::incrementAndGet);
            life.start().settle();
            life.pass(Duration.ofSeconds(5761));
            Eventually.until(() -> told.get() == 2 && life.changes.size() == 2);

            assertThat(life.changes)
                    .hasSize(2)
                    .first()
                    .isEqualTo(new JsonObject()
                            .put("scope", "conversations clients")
                            .put("expiresAt", "2026-03-01T14:00:00Z"));
        }
    }
}
