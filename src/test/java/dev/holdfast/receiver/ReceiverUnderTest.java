package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.signature.SignatureScheme;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.BiConsumer;

/** A receiver on a free port with an endpoint {@code /a}, its journal and its quarantine, without the rest of a gateway. */
final class ReceiverUnderTest implements AutoCloseable {
    private static final String SECRET = "0123456789abcdef";

    final Vertx vertx = Vertx.vertx();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final Receiver receiver;
    final String deployment;
    private final BrokenJournal journal;
    private final Quarantine quarantine;

    /** @param more of the receiver's section, each ended by a comma */
    ReceiverUnderTest(Path directory, String more, BiConsumer<String, String> refusals, PushTracer tracer)
            throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                "receiver: {host: 127.0.0.1, port: 0, " + more + " endpoints: [{name: a, path: /a, secrets: [\""
                        + SECRET + "\"]}]}");
        HoldfastConfig config = ConfigLoader.read(file, Map.of()).config();
        journal = BrokenJournal.open(directory.resolve("data"), registry);
        quarantine = Quarantine.open(directory.resolve("data"), config.quarantine(), 0, registry);
        receiver = new Receiver(
                config.receiver(),
                new Endpoints(config.receiver().endpoints()),
                journal.journal(),
                quarantine,
                registry,
                Clock.systemUTC(),
                config.journal().syncTimeout(),
                refusals,
                tracer);
        deployment = ReceiverVerticle.deploy(vertx, receiver).await();
    }

    String sign(byte[] body) {
        return SignatureScheme.sign(body, SECRET.getBytes(UTF_8));
    }

    @Override
    public void close() {
        vertx.close().await();
        journal.journal().close();
        journal.store().close();
        quarantine.close();
    }
}
