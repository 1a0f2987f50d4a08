package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    @Test
    void anAnswerThatDoesNotReachTheLoopIsGivenWithTheNextOne() throws Exception {
        Context context = vertx.getOrCreateContext();
        AtomicBoolean starved = new AtomicBoolean(true);
        ReplyQueue replies = new ReplyQueue((Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (starved.get()) {
                        throw new OutOfMemoryError("made up");
                    }
                    return method.invoke(context, arguments);
                }));
        CountDownLatch given = new CountDownLatch(2);
        assertThatThrownBy(() -> replies.add(given::countDown)).isInstanceOf(OutOfMemoryError.class);
        starved.set(false);
        replies.add(given::countDown);

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
