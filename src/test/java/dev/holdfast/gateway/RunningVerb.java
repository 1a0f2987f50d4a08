package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A verb of the command line that goes on until it or the gateway is ended. */
final class RunningVerb {
    private static final int TIMEOUT_SECONDS = 30;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final Thread thread;

    private RunningVerb(boolean terminal, List<String> args) {
        thread = new Thread(() -> status.complete(Verb.execute(out, err, terminal, args)), args.get(0));
        thread.start();
    }

    static RunningVerb start(GatewayUnderTest gateway, String... args) {
        return new RunningVerb(false, with(gateway, args));
    }

    /** On a terminal of 80 columns. */
    static RunningVerb atTerminal(GatewayUnderTest gateway, String... args) {
        return new RunningVerb(true, with(gateway, args));
    }

    private static List<String> with(GatewayUnderTest gateway, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(
                List.of("--management", "http://127.0.0.1:" + gateway.gateway().managementPort()));
        return all;
    }

    String out() {
        return out.toString(UTF_8);
    }

    String err() {
        return err.toString(UTF_8);
    }

    /** Its exit status, once it ends. */
    int status() throws InterruptedException, ExecutionException, TimeoutException {
        return status.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** As far as that can be done within a process. */
    void interrupt() throws InterruptedException {
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    }
}
