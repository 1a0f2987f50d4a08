package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Offers what was just committed to those who watch, on the journal's thread. While nobody does it costs nothing. */
public final class LiveTap implements Journal.Follower {
    private static final int MOST_READERS = 8;

    private final List<TapReader> readers = new CopyOnWriteArrayList<>();

    @Override
    public void committed(List<PushRecord> pushes) {
        if (readers.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (TapReader reader : readers) {
            for (PushRecord push : pushes) {
                reader.offer(push, now);
            }
        }
    }

    /** Why nobody more may watch; empty when somebody may. */
    String full() {
        return readers.size() < MOST_READERS
                ? ""
                : "found " + readers.size() + " who watch already, expected fewer than " + MOST_READERS;
    }

    void add(TapReader reader) {
        readers.add(reader);
    }

    void remove(TapReader reader) {
        readers.remove(reader);
    }

    /** Those who watch. */
    List<TapReader> readers() {
        return List.copyOf(readers);
    }
}
