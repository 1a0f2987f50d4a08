package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InstancesTest {
    private static final Duration TIMEOUT = Duration.ofMillis(100);
    private static final long TOO_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<Void> mended = new CompletableFuture<>();

    @AfterEach
    void close() {
        mended.complete(null);
        vertx.close().await();
    }

    /** One whose only instance blocks its thread. */
    private Instances blocked() {
        RetryConfig retry = new RetryConfig(TIMEOUT, 1, TIMEOUT, 0, null, null);
        ConsumerConfig config = Life.consumer("one", List.of("*"), ConsumerConfig.Start.EARLIEST, 1, 1, TIMEOUT, retry);
        ConsumerContext context = new ConsumerContext("one", TIMEOUT, "visitor.updated");
        PushConsumer instance = new PushConsumer() {
            @Override
            protected Future<?> handle(Push push) {
                begun.countDown();
                mended.join();
                return Future.succeededFuture();
            }
        };
        Delivery.registerCodecs(vertx);
        instance.bind(context, 0);
        vertx.deployVerticle(instance, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .await();
        return new Instances(config, context, vertx);
    }

    private static PushBatch batch() {
        PlannedPush planned = new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0);
        return new PushBatch(List.of(new Push(planned.record(1).at(1), new BusinessData(null), 1, false, Map.of())));
    }

    private void tick(Instances instances) {
        Future.<Void>future(done -> loop.runOnContext(v -> {
                    instances.tick();
                    done.complete();
                }))
                .await();
    }

    @Test
    void ofTheTimeInWhichTheTickStoodStillNobodyCouldMakeUse() throws Exception {
        Instances instances = blocked();
        Future<Object> answer = Future.future(
                done -> loop.runOnContext(v -> instances.request(batch()).onComplete(done)));
        begun.await();
        long since = System.nanoTime();
        eventually(() -> assertThat(System.nanoTime() - since).isGreaterThan(TOO_LONG_NANOS));

        tick(instances);
        assertThat(answer.isComplete()).isFalse();

        eventually(() -> {
            tick(instances);
            assertThat(answer.isComplete()).isTrue();
        });
        assertThat(answer.cause()).hasMessage("not done within 100 ms");
    }
}
