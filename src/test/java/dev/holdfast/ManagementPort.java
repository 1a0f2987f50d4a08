package dev.holdfast;

import dev.holdfast.config.ManagementConfig;
import dev.holdfast.config.Secret;
import dev.holdfast.management.ApiPart;
import dev.holdfast.management.ManagementVerticle;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A management port without a gateway behind it. */
public final class ManagementPort {
    private ManagementPort() {}

    /** On loopback; the number of the port. */
    public static int open(Vertx vertx, @Nullable String token, ApiPart... parts) {
        return open(vertx, "127.0.0.1", token, List.of(), parts);
    }

    public static int open(Vertx vertx, String host, @Nullable String token, List<String> hosts, ApiPart... parts) {
        ManagementConfig config = new ManagementConfig(
                host, 0, token == null ? null : new Secret(token), "token", hosts, null, false, List.of("health"));
        ManagementVerticle management = new ManagementVerticle(
                config, List.of(), List::of, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), List.of(parts));
        vertx.deployVerticle(management).await();
        return management.port();
    }
}
