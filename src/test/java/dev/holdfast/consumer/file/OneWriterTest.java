package dev.holdfast.consumer.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.WhenLogged;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.LocalCodec;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.TestPush;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A {@code file} consumer that replaces another one at the same files. */
@Timeout(60)
class OneWriterTest {
    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();

    @BeforeEach
    void start() {
        vertx.eventBus()
                .registerDefaultCodec(PushBatch.class, new LocalCodec<>("push-batch"))
                .registerDefaultCodec(Receipt.class, new LocalCodec<>("receipt"));
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private static ConsumerContext context(long deployment) {
        return new ConsumerContext("archive", Duration.ofSeconds(10), 16, "", Map.of(), deployment);
    }

    private Future<String> deploy(long deployment) {
        return deploy(deployment, directory);
    }

    private Future<String> deploy(long deployment, Path written) {
        FileConsumer consumer = new FileConsumer();
        consumer.bind(context(deployment));
        return vertx.deployVerticle(
                consumer,
                new DeploymentOptions()
                        .setThreadingModel(ThreadingModel.WORKER)
                        .setWorkerPoolName("archive-" + deployment)
                        .setWorkerPoolSize(1)
                        .setConfig(new JsonObject().put("directory", written.toString())));
    }

    private void handle(long deployment, long seq) {
        PushBatch batch = new PushBatch(List.of(TestPush.of(seq, TestPush.BODY)));
        Receipt receipt = vertx.eventBus()
                .<Receipt>request(context(deployment).address(0), batch)
                .await()
                .body();
        assertThat(receipt.handled()).containsExactly(seq);
    }

    private List<Path> files() throws Exception {
        try (var files = Files.list(directory)) {
            return files.toList();
        }
    }

    private void isSecondAfter(String first, Future<String> second) {
        for (int seq = 1; seq <= 100; seq++) {
            handle(1, seq);
        }
        assertThat(second.isComplete()).isFalse();

        vertx.undeploy(first).await();
        second.await();
        handle(2, 101);
    }

    @Test
    void theOneThatIsReplacedEndsBeforeTheOtherBegins() throws Exception {
        String first = deploy(1).await();
        Future<String> second = deploy(2);
        isSecondAfter(first, second);

        assertThat(files()).hasSize(1);
        assertThat(Files.readAllLines(files().get(0)))
                .hasSize(101)
                .allMatch(line -> line.startsWith("{\"seq\":") && line.endsWith("}"));
    }

    @Test
    void aDirectoryThatIsWrittenInAnotherWayHasOneWriterToo() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        String first = deploy(1).await();
        Future<String> second = deploy(2, directory.resolve("link/../" + directory.getFileName() + "/link"));
        isSecondAfter(first, second);

        assertThat(files()).hasSize(2).contains(link);
    }

    @Test
    void theNextOneBeginsAlsoWhenOneBeforeItCouldNot() throws Exception {
        Path inTheWay = directory.resolve("archive-20261120T060000.000Z.ndjson");
        Files.createDirectory(inTheWay);
        assertThat(deploy(1)
                        .transform(done -> Future.succeededFuture(done.failed()))
                        .await())
                .isTrue();
        Files.delete(inTheWay);

        deploy(2).await();

        handle(2, 1);
    }

    @Test
    void soItDoesWhenMemoryRanOutForTheOneBeforeIt() throws Exception {
        Path torn = directory.resolve("archive-20261120T060000.000Z.ndjson");
        Files.writeString(torn, "torn");
        try (WhenLogged shortage = WhenLogged.outOfMemory(PushFile.class, "cut off")) {
            assertThat(deploy(1)
                            .transform(done -> Future.succeededFuture(done.failed()))
                            .await())
                    .isTrue();
            assertThat(shortage.isDone()).isTrue();
        }

        deploy(2).await();

        handle(2, 1);
    }
}
