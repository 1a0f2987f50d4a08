package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ManagementConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has many connections to the management port, or asks much on one. */
@Timeout(60)
class ManagementPortTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/metrics"})
    void aProbeMayAskForTheHeadOnly(String path) throws IOException, InterruptedException {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            URI address = URI.create("http://localhost:" + gateway.gateway().managementPort() + path);
            HttpRequest probe = HttpRequest.newBuilder(address)
                    .method("HEAD", BodyPublishers.noBody())
                    .build();

            HttpResponse<String> answer = HttpClient.newHttpClient().send(probe, BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exclude=disk", "exclude=space&exclude=", "verbose"})
    void aProbeThatExcludesWhatIsNoConditionIsToldWhichThereAre(String query) {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            HttpAnswer answer = gateway.management("/readyz?" + query);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body())
                    .contains("expected exclude= with one of [storage, space, accepting, room, undamaged]");
        }
    }

    @Test
    void manyRequestsInARowAreAnsweredEach() {
        // Of a connection's, Netty's compression of WebSockets bears 128 that are not answered.
        int many = 300;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
                RawConnection connection = new RawConnection(gateway.gateway().managementPort())) {
            connection.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(many));

            for (int i = 0; i < many; i++) {
                assertThat(connection.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void keepsNeitherProbesOutNorAWatcher() {
        List<RawConnection> many = new ArrayList<>();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
                TapStream tap = TapStream.open(gateway, "")) {
            for (int i = 0; i < ManagementConfig.MOST_CONNECTIONS; i++) {
                RawConnection connection = new RawConnection(gateway.gateway().managementPort());
                many.add(connection);
                assertThat(connection
                                .send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .answer()
                                .status())
                        .isEqualTo(200);
            }

            assertThat(gateway.management("/readyz").status()).isEqualTo(200);

            assertThat(many.get(0).isClosed()).isTrue();
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(tap.next().data().getString("event")).isEqualTo("client.created");
        } finally {
            many.forEach(RawConnection::close);
        }
    }
}
