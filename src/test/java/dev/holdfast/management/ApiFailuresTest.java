package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log says of a request that failed. */
@Timeout(60)
class ApiFailuresTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void theLineIsBoundedAndNamesTheFailureThatHasNoMessage() throws Exception {
        ManagementConfig config =
                new ManagementConfig("127.0.0.1", 0, null, "token", List.of(), null, false, List.of("health"));
        ApiPart failing = router -> router.get("/fail/*").handler(ctx -> {
            throw new IllegalStateException();
        });
        ManagementVerticle management = new ManagementVerticle(
                config, List.of(), List::of, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), List.of(failing));
        vertx.deployVerticle(management).await();
        URI uri = URI.create("http://127.0.0.1:" + management.port() + "/api/v1/fail/" + "a".repeat(3_000));

        try (LogLines log = LogLines.atWarn()) {
            int status = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .statusCode();

            assertThat(status).isEqualTo(500);
            // A busy machine has warnings of its own.
            assertThat(log.lines())
                    .filteredOn(line -> line.contains(ApiAnswers.class.getName()))
                    .singleElement()
                    .asString()
                    .contains("GET /api/v1/fail/aaa", "failed: IllegalStateException")
                    .hasSizeLessThan(500);
        }
    }
}
