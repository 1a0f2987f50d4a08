package dev.holdfast.receiver;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class RoomTest {
    private static final long SECOND = 1_000_000_000L;

    private static Vertx vertx;
    private static Context loop;

    private final Room room = new Room(1_000);
    private volatile long counted;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        loop = vertx.getOrCreateContext();
    }

    @AfterAll
    static void stop() {
        vertx.close().await();
    }

    private class Occupant implements Room.Occupant {
        private final String name;
        private final Peer peer;

        Occupant(String name, Peer peer) {
            this.name = name;
            this.peer = peer;
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public Context context() {
            return loop;
        }

        @Override
        public long counted() {
            return counted;
        }

        @Override
        public void admitted() {
            heard.add(name + " admitted");
        }

        @Override
        public void evicted(Refusal why) {
            heard.add(name + " " + why.label());
        }
    }

    private Room.Claim await(String name, String address, long bytes) {
        return room.await(new Occupant(name, Peers.at(address)), bytes);
    }

    /** In the room, and the client's turn since a while. */
    private Room.Claim reading(String name, String address, long bytes) {
        Room.Claim claim = await(name, address, bytes);
        heard(name + " admitted");
        heard.clear();
        claim.progressed();
        return claim;
    }

    private void heard(String... what) {
        eventually(() -> assertThat(heard).containsExactly(what));
    }

    /** Nor on its way. */
    private void assertNothingHeard() {
        CompletableFuture<Void> here = new CompletableFuture<>();
        loop.runOnContext(v -> here.complete(null));
        here.join();
        assertThat(heard).isEmpty();
    }

    /** As the gateway does it. */
    private void sweepUpTo(long time) {
        while (counted < time) {
            counted = Math.min(time, counted + SECOND / 10);
            room.sweep(loop, false);
        }
    }

    @Test
    void whoWaitsIsAdmittedSmallestFirst() {
        Room.Claim first = reading("first", "1.1.1.1", 1_000);
        await("large", "1.1.1.1", 450);
        await("later", "1.1.1.1", 450);
        Room.Claim left = await("left", "1.1.1.1", 10);
        await("small", "1.1.1.1", 40);
        assertThat(room.waiting()).isEqualTo(4);
        left.release();

        first.release();
        first.release();

        heard("small admitted", "large admitted");
        assertThat(room.waiting()).isEqualTo(1);
        assertThat(room.bytes()).isEqualTo(490);
    }

    @Test
    void whileSomebodyWaitsTheSlowestBodyIsEvictedAndNoOneBeforeItsTime() {
        Room.Claim slow = reading("slow", "1.1.1.1", 250);
        Room.Claim fast = reading("fast", "1.1.1.1", 250);
        sweepUpTo(5 * SECOND);
        Room.Claim next = await("next", "1.1.1.1", 250);
        slow.progressed();
        fast.progressed();

        sweepUpTo(10 * SECOND);
        assertNothingHeard();
        sweepUpTo(10 * SECOND + 1);
        slow.progressed();
        sweepUpTo(15 * SECOND);

        heard("slow evicted");
        slow.release();
        heard("slow evicted", "next admitted");
        next.release();
        sweepUpTo(16 * SECOND);
        heard("slow evicted", "next admitted");
    }

    /** Else whoever fills the room from many addresses, and waits for more of it, kept all others waiting. */
    @Test
    void asManyAreEvictedAtOnceAsOthersWaitFor() {
        for (int i = 1; i <= 4; i++) {
            reading("of " + i, i + ".1.1.1", 250);
        }
        await("small", "5.1.1.1", 200);
        await("large", "6.1.1.1", 250);

        sweepUpTo(6 * SECOND);

        heard("of 1 evicted", "of 2 evicted");
    }

    @Test
    void aBodyIsNotSlowForTheTimeInWhichItsOwnLoopStoodStill() {
        Occupant still = new Occupant("still", Peers.at("1.1.1.1")) {
            @Override
            public long counted() {
                return 0;
            }
        };
        Room.Claim claim = room.await(still, 500);
        heard("still admitted");
        heard.clear();
        claim.progressed();
        reading("slow", "2.2.2.2", 500);
        await("next", "3.3.3.3", 250);

        sweepUpTo(6 * SECOND);

        heard("slow evicted");
    }

    @Test
    void whoHasGivenItBackMeanwhileIsNotEvicted() throws InterruptedException {
        Room.Claim slow = reading("slow", "1.1.1.1", 1_000);
        CountDownLatch letGo = new CountDownLatch(1);
        loop.runOnContext(v -> {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await("next", "2.2.2.2", 1_000);
        sweepUpTo(6 * SECOND);

        slow.release();
        letGo.countDown();
        loop.runOnContext(v -> heard.add("later"));

        heard("next admitted", "later");
    }

    @Test
    void aBodyThatIsNotReadYetIsNotSlow() {
        await("paused", "1.1.1.1", 500);
        await("next", "1.1.1.1", 250);
        heard("paused admitted");

        sweepUpTo(100 * SECOND);

        assertThat(room.waiting()).isEqualTo(1);
        heard("paused admitted");
    }

    /** Else after some that were told to go nobody would ever be told again. */
    @Test
    void whoHasGoneMadeRoomForThoseOfThenOnly() {
        Room.Claim slow = reading("slow", "1.1.1.1", 600);
        reading("second", "2.2.2.2", 400);
        await("next", "3.3.3.3", 300);
        sweepUpTo(6 * SECOND);
        heard("slow evicted");
        slow.release();
        heard("slow evicted", "next admitted");
        await("last", "4.4.4.4", 400);

        sweepUpTo(12 * SECOND);

        heard("slow evicted", "next admitted", "second evicted");
    }

    @Test
    void whoseAddressHoldsMoreThanItsShareGoesBeforeASlowerOne() {
        reading("slowest", "1.1.1.1", 100);
        counted = 1;
        Room.Claim greedy = reading("greedy", "2.2.2.2", 400);
        sweepUpTo(SECOND);
        reading("third", "3.3.3.3", 250);
        reading("fourth", "4.4.4.4", 250);
        await("next", "5.5.5.5", 100);

        sweepUpTo(6 * SECOND);

        heard("greedy evicted");
        greedy.release();
        heard("greedy evicted", "next admitted");
    }

    @Test
    void whereOnlyItsOwnAddressIsInTheWayNobodyElseGoes() {
        reading("greedy", "1.1.1.1", 400);
        reading("own", "2.2.2.2", 200);
        await("next", "2.2.2.2", 200);

        sweepUpTo(6 * SECOND);

        heard("own evicted");
    }

    @Test
    void whileConnectionsAreScarceWhoHasWaitedForMostGoesAndNotAllAtOnce() {
        reading("first", "1.1.1.1", 1_000);
        for (int i = 1; i <= 9; i++) {
            await("of " + i * 10, "2.2.2.2", i * 10L);
        }
        sweepUpTo(SECOND);
        assertThat(room.isWaitedForLong()).isFalse();
        room.sweep(loop, true);
        assertThat(room.waiting()).isEqualTo(9);
        sweepUpTo(2 * SECOND + 1);
        assertThat(room.isWaitedForLong()).isTrue();
        await("young", "3.3.3.3", 1_000);
        room.sweep(CompletableFuture.supplyAsync(vertx::getOrCreateContext).join(), true);
        assertThat(room.waiting()).isEqualTo(10);

        room.sweep(loop, true);
        heard("of 90 crowded", "of 80 crowded");
        room.sweep(loop, true);

        heard("of 90 crowded", "of 80 crowded", "of 70 crowded");
    }
}
