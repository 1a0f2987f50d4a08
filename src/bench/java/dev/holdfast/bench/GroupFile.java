package dev.holdfast.bench;

import io.vertx.core.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One file and one thread that writes it: whatever has come in since the last sync goes out in one write and one
 * {@code fdatasync}; then each event loop is woken once for all of its answers. Each body is preceded by its length.
 */
final class GroupFile {
    private static final int CHUNK_BYTES = 4 << 20;

    private record Entry(ByteBuffer body, Context context, Runnable answer) {}

    private final FileChannel channel;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private List<Entry> waiting = new ArrayList<>();

    GroupFile(Path path) throws IOException {
        channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        Thread writer = new Thread(this::write, "writer");
        writer.setDaemon(true);
        writer.start();
    }

    /** Takes over {@code body}; runs {@code answer} on {@code context} once it is durable. */
    void append(byte[] body, Context context, Runnable answer) {
        lock.lock();
        try {
            waiting.add(new Entry(ByteBuffer.wrap(body), context, answer));
            if (waiting.size() == 1) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        List<Entry> spare = new ArrayList<>();
        try {
            while (true) {
                List<Entry> group = next(spare);
                store(group);
                answer(group);
                group.clear();
                spare = group;
            }
        } catch (IOException | InterruptedException e) {
            // No sync, no answer: the harness sees pushes without one and says so.
            throw new IllegalStateException("the file can't be written any more", e);
        }
    }

    private List<Entry> next(List<Entry> empty) throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty()) {
                filled.await();
            }
            List<Entry> group = waiting;
            waiting = empty;
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void store(List<Entry> group) throws IOException {
        for (Entry entry : group) {
            if (chunk.remaining() < Integer.BYTES + entry.body().remaining()) {
                drain();
            }
            chunk.putInt(entry.body().remaining()).put(entry.body());
        }
        drain();
        channel.force(false);
    }

    private void drain() throws IOException {
        chunk.flip();
        while (chunk.hasRemaining()) {
            channel.write(chunk);
        }
        chunk.clear();
    }

    private static void answer(List<Entry> group) {
        IdentityHashMap<Context, List<Runnable>> byLoop = new IdentityHashMap<>();
        for (Entry entry : group) {
            byLoop.computeIfAbsent(entry.context(), context -> new ArrayList<>(group.size()))
                    .add(entry.answer());
        }
        byLoop.forEach((context, answers) -> context.runOnContext(done -> answers.forEach(Runnable::run)));
    }
}
