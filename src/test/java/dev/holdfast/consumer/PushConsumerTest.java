package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.TestPush;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a consumer says of a push, and what its receipt has of that. */
@Timeout(60)
class PushConsumerTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    /** A consumer of an integrator's. */
    private static final class Scripted extends PushConsumer {
        private final Function<Push, Future<?>> script;

        Scripted(Function<Push, Future<?>> script) {
            this.script = script;
        }

        @Override
        protected Future<?> handle(Push push) {
            return script.apply(push);
        }
    }

    private Receipt receipt(Function<Push, Future<?>> script, Push... pushes) {
        ConsumerContext context = new ConsumerContext("scripted", Duration.ofSeconds(10), "");
        Scripted consumer = new Scripted(script);
        consumer.bind(context);
        vertx.eventBus()
                .registerDefaultCodec(PushBatch.class, new LocalCodec<>("push-batch"))
                .registerDefaultCodec(Receipt.class, new LocalCodec<>("receipt"));
        vertx.deployVerticle(consumer).await();
        return vertx.eventBus()
                .<Receipt>request(context.address(0), new PushBatch(List.of(pushes)))
                .await()
                .body();
    }

    private Throwable failure(Function<Push, Future<?>> script) {
        Receipt receipt = receipt(script, TestPush.of(1, TestPush.BODY));
        return Objects.requireNonNull(receipt.failed()).cause();
    }

    /** So that what was handled is acknowledged in time. */
    @Test
    void whatIsLeftOfABatchAfterATenthOfASecondIsGivenBack() {
        Receipt receipt = receipt(
                push -> vertx.timer(150, TimeUnit.MILLISECONDS),
                TestPush.of(1, TestPush.BODY),
                TestPush.of(2, TestPush.BODY));

        assertThat(receipt).isEqualTo(new Receipt(List.of(1L), null));
    }

    @Test
    void whatAnotherLibrarysFutureFailedWithIsTheFailure() {
        RetryLater later = new RetryLater("not before the index is built", Duration.ofMinutes(5));

        assertThat(failure(push -> Future.fromCompletionStage(CompletableFuture.supplyAsync(() -> {
                    throw later;
                }))))
                .isSameAs(later);
    }

    @Test
    void whatAnExecutorsTaskFailedWithIsTheFailure() {
        PermanentFailure permanent = new PermanentFailure("no client in it");

        assertThat(failure(push -> Future.failedFuture(new ExecutionException(permanent))))
                .isSameAs(permanent);
    }

    @Test
    void whatAStageFailedWithThatWaitedForATaskIsTheFailure() {
        PermanentFailure permanent = new PermanentFailure("no client in it");

        assertThat(failure(push -> Future.failedFuture(new CompletionException(new ExecutionException(permanent)))))
                .isSameAs(permanent);
    }

    /** Its own message begins with the statement and all its values, and is cut before it says what is wrong. */
    @Test
    void whatADatabasesBatchFailedWithIsTheFailure() {
        SQLException refused = new SQLException("violates check constraint \"n\"");
        Exception batch = new BatchUpdateException("Batch entry 0 INSERT INTO ...", "23514", 0, new int[0], refused);

        assertThat(failure(push -> Future.failedFuture(batch))).isSameAs(refused);
    }
}
