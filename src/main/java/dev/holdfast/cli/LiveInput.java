package dev.holdfast.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of an answer that goes on, with a sign of life now and then. It ends when no sign comes in time, since the
 * other end may have gone without a word. Only time in which somebody reads counts.
 */
final class LiveInput extends FilterInputStream {
    private final long silenceMillis;

    LiveInput(InputStream in, Duration silence) {
        super(in);
        silenceMillis = silence.toMillis();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        CompletableFuture<Boolean> sign = new CompletableFuture<>();
        var unused = sign.completeOnTimeout(false, silenceMillis, TimeUnit.MILLISECONDS)
                .thenAccept(this::endWithout);
        try {
            return super.read(bytes, offset, length);
        } finally {
            sign.complete(true);
        }
    }

    /** Called on the clock's thread, which must not wait. */
    private void endWithout(boolean sign) {
        if (!sign) {
            try {
                in.close();
            } catch (IOException e) {
                // The reader gets the exception.
            }
        }
    }
}
