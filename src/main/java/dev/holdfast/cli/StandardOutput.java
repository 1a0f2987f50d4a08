package dev.holdfast.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Remembers why it can't be written, which a writer on top of it keeps to itself. */
final class StandardOutput extends OutputStream {
    private final OutputStream out;
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Why it can't be written; null while it can, and when it is only that nobody reads it. */
    @Nullable
    String failure() {
        IOException why = failure;
        return why == null || isUnread(why) ? null : failed(why);
    }

    /** Whether it failed as nobody reads it. */
    static boolean isUnread(Exception failure) {
        return String.valueOf(failure.getMessage()).contains("Broken pipe");
    }

    static String failed(Exception failure) {
        return "can't write to standard output: " + failure.getMessage();
    }
}
