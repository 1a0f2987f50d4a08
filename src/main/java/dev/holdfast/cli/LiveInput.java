package dev.holdfast.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of an answer that goes on, with a sign of life now and then: it ends when none comes, for the other end may have gone
 * without a word. Only the time counts in which somebody reads.
 */
final class LiveInput extends FilterInputStream {
    private final long silenceMillis;
    private final ScheduledThreadPoolExecutor clock;

    LiveInput(InputStream in, Duration silence) {
        super(in);
        silenceMillis = silence.toMillis();
        clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "silence");
            thread.setDaemon(true);
            return thread;
        });
        clock.setRemoveOnCancelPolicy(true);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Future<?> end = clock.schedule(this::giveUp, silenceMillis, TimeUnit.MILLISECONDS);
        try {
            return super.read(bytes, offset, length);
        } finally {
            end.cancel(false);
        }
    }

    private void giveUp() {
        try {
            in.close();
        } catch (IOException e) {
            // Whoever reads hears of it.
        }
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        super.close();
    }
}
