package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Too little memory: served through, or the process ends with a status that says so; never a wrong answer, never deaf. */
@Tag("campaign")
@Tag("memory")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class MemoryIT {
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private final ExecutorService clients = Executors.newCachedThreadPool();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
    }

    @AfterEach
    void remove() {
        clients.shutdownNow();
        installation.close();
    }

    /** Twice as much as its heap. */
    private List<Integer> sendAtOnce(Child gateway, int heap, int size) throws Exception {
        List<Callable<Integer>> sendings = new ArrayList<>();
        for (int i = 0; i < 2 * heap / size; i++) {
            LargePush push = new LargePush(i, size);
            sendings.add(() -> push.sendTo(gateway.webhook()));
        }
        List<Integer> answers = new ArrayList<>();
        for (Future<Integer> answer : clients.invokeAll(sendings)) {
            answers.add(answer.get());
        }
        return answers;
    }

    private void assertServes(Child gateway) throws Exception {
        assertThat(client.send(gateway.webhook(), Installation.SECRET, "client.created", 0)
                        .statusCode())
                .isEqualTo(200);
        gateway.terminate();
    }

    @Test
    void manyLargePushesAtOnceAreStoredOrAnswered503() throws Exception {
        installation.configureAsShipped();
        installation.edit("drain-delay: 5s", "drain-delay: 0s");
        installation.useBothCompilers();
        Child gateway = installation.running();

        List<Integer> answers = sendAtOnce(gateway, 256 * MIB, 8 * MIB);

        assertThat(answers).as(gateway.err().text()).allMatch(status -> status == 200 || status == 503);
        assertThat(answers).contains(200);
        assertServes(gateway);
    }

    @Test
    void aSmallHeapUnderTheSameLoadServesOrEndsAndNeverRefusesARightPush() throws Exception {
        Campaign.of("memory, small heap", 1, 10).run((number, random) -> repeat(number, this::loadASmallHeap));
    }

    private Campaign.Findings repeat(int number, Callable<Child> trial) throws Exception {
        try (Installation fresh = new Installation(directory.resolve("trial" + number))) {
            installation = fresh;
            boolean alive = trial.call().isAlive();
            return new Campaign.Findings(List.of(), List.of(), List.of(), alive ? "served through" : "ended");
        }
    }

    private Child loadASmallHeap() throws Exception {
        installation.option("-Xmx64m");
        installation.configure("");
        installation.edit("  drain-delay: 0s", "  drain-delay: 0s\n  max-body: 1MiB");
        Child gateway = installation.running();

        List<Integer> answers = sendAtOnce(gateway, 64 * MIB, MIB);

        assertThat(answers).as(gateway.err().text()).contains(200).doesNotContain(401);
        if (gateway.isAlive()) {
            assertServes(gateway);
        } else {
            assertThat(gateway.awaitExit()).isEqualTo(3);
        }
        return gateway;
    }

    @Test
    void aHeapTooSmallForTheConfigurationIsRefusedWithTheFigures() throws Exception {
        installation.option("-Xmx64m");
        installation.configureAsShipped();

        Child gateway = installation.run();

        assertThat(gateway.awaitExit()).isEqualTo(1);
        assertThat(gateway.err().lines())
                .last()
                .asString()
                .matches("holdfast: memory: found a heap of \\d+MiB, expected at least \\d+MiB \\(.*MiB for"
                        + " receiver\\.max-in-flight.*, 24MiB for 3 bodies of receiver\\.max-body.*\\): set"
                        + " -Xmx\\d+m, or lower .*");
        Child validate = installation.start("validate");
        assertThat(validate.awaitExit()).isZero();
        assertThat(validate.err().text())
                .contains("warning: conf/holdfast.yaml: memory: found a heap of", "expected at least");
    }

    @Test
    void directMemoryTooSmallForTheConfigurationIsRefusedWithTheFigures() throws Exception {
        installation.option("-XX:MaxDirectMemorySize=8m");
        installation.configureAsShipped();

        Child gateway = installation.run();

        assertThat(gateway.awaitExit()).isEqualTo(1);
        assertThat(gateway.err().lines())
                .last()
                .asString()
                .contains("found 8MiB for direct buffers, expected at least 32MiB", "-XX:MaxDirectMemorySize=32m");
    }

    @Test
    void whenAConsumerEatsTheHeapTheGatewayAnswersOrEnds() throws Exception {
        Campaign.of("memory, eaten heap", 1, 10).run((number, random) -> repeat(number, this::eatTheHeap));
    }

    private Child eatTheHeap() throws Exception {
        PluginJar.install(installation, "glutton.jar", "example.Glutton", """
            package example;

            import dev.holdfast.consumer.PushConsumer;
            import dev.holdfast.push.Push;
            import io.vertx.core.Future;
            import java.util.ArrayList;
            import java.util.List;

            public class Glutton extends PushConsumer {
                private static final List<byte[]> EATEN = new ArrayList<>();

                @Override
                protected Future<?> handle(Push push) {
                    for (int size = 1 << 20; size >= 64; size /= 4) {
                        try {
                            while (true) {
                                EATEN.add(new byte[size]);
                            }
                        } catch (OutOfMemoryError e) {
                            // the next smaller ones, until nothing is left
                        }
                    }
                    return Future.succeededFuture();
                }
            }
            """);
        installation.configure("""
            consumers:
              - {name: glutton, events: ["*"], verticle: example.Glutton}
            """);
        Child gateway = installation.running();
        client.send(gateway.webhook(), Installation.SECRET, "client.created", 0);

        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int number = 0;
        int servedInARow = 0;
        while (gateway.isAlive() && servedInARow < 100 && System.nanoTime() < deadline) {
            int status = new LargePush(++number, 100_000).sendTo(gateway.webhook());
            assertThat(status).isIn(200, 503, 0);
            servedInARow = status == 200 ? servedInARow + 1 : 0;
        }

        if (gateway.isAlive()) {
            assertThat(servedInARow)
                    .as(
                            "it has neither ended nor does it serve: %s",
                            gateway.err().text())
                    .isEqualTo(100);
        } else {
            assertThat(gateway.awaitExit()).as(gateway.output()).isEqualTo(3);
            assertThat(gateway.err().text()).contains("the process ends with status 3");
        }
        return gateway;
    }
}
