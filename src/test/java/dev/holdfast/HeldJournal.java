package dev.holdfast;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.Progress;
import dev.holdfast.journal.Replay;
import dev.holdfast.journal.RocksJournal;
import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A real journal that takes its time: while it is held, pushes wait before they are handed to it. */
final class HeldJournal implements Journal {
    private final Journal journal;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean held;

    private HeldJournal(Journal journal) {
        this.journal = journal;
    }

    static HeldJournal open(Path directory, MeterRegistry registry) {
        return new HeldJournal(RocksJournal.open(directory, registry));
    }

    synchronized void hold() {
        held = true;
    }

    synchronized void letGo() {
        held = false;
        waiting.forEach(Runnable::run);
        waiting.clear();
    }

    synchronized int waiting() {
        return waiting.size();
    }

    @Override
    public synchronized void append(PushRecord push, Outcome outcome) {
        if (held) {
            waiting.add(() -> journal.append(push, outcome));
        } else {
            journal.append(push, outcome);
        }
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
        return journal.saveCursor(consumer, progress);
    }

    @Override
    public CompletionStage<Void> saveDeadLetter(DeadLetter letter) {
        return journal.saveDeadLetter(letter);
    }

    @Override
    public CompletionStage<Void> removeDeadLetter(String consumer, long seq) {
        return journal.removeDeadLetter(consumer, seq);
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
        return journal.saveReplay(replay);
    }

    @Override
    public CompletionStage<Void> removeReplay(String id) {
        return journal.removeReplay(id);
    }

    @Override
    public List<Replay> replays() {
        return journal.replays();
    }

    @Override
    public CompletionStage<Void> removeBelow(long seq) {
        return journal.removeBelow(seq);
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
        letGo();
        journal.close();
    }
}
