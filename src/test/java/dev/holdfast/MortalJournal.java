package dev.holdfast;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.Progress;
import dev.holdfast.journal.Replay;
import dev.holdfast.journal.RocksJournal;
import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A real journal that a process has died with: from then on nothing is written any more, whoever asks. */
final class MortalJournal implements Journal {
    private final Journal journal;
    private volatile boolean dead;

    private MortalJournal(Journal journal) {
        this.journal = journal;
    }

    static MortalJournal open(Path directory, MeterRegistry registry) {
        return new MortalJournal(RocksJournal.open(directory, registry));
    }

    void die() {
        dead = true;
    }

    private CompletionStage<Void> unlessDead(Supplier<CompletionStage<Void>> write) {
        return dead ? CompletableFuture.failedStage(new JournalException("the process is dead")) : write.get();
    }

    @Override
    public void append(PushRecord push, Outcome outcome) {
        journal.append(push, outcome);
    }

    @Override
    public void follow(Follower follower) {
        journal.follow(follower);
    }

    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        return journal.read(from, maxPushes, maxBytes);
    }

    @Override
    public Optional<PushRecord> get(long seq) {
        return journal.get(seq);
    }

    @Override
    public long firstSeq() {
        return journal.firstSeq();
    }

    @Override
    public long lastSeq() {
        return journal.lastSeq();
    }

    @Override
    public Map<String, Progress> cursors() {
        return journal.cursors();
    }

    @Override
    public CompletionStage<Void> saveCursor(String consumer, Progress progress) {
        return unlessDead(() -> journal.saveCursor(consumer, progress));
    }

    @Override
    public CompletionStage<Void> saveDeadLetter(DeadLetter letter) {
        return unlessDead(() -> journal.saveDeadLetter(letter));
    }

    @Override
    public CompletionStage<Void> removeDeadLetter(String consumer, long seq) {
        return unlessDead(() -> journal.removeDeadLetter(consumer, seq));
    }

    @Override
    public List<DeadLetter> deadLetters(String consumer, long seq, int max) {
        return journal.deadLetters(consumer, seq, max);
    }

    @Override
    public long countDeadLetters(String consumer) {
        return journal.countDeadLetters(consumer);
    }

    @Override
    public CompletionStage<Void> saveReplay(Replay replay) {
        return unlessDead(() -> journal.saveReplay(replay));
    }

    @Override
    public CompletionStage<Void> removeReplay(String id) {
        return unlessDead(() -> journal.removeReplay(id));
    }

    @Override
    public List<Replay> replays() {
        return journal.replays();
    }

    @Override
    public CompletionStage<Void> removeBelow(long seq) {
        return unlessDead(() -> journal.removeBelow(seq));
    }

    @Override
    public long size() {
        return journal.size();
    }

    @Override
    public boolean writable() {
        return journal.writable();
    }

    @Override
    public void close() {
        journal.close();
    }
}
