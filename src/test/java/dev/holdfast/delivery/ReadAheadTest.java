package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.store.BlockedPush;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much of what is behind is in memory. */
@Timeout(60)
class ReadAheadTest {
    private static final int MIB = 1024 * 1024;
    private static final Limits LIMITS = new Limits(6144, 1024, 4096, 4096, 512, 512, 256, 2048, 20);
    private static final ConsumerConfig CONFIG = Life.consumer("one", 4, Duration.ofMillis(10));
    private static final int LARGE = 400;

    @TempDir
    Path directory;

    private static PushRecord push(String enterprise, int bytes) {
        String padding = "x".repeat(bytes);
        byte[] body = ("{\"event\":\"client.created\",\"enterprise_token\":\"" + enterprise + "\",\"id\":\""
                        + System.nanoTime() + "\",\"padding\":\"" + padding + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        return new PushRecord(
                PushRecord.UNSTORED,
                "default",
                EnvelopeReader.read(body),
                1,
                new RequestHead("", "application/json", "", ""),
                body);
    }

    @Test
    void lessIsReadThanIsTakenAsItComesIn() {
        assertThat(LIMITS.isReadFull(64, 4 * MIB)).isTrue();
        assertThat(LIMITS.isFull(64, 4 * MIB)).isFalse();
        assertThat(LIMITS.isReadFull(1000, 4 * MIB - 1)).isFalse();
    }

    @Test
    void someLargePushesAreReadWhateverTheirSize() {
        assertThat(LIMITS.isReadFull(63, 20 * MIB)).isFalse();
        assertThat(LIMITS.isReadFull(63, 24 * MIB)).isTrue();
    }

    @Test
    void pushesOfALaneThatHangsDoNotKeepOthersFromBeingRead() {
        Life life = new Life(directory, LIMITS);
        List<PushRecord> pushes = new ArrayList<>();
        for (int i = 0; i < LARGE; i++) {
            pushes.add(push("hangs", 32 * 1024));
        }
        pushes.add(push("works", 1));
        life.send(pushes);
        Promise<Void> hanging = Promise.promise();
        Set<Long> handled = ConcurrentHashMap.newKeySet();

        life.add(CONFIG, (push, vertx) -> handle(push, hanging, handled));

        eventually(() -> assertThat(handled).contains(LARGE + 1L));
        hanging.complete();
        eventually(() -> assertThat(handled).hasSize(LARGE + 1));
        life.stop();
    }

    /** It merely lags: its position stays, and the store need not know of what waits. */
    @Test
    void aConsumerWhoseLanesAreAllAtWorkNotesNothing() {
        Life life = new Life(directory, LIMITS);
        life.send(Stream.generate(() -> push("hangs", 32 * 1024)).limit(LARGE).toList());
        Promise<Void> hanging = Promise.promise();
        Set<Long> handled = ConcurrentHashMap.newKeySet();

        life.add(Life.consumer("busy", 1, Duration.ofMillis(10)), (push, vertx) -> handle(push, hanging, handled));
        life.add(CONFIG, (push, vertx) -> handle(push, hanging, handled));

        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isPositive());
        assertThat(life.journal().blockedPushes().count("busy")).isZero();
        hanging.complete();
        life.stop();
    }

    @Test
    void ofLargePushesALaneReadsBackFewAtOnce() {
        Life life = new Life(directory, LIMITS);
        life.send(Stream.generate(() -> push("noted", 32 * 1024)).limit(20).toList());
        LaneKeys keys = new LaneKeys(List.of());
        SourcePages pages = new SourcePages(life.journal(), push -> true, keys, LIMITS);
        List<BlockedPush> noted = life.journal().read(1, 20, Long.MAX_VALUE).stream()
                .map(push -> new BlockedPush(new BlockedPush.Key(keys.lane(push), push.seq()), null))
                .toList();

        SourcePages.Page page = pages.references(noted, List.of(), 20, 256);

        assertThat(page.entries()).hasSize((int) (LIMITS.readBackBytes() / (32 * 1024)));
        assertThat(page.upTo()).isEqualTo(page.entries().size());
        life.stop();
    }

    private static Future<?> handle(Push push, Promise<Void> hanging, Set<Long> handled) {
        Future<Void> done = push.enterpriseToken().equals("hangs") ? hanging.future() : Future.succeededFuture();
        return done.map(v -> handled.add(push.seq()));
    }
}
