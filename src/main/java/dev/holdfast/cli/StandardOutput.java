package dev.holdfast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Remembers why it can't be written, which a writer on top of it keeps to itself. */
final class StandardOutput extends OutputStream {
    /** As in {@code stat}'s {@code st_mode}. */
    private static final int FILE_TYPE = 0xF000;

    private static final int PIPE = 0x1000;
    private static final int SOCKET = 0xC000;

    private final OutputStream out;
    private final BooleanSupplier hasReader;
    private volatile @Nullable IOException failure;

    /** @param hasReader whether somebody reads it, and has gone when it fails */
    StandardOutput(OutputStream out, BooleanSupplier hasReader) {
        this.out = out;
        this.hasReader = hasReader;
    }

    /** That of this process: not System.out, which keeps it to itself when it can't write. */
    static StandardOutput ofProcess() {
        return new StandardOutput(new FileOutputStream(FileDescriptor.out), StandardOutput::isPipe);
    }

    /** What the system says of a reader that is gone is in its user's language. */
    private static boolean isPipe() {
        try {
            int type = (int) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode") & FILE_TYPE;
            return type == PIPE || type == SOCKET;
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
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
        return why == null || hasReader.getAsBoolean() ? null : "can't write to standard output: " + why.getMessage();
    }
}
