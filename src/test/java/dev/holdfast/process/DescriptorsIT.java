package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More connections than there are descriptors: those that are served get their answers, the others their turn. */
@Tag("campaign")
@Tag("descriptors")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class DescriptorsIT {
    private static final int CONNECTIONS = 300;
    private static final Pattern AT_MOST = Pattern.compile("at most (\\d+) connections: of 350 descriptors");

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new ArrayList<>();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.configure("");
    }

    @AfterEach
    void remove() throws IOException {
        clients.shutdownNow();
        for (Socket socket : sockets) {
            socket.close();
        }
        installation.close();
    }

    private Child runWith(int descriptors) throws IOException {
        return installation.startUnder(
                List.of("bash", "-c", "ulimit -n " + descriptors + "; exec \"$@\"", "bash"), "run");
    }

    @Test
    void everyConnectionGetsItsAnswerThoughThereAreFewerDescriptors() throws Exception {
        Campaign.of("descriptors", 1, 10).run((number, random) -> {
            connectTooOften();
            return new Campaign.Findings(List.of(), List.of(), List.of(), "");
        });
    }

    private void connectTooOften() throws Exception {
        Child gateway = runWith(350);
        gateway.awaitReady();
        gateway.awaitLog("at most \\d+ connections: of 350 descriptors");
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(new Socket(
                    InetAddress.getLoopbackAddress(), gateway.webhook().getPort()));
        }

        List<Callable<Integer>> sendings = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            LargePush push = new LargePush(i, 300_000);
            Socket socket = sockets.get(i);
            sendings.add(() -> push.sendOn(socket));
        }
        List<Integer> answers = new ArrayList<>();
        for (Future<Integer> answer : clients.invokeAll(sendings)) {
            answers.add(answer.get());
        }

        assertThat(answers).as(gateway.err().text()).containsOnly(200);
        assertThat(client.metric(gateway, "holdfast_connections_limit_reached_total"))
                .isPositive();
        assertThat(gateway.err().text()).doesNotContain("Too many open files", "can't store");
        gateway.terminate();
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private static String consumers(int concurrency) {
        return "consumers:\n  - {name: forward, events: [\"*\"], verticle: http, concurrency: " + concurrency
                + ", options: {url: \"http://127.0.0.1:9/\"}}\n";
    }

    /** Otherwise neither the journal nor those who connect would find any left. */
    @Test
    void consumersThatComeLaterTakeTheirsFromTheConnectionsOrAreRefused() throws Exception {
        Child gateway = runWith(350);
        gateway.awaitReady();
        gateway.awaitLog(AT_MOST.pattern());
        int alone = connections(gateway);

        installation.configure(consumers(20));
        gateway.signal("HUP");
        gateway.awaitLog("the changed configuration is in force");
        assertThat(connections(gateway)).isEqualTo(alone - 28);

        installation.configure(consumers(1024));
        gateway.signal("HUP");
        gateway.awaitLog("the changed configuration is refused");
        gateway.awaitLog("descriptors: found a limit of 350, expected at least \\d+ \\(.*\\): set ulimit -n");

        installation.configure("");
        gateway.signal("HUP");
        Await.until("the connections are as many as before", () -> connections(gateway) == alone);
    }

    /** As many as the log has said last. */
    private static int connections(Child gateway) {
        return gateway.err().lines().stream()
                .map(AT_MOST::matcher)
                .filter(Matcher::find)
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .reduce(0, (before, last) -> last);
    }

    @Test
    void tooFewDescriptorsEndTheStartWithTheFigures() throws Exception {
        Child gateway = runWith(100);

        assertThat(gateway.awaitExit()).isEqualTo(1);
        assertThat(gateway.err().lines())
                .last()
                .asString()
                .matches("holdfast: descriptors: found a limit of 100, expected at least \\d+ \\(.*\\): set ulimit -n");
    }
}
