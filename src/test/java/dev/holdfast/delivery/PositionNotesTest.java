package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FileTree;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PositionNotesTest {
    @TempDir
    Path directory;

    private static Checkpoint blocked(String consumer, long position, long from, long to) {
        List<BlockedPush> waiting = LongStream.rangeClosed(from, to)
                .mapToObj(seq -> new BlockedPush(new BlockedPush.Key("lane-" + seq % 7, seq), null))
                .toList();
        return new Checkpoint(consumer, position, waiting, List.of());
    }

    private static void save(TrialJournal journal, Checkpoint checkpoint) {
        done(journal.positions().save(checkpoint));
    }

    private static void done(CompletionStage<Void> change) {
        change.toCompletableFuture().join();
    }

    private void loseStore() throws IOException {
        FileTree.delete(directory.resolve("store"));
    }

    @Test
    void withTooManyBlockedPushesAConsumerGoesOnBeforeTheFirstOfThem() {
        long most = PositionNotes.MOST_BLOCKED;
        try (TrialJournal journal = TrialJournal.open(directory, new SimpleMeterRegistry())) {
            save(journal, blocked("as-many-as-may-be", 10_000, 100, 99 + most));
            save(journal, blocked("one-more", 10_000, 100, 100 + most));
            save(journal, blocked("one-more-and-beyond", 50, 100, 100 + most));

            Checkpoint whole = PositionNotes.durable("as-many-as-may-be", 10_000, journal);
            assertThat(whole.position()).isEqualTo(10_000);
            assertThat(whole.blocked())
                    .containsExactlyElementsOf(blocked("", 0, 100, 99 + most).blocked());
            assertThat(PositionNotes.durable("one-more", 10_000, journal))
                    .isEqualTo(new Checkpoint("one-more", 99, List.of(), List.of()));
            assertThat(PositionNotes.durable("one-more-and-beyond", 50, journal))
                    .isEqualTo(new Checkpoint("one-more-and-beyond", 50, List.of(), List.of()));
            assertThat(PositionNotes.durable("unknown", 7, journal))
                    .isEqualTo(new Checkpoint("unknown", 7, List.of(), List.of()));
        }
    }

    @Test
    void whatTheStoreHasLostComesFromTheNoteAndHoldsNothingBack() throws IOException {
        Life first = new Life(directory, Limits.STANDARD);
        save(first.journal(), blocked("taken-out", 9, 3, 4));
        save(first.journal(), blocked("replay/1234/taken-out", 2, 1, 1));
        first.stop();
        loseStore();

        Life second = new Life(directory, Limits.STANDARD);
        assertThat(second.journal().positions().all()).isEqualTo(Map.of("taken-out", 9L));
        assertThat(second.journal().blockedPushes().keys("taken-out", 10))
                .containsExactly(new BlockedPush.Key("lane-3", 3), new BlockedPush.Key("lane-4", 4));
        assertThat(second.delivery().neededFrom()).isEqualTo(Long.MAX_VALUE);
        second.stop();
    }

    @Test
    void whatTheStoreKnowsIsNotReplacedByAnOlderNote() {
        Life first = new Life(directory, Limits.STANDARD);
        save(first.journal(), blocked("mine", 9, 3, 4));
        save(first.journal(), blocked("lost", 9, 8, 8));
        done(first.journal().consumerMarks().pause("mine", 1));
        done(first.journal().consumerMarks().pause("lost", 1));
        first.stop();
        try (TrialJournal journal = TrialJournal.open(directory, new SimpleMeterRegistry())) {
            save(journal, new Checkpoint("mine", 20, List.of(), List.of(new BlockedPush.Key("lane-3", 3))));
            done(journal.positions().remove("lost"));
            done(journal.consumerMarks().resume("mine"));
            done(journal.consumerMarks().resume("lost"));
        }

        Life second = new Life(directory, Limits.STANDARD);
        assertThat(second.journal().positions().all()).isEqualTo(Map.of("mine", 20L, "lost", 9L));
        assertThat(second.journal().blockedPushes().neededFrom("mine")).isEqualTo(4);
        assertThat(second.journal().blockedPushes().neededFrom("lost")).isEqualTo(8);
        assertThat(second.journal().consumerMarks().paused()).containsOnlyKeys("lost");
        second.stop();
    }

    /** A crash after that would leave the others without a position, as new ones. */
    @Test
    void nothingIsNotedWhileOnlySomeOfWhatWasNotedIsRestored() throws IOException {
        Life first = new Life(directory, Limits.STANDARD);
        save(first.journal(), blocked("mine", 9, 3, 4));
        save(first.journal(), blocked("lost", 9, 8, 8));
        first.stop();
        loseStore();
        Vertx vertx = Vertx.vertx();
        byte[] noted;
        try (TrialJournal journal = TrialJournal.open(directory, new SimpleMeterRegistry())) {
            noted = journal.lastNote().orElseThrow();
            save(journal, blocked("mine", 9, 3, 4));
            DeliveryContext delivery = TrialContext.of(vertx, journal);
            PositionNotes notes = new PositionNotes(delivery);

            delivery.onContext(() -> {
                        notes.tick();
                        return Future.succeededFuture();
                    })
                    .await();
            notes.finish().await();
            vertx.close().await();
        }

        try (TrialJournal journal = TrialJournal.open(directory, new SimpleMeterRegistry())) {
            assertThat(journal.lastNote()).hasValue(noted);
        }
    }

    @Test
    void aNoteThatCanNotBeReadCostsNothingElse() throws IOException {
        try (TrialJournal journal = TrialJournal.open(directory, new SimpleMeterRegistry())) {
            journal.note(new byte[] {1, 2, 3});
        }
        loseStore();

        Life life = new Life(directory, Limits.STANDARD);
        assertThat(life.journal().lastNote()).hasValue(new byte[] {1, 2, 3});
        assertThat(life.journal().positions().all()).isEmpty();
        life.stop();
    }

    /** As a kill leaves it: without the note that a stop makes. */
    @Test
    void positionsAreNotedWhileTheDeliveryRuns() {
        Life life = new Life(directory, Limits.STANDARD);
        save(life.journal(), blocked("mine", 9, 3, 4));
        eventually(() -> assertThat(noted()).contains("\"name\":\"mine\",\"position\":9,"));
        save(life.journal(), blocked("mine", 12, 11, 11));
        eventually(() -> assertThat(noted()).contains("\"name\":\"mine\",\"position\":12,"));
        life.stop();
    }

    private String noted() {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".segment")).toList()) {
                text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
