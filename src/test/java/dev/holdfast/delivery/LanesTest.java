package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.store.Progress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LanesTest {
    private static final String STUCK = "default\nstuck\nf:client";

    private static final Bounds BOUNDS = Bounds.STANDARD;
    private final Lanes lanes = new Lanes(new Ordering(List.of()), Progress.upTo(0), BOUNDS);

    static PushRecord push(long seq, String enterprise) {
        return push(seq, enterprise, "{}");
    }

    static PushRecord push(long seq, String enterprise, String body) {
        Envelope envelope = new Envelope("", "client.created", enterprise, null, null);
        return new PushRecord(
                seq, "default", envelope, 0, new RequestHead("", "", "", ""), body.getBytes(StandardCharsets.UTF_8));
    }

    private void handle(Lane lane) {
        int count = lanes.begin(lane, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, push -> false)
                .size();
        for (int i = 0; i < count; i++) {
            lanes.done(lane);
        }
        lanes.ended(lane, List.of());
        lanes.forget(lane);
    }

    @Test
    void theProgressStopsBeforeTheFirstThatIsNotHandled() {
        Lane one = lanes.take(push(11, "one"));
        Lane two = lanes.take(push(13, "two"));
        lanes.skipTo(15);

        assertThat(lanes.progress(BOUNDS.window())).isEqualTo(Progress.upTo(10));
        handle(two);
        assertThat(lanes.progress(BOUNDS.window())).isEqualTo(Progress.upTo(10));
        handle(one);
        assertThat(lanes.progress(BOUNDS.window())).isEqualTo(Progress.upTo(15));
        assertThat(lanes.size()).isZero();
    }

    @Test
    void aMillionPushesBehindAStuckLaneTakeNoMemoryAndHoldNothingBack() {
        Lane stuck = lanes.take(push(1, "stuck"));
        stuck.state(Lane.State.RESTING);

        for (long seq = 2; seq <= 2_000_000; seq += 2) {
            lanes.take(push(seq, "stuck"));
            handle(lanes.take(push(seq + 1, "working")));
            assertThat(lanes.hasRoom()).isTrue();
        }

        assertThat(stuck.size()).isEqualTo(BOUNDS.laneRoom());
        assertThat(lanes.size()).isEqualTo(1);
        assertThat(lanes.progress(BOUNDS.window()).handled()).isEqualTo(2_000_001);
        assertThat(lanes.progress(BOUNDS.window()).behind()).isEqualTo(Map.of(STUCK, 1L));
        assertThat(lanes.progress(BOUNDS.window()).neededFrom()).isEqualTo(1);
    }

    @Test
    void stuckLanesGiveTheirMemoryBackWhenItIsShort() {
        List<Lane> stuck = new ArrayList<>();
        long seq = 0;
        while (lanes.hasRoom()) {
            Lane lane = lanes.take(push(++seq, "stuck-" + seq % 100));
            lane.state(Lane.State.RESTING);
            stuck.add(lane);
        }

        lanes.relieve(false);

        assertThat(lanes.hasRoom()).isTrue();
        assertThat(stuck).allMatch(lane -> lane.size() == 0 && lane.isBehind());
        assertThat(lanes.progress(BOUNDS.window()).neededFrom()).isEqualTo(1);
    }

    @Test
    void aLaneIsReadOnFromWhereItStoppedUntilItReachesTheFront() {
        Lane stuck = lanes.take(push(1, "stuck"));
        stuck.state(Lane.State.RESTING);
        for (long seq = 2; seq <= 1000; seq++) {
            lanes.take(push(seq, "stuck"));
        }
        assertThat(lanes.hungry(false)).isEmpty();

        stuck.state(Lane.State.IDLE);
        for (int i = 0; i < BOUNDS.laneRoom(); i++) {
            lanes.begin(stuck, 1, 1, Long.MAX_VALUE, push -> false);
            assertThat(lanes.done(stuck).seq()).isEqualTo(i + 1);
            lanes.ended(stuck, List.of());
        }
        Map<Lane, Long> reading = lanes.hungry(false);
        assertThat(reading).isEqualTo(Map.of(stuck, BOUNDS.laneRoom() + 1L));
        for (long seq = 1; seq <= 1000; seq++) {
            lanes.takeAgain(push(seq, "stuck"), reading);
        }
        lanes.readUpTo(1000, reading);

        assertThat(stuck.isBehind()).isFalse();
        assertThat(stuck.firstUndone()).isEqualTo(BOUNDS.laneRoom() + 1L);
        assertThat(stuck.size()).isEqualTo(1000 - BOUNDS.laneRoom());
    }

    @Test
    void whatWasReadForALaneThatHasLostItsMemoryMeanwhileIsReadAgain() {
        Lane lane = lanes.take(push(1, "stuck"));
        lane.state(Lane.State.RESTING);
        lanes.relieve(false);
        lane.state(Lane.State.IDLE);
        Map<Lane, Long> first = lanes.hungry(false);
        lanes.takeAgain(push(1, "stuck"), first);
        lanes.take(push(2, "stuck"));
        lane.state(Lane.State.RESTING);
        lanes.relieve(false);

        lanes.readUpTo(2, Map.of(lane, 2L));

        assertThat(lane.isBehind()).isTrue();
        assertThat(lane.behindFrom()).isEqualTo(1);
    }

    @Test
    void aLaneThatIsForgottenTwiceLeavesTheOneThatHasItsKeySince() {
        Lane before = lanes.take(push(1, "one"));
        handle(before);
        Lane since = lanes.take(push(2, "one"));

        lanes.forget(before);

        assertThat(lanes.all()).containsExactly(since);
        assertThat(lanes.progress(BOUNDS.window())).isEqualTo(Progress.upTo(1));
    }

    @Test
    void theFirstPointerThatLeadsSomewhereTellsTheLane() {
        Ordering ordering = new Ordering(List.of("/conversation/id", "/client/ids/0"));

        String lane = ordering.lane(push(1, "e", "{\"conversation\":{\"id\":7},\"client\":{\"ids\":[8]}}"));

        assertThat(ordering.lane(push(2, "e", "{\"conversation\":{\"id\":\"7\"}}")))
                .isEqualTo(lane);
        assertThat(ordering.lane(push(3, "e", "{\"client\":{\"ids\":[7]}}"))).isEqualTo(lane);
        assertThat(ordering.lane(push(3, "e", "{\"conversation\":{\"id\":null},\"client\":{\"ids\":[7]}}")))
                .isEqualTo(lane);
        assertThat(ordering.lane(push(4, "f", "{\"conversation\":{\"id\":7}}"))).isNotEqualTo(lane);
        assertThat(ordering.lane(push(5, "e", "{\"conversation\":{\"id\":8}}"))).isNotEqualTo(lane);
        assertThat(ordering.lane(push(6, "e", "{\"conversation\":{}}")))
                .isEqualTo(ordering.lane(push(7, "e", "{\"client\":{\"ids\":{}}}")))
                .isNotEqualTo(lane);
        assertThat(ordering.lane(push(8, "e", "{\"conversation\":{\"id\":\"" + "x".repeat(100_000) + "\"}}")))
                .hasSizeLessThan(100);
    }
}
