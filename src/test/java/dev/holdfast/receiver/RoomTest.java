package dev.holdfast.receiver;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class RoomTest {
    private static final long SECOND = 1_000_000_000L;

    private static Vertx vertx;
    private static Context loop;

    private final Room room = new Room(1_000, 10_000, 0);
    private long swept;
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

    private final class Occupant implements Room.Occupant {
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
        public void admitted() {
            heard.add(name + " admitted");
        }

        @Override
        public void evicted() {
            heard.add(name + " evicted");
        }
    }

    private Occupant from(String address) {
        return new Occupant(address, Peers.at(address));
    }

    private Room.Claim taken(String address, long bytes, long now) {
        Room.Claim claim = Objects.requireNonNull(room.tryTake(from(address), bytes));
        claim.reading(now);
        return claim;
    }

    private Room.@Nullable Claim tried(Peer peer, long bytes) {
        return room.tryTake(new Occupant("", peer), bytes);
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
        while (swept < time) {
            swept += SECOND / 10;
            room.sweep(loop, swept, false);
        }
    }

    @Test
    void halfOfTheRoomIsAnybodysAndBeyondItAnAddressHasAQuarter() {
        taken("1.1.1.1", 500, 0);

        assertThat(tried(Peers.at("1.1.1.1"), 1)).isNull();
        assertThat(tried(Peers.at("2.2.2.2"), 100)).isNotNull();
        assertThat(tried(Peers.at("2.2.2.2"), 150)).isNotNull();
        assertThat(tried(Peers.at("2.2.2.2"), 1)).isNull();
        assertThat(tried(Peers.at("3.3.3.3"), 250)).isNotNull();
        assertThat(tried(Peers.at("4.4.4.4"), 1)).isNull();
        assertThat(room.bytes()).isEqualTo(1_000);
    }

    @Test
    void beyondHalfOfTheRoomAConnectionHasAnEighth() {
        taken("1.1.1.1", 500, 0);
        Peer connection = Peers.at("2.2.2.2");

        assertThat(tried(connection, 125)).isNotNull();
        assertThat(tried(connection, 1)).isNull();
        assertThat(tried(Peers.at("2.2.2.2"), 125)).isNotNull();
    }

    @Test
    void theAddressesThatAnIpv6SubscriberHasAreOneNetwork() {
        taken("2001:db8:1:2::1", 500, 0);

        assertThat(tried(Peers.at("2001:db8:1:2:3:4:5:6"), 1)).isNull();
        assertThat(tried(Peers.at("2001:db8:1:3::1"), 250)).isNotNull();
        assertThat(tried(Peers.at("2001:db8:1:3::2"), 1)).isNull();
        assertThat(tried(Peers.at("32.1.13.184"), 250)).isNotNull();
    }

    @Test
    void aRoomCanBeClosedToBodiesThatWouldFillIt() {
        Room fair = new Room(1_000, 250, 0);

        assertThat(fair.tryTake(from("1.1.1.1"), 251)).isNull();
        Room.Claim claim = Objects.requireNonNull(fair.tryTake(from("1.1.1.1"), 0));
        assertThat(claim.tryGrow(250)).isTrue();
        assertThat(claim.tryGrow(251)).isFalse();
        assertThat(fair.bytes()).isEqualTo(250);
    }

    @Test
    void oneBodyIsAlwaysTakenHoweverLarge() {
        Room.Claim claim = taken("1.1.1.1", 5_000, 0);
        assertThat(tried(Peers.at("2.2.2.2"), 0)).isNull();

        claim.release();
        claim.release();

        assertThat(room.bytes()).isZero();
        assertThat(tried(Peers.at("1.1.1.1"), 5_000)).isNotNull();
    }

    @Test
    void whoWaitsIsAdmittedSmallestFirst() {
        Room.Claim first = taken("1.1.1.1", 1_000, 0);
        room.await(new Occupant("large", Peers.at("1.1.1.1")), 450);
        room.await(new Occupant("later", Peers.at("1.1.1.1")), 450);
        Room.Claim left = room.await(new Occupant("left", Peers.at("1.1.1.1")), 10);
        room.await(new Occupant("small", Peers.at("1.1.1.1")), 40);
        assertThat(room.waiting()).isEqualTo(4);
        left.release();

        first.release();

        heard("small admitted", "large admitted");
        assertThat(room.waiting()).isEqualTo(1);
        assertThat(room.bytes()).isEqualTo(490);
    }

    @Test
    void whileSomebodyWaitsTheSlowestBodyIsEvictedAndNoOneBeforeItsTime() {
        Room.Claim slow = Objects.requireNonNull(room.tryTake(new Occupant("slow", Peers.at("1.1.1.1")), 250));
        slow.reading(0);
        Room.Claim fast = Objects.requireNonNull(room.tryTake(new Occupant("fast", Peers.at("1.1.1.1")), 250));
        fast.reading(0);
        sweepUpTo(5 * SECOND);
        Room.Claim next = room.await(new Occupant("next", Peers.at("1.1.1.1")), 250);
        slow.reading(5 * SECOND);
        fast.reading(6 * SECOND);

        sweepUpTo(10 * SECOND);
        assertNothingHeard();
        room.sweep(loop, 10 * SECOND + 1, false);
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
            taken(i + ".1.1.1", 250, i);
        }
        room.await(new Occupant("small", Peers.at("5.1.1.1")), 200);
        room.await(new Occupant("large", Peers.at("6.1.1.1")), 250);

        sweepUpTo(6 * SECOND);

        heard("1.1.1.1 evicted", "2.1.1.1 evicted");
    }

    @Test
    void aBodyIsNotSlowForTheTimeInWhichTheGatewayStoodStill() {
        taken("1.1.1.1", 1_000, 0);
        room.await(new Occupant("next", Peers.at("1.1.1.1")), 250);
        sweepUpTo(SECOND);

        room.sweep(loop, 10 * SECOND, false);
        swept = 10 * SECOND;
        sweepUpTo(15 * SECOND);
        assertNothingHeard();
        room.sweep(loop, 15 * SECOND + 1, false);

        heard("1.1.1.1 evicted");
    }

    @Test
    void norIsItForTheTimeInWhichItsOwnLoopAloneDid() {
        Context other = CompletableFuture.supplyAsync(vertx::getOrCreateContext).join();
        taken("1.1.1.1", 1_000, 0);
        room.await(new Occupant("next", Peers.at("1.1.1.1")), 250);
        sweepUpTo(SECOND);

        for (long now = SECOND; now <= 10 * SECOND; now += SECOND / 10) {
            room.sweep(other, now, false);
        }
        swept = 10 * SECOND;
        sweepUpTo(15 * SECOND);
        assertNothingHeard();
        sweepUpTo(16 * SECOND);

        heard("1.1.1.1 evicted");
    }

    @Test
    void whoHasGivenItBackMeanwhileIsNotEvicted() throws InterruptedException {
        CountDownLatch letGo = new CountDownLatch(1);
        loop.runOnContext(v -> {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Room.Claim slow = taken("1.1.1.1", 1_000, 0);
        room.await(from("2.2.2.2"), 1_000);
        sweepUpTo(6 * SECOND);

        slow.release();
        letGo.countDown();
        loop.runOnContext(v -> heard.add("later"));

        heard("2.2.2.2 admitted", "later");
    }

    @Test
    void aBodyThatIsNotReadYetIsNotSlow() {
        room.tryTake(new Occupant("paused", Peers.at("1.1.1.1")), 500);
        room.await(new Occupant("next", Peers.at("1.1.1.1")), 250);

        sweepUpTo(100 * SECOND);

        assertThat(room.waiting()).isEqualTo(1);
        assertNothingHeard();
    }

    @Test
    void whoseAddressHoldsMoreThanItsShareGoesBeforeASlowerOne() {
        Room.Claim slowest = Objects.requireNonNull(room.tryTake(new Occupant("slowest", Peers.at("1.1.1.1")), 100));
        slowest.reading(0);
        Room.Claim greedy = Objects.requireNonNull(room.tryTake(new Occupant("greedy", Peers.at("2.2.2.2")), 400));
        greedy.reading(1);
        taken("3.3.3.3", 250, SECOND);
        taken("4.4.4.4", 250, SECOND);
        room.await(new Occupant("next", Peers.at("5.5.5.5")), 100);

        sweepUpTo(6 * SECOND);

        heard("greedy evicted");
        greedy.release();
        heard("greedy evicted", "next admitted");
    }

    @Test
    void whereOnlyItsOwnAddressIsInTheWayNobodyElseGoes() {
        taken("1.1.1.1", 100, 0);
        Room.Claim own = Objects.requireNonNull(room.tryTake(new Occupant("own", Peers.at("2.2.2.2")), 400));
        own.reading(1);
        room.await(new Occupant("next", Peers.at("2.2.2.2")), 200);

        sweepUpTo(6 * SECOND);

        heard("own evicted");
    }

    @Test
    void whileConnectionsAreScarceWhoHasWaitedForMostGoesAndNotAllAtOnce() {
        taken("1.1.1.1", 1_000, 0);
        for (int i = 1; i <= 9; i++) {
            room.await(new Occupant("of " + i * 10, Peers.at("2.2.2.2")), i * 10L);
        }

        sweepUpTo(SECOND);
        room.sweep(loop, SECOND, true);
        assertThat(room.waiting()).isEqualTo(9);
        sweepUpTo(2 * SECOND);
        room.await(new Occupant("young", Peers.at("3.3.3.3")), 1_000);

        room.sweep(loop, 2 * SECOND + 1, true);
        heard("of 90 evicted", "of 80 evicted");
        room.sweep(loop, 2 * SECOND + 2, true);
        room.sweep(loop, 2 * SECOND + SECOND / 10 + 1, false);
        assertThat(room.waiting()).isEqualTo(8);
        room.sweep(loop, 2 * SECOND + SECOND / 10 + 1, true);

        heard("of 90 evicted", "of 80 evicted", "of 70 evicted");
    }

    @Test
    void beforeTheFirstSweepNobodyHasWaitedForLong() {
        Context other = CompletableFuture.supplyAsync(vertx::getOrCreateContext).join();
        long start = 100 * SECOND;
        Room young = new Room(1_000, 10_000, start);
        Objects.requireNonNull(young.tryTake(from("1.1.1.1"), 1_000)).reading(start);
        young.await(new Occupant("next", Peers.at("2.2.2.2")), 250);

        young.sweep(other, start + SECOND / 10, true);

        assertThat(young.isWaitedForLong()).isFalse();
        assertThat(young.waiting()).isEqualTo(1);
        assertNothingHeard();
    }
}
