package dev.holdfast.gateway;

import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verbs whose output nobody reads to its end, as behind {@code | head -1}. */
@Timeout(60)
class ReaderGoneTest {
    private static final int GONE = 141;

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    /** What is written to when the other end of the pipe is closed. */
    private static final class BrokenPipe extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    private CompletableFuture<Integer> run(String... verb) {
        List<String> args = new ArrayList<>(List.of(verb));
        args.addAll(
                List.of("--management", "http://127.0.0.1:" + gateway.gateway().managementPort()));
        return CompletableFuture.supplyAsync(
                () -> Verb.execute(new BrokenPipe(), err, false, args), work -> new Thread(work, "verb").start());
    }

    @Test
    void aWatchedStatusEndsQuietly() {
        assertThat(run("status", "--watch").join()).isEqualTo(GONE);
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void aTapEndsQuietlyAtTheNextPush() {
        CompletableFuture<Integer> tap = run("tap");
        int[] n = {0};
        until(() -> {
            gateway.push(envelope("client.created", ++n[0]));
            return tap.isDone();
        });

        assertThat(tap.join()).isEqualTo(GONE);
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void aListIsNotDoneWhenItCouldNotBeWritten() {
        assertThat(run("consumers", "list").join()).isEqualTo(GONE);
    }
}
