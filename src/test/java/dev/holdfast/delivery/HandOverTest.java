package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Just-committed pushes on their way from the journal's thread to the delivery's event loop. */
class HandOverTest {
    private static final Limits LIMITS = new Limits(6144, 1024, 4096, 4096, 512, 512, 256, 2048, 20);

    @TempDir
    Path directory;

    private final AtomicBoolean starved = new AtomicBoolean();

    /** One that the journal's thread has no memory to call, once. */
    private Context starved(Context context) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {ContextInternal.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread().getName().equals("journal") && starved.getAndSet(false)) {
                        throw new OutOfMemoryError("made up");
                    }
                    try {
                        return method.invoke(context, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void pushesThatMemoryRanOutForOnTheWayAreReadThoughNoOthersCome() {
        Life life = new Life(directory, LIMITS, this::starved);
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        life.add(Life.consumer("one", 4, Duration.ofMillis(10)), (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        starved.set(true);

        life.send(List.of(new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(1)));

        eventually(() -> assertThat(handled).containsExactly(1L));
        assertThat(starved).isFalse();
        life.stop();
    }
}
