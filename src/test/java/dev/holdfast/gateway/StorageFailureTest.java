package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.journal.BrokenJournal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk fails: no push is answered 200 that is not stored, and the gateway comes back with the disk. */
@Timeout(60)
class StorageFailureTest {
    @TempDir
    Path directory;

    private final HeldStorage<BrokenJournal> storage = HeldStorage.broken();
    private final Deliveries deliveries = new Deliveries();
    private int pushes;

    private GatewayUnderTest start() {
        return GatewayUnderTest.start(
                new GatewaySettings().consumer("everything", "*", deliveries), directory, storage);
    }

    private HttpAnswer push(GatewayUnderTest gateway) {
        return gateway.push(envelope("client.created", ++pushes));
    }

    @Test
    void whatCantBeStoredIsAnswered503UntilTheDiskIsBack() {
        try (GatewayUnderTest gateway = start()) {
            assertThat(push(gateway).status()).isEqualTo(200);
            storage.journal().breakWrites();

            for (int i = 0; i < 20; i++) {
                HttpAnswer answer = push(gateway);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("retry-after")).isEqualTo("5");
                assertThat(answer.body()).isEqualTo("the push can't be stored at the moment\n");
            }
            assertThat(gateway.refusals("storage")).isEqualTo(20);

            storage.journal().mend();
            eventually(() -> assertThat(push(gateway).status()).isEqualTo(200));
            eventually(() -> assertThat(deliveries.handled()).hasSize(2));
        }
    }

    @Test
    void aDiskThatFailsIsToldInALineEachTime() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start()) {
            storage.journal().breakWrites();

            eventually(() -> {
                push(gateway);
                assertThat(complaints(log)).hasSizeGreaterThan(2);
            });

            assertThat(complaints(log)).noneMatch(line -> line.contains("\tat "));
        }
    }

    @Test
    void thatTheStoreKeepsNothingIsToldAtOnceAndThenSeldom() {
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = start()) {
            long begin = System.nanoTime();
            storage.journal().breakStore();
            push(gateway);
            eventually(() -> assertThat(storage.journal().failedWrites()).isGreaterThanOrEqualTo(8));

            assertSeldom(log, begin, "everything: position 1 can't be kept");
            assertSeldom(log, begin, "StoreLog the store can't ");
            assertThat(log.text()).doesNotContain("the store is open again");
            storage.journal().mend();
            eventually(() -> assertThat(log.text())
                    .contains("everything: positions are kept again", "the store is open again and can be written"));
        }
    }

    @Test
    void thatPushesCanNotBeReadIsToldAtOnceAndThenSeldom() {
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = start()) {
            gateway.manage("/api/v1/consumers/everything/pause", "{}");
            push(gateway);
            long begin = System.nanoTime();
            storage.journal().breakReads();
            gateway.manage("/api/v1/consumers/everything/resume", "{}");
            eventually(() -> assertThat(storage.journal().badReads()).isGreaterThanOrEqualTo(10));

            assertSeldom(log, begin, "everything: pushes can't be read from 1 on");
            storage.journal().mend();
            eventually(() -> assertThat(log.text()).contains("everything: pushes can be read again"));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
        }
    }

    /** Every two seconds at most, and without a trace. */
    private static void assertSeldom(LogLines log, long begin, String what) {
        List<String> told =
                log.lines().stream().filter(line -> line.contains(what)).toList();
        int atMost = 1 + (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) / 2;
        assertThat(told).hasSizeBetween(1, atMost).noneMatch(line -> line.contains("\tat "));
    }

    private static List<String> complaints(LogLines log) {
        return log.lines().stream()
                .filter(line -> line.contains("the journal can't "))
                .toList();
    }

    @Test
    void readinessTurnsRedAndGreenAgain() {
        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.isReady()).isTrue();
            storage.journal().breakWrites();
            eventually(() -> {
                push(gateway);
                assertThat(gateway.management("/readyz").body()).contains("\"ready\":false", "\"storage\":false");
            });
            assertThat(gateway.management("/livez").status()).isEqualTo(200);

            storage.journal().mend();

            eventually(() -> assertThat(gateway.isReady()).isTrue());
        }
    }

    @Test
    void aDuplicateOfAPushWhoseSyncFailedIsNeverAnswered200WhileTheSyncFails() {
        try (GatewayUnderTest gateway = start()) {
            storage.journal().breakSyncs();
            String body = envelope("client.created", 0);
            for (int i = 0; i < 5; i++) {
                assertThat(gateway.push(body).status()).isEqualTo(503);
            }
        }
    }

    @Test
    void theGatewayStopsInGoodOrderWhileTheDiskIsBroken() {
        GatewayUnderTest gateway = start();
        push(gateway);
        storage.journal().breakWrites();
        push(gateway);

        gateway.close();

        try (GatewayUnderTest again = start()) {
            assertThat(push(again).status()).isEqualTo(200);
        }
    }
}
