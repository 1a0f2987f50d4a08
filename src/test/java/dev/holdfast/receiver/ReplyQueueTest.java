package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReplyQueueTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void anAnswerThatFailsKeepsThoseBehindItFromNothing() throws Exception {
        Context context = vertx.getOrCreateContext();
        context.exceptionHandler(failure -> {});
        ReplyQueue replies = new ReplyQueue(context);
        CountDownLatch given = new CountDownLatch(2);
        CountDownLatch filled = new CountDownLatch(1);
        replies.add(() -> {
            given.countDown();
            await(filled);
            throw new IllegalStateException("this answer fails");
        });
        replies.add(given::countDown);
        filled.countDown();

        assertThat(given.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
