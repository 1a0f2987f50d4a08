package dev.holdfast.delivery;

import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.delivery.Lane.State;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.DeadLetter.Failure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LaneTest {
    /** The table in the class's Javadoc. */
    private static final Map<State, Set<State>> TABLE = new EnumMap<>(Map.of(
            State.IDLE, EnumSet.of(State.READY),
            State.READY, EnumSet.of(State.IN_FLIGHT, State.HELD),
            State.HELD, EnumSet.of(State.READY),
            State.IN_FLIGHT, EnumSet.of(State.READY, State.IDLE, State.BACKING_OFF),
            State.BACKING_OFF, EnumSet.of(State.READY)));

    /** A way into each state. */
    private static final Map<State, List<State>> WAYS = Map.of(
            State.IDLE, List.of(),
            State.READY, List.of(State.READY),
            State.HELD, List.of(State.READY, State.HELD),
            State.IN_FLIGHT, List.of(State.READY, State.IN_FLIGHT),
            State.BACKING_OFF, List.of(State.READY, State.IN_FLIGHT, State.BACKING_OFF));

    private final Lane lane = new Lane("lane");

    @Test
    void everyTransitionOfTheTableIsMadeAndNoOther() {
        for (State from : State.values()) {
            for (State to : State.values()) {
                Lane one = new Lane("lane");
                bring(one, from);
                assertThat(one.state()).isEqualTo(from);
                if (TABLE.getOrDefault(from, Set.of()).contains(to)) {
                    one.becomes(to);
                    assertThat(one.state()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> one.becomes(to))
                            .as("%s to %s", from, to)
                            .hasMessageContaining("can't become " + to);
                }
            }
        }
    }

    private static void bring(Lane lane, State state) {
        WAYS.getOrDefault(state, List.of()).forEach(lane::becomes);
    }

    private static LaneEntry entry(long seq) {
        Envelope envelope = new Envelope("", "client.created", "ent", null, null);
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        return new LaneEntry(
                new BlockedPush.Key("lane", seq),
                new PushRecord(seq, "default", envelope, 0, new RequestHead("", "", "", ""), body),
                null);
    }

    private List<Long> seqs() {
        List<Long> seqs = new ArrayList<>();
        lane.entries().forEach(entry -> seqs.add(entry.seq()));
        return seqs;
    }

    private static BlockedPush failed(long seq) {
        return new BlockedPush(
                new BlockedPush.Key("lane", seq),
                new RetryState(3, 3, new Failure(1_000, "first"), new Failure(2_000, "last"), 0));
    }

    @Test
    void aPushThatTheSourceBringsBeforeARestoredOneGoesBeforeIt() {
        lane.restore(failed(11), 13);
        assertThat(lane.retry()).isEqualTo(failed(11).retry());

        lane.addReference(9);
        lane.addReference(11);

        assertThat(lane.firstUndone()).isEqualTo(9);
        assertThat(lane.hasFailed()).isFalse();
        assertThat(lane.mayReference(13)).isTrue();
        assertThat(lane.mayReference(14)).isFalse();
    }

    @Test
    void aLaneWhoseOnlyReferenceWasRestoredIsDoneWithIt() {
        lane.restore(failed(11), 11);
        lane.lookedUp(11);
        lane.add(entry(11));

        lane.removeFirst();

        assertThat(lane.isDone()).isTrue();
        assertThat(lane.hasFailed()).isFalse();
    }

    @Test
    void whatIsEvictedIsLookedUpFromItsFirstOn() {
        for (long seq = 1; seq <= 5; seq++) {
            lane.add(entry(seq));
        }
        bring(lane, State.IN_FLIGHT);
        assertThat(lane.begin(2, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(2);

        assertThat(lane.evict()).extracting(LaneEntry::seq).containsExactly(5L, 4L, 3L);

        assertThat(seqs()).containsExactly(1L, 2L);
        assertThat(lane.hasReferences()).isTrue();
        assertThat(lane.nextReference()).isEqualTo(3);
        assertThat(lane.mayReference(5)).isTrue();
        assertThat(lane.mayReference(6)).isFalse();
        lane.lookedUp(5);
        assertThat(lane.hasReferences()).isFalse();
    }

    @Test
    void aFirstPushThatFailedAndIsEvictedKeepsItsAttempts() {
        RetryState retry = Objects.requireNonNull(failed(1).retry());
        lane.add(entry(1));
        lane.add(entry(2));
        lane.failed(retry);

        assertThat(lane.evict()).hasSize(2);

        assertThat(lane.retry()).isEqualTo(retry);
        assertThat(lane.firstUndone()).isEqualTo(1);
    }

    @Test
    void aPushThatFailedIsSentAlone() {
        lane.add(entry(1));
        lane.add(entry(2));
        lane.failed(Objects.requireNonNull(failed(1).retry()));

        assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void aBatchEndsWhereALaneIsClosed() {
        for (long seq = 1; seq <= 3; seq++) {
            lane.add(entry(seq));
        }

        assertThat(lane.begin(10, Long.MAX_VALUE, 2)).hasSize(1);
        assertThat(lane.begin(2, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(2);
        assertThat(lane.begin(10, 1, Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void afterTurnsThatCameToNothingABatchIsOfOnePushUntilOneIsAnswered() {
        for (long seq = 1; seq <= 3; seq++) {
            lane.add(entry(seq));
        }

        assertThat(lane.cameToNothing()).isEqualTo(1);
        assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(1);
        assertThat(lane.cameToNothing()).isEqualTo(2);
        assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(1);
        lane.answered();
        lane.removeFirst();
        assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(2);
        assertThat(lane.cameToNothing()).isEqualTo(1);
    }

    @Test
    void pushesThatWereUnderWayInATurnThatCameToNothingAreSentOneByOne() {
        for (long seq = 1; seq <= 4; seq++) {
            lane.add(entry(seq));
        }
        lane.begin(2, Long.MAX_VALUE, Long.MAX_VALUE);
        lane.cameToNothing();

        for (int suspected = 1; suspected <= 2; suspected++) {
            assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(1);
            lane.answered();
            lane.removeFirst();
        }
        assertThat(lane.begin(10, Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(2);
    }

    private static void pass5Millis() {
        long begin = System.nanoTime();
        until(() -> System.nanoTime() - begin > 5_000_000);
    }

    /** Were it counted again with each failure, a push became a dead letter long before its time. */
    @Test
    void aPushCouldBeTriedSinceItsLastFailureAndNoLonger() {
        long start = System.nanoTime();
        lane.triedMillis(true, start);
        pass5Millis();
        long last = System.nanoTime();
        assertThat(lane.triedMillis(true, start)).isGreaterThanOrEqualTo(5);
        pass5Millis();

        long tried = lane.triedMillis(true, start);

        assertThat(tried).isBetween(5L, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last));
    }

    @Test
    void timeInWhichTheConsumerFailsEverythingIsNoneInWhichAPushCouldBeTried() {
        long start = System.nanoTime();
        assertThat(lane.triedMillis(true, start)).isZero();
        pass5Millis();
        assertThat(lane.triedMillis(true, start)).isGreaterThanOrEqualTo(5);
        pass5Millis();
        assertThat(lane.triedMillis(false, start)).isZero();
        pass5Millis();
        long end = System.nanoTime();
        long tried = lane.triedMillis(true, end);
        assertThat(tried).isLessThanOrEqualTo(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end));
    }
}
