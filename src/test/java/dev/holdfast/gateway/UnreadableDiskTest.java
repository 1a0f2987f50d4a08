package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.TrialJournal;
import io.vertx.core.Future;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sees while the disk gives nothing of the journal, when it matters most. */
class UnreadableDiskTest {
    @TempDir
    Path directory;

    private final HeldStorage<TrialJournal> storage = HeldStorage.trial();

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/overview", "/api/v1/consumers", "/api/v1/consumers/slow"})
    void howItStandsWithConsumersIsToldAllTheSame(String path) {
        Deliveries fails = new Deliveries().behave(push -> Future.failedFuture("planned"));
        GatewaySettings settings = new GatewaySettings().consumer("slow", "*", fails);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            storage.journal().denyReads(true);
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);

            eventually(() -> assertThat(
                            gateway.management("/api/v1/consumers/slow").body())
                    .contains("\"attempts\":"));
            assertThat(gateway.management(path).status()).isEqualTo(200);
            storage.journal().denyReads(false);
        }
    }
}
