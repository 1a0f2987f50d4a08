package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BadBlock;
import dev.holdfast.FileTree;
import dev.holdfast.LogLines;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that is lost or damaged costs some pushes that come again, and no push. */
@Timeout(90)
class LostStoreTest {
    /** What happens to the store of a stopped gateway. */
    private enum Loss {
        DELETED {
            @Override
            void in(Path data) throws IOException {
                FileTree.delete(data.resolve("store"));
            }
        },
        DAMAGED {
            @Override
            void in(Path data) throws IOException {
                Files.delete(data.resolve("store/CURRENT"));
            }
        },
        UNREADABLE {
            @Override
            void in(Path data) throws IOException {
                BadBlock.in(data.resolve("store/CURRENT"));
            }
        };

        abstract void in(Path data) throws IOException;
    }

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);

    private GatewaySettings settings() {
        return new GatewaySettings()
                .consumer("everything", "*", deliveries)
                .consumer("latest", "*", others, "start: latest");
    }

    private Future<?> failStuck(Push push) {
        return push.enterpriseToken().equals("stuck") && broken.get()
                ? Future.failedFuture("not yet")
                : Future.succeededFuture();
    }

    /** Whether some segment has a note that says so. */
    private boolean isNoted(String text) {
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".segment")).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Long> seqs(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource
    void afterACleanStopNothingIsLostAndNothingComesAgain(Loss loss) throws IOException {
        deliveries.behave(this::failStuck);
        others.behave(this::failStuck);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.created", "working", 300));
            push(gateway, envelopes("client.created", "stuck", 100));
            push(gateway, envelopes("client.updated", "working", 200));
            eventually(() -> assertThat(deliveries.handled()).hasSize(500));
            eventually(() -> assertThat(others.handled()).hasSize(500));
        }
        loss.in(directory.resolve("data"));
        broken.set(false);

        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.removed", "working", 10));
            eventually(() -> assertThat(deliveries.handled()).hasSize(610));
            eventually(() -> assertThat(others.handled()).hasSize(610));
            assertThat(log.text())
                    .contains("the store has lost positions")
                    .contains("everything after push 600 with 100 blocked", "latest after push 600 with 100 blocked");
            assertThat(gateway.management("/readyz").body()).contains("\"undamaged\":" + (loss == Loss.DELETED));
        }
        for (Deliveries of : List.of(deliveries, others)) {
            assertThat(of.handledSeqs()).containsExactlyInAnyOrderElementsOf(seqs(1, 610));
            assertThat(of.handled().stream()
                            .filter(push -> push.enterpriseToken().equals("stuck"))
                            .map(Push::seq))
                    .isEqualTo(seqs(301, 400));
        }
    }

    @Test
    void afterAKillOnlyWhatWasHandledSinceTheLastNoteComesAgain() throws IOException {
        deliveries.behave(this::failStuck);
        Path killed = directory.resolve("killed");
        Set<Long> before;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.created", "stuck", 1));
            push(gateway, envelopes("client.created", "working", 400));
            eventually(() -> assertThat(isNoted("\"everything\",\"position\":401,\"blocked\":[{\"lane\""))
                    .isTrue());
            eventually(() -> assertThat(isNoted("\"latest\",\"position\":401,\"blocked\":[]"))
                    .isTrue());
            push(gateway, envelopes("client.updated", "working", 50));
            eventually(() -> assertThat(deliveries.handled()).hasSize(450));
            eventually(() -> assertThat(others.handled()).hasSize(451));
            before = new HashSet<>(deliveries.handledSeqs());
            FileTree.copy(directory.resolve("data"), killed.resolve("data"));
        }
        Loss.DELETED.in(killed.resolve("data"));
        int handled = deliveries.handled().size();
        int handledByOthers = others.handled().size();
        broken.set(false);

        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), killed)) {
            push(gateway, envelopes("client.removed", "working", 1));
            eventually(() -> assertThat(deliveries.handledSeqs()).contains(1L, 452L));
            eventually(() -> assertThat(others.handledSeqs()).contains(452L));
        }

        List<Long> again =
                deliveries.handledSeqs().subList(handled, deliveries.handled().size());
        before.addAll(again);
        assertThat(before).containsAll(seqs(1, 452));
        assertThat(again).doesNotHaveDuplicates().allMatch(seq -> seq == 1 || seq > 401);
        assertThat(others.handledSeqs()
                        .subList(handledByOthers, others.handled().size()))
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(seq -> seq > 401);
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETED", "DAMAGED"})
    void aPausedConsumerStaysPaused(Loss loss) throws IOException {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 5));
            eventually(() -> assertThat(others.handled()).hasSize(5));
            assertThat(gateway.manage("/api/v1/consumers/latest/pause", "{}").status())
                    .isEqualTo(200);
            push(gateway, envelopes("client.updated", "ent-1", 5));
            eventually(() -> assertThat(deliveries.handled()).hasSize(10));
        }
        loss.in(directory.resolve("data"));

        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.removed", "ent-1", 5));
            eventually(() -> assertThat(deliveries.handled()).hasSize(15));
            assertThat(log.text()).contains("latest after push 5 with 0 blocked, paused", "latest: is paused");
            assertThat(others.handledSeqs()).isEqualTo(seqs(1, 5));
            assertThat(gateway.manage("/api/v1/consumers/latest/resume", "{}").status())
                    .isEqualTo(200);
            eventually(() -> assertThat(others.handledSeqs()).isEqualTo(seqs(1, 15)));
        }
        assertThat(deliveries.handledSeqs()).isEqualTo(seqs(1, 15));
    }

    @Test
    void aConsumerThatIsNotThereForAWhileGoesOnWhereItWas() throws IOException {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 5));
            eventually(() -> assertThat(others.handledSeqs()).isEqualTo(seqs(1, 5)));
        }
        GatewaySettings withoutIt = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(withoutIt, directory)) {
            push(gateway, envelopes("client.updated", "ent-1", 5));
            eventually(() -> assertThat(deliveries.handledSeqs()).isEqualTo(seqs(1, 10)));
        }
        Loss.DELETED.in(directory.resolve("data"));

        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            eventually(() -> assertThat(others.handledSeqs()).isEqualTo(seqs(1, 10)));
            assertThat(gateway.isReady()).isTrue();
        }
        assertThat(deliveries.handledSeqs()).isEqualTo(seqs(1, 10));
    }
}
