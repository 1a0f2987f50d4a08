package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer may have a push of many MiB in it, and an event loop of the port is one of the receiver's. */
@Timeout(60)
class LargeAnswersTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicBoolean onEventLoop = new AtomicBoolean();

    /** What an answer is made of. It notes where it is written out. */
    private final class Fields extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            onEventLoop.compareAndSet(false, Context.isOnEventLoopThread());
            return super.entrySet();
        }
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void areWrittenOutWhereNoPushWaitsForThem() throws Exception {
        Fields fields = new Fields();
        fields.put("seq", 7);
        ApiPart part = router -> router.get("/one")
                .handler(ctx -> ApiAnswers.answer(ctx, request -> Future.succeededFuture(new JsonObject(fields))));
        ManagementConfig config =
                new ManagementConfig("127.0.0.1", 0, null, "token", List.of(), null, false, List.of("health"));
        ManagementVerticle management = new ManagementVerticle(
                config, List.of(), List::of, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), List.of(part));
        vertx.deployVerticle(management).await();
        URI uri = URI.create("http://127.0.0.1:" + management.port() + "/api/v1/one");

        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

        assertThat(answer.body()).isEqualTo("{\"seq\":7}\n");
        assertThat(onEventLoop).isFalse();
    }
}
