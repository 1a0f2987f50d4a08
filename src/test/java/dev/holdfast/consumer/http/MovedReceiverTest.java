package dev.holdfast.consumer.http;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.push.TestPush;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver whose name leads elsewhere while pushes are forwarded to it. */
@Timeout(60)
class MovedReceiverTest {
    @TempDir
    Path directory;

    private final AtomicReference<String> reached = new AtomicReference<>();
    private Path hosts;
    private Vertx vertx;

    @BeforeEach
    void start() throws Exception {
        hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 receiver.test\n");
        vertx = Vertx.vertx(new VertxOptions()
                .setAddressResolverOptions(new AddressResolverOptions()
                        .setHostsPath(hosts.toString())
                        .setHostsRefreshPeriod(1)));
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void theNameIsLookedUpForEachNewConnection() throws Exception {
        int port = vertx.createHttpServer()
                .requestHandler(request -> {
                    reached.set(request.localAddress().hostAddress());
                    request.response().putHeader("Connection", "close").end();
                })
                .listen(0, "0.0.0.0")
                .await()
                .actualPort();
        HttpOptions options = HttpOptions.read(
                "forward",
                Duration.ofSeconds(10),
                List.of(),
                Map.of("url", "http://receiver.test:" + port + "/in"),
                file -> {});
        Forwarder forwarder = new Forwarder(
                vertx, options, new ConsumerContext("forward", Duration.ofSeconds(10), ""), InstantSource.system());
        forwarder.forward(TestPush.of(7, TestPush.BODY)).await();
        assertThat(reached).hasValue("127.0.0.1");

        Files.writeString(hosts, "127.0.0.2 receiver.test\n");

        eventually(() -> {
            forwarder.forward(TestPush.of(7, TestPush.BODY)).await();
            assertThat(reached).hasValue("127.0.0.2");
        });
    }
}
