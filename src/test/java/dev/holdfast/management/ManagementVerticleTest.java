package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ManagementVerticleTest {
    /** In milliseconds. */
    private final CompletableFuture<Object> userTimeout = new CompletableFuture<>();

    /** Its connection is never idle: what goes into the kernel counts as written. */
    @Test
    void whoAcknowledgesNothingIsGivenUpByTheKernelAsSoonAsWhoIsIdle() throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try {
            assumeThat(vertx.isNativeTransportEnabled()).isTrue();
            ManagementVerticle management = new ManagementVerticle(
                    new ManagementConfig("127.0.0.1", 0, null, "token", List.of(), null, false, List.of()),
                    List.of(),
                    List::of,
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                    List.of(routes -> routes.read("/connection", List.of(), query -> note(query.ctx()))));
            vertx.deployVerticle(management).await();
            URI uri = URI.create("http://127.0.0.1:" + management.port() + "/api/v1/connection");

            HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());

            assertThat(userTimeout.get(10, TimeUnit.SECONDS)).isEqualTo(120_000);
        } finally {
            vertx.close().await();
        }
    }

    private void note(RoutingContext ctx) {
        Channel channel = ((HttpServerConnection) ctx.request().connection())
                .channelHandlerContext()
                .channel();
        userTimeout.complete(channel.config()
                .getOption(ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_USER_TIMEOUT")));
        ctx.end();
    }
}
