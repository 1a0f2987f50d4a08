package dev.holdfast;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A name in the system's hosts file that leads elsewhere while the gateway runs. */
@Timeout(60)
class ChangedAddressTest {
    @TempDir
    Path directory;

    @Test
    void aNameIsLookedForWhereItLeadsNow() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 receiver.test\n");
        VertxOptions options = Gateway.vertxOptions();
        options.getAddressResolverOptions().setHostsPath(hosts.toString());
        Vertx vertx = Vertx.vertx(options);
        try {
            int port = vertx.createNetServer()
                    .connectHandler(connection -> {})
                    .listen(0, "0.0.0.0")
                    .await()
                    .actualPort();
            NetClient client = vertx.createNetClient();
            assertThat(address(client, port)).isEqualTo("127.0.0.1");

            Files.writeString(hosts, "127.0.0.2 receiver.test\n");

            eventually(() -> assertThat(address(client, port)).isEqualTo("127.0.0.2"));
        } finally {
            vertx.close().await();
        }
    }

    private static String address(NetClient client, int port) {
        NetSocket connection = client.connect(port, "receiver.test").await();
        try {
            return connection.remoteAddress().hostAddress();
        } finally {
            connection.close().await();
        }
    }
}
