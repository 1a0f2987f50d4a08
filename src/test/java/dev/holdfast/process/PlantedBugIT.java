package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The crash test's own test: the same client, kill and comparison must convict a receiver that breaks the promise. */
@Timeout(900)
final class PlantedBugIT {
    private static final int KILLS = 2;

    @TempDir
    Path directory;

    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void aServerThatAnswersBeforeItStoresIsCaught() throws Exception {
        List<SentPush> sent = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            sent.addAll(sentUntilKilled());
        }

        Evidence evidence = new Evidence(sent, KeptPush.all(directory.resolve("data")), List.of());
        assertThat(evidence.kept()).isNotEmpty();
        assertThat(evidence.journalComplaints())
                .isNotEmpty()
                .allSatisfy(complaint -> assertThat(complaint).startsWith("answered 200, but not kept"));
    }

    private List<SentPush> sentUntilKilled() throws Exception {
        List<String> command = List.of(
                Installation.java(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                HastyServer.class.getName(),
                directory.resolve("data").toString());
        try (Child server = Child.start(directory, Map.of(), command)) {
            server.awaitReady();
            Traffic traffic = Traffic.start(vertx, server.webhook(), "any", 1500, 500);
            traffic.awaitAnswers(1000);
            server.kill();
            traffic.stop();
            return traffic.sent();
        }
    }
}
