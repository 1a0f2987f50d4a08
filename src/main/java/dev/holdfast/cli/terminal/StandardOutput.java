package dev.holdfast.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers why it can't be written; a writer on top of it doesn't tell. */
public final class StandardOutput extends OutputStream {
    /** Mask of the file type in {@code stat}'s {@code st_mode}. */
    private static final int FILE_TYPE = 0xF000;

    private static final int PIPE = 0x1000;
    private static final int SOCKET = 0xC000;

    private final OutputStream out;
    private final BooleanSupplier hasReader;
    private volatile @Nullable IOException failure;

    /** @param hasReader whether somebody reads it, so that a failure means that the reader has gone */
    public StandardOutput(OutputStream out, BooleanSupplier hasReader) {
        this.out = out;
        this.hasReader = hasReader;
    }

    /** The output of this process. Not System.out, which doesn't tell when it can't write. */
    public static StandardOutput ofProcess() {
        return new StandardOutput(new FileOutputStream(FileDescriptor.out), StandardOutput::isPipe);
    }

    /**
     * Whether it is a pipe. The system's message for a reader that is gone depends on the language, so it can't be
     * used.
     */
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

    /** Why it can't be written; null while it can, and also if only its reader has gone. */
    @Nullable
    public String failure() {
        IOException why = failure;
        return why == null || hasReader.getAsBoolean() ? null : "can't write to standard output: " + why.getMessage();
    }
}
