package dev.holdfast.receiver;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InFlightTest {
    private final Vertx vertx = Vertx.vertx();
    private final InFlight inFlight = new InFlight(1);

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** The last release may have come since it was asked whether there is room. */
    @Test
    void whoBeginsToWaitWhereThereIsRoomHasItsTurn() {
        AtomicBoolean hadItsTurn = new AtomicBoolean();

        inFlight.await(vertx.getOrCreateContext(), () -> hadItsTurn.set(true));

        eventually(() -> assertThat(hadItsTurn).isTrue());
    }

    @Test
    void oneWhoseTurnThrowsCostsNobodyElseTheirs() {
        Context context = vertx.getOrCreateContext();
        AtomicBoolean thrown = new AtomicBoolean();
        AtomicBoolean hadItsTurn = new AtomicBoolean();
        context.exceptionHandler(failure -> thrown.set(true));
        inFlight.add(1);
        inFlight.await(context, () -> {
            throw new IllegalStateException("the request is over");
        });
        inFlight.await(context, () -> hadItsTurn.set(true));

        inFlight.release(1);

        eventually(() -> assertThat(hadItsTurn).isTrue());
        assertThat(thrown).isTrue();
    }
}
