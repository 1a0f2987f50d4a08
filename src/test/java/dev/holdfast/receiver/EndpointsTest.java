package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.Secret;
import dev.holdfast.signature.SignatureScheme;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a changed configuration does to endpoints that are open. */
class EndpointsTest {
    private static final byte[] BODY = {1, 2, 3};

    private static EndpointConfig endpoint(String name, String path, String secret) {
        return new EndpointConfig(name, path, List.of(new Secret(secret)), "Service-Signature");
    }

    private final Endpoints endpoints =
            new Endpoints(List.of(endpoint("one", "/one", "before"), endpoint("two", "/two", "before")));

    private boolean isLive(int endpoint, String secret) {
        return endpoints
                .all()
                .get(endpoint)
                .secrets()
                .matches(BODY, SignatureScheme.sign(BODY, new Secret(secret).bytes()));
    }

    @Test
    void secretsAreReplacedAndWhatWaitsForTheNextStartIsNamed() {
        try (LogLines log = LogLines.atWarn()) {
            endpoints.replaceSecrets(List.of(endpoint("one", "/elsewhere", "after"), endpoint("three", "/3", "new")));

            assertThat(isLive(0, "after")).isTrue();
            assertThat(isLive(0, "before")).isFalse();
            assertThat(isLive(1, "before")).isTrue();
            assertThat(log.text())
                    .contains("endpoint one has another path or signature header, from the next start on")
                    .contains("endpoint two is no longer configured, and open until the next start")
                    .contains("endpoint three is new and waits for the next start");
        }
    }
}
