package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An integrator's own consumers, compiled outside the project against the jar and put into {@code plugins/}. */
@Timeout(900)
final class PluginIT {
    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private List<String> lines(String file) throws IOException {
        Path noted = installation.path(file);
        return Files.exists(noted) ? Files.readAllLines(noted) : List.of();
    }

    private void send(Child gateway, String event) throws Exception {
        assertThat(client.send(gateway.webhook(), Installation.SECRET, event, 0).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aNewConsumerHandlesEveryPushAfterARestartWithoutARebuild() throws Exception {
        installation.configure("");
        Child before = installation.running();
        send(before, "conversation.created");
        before.terminate();

        PluginJar.install(installation, "diary.jar", DiaryEntry.CLASS, DiaryEntry.CODE);
        installation.configure(DiaryEntry.consumer(installation.path("diary")));
        Child after = installation.running();
        send(after, "client.deleted");

        Await.until(
                "the consumer has both pushes",
                () -> DiaryEntry.all(installation.path("diary")).size() == 2);
        assertThat(DiaryEntry.all(installation.path("diary")))
                .extracting(DiaryEntry::digest)
                .containsExactly(
                        client.sent().get(0).digest(), client.sent().get(1).digest());
    }

    @Test
    void consumersOfConversationsAndOfClientsOverrideOneMethodAndReadTypedFields() throws Exception {
        PluginJar.install(installation, "closings.jar", "example.Closings", """
                package example;

                import dev.holdfast.consumer.Conversation;
                import dev.holdfast.consumer.ConversationConsumer;
                import dev.holdfast.push.Push;
                import io.vertx.core.Future;
                import io.vertx.core.buffer.Buffer;

                public class Closings extends ConversationConsumer {
                    @Override
                    protected Future<?> closed(Push push, Conversation conversation) {
                        String line = config().getString("mark") + " " + conversation.enterpriseId() + " "
                                + conversation.devClientId() + " " + conversation.pageFromUrl() + " "
                                + push.enterpriseToken() + "\\n";
                        return vertx.fileSystem().writeFile("closings", Buffer.buffer(line));
                    }
                }
                """);
        PluginJar.install(installation, "deletions.jar", "example.Deletions", """
                package example;

                import dev.holdfast.consumer.Client;
                import dev.holdfast.consumer.ClientConsumer;
                import dev.holdfast.push.Push;
                import io.vertx.core.Future;
                import io.vertx.core.buffer.Buffer;

                public class Deletions extends ClientConsumer {
                    @Override
                    protected Future<?> deleted(Push push, Client client) {
                        String line = client.json().getString("dev_client_id") + "\\n";
                        return vertx.fileSystem().writeFile("deletions", Buffer.buffer(line));
                    }
                }
                """);
        installation.configure("""
                consumers:
                  - name: closings
                    events: ["conversation.*"]
                    verticle: example.Closings
                    options: {mark: closed}
                  - name: deletions
                    events: ["client.*"]
                    verticle: example.Deletions
                """);
        Child gateway = installation.running();
        send(gateway, "conversation.created");
        send(gateway, "conversation.closed");
        send(gateway, "client.deleted");

        Await.until("the closing is noted", () -> !lines("closings").isEmpty());
        assertThat(lines("closings")).containsExactly("closed 4711 dev-2 https://shop.example/ e1");
        gateway.awaitLog("conversation.created seq=1");
        Await.until("the deletion is noted", () -> !lines("deletions").isEmpty());
        assertThat(lines("deletions")).containsExactly("dev-3");
    }

    /** What it throws has a trace, and it may throw for each push. */
    @Test
    void aListenerThatThrowsDoesNotFillTheLog() throws Exception {
        PluginJar.install(installation, "listener.jar", "example.Listener", """
                package example;

                import dev.holdfast.consumer.PushConsumer;
                import dev.holdfast.push.Push;
                import io.vertx.core.Future;

                public class Listener extends PushConsumer {
                    @Override
                    public Future<?> start() throws Exception {
                        vertx.eventBus().<Push>consumer("client.created", message -> {
                            throw new IllegalStateException("a listener of the test's");
                        });
                        return super.start();
                    }

                    @Override
                    protected Future<?> handle(Push push) {
                        return Future.succeededFuture();
                    }
                }
                """);
        installation.configure("""
                consumers:
                  - name: listener
                    events: ["*"]
                    verticle: example.Listener
                """);
        Child gateway = installation.running();
        for (int i = 0; i < 11; i++) {
            send(gateway, "client.created");
        }

        gateway.awaitLog("what else dev.holdfast.supervision.Uncaught logs within a minute is left out");
    }

    @Test
    void aConsumerThatClosesVertxEndsTheProcessWithAStatusToStartItAgain() throws Exception {
        PluginJar.install(installation, "closer.jar", "example.Closer", """
                package example;

                import dev.holdfast.consumer.PushConsumer;
                import dev.holdfast.push.Push;
                import io.vertx.core.Future;

                public class Closer extends PushConsumer {
                    @Override
                    protected Future<?> handle(Push push) {
                        vertx.close();
                        return Future.succeededFuture();
                    }
                }
                """);
        installation.configure("""
                consumers:
                  - name: closer
                    events: ["*"]
                    verticle: example.Closer
                """);
        Child gateway = installation.running();
        send(gateway, "client.created");

        assertThat(gateway.awaitExit()).isEqualTo(3);
    }
}
